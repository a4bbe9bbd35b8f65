"""Effects: what the rules do automatically, in numbers and in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from sintra.log.events import Event
from sintra.rules.state import ARRANGE as ARRANGE
from sintra.rules.state import CHOICE as CHOICE
from sintra.rules.state import DEAL as DEAL
from sintra.rules.state import GAME_END as GAME_END
from sintra.rules.state import OVER as OVER
from sintra.rules.state import ROUND_END as ROUND_END
from sintra.rules.state import State as State

if TYPE_CHECKING:
    from sintra.rules.ruleset import RuleSet


class Effect(Struct, frozen=True):
    """Something that a rule does automatically: its name, and the names of its numbers.

    A state that is watched appends `(kind, player, *numbers)` to its `effects`; `kind` is the index in
    `RuleSet.effects`, `player` is counted from 0; -1 means no player.
    """

    name: str
    numbers: tuple[str, ...] = ()


COMMON_EFFECTS = (
    Effect("took", ("pieces",)),
    Effect("centered", ("pieces",)),
    Effect("starting_tile"),
    Effect("refilled", ("after",)),
)
"""The first effects of every rule-set: those that `State` notes."""


class Happening(Struct, frozen=True):
    """Something that the rules did automatically: a name, the player (from 1), and named numbers."""

    name: str
    player: int | None
    numbers: dict[str, int]


class Moment(Struct, frozen=True):
    """One event of a game: its number, from 1, and what the rules did because of it."""

    number: int
    event: Event
    effects: Sequence[Happening]


def happenings(rules: RuleSet, effects: Iterable[tuple[int, ...]]) -> list[Happening]:
    """Return the effects that a watched state collected, in words."""
    found = []
    for kind, player, *numbers in effects:
        effect = rules.effects[kind]
        named = dict(zip(effect.numbers, numbers, strict=True))
        found.append(Happening(effect.name, player + 1 if player >= 0 else None, named))
    return found
