"""What is printed on the boards, in the form that the rules use: an object that copies of a state share."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from sintra._mypyc import i64
from sintra.games.azul.colors import COLORS
from sintra.games.azul.events import AzulArranged
from sintra.rules.bits import bit
from sintra.rules.keeping import reduced
from sintra.rules.keys import key_of
from sintra.rules.ruleset import Misfit

SIZE: Final = 5
FREE: Final = -1
"""A space of a wall that takes any color."""


def check_wall(wall: Sequence[Sequence[str | None]]) -> None:
    """Raise Misfit if a color is printed twice in a row or a column of a wall."""
    for kind, lines in (("row", wall), ("column", list(zip(*wall, strict=True)))):
        for number, line in enumerate(lines, 1):
            printed = [color for color in line if color is not None]
            if len(set(printed)) < len(printed):
                raise Misfit("wall", f"a color is printed twice in {kind} {number}")


class PrintedBoard:
    """The printed wall, floor line and bonuses; they never change."""

    colors: tuple[int, ...]
    """colors[row * 5 + column]: the color printed on a space, or FREE."""
    spaces: list[int]
    """spaces[row * 5 + color]: the columns of a row that are free or printed with a color, as a set."""
    free: i64
    """For each row, the columns that take any color: five sets in a word."""
    multiplier: i64
    """What a tile on a printed space multiplies its points by (C2)."""
    floor: tuple[int, ...]
    losses: list[int]
    """losses[n]: what n taken spaces of the floor line cost."""
    row_bonus: i64
    column_bonus: i64
    color_bonus: i64
    key: i64
    """A key of everything printed."""

    def __init__(self, event: AzulArranged | None) -> None:
        """Read an arrangement, if there is one yet; raise Misfit if it can't be played on."""
        self.colors = ()
        self.spaces = []
        self.free = 0
        self.multiplier = 1
        self.floor = ()
        self.losses = [0] * 8
        self.row_bonus = self.column_bonus = self.color_bonus = 0
        self.key = 0
        if event is None:
            return
        if sorted(event.colors) != sorted(COLORS):
            raise Misfit("colors", f"the five colors are {', '.join(COLORS)}")
        check_wall(event.wall)
        self.colors = tuple(
            [FREE if color is None else COLORS.index(color) for row in event.wall for color in row]
        )
        for space, printed in enumerate(self.colors):
            if printed == FREE:
                self.free |= bit(space)
        for row in range(SIZE):
            for color in range(SIZE):
                fits = [n for n in range(SIZE) if self.colors[row * SIZE + n] in (FREE, color)]
                self.spaces.append(sum([bit(n) for n in fits]))
        self.multiplier = event.multiplier
        self.floor = event.floor
        self.losses = [-sum(event.floor[:taken]) for taken in range(len(event.floor) + 1)]
        self.row_bonus = event.bonus.row
        self.column_bonus = event.bonus.column
        self.color_bonus = event.bonus.color
        bonuses = [self.row_bonus, self.column_bonus, self.color_bonus]
        self.key = key_of([self.colors, self.multiplier, self.losses, bonuses])

    def spaces_for(self, row: i64, color: i64) -> i64:
        """Return the columns of a row that are printed with a color, or free (C1)."""
        return self.spaces[row * SIZE + color]

    def multiplied(self, points: i64, row: i64, column: i64) -> i64:
        """Return what a tile's points come to on a space: printed ones multiply on some boards (C2)."""
        if self.multiplier == 1 or self.free & bit(row * SIZE + column):
            return points
        return points * self.multiplier

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make it again, for pickle and deepcopy."""
        return reduced(self, None)


@lru_cache(maxsize=32)  # bounded: strange logs must not fill the memory
def printed_board(event: AzulArranged) -> PrintedBoard:
    """Return what is printed in an arrangement: the same object for the same boards."""
    return PrintedBoard(event)


BLANK: Final = PrintedBoard(None)
"""What a state uses before its boards are known."""
