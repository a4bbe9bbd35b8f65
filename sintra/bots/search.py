"""The search behind `strong`: alpha-beta within a round, by iterative deepening, with estimates at its
leaves.

A move is a whole turn (`State.turns`); positions that recur are looked up. The deal between rounds is
unpredictable: there, and where the search is cut off, the position is estimated; where the game ends, the
real result counts. With more than two players, all others count as one side (paranoid search) that tries to
minimize the searching player's lead over their mean. Values are in hundredths of a point, from the point of
view of the searching player.

    search = searching(state)                  # sintra.bots.strong: with the weights for the state's board
    lines = search.run(state, 20_000)          # all turns, best first; the first one's value is exact
    lines = search.run(state, 20_000, 1000)    # the same, with exact values for all of them
    steps_of(lines[0].turn)                    # the codes of a turn's steps
    search.depth, search.nodes, search.complete

`run` also works in the middle of a turn, on the rest of it. With a limit of nodes, everything is
deterministic: the same position and number of nodes give the same values anywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sintra._mypyc import i64, mypyc_attr
from sintra.rules.estimates import Estimate
from sintra.rules.state import CHOICE, GAME_END, OVER, ROUND_END, State

STEP: Final = 0xFFFFF
"""The bits of a step in a turn: see `State.turns`."""
STEP_BITS: Final = 20
INFINITE: Final = 1000000000
WIN: Final = 1000
"""The value of winning, besides the points."""
VICTORY: Final = 100000000
TABLE: Final = 65535
"""Size of the transposition table, less 1: a mask."""
HISTORY: Final = 2048
FAMOUS: Final = 131071
"""The highest history score of a turn."""
PLACE_BITS: Final = 12
PLACE: Final = 4095
DEEPEST: Final = 60
LATE_DEPTH: Final = 3
WHOLE: Final = 99
"""The depth of a search that was not cut off anywhere."""
CLOCK: Final = 31
"""The clock is read every 32 nodes: interpreted, 128 nodes can take 15 ms."""

# What a stored value means
EXACT: Final = 0
AT_LEAST: Final = 1
AT_MOST: Final = 2


@mypyc_attr(acyclic=True)
class Entry:
    """An entry of the transposition table."""

    key: i64 = 0
    age: i64 = 0
    depth: i64 = 0
    value: i64 = 0
    bound: i64 = 0
    turn: i64 = 0


class Line:
    """A turn that was searched, with its value."""

    turn: i64
    value: i64

    def __init__(self, turn: i64, value: i64) -> None:
        self.turn = turn
        self.value = value


def steps_of(turn: i64) -> list[int]:
    """Return the codes of a turn's steps."""
    steps: list[int] = []
    while turn:
        steps.append((turn & STEP) - 1)
        turn >>= STEP_BITS
    return steps


def play_turn(state: State, turn: i64) -> None:
    """Play all steps of a turn."""
    while turn:
        state.play((turn & STEP) - 1)
        turn >>= STEP_BITS


def slot_of(turn: i64) -> i64:
    """Return the index of a turn's history."""
    return ((turn & 63) << 5 | turn >> 20 & 31) ^ (turn >> 40 & 7) * 37


