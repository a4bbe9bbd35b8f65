"""Results of studies: hints, analyses and puzzles as values; `sintra schema` publishes them.

All points and percents are rounded to tenths, so that sums of them are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from sintra.errors import UsageError

FORMAT = 1
"""The format of the files of analyses and puzzles."""
NODES = 4000
"""Default number of positions searched for the best turn; `judge` uses a share of it when playing on."""
DEALS = 8
"""Default number of deals on which turns are compared; the luck of a deal takes 16 times as many."""
LUCK_SHARE = 16
MAX_NODES = 10**9
MAX_DEALS = 10**4
Mark = Literal["", "?!", "?", "??"]
MARKS: tuple[tuple[float, Mark], ...] = ((5.0, "??"), (2.5, "?"), (0.5, "?!"))
"""Marks, with the minimum loss for each in points."""


class Budget(Struct, frozen=True, forbid_unknown_fields=True):
    """The budget of an analysis; the same budget gives the same analysis everywhere."""

    nodes: int = NODES
    deals: int = DEALS
    seed: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.nodes <= MAX_NODES:
            raise UsageError(f"nodes must be a whole number from 1 to {MAX_NODES}, not {self.nodes}")
        if not 2 <= self.deals <= MAX_DEALS:
            raise UsageError(f"deals must be a whole number from 2 to {MAX_DEALS}, not {self.deals}")
        if not 0 <= self.seed < 2**53:
            raise UsageError(f"seed must be a whole number from 0 to 2^53-1, not {self.seed}")


class Value(Struct, frozen=True, forbid_unknown_fields=True):
    """The value of a position to each player: points ahead of the best other, percent of winning."""

    lead: list[float]
    chance: list[float]

    def less(self, other: Value) -> Value:
        """Return the difference, exact in tenths."""
        return Value(_less(self.lead, other.lead), _less(self.chance, other.chance))

    def plus(self, other: Value) -> Value:
        """Return the sum, exact in tenths."""
        return self.less(Value([-one for one in other.lead], [-one for one in other.chance]))


def _less(ones: Sequence[float], others: Sequence[float]) -> list[float]:
    return [tenths(one - other) for one, other in zip(ones, others, strict=True)]


class DealJudged(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="deal"):
    """A deal: its value before (the mean over sampled deals, with its standard error) and after."""

    round: int
    event: int
    before: Value
    error: Value
    after: Value


class TurnJudged(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="turn"):
    """A turn: what was played, what was best, and what was lost by it, in points and percent of winning.

    `after` is the value of the position after the turn, by a short search. `error` and `chance_error` are
    standard errors; `mark` is `?!`, `?` or `??`, or empty.
    """

    round: int
    player: int
    events: list[int]
    played: list[str]
    best: list[str]
    loss: float
    error: float
    chance_loss: float
    chance_error: float
    mark: Mark
    after: Value


class NowJudged(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="now"):
    """Where a game that is not over stands, or the result of one that is."""

    round: int
    over: bool
    value: Value


Judged = DealJudged | TurnJudged | NowJudged


def events_of(one: Judged | None) -> tuple[int, ...]:
    """Return the numbers of the events that were judged."""
    if isinstance(one, TurnJudged):
        return tuple(one.events)
    return (one.event,) if isinstance(one, DealJudged) else ()


class RoundJudged(Struct, frozen=True, forbid_unknown_fields=True):
    """A round (0: the start): every player's luck, its standard error, and skill."""

    round: int
    luck: Value
    luck_error: Value
    skill: Value


class Totals(Struct, frozen=True, forbid_unknown_fields=True):
    """A player's result, luck and skill, in points and in percent of winning.

    Result = luck + skill, and chance = an equal chance (`even`) + its luck + its skill, exactly. `lost` is
    what the player's own turns lost; the rest of skill (`others` = skill + lost) is what the turns of the
    others gave, and what the analysis did not foresee. `marks` counts the marks.
    """

    result: float
    luck: float
    skill: float
    lost: float
    others: float
    chance: float
    even: float
    chance_luck: float
    chance_skill: float
    turns: int
    marks: dict[str, int]


class Analysis(Struct, frozen=True, forbid_unknown_fields=True):
    """`analyze`: a game judged turn by turn and deal by deal; `game.analysis.json` holds one.

    `events` is the number of events of the log, and `digest` the SHA-256 of their lines. `done` of `stops`
    turns and deals are judged; totals and rounds are there when all are.
    """

    format: int
    engine: str
    player: str
    budget: Budget
    events: int
    digest: str
    rules: str
    players: list[str]
    over: bool
    done: int
    stops: int
    judged: list[Judged | None]
    rounds: list[RoundJudged]
    totals: list[Totals]

    @property
    def complete(self) -> bool:
        """True if everything is judged."""
        return self.done == self.stops

    def turns(self) -> list[TurnJudged]:
        """Return all turns that are judged."""
        return [one for one in self.judged if isinstance(one, TurnJudged)]


class HintLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A turn: its steps, what it comes to for the player, and how much worse than the best it is.

    `lead` is in points over the best of the others, `chance` in percent; `now` is what the player's points
    change by if the round ended after the turn.
    """

    steps: list[str]
    lead: float
    chance: float | None
    behind: float
    now: int
    why: list[str]


class Hint(Struct, frozen=True, forbid_unknown_fields=True):
    """`hint`: the best turns for the player who has to choose, and how deeply they were searched.

    `learned` is false for rule-sets without learned weights: their leads are in the scale of their `worth`,
    and chances are null. `certain` says that nothing was estimated: the search saw the end of the game.
    """

    player: int
    lines: list[HintLine]
    depth: int
    nodes: int
    learned: bool
    certain: bool


class Puzzle(Struct, frozen=True, forbid_unknown_fields=True):
    """A position: its log, the best turn, and by how many points the second best is behind."""

    title: str
    rules: str
    player: int
    best: list[str]
    second: list[str]
    gap: float
    error: float
    log: str


class PuzzleSet(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of puzzles."""

    format: int
    puzzles: list[Puzzle]


def tenths(value: float) -> float:
    """Return a value rounded to tenths, never -0: everything that is added up is rounded first."""
    return round(value * 10) / 10 + 0.0
