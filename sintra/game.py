"""A game that can be played, undone, copied, forked and saved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from sintra._mypyc import mypyc_attr
from sintra.errors import DamagedLog, IllegalStep, UsageError
from sintra.log.codec import decode_line, encode_line, encode_lines, line_decoder
from sintra.log.events import (
    FORMAT,
    MAX_NAME_CHARACTERS,
    MAX_NOTE_CHARACTERS,
    MAX_SEED,
    Created,
    Dealt,
    Event,
    Noted,
    OptionValue,
    Undone,
)
from sintra.log.lines import check_size
from sintra.rules.chance import Chance
from sintra.rules.ruleset import RuleSet
from sintra.rules.snapshot import Snapshot
from sintra.rules.state import ARRANGE, CHOICE, DEAL, State
from sintra.rules.steps import Step
from sintra.text import has_controls, utf8
from sintra.version import VERSION

if TYPE_CHECKING:
    from os import PathLike
from sintra.fold import Fold, complete_options


@mypyc_attr(allow_interpreted_subclasses=True)
class Game:
    """A game that can be asked, played, taken back, copied and saved.

    Make one with `sintra.new`, or get one from a log with `sintra.load` or `sintra.loads`.
    """

    def __init__(self, fold: Fold, events: list[Event], chance: Chance) -> None:
        self._fold = fold
        self._events = events
        self._chance = chance

    @classmethod
    def new(
        cls,
        rules: RuleSet,
        players: int | Sequence[str] = 2,
        *,
        seed: int | None = None,
        chance: str = "seeded",
        components: Mapping[str, Any] | None = None,
        options: Mapping[str, OptionValue] | None = None,
        engine: str = VERSION,
    ) -> Game:
        """A new game, arranged and dealt (at a real table: neither, both are typed in)."""
        check_seed(chance, seed)
        created = Created(
            format=FORMAT,
            rules=rules.name,
            options=_checked_options(rules, options or {}),
            players=_checked_players(rules, players),
            chance=chance,  # type: ignore[arg-type]
            seed=seed,
            engine=engine,
        )
        if chance == "table" and components:
            raise UsageError("at a real table the printed values are typed in with the arrangement")
        game = cls(Fold(rules, created), [created], Chance(seed))
        if components:
            arranged = game._fold.arrange(game._chance, components)
            try:
                game.take(decode_line(line_decoder(rules.lines), encode_line(arranged), 0))
            except DamagedLog as error:
                raise UsageError(f"components: {error.field}: {error.message}") from None
        game.settle()
        return game

    @classmethod
    def from_events(cls, fold: Fold, events: list[Event]) -> Game:
        """A game that goes on where a log ends."""
        return cls(fold, events, Chance(fold.created.seed))

    def __repr__(self) -> str:
        who = ", ".join(map(repr, self.players))
        return f"<Game {self.rules.name}: {who}; round {self.round}; scores {self.scores}; {self.awaits}>"

    # -- Asking --

    @property
    def rules(self) -> RuleSet:
        """The rule-set."""
        return self._fold.rules

    @property
    def created(self) -> Created:
        """The first event: rules, options, players, chance."""
        return self._fold.created

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names, in turn order."""
        return self._fold.created.players

    @property
    def player(self) -> int | None:
        """The number of the player who has to choose; None when nobody has to."""
        state = self._fold.state
        return state.player + 1 if state.phase >= CHOICE else None

    @property
    def round(self) -> int:
        """The number of the round."""
        return self._fold.state.round

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._fold.over

    @property
    def awaits(self) -> str:
        """What the game waits for, in words."""
        return self._fold.awaits()

    @property
    def scores(self) -> list[int]:
        """Every player's points."""
        return self._fold.state.scores()

    @property
    def winners(self) -> list[int]:
        """The numbers of those who have won; nobody before the end."""
        return [player + 1 for player in self._fold.state.winners()] if self.over else []

    @property
    def state(self) -> Snapshot:
        """The whole table as an immutable value, in words."""
        return self.rules.snapshot(self._fold.state)

    @property
    def live(self) -> State:
        """A copy of the state itself, on small integers, for programs that search or learn."""
        return self._fold.state.copy()

    @property
    def events(self) -> tuple[Event, ...]:
        """The events, as in the log."""
        return tuple(self._events)

    @property
    def counting(self) -> tuple[Event, ...]:
        """The events after `created` that still count: without remarks, and without what was taken back."""
        return tuple(self._fold.history)

    def legal(self) -> list[Step]:
        """The legal next steps; `str(step)` is what a person types."""
        steps = self._fold.words.steps
        return [steps[code] for code in self._fold.state.legal()]

    # -- Advancing --

    def play(self, *steps: str | Step) -> list[Event]:
        """Play steps, in words or as `legal` gave them: all of them, or none if one is illegal.

        Returns the events that were appended, with what followed from the steps by itself.
        """
        words: list[str] = []
        for step in steps:
            words += self._said(step)
        if not words:
            raise UsageError("no step was given")
        if len(words) == 1 and self._fold.at_rest:
            return self._play(words)
        trial = self.copy()
        events = trial.settle()
        events += trial._play(words)
        self._fold, self._events = trial._fold, trial._events
        return events

    def _said(self, step: object) -> list[str]:
        """Steps in their full words, from what a person typed, or from a step of `legal`."""
        if isinstance(step, str):
            return self._fold.words.read(step, self._fold.state.offer)
        if isinstance(step, Step):
            return [step.words]
        raise UsageError(f"a step is in words, or one that `legal` gave; not {repr(step)[:80]}")

    def _play(self, words: Sequence[str]) -> list[Event]:
        events: list[Event] = []
        for said in words:
            events.append(self._step(said))
            events += self.settle()
        return events

    def _step(self, said: str) -> Event:
        fold = self._fold
        state = fold.state
        try:
            code = fold.words.codes_by_words[self.rules.resolve(state, said)]
            if not state.allows(code):
                raise ValueError(self.rules.why_not(state, code) if state.phase >= CHOICE else fold.awaits())
        except KeyError:
            raise UsageError(f"{said!r} is no step of {self.rules.title}") from None
        except ValueError as error:
            legal = [str(step) for step in self.legal()]
            raise IllegalStep(f"{said}: {error}", legal, len(self._events) + 1) from None
        event = fold.play(code)
        self._events.append(event)
        return event

    def record(self, event: Event) -> list[Event]:
        """At a real table: what was arranged or dealt, as it was typed in; refused if it can't be."""
        if self.created.chance != "table" or not isinstance(event, (Dealt, self.rules.arranged)):
            raise UsageError("only what was drawn at a real table is typed in")
        trial = self.copy()
        events = [*trial.settle(), event]
        try:
            if not isinstance(event, Dealt):  # a deal is checked piece by piece; this, as a log's line is
                decode_line(line_decoder(self.rules.lines), encode_line(event), 0)
            trial.take(event)
        except DamagedLog as error:
            error.line = None
            raise IllegalStep(str(error)) from None
        events += trial.settle()
        self._fold, self._events = trial._fold, trial._events
        return events

    def note(self, text: str) -> list[Event]:
        """Add a remark."""
        if not 0 < len(text) <= MAX_NOTE_CHARACTERS:
            raise UsageError(f"a remark has 1 to {MAX_NOTE_CHARACTERS} characters")
        if utf8(text) != text:
            raise UsageError("a remark has a character in it that is not UTF-8")
        events = self.settle()
        self.take(Noted(text))
        return [*events, self._events[-1]]

    def undo(self, steps: int = 1) -> list[Event]:
        """Take the last steps back, each with what followed from it."""
        if steps < 1:
            raise UsageError("at least one step is taken back")
        trial = self.copy()
        events = trial.settle()
        event = Undone(trial._fold.last_steps(steps))
        try:
            trial.take(event)
        except DamagedLog as error:
            raise IllegalStep(error.message) from None
        self._fold, self._events = trial._fold, trial._events
        return [*events, event]

    def follow(self, events: Sequence[Event]) -> Iterator[tuple[Fold, Event]]:
        """Watch a copy of the game take events: after each one the fold, with the effects of that event."""
        fold = self._fold.copy()
        for event in events:
            fold.state.effects = []
            fold.take(event)
            yield fold, event

    def copy(self) -> Game:
        """A game of its own, like this one."""
        return Game(self._fold.copy(), self._events[:], self._chance)

    def fork(self, at: int | None = None, seed: int | None = None) -> Game:
        """A new game from the first `at` events of this one; with `seed`, other deals from there on."""
        at = len(self._events) if at is None else at
        if not 1 <= at <= len(self._events):
            raise UsageError(f"there are events 1 to {len(self._events)}, and no event {at}")
        package = self.created.engine.partition(" ")[1:]
        created = replace(self.created, engine=(VERSION + "".join(package))[:MAX_NAME_CHARACTERS].rstrip())
        if seed is not None:
            created = replace(created, chance="seeded", seed=seed)
        check_seed(created.chance, created.seed)
        forked = Game(Fold(self.rules, created), [created], Chance(created.seed))
        events: Sequence[Event] = self._events[1:at]
        if (
            created.chance != self.created.chance
        ):  # what could be taken back there can't be here: only what counts
            events = self._beginning(at).counting
        for event in events:
            forked.take(event)
        forked.settle()
        return forked

    def _beginning(self, count: int) -> Game:
        """The game as it was after its first events."""
        game = Game(Fold(self.rules, self.created), [self.created], self._chance)
        for event in self._events[1:count]:
            game.take(event)
        return game

    def take(self, event: Event) -> None:
        """Append an event as it stands, if the rules allow it; DamagedLog if not."""
        self._fold.take(event)
        self._events.append(event)

    def settle(self) -> list[Event]:
        """Append what follows by itself: arrangement and deals, the end of a round and of the game.

        A game that was played here is settled already; a log may have been cut before.
        """
        events: list[Event] = []
        fold = self._fold
        while not fold.at_rest:
            if fold.state.phase in (ARRANGE, DEAL):
                arranging = fold.state.phase == ARRANGE
                event: Event = fold.arrange(self._chance, {}) if arranging else fold.draw(self._chance)
                fold.take(event)
            else:
                event = fold.conclude()
                fold.history.append(event)
            self._events.append(event)
            events.append(event)
        return events

    # -- Keeping --

    def dumps(self) -> str:
        """The log."""
        return encode_lines(self._events).decode()

    def save(self, path: str | PathLike[str]) -> None:
        """Write the log to a new file; never overwrites one."""
        from sintra.log import (
            writing,  # files are needed by few
        )

        data = encode_lines(self._events)
        check_size(len(data))
        writing.create(path, data)


