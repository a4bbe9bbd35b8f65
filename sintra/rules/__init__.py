"""What the engine asks of a game: the few questions that every rule-set answers.

A **rule-set** is a value: its name, its options, the steps that its players can take, what is printed
on its boards, and how a game starts. A **state** is one game under way. It works on small integers and
changes in place; it never draws, opens or prints anything. Chance comes in by `arrange` and `deal`.

**Codes.** Every step of a rule-set has a fixed number, its index in `RuleSet.steps`. Codes are stable:
they are what programs that learn see, and what the engine looks up. Players are counted from 0 inside a
state, and from 1 everywhere else.

**Phases.** A state waits for one thing at a time: see the constants below. From `CHOICE` on it waits
for a player, and a rule-set numbers its own kinds of choice from there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from sintra.chance import Chance
from sintra.components import Table
from sintra.events import Event, OptionValue
from sintra.offer import Offer
from sintra.rulings import Ruling
from sintra.steps import Step

ARRANGE = 0
"""Waits for `arranged`."""
DEAL = 1
"""Waits for `dealt`."""
ROUND_END = 2
"""The round was played to its end; `round_ended` follows by itself."""
GAME_END = 3
"""The last round has ended; `ended` follows by itself."""
OVER = 4
"""Nothing follows any more."""
CHOICE = 5
"""From here on: waits for a player."""


class Option(Struct, frozen=True):
    """An option of a rule-set: what it may be, and what it is if nobody says."""

    name: str
    values: tuple[OptionValue, ...]
    default: OptionValue
    help: str


class Effect(Struct, frozen=True):
    """What a rule did by itself: its name, and the names of its numbers.

    A state that is watched appends `(kind, player, *numbers)` to its `effects`; `kind` is the index in
    `RuleSet.effects`, `player` is counted from 0 and is -1 where no player is meant.
    """

    name: str
    numbers: tuple[str, ...] = ()


class Misfit(ValueError):
    """An arrangement that can't be: the field at fault, and why."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


S = TypeVar("S", bound="State")


class State(Protocol):
    """One game under way."""

    phase: int
    player: int
    round: int
    offer: Offer
    effects: list[tuple[int, ...]] | None

    def arrange(self, event: Any) -> None:
        """Lay the table out as arranged; Misfit if that can't be."""

    def deal(self, displays: Sequence[Sequence[int]]) -> None:
        """Fill the displays and start the round; BadDeal if the bag can't have given this."""

    def legal(self) -> list[int]:
        """The codes of all legal steps, ascending; none unless a player has to choose."""

    def allows(self, code: int) -> bool:
        """Whether this code is among the legal ones, without listing them."""

    def play(self, code: int) -> None:
        """Take a legal step."""

    def end_round(self) -> None:
        """What happens when a round is over."""

    def finish(self) -> None:
        """The final scoring."""

    def scores(self) -> list[int]:
        """Every player's points."""

    def winners(self) -> list[int]:
        """Who has won, ascending; more than one when the victory is shared."""

    def breakdown(self) -> list[dict[str, int]]:
        """For every player, the points by where they came from; they add up to the score."""

    def worth(self, player: int) -> int:
        """What the table is worth to a player: points, and what is under way towards more.

        In a scale of the rule-set's own; more is better. Simple computer players go by it.
        """

    def census(self) -> list[int]:
        """All pieces of each color, wherever they are: what must never change."""

    def copy(self: S) -> S:
        """A state of its own, equal to this one."""

    def value(self) -> Struct:
        """The whole table as an immutable value, in words: what leaves the engine."""

    def resolve(self, words: str) -> str:
        """The words of a step, for any spelling of it; ValueError says why they can stand for none here."""

    def why_not(self, code: int) -> str:
        """Why this step is not legal, and what would do."""


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
    tables: tuple[Table, ...]
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
