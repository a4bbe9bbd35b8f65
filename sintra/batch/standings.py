"""Standings of a tournament: ratings, results by seat, and the crosstable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sintra.batch.journal import Result
from sintra.batch.ratings import rated
from sintra.batch.results import Decision, Meeting, Standing, Standings
from sintra.batch.schedule import Fixture, TournamentPlan


class _Sums:
    """The sums for one bot."""

    def __init__(self, players: int) -> None:
        self.games = self.wins = self.score = self.margin = self.choices = 0
        self.time = 0.0
        self.halves = [0] * players
        """Half opponents beaten, by seat."""
        self.seated = [0] * players
        self.faults: dict[str, int] = {}

    def add(self, seat: int, result: Result) -> None:
        """Add a game in a seat, from 0."""
        mine = result.places[seat]
        others = result.places[:seat] + result.places[seat + 1 :]
        scores = result.scores[:seat] + result.scores[seat + 1 :]
        self.games += 1
        self.wins += mine == 1
        self.score += result.scores[seat]
        self.margin += result.scores[seat] - max(scores)
        self.halves[seat] += sum(halves(mine, other) for other in others)
        self.seated[seat] += 1
        self.choices += result.choices[seat]
        self.time += result.times[seat]
        for fault in result.faults:
            if fault.seat == seat + 1:
                self.faults[fault.fault] = self.faults.get(fault.fault, 0) + 1


def halves(mine: int, other: int) -> int:
    """Return the value of a place against another one, in half points."""
    return 1 + (mine < other) - (mine > other)


def standings(
    plan: TournamentPlan,
    results: Mapping[Fixture, Result],
    decision: Decision | None = None,
    missing: Sequence[str] = (),
    *,
    intervals: bool = True,
) -> Standings:
    """Return the standings of a tournament after these games."""
    labels = plan.labels
    sums = [_Sums(plan.players) for _ in labels]
    deals: dict[int, list[dict[int, int]]] = {}
    for fixture, result in sorted(results.items(), key=lambda pair: (pair[0].deal, pair[0].seats)):
        deals.setdefault(fixture.deal, []).append(dict(zip(fixture.seats, result.places, strict=True)))
        for seat, bot in enumerate(fixture.seats):
            sums[bot].add(seat, result)
    ratings = rated(len(labels), deals, intervals=intervals)
    order = sorted(range(len(labels)), key=lambda bot: (-ratings[bot].rating, labels[bot]))
    rows = []
    for rank, bot in enumerate(order, 1):
        one, own = sums[bot], ratings[bot]
        rows.append(
            Standing(
                rank,
                labels[bot],
                own.rating,
                own.low,
                own.high,
                one.games,
                one.wins,
                _part(sum(one.halves), 2 * (plan.players - 1) * one.games) or 0.0,
                _part(one.score, one.games),
                _part(one.margin, one.games),
                [
                    _part(won, 2 * (plan.players - 1) * games)
                    for won, games in zip(one.halves, one.seated, strict=True)
                ],
                dict(sorted(one.faults.items())),
                round(one.time / one.choices, 6) if one.choices else None,
            )
        )
    return Standings(
        rules=plan.rules,
        options=plan.options,
        players=plan.players,
        seed=plan.seed,
        deals=plan.deals,
        games=plan.games,
        done=len(results),
        bots=dict(zip(labels, plan.bots, strict=True)),
        gauntlet=plan.gauntlet,
        standings=rows,
        crosstable=_crosstable([labels[bot] for bot in order], results.values()),
        sprt=decision,
        missing=list(missing),
    )


def _part(amount: int, by: int) -> float | None:
    return round(amount / by, 4) if by else None


def _crosstable(labels: Sequence[str], results: Iterable[Result]) -> dict[str, dict[str, Meeting]]:
    """Return how each bot did against each other one, in the order of the standings."""
    met: dict[tuple[str, str], list[int]] = {}
    for result in results:
        for mine, bot in zip(result.places, result.seats, strict=True):
            for other, against in zip(result.places, result.seats, strict=True):
                if bot != against:
                    sums = met.setdefault((bot, against), [0, 0])
                    sums[0] += 1
                    sums[1] += halves(mine, other)
    return {
        bot: {
            other: Meeting(met[bot, other][0], round(met[bot, other][1] / met[bot, other][0] / 2, 4))
            for other in labels
            if (bot, other) in met
        }
        for bot in labels
    }
