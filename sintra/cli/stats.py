"""`sintra stats`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from sintra.batch.results import KEYS, USUAL
from sintra.cli.options import (
    AsciiOption,
    Color,
    ColorOption,
    ExecutorOption,
    JobsOption,
    JsonOption,
    ManyOption,
    Option,
    QuietOption,
    completed_by,
)
from sintra.cli.output import remark, say, say_json, style
from sintra.cli.progress import Progress
from sintra.cli.reports import StatsAnswer
from sintra.cli.verify import LogsArgument, total
from sintra.errors import UsageError

if TYPE_CHECKING:
    from sintra.batch.results import Stats


def stats(
    logs: LogsArgument,
    by: Annotated[
        str,
        Option(
            help=f"Group results by any of {', '.join(KEYS)}.",
            metavar="KEYS",
            completion=completed_by("by"),
        ),
    ] = ",".join(USUAL),
    many: ManyOption = False,
    strict: Annotated[
        bool, Option("--strict", help="Exit with the code of `verify` if a log is faulty.")
    ] = False,
    jobs: JobsOption = None,
    executor: ExecutorOption = None,
    csv: Annotated[bool, Option("--csv", help="Print CSV, one row per group.")] = False,
    color: ColorOption = Color.auto,
    ascii: AsciiOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
    """Print statistics over many logs: scores, margins, points, lengths.

    Points are broken down by source. Every log is checked as in `verify`; unfinished games and
    faulty logs are listed, but not counted. Bots are recognized by the names that `simulate` gives
    them, such as greedy 1 in seat 1. Folders, patterns and files of many games work as in `verify`;
    standard input may hold many games.

    \b
    sintra stats games
    sintra stats games --by rules,bot
    sintra stats 'games/*.log' --csv
    """
    if csv and json:
        raise UsageError("use only one of --csv and --json")
    from sintra.batch.logs import reading
    from sintra.batch.stats import Survey
    from sintra.batch.workers import Here

    survey = Survey(by)
    with (
        Progress(total(logs, many)) as progress,
        reading(logs, many, jobs, executor, piped=True) as (entries, used),
    ):
        for done in survey.count(entries, used or Here()):
            progress.step(done - progress.done)
    found = survey.stats()
    if not quiet:
        _answer(found, csv, json, color, ascii)
    _name_missing(found, quiet, json)
    return survey.worst if strict or not found.logs - found.faulty else 0


def _answer(found: Stats, csv: bool, json: bool, color: Color, ascii: bool) -> None:
    """Print statistics as JSON, CSV or text."""
    if json:
        say_json(StatsAnswer(*(getattr(found, name) for name in found.__struct_fields__)))
        return
    from sintra.batch.report import csv_lines, stats_lines

    say("\n".join(csv_lines(found) if csv else stats_lines(found, style(color, ascii))))


def _name_missing(found: Stats, quiet: bool, json: bool) -> None:
    """Name on standard error the logs that are not counted; with -q, only errors."""
    from sintra.batch.report import missing_lines
    from sintra.text import safe_json

    if json:  # the answer itself has them, unless -q suppresses it
        for fault in found.faults if quiet else ():
            remark(safe_json(fault))
        return
    for line in missing_lines(found):
        if not quiet or line.startswith("faulty"):
            remark(f"sintra: {line}")
