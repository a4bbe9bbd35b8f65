"""Ratings: how strong players are, from the places they took, with error bars.

The model is Plackett-Luce: the first place goes to each player with a chance in proportion to their strength,
the second to each of those left in the same way, and so on. For two players, this is Bradley-Terry. The
strengths that make all results most likely are found with the MM algorithm (Hunter, 2004).

- A shared place counts as all its orders, in equal parts.
- The prior is weak: everybody has also won half a game against an average player, and lost half a game. So a
  perfect score has a finite rating, and a player without games has the average rating.
- Intervals come from a bootstrap over deals, because games on the same deal are not independent: in each of
  many repetitions, every deal counts with a random weight, and so does the prior.
- All sums are of whole numbers or in a fixed order: the order of games never matters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations, product
from math import exp, log, sqrt

from msgspec import Struct

from sintra.rules.chance import Chance, Stream

AVERAGE = 1500.0
"""The rating of an average player."""
ELO = 400 / log(10)
"""Points of the scale of Elo in one unit of the logarithm of a strength."""
PRIOR = 0.5
"""Number of games that everybody has won against an average player, and of those they have lost."""
ORDERS = 24
"""Parts of a result: two, three or four players can share a place."""
MIN_DEALS = 5
"""Minimum number of deals for an interval."""
MAX_REPETITIONS = 500
MIN_REPETITIONS = 100
WORK = 30_000_000
"""Approximate number of sums that the bootstrap may take."""
LEVEL = 0.95
LEAP = 32.0
"""Maximum length of a leap, in steps."""
MOST = 50.0
"""Maximum logarithm of a strength."""

Places = Mapping[int, int]
"""The place of each player in a game, from 1; players are numbers from 0."""


class Record(Struct):
    """The relevant counts of some games, in parts: stages won by each player, and stages by who was in them.

    A stage is the choice of who takes the next place, among those who have none yet.
    """

    won: dict[int, int] = {}
    stages: dict[tuple[int, ...], int] = {}

    def add(self, places: Places) -> None:
        """Add a game."""
        shared: dict[int, list[int]] = {}
        for player, place in sorted(places.items()):
            shared.setdefault(place, []).append(player)
        groups = [list(permutations(shared[place])) for place in sorted(shared)]
        orders = [[player for group in chosen for player in group] for chosen in product(*groups)]
        for order in orders:
            for at in range(len(order) - 1):
                left = tuple(sorted(order[at:]))
                self.won[order[at]] = self.won.get(order[at], 0) + ORDERS // len(orders)
                self.stages[left] = self.stages.get(left, 0) + ORDERS // len(orders)


class Rating(Struct, frozen=True, forbid_unknown_fields=True):
    """A rating on the scale of Elo, and its 95 % interval; null if there are too few deals for one."""

    rating: float
    low: float | None
    high: float | None


# -- Strengths -------------------------------------------------------------------------------


class Sums(Struct):
    """Weighted sums of records: everything that strengths depend on."""

    won: list[float]
    stages: list[tuple[tuple[int, ...], float]]
    prior_won: list[float]
    prior_lost: list[float]


def strengths(
    sums: Sums, start: Sequence[float] | None = None, close: float = 1e-10, most: int = 20_000
) -> list[float]:
    """Return the most likely strengths, as logarithms; an average player has 0.

    Every third step begins with a leap along the two before it (SQUAREM; Varadhan and Roland, 2008): without
    it, near-perfect scores would take hundreds of steps. It ends when steps are smaller than `close`, or
    after `most` of them.
    """
    now = [0.0] * len(sums.won) if start is None else list(start)
    for _ in range(0, most, 3):
        first = _improved(now, sums)
        second = _improved(first, sums)
        steps = [b - a for a, b in zip(now, first, strict=True)]
        if max(map(abs, steps), default=0.0) < close:
            return second
        bends = [c - b - step for b, c, step in zip(first, second, steps, strict=True)]
        bend = sqrt(sum(one * one for one in bends))
        leap = min(LEAP, max(1.0, sqrt(sum(one * one for one in steps)) / bend)) if bend > 0 else 1.0
        now = [a + 2 * leap * s + leap * leap * b for a, s, b in zip(now, steps, bends, strict=True)]
        now = _improved(now, sums)
    return now


def _improved(logs: Sequence[float], sums: Sums) -> list[float]:
    """Return better strengths: a step of the MM algorithm. It never makes the results less likely."""
    values = [exp(max(-MOST, min(MOST, one))) for one in logs]
    below = [0.0] * len(values)
    for members, weight in sums.stages:
        part = weight / sum([values[member] for member in members])
        for member in members:
            below[member] += part
    found = []
    for value, won, lost, wins, rate in zip(
        values, sums.prior_won, sums.prior_lost, sums.won, below, strict=True
    ):
        rate += (won + lost) / (value + 1)
        found.append((wins + won) / rate if rate else 1.0)
    return [log(value) for value in _anchored(found, sums)]


def _anchored(values: list[float], sums: Sums) -> list[float]:
    """Return strengths, all scaled by a factor that makes the games of the prior most likely.

    Without this step, their common scale, which only the prior determines, would take ages to settle.
    """
    weights = [won + lost for won, lost in zip(sums.prior_won, sums.prior_lost, strict=True)]
    wanted = sum(sums.prior_won)
    if not wanted:
        return _centered(values)
    scale = 1.0
    for _ in range(3):
        chances = [scale * value / (scale * value + 1) for value in values]
        slope = sum(w * p * (1 - p) for w, p in zip(weights, chances, strict=True))
        off = wanted - sum(w * p for w, p in zip(weights, chances, strict=True))
        scale *= exp(max(-1.0, min(1.0, off / slope))) if slope > 0 else 1.0
    return [scale * value for value in values]


def _centered(values: list[float]) -> list[float]:
    """Return strengths with a mean logarithm of 0, which is all to be fixed without a prior."""
    middle = exp(sum(map(log, values)) / len(values)) if values else 1.0
    return [value / middle for value in values]


def _sums(
    players: int, records: Sequence[Record], weights: Sequence[float], prior: Sequence[tuple[float, float]]
) -> Sums:
    """Return weighted sums; `weights` has one for each record, `prior` games won and lost for each player."""
    won = [0.0] * players
    stages: dict[tuple[int, ...], float] = {}
    for record, weight in zip(records, weights, strict=True):
        weight /= ORDERS
        for player, count in record.won.items():
            won[player] += weight * count
        for members, count in record.stages.items():
            stages[members] = stages.get(members, 0.0) + weight * count
    return Sums(won, sorted(stages.items()), [a for a, _ in prior], [b for _, b in prior])


def _ordered(record: Record) -> Record:
    return Record(dict(sorted(record.won.items())), dict(sorted(record.stages.items())))


# -- Ratings ---------------------------------------------------------------------------------


def rated(
    players: int, deals: Mapping[int, Iterable[Places]], *, intervals: bool = True, prior: float = PRIOR
) -> list[Rating]:
    """Return the rating of each player, from the games on each deal."""
    records = []
    for deal in sorted(deals):
        record = Record()
        for places in deals[deal]:
            record.add(places)
        records.append(_ordered(record))
    whole = strengths(_sums(players, records, [1.0] * len(records), [(prior, prior)] * players))
    ratings = _elo(whole)
    if not intervals or len(records) < MIN_DEALS:
        return [Rating(round(rating, 1), None, None) for rating in ratings]
    found = [_elo(one) for one in _repeated(players, records, whole, prior)]
    wider = _wider(len(records))
    return [
        Rating(round(rating, 1), *_interval(rating, sorted(one[at] for one in found), wider))
        for at, rating in enumerate(ratings)
    ]


def _elo(values: Sequence[float]) -> list[float]:
    """Return the logarithms of strengths on the scale of Elo, with the average in the middle."""
    middle = sum(values) / len(values) if values else 0.0
    return [AVERAGE + ELO * (value - middle) for value in values]


def _repeated(
    players: int, records: Sequence[Record], start: Sequence[float], prior: float
) -> Iterable[list[float]]:
    """Yield the strengths of many repetitions, each with random weights of mean 1."""
    stream = Chance(0).stream("bootstrap")
    stages = len({members for record in records for members in record.stages})
    work = sum(len(record.stages) for record in records) + 100 * stages
    for _ in range(max(MIN_REPETITIONS, min(MAX_REPETITIONS, WORK // (work or 1)))):
        weights = [_weight(stream) for _ in records]
        games = [(prior * _weight(stream), prior * _weight(stream)) for _ in range(players)]
        yield strengths(_sums(players, records, weights, games), start, close=1e-4, most=500)


def _weight(stream: Stream) -> float:
    """Return a random weight with an exponential distribution."""
    return -log((int(stream.word()) + 0.5) / 0x100000000)


def _interval(rating: float, values: Sequence[float], wider: float) -> tuple[float, float]:
    """Return the ends of the middle part of sorted values, moved away from the rating by a factor."""
    cut = int((1 - LEVEL) / 2 * (len(values) - 1))
    low, high = (rating + wider * (value - rating) for value in (values[cut], values[-1 - cut]))
    return round(low, 1), round(high, 1)


def _wider(deals: int) -> float:
    """Return the factor by which to widen intervals, since few deals tell little about their spread.

    This is the quantile of Student's distribution (in the expansion of Cornish and Fisher) next to the normal
    one, and what random weights make of the spread of a mean.
    """
    z, free = 1.96, deals - 1
    student = z + (z**3 + z) / (4 * free) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)
    return student / z * sqrt((deals + 1) / free)
