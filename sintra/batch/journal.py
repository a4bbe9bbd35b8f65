"""The journal of a tournament: a line for each finished game, in the order of the schedule.

A game counts once its line is there; by then, its log is on disk. A torn last line belongs to a game that
does not count.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct

from sintra.batch.schedule import Fixture, TournamentPlan
from sintra.bots.referee import Forfeit
from sintra.errors import DamagedLog, Unreadable
from sintra.log import files, writing
from sintra.text import plural

JOURNAL = "journal.jsonl"
MAX_BYTES = 1 << 31
"""Maximum size of a journal, in bytes: several million games."""


class Result(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the journal: a finished game. Deals and seats count from 1.

    `places` are by seat: the winners have the first one, then points decide; equal ones are shared. A seat
    that forfeited has the last one. `times` are the seconds that each seat took for all its `choices`;
    everything else is reproducible.
    """

    deal: int
    seats: tuple[str, ...]
    scores: list[int]
    places: list[int]
    winners: list[int]
    reason: str
    """`ended`, `forfeit` (a game of two), or `rounds` (there were too many)."""
    faults: list[Forfeit]
    turns: int
    choices: list[int]
    times: list[float]
    log: str


class Journal(Struct):
    """The contents of a journal, and what is wrong with it."""

    results: dict[Fixture, Result]
    torn: int = 0
    """The number of bytes of a torn last line."""
    doubled: int = 0
    """The number of duplicate lines."""

    def remarks(self) -> list[str]:
        """Return remarks for the user."""
        found = []
        if self.torn:
            found.append("the last line of its journal was torn; that game does not count")
        if self.doubled:
            found.append(f"{plural(self.doubled, 'line')} of its journal came twice; each game counts once")
        return found


def read(folder: str, plan: TournamentPlan) -> Journal:
    """Return the journal of a folder; raise DamagedLog for a line that is not of this tournament."""
    path = os.path.join(folder, JOURNAL)
    journal = Journal({})
    if not os.path.exists(path):
        return journal
    data = b"".join(files.raw(path))
    *lines, last = data.split(b"\n")
    journal.torn = len(last)
    bots = {label: at for at, label in enumerate(plan.labels)}
    decoder = msgspec.json.Decoder(Result)
    for number, line in enumerate(lines, 1):
        try:
            result = decoder.decode(line)
            fixture = _fixture(result, plan, bots)
            if journal.results.setdefault(fixture, result) is not result:
                _check_same(journal.results[fixture], result)
                journal.doubled += 1
        except (msgspec.DecodeError, UnicodeDecodeError, ValueError, KeyError) as error:
            why = f"no bot is called {error}" if isinstance(error, KeyError) else str(error)
            damaged = DamagedLog(
                f"not a game of this tournament: {why}; remove the line, or restore it", number
            )
            damaged.path = files.shown(path)
            raise damaged from None
    return journal


def _fixture(result: Result, plan: TournamentPlan, bots: dict[str, int]) -> Fixture:
    """Return the game of a line; raise ValueError if the plan has no such game."""
    fixture = Fixture(result.deal - 1, tuple(bots[name] for name in result.seats))
    if not 1 <= result.deal <= plan.deals:
        raise ValueError(f"there is no deal {result.deal}")
    if len(fixture.seats) != plan.players or len(set(fixture.seats)) != plan.players:
        raise ValueError(f"the seats are {', '.join(result.seats)}")
    for name in ("scores", "places", "choices", "times"):
        if len(getattr(result, name)) != plan.players:
            raise ValueError(f"it has {plural(len(getattr(result, name)), 'number')} of {name}")
    return fixture


def _check_same(first: Result, second: Result) -> None:
    if msgspec.structs.replace(first, times=second.times) != second:
        raise ValueError("another line has a different result of the same game")


def prepare(folder: str, torn: int) -> None:
    """Create the journal of a folder that has none; remove a torn last line."""
    path = os.path.join(folder, JOURNAL)
    if not os.path.exists(path):
        writing.create(path, b"")
    elif torn:
        with writing.Appender(path, most=MAX_BYTES) as file:
            file.cut(torn)


def append(folder: str, results: Iterable[Result]) -> None:
    """Append finished games, and flush them to disk."""
    lines = b"".join(msgspec.json.encode(result) + b"\n" for result in results)
    try:
        with writing.Appender(os.path.join(folder, JOURNAL), most=MAX_BYTES) as file:
            file.append(lines)
    except Unreadable as error:
        raise Unreadable(str(error).replace("the log is unchanged", "the journal is unchanged")) from None


def missing(folder: str, results: Sequence[Result]) -> list[str]:
    """Return the logs of finished games that are missing."""
    return [result.log for result in results if not os.path.exists(os.path.join(folder, result.log))]
