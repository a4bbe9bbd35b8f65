"""What is printed in Azul and in Crystal Mosaic: a board is a literal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from sintra.errors import UsageError
from sintra.games.azul.colors import COLORS, PALETTE
from sintra.games.azul.events import Bonus, FloorLosses, Multiplier, Wall
from sintra.rules.printed import Printed
from sintra.text import listed


class Board(Struct, frozen=True):
    """A player board: its wall, what a printed space multiplies by, its floor line and its bonuses."""

    wall: Wall
    multiplier: int
    floor: tuple[int, ...]
    bonus: Bonus


SPACES: dict[str, Any] = {**PALETTE.letters, ".": None}
"""What a letter stands for on a wall given by letters: a color, or any color."""


def _wall(rows: str) -> Wall:
    """Return the wall given by letters."""
    return tuple(tuple(SPACES[letter] for letter in row) for row in rows.split())


def in_words(components: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the values of a component file, with a wall given by letters (`byrkt`) spelled out."""
    wall = components.get("wall")
    if not isinstance(wall, list) or not all(isinstance(row, str) for row in wall):
        return components
    for row in wall:
        for letter in row.lower():
            if letter not in SPACES:
                known = listed(list(SPACES))
                raise UsageError(f"components: wall: no color {letter!r} in {row!r}; the letters are {known}")
    return {**components, "wall": [[SPACES[letter] for letter in row.lower()] for row in wall]}


def template(board: Board) -> tuple[tuple[str, str, Any], ...]:
    """Return what a component file may change, with the values of a board."""
    letters = {color: letter for letter, color in SPACES.items()}
    rows = ["".join(letters[space] for space in row) for row in board.wall]
    return (
        ("wall", "Five rows of five spaces; a dot is a space that takes any color.", rows),
        ("multiplier", "What the points of a printed space are multiplied by: 1 or 2.", board.multiplier),
        ("floor", "The points of the seven spaces of the floor line.", board.floor),
        ("bonus", "The points for a complete row, column and color.", board.bonus),
    )


_FLOOR = (-1, -1, -2, -2, -2, -3, -3)
_CRYSTAL_FLOOR = (-1, 0, -1, -2, -1, -2, -3)

AZUL = {
    "colored": Board(_wall("byrkt tbyrk ktbyr rktby yrktb"), 1, _FLOOR, Bonus(2, 7, 10)),
    "gray": Board(_wall("..... ..... ..... ..... ....."), 1, _FLOOR, Bonus(2, 7, 10)),
}
CRYSTAL = {
    "1": Board(_wall("...k. t.... ..y.. ....b .r..."), 2, _CRYSTAL_FLOOR, Bonus(2, 7, 10)),
    "2": Board(_wall("..... .b.r. ..t.. .k.y. ....."), 1, _CRYSTAL_FLOOR, Bonus(3, 10, 12)),
}

AZUL_TABLES = (
    Printed("colors", COLORS, "rulebook", "20 pieces of each; their names are ours"),
    Printed("wall, side colored", AZUL["colored"].wall, "public"),
    Printed("wall, side gray", AZUL["gray"].wall, "rulebook", "all spaces are free"),
    Printed("floor", _FLOOR, "public"),
    Printed("bonus", AZUL["colored"].bonus, "rulebook"),
)
CRYSTAL_TABLES = (
    Printed("colors", COLORS, "rulebook", "20 pieces of each; their names are ours"),
    Printed("wall, side 1", CRYSTAL["1"].wall, "public", "a printed space doubles: rulebook"),
    Printed("wall, side 2", CRYSTAL["2"].wall, "public"),
    Printed("floor, both sides", _CRYSTAL_FLOOR, "public", "side 2, spaces 3 to 7: one source"),
    Printed("bonus, side 1", CRYSTAL["1"].bonus, "rulebook"),
    Printed("bonus, side 2", CRYSTAL["2"].bonus, "rulebook"),
)


class Components(Struct, frozen=True, forbid_unknown_fields=True):
    """The possible contents of a file for `--components`."""

    wall: Wall | None = None
    multiplier: Multiplier | None = None
    floor: FloorLosses | None = None
    bonus: Bonus | None = None
