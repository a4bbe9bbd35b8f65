"""Tallies: exact numbers of many games, which can be added up in any order.

A tally only counts integers, so parts counted in any order and on any machine add up to exactly the same.
Averages are only computed for an answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import isqrt
from typing import Any, TypeVar

from msgspec import Struct

from sintra.batch.columns import Distribution, Group, Results, columns
from sintra.bots.names import is_bot
from sintra.bots.spec import label_of
from sintra.fold import Fold
from sintra.log.events import Choice, Event
from sintra.rules.state import ARRANGE, CHOICE

Counts = dict[int, int]
"""How often each number came up."""

SHARES = 12
"""Shares of a victory: two, three or four players can share it."""
PLACES = 10_000
"""Number of decimal places of averages."""


class Outcome(Struct, frozen=True):
    """The outcome of a game: what is counted."""

    scores: list[int]
    winners: list[int]
    """From 0; empty if the game is not over."""
    points: list[dict[str, int]]
    rounds: int
    turns: int
    over: bool


class Tally(Struct):
    """The counts of a group of results; a result belongs to one player in one game.

    Unfinished games are only counted in `unfinished`. `games` and the lengths count a game once, even if
    several of its players are in the group. `margins` are the points ahead of the best other player, or
    behind. `shares` are victories in twelfths.
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

    def add(self, other: Tally) -> None:
        """Add another tally."""
        for name in self.__struct_fields__:
            mine, more = getattr(self, name), getattr(other, name)
            if isinstance(mine, int):
                setattr(self, name, mine + more)
            else:
                for key, count in more.items():
                    mine[key] = mine.get(key, 0) + count

    def share(self) -> float:
        """Return the share of all victories."""
        return rounded(self.shares, SHARES * self.results)

    def averages(self) -> dict[str, float]:
        """Return the average points of a result, by source."""
        return {source: rounded(points, self.results) for source, points in self.points.items()}


# -- Answers ---------------------------------------------------------------------------------

R = TypeVar("R", Group, Results)


def results(kind: type[R], tally: Tally, **known: Any) -> R:
    """Return the columns of a tally, with others that are given."""
    found: dict[str, Any] = {column.name: column.value(tally) for column in columns(kind)}
    for column in columns(kind):
        if column.type is Distribution:
            found[column.name] = distribution(found[column.name])
    return kind(**known, **found)


def distribution(counts: Counts) -> Distribution:
    """Return the distribution of numbers that were counted: exact until rounded, to four places."""
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


def rounded(amount: int, by: int) -> float:
    """Return a quotient rounded to four places; 0 if the divisor is 0."""
    return round(Fraction(amount, by) * PLACES) / PLACES if by else 0.0


def _root(square: Fraction) -> float:
    """Return a square root rounded to four places, without floating-point errors."""
    return (isqrt(4 * PLACES**2 * square.numerator // square.denominator) + 1) // 2 / PLACES


def _at(ordered: Counts, total: int, quarter: int) -> int:
    """Return a quartile of the counted numbers; between two, the lower one."""
    place = (total * quarter + 3) // 4
    for number, count in ordered.items():
        place -= count
        if place <= 0:
            return number
    raise AssertionError("fewer numbers than were counted")


def listing(names: str | Iterable[str]) -> list[str]:
    """Return names as a list; they may be given as a comma-separated string such as `greedy, random`."""
    return [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)


# -- Reading logs ----------------------------------------------------------------------------


class Turns:
    """Counts turns while a log is read: each begins with a choice of a rule-set's first kind."""

    def __init__(self) -> None:
        self._phase = ARRANGE
        self._begins: list[bool] = []
        """For each event that still counts, whether a turn begins with it."""

    def follow(self, fold: Fold, event: Event) -> None:
        """Take in one more event."""
        counting = len(fold.history)
        if counting > len(self._begins):
            self._begins.append(self._phase == CHOICE and isinstance(event, Choice))
        else:
            del self._begins[counting:]
        self._phase = fold.state.phase

    @property
    def count(self) -> int:
        """The number of turns, without those that were taken back."""
        return sum(self._begins)


def bot_name(bot: str, seat: int) -> str:
    """Return the name that a bot in a seat, from 1, has in logs: `greedy 2`."""
    return f"{label_of(bot)} {seat}"


def bot_of(players: Sequence[str], seat: int) -> str:
    """Return the bot in a seat, from 1, by the player's name; empty for anybody else."""
    name = players[seat - 1]
    bot = name.rpartition(" ")[0]
    return bot if is_bot(bot) and name == bot_name(bot, seat) else ""
