"""`sintra export`."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from sintra.cli.options import JobsOption, JsonOption, ManyOption, Option, QuietOption
from sintra.cli.output import remark, say_json, write_bytes
from sintra.cli.progress import Progress
from sintra.cli.verify import LogsArgument, total
from sintra.errors import SintraError, UsageError
from sintra.text import plural, safe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sintra.rl.export import Export, Exported


class Per(StrEnum):
    """What a row stands for."""

    turn = "turn"
    game = "game"


def export(
    logs: LogsArgument,
    csv: Annotated[
        str | None, Option(help="Write CSV to a new FILE (default: print it).", metavar="FILE")
    ] = None,
    parquet: Annotated[
        str | None, Option(help="Write Parquet to a new FILE; needs the extra `data`.", metavar="FILE")
    ] = None,
    planes: Annotated[
        str | None,
        Option(help="Write planes and codes to a new FILE.npz; needs the extra `rl`.", metavar="FILE"),
    ] = None,
    per: Annotated[Per, Option(help="Write one row per turn, or per game.", metavar="ROW")] = Per.turn,
    many: ManyOption = False,
    strict: Annotated[
        bool, Option("--strict", help="Exit with the code of `verify` if a log is faulty.")
    ] = False,
    jobs: JobsOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
    """Write many games to one file: CSV, Parquet or arrays.

    Writes one flat row per turn, or with --per game one per game, including scores and results. --planes
    writes what the players saw and chose as numpy arrays, one row per choice. Every log is checked as in
    `verify`; faulty ones are listed and left out. Folders, patterns and files of many games work as in
    `verify`. --json prints the rows as JSON lines, or a summary if they go to a file.

    \b
    sintra export games > turns.csv
    sintra export games --json | jq .steps
    sintra export games --parquet turns.parquet
    sintra export games --per game --csv games.csv
    sintra export game.log --planes game.npz
    """
    given = {"csv": csv, "parquet": parquet, "planes": planes}
    files = {format: name for format, name in given.items() if name is not None} or {
        "json" if json else "csv": "-"
    }
    if len(files) > 1:
        raise UsageError("use only one of --csv, --parquet and --planes")
    from sintra.batch.logs import reading
    from sintra.batch.workers import Here
    from sintra.log import writing
    from sintra.rl.export import Export

    ((format, name),) = files.items()
    run = Export(format, per.value)
    try:
        with (
            Progress(total(logs, many)) as progress,
            reading(logs, many, jobs, None, piped=True) as (found, used),
        ):
            data = _stepping(run, progress, run.data(found, used or Here()))
            if name == "-":
                for part in data:
                    write_bytes(b"" if quiet else part)
            else:
                writing.create(name, data)
    except SintraError as error:
        if json:  # one object has it all
            error.faults, run.done.faults = run.done.faults, []
        raise
    finally:
        _name_faulty(run.done, json)
    if not quiet and name != "-":
        _report(run.done, name, json)
    return run.worst if strict else 0


def _stepping(run: Export, progress: Progress, data: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the same data, and show the progress."""
    for part in data:
        progress.step(run.done.logs - progress.done)
        yield part


def _name_faulty(done: Exported, json: bool) -> None:
    """Name faulty logs on standard error."""
    from sintra.batch.report import named_lines
    from sintra.text import safe_json

    if json:
        for fault in done.faults:
            remark(safe_json(fault))
        return

    for line in named_lines("faulty", done.faulty, done.faults, lambda one: one.message):
        remark(f"sintra: {line}")


def _report(done: Exported, name: str, json: bool) -> None:
    """Print what was written."""
    if json:
        say_json(done)
        return
    unfinished = f", {done.unfinished} of them not over" if done.unfinished else ""
    games = plural(done.logs - done.faulty, "game")
    remark(f"sintra: {plural(done.rows, 'row')} of {games}{unfinished} in {safe(name)}")
