"""Statistics over many logs: results in groups, counted by any number of workers.

Each log is checked as by `verify`, so the counts agree with the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct

from sintra.api import file_named
from sintra.batch.columns import Results
from sintra.batch.counting import count_games, count_results, outcome_of
from sintra.batch.logs import Entry, batches, fault, read, reading
from sintra.batch.results import KEYS, USUAL, Fault, Open, Stats
from sintra.batch.tallies import Tally, Turns, bot_of, listing, results
from sintra.batch.workers import Here, spread, width
from sintra.errors import SintraError, UsageError
from sintra.fold import Fold
from sintra.text import spelled

if TYPE_CHECKING:
    from os import PathLike

NAMED = 20
"""Maximum number of faulty logs, and of unfinished games, to name."""

Key = tuple[str | int, ...]


class Job(Struct, frozen=True):
    """Logs to count, and the keys to group by."""

    by: tuple[str, ...]
    logs: list[Entry]


class Part(Struct):
    """The counts of some logs."""

    logs: int
    groups: dict[Key, Tally]
    open: list[Open]
    faults: list[Fault]
    worst: int
    """The exit code of the worst fault."""


def count(job: Job) -> Part:
    """Count some logs, in a worker."""
    part = Part(len(job.logs), {}, [], [], 0)
    for entry in job.logs:
        turns = Turns()
        try:
            fold = read(entry, turns.follow).fold
        except SintraError as error:
            part.faults.append(fault(entry, error))
            part.worst = max(part.worst, part.faults[-1].exit_code)
            continue
        if not fold.over:
            part.open.append(Open(entry.name, fold.state.round, UNSET if entry.game is None else entry.game))
        _count(part.groups, fold, turns.count, job.by)
    return part


def _count(groups: dict[Key, Tally], fold: Fold, turns: int, by: Sequence[str]) -> None:
    outcome = outcome_of(fold.state, turns)
    met: set[Key] = set()
    for seat in range(len(outcome.scores)):
        key = tuple(_KEYS[name](fold, seat) for name in by)
        tally = groups.setdefault(key, Tally())
        if key not in met:
            met.add(key)
            count_games(tally, [outcome])
        if outcome.over:
            count_results(tally, [outcome], seat)


_KEYS: dict[str, Callable[[Fold, int], str | int]] = {
    "rules": lambda fold, _: fold.created.rules,
    "side": lambda fold, _: spelled(fold.created.options.get("side", "")),
    "options": lambda fold, _: ", ".join(f"{k} {spelled(v)}" for k, v in fold.created.options.items()),
    "players": lambda fold, _: len(fold.created.players),
    "seat": lambda _, seat: seat + 1,
    "bot": lambda fold, seat: bot_of(fold.created.players, seat + 1),
    "player": lambda fold, seat: fold.created.players[seat],
}


# -- All together ----------------------------------------------------------------------------


class Survey:
    """Counts logs, part by part."""

    def __init__(self, by: str | Sequence[str] = USUAL) -> None:
        by = listing(by)
        for name in by:
            if name not in KEYS:
                raise UsageError(f"can't group results by {name!r}; the keys are {', '.join(KEYS)}")
        if len(set(by)) < len(by):
            raise UsageError(f"a key is listed twice: {', '.join(by)}")
        self.by = tuple(by)
        self.logs = self.unfinished = self.faulty = self.worst = 0
        self._groups: dict[Key, Tally] = {}
        self._open: list[Open] = []
        self._faults: list[Fault] = []

    def count(self, logs: Iterable[Entry], executor: Executor) -> Iterator[int]:
        """Count logs; yield their number so far after each part."""
        jobs = (Job(self.by, batch) for batch in batches(logs, width(executor)))
        for part in spread(executor, count, jobs):
            self.add(part)
            yield self.logs

    def add(self, part: Part) -> None:
        """Add the counts of some logs."""
        self.logs += part.logs
        self.unfinished += len(part.open)
        self.faulty += len(part.faults)
        self.worst = max(self.worst, part.worst)
        self._open += part.open[: NAMED - len(self._open)]
        self._faults += part.faults[: NAMED - len(self._faults)]
        for key, tally in part.groups.items():
            self._groups.setdefault(key, Tally()).add(tally)

    def stats(self) -> Stats:
        """Return the statistics, the groups in order."""
        return Stats(
            logs=self.logs,
            games=self.logs - self.unfinished - self.faulty,
            unfinished=self.unfinished,
            faulty=self.faulty,
            by=self.by,
            groups=[
                results(Results, self._groups[key], group=dict(zip(self.by, key, strict=True)))
                for key in sorted(self._groups)
            ],
            open=self._open[:],
            faults=self._faults[:],
        )


def stats(
    *logs: str | PathLike[str],
    by: str | Sequence[str] = USUAL,
    many: bool = False,
    jobs: int | None = 1,
    executor: Executor | str | None = None,
) -> Stats:
    """Return statistics over many logs: files, folders, and patterns such as `games/*.log`.

    `by` groups results by any of `rules`, `side`, `options`, `players`, `seat`, `bot` and `player`, as a
    list or comma-separated text; `many` reads each file as many games, one after the other; `jobs` is the
    number of worker processes (None: one per core); `executor` is any `concurrent.futures.Executor`, or the
    address of a cluster.
    """
    survey = Survey(by)
    with reading(map(file_named, logs), many, jobs, executor) as (found, used):
        for _ in survey.count(found, used or Here()):
            pass
    return survey.stats()