class Search:
    """A search with its tables; it can be reused, and forgets everything between searches."""

    estimate: Estimate
    late: i64
    me: i64
    nodes: i64
    limit: i64
    depth: i64
    """The depth that was searched completely."""
    complete: bool
    """True if every line was followed to the end of the round."""
    _cut: bool
    _stopped: bool
    _age: i64
    _states: list[State]
    _table: list[Entry]
    _history: list[int]
    _killers: list[int]
    _clock: Callable[[], float] | None
    _deadline: float

    def __init__(self, weights: list[int]) -> None:
        """Prepare a search with learned weights; with none, positions are compared by `worth`."""
        self.estimate = Estimate(weights)
        self.late = 4
        self.me = 0
        self.nodes = 0
        self.limit = 0
        self.depth = 0
        self.complete = False
        self._cut = False
        self._stopped = False
        self._age = 0
        self._states = []
        self._table = [Entry() for _ in range(TABLE + 1)]
        self._history = [0] * HISTORY
        self._killers = []
        self._clock = None
        self._deadline = 0.0

    # -- The root --

    def run(
        self,
        state: State,
        nodes: int,
        lines: int = 1,
        clock: Callable[[], float] | None = None,
        seconds: float = 0.0,
        deepest: int = DEEPEST,
    ) -> list[Line]:
        """Return all turns, best first; the values of the first `lines` are exact for their depth.

        The search ends after this many nodes, after this many seconds if a clock is given, or when every line
        has reached the end of the round.
        """
        self._begin(state, nodes, clock, seconds)
        found = [Line(turn, 0) for turn in state.turns()]
        depth: i64 = 1
        while depth <= deepest:
            self._cut = False
            if not self._deepen(found, depth, lines):
                break
            self.depth = depth
            self.complete = not self._cut
            if self.complete or (len(found) == 1 and lines == 1):
                break
            depth += 1
        return found

    def _begin(self, state: State, nodes: i64, clock: Callable[[], float] | None, seconds: float) -> None:
        self.me = state.player
        self.nodes = 0
        self.limit = nodes
        self.depth = 0
        self.complete = False
        self._stopped = False
        self._age += 1
        self._clock = clock
        if clock is not None:
            self._deadline = clock() + seconds
        self._states = [state.copy()]
        self._history = [0] * HISTORY
        self._killers = [0] * (2 * DEEPEST + 4)

    def _deepen(self, found: list[Line], depth: i64, lines: int) -> bool:
        """Search all turns to a depth, and sort them; return True if there was enough time.

        Turns outside the best so far are only proved to be no better. If several lines are wanted, a depth
        that was not completed is discarded: all values are from the same depth.
        """
        best: list[int] = []
        """The highest values, ascending, as many as there are lines."""
        values: list[int] = []
        done = 0
        for line in found:
            alpha = -INFINITE if len(best) < lines else best[0]
            value = self._try(0, line.turn, depth, alpha, INFINITE, -1 if done < lines else 0)
            if self._stopped:
                break
            values.append(value if value > alpha else alpha - done - 1)
            if value > alpha:
                best.append(value)
                best.sort()
                best = best[-lines:]
            done += 1
        if self._stopped and lines > 1 and depth > 1:
            return False
        searched = found[:done]
        for line, new in zip(searched, values, strict=True):
            line.value = new
        searched.sort(key=_value, reverse=True)
        found[:done] = searched
        return not self._stopped

    # -- The tree --

    def _state(self, ply: i64) -> State:
        while len(self._states) <= ply:
            self._states.append(self._states[0].copy())
        return self._states[ply]

    def _try(self, ply: i64, turn: i64, depth: i64, alpha: i64, beta: i64, less: i64) -> i64:
        """Return the value of a turn to the side that plays it.

        If `less` is not negative, a search that much shallower first checks if the turn beats `alpha` at all.
        """
        state = self._states[ply]
        child = self._state(ply + 1)
        child.become(state)
        play_turn(child, turn)
        self.nodes += 1
        if self.nodes >= self.limit or (self.nodes & CLOCK == 0 and self._late()):
            self._stopped = True
            return 0
        mine = state.player == self.me
        if child.phase < CHOICE or depth <= 1:
            value = self._leaf(child)
            return value if mine else -value
        sign: i64 = -1
        if (child.player == self.me) == mine:
            sign = 1
        if less > 0:
            value = self._scout(ply + 1, depth - 1 - less, alpha, sign)
            if value <= alpha or self._stopped:
                return value
        if less >= 0:
            value = self._scout(ply + 1, depth - 1, alpha, sign)
            if value <= alpha or value >= beta or self._stopped:
                return value
        if sign < 0:
            return -self._node(ply + 1, depth - 1, -beta, -alpha)
        return self._node(ply + 1, depth - 1, alpha, beta)

    def _scout(self, ply: i64, depth: i64, alpha: i64, sign: i64) -> i64:
        """Return a value that only says if a position is worth more than `alpha`."""
        if sign < 0:
            return -self._node(ply, depth, -alpha - 1, -alpha)
        return self._node(ply, depth, alpha, alpha + 1)

    def _node(self, ply: i64, depth: i64, alpha: i64, beta: i64) -> i64:
        """Return the value of the position at a ply to the side that has to play."""
        state = self._states[ply]
        key = state.key()
        entry = self._table[key & TABLE]
        hint: i64 = 0
        if entry.key == key and entry.age == self._age:
            hint = entry.turn
            if entry.depth >= depth:
                value = entry.value
                if (
                    entry.bound == EXACT
                    or (entry.bound == AT_LEAST and value >= beta)
                    or (entry.bound == AT_MOST and value <= alpha)
                ):
                    if entry.depth < WHOLE:
                        self._cut = True
                    return value
        best: i64 = -INFINITE
        best_turn: i64 = 0
        floor = alpha
        cut_before = self._cut
        self._cut = False
        turns = state.turns()
        for tried, place in enumerate(self._order(turns, hint, ply)):
            turn: i64 = turns[-(place & PLACE) - 1]
            less: i64 = -1
            if tried:
                less = 0
                if depth >= LATE_DEPTH and tried >= self.late:
                    less = 1
            value = self._try(ply, turn, depth, alpha, beta, less)
            if self._stopped:
                return 0
            if value > best:
                best = value
                best_turn = turn
                if value > alpha:
                    alpha = value
                    if value >= beta:
                        self._reward(best_turn, ply, depth)
                        break
        entry.key = key
        entry.age = self._age
        entry.depth = depth if self._cut else WHOLE
        self._cut = self._cut or cut_before
        entry.value = best
        entry.turn = best_turn
        if best >= beta:
            entry.bound = AT_LEAST
        else:
            entry.bound = EXACT if best > floor else AT_MOST
        return best

    def _order(self, turns: list[int], hint: i64, ply: i64) -> list[int]:
        """Return the order in which to try turns, the most promising first: known ones, then by history.

        The low bits of a number are a turn's index, counted from the end. Numbers stay below 2^30, which
        Python sorts faster.
        """
        killer: i64 = self._killers[2 * ply]
        other: i64 = self._killers[2 * ply + 1]
        keys: list[int] = []
        place: i64 = len(turns)
        for turn in turns:
            place -= 1
            score: i64 = self._history[slot_of(turn)]
            if turn == hint:
                score = FAMOUS + 3
            elif turn == killer:
                score = FAMOUS + 2
            elif turn == other:
                score = FAMOUS + 1
            elif score > FAMOUS:
                score = FAMOUS
            keys.append(score << PLACE_BITS | place)
        keys.sort(reverse=True)
        return keys

    def _reward(self, turn: i64, ply: i64, depth: i64) -> None:
        """Reward a turn that caused a cutoff."""
        if self._killers[2 * ply] != turn:
            self._killers[2 * ply + 1] = self._killers[2 * ply]
            self._killers[2 * ply] = turn
        self._history[slot_of(turn)] += depth * depth

    def _late(self) -> bool:
        return self._clock is not None and self._clock() >= self._deadline

    # -- The leaves --

    def _leaf(self, state: State) -> i64:
        """Return the value of a position to the searching player: after the round, or by estimate."""
        if state.phase == ROUND_END:
            state.end_round()
        if state.phase == GAME_END:
            state.finish()
        if state.phase >= CHOICE:
            self._cut = True
        return value_for(state, self.me, self.estimate)


