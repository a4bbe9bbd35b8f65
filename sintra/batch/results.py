"""Results about many games, as plain values with their limits; nothing here computes them."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from sintra.batch.columns import Distribution, Group, Results
from sintra.errors import Conflict, IllegalStep, Unknown, Unreadable, UsageError, WorkersLost
from sintra.log.events import OptionValue

MANY_ROUNDS = 50
"""Default number of rounds after which a game of a run stops: the rules alone may never end it (R6)."""
MAX_ROUNDS = 10_000
MAX_GAMES = 10**9
"""Maximum number of rounds of a game, and of games of a run."""
KEYS = ("rules", "side", "options", "players", "seat", "bot", "player")
"""The keys that results can be grouped by."""
USUAL = ("rules", "side", "players", "seat", "bot")
"""The keys that results are grouped by, by default."""


class Summary(Struct, frozen=True, forbid_unknown_fields=True):
    """The results of a run: the same for the same plan, whoever played it.

    `games` were requested, `done` are played, `finished` of them to the end; only these are counted.
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


_CODES = {
    error.kind: error.exit_code
    for error in (UsageError, IllegalStep, Unreadable, WorkersLost, Conflict, Unknown)
}
"""Exit codes by the kind of error; a log that is damaged is a negative result, and has code 1."""


class Fault(Struct, frozen=True, forbid_unknown_fields=True):
    """A log that is not counted, and why; `game` is its number in a file of many."""

    log: str
    error: str
    message: str
    game: int | UnsetType = UNSET
    line: int | UnsetType = UNSET
    field: str | UnsetType = UNSET

    @property
    def exit_code(self) -> int:
        """The exit code for the fault."""
        return _CODES.get(self.error, 1)


class Verdict(Struct, frozen=True, forbid_unknown_fields=True):
    """`verify`, a line a log: how the game stands, or what is wrong with the log.

    `game` is its number in a file of many; `line` is the line of the file. With `--deals`, `draws`
    arrangements and deals are what the seed gives, from event `draws_from` on (null: the log has no seed).
    """

    log: str
    ok: bool
    game: int | UnsetType = UNSET
    rules: str | UnsetType = UNSET
    players: tuple[str, ...] | UnsetType = UNSET
    events: int | UnsetType = UNSET
    round: int | UnsetType = UNSET
    over: bool | UnsetType = UNSET
    scores: list[int] | UnsetType = UNSET
    winners: list[int] | UnsetType = UNSET
    draws: int | UnsetType = UNSET
    draws_from: int | UnsetType | None = UNSET
    error: str | UnsetType = UNSET
    message: str | UnsetType = UNSET
    line: int | UnsetType = UNSET
    field: str | UnsetType = UNSET

    @property
    def exit_code(self) -> int:
        """The exit code for the verdict: 0 if the log is sound."""
        return 0 if self.ok else _CODES.get(str(self.error), 1)


class Open(Struct, frozen=True, forbid_unknown_fields=True):
    """A log of a game that is not over; `game` is its number in a file of many."""

    log: str
    round: int
    game: int | UnsetType = UNSET


class Stats(Struct, frozen=True, forbid_unknown_fields=True):
    """Statistics over many logs: how many there are, the results in groups, and what is not counted.

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


class CheckStep(Struct, frozen=True, forbid_unknown_fields=True):
    """A step of the check of a bot: what was tried, what was wrong, and the bot's standard error."""

    step: str
    ok: bool
    message: str = ""
    wrote: str = ""


class Check(Struct, frozen=True, forbid_unknown_fields=True):
    """The result of the check of a bot."""

    command: str
    ok: bool
    steps: list[CheckStep]


# -- Tournaments -----------------------------------------------------------------------------


class Decision(Struct, frozen=True, forbid_unknown_fields=True):
    """The state of a test: pairs by their result, the ratio, its bounds, and what is accepted."""

    elo0: float
    elo1: float
    alpha: float
    beta: float
    pairs: tuple[int, ...]
    llr: float
    lower: float
    upper: float
    accepted: str | None
    """`elo0`, `elo1`, or null while the test goes on."""


class Meeting(Struct, frozen=True, forbid_unknown_fields=True):
    """The games of one bot with another: how many, and the part in which it took the better place.

    A shared place counts half.
    """

    games: int
    share: float


class Standing(Struct, frozen=True, forbid_unknown_fields=True):
    """How a bot stands.

    `share` is the part of its opponents that it beat, half of those with the same place; `seats` is the same
    by seat, null for one where it did not play. `margin` is the mean of its points ahead of the
    best other, or behind. `time` is the mean time of a choice, in seconds. `faults` are counted by name.
    """

    rank: int
    bot: str
    rating: float
    low: float | None
    high: float | None
    games: int
    wins: int
    share: float
    score: float | None
    margin: float | None
    seats: list[float | None]
    faults: dict[str, int]
    time: float | None


class Standings(Struct, frozen=True, forbid_unknown_fields=True):
    """The standings of a tournament; everything but times is reproducible.

    `games` is the number of scheduled games, `done` of those that were played. `missing` lists logs of
    finished games that are not in the folder.
    """

    rules: str
    options: dict[str, OptionValue]
    players: int
    seed: int
    deals: int
    games: int
    done: int
    bots: dict[str, str]
    """What each bot is, by its label."""
    gauntlet: str | None
    standings: list[Standing]
    crosstable: dict[str, dict[str, Meeting]]
    sprt: Decision | None
    missing: list[str]
