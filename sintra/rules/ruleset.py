"""A rule-set: what the engine asks of a game, with defaults where most games agree."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct, ValidationError, convert, to_builtins

from sintra.errors import UsageError
from sintra.log.codec import decode_line, encode_line, in_words, line_decoder
from sintra.log.events import Event, OptionValue, Picked
from sintra.rules.chance import Chance
from sintra.rules.colors import Palette
from sintra.rules.effects import COMMON_EFFECTS, Effect
from sintra.rules.printed import Printed
from sintra.rules.refusals import why_no_pick
from sintra.rules.rulings import EVERY_GAME, Ruling
from sintra.rules.snapshot import Snapshot
from sintra.rules.state import State
from sintra.rules.steps import Step
from sintra.text import listed, pieces

if TYPE_CHECKING:
    from sintra.rules.digits import Digits


class Option(Struct, frozen=True):
    """An option of a rule-set: its name, the values it may have, the default, and a line of help."""

    name: str
    values: tuple[OptionValue, ...]
    default: OptionValue
    help: str


class Misfit(ValueError):
    """An arrangement that the rules do not allow: the field at fault, and the reason."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


class RuleSet:
    """A game: code plus cardboard. Subclasses supply everything that has no default here."""

    name: str
    """The name on the command line and in logs."""
    title: str
    colors: tuple[str, ...]
    """The names of the colors, one to eight, in the order of their numbers."""
    arranged: type[Event]
    """The event that lays out the table; it holds everything printed that the rules read."""
    steps: tuple[Step, ...]
    """Every step of the game; the index of a step is its code."""
    options: tuple[Option, ...] = ()
    players: tuple[int, ...] = (2, 3, 4)
    guide: tuple[tuple[str, str], ...] = ()
    """The kinds of steps for people: the form (`pick SOURCE COLOR`), and what it means."""
    spellings: tuple[str, ...] = ()
    """Further words that people may type for steps; `resolve` translates them."""
    effects: tuple[Effect, ...] = COMMON_EFFECTS
    """The common effects, then the game's own."""
    tables: tuple[Printed, ...] = ()
    """What is printed; a table named like a field of `arranged` is that field's value."""
    rulings: tuple[Ruling, ...] = EVERY_GAME
    view: str = "sintra.view.plain"
    """The module that draws the game; the default draws any game in words."""
    scene: str = "sintra.view.plain_scene"
    """The module that describes the game for pictures; the default draws the offer, and words for boards."""
    template: tuple[tuple[str, str, Any], ...] = ()
    """What a component file may change: each key, what it is, and the built-in value."""
    lessons: str = ""
    """The module that teaches the game, if there is one: see `sintra.rules.lessons`."""
    planes: str = ""
    """The module with the `PLANES` for programs that learn, if there is one: see `sintra.rules.planes`."""

    def __reduce__(self) -> Any:
        """Return the global name of a rule-set, so that copies of games share it; or everything about it."""
        for name, value in vars(sys.modules[type(self).__module__]).items():
            if value is self:
                return name
        return object.__reduce_ex__(self, 2)

    @cached_property
    def palette(self) -> Palette:
        """The letters, shapes and paints of the colors; by default derived from their names."""
        return Palette.of(self.colors)

    @property
    def lines(self) -> tuple[type[Event], ...]:
        """The events that logs of this game hold besides the common ones."""
        return (self.arranged, *dict.fromkeys(step.kind for step in self.steps))

    def start(self, options: Mapping[str, OptionValue], players: int) -> State:
        """Return a state that waits for its arrangement."""
        raise NotImplementedError

    def arrange(
        self,
        options: Mapping[str, OptionValue],  # noqa: ARG002 - this and `players` are for games that need them
        players: int,  # noqa: ARG002
        components: Mapping[str, Any],
        chance: Chance,  # noqa: ARG002 - what is printed needs none
    ) -> Event:
        """Set up the table at random, with the printed values or those of `components`.

        The default takes every field of `arranged` from `components`, or else from the table of that name.
        Raise UsageError if `components` do not fit.
        """
        fields = self.arranged.__struct_fields__
        printed = {table.name: to_builtins(table.value) for table in self.tables if table.name in fields}
        try:
            tag = self.arranged.__struct_config__.tag
            return convert({"type": tag, **printed, **components}, self.arranged)
        except ValidationError as error:
            raise UsageError(f"components: {in_words(error)}") from None

    def arrange_again(
        self,
        options: Mapping[str, OptionValue],  # noqa: ARG002 - for games of which chance lays something out
        players: int,  # noqa: ARG002
        arranged: Any,
        chance: Chance,  # noqa: ARG002
    ) -> Event:
        """Set up the table at random again, with the printed values of an arrangement.

        `verify --deals` compares the two. The default is for games in which chance lays nothing out.
        """
        event: Event = arranged
        return event

    def starter(
        self, options: Mapping[str, OptionValue], players: int, components: Mapping[str, Any]
    ) -> Callable[[Chance], State]:
        """Return a function that starts games as `arrange` does; runs of many games call it.

        Override it to do everything that is not random only once.
        """

        def start(chance: Chance) -> State:
            state = self.start(options, players)
            event = self.arrange(options, players, components, chance)
            if components:  # typed in by a person: read like a line of a log
                event = decode_line(line_decoder(self.lines), encode_line(event), 0)
            state.arrange(event)
            return state

        return start

    def lay(
        self,
        options: Mapping[str, OptionValue],
        players: int,
        components: Mapping[str, Any],
        words: Sequence[str],
    ) -> Event:
        """Set up the table as typed in at a real one; by default, there is nothing to type.

        Raise UsageError for words that mean nothing.
        """
        if words:
            raise UsageError(f"{self.title} has nothing to lay out, but got `{words[0]}`")
        return self.arrange(options, players, components, Chance(0))

    def questions(self, players: Sequence[str]) -> list[tuple[str, str]]:  # noqa: ARG002 - nothing to ask
        """Return the questions to ask at a real table before the first deal, in order.

        Each is the words that `lay` expects before the answer, and the question. By default there are none.
        """
        return []

    def snapshot(self, state: Any) -> Snapshot:
        """Return the whole table as an immutable value, in words."""
        raise NotImplementedError

    def position(self, state: Any) -> str:  # noqa: ARG002 - for those that have positions
        """Return everything that lies on the table as one line of text, for `sintra position`.

        The default is for rule-sets without positions: it raises UsageError. `sintra.rules.position` has the
        parts that games share.
        """
        raise UsageError(f"{self.title} has no positions: its rule-set can't write them")

    def restore(self, options: Mapping[str, OptionValue], players: int, position: str) -> State:  # noqa: ARG002
        """Return the state that a position describes; raise Misfit if that can't be one of the game."""
        raise UsageError(f"{self.title} has no positions: its rule-set can't read them")

    def pack(
        self,
        digits: Digits,
        options: Mapping[str, OptionValue],  # noqa: ARG002 - this and `players` are for games that need them
        players: int,  # noqa: ARG002
        arranged: Event | None,
    ) -> Event:
        """Pack an arrangement that the seed does not give into the digits of a code, or unpack one (None).

        The default packs its line of the log. See `sintra.rules.digits` for a shorter way.
        """
        line = digits.text("" if arranged is None else encode_line(arranged).decode()[:-1])
        event: Event = decode_line(line_decoder(self.lines), line.encode(), None)
        return event

    def resolve(self, state: Any, words: str) -> str:  # noqa: ARG002 - spellings may depend on the state
        """Return the words of the step that a spelling stands for; raise ValueError if there is none."""
        return words

    def why_not(self, state: Any, code: int) -> str:
        """Say why this step is not legal here, and what comes first.

        The default explains picks, and steps that are not due yet.
        """
        step = self.steps[code]
        due = list(dict.fromkeys(_verb(self.steps[legal]) for legal in state.legal()))
        if due and _verb(step) not in due:
            hand = self.snapshot(state).hand
            return f"{listed(due, 'or')} {f'the {pieces(hand)} in hand ' if hand else ''}first"
        if step.kind is Picked:
            return why_no_pick(state.offer, code, self.colors)
        return "not possible here"

    def convert(self, lines: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Yield the lines of a log by an older version of this rule-set as the current version writes them.

        `sintra convert` applies it; `engine` in the first line names the package and version that wrote the
        log. Options that an old log lacks need no conversion: they have their defaults.
        """
        yield from lines


def _verb(step: Step) -> str:
    return step.words.partition(" ")[0]


QUESTIONS = tuple(name for name in (*RuleSet.__annotations__, *vars(RuleSet)) if not name.startswith("_"))
"""What a rule-set must have: the members of `RuleSet`."""
