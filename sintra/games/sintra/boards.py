"""What is printed in Stained Glass of Sintra."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

from sintra.games.sintra.colors import COLORS, SPACE_PALETTE
from sintra.games.sintra.events import Side, StripRow, Track, WindowRow
from sintra.rules.printed import Printed

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


STRIPS = (
    _strip("pbypy", "bpbyp"),
    _strip("ypcyp", "opoop"),
    _strip("oypoy", "bbobp"),
    _strip("yybyo", "cbccb"),
    _strip("cobco", "ycyyc"),
    _strip("ocooy", "pcppy"),
    _strip("pocyp", "bcbcb"),
    _strip("cpoco", "b*ob*"),
)
"""The set that every player has; each strip's two sides, top space first."""

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
    """What a component file may hold."""

    strips: StripRow | None = None
    windows: WindowRow | dict[str, WindowRow] | None = None
    broken: Track | None = None
