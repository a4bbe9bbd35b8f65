"""Tables over many games: `stats`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from sintra.batch.results import KEYS, USUAL
from sintra.cli.answers import StatsAnswer
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
)
from sintra.cli.output import remark, say, say_json, style
from sintra.cli.progress import Progress
from sintra.cli.verify import FEW, LogsArgument, total
from sintra.errors import UsageError

if TYPE_CHECKING:
    from sintra.batch.results import Distribution, Results, Stats
    from sintra.batch.stats import Survey


def stats(
    logs: LogsArgument,
    by: Annotated[
        str,
        Option(help=f"Group results by any of {', '.join(KEYS)}.", metavar="KEYS"),
    ] = ",".join(USUAL),
    many: ManyOption = False,
    strict: Annotated[
        bool, Option("--strict", help="Exit with the code of `verify` if a log is faulty.")
    ] = False,
    jobs: JobsOption = None,
    executor: ExecutorOption = None,
    csv: Annotated[bool, Option("--csv", help="Answer in CSV, a row for each group.")] = False,
    color: ColorOption = Color.auto,
    ascii: AsciiOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
    """Tables over many logs: scores, margins, points, lengths.

    Points are told by where they came from. Every log is checked as `verify` does. Games that
    are not over, and faulty logs, are not counted but named. The bot is known by the name that
    `simulate` gives, such as greedy 1 in seat 1. Folders, patterns and files of many games are
    read as `verify` reads them; standard input may hold many.

    \b
    sintra stats games
    sintra stats games --by rules,bot
    sintra stats 'games/*.log' --csv
    """
    if csv and json:
        raise UsageError("--csv and --json exclude each other")
    from sintra.batch.stats import Survey

    survey = Survey(by)
    _count(survey, logs, many, jobs, executor)
    found = survey.stats()
    if json and not quiet:
        say_json(StatsAnswer(*(getattr(found, name) for name in found.__struct_fields__)))
    elif csv and not quiet:
        say("\n".join(csv_lines(found)))
    elif not quiet:
        from sintra.batch.figures import stats_lines

        say("\n".join(stats_lines(found, style(color, ascii))))
    _name_missing(found, quiet, json)
    return survey.worst if strict or not found.logs - found.faulty else 0


def _count(survey: Survey, logs: list[str], many: bool, jobs: int | None, address: str | None) -> None:
    """Read all logs, where few are read faster than a second process starts."""
    from itertools import chain, islice

    from sintra.batch.logs import entries
    from sintra.batch.workers import workers

    found = chain.from_iterable(
        entries([path], many=many or path == "-", fetch=address is not None) for path in logs
    )
    first = list(islice(found, FEW + 1))
    with (
        Progress(total(logs, many)) as progress,
        workers(1 if len(first) <= FEW else jobs, address) as executor,
    ):
        for done in survey.count(chain(first, found), executor):
            progress.step(done - progress.done)


def _name_missing(found: Stats, quiet: bool, json: bool) -> None:
    """Tell on standard error what is not counted; unfinished games are no errors."""
    from sintra.batch.figures import missing_lines
    from sintra.text import safe_json

    if json:  # the answer itself has them, unless -q leaves it out
        for fault in found.faults if quiet else ():
            remark(safe_json(fault))
        return
    for line in missing_lines(found):
        if not quiet or line.startswith("faulty"):
            remark(f"sintra: {line}")


# -- CSV -------------------------------------------------------------------------------------

NUMBERS = ("mean", "sd", "min", "lower", "median", "upper", "max")
MEASURES = ("score", "margin", "rounds", "turns")
COUNTS = ("games", "unfinished", "results", "wins", "shared", "share")


def csv_lines(found: Stats) -> list[str]:
    """A row for each group below the names of its columns; `points` is a JSON object."""
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*found.by, *COUNTS, *(f"{m}_{n}" for m in MEASURES for n in NUMBERS), "points"])
    writer.writerows(_row(group) for group in found.groups)
    return text.getvalue().splitlines()


def _row(group: Results) -> list[object]:
    import msgspec

    from sintra.text import safe

    keys = [safe(value) if isinstance(value, str) else value for value in group.group.values()]
    measures: list[Distribution] = [getattr(group, measure) for measure in MEASURES]
    numbers = [getattr(measure, number) for measure in measures for number in NUMBERS]
    counts = [getattr(group, count) for count in COUNTS]
    return [*keys, *counts, *numbers, msgspec.json.encode(group.points).decode()]
