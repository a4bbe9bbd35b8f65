"""Values of positions for every player, found by playing on with `strong` and a fixed budget of nodes.

A **standing** is every player's expected lead over the best of the others in points, then every player's
chance of winning in percent. At the end of the game it is the result. Between rounds it comes from learned
estimates and fitted chances; for rule-sets without weights the game is played to its end instead.

A position within a round is worth what a search of it finds; with more than two players, every player first
plays one turn, and what is then on the table is estimated. A position between rounds is worth the mean over
sampled deals. Samples are numbered, and the same number gives the same draws: positions are always compared
on the same deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from sintra.bots.clock import clock
from sintra.bots.search import VICTORY, WIN, Line, Search, ahead, lead, play_turn
from sintra.bots.strong import MAX_NODES, searching
from sintra.rules.chance import Chance
from sintra.rules.state import CHOICE, DEAL, GAME_END, OVER, ROUND_END, State
from sintra.study.chances import chances, curve_after, curves_for
from sintra.study.results import tenths

Standing = list[float]
"""Every player's lead in points, then every player's chance of winning in percent."""
MOST_ROUNDS = 30
"""Maximum number of rounds of a sampled game, after which its score counts."""


class Mean(NamedTuple):
    """The mean of samples, rounded to tenths, and its standard error."""

    mean: Standing
    error: Standing


THOUGHT = 8
LAP_THOUGHT = 40
"""Shares of the nodes for each turn when playing on, and for each when every player plays one."""


class Judge:
    """Values the positions of one board; `nodes` is the budget for finding a best turn."""

    def __init__(self, state: State, nodes: int, seed: int) -> None:
        self.search: Search = searching(state)
        self.nodes = nodes
        self.thought = max(1, nodes // THOUGHT)
        self.chance = Chance(seed)
        self.learned = len(self.search.estimate.weights) > 0
        self.curves = curves_for(state.board(), state.seats)

    def lines(self, state: State, nodes: int, count: int = 1, seconds: float = 0.0) -> list[Line]:
        """Return all turns, best first; each is searched at least once, even with few nodes."""
        search = self.search
        found = search.run(state, nodes, count, clock(False) if seconds else None, seconds)
        return found if search.depth else search.run(state, MAX_NODES, count, None, 0.0, 1)

    # -- Playing on --

    def finish_round(self, state: State) -> None:
        """Play on until the round is over and the next deal is due, or the game has ended."""
        while state.phase not in (DEAL, OVER):
            if state.phase >= CHOICE:
                play_turn(state, self.lines(state, self.thought)[0].turn)
            elif state.phase == ROUND_END:
                state.end_round()
            else:
                state.finish()

    def deal(self, state: State, sample: int) -> None:
        """Deal the next round as in sample number `sample`."""
        state.deal_from(self.chance.stream(f"sample {sample} {state.round + 1}"))

    def outcome(self, state: State, sample: int = 0) -> Standing:
        """Return the value of a position; the state may be changed."""
        if not self.learned:
            self._play_to_the_end(state, sample)
        elif state.seats == 2 and state.phase >= CHOICE:
            value = self.lines(state, self.thought)[0].value
            return self._expected([-value, value] if state.player else [value, -value], state.round)
        else:
            self._play_a_lap(state)
        return self.standing(state)

    def _play_to_the_end(self, state: State, sample: int) -> None:
        self.finish_round(state)
        while state.phase == DEAL:
            if state.round >= MOST_ROUNDS:
                state.phase = GAME_END
            else:
                self.deal(state, sample)
            self.finish_round(state)

    def _play_a_lap(self, state: State) -> None:
        """Let every player play a turn; end the round if that is due."""
        for _ in range(state.seats):
            if state.phase >= CHOICE:
                nodes = max(1, self.nodes // LAP_THOUGHT)
                play_turn(state, self.lines(state, nodes)[0].turn)
        if state.phase < CHOICE:
            self.finish_round(state)

    def standing(self, state: State) -> Standing:
        """Return the standing of a position by estimates, or the result of a game that is over."""
        seats = range(state.seats)
        if state.phase == OVER:
            won = state.winners()
            scores = state.scores()
            shares = [100 / len(won) if seat in won else 0.0 for seat in seats]
            return [float(lead(scores, seat)) for seat in seats] + shares
        values = state.estimates(self.search.estimate)
        return self._expected([lead(values, seat) for seat in seats], state.round)

    def _expected(self, leads: Sequence[int], rounds: int) -> Standing:
        """Return the standing for leads in hundredths of a point that include the bonus for winning."""
        shares = chances(leads, self.curves, rounds)
        points = [(value - WIN * (2 * share - 1)) / 100 for value, share in zip(leads, shares, strict=True)]
        return points + [100 * share for share in shares]

    def read(self, value: int, rounds: int, certain: bool) -> tuple[float, float | None]:
        """Return a search's value as points and percent of winning; `certain` means that it is a result.

        Without learned weights, values are in the scale of the rule-set's `worth`, and chances are not known.
        """
        win = WIN if self.learned else VICTORY
        if certain:
            share = 0.5 if abs(value) <= win // 2 else float(value > 0)
        elif self.learned:
            share = curve_after(self.curves, rounds).chance(value)
        else:
            return float(value), None
        return (value - win * (2 * share - 1)) / 100, 100 * share

    def best_of_others(self, state: State) -> int:
        """Return a correction for the values of a search, which compares with the mean of the others.

        Adding it gives leads over the best of the others, assuming that these stay as far apart as they are.
        """
        if self.learned:
            values = state.estimates(self.search.estimate)
        else:
            values = [state.worth(seat) for seat in range(state.seats)]
        return int(lead(values, state.player) - ahead(values, state.player))

    # -- Samples --

    def samples(self, state: State, count: int) -> list[Standing]:
        """Return the values of a position: one standing for each sampled deal, or the only one.

        The current round is played to its end once; then each sample deals the next one.
        """
        settled = state.copy()
        self.finish_round(settled)
        if settled.phase == OVER:
            return [self.standing(settled)]
        return [self._sample(settled, sample) for sample in range(1, count + 1)]

    def _sample(self, settled: State, sample: int) -> Standing:
        state = settled.copy()
        self.deal(state, sample)
        return self.outcome(state, sample)


def mean(samples: Sequence[Standing]) -> Mean:
    """Return the mean of some standings and its error; a single one is certain."""
    count = len(samples)
    means, errors = [], []
    for column in zip(*samples, strict=True):
        middle = sum(column) / count
        means.append(tenths(middle))
        spread = sum((value - middle) ** 2 for value in column)
        errors.append(sqrt(spread / (count - 1) / count) if count > 1 else 0.0)
    return Mean(means, errors)


def differences(first: Sequence[Standing], second: Sequence[Standing]) -> list[Standing]:
    """Return by how much the first is better, sample by sample; a result stands for all samples."""
    count = max(len(first), len(second))
    ones, others = ([*samples] * (count // len(samples)) for samples in (first, second))
    return [[a - b for a, b in zip(one, other, strict=True)] for one, other in zip(ones, others, strict=True)]
