"""Counting games into tallies: compiled, so that counting keeps up with playing."""

from __future__ import annotations

from collections.abc import Sequence

from sintra.batch.tallies import SHARES, Outcome, Tally
from sintra.rules.state import OVER, State


def outcome_of(state: State, turns: int) -> Outcome:
    """Return the outcome of a game that reached this state in this many turns."""
    over = state.phase == OVER
    winners = state.winners() if over else []
    return Outcome(state.scores(), winners, state.breakdown(), state.round, turns, over)


def count_games(tally: Tally, outcomes: Sequence[Outcome]) -> None:
    """Count games, regardless of who played."""
    rounds: dict[int, int] = tally.rounds
    turns: dict[int, int] = tally.turns
    over = 0
    for outcome in outcomes:
        if outcome.over:
            over += 1
            _count(rounds, outcome.rounds)
            _count(turns, outcome.turns)
    tally.games += over
    tally.unfinished += len(outcomes) - over


def count_results(tally: Tally, outcomes: Sequence[Outcome], seat: int) -> None:
    """Count the results of a seat, from 0, in games that are over."""
    counted: dict[int, int] = tally.scores
    margins: dict[int, int] = tally.margins
    points: dict[str, int] = tally.points
    wins = shared = shares = 0
    for outcome in outcomes:
        scores: list[int] = outcome.scores
        winners: list[int] = outcome.winners
        score = scores[seat]
        best = scores[seat - 1]  # the best of the others
        for other in range(len(scores)):
            if other != seat and scores[other] > best:
                best = scores[other]
        if seat in winners:
            wins += 1
            shared += len(winners) > 1
            shares += SHARES // len(winners)
        _count(counted, score)
        _count(margins, score - best)
        gained: dict[str, int] = outcome.points[seat]
        for source, amount in gained.items():
            points[source] = points.get(source, 0) + amount
    tally.results += len(outcomes)
    tally.wins += wins
    tally.shared += shared
    tally.shares += shares


def _count(counts: dict[int, int], number: int) -> None:
    counts[number] = counts.get(number, 0) + 1
