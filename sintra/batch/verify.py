"""Checking many logs against the rules: a verdict for each, by any number of workers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from sintra.api import file_named
from sintra.batch.draws import Draws
from sintra.batch.logs import Entry, batches, fault, read, reading
from sintra.batch.results import Verdict
from sintra.errors import SintraError
from sintra.fold import Fold

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from os import PathLike


def verify(
    *logs: str | PathLike[str],
    many: bool = False,
    deals: bool = False,
    jobs: int | None = 1,
    executor: Executor | str | None = None,
) -> Iterator[Verdict]:
    """Check logs against the rules; yield a verdict for each, in order.

    Logs are files, folders, and patterns such as `games/*.log`. `many` reads each file as many games, one
    after the other; `deals` also checks that the draws of seeded logs match their seed. `jobs` is the
    number of worker processes (None: one per core); `executor` is any `concurrent.futures.Executor`, or the
    address of a cluster.
    """
    return verdicts(map(file_named, logs), many, jobs, executor, deals)


def verdicts(
    logs: Iterable[str], many: bool, jobs: int | None, executor: Executor | str | None, deals: bool = False
) -> Iterator[Verdict]:
    """Check logs like `verify`; `-` is standard input."""
    with reading(logs, many, jobs, executor) as (found, used):
        if used is None:
            yield from (verdict(entry, deals) for entry in found)
            return
        from sintra.batch.workers import spread, width

        judged = partial(_judged, deals=deals)
        for part in spread(used, judged, batches(_ours(found, deals), width(used))):
            yield from part


def _ours(found: Iterable[Entry], deals: bool) -> Iterator[Entry]:
    """Yield logs for workers; standard input is checked here, as they can't read it."""
    for entry in found:
        yield Entry("-", judged=verdict(entry, deals)) if entry.name == "-" and entry.data is None else entry


def _judged(logs: Sequence[Entry], deals: bool) -> list[Verdict]:
    """Return the verdicts on some logs, in a worker."""
    return [entry.judged or verdict(entry, deals) for entry in logs]


def verdict(entry: Entry, deals: bool = False) -> Verdict:
    """Return the verdict on one log; with `deals`, its draws have to match its seed."""
    draws = Draws() if deals else None
    try:
        reader = read(entry, None if draws is None else draws.follow)
        if draws is not None:
            draws.check(entry.line)
    except SintraError as error:
        return Verdict(ok=False, **asdict(fault(entry, error)))
    held = UNSET if draws is None else draws.held
    return passed(entry, reader.fold, reader.line, held, UNSET if draws is None else draws.since)


def passed(
    entry: Entry,
    fold: Fold,
    events: int,
    draws: int | UnsetType = UNSET,
    since: int | UnsetType | None = UNSET,
) -> Verdict:
    """Return the verdict on a sound log with these events."""
    return Verdict(
        log=entry.name,
        ok=True,
        game=UNSET if entry.game is None else entry.game,
        rules=fold.created.rules,
        players=fold.created.players,
        events=events,
        round=fold.state.round,
        over=fold.over,
        scores=fold.state.scores(),
        winners=[player + 1 for player in fold.state.winners()] if fold.over else [],
        draws=draws,
        draws_from=since,
    )
