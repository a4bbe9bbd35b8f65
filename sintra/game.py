"""A game that can be played, undone, copied, forked and saved."""

from __future__ import annotations

from _thread import RLock
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from sintra._mypyc import mypyc_attr
from sintra.errors import DamagedLog, IllegalStep, UsageError
from sintra.fold import Fold, decoder_of
from sintra.log.codec import as_read, decode_created, encode_lines
from sintra.log.events import (
    MAX_NAME_CHARACTERS,
    MAX_NOTE_CHARACTERS,
    Created,
    Dealt,
    Event,
    Noted,
    OptionValue,
    Undone,
    seed_remark,
)
from sintra.log.lines import check_size
from sintra.rules.chance import Chance
from sintra.rules.created import create, reseeded
from sintra.rules.effects import Moment
from sintra.rules.ruleset import RuleSet
from sintra.rules.snapshot import Snapshot
from sintra.rules.state import CHOICE, DEAL, State
from sintra.rules.steps import Step
from sintra.text import plural, typed, utf8
from sintra.version import VERSION

if TYPE_CHECKING:
    from os import PathLike

Watcher = Callable[[Fold, Moment], object]
"""Called after each event, with the fold that took it and the moment."""


_OWN = ("_fold", "_events", "_chance", "_watcher", "_lock")
"""The attributes of a game; any others belong to a subclass."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Game:
    """A game: play it, take steps back, copy it, save it.

    Make one with `sintra.new`, or read one from a log with `sintra.load` or `sintra.loads`.
    Threads can share a game: every call is atomic.
    """

    def __init__(self, fold: Fold, events: list[Event], chance: Chance | None = None) -> None:
        """Continue from a fold that has taken these events."""
        self._fold = fold
        self._events = events
        self._chance = Chance(fold.created.seed) if chance is None else chance
        self._watcher: Watcher | None = None
        self._lock: Any = RLock()

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
        """Return the game that starts with this event, arranged and dealt (at a real table: neither)."""
        try:
            created = as_read(created, decode_created)
        except DamagedLog as error:
            raise UsageError(f"{error.field or 'created'}: {error.message}") from None
        if created.chance == "table" and components:
            raise UsageError("at a real table, give the components with the arrangement")
        fold = Fold(rules, created)
        game = cls(fold, [fold.created])
        if components:
            arranged = fold.arrange(game._chance, components)
            try:
                game.take(arranged)
            except DamagedLog as error:
                raise UsageError(f"components: {error.field}: {error.message}") from None
        game.settle()
        return game

    def __repr__(self) -> str:
        who = ", ".join(map(repr, self.players))
        return f"<Game {self.rules.name}: {who}; round {self.round}; scores {self.scores}; {self.awaits}>"

    @property
    def fold(self) -> Fold:
        """The fold behind the game, for drawing it."""
        return self._fold

    def _repr_svg_(self) -> str:
        """Return the table as a picture, as notebooks show it."""
        pictures: Any = import_module("sintra.view.svg")  # imported by name: pictures are in a higher layer
        return str(pictures.drawn(self._fold))

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
        """The number of the player to move, from 1; None if nobody has to choose."""
        state = self._fold.state
        return state.player + 1 if state.phase >= CHOICE else None

    @property
    def round(self) -> int:
        """The number of the round."""
        return self._fold.state.round

    @property
    def begins_turn(self) -> bool:
        """True if the next choice starts a turn."""
        return self._fold.state.phase == CHOICE

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
        with self._lock:
            return self.rules.snapshot(self._fold.state)

    @property
    def live(self) -> State:
        """A copy of the state, in small integers, for programs that search or learn."""
        with self._lock:
            return self._fold.state.copy()

    @property
    def events(self) -> tuple[Event, ...]:
        """The events, as in the log."""
        return tuple(self._events)

    @property
    def counting(self) -> tuple[Event, ...]:
        """The events after `created` that still count: no remarks, and nothing that was undone."""
        return tuple(self._fold.history)

    def legal(self) -> list[Step]:
        """Return the legal next steps; `str(step)` is the step as typed."""
        with self._lock:
            steps = self._fold.steps
            return [steps[code] for code in self._fold.state.legal()]

    # -- Playing --

    def play(self, *steps: str | Step) -> list[Event]:
        """Play steps, given as text or as returned by `legal`: all of them, or none if one is illegal.

        Return the appended events: the steps, and everything that followed from them.
        """
        with self._lock:
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
        """Return steps in full words, from typed text or from a step of `legal`."""
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

    def code_of(self, text: str) -> int:
        """Return the code of a legal step in words; raise IllegalStep or UsageError for anything else."""
        code = self._fold.codes.get(text, -1)
        if code >= 0 and self._fold.state.phase >= CHOICE and self._fold.state.allows(code):
            return code
        words = self._words_of(text)
        if len(words) != 1:
            raise UsageError(f"expected one step, not {len(words)}")
        return self._code(words[0])

    def choose(self, code: int) -> Event:
        """Append the step with this code, which must be legal, but not what follows from it; see `settle`."""
        with self._lock:
            event = self._fold.play(code)
            self._append(event)
            return event

    def record(self, event: Event) -> list[Event]:
        """At a real table: append what was arranged or dealt; raise IllegalStep if it is impossible."""
        with self._lock:
            if self.created.chance != "table" or not isinstance(event, (Dealt, self.rules.arranged)):
                raise UsageError("only games at a real table take typed draws")
            trial = self._trial()
            events = trial.settle()
            try:
                trial.take(event)
            except DamagedLog as error:
                raise IllegalStep(str(error)) from None
            events = [*events, trial._events[-1], *trial.settle()]
            self._become(trial)
            return events

    def note(self, text: str) -> list[Event]:
        """Append a remark; it does not affect the game."""
        typed(text, str)
        with self._lock:
            if not 0 < len(text) <= MAX_NOTE_CHARACTERS:
                raise UsageError(f"a remark must have 1 to {MAX_NOTE_CHARACTERS} characters")
            if utf8(text) != text:
                raise UsageError("the remark is not valid UTF-8")
            events = self.settle()
            self.take(Noted(text))
            return [*events, self._events[-1]]

    def undo(self, steps: int = 1) -> list[Event]:
        """Take back the last steps, and everything that followed from them."""
        typed(steps, int)
        with self._lock:
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
        """Append an event; raise DamagedLog if it is invalid, or the rules do not allow it here."""
        with self._lock:
            self._take(as_read(event, decoder_of(self.rules).decode))

    def _take(self, event: Event) -> None:
        """Append an event that a log may have."""
        self._fold.take(event)
        self._append(event)

    def settle(self, rounds: int | None = None) -> list[Event]:
        """Append whatever happens automatically: arrangement and deals, the end of a round and of the game.

        If `rounds` is given, no later round is dealt. Games played with `play` are always settled; a log
        may have been cut before these events.
        """
        typed(rounds, int, None)
        with self._lock:
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
        """Call `watcher` after each event from now on, even if a later step of the same call is refused."""
        self._watcher = watcher
        self._fold.state.effects = None if watcher is None else []

    def copy(self) -> Game:
        """Return an independent, unwatched copy."""
        with self._lock:
            return self._like_this(self._fold.copy(), self._events[:], self._chance)

    def __copy__(self) -> Game:
        """Return an independent, unwatched copy."""
        return self.copy()

    def _like_this(self, fold: Fold, events: list[Event], chance: Chance | None = None) -> Game:
        """Return a game of the same class, with the attributes that a subclass has beyond a game's."""
        made: Game = _made(type(self), fold, events, chance, self._others())
        return made

    def _others(self) -> list[tuple[str, Any]]:
        """Return the attributes that a subclass has beyond a game's."""
        found: dict[str, Any] = getattr(self, "__dict__", {})
        return [(name, found[name]) for name in found if name not in _OWN]

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make it again, unwatched, for pickle and deepcopy."""
        given = (type(self), self._fold.copy(), self._events[:], self._chance, self._others())
        return _made, given

    def _trial(self) -> Game:
        """Return a copy with the same watcher, which replaces the game if all goes well."""
        trial = self.copy()
        trial.watch(self._watcher)
        return trial

    def _become(self, trial: Game) -> None:
        self._fold, self._events = trial._fold, trial._events

    def fork(self, at: int | None = None, seed: int | None = None) -> Game:
        """Return a new game from the first `at` events of this one; with `seed`, later deals differ.

        In that case, a remark says from which event on the new seed counts.
        """
        typed(at, int, None)
        typed(seed, int, None)
        at = len(self._events) if at is None else at
        if not 1 <= at <= len(self._events):
            raise UsageError(f"no event {at}: the log has {plural(len(self._events), 'event')}")
        package = self.created.engine.partition(" ")[1:]
        created = replace(self.created, engine=(VERSION + "".join(package))[:MAX_NAME_CHARACTERS].rstrip())
        events: Sequence[Event] = self._events[1:at]
        if seed is not None:
            created = reseeded(self.rules, created, seed)
            if self.created.chance != "seeded":  # under a seed, not all can be undone
                events = self._first(at).counting
        forked = self._like_this(Fold(self.rules, created), [created])
        for event in events:
            forked._take(event)
        if len(events) and (seed is not None or self._seed_counts_after(at)):
            forked._take(seed_remark(len(forked._events) + 2))
        forked.settle()
        return forked

    def _seed_counts_after(self, at: int) -> bool:
        """Return True if the seed of this log only counts from an event after `at`."""
        numbers = range(at + 1, len(self._events) + 1)
        return any(self._events[number - 1] == seed_remark(number + 1) for number in numbers)

    def _first(self, count: int) -> Game:
        """Return the game as it was after its first events."""
        game = Game(Fold(self.rules, self.created), [self.created])
        for event in self._events[1:count]:
            game._take(event)
        return game

    # -- Saving --

    def dumps(self) -> str:
        """Return the log as text."""
        return encode_lines(self._events).decode()

    def save(self, path: str | PathLike[str]) -> None:
        """Write the log to a new file; never overwrite an existing one."""
        from sintra.log import writing  # imported late: few games are saved

        data = encode_lines(self._events)
        check_size(len(data))
        writing.create(path, data)


def _made(
    cls: Any, fold: Fold, events: list[Event], chance: Chance | None, others: list[tuple[str, Any]]
) -> Any:
    """Return a game of this class, without calling its `__init__`."""
    made = cls.__new__(cls, fold, events, chance)  # in the compiled build, this sets all attributes
    Game.__init__(made, fold, events, chance)
    for name, value in others:
        setattr(made, name, value)
    return made
