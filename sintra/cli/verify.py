"""`sintra verify`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Annotated

from msgspec import UNSET

from sintra.batch.logs import MANY
from sintra.batch.results import Verdict
from sintra.batch.verify import verdicts
from sintra.cli.options import (
    Argument,
    ExecutorOption,
    JobsOption,
    JsonOption,
    ManyOption,
    Option,
    QuietOption,
)
from sintra.cli.output import remark, say, say_json
from sintra.cli.progress import Progress

LogsArgument = Annotated[
    list[str],
    Argument(metavar="LOG...", help="Log files, folders, patterns in quotes, or - for standard input."),
]


def verify(
    logs: LogsArgument,
    many: ManyOption = False,
    deals: Annotated[
        bool, Option("--deals", help="Also check that the draws of seeded logs match their seed.")
    ] = False,
    jobs: JobsOption = None,
    executor: ExecutorOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
    """Check logs against the rules, and print a line for each.

    For a faulty log, the line names the first faulty event and what the rules say instead. The exit code is
    1 if a log is faulty, 4 if one can't be read, and 6 if one has an unknown format or rule-set; if several
    apply, the highest. -q prints only faulty logs.

    Folders are searched for .log files, and for .logs files, which hold many games one after the
    other. With --many, so does every other file, and standard input.

    Any deal that the bag allows is accepted. With --deals, the arrangement and every deal of a seeded log
    must also match its seed (in a fork with another seed: from the fork on).

    \b
    sintra verify game.log
    sintra verify games/*.log --json
    sintra verify -q games
    sintra verify --deals game.log
    """
    worst = 0
    with Progress(total(logs, many)) as progress:
        for verdict in verdicts(logs, many, jobs, executor, deals):
            worst = max(worst, verdict.exit_code)
            if not verdict.ok or not quiet:
                progress.clear()
                _answer(verdict, quiet, json)
            progress.step()
    return worst


def total(logs: Sequence[str], many: bool) -> int | None:
    """Return the number of logs, if it is known before they are read."""
    simple = not many and not any(path.endswith(MANY) or not os.path.isfile(path) for path in logs)
    return len(logs) if simple else None


def _answer(verdict: Verdict, quiet: bool, json: bool) -> None:
    """Print a verdict; with -q it is an error, and goes to standard error."""
    from sintra.text import safe_json

    if quiet:
        remark(safe_json(verdict) if json else f"sintra: {line_of(verdict)}")
    elif json:
        say_json(verdict)
    else:
        say(line_of(verdict))


def _draws(verdict: Verdict) -> str:
    """Return how many draws match the seed, as the end of a line."""
    from sintra.text import plural

    if not isinstance(verdict.draws, int):
        return ""
    since = verdict.draws_from
    if not isinstance(since, int):
        return "; the draws have no seed"
    fork = f" from event {since} on" if since > 1 else ""
    match = "matches" if verdict.draws == 1 else "match"
    return f"; {plural(verdict.draws, 'draw')}{fork} {match} the seed"


SECOND = "created can't come here"
"""The fault of a file of many games that is read as a single game."""


def line_of(verdict: Verdict) -> str:
    """Return a verdict as a line of text."""
    from sintra.text import named_once, plural, safe
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
            if draws := _draws(verdict):
                end = end.removesuffix(".") + draws
            return f"{path}: ok, {plural(events, 'event')}, {end}"
        case _:
            line = f"{path}: {named_once(safe(str(verdict.message)), safe(verdict.log))}"
            many = SECOND in line and verdict.game is UNSET
            return f"{line} (--many reads a file of many games)" if many else line
