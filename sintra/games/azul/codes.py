"""The numbers of Azul and Crystal Mosaic: phases, codes of steps, sources of points, and effects.

The codes of the steps, in the order of `STEPS`:

    0-49   pick SOURCE COLOR    source * 5 + color; source 0 is the center
    50     place floor
    51-55  place N              50 + N
    56-80  tile ROW COLUMN      56 + (ROW - 1) * 5 + COLUMN - 1

Colors are numbered in the order blue, yellow, red, black, teal. The numbers here are literals, because the
compiler does not fold names of other modules; `tests/games/test_azul_rules.py` checks that they agree.
"""

from __future__ import annotations

from typing import Final

from sintra.games.azul.colors import COLORS
from sintra.games.azul.events import PlacedInLine, Tiled
from sintra.rules.effects import COMMON_EFFECTS, Effect
from sintra.rules.offer import pick_steps
from sintra.rules.steps import Step

# Kinds of choices, from sintra.rules.state.CHOICE on
PICKING: Final = 5
PLACING: Final = 6
TILING: Final = 7

AWAITS: Final = ("arrange", "deal", "round_end", "game_end", "nothing", "pick", "place", "tile")
"""What a state waits for, by phase."""

# The first code of each kind of step
PLACE: Final = 50
TILE: Final = 56

STEPS: Final = (
    *pick_steps(COLORS),
    Step("place floor", PlacedInLine, (("line", 0),)),
    *(Step(f"place {line}", PlacedInLine, (("line", line),)) for line in range(1, 6)),
    *(
        Step(f"tile {row} {column}", Tiled, (("row", row), ("column", column)))
        for row in range(1, 6)
        for column in range(1, 6)
    ),
)

SOURCES: Final = ("tiles", "floor", "rows", "columns", "colors")
"""Where points come from."""

# What the rules do automatically: indices of EFFECTS, from sintra.rules.state.OWN_EFFECTS on
FILLED: Final = 4
FELL: Final = 5
DISCARDED: Final = 6
TILED: Final = 7
UNTILED: Final = 8
FLOOR_LOST: Final = 9
ROWS_SCORED: Final = 10
COLUMNS_SCORED: Final = 11
COLORS_SCORED: Final = 12

EFFECTS: Final = (
    *COMMON_EFFECTS,
    Effect("filled", ("line", "pieces")),
    Effect("fell", ("pieces",)),
    Effect("discarded", ("pieces",)),
    Effect("tiled", ("row", "column", "points")),
    Effect("untiled", ("line", "pieces")),
    Effect("floor_lost", ("points", "printed")),
    Effect("rows_scored", ("rows", "points")),
    Effect("columns_scored", ("columns", "points")),
    Effect("colors_scored", ("colors", "points")),
)
