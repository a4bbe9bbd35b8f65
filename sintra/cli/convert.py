"""`sintra convert`."""

from __future__ import annotations

from sintra.cli.new import write_new
from sintra.cli.options import (
    JsonOption,
    LogArgument,
    OutputOption,
    QuietOption,
)
from sintra.reader import read_log


def convert(
    log_: LogArgument, output: OutputOption = None, quiet: QuietOption = False, json: JsonOption = False
) -> None:
    """Write a log of an older format in today's.

    A log of today's format comes out with the same events, every line as `sintra` writes it:
    compact, its keys in order.

    \b
    sintra convert game.log > today.log
    """
    write_new(read_log(log_, convert=True), output, quiet, json)
