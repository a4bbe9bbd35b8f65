"""`sintra undo`."""

from __future__ import annotations

from typing import Annotated

from sintra.cli.advance import advance
from sintra.cli.options import (
    ExpectOption,
    JsonOption,
    LogArgument,
    Option,
    QuietOption,
    SyncOption,
    WaitOption,
)


def undo(
    log_: LogArgument,
    steps: Annotated[
        int, Option("--steps", "-n", help="Number of steps to take back.", min=1, metavar="N")
    ] = 1,
    expect: ExpectOption = None,
    wait: WaitOption = False,
    sync: SyncOption = True,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Take back the last step, and everything that followed from it.

    Nothing is deleted: an event is appended that says how many events no longer count.

    \b
    sintra undo game.log
    sintra undo game.log -n 1 --json
    """
    advance(log_, lambda game: game.undo(steps), expect, wait, sync, quiet, json)
