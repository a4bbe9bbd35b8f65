"""What is printed in Stained Glass of Sintra."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from sintra.errors import UsageError
from sintra.games.sintra.colors import COLORS, SPACE_PALETTE
from sintra.games.sintra.events import Side, StripRow, Track, WindowRow
from sintra.rules.printed import Printed
from sintra.text import listed

ROUNDS: Final = 6
SLOTS: Final = 8
SPACES: Final = 5
"""Spaces on one side of a strip."""

ORNAMENTS: Final = (0, 0, 3, 6, 10)
"""Side A: points for an ornament by how many of its four frame spaces hold a piece."""

BROKEN: Final = (0, -1, -2, -4, -6, -8, -11, -14, -18)

WINDOWS = {
    "A": (2, 1, 3, 2, 4, 1, 3, 2),
    "B": (3, 2, 1, 2, 3, 1, 2, 4),
}


def _strip(up: str, down: str) -> tuple[Side, Side]:
    letters: dict[str, Any] = SPACE_PALETTE.letters
    return tuple(letters[x] for x in up), tuple(letters[x] for x in down)


_DRAWN = (
    ("pbypy", "bpbyp"),
    ("ypcyp", "opoop"),
    ("oypoy", "bbobp"),
    ("yybyo", "cbccb"),
    ("cobco", "ycyyc"),
    ("ocooy", "pcppy"),
    ("pocyp", "bcbcb"),
    ("cpoco", "b*ob*"),
)
STRIPS = tuple(_strip(up, down) for up, down in _DRAWN)
"""The set that every player has; each strip's two sides, top space first."""


def in_words(components: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the values of a component file, with strips given by letters (`pbypy bpbyp`) spelled out."""
    strips = components.get("strips")
    if not isinstance(strips, list) or not all(isinstance(strip, str) for strip in strips):
        return components
    return {**components, "strips": [_spelled(strip) for strip in strips]}


def _spelled(strip: str) -> dict[str, list[str]]:
    """Return a strip given by letters; raise UsageError if it is not one."""
    letters = SPACE_PALETTE.letters
    sides = strip.lower().split()
    if len(sides) != 2:
        raise UsageError(
            f"components: strips: {strip!r} is not two sides of five letters, like 'pbypy bpbyp'"
        )
    for letter in "".join(sides):
        if letter not in letters:
            known = listed(list(letters))
            raise UsageError(f"components: strips: no color {letter!r} in {strip!r}; the letters are {known}")
    return {"up": [letters[x] for x in sides[0]], "down": [letters[x] for x in sides[1]]}


TEMPLATE = (
    ("broken", "The points of the broken glass track, from 0 down.", BROKEN),
    (
        "strips",
        "The eight strips: the spaces of the side that starts face up, and of the other, top space first.",
        [f"{up} {down}" for up, down in _DRAWN],
    ),
    ("windows", "The points below the eight windows of each palace side.", WINDOWS),
)
"""What a component file may change."""

TABLES = (
    Printed("colors", COLORS, "rulebook", "20 pieces of each"),
    Printed(
        "strips",
        STRIPS,
        "stand-in",
        "their number and the jokers: rulebook; the colors on them: our choice",
    ),
    Printed("windows, side A", WINDOWS["A"], "stand-in", "public sources agree on about 1 to 4"),
    Printed("windows, side B", WINDOWS["B"], "stand-in", "public sources agree on about 1 to 4"),
    Printed("broken glass", BROKEN, "inferred", "0, -4, -8 and -18: rulebook"),
    Printed("ornaments, side A", ORNAMENTS, "rulebook", "for 0 to 4 pieces around one"),
)


class Components(Struct, frozen=True, forbid_unknown_fields=True):
    """The possible contents of a component file."""

    strips: StripRow | None = None
    windows: WindowRow | dict[str, WindowRow] | None = None
    broken: Track | None = None