def value_for(state: State, player: i64, estimate: Estimate) -> i64:
    """Return the value of a position to a player: the result of the game, or their estimated lead."""
    if state.phase == OVER:
        return result_for(state, player, len(estimate.weights) > 0)
    if not estimate.weights:
        return ahead([state.worth(seat) for seat in range(state.seats)], player)
    return ahead(state.estimates(estimate), player)


def ahead(values: list[int], player: i64) -> i64:
    """Return a player's lead over the mean of the others: nobody knows yet which will be the best."""
    others: i64 = 0
    seat: i64 = 0
    for value in values:
        if seat != player:
            others += value
        seat += 1
    return values[player] - others // (seat - 1)


def result_for(state: State, player: i64, learned: bool = True) -> i64:
    """Return the result of a game that is over: the lead in hundredths of a point, and a bonus for winning.

    Without `learned` weights, positions are compared by `worth`, whose scale is unknown: then winning
    outweighs any points.
    """
    win: i64 = WIN
    if not learned:
        win = VICTORY
    value = lead([100 * score for score in state.scores()], player)
    winners = state.winners()
    if player in winners:
        return value + 2 * win // len(winners) - win
    return value - win


def lead(values: list[int], player: i64) -> i64:
    """Return a player's lead over the best opponent."""
    best: i64 = -INFINITE
    for seat, value in enumerate(values):
        if seat != player and value > best:
            best = value
    return values[player] - best


def _value(line: Line) -> int:
    return line.value
