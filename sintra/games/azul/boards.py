"""What is printed in Azul and in Crystal Mosaic: a board is a literal."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from sintra.games.azul.colors import COLORS, PALETTE
from sintra.games.azul.events import Bonus, FloorLosses, Multiplier, Wall
from sintra.rules.printed import Printed


class Board(Struct, frozen=True):
    """A player board: its wall, what a printed space multiplies by, its floor line and its bonuses."""

    wall: Wall
    multiplier: int
    floor: tuple[int, ...]
    bonus: Bonus


def _wall(rows: str) -> Wall:
    """Return the wall that is drawn by letters, `.` for a space that takes any color."""
    spaces: dict[str, Any] = {**PALETTE.letters, ".": None}
    return tuple(tuple(spaces[letter] for letter in row) for row in rows.split())


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
    """What a file for `--components` may hold."""

    wall: Wall | None = None
    multiplier: Multiplier | None = None
    floor: FloorLosses | None = None
    bonus: Bonus | None = None
