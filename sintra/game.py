"""A game: events folded into a state, and a state advanced by events.

`Fold` takes events one by one and refuses what the rules do not allow; everything that reads a log
goes through it. `Game` adds the events themselves and the chance that goes on with them: it plays,
takes back, copies and forks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from sintra.chance import Chance
from sintra.errors import DamagedLog, IllegalStep, UsageError
from sintra.events import (
    FORMAT,
    MAX_NAME,
    MAX_NOTE,
    MAX_SEED,
    Choice,
    Created,
    Dealt,
    Ended,
    Event,
    Noted,
    OptionValue,
    Picked,
    RoundEnded,
    Undone,
    decode_line,
    encode_line,
    encode_lines,
    line_decoder,
)
from sintra.native import mypyc_attr
from sintra.offer import BadDeal
from sintra.rules import ARRANGE, CHOICE, DEAL, GAME_END, OVER, ROUND_END, Misfit, RuleSet, State
from sintra.steps import Step, Vocabulary
from sintra.values import Table
from sintra.version import VERSION
from sintra.words import has_controls, plural, told, utf8

if TYPE_CHECKING:
    from os import PathLike


@cache
def vocabulary(rules: RuleSet, players: int) -> Vocabulary:
    """The steps of a rule-set, ready to be looked up."""
    return Vocabulary(rules.steps, players, rules.colors, rules.spellings)


def complete_options(rules: RuleSet, given: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """All options of a rule-set, with the defaults for those not given; ValueError for what it has not."""
    for name in given:
        if name not in {option.name for option in rules.options}:
            known = ", ".join(option.name for option in rules.options) or "none"
            raise ValueError(f"{rules.name} has no option {name[:80]!r}; it has: {known}")
    options: dict[str, OptionValue] = {}
    for option in rules.options:
        value = given.get(option.name, option.default)
        if not any(value == known and type(value) is type(known) for known in option.values):
            values = ", ".join(told(known) for known in option.values)
            raise ValueError(f"{option.name} can't be {told(value)[:80] or 'empty'}; it may be: {values}")
        options[option.name] = value
    return options


def _checked(rules: RuleSet, created: Created) -> Created:
    """The first event, with its options in the rule-set's order; DamagedLog if there is no such game."""
    if len(created.players) not in rules.players:
        raise DamagedLog(f"{rules.title} is not for {len(created.players)} players", field="players")
    try:
        complete = complete_options(rules, created.options)
    except ValueError as error:
        raise DamagedLog(str(error), field="options") from None
    if complete.keys() != created.options.keys():
        missing = ", ".join(sorted(complete.keys() - created.options.keys()))
        raise DamagedLog(f"all options are written; missing: {missing}", field="options")
    return created if list(complete) == list(created.options) else replace(created, options=complete)


NEAR = 16
"""So many choices after the last one, a state is marked: taking a step back never costs a whole round."""


