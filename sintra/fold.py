"""A fold: applies the events of a game, one by one, to its state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from msgspec.json import Decoder

from sintra.checkpoints import Checkpoints
from sintra.errors import DamagedLog, UsageError
from sintra.log.codec import line_decoder
from sintra.log.events import Choice, Created, Dealt, Ended, Event, Noted, Picked, RoundEnded, Undone
from sintra.rules.chance import Chance
from sintra.rules.created import checked
from sintra.rules.effects import Moment, happenings
from sintra.rules.offer import BadDeal
from sintra.rules.ruleset import Misfit, RuleSet
from sintra.rules.state import ARRANGE, CHOICE, DEAL, GAME_END, OVER, ROUND_END, State
from sintra.rules.steps import Step, Vocabulary
from sintra.text import plural


@cache
def vocabulary(rules: RuleSet, players: int) -> Vocabulary:
    """Return the steps of a rule-set, ready to be looked up."""
    return Vocabulary(rules.steps, players, rules.palette, rules.spellings)


@cache
def decoder_of(rules: RuleSet) -> Decoder[Event]:
    """Return the decoder for the lines of a rule-set's logs."""
    return line_decoder(rules.lines)


class Fold:
    """The state of a game, the events that led to it and still count, and what it waits for."""

    rules: RuleSet
    created: Created
    words: Vocabulary
    steps: tuple[Step, ...]
    codes: dict[str, int]
    choices: list[list[Choice]]
    """Frequent lookups, from `words`: steps by code, codes by words, events by player and code."""
    state: State
    history: list[Event]
    """The events after `created` that still count, without remarks and undo events."""
    checkpoints: Checkpoints

    def __init__(self, rules: RuleSet, created: Created, like: Fold | None = None) -> None:
        """Start a game, or copy another fold; raise DamagedLog if `created` is impossible."""
        self.rules = rules
        if like is None:
            try:
                self.created = checked(rules, created)
            except Misfit as error:
                raise DamagedLog(error.reason, field=error.field) from None
            words = vocabulary(rules, len(created.players))
            self.words = words
            self.steps, self.codes, self.choices = words.steps, words.codes_by_words, words.events
            self.state = self._beginning()
            self.history = []
            self.checkpoints = Checkpoints([(0, self.state.copy())])
        else:
            self.created = created
            self.words = like.words
            self.steps, self.codes, self.choices = like.steps, like.codes, like.choices
            self.state = like.state.copy()
            self.history = like.history[:]
            self.checkpoints = like.checkpoints.copy()

    def _beginning(self) -> State:
        """Return the state before the second event: nothing is laid out yet, or a position is."""
        created = self.created
        position = created.position
        if not isinstance(position, str):
            return self.rules.start(created.options, len(created.players))
        try:
            return self.rules.restore(created.options, len(created.players), position)
        except Misfit as error:
            reason = error.reason if error.field == "position" else str(error)
            raise DamagedLog(reason, field="position") from None
        except UsageError as error:  # the rule-set has no positions
            raise DamagedLog(str(error), field="position") from None

    def copy(self) -> Fold:
        """Return an independent, unwatched copy."""
        return Fold(self.rules, self.created, self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make it again, for pickle and deepcopy."""
        return _folded, (self.rules, self.created, self.state, self.history, self.checkpoints)

    @property
    def at_rest(self) -> bool:
        """True if a player, or a person at a real table, has to act, or the game is over."""
        phase = self.state.phase
        return (
            phase >= CHOICE or phase == OVER or (phase in (ARRANGE, DEAL) and self.created.chance == "table")
        )

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self.state.phase == OVER

    def take(self, event: Event) -> None:
        """Take one more event; raise DamagedLog, and change nothing, if the rules do not allow it here."""
        if isinstance(event, Choice):
            self._choose(event)
        elif isinstance(event, Noted):
            pass
        elif isinstance(event, Undone):
            self._undo(event.events)
        else:
            self._take_chance_or_result(event)
            self.history.append(event)
            if self.checkpoints.adding and isinstance(event, Dealt):
                self.checkpoints.add(len(self.history), self.state)

    def take_lines(self, lines: list[bytes], decode: Callable[[bytes], Event], events: list[Event]) -> None:
        """Take the lines of a log and append their events to `events`, as far as the rules allow them."""
        known = self.words.lines
        choices = self.choices
        for line in lines:
            state = self.state
            player = state.player
            code = known[player].get(line)
            if code is None:
                event = decode(line)
                self.take(event)
                events.append(event)
            else:
                choice = choices[player][code]
                if not state.allows(code):
                    raise self._refusal(choice)
                self._play(choice, code)
                events.append(choice)

    def moment(self, number: int, event: Event) -> Moment:
        """Return what the last event did to a watched state, and clear it for the next."""
        state = self.state
        effects = happenings(self.rules, state.effects) if state.effects else ()
        state.effects = []
        return Moment(number, event, effects)

    # -- Choices --

    def play(self, code: int) -> Event:
        """Take a step that is known to be legal; return its event."""
        event = self.choices[self.state.player][code]
        self._play(event, code)
        return event

    def _play(self, event: Event, code: int) -> None:
        self.state.play(code)
        self.history.append(event)
        if self.checkpoints.adding and self.checkpoints.due(len(self.history)):
            self.checkpoints.add(len(self.history), self.state)

    def _choose(self, event: Choice) -> None:
        player = self.state.player
        code = self.words.codes[player].get(event)
        if code is None or not self.state.allows(code):
            raise self._refusal(event)
        self._play(self.choices[player][code], code)

    def _refusal(self, event: Choice) -> DamagedLog:
        """Return the reason why the rules do not allow this choice here."""
        state = self.state
        if state.phase < CHOICE:
            return DamagedLog(f"{tag(event)} can't come here: {self.awaits()}")
        if not 1 <= event.player <= len(self.created.players):
            return DamagedLog(
                f"no player {event.player}: the game has {len(self.created.players)} players", field="player"
            )
        code = self.words.codes[event.player - 1].get(event)
        if code is None:
            field, reason = self.words.misfit(event)
            return DamagedLog(reason, field=field)
        if event.player != state.player + 1:
            return DamagedLog(
                f"it is player {state.player + 1}'s turn, not player {event.player}'s", field="player"
            )
        beyond = isinstance(event, Picked) and event.source > state.offer.displays
        reason = f"{self.steps[code]}: {self.rules.why_not(state, code)}"
        return DamagedLog(reason, field="source" if beyond else None)

    def awaits(self) -> str:
        """Say what the game waits for."""
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
        elif isinstance(event, (RoundEnded, Ended)) and state.phase == _RESULTS[type(event)]:
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
            raise DamagedLog(f"the next deal is round {state.round + 1}, not {event.round}", field="round")
        try:
            state.deal([[numbers[color] for color in pieces] for pieces in event.displays])
        except KeyError as error:
            raise DamagedLog(
                f"unknown color {error}; the colors are {', '.join(colors)}", field="displays"
            ) from None
        except BadDeal as error:
            raise DamagedLog(error.in_words(colors), field="displays") from None
        except Misfit as error:
            raise DamagedLog(error.reason, field=error.field) from None

    def _check_result(self, event: RoundEnded | Ended) -> None:
        """Raise DamagedLog, and change nothing, unless a result in a log is what the rules give."""
        try:
            _compare(event, self._conclude())
        except DamagedLog:
            self._rewind(len(self.history))
            raise

    # -- What happens automatically --

    def go_on(self, chance: Chance) -> Event:
        """Take whatever happens automatically: the arrangement, a deal, the end of a round or of the game."""
        phase = self.state.phase
        if phase in (ROUND_END, GAME_END):
            event: Event = self._conclude()
            self.history.append(event)
        else:
            event = self.arrange(chance, {}) if phase == ARRANGE else self.draw(chance)
            self.take(event)
        return event

    def _conclude(self) -> RoundEnded | Ended:
        """End the round, or the game; return the result."""
        state = self.state
        if state.phase == ROUND_END:
            state.end_round()
            return RoundEnded(state.round, tuple(state.scores()))
        state.finish()
        return Ended(tuple(state.scores()), tuple(player + 1 for player in state.winners()))

    def arrange(self, chance: Chance, components: Mapping[str, Any]) -> Event:
        """Return a random arrangement, with the printed values or those of `components`."""
        created = self.created
        return self.rules.arrange(created.options, len(created.players), components, chance)

    def draw(self, chance: Chance) -> Dealt:
        """Return the next deal, drawn from the current bag."""
        state = self.state
        colors = self.rules.colors
        drawn = state.offer.draw(chance.deal(state.round + 1))
        return Dealt(state.round + 1, tuple(tuple(colors[color] for color in pieces) for pieces in drawn))

    # -- Undo --

    def _undo(self, count: int) -> None:
        """Take the last events out of the game; raise DamagedLog unless it was at rest before them."""
        resting = self.at_rest
        if not resting:
            raise DamagedLog(f"undone can't come here: {self.awaits()}")
        history = self.history
        fixed = 0 if self.created.chance == "table" else 2  # the arrangement and the first deal stay
        if isinstance(self.created.position, str):
            fixed = 0  # nothing is before the position
        keep = len(history) - count
        if keep < fixed:
            room = max(len(history) - fixed, 0)
            raise DamagedLog(f"can't take back {plural(count, 'event')} here, only {room}", field="events")
        if self.created.chance == "system" and any(isinstance(event, Dealt) for event in history[keep:]):
            raise DamagedLog("draws by the system can't be taken back", field="events")
        before, checkpoints, taken = self.state, self.checkpoints.copy(), history[keep:]
        self._rewind(keep)
        if not self.at_rest:
            self.state = before
            self.checkpoints = checkpoints
            history += taken
            raise DamagedLog(
                f"taking back {count} would end between a choice and its results", field="events"
            )

    def _rewind(self, keep: int) -> None:
        """Go back to the first `keep` events of the history."""
        effects = self.state.effects
        at, self.state = self.checkpoints.back(keep)
        again = self.history[at:keep]
        del self.history[at:]
        for event in again:
            self.take(event)
        self.state.effects = effects

    def last_steps(self, steps: int) -> int:
        """Return the number of events of the last steps: choices, or what a person typed in, with results."""
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
            raise UsageError(f"can't take back {plural(steps, 'step')}; the game has {steps - left}")
        return count


def _folded(
    rules: RuleSet, created: Created, state: State, history: list[Event], checkpoints: Checkpoints
) -> Fold:
    """Rebuild a fold that was pickled or deep-copied."""
    fold = Fold(rules, created)
    fold.state, fold.history, fold.checkpoints = state, history, checkpoints
    return fold


_RESULTS = {RoundEnded: ROUND_END, Ended: GAME_END}
"""The phase in which the rules give each result."""


def tag(event: Event) -> str:
    """Return the `type` of an event's line."""
    return str(event.__struct_config__.tag)


def _compare(written: RoundEnded | Ended, computed: RoundEnded | Ended) -> None:
    """Raise DamagedLog unless the result in a log is the one that the rules give."""
    if written == computed:
        return
    for field in written.__struct_fields__:
        was, is_ = getattr(written, field), getattr(computed, field)
        if was != is_:
            raise DamagedLog(f"the log says {_listed(was)}, the rules give {_listed(is_)}", field=field)


def _listed(value: int | tuple[int, ...]) -> str:
    return str(value) if isinstance(value, int) else f"[{', '.join(map(str, value))}]"