def check_seed(chance: str, seed: object) -> None:
    """A seed goes with seeded chance, and has a range."""
    if chance not in ("seeded", "system", "table"):
        raise UsageError(f"chance is seeded, system or table, not {chance!r}")
    if (chance == "seeded") != (seed is not None):
        raise UsageError("a seed goes with seeded chance, and with no other")
    if seed is not None and (type(seed) is not int or not 0 <= seed <= MAX_SEED):
        raise UsageError(f"a seed is a number from 0 to {MAX_SEED}, not {seed}")


def _checked_options(rules: RuleSet, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    try:
        return complete_options(rules, options)
    except ValueError as error:
        raise UsageError(str(error)) from None


def _checked_players(rules: RuleSet, players: int | Sequence[str]) -> tuple[str, ...]:
    named = isinstance(players, list | tuple) and all(isinstance(name, str) for name in players)
    if not named and type(players) is not int:
        raise UsageError("players are a number, or a list of names")
    count = players if isinstance(players, int) else len(players)
    if count not in rules.players:
        few, many = rules.players[0], rules.players[-1]
        raise UsageError(f"{rules.title} is for {few} to {many} players, not {count}")
    names = tuple(f"Player {n}" for n in range(1, count + 1)) if isinstance(players, int) else tuple(players)
    if len(set(names)) < len(names):
        raise UsageError("two players have the same name")
    for name in names:
        if len(name) > MAX_NAME_CHARACTERS or not name.strip():
            raise UsageError(f"a name has 1 to {MAX_NAME_CHARACTERS} characters, and not only blanks")
        if has_controls(name):
            raise UsageError(f"a name has a character in it that can't be printed: {name!r}")
    return names
