"""`sintra fork`."""

from __future__ import annotations

from typing import Annotated

from sintra.cli.new import write_new
from sintra.cli.options import (
    JsonOption,
    LogArgument,
    Option,
    OutputOption,
    QuietOption,
)
from sintra.reader import read_log


def fork(
    log_: LogArgument,
    at: Annotated[int | None, Option(help="Keep events 1 to N (default: all).", metavar="N")] = None,
    seed: Annotated[int | None, Option(help="Draw later deals from this seed.", metavar="N")] = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Start a new log from the first events of another.

    With --seed, all later draws come from the new seed.

    \b
    sintra fork game.log --at 3 --seed 7 > other.log
    """
    write_new(read_log(log_, at).fork(at, seed), output, quiet, json)
