"""Checking many logs against the rules: a verdict for each, by any number of workers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import UNSET
from msgspec.structs import asdict

from sintra.api import file_named
from sintra.batch.logs import Entry, batches, fault, read, reading
from sintra.batch.results import Verdict
from sintra.errors import SintraError

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from os import PathLike


def verify(
    *logs: str | PathLike[str],
    many: bool = False,
    jobs: int | None = 1,
    executor: Executor | str | None = None,
) -> Iterator[Verdict]:
    """Check logs against the rules; yield a verdict for each, in order.

    Logs are files, folders, and patterns such as `games/*.log`. `many` reads each file as one of many games,
    one after the other; `jobs` is the number of worker processes (None: one per core); `executor` is any
    `concurrent.futures.Executor`, or the address of a cluster.
    """
    return verdicts(map(file_named, logs), many, jobs, executor)


def verdicts(
    logs: Iterable[str], many: bool, jobs: int | None, executor: Executor | str | None
) -> Iterator[Verdict]:
    """Check logs like `verify`; `-` is standard input."""
    with reading(logs, many, jobs, executor) as (found, used):
        if used is None:
            yield from map(verdict, found)
            return
        from sintra.batch.workers import spread, width

        for part in spread(used, _judged, batches(_ours(found), width(used))):
            yield from part


def _ours(found: Iterable[Entry]) -> Iterator[Entry]:
    """Yield logs for workers; standard input is checked here, for they can't read it."""
    for entry in found:
        yield Entry("-", judged=verdict(entry)) if entry.name == "-" and entry.data is None else entry


def _judged(logs: Sequence[Entry]) -> list[Verdict]:
    """Return the verdicts on some logs: what a worker does."""
    return [entry.judged or verdict(entry) for entry in logs]


def verdict(entry: Entry) -> Verdict:
    """Return the verdict on one log."""
    try:
        reader = read(entry)
    except SintraError as error:
        return Verdict(ok=False, **asdict(fault(entry, error)))
    fold = reader.fold
    return Verdict(
        log=entry.name,
        ok=True,
        game=UNSET if entry.game is None else entry.game,
        rules=fold.created.rules,
        players=fold.created.players,
        events=reader.line,
        round=fold.state.round,
        over=fold.over,
        scores=fold.state.scores(),
        winners=[player + 1 for player in fold.state.winners()] if fold.over else [],
    )
