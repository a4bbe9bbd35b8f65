"""A game that can be played, undone, copied, forked and saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from sintra._mypyc import mypyc_attr
from sintra.errors import DamagedLog, IllegalStep, UsageError
from sintra.fold import Fold
from sintra.log.codec import decode_line, encode_line, encode_lines, line_decoder
from sintra.log.events import (
    MAX_NAME_CHARACTERS,
    MAX_NOTE_CHARACTERS,
    Created,
    Dealt,
    Event,
    Noted,
    OptionValue,
    Undone,
)
from sintra.log.lines import check_size
from sintra.rules.chance import Chance
from sintra.rules.created import create, reseeded
from sintra.rules.effects import Moment
from sintra.rules.ruleset import RuleSet
from sintra.rules.snapshot import Snapshot
from sintra.rules.state import CHOICE, DEAL, State
from sintra.rules.steps import Step
from sintra.text import plural, utf8
from sintra.version import VERSION

if TYPE_CHECKING:
    from os import PathLike

Watcher = Callable[[Fold, Moment], object]
"""Called after each event with the fold that took it, and what the event did."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Game:
    """A game that can be asked, played, undone, copied and saved.

    Make one with `sintra.new`, or read one from a log with `sintra.load` or `sintra.loads`.
    """

    def __init__(self, fold: Fold, events: list[Event], chance: Chance | None = None) -> None:
        """Continue the game of a fold that has taken these events."""
        self._fold = fold
        self._events = events
        self._chance = Chance(fold.created.seed) if chance is None else chance
        self._watcher: Watcher | None = None

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
        engine: str = "",
    ) -> Game:
        """Return a new game of a rule-set that need not be installed; see `sintra.new`."""
        return cls.start(
            rules, create(rules, players, options or {}, chance, seed, engine or VERSION), components
        )

    @classmethod
    def start(cls, rules: RuleSet, created: Created, components: Mapping[str, Any] | None = None) -> Game:
        """Return the game that begins with this event, arranged and dealt (at a real table: neither)."""
        if created.chance == "table" and components:
            raise UsageError("at a real table, give the components with the arrangement")
        fold = Fold(rules, created)
        game = cls(fold, [fold.created])
        if components:
            arranged = fold.arrange(game._chance, components)
            try:
                game.take(decode_line(line_decoder(rules.lines), encode_line(arranged), 0))
            except DamagedLog as error:
                raise UsageError(f"components: {error.field}: {error.message}") from None
        game.settle()
        return game

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
        """True if the game has ended."""
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
        """The numbers of the winners; empty before the end."""
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
        """The events after `created` that still count: without remarks, and without what was undone."""
        return tuple(self._fold.history)

    def legal(self) -> list[Step]:
        """Return the legal next steps; `str(step)` is what a person types."""
        steps = self._fold.steps
        return [steps[code] for code in self._fold.state.legal()]

    # -- Playing --

    def play(self, *steps: str | Step) -> list[Event]:
        """Play steps, in words or as `legal` gave them: all of them, or none if one is illegal.

        Return the events that were appended: the steps, and what followed from them by itself.
        """
        fold = self._fold
        if len(steps) == 1 and isinstance(steps[0], Step) and fold.state.phase >= CHOICE:
            code = fold.codes.get(steps[0].words)
            if code is not None and fold.state.allows(code):
                event = self.choose(code)
                return [event] if fold.state.phase >= CHOICE else [event, *self.settle()]
        words: list[str] = []
        for step in steps:
            words += self._words_of(step)
        if not words:
            raise UsageError("no step was given")
        trial = self if len(words) == 1 and fold.at_rest else self._trial()
        events = trial.settle()
        for said in words:
            events.append(trial.choose(trial._code(said)))
            events += trial.settle()
        self._become(trial)
        return events

    def _words_of(self, step: object) -> list[str]:
        """Return steps in full words, from what a person typed or from a step of `legal`."""
        if isinstance(step, str):
            return self._fold.words.read(step, self._fold.state.offer)
        if isinstance(step, Step):
            return [step.words]
        raise UsageError(f"a step must be text or come from `legal`, not {repr(step)[:80]}")

    def _code(self, words: str) -> int:
        """Return the code of a legal step; raise IllegalStep if it is not legal here."""
        fold = self._fold
        state = fold.state
        try:
            code = fold.codes[self.rules.resolve(state, words)]
            if not state.allows(code):
                raise ValueError(self.rules.why_not(state, code) if state.phase >= CHOICE else fold.awaits())
        except KeyError:
            raise UsageError(f"{words!r} is not a step of {self.rules.title}") from None
        except ValueError as error:
            legal = [str(step) for step in self.legal()]
            raise IllegalStep(f"{words}: {error}", legal, len(self._events) + 1) from None
        return code

    def choose(self, code: int) -> Event:
        """Append the step of this code, which has to be legal, without what follows from it; see `settle`."""
        event = self._fold.play(code)
        self._append(event)
        return event

    def record(self, event: Event) -> list[Event]:
        """At a real table: append what was arranged or dealt; raise IllegalStep if it is impossible."""
        if self.created.chance != "table" or not isinstance(event, (Dealt, self.rules.arranged)):
            raise UsageError("only games at a real table take typed draws")
        trial = self._trial()
        events = [*trial.settle(), event]
        try:
            if not isinstance(event, Dealt):  # a deal is checked piece by piece; this, like a line of a log
                decode_line(line_decoder(self.rules.lines), encode_line(event), 0)
            trial.take(event)
        except DamagedLog as error:
            error.line = None
            raise IllegalStep(str(error)) from None
        events += trial.settle()
        self._become(trial)
        return events

    def note(self, text: str) -> list[Event]:
        """Append a remark; it changes nothing."""
        if not 0 < len(text) <= MAX_NOTE_CHARACTERS:
            raise UsageError(f"a remark must have 1 to {MAX_NOTE_CHARACTERS} characters")
        if utf8(text) != text:
            raise UsageError("the remark is not valid UTF-8")
        events = self.settle()
        self.take(Noted(text))
        return [*events, self._events[-1]]

    def undo(self, steps: int = 1) -> list[Event]:
        """Take back the last steps, each with what followed from it."""
        if steps < 1:
            raise UsageError("the number of steps to undo must be at least 1")
        trial = self._trial()
        events = trial.settle()
        event = Undone(trial._fold.last_steps(steps))
        try:
            trial.take(event)
        except DamagedLog as error:
            raise IllegalStep(error.message) from None
        self._become(trial)
        return [*events, event]

    def take(self, event: Event) -> None:
        """Append an event as it stands; raise DamagedLog if the rules do not allow it here."""
        self._fold.take(event)
        self._append(event)

    def settle(self, rounds: int | None = None) -> list[Event]:
        """Append what follows by itself: arrangement and deals, the end of a round and of the game.

        No round after `rounds` is dealt, if that is given. A game that was played here is settled; a log may
        have been cut before what follows.
        """
        events: list[Event] = []
        fold = self._fold
        while not fold.at_rest:
            if rounds is not None and fold.state.phase == DEAL and fold.state.round >= rounds:
                break
            event = fold.go_on(self._chance)
            self._append(event)
            events.append(event)
        return events

    def _append(self, event: Event) -> None:
        self._events.append(event)
        if self._watcher is not None:
            self._watcher(self._fold, self._fold.moment(len(self._events), event))

    # -- Watching and copying --

    def watch(self, watcher: Watcher | None) -> None:
        """Call `watcher` after each event from now on, also if a later step of the same call is refused."""
        self._watcher = watcher
        self._fold.state.effects = None if watcher is None else []

    def copy(self) -> Game:
        """Return an independent, unwatched copy."""
        return Game(self._fold.copy(), self._events[:], self._chance)

    def _trial(self) -> Game:
        """Return a copy with the same watcher, to be kept if all goes well."""
        trial = self.copy()
        trial.watch(self._watcher)
        return trial

    def _become(self, trial: Game) -> None:
        self._fold, self._events = trial._fold, trial._events

    def fork(self, at: int | None = None, seed: int | None = None) -> Game:
        """Return a new game from the first `at` events of this one; with `seed`, later deals are new."""
        at = len(self._events) if at is None else at
        if not 1 <= at <= len(self._events):
            raise UsageError(f"no event {at}: the log has {plural(len(self._events), 'event')}")
        package = self.created.engine.partition(" ")[1:]
        created = replace(self.created, engine=(VERSION + "".join(package))[:MAX_NAME_CHARACTERS].rstrip())
        events: Sequence[Event] = self._events[1:at]
        if seed is not None:
            created = reseeded(self.rules, created, seed)
            if self.created.chance != "seeded":  # what could be undone there can't be here: only what counts
                events = self._first(at).counting
        forked = Game(Fold(self.rules, created), [created])
        for event in events:
            forked.take(event)
        forked.settle()
        return forked

    def _first(self, count: int) -> Game:
        """Return the game as it was after its first events."""
        game = Game(Fold(self.rules, self.created), [self.created])
        for event in self._events[1:count]:
            game.take(event)
        return game

    # -- Saving --

    def dumps(self) -> str:
        """Return the log as text."""
        return encode_lines(self._events).decode()

    def save(self, path: str | PathLike[str]) -> None:
        """Write the log to a new file; never overwrite one."""
        from sintra.log import writing  # few games are saved

        data = encode_lines(self._events)
        check_size(len(data))
        writing.create(path, data)
