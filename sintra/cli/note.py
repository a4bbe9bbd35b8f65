"""`sintra note`."""

from __future__ import annotations

from typing import Annotated

from sintra.cli.advance import advance
from sintra.cli.options import (
    Argument,
    ExpectOption,
    JsonOption,
    LogArgument,
    QuietOption,
    SyncOption,
    WaitOption,
)


def note(
    log_: LogArgument,
    text: Annotated[list[str], Argument(metavar="TEXT", help="The remark.")],
    expect: ExpectOption = None,
    wait: WaitOption = False,
    sync: SyncOption = True,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Add a remark to the log; it does not affect the game.

    \b
    sintra note game.log "Ada thought for a long time"
    """
    advance(log_, lambda game: game.note(" ".join(text)), expect, wait, sync, quiet, json)
