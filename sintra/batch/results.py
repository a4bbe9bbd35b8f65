"""What is asked and told of many games: values and their limits, and nothing that computes them."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from sintra.log.events import OptionValue

MANY_ROUNDS = 50
"""The rules alone may never end a game (R6): one of a run stops after so many rounds if nobody objects."""
MAX_ROUNDS = 10_000
MAX_GAMES = 10**9
"""The most that can be asked of a run."""
KEYS = ("rules", "side", "options", "players", "seat", "bot", "player")
"""What results can be grouped by."""
USUAL = ("rules", "side", "players", "seat", "bot")
"""What results are grouped by if nobody says otherwise."""


class Distribution(Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers that came up: how many, their average and how far they stray from it, and their order.

    `lower`, `median` and `upper` are the numbers at one, two and three quarters. `counts` tells how often
    each number came up, the smallest first. Where there are no numbers, all but `count` is null.
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


class Group(Struct, frozen=True, forbid_unknown_fields=True):
    """The results of a seat or of a bot; a result is what one player got in one game.

    `wins` counts all victories, `shared` those of them that others had a part in, and `share` is the part
    of all victories, where a shared one counts in part. `margin` is the points ahead of the best other
    player, or behind. `points` are averages by where they came from.
    """

    results: int
    wins: int
    shared: int
    share: float
    score: Distribution
    margin: Distribution
    points: dict[str, float]


class Summary(Struct, frozen=True, forbid_unknown_fields=True):
    """What came out of a run: the same for the same plan, whoever played it.

    `games` were asked for, `done` are played, `finished` of them to their end; only these are counted.
    """

    rules: str
    options: dict[str, OptionValue]
    players: int
    bots: tuple[str, ...]
    rotate: bool
    seed: int
    max_rounds: int
    games: int
    done: int
    finished: int
    seats: list[Group]
    by_bot: dict[str, Group]
    score: Distribution
    rounds: Distribution
    turns: Distribution


class Fault(Struct, frozen=True, forbid_unknown_fields=True):
    """A log that is not counted, and why; `game` is its number in a file of many."""

    log: str
    error: str
    message: str
    game: int | UnsetType = UNSET
    line: int | UnsetType = UNSET
    field: str | UnsetType = UNSET


class Open(Struct, frozen=True, forbid_unknown_fields=True):
    """A log of a game that is not over; `game` is its number in a file of many."""

    log: str
    round: int
    game: int | UnsetType = UNSET


class Results(Struct, frozen=True, forbid_unknown_fields=True):
    """The results of a group; a result is what one player got in one game that is over.

    `group` tells what they have in common. `games` counts a game once, also where several of its players are
    in the group. `wins` counts all victories, `shared` those of them that others had a part in, and `share`
    is the part of all victories, where a shared one counts in part. `margin` is the points ahead of the best
    other player, or behind. `points` are averages by where they came from.
    """

    group: dict[str, str | int]
    games: int
    unfinished: int
    results: int
    wins: int
    shared: int
    share: float
    score: Distribution
    margin: Distribution
    points: dict[str, float]
    rounds: Distribution
    turns: Distribution


class Stats(Struct, frozen=True, forbid_unknown_fields=True):
    """What many logs tell: how many there are, the results in groups, and what is not counted.

    `open` and `faults` name the first 20 logs that are not over, and that are faulty.
    """

    logs: int
    games: int
    unfinished: int
    faulty: int
    by: tuple[str, ...]
    groups: list[Results]
    open: list[Open]
    faults: list[Fault]
