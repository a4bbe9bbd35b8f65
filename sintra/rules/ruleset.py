"""What the engine asks of a game: the few questions that every rule-set answers.

A **rule-set** is a value: its name, its options, the steps that its players can take, what is printed
on its boards, and how a game starts. A **state** is one game under way. It works on small integers and
changes in place; it never draws, opens or prints anything. Chance comes in by `arrange` and `deal`.

**Codes.** Every step of a rule-set has a fixed number, its index in `RuleSet.steps`. Codes are stable:
they are what programs that learn see, and what the engine looks up. Players are counted from 0 inside a
state, and from 1 everywhere else.

**States** and their phases are in `sintra.rules.state`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct

from sintra.errors import UsageError
from sintra.log.events import Event, OptionValue
from sintra.rules.chance import Chance
from sintra.rules.colors import Palette
from sintra.rules.effects import COMMON_EFFECTS, Effect
from sintra.rules.printed import Printed
from sintra.rules.rulings import EVERY_GAME, Ruling
from sintra.rules.snapshot import Snapshot
from sintra.rules.state import State
from sintra.rules.steps import Step


class Option(Struct, frozen=True):
    """An option of a rule-set: what it may be, and what it is if nobody says."""

    name: str
    values: tuple[OptionValue, ...]
    default: OptionValue
    help: str


class Misfit(ValueError):
    """An arrangement that can't be: the field at fault, and why."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


class RuleSet:
    """A game: code plus cardboard. A subclass answers all that has no default here."""

    name: str
    title: str
    colors: tuple[str, ...]
    arranged: type[Event]
    """The event that lays out the table."""
    steps: tuple[Step, ...]
    """Every step of the game; a step's index is its code."""
    options: tuple[Option, ...] = ()
    players: tuple[int, ...] = (2, 3, 4)
    guide: tuple[tuple[str, str], ...] = ()
    """The kinds of steps for people: the form (`pick SOURCE COLOR`), and what it means."""
    spellings: tuple[str, ...] = ()
    """Further words for steps that people may type; `resolve` says what they mean."""
    effects: tuple[Effect, ...] = COMMON_EFFECTS
    """The common effects, and then its own."""
    tables: tuple[Printed, ...] = ()
    rulings: tuple[Ruling, ...] = EVERY_GAME
    view: str = "sintra.view.plain"
    """The module that draws the game; the default draws any."""

    @cached_property
    def palette(self) -> Palette:
        """The letters, shapes and paints of the colors; by default derived from their names."""
        return Palette.of(self.colors)

    @property
    def lines(self) -> tuple[type[Event], ...]:
        """The events that its logs hold besides the common ones."""
        return (self.arranged, *dict.fromkeys(step.kind for step in self.steps))

    def start(self, options: Mapping[str, OptionValue], players: int) -> State:
        """Return a state that waits for its arrangement."""
        raise NotImplementedError

    def arrange(
        self,
        options: Mapping[str, OptionValue],
        players: int,
        components: Mapping[str, Any],
        chance: Chance,
    ) -> Event:
        """Lay the table out by chance, with the printed values or those of `components`."""
        raise NotImplementedError

    def lay(
        self,
        options: Mapping[str, OptionValue],
        players: int,
        components: Mapping[str, Any],
        words: Sequence[str],
    ) -> Event:
        """Lay the table out as typed in at a real one; by default, chance has no part in it.

        Raise UsageError for words that mean nothing.
        """
        if words:
            raise UsageError(f"{self.title} has nothing to lay out; `{words[0]}` means nothing here")
        return self.arrange(options, players, components, Chance(0))

    def snapshot(self, state: Any) -> Snapshot:
        """Return the whole table as an immutable value, in words: what leaves the engine."""
        raise NotImplementedError

    def resolve(self, state: Any, words: str) -> str:  # noqa: ARG002 - the state decides where spellings differ
        """Return the words of a step, for any spelling of it; ValueError says why there is none here."""
        return words

    def why_not(self, state: Any, code: int) -> str:
        """Say why this step is not legal here, and what would be."""
        raise NotImplementedError


QUESTIONS = tuple(name for name in (*RuleSet.__annotations__, *vars(RuleSet)) if not name.startswith("_"))
"""What a rule-set must have: the members of `RuleSet`."""
