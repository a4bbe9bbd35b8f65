"""The numbers of Stained Glass of Sintra: phases, steps, effects and sources of points.

The codes of the steps are stable. A step's code is its index in `STEPS`:

    0-49   pick SOURCE COLOR      source * 5 + color, source 0 being the center
    50-73 place N [jokers K] 50 + (N - 1) * 3 + K; K = 0 stands for as few jokers as possible, 1 and 2 for
    that number of jokers where fewer would do 74-78 keep COLOR 74 + color
    79     return

Colors are numbered in the order blue, clear, orange, pink, yellow; kind 5 is a joker space.
"""

from __future__ import annotations

from typing import Final

from sintra.games.sintra import events
from sintra.games.sintra.boards import SLOTS
from sintra.games.sintra.colors import COLORS
from sintra.rules.effects import COMMON_EFFECTS, Effect
from sintra.rules.offer import pick_steps
from sintra.rules.steps import Step

# Sums are spelled out: the compiler only folds them from names of the same module.

# -- Phases: what a state waits for --

PICKING: Final = 5
PLACING: Final = 6
KEEPING: Final = 7
AWAITS: Final = ("arrange", "deal", "round_end", "game_end", "nothing", "pick", "place", "keep")
"""Phases in words."""

# -- Steps --

PLACE: Final = 50
KEEP: Final = 74
RETURN: Final = 79
RETURN_BIT: Final = 0x4000000000000
"""Number 50 in a set of choices, which stands for returning while picking."""


def _steps() -> tuple[Step, ...]:
    """Return every step of the game, in the order of the codes."""
    steps = pick_steps(COLORS)
    for strip in range(1, SLOTS + 1):
        steps.append(Step(f"place {strip}", events.PlacedOnStrip, (("strip", strip),)))
        for jokers in (1, 2):
            fields = (("strip", strip), ("jokers", jokers))
            steps.append(Step(f"place {strip} jokers {jokers}", events.PlacedOnStrip, fields))
    steps += [Step(f"keep {color}", events.Kept, (("color", color),)) for color in COLORS]
    steps.append(Step("return", events.Returned))
    return tuple(steps)


STEPS: Final = _steps()
SPELLINGS: Final = tuple(f"place {strip} jokers 0" for strip in range(1, SLOTS + 1))
"""Other words that people may type: see `refusals.resolve`."""

# -- Where points come from --

SOURCES: Final = ("bonus", "windows", "broken", "left", "side")

# -- What the rules do automatically: indices of EFFECTS --

MOVED: Final = 4
FILLED: Final = 5
BROKE: Final = 6
LOST: Final = 7
COMPLETED: Final = 8
BONUS_SCORED: Final = 9
FURNISHED: Final = 10
FLIPPED: Final = 11
REMOVED: Final = 12
WINDOWS_SCORED: Final = 13
LEFT_SCORED: Final = 14
TRACK_LOST: Final = 15
ORNAMENTS_SCORED: Final = 16
COLOR_SCORED: Final = 17

EFFECTS: Final = (
    *COMMON_EFFECTS,
    Effect("glazier_moved", ("from", "to")),
    Effect("filled", ("strip", "pieces", "jokers")),
    Effect("broke", ("steps", "marker")),
    Effect("lost", ("points",)),
    Effect("completed", ("strip",)),
    Effect("bonus", ("points",)),
    Effect("furnished", ("window", "pieces")),
    Effect("flipped", ("strip",)),
    Effect("removed", ("strip",)),
    Effect("scored", ("points",)),
    Effect("left_scored", ("pieces", "points")),
    Effect("track_lost", ("points",)),
    Effect("ornaments_scored", ("points",)),
    Effect("color_scored", ("pieces", "windows", "points")),
)
