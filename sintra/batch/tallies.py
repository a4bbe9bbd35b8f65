"""Counting results: exact numbers of many games, that can be added up in any order.

A tally counts whole numbers and nothing else, so that parts that were counted elsewhere, in any order and on
any machine, add up to exactly the same. Averages are taken only when it is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import isqrt

from msgspec import Struct

from sintra.batch.results import Distribution, Group
from sintra.bots.names import BOTS, is_own
from sintra.fold import Fold
from sintra.log.events import Choice, Event
from sintra.rules.state import ARRANGE, CHOICE, OVER, State

Counts = dict[int, int]
"""How often each number came up."""

SHARES = 12
"""A victory is twelve shares: it can be shared by two, three or four."""


class Outcome(Struct, frozen=True):
    """How a game went: what is counted of it."""

    scores: list[int]
    winners: list[int]
    """From 0; nobody where the game is not over."""
    points: list[dict[str, int]]
    rounds: int
    turns: int
    over: bool


def outcome_of(state: State, turns: int) -> Outcome:
    """How a game went that has come to this state in so many turns."""
    over = state.phase == OVER
    return Outcome(
        scores=state.scores(),
        winners=state.winners() if over else [],
        points=state.breakdown(),
        rounds=state.round,
        turns=turns,
        over=over,
    )


class Tally(Struct):
    """What is counted of a group of results; a result is what one player got in one game.

    Only games that are over are counted besides `unfinished`. `games` and the lengths count a game once,
    also where several of its players are in the group. `margins` are the points ahead of the best other
    player, or behind them. `shares` are victories in twelfths.
    """

    games: int = 0
    unfinished: int = 0
    results: int = 0
    wins: int = 0
    shared: int = 0
    shares: int = 0
    scores: Counts = {}
    margins: Counts = {}
    points: dict[str, int] = {}
    rounds: Counts = {}
    turns: Counts = {}

    def count_game(self, outcome: Outcome) -> None:
        """One more game, whoever played in it."""
        if not outcome.over:
            self.unfinished += 1
            return
        self.games += 1
        _count(self.rounds, outcome.rounds)
        _count(self.turns, outcome.turns)

    def count_player(self, outcome: Outcome, seat: int) -> None:
        """One more result: what the player in a seat, from 0, got in a game that is over."""
        score = outcome.scores[seat]
        others = max(points for other, points in enumerate(outcome.scores) if other != seat)
        self.results += 1
        if seat in outcome.winners:
            self.wins += 1
            self.shared += len(outcome.winners) > 1
            self.shares += SHARES // len(outcome.winners)
        _count(self.scores, score)
        _count(self.margins, score - others)
        for source, points in outcome.points[seat].items():
            self.points[source] = self.points.get(source, 0) + points

    def add(self, other: Tally) -> None:
        """All that another tally counted."""
        self.games += other.games
        self.unfinished += other.unfinished
        self.results += other.results
        self.wins += other.wins
        self.shared += other.shared
        self.shares += other.shares
        _merge(self.scores, other.scores)
        _merge(self.margins, other.margins)
        _merge(self.rounds, other.rounds)
        _merge(self.turns, other.turns)
        for source, points in other.points.items():
            self.points[source] = self.points.get(source, 0) + points


def _count(counts: Counts, number: int) -> None:
    counts[number] = counts.get(number, 0) + 1


def _merge(counts: Counts, more: Counts) -> None:
    for number, count in more.items():
        counts[number] = counts.get(number, 0) + count


# -- What is told of it ----------------------------------------------------------------------


def distribution(counts: Counts) -> Distribution:
    """What is told of numbers: exact until it is rounded, to four places."""
    ordered = dict(sorted(counts.items()))
    total = sum(ordered.values())
    if not total:
        return Distribution(0, None, None, None, None, None, None, None, {})
    added = sum(number * count for number, count in ordered.items())
    squares = sum(number * number * count for number, count in ordered.items())
    numbers = list(ordered)
    return Distribution(
        count=total,
        mean=rounded(added, total),
        sd=_root(Fraction(squares * total - added * added, total * total)),
        min=numbers[0],
        lower=_at(ordered, total, 1),
        median=_at(ordered, total, 2),
        upper=_at(ordered, total, 3),
        max=numbers[-1],
        counts=ordered,
    )


def group_of(tally: Tally) -> Group:
    """What is told of a tally."""
    return Group(
        results=tally.results,
        wins=tally.wins,
        shared=tally.shared,
        share=rounded(tally.shares, SHARES * tally.results),
        score=distribution(tally.scores),
        margin=distribution(tally.margins),
        points={source: rounded(points, tally.results) for source, points in tally.points.items()},
    )


def rounded(amount: int, by: int) -> float:
    """A quotient, rounded to four places; nothing of nothing is nothing."""
    return round(Fraction(amount, by) * 10_000) / 10_000 if by else 0.0


def _root(square: Fraction) -> float:
    """A root, rounded to four places without any error of floating point."""
    return (isqrt(4 * 10**8 * square.numerator // square.denominator) + 1) // 2 / 10_000


def _at(ordered: Counts, total: int, quarter: int) -> int:
    """The number below which so many quarters of all numbers are; of two, the lower one."""
    place = (total * quarter + 3) // 4
    for number, count in ordered.items():
        place -= count
        if place <= 0:
            return number
    raise AssertionError("there are fewer numbers than were counted")


def listing(names: str | Iterable[str]) -> list[str]:
    """Names as a list, where they may be given as one text with commas: `greedy, random`."""
    return [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)


# -- What is counted -------------------------------------------------------------------------


class Turns:
    """Counts turns while a log is read: each begins with a choice of a rule-set's first kind."""

    def __init__(self) -> None:
        self._phase = ARRANGE
        self._begins: list[bool] = []
        """For each event that still counts, whether a turn begins with it."""

    def follow(self, fold: Fold, event: Event) -> None:
        """One more event was taken."""
        counting = len(fold.history)
        if counting > len(self._begins):
            self._begins.append(self._phase == CHOICE and isinstance(event, Choice))
        else:
            del self._begins[counting:]
        self._phase = fold.state.phase

    @property
    def count(self) -> int:
        """How many there were; what was taken back is none."""
        return sum(self._begins)


def bot_name(bot: str, seat: int) -> str:
    """The name in a log of a computer player in a seat, from 1: `greedy 2`."""
    return f"{bot} {seat}"


def bot_of(players: Sequence[str], seat: int) -> str:
    """The computer player in a seat, from 1, by the player's name; nothing for anybody else."""
    name = players[seat - 1]
    bot = name.rpartition(" ")[0]
    known = bot in BOTS or is_own(bot)
    return bot if known and name == bot_name(bot, seat) else ""
