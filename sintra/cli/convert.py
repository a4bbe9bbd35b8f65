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
    """Convert a log of an older format, or of older rules.

    A current log keeps its events, each line as `sintra` writes it: compact, with its keys in order.

    \b
    sintra convert game.log > today.log
    """
    write_new(read_log(log_, convert=True), output, quiet, json)
