"""fold"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from sintra.errors import DamagedLog, UsageError
from sintra.log.events import (
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
)
from sintra.rules.chance import Chance
from sintra.rules.offer import BadDeal
from sintra.rules.ruleset import Misfit, RuleSet
from sintra.rules.state import ARRANGE, CHOICE, DEAL, GAME_END, OVER, ROUND_END, State
from sintra.rules.steps import Vocabulary
from sintra.text import plural, spelled

if TYPE_CHECKING:
    pass


@cache
def vocabulary(rules: RuleSet, players: int) -> Vocabulary:
    """The steps of a rule-set, ready to be looked up."""
    return Vocabulary(rules.steps, players, rules.palette, rules.spellings)


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
            values = ", ".join(spelled(known) for known in option.values)
            raise ValueError(f"{option.name} can't be {spelled(value)[:80] or 'empty'}; it may be: {values}")
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
        reason = f"{self.words.steps[code]}: {self.rules.why_not(state, code)}"
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
            raise DamagedLog(error.in_words(colors), field="displays") from None
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
