"""Counting a game into tallies: compiled, for a run counts as fast as it plays."""

from __future__ import annotations

from sintra.batch.tallies import SHARES, Outcome, Tally


def count_game(tally: Tally, outcome: Outcome) -> None:
    """Count one more game, whoever played in it."""
    if not outcome.over:
        tally.unfinished += 1
        return
    tally.games += 1
    _count(tally.rounds, outcome.rounds)
    _count(tally.turns, outcome.turns)


def count_players(tallies: list[Tally], outcome: Outcome) -> None:
    """Count the results of all players of a game that is over, each in a tally."""
    for seat in range(len(tallies)):
        count_player(tallies[seat], outcome, seat)


def count_player(tally: Tally, outcome: Outcome, seat: int) -> None:
    """Count one more result: what the player in a seat, from 0, got in a game that is over."""
    scores: list[int] = outcome.scores
    winners: list[int] = outcome.winners
    score = scores[seat]
    best = min(scores)
    for other in range(len(scores)):
        if other != seat and scores[other] > best:
            best = scores[other]
    tally.results += 1
    if seat in winners:
        tally.wins += 1
        tally.shared += len(winners) > 1
        tally.shares += SHARES // len(winners)
    _count(tally.scores, score)
    _count(tally.margins, score - best)
    points: dict[str, int] = tally.points
    gained: dict[str, int] = outcome.points[seat]
    for source, amount in gained.items():
        points[source] = points.get(source, 0) + amount


def _count(counts: dict[int, int], number: int) -> None:
    counts[number] = counts.get(number, 0) + 1
