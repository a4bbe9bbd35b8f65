"""`sintra convert`."""

from __future__ import annotations

from sintra.cli.new import write_new
from sintra.cli.options import (
    JsonOption,
    LogArgument,
    OutputOption,
    QuietOption,
)
from sintra.log import files
from sintra.reader import read_game


def convert(
    log_: LogArgument, output: OutputOption = None, quiet: QuietOption = False, json: JsonOption = False
) -> None:
    """Write a log of an older format in today's.

    A log of today's format comes out with the same events, every line as `sintra` writes it:
    compact, its keys in order.

    \b
    sintra convert game.log > today.log
    """
    from sintra.log.formats import converted

    game = read_game(converted(files.read(log_)))  # what comes out is a log, or nothing comes out
    write_new(game, output, quiet, json)
