"""The columns of results: one list for the JSON answers, CSV and the reports of `stats` and `simulate`.

A field of `Results` is a column of `stats`, a field of `Group` one of `simulate`. Its annotation says how it
is computed from a tally, and which heads and cells it has in the report.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, get_type_hints

from msgspec import Meta, Struct

if TYPE_CHECKING:
    from sintra.batch.tallies import Tally


class Distribution(Struct, frozen=True, forbid_unknown_fields=True):
    """A distribution of numbers: their count, mean, standard deviation and quartiles.

    `lower`, `median` and `upper` are the quartiles. `counts` has how often each number came up, the smallest
    first. Without numbers, everything except `count` is null.
    """

    count: int
    mean: float | None
    sd: float | None
    min: int | None
    lower: int | None
    median: int | None
    upper: int | None
    max: int | None
    counts: dict[int, int]


# -- Cells of a report -----------------------------------------------------------------------


def number(value: float | None, places: int = 1) -> str:
    """Return a number as a cell."""
    return "-" if value is None else f"{value:.{places}f}"


def _whole(value: int) -> list[str]:
    return [str(value)]


def _percent(share: float) -> list[str]:
    return [f"{100 * share:.1f}"]


def _mean(numbers: Distribution) -> list[str]:
    return [number(numbers.mean)]


def _spread(numbers: Distribution) -> list[str]:
    cells = [number(numbers.mean), number(numbers.sd)]
    return cells + [number(value, 0) for value in (numbers.min, numbers.median, numbers.max)]


# -- The columns -----------------------------------------------------------------------------


class Column(NamedTuple):
    """A column: its value in a tally, and its heads and cells in the report, if it is there.

    For a distribution, that value is the counts. `single` columns are left out of rows with all players of a
    game. `name` and `type` are those of the field.
    """

    value: Callable[[Tally], Any]
    heads: tuple[str, ...] = ()
    cells: Callable[[Any], list[str]] = _whole
    single: bool = False
    name: str = ""
    type: Any = None


Wins = Annotated[int, Meta(description="All victories.")]
Shared = Annotated[int, Meta(description="The victories that were shared.")]
Share = Annotated[
    float,
    Meta(description="The share of all victories; a shared victory counts in part."),
    Column(lambda tally: tally.share(), ("win %",), _percent, single=True),
]
Score = Annotated[
    Distribution, Column(lambda tally: tally.scores, ("mean", "sd", "min", "med", "max"), _spread)
]
Margin = Annotated[
    Distribution,
    Meta(description="The lead over the best opponent, in points; negative if behind."),
    Column(lambda tally: tally.margins, ("margin",), _mean, single=True),
]
Points = Annotated[
    dict[str, float],
    Meta(description="The average points by source."),
    Column(lambda tally: tally.averages()),
]


class Group(Struct, frozen=True, forbid_unknown_fields=True):
    """The results of a seat or of a bot; a result belongs to one player in one game."""

    results: Annotated[int, Column(lambda tally: tally.results, ("games",))]
    wins: Annotated[Wins, Column(lambda tally: tally.wins, ("wins",))]
    shared: Annotated[Shared, Column(lambda tally: tally.shared, ("shared",))]
    share: Share
    score: Score
    margin: Margin
    points: Points


class Results(Struct, frozen=True, forbid_unknown_fields=True):
    """The results of a group; a result belongs to one player in one finished game.

    `group` is what they have in common. `games` counts each game once, even if several of its players are in
    the group.
    """

    group: dict[str, str | int]
    games: Annotated[int, Column(lambda tally: tally.games, ("games",))]
    unfinished: Annotated[int, Column(lambda tally: tally.unfinished)]
    results: Annotated[int, Column(lambda tally: tally.results)]
    wins: Annotated[Wins, Column(lambda tally: tally.wins)]
    shared: Annotated[Shared, Column(lambda tally: tally.shared)]
    share: Share
    score: Score
    margin: Margin
    points: Points
    rounds: Annotated[Distribution, Column(lambda tally: tally.rounds, ("rounds",), _mean)]
    turns: Annotated[Distribution, Column(lambda tally: tally.turns, ("turns",), _mean)]


@cache
def columns(kind: type[Group] | type[Results]) -> tuple[Column, ...]:
    """Return the columns of a kind of results."""
    found = []
    for name, hint in get_type_hints(kind, include_extras=True).items():
        for note in getattr(hint, "__metadata__", ()):
            if isinstance(note, Column):
                found.append(note._replace(name=name, type=hint.__origin__))
    return tuple(found)


def heads(kind: type[Group] | type[Results], single: bool = True) -> list[str]:
    """Return the heads of the report; without `single`, those of rows with all players of a game."""
    return [head for column in columns(kind) if single or not column.single for head in column.heads]


def cells(row: Group | Results, single: bool = True) -> list[str]:
    """Return the cells below the heads."""
    shown = [column for column in columns(type(row)) if column.heads and (single or not column.single)]
    return [cell for column in shown for cell in column.cells(getattr(row, column.name))]