class Fold:
    """A state, the events that led to it and still count, and what may come next."""

    rules: RuleSet
    created: Created
    words: Vocabulary
    state: State
    history: list[Event]
    """The events after `created` that still count; remarks and undoing do not."""
    _marks: list[tuple[int, State]]
    """Positions in the history with the state there, to go back to."""
    _marking: bool
    """Whether more than the beginning is marked: since something was first taken back, which is rare."""

    def __init__(self, rules: RuleSet, created: Created, like: Fold | None = None) -> None:
        """The beginning of a game; or a fold like another."""
        self.rules = rules
        if like is None:
            self.created = _checked(rules, created)
            self.words = vocabulary(rules, len(created.players))
            self.state = rules.start(created.options, len(created.players))
            self.history = []
            self._marks = [(0, self.state.copy())]
            self._marking = False
        else:
            self.created = created
            self.words = like.words
            self.state = like.state.copy()
            self.history = like.history[:]
            self._marks = like._marks[:]
            self._marking = like._marking

    def copy(self) -> Fold:
        """A fold of its own, like this one."""
        return Fold(self.rules, self.created, self)

    @property
    def at_rest(self) -> bool:
        """Whether nothing follows by itself: a player, or a person at a real table, has to act."""
        phase = self.state.phase
        return (
            phase >= CHOICE or phase == OVER or (phase in (ARRANGE, DEAL) and self.created.chance == "table")
        )

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.phase == OVER

    def take(self, event: Event) -> None:
        """Take one more event; DamagedLog if the rules do not allow it here."""
        if isinstance(event, Choice):
            player = self.state.player
            code = self.words.codes[player].get(event)
            self._choose(event if code is None else self.words.events[player][code], code)
        elif isinstance(event, Noted):
            pass
        elif isinstance(event, Undone):
            self._undo(event.events)
        else:
            self._take_chance_or_result(event)
            self.history.append(event)
            if self._marking and isinstance(event, Dealt):
                self._mark()

    def _choose(self, event: Choice, code: int | None) -> None:
        """Take a choice of the player whose turn it is, by its code; None stands for any other."""
        if code is None or not self.state.allows(code):
            raise self._refusal(event)
        self._played(event, code)

    def _played(self, event: Event, code: int) -> None:
        self.state.play(code)
        self.history.append(event)
        if self._marking and len(self.history) - self._marks[-1][0] >= NEAR:
            self._mark()

    def take_lines(self, lines: list[bytes], decode: Callable[[bytes], Event], events: list[Event]) -> None:
        """Take the lines of a log, and add their events to `events`: that tells how far it came, too."""
        known = self.words.lines
        for line in lines:
            found = known.get(line)
            if found is None:
                event = decode(line)
                self.take(event)
                events.append(event)
            else:
                choice, code = found
                self._choose(choice, code if choice.player == self.state.player + 1 else None)
                events.append(choice)

    # -- Choices --

    def play(self, code: int) -> Event:
        """Take a step that is known to be legal, as an event."""
        event = self.words.events[self.state.player][code]
        self._played(event, code)
        return event

    def _refusal(self, event: Choice) -> DamagedLog:
        """Why the rules do not allow this choice here."""
        state = self.state
        if state.phase < CHOICE:
            return DamagedLog(f"{tag(event)} can't come here: {self.awaits()}")
        if not 1 <= event.player <= len(self.created.players):
            return DamagedLog(f"there is no player {event.player}", field="player")
        code = self.words.codes[event.player - 1].get(event)
        if code is None:
            field, reason = self.words.misfit(event)
            return DamagedLog(reason, field=field)
        if event.player != state.player + 1:
            return DamagedLog(
                f"it is player {state.player + 1}'s turn, not player {event.player}'s", field="player"
            )
        beyond = isinstance(event, Picked) and event.source > state.offer.displays
        reason = f"{self.words.steps[code]}: {state.why_not(code)}"
        return DamagedLog(reason, field="source" if beyond else None)

    def awaits(self) -> str:
        """What the game waits for, in words."""
        state = self.state
        if state.phase >= CHOICE:
            return f"player {state.player + 1} has to choose"
        return {
            ARRANGE: "the table is not arranged yet",
            DEAL: f"round {state.round + 1} has to be dealt first",
            ROUND_END: f"round {state.round} has ended, and `round_ended` comes first",
            GAME_END: "the last round has ended, and `ended` comes first",
            OVER: "the game is over",
        }[state.phase]

    # -- Chance and results --

    def _take_chance_or_result(self, event: Event) -> None:
        state = self.state
        if isinstance(event, Dealt) and state.phase == DEAL:
            self._deal(event)
        elif isinstance(event, RoundEnded | Ended) and state.phase == _RESULTS[type(event)]:
            self._check_result(event)
        elif isinstance(event, self.rules.arranged) and state.phase == ARRANGE:
            try:
                state.arrange(event)
            except Misfit as error:
                raise DamagedLog(error.reason, field=error.field) from None
        else:
            raise DamagedLog(f"{tag(event)} can't come here: {self.awaits()}")

    def _deal(self, event: Dealt) -> None:
        state = self.state
        colors = self.rules.colors
        numbers = self.words.colors
        if event.round != state.round + 1:
            raise DamagedLog(f"round {state.round + 1} is dealt now, not round {event.round}", field="round")
        try:
            state.deal([[numbers[color] for color in pieces] for pieces in event.displays])
        except KeyError as error:
            raise DamagedLog(f"{error} is none of {', '.join(colors)}", field="displays") from None
        except BadDeal as error:
            raise DamagedLog(error.told(colors), field="displays") from None
        except Misfit as error:
            raise DamagedLog(error.reason, field=error.field) from None

    def _check_result(self, event: RoundEnded | Ended) -> None:
        """A result in a log must be what the rules give; if not, nothing has changed."""
        try:
            _compare(event, self.conclude())
        except DamagedLog:
            effects = self.state.effects
            self._rewind(len(self.history))
            self.state.effects = effects
            raise

    def conclude(self) -> RoundEnded | Ended:
        """What follows by itself from the last choice: the end of the round, or of the game."""
        state = self.state
        if state.phase == ROUND_END:
            state.end_round()
            return RoundEnded(state.round, tuple(state.scores()))
        state.finish()
        return Ended(tuple(state.scores()), tuple(player + 1 for player in state.winners()))

    def arrange(self, chance: Chance, components: Mapping[str, Any]) -> Event:
        """The table laid out by chance, with the printed values or those of `components`."""
        created = self.created
        return self.rules.arrange(created.options, len(created.players), components, chance)

    def draw(self, chance: Chance) -> Dealt:
        """The next deal, drawn from the bag as it is."""
        state = self.state
        colors = self.rules.colors
        drawn = state.offer.draw(chance.stream(f"displays {state.round + 1}"))
        return Dealt(state.round + 1, tuple(tuple(colors[color] for color in pieces) for pieces in drawn))

    # -- Undo --

    def _undo(self, count: int) -> None:
        """Take the last events out of the game, back to where it was at rest."""
        resting = self.at_rest
        if not resting:
            raise DamagedLog(f"undone can't come here: {self.awaits()}")
        keep = len(self.history) - count
        if keep < self._fixed():
            room = len(self.history) - self._fixed()
            raise DamagedLog(f"{count} events can't be taken back here, {max(room, 0)} can", field="events")
        if self.created.chance == "system" and any(isinstance(event, Dealt) for event in self.history[keep:]):
            raise DamagedLog("what the system drew can't be taken back", field="events")
        before, marks = self.state, self._marks[:]
        while self._marks[-1][0] > keep:
            self._marks.pop()
        at = self._marks[-1][0]
        taken = self.history[at:]
        self._rewind(keep)
        self.state.effects = before.effects
        if not self.at_rest:
            self.state = before
            self.history[at:] = taken
            self._marks = marks
            raise DamagedLog(
                "that many taken back would end between a choice and its results", field="events"
            )

    def _fixed(self) -> int:
        """How many events of the history nobody can take back: the arrangement and the first deal."""
        return 0 if self.created.chance == "table" else 2

    def _mark(self) -> None:
        """Remember the state here; of marks far back, forget so many that few are left.

        The gap that one leaves is never more than a part of the way back to it, so that going back costs in
        proportion to what is taken back, however long a game is.
        """
        marks, end = self._marks, len(self.history)
        marks.append((end, self.state.copy()))
        for at in range(len(marks) - 2, 0, -1):
            if 4 * (marks[at + 1][0] - marks[at - 1][0]) <= end - marks[at + 1][0]:
                del marks[at]

    def _rewind(self, keep: int) -> None:
        """Go back to where the history had so many events, not before the last mark."""
        at, state = self._marks[-1]
        again = self.history[at:keep]
        self._marking = True
        self.state = state.copy()
        del self.history[at:]
        for event in again:
            self.take(event)

    def last_steps(self, steps: int) -> int:
        """How many events the last steps are: each a choice, or what a person typed in, with its results."""
        typed: tuple[type[Event], ...] = (Choice,)
        if self.created.chance == "table":
            typed = (Choice, Dealt, self.rules.arranged)
        count = 0
        left = steps
        for event in reversed(self.history):
            if left == 0:
                break
            count += 1
            if isinstance(event, typed):
                left -= 1
        if left:
            raise UsageError(f"{plural(steps, 'step')} can't be taken back; the game has {steps - left}")
        return count


