"""Checking games: `verify`."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import msgspec
import typer

from sintra import loading, log
from sintra.cli.answers import Verdict
from sintra.cli.options import JsonOption, QuietOption, say, say_json
from sintra.cli.progress import Progress
from sintra.errors import DamagedLog, SintraError, Unreadable

FEW = 4
"""So many logs are checked faster than a second process starts."""


def verify(
    logs: Annotated[
        list[str], typer.Argument(metavar="LOG...", help="The log files, or - for standard input.")
    ],
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", help="Check so many at once (default: one a core).", min=1)
    ] = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Check logs against the rules, one line each.

    The first faulty event of a log is named, with what the rules give instead. The exit code
    is 1 if any log is faulty; 4 if one can't be read, and 6 if one has unknown rules or an
    unknown format, go before that.

    \b
    sintra verify game.log
    sintra verify games/*.log --json
    """
    worst = 0
    with Progress(len(logs)) as progress:
        for answer, code in _verdicts(logs, jobs or os.cpu_count() or 1):
            worst = max(worst, code)
            progress.clear()
            if json:
                say_json(answer)
            elif not quiet:
                say(_told(answer))
            elif code:
                sys.stderr.write(f"sintra: {_told(answer)}\n")
            progress.step()
    raise typer.Exit(worst)


def _verdicts(logs: Sequence[str], jobs: int) -> Iterator[tuple[Verdict, int]]:
    """The verdicts on all logs, in their order."""
    if len(logs) <= FEW or jobs == 1:
        yield from map(verdict, logs)
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import active_children

    files = [path for path in logs if path != "-"]
    with ProcessPoolExecutor(min(jobs, len(logs)), initializer=_leave_interrupts_to_the_parent) as pool:
        try:
            found = pool.map(verdict, files, chunksize=max(1, min(64, len(files) // (4 * jobs))))
            for path in logs:
                yield verdict(path) if path == "-" else next(found)
        except BaseException:
            for child in active_children():
                child.kill()
            raise


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def verdict(path: str) -> tuple[Verdict, int]:
    """What is to be said of one log, and its exit code."""
    reader = loading.Reader(log.read(path))
    try:
        for _ in reader:
            pass
    except SintraError as error:
        code = 1 if isinstance(error, DamagedLog) and not isinstance(error, Unreadable) else error.exit_code
        return msgspec.convert({"log": path, "ok": False, **error.details()}, Verdict), code
    fold = reader.fold
    answer = Verdict(
        log=path,
        ok=True,
        rules=fold.created.rules,
        players=fold.created.players,
        events=reader.line,
        round=fold.state.round,
        over=fold.over,
        scores=fold.state.scores(),
        winners=[player + 1 for player in fold.state.winners()] if fold.over else [],
    )
    return answer, 0


def _told(verdict: Verdict) -> str:
    """A verdict as a line of text."""
    from sintra.view import safe
    from sintra.view.common import outcome, scores
    from sintra.words import plural

    answer: Any = verdict
    path = safe(answer.log)
    if not answer.ok:
        told = safe(answer.message)
        return told if answer.error == "unreadable" else f"{path}: {told}"
    names = [safe(name) for name in answer.players]
    standing = scores(names, answer.scores)
    if answer.over:
        end = f"over after round {answer.round}. {standing}. {outcome(names, answer.winners)}"
    elif answer.round:
        end = f"in round {answer.round}. {standing}"
    else:
        end = "before the first round"
    return f"{path}: ok, {plural(answer.events, 'event')}, {end}"
