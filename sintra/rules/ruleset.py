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
from typing import Any, Protocol

from msgspec import Struct

from sintra.log.events import Event, OptionValue
from sintra.rules.chance import Chance
from sintra.rules.effects import Effect
from sintra.rules.printed import Printed
from sintra.rules.rulings import Ruling
from sintra.rules.state import ARRANGE as ARRANGE
from sintra.rules.state import CHOICE as CHOICE
from sintra.rules.state import DEAL as DEAL
from sintra.rules.state import GAME_END as GAME_END
from sintra.rules.state import OVER as OVER
from sintra.rules.state import ROUND_END as ROUND_END
from sintra.rules.state import State as State
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


QUESTIONS = (
    "name",
    "title",
    "options",
    "players",
    "colors",
    "lines",
    "arranged",
    "steps",
    "guide",
    "spellings",
    "effects",
    "tables",
    "rulings",
    "view",
    "arrange",
    "lay",
    "start",
)
"""What a rule-set must have: the members of `RuleSet`."""


class RuleSet(Protocol):
    """A game: code plus cardboard."""

    name: str
    title: str
    options: tuple[Option, ...]
    players: tuple[int, ...]
    colors: tuple[str, ...]
    lines: tuple[type[Event], ...]
    """The lines that its logs hold besides the common ones: its `arranged`, and its players' choices."""
    arranged: type[Event]
    steps: tuple[Step, ...]
    guide: tuple[tuple[str, str], ...]
    """The kinds of steps for people: the form (`pick SOURCE COLOR`), and what it means."""
    spellings: tuple[str, ...]
    """Further words for steps that people may type; `State.resolve` says what they mean."""
    effects: tuple[Effect, ...]
    tables: tuple[Printed, ...]
    rulings: tuple[Ruling, ...]
    view: str
    """The module that draws it: one of its own package, or `sintra.view.plain`, which draws any game."""

    def __hash__(self) -> int:
        """A rule-set is one object; two are never equal."""

    def arrange(
        self,
        options: Mapping[str, OptionValue],
        players: int,
        components: Mapping[str, Any],
        chance: Chance,
    ) -> Event:
        """The table laid out by chance, with the printed values or those of `components`."""

    def lay(
        self,
        options: Mapping[str, OptionValue],
        players: int,
        components: Mapping[str, Any],
        words: Sequence[str],
    ) -> Event:
        """The table as a person at a real one typed it in; UsageError for words that mean nothing."""

    def start(self, options: Mapping[str, OptionValue], players: int) -> State:
        """A game that waits for its arrangement."""