_RESULTS = {RoundEnded: ROUND_END, Ended: GAME_END}
"""When the rules give a result."""


def tag(event: Event) -> str:
    """The `type` of an event's line."""
    return str(event.__struct_config__.tag)


def _compare(written: RoundEnded | Ended, computed: RoundEnded | Ended) -> None:
    """A result in a log must be what the rules give."""
    for field in written.__struct_fields__:
        was, is_ = getattr(written, field), getattr(computed, field)
        if was != is_:
            raise DamagedLog(f"the log says {_listed(was)}, the rules give {_listed(is_)}", field=field)


def _listed(value: int | tuple[int, ...]) -> str:
    return str(value) if isinstance(value, int) else f"[{', '.join(map(str, value))}]"


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
    def state(self) -> Table:
        """The whole table as an immutable value, in words."""
        return self._fold.state.value()

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
            return self._fold.words.read(step)
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
            code = fold.words.codes_by_words[state.resolve(said)]
            if not state.allows(code):
                raise ValueError(state.why_not(code) if state.phase >= CHOICE else fold.awaits())
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
        if not 0 < len(text) <= MAX_NOTE:
            raise UsageError(f"a remark has 1 to {MAX_NOTE} characters")
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
        created = replace(self.created, engine=(VERSION + "".join(package))[:MAX_NAME].rstrip())
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
        from sintra import log  # files are needed by few

        data = encode_lines(self._events)
        log.check_size(len(data))
        log.create(path, data)


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
        if len(name) > MAX_NAME or not name.strip():
            raise UsageError(f"a name has 1 to {MAX_NAME} characters, and not only blanks")
        if has_controls(name):
            raise UsageError(f"a name has a character in it that can't be printed: {name!r}")
    return names
