"""Checking games: `verify`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Annotated

import msgspec
from msgspec import UNSET

from sintra.batch.logs import MANY, Entry, batches, entries, exit_code, fault, read
from sintra.cli.answers import Verdict
from sintra.cli.options import Argument, ExecutorOption, JobsOption, JsonOption, ManyOption, QuietOption
from sintra.cli.output import remark, say, say_json
from sintra.cli.progress import Progress
from sintra.errors import SintraError

FEW = 4
"""So many logs are checked faster than a second process starts."""

LogsArgument = Annotated[
    list[str],
    Argument(metavar="LOG...", help="Log files, folders, patterns in quotes, or - for standard input."),
]

Judged = tuple[Verdict, int]
"""What is to be said of a log, and its exit code."""


def verify(
    logs: LogsArgument,
    many: ManyOption = False,
    jobs: JobsOption = None,
    executor: ExecutorOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
    """Check logs against the rules, one line each.

    The first faulty event of a log is named, with what the rules give instead. The exit code
    is 1 if any log is faulty; 4 if one can't be read, and 6 if one has unknown rules or an
    unknown format, go before that. With -q, only faulty logs are told.

    Folders are walked down for files that end in .log, and in .logs, which hold many games, one
    after the other. With --many, every file does, and standard input.

    \b
    sintra verify game.log
    sintra verify games/*.log --json
    sintra verify -q games
    """
    worst = 0
    with Progress(total(logs, many)) as progress:
        for answer, code in _verdicts(logs, many, jobs, executor):
            worst = max(worst, code)
            if code or not quiet:
                progress.clear()
                _tell(answer, quiet, json)
            progress.step()
    return worst


def _tell(answer: Verdict, quiet: bool, json: bool) -> None:
    """Answer a verdict; with -q it is an error, and goes where errors go."""
    from sintra.text import safe_json

    if quiet:
        remark(safe_json(answer) if json else f"sintra: {_told(answer)}")
    elif json:
        say_json(answer)
    else:
        say(_told(answer))


def total(logs: Sequence[str], many: bool) -> int | None:
    """How many logs there are, where that is known before they are read."""
    simple = not many and not any(path.endswith(MANY) or not os.path.isfile(path) for path in logs)
    return len(logs) if simple else None


def _verdicts(logs: Sequence[str], many: bool, jobs: int | None, address: str | None) -> Iterator[Judged]:
    """The verdicts on all logs, in their order."""
    found = entries(logs, many=many, fetch=address is not None)
    first = list(islice(found, FEW + 1))
    if (len(first) <= FEW or jobs == 1) and address is None:
        yield from map(verdict, chain(first, found))
        return
    from sintra.batch.workers import spread, width, workers

    with workers(jobs, address) as executor:
        for part in spread(executor, verdicts, batches(_ours(chain(first, found)), width(executor))):
            yield from part


def _ours(found: Iterable[Entry]) -> Iterator[Entry]:
    """Standard input is this process's own: it is read here."""
    for entry in found:
        yield Entry("-", judged=verdict(entry)) if entry.name == "-" and entry.data is None else entry


def verdicts(logs: Sequence[Entry]) -> list[Judged]:
    """What is to be said of some logs: what every worker does."""
    return [entry.judged or verdict(entry) for entry in logs]


def verdict(entry: Entry) -> Judged:
    """What is to be said of one log, and its exit code."""
    try:
        reader = read(entry)
    except SintraError as error:
        told = msgspec.to_builtins(fault(entry, error))
        return msgspec.convert({"ok": False, **told}, Verdict), exit_code(error)
    fold = reader.fold
    answer = Verdict(
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
    return answer, 0


SECOND = "created can't come here"
"""What is wrong with a file of many games that is read as one."""


def _told(verdict: Verdict) -> str:
    """A verdict as a line of text."""
    from sintra.text import plural, safe
    from sintra.view.common import outcome, scores

    path = safe(verdict.log) if verdict.game is UNSET else f"{safe(verdict.log)}: game {verdict.game}"
    match verdict:
        case Verdict(
            players=tuple(players),
            events=int(events),
            round=int(number),
            scores=list(points),
            winners=list(winners),
        ):
            names = [safe(name) for name in players]
            if verdict.over is True:
                end = f"over after round {number}. {scores(names, points)}. {outcome(names, winners)}"
            elif number:
                end = f"in round {number}. {scores(names, points)}"
            else:
                end = "before the first round"
            return f"{path}: ok, {plural(events, 'event')}, {end}"
        case _:
            again = re.compile(rf"(?<=can't open|can't read) {re.escape(safe(verdict.log))}(?=: )")
            told = f"{path}: {again.sub('', safe(str(verdict.message)), count=1)}"  # its name once is enough
            many = SECOND in told and verdict.game is UNSET
            return f"{told} (--many reads a file of many games)" if many else told
