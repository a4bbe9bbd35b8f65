"""Rewards for a game: a share of the victory, or the margin in points."""

from __future__ import annotations

from sintra.rules.state import State


def shares(state: State) -> list[float]:
    """Return each player's share of the victory in a game that is over."""
    winners = state.winners()
    return [1.0 / len(winners) if seat in winners else 0.0 for seat in range(state.seats)]


def margins(state: State) -> list[float]:
    """Return how many points each player is ahead of the best other, or behind, in a game that is over."""
    scores = state.scores()
    found: list[float] = []
    for seat, score in enumerate(scores):
        found.append(float(score - max([other for at, other in enumerate(scores) if at != seat])))
    return found
