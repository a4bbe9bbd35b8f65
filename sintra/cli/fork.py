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
    at: Annotated[int | None, Option(help="Keep events 1 to N (default: all of them).", metavar="N")] = None,
    seed: Annotated[int | None, Option(help="Other deals from there on.", metavar="N")] = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """A new log from the first events of another.

    With --seed, what is drawn from there on is drawn anew.

    \b
    sintra fork game.log --at 3 --seed 7 > other.log
    """
    write_new(read_log(log_).fork(at, seed), output, quiet, json)
