"""`sintra repair`."""

from __future__ import annotations

import os

from sintra import api
from sintra.cli.options import (
    FileArgument,
    JsonOption,
    QuietOption,
)
from sintra.cli.output import answering, say, say_json
from sintra.errors import UsageError
from sintra.text import plural, safe


def repair(log_: FileArgument, quiet: QuietOption = False, json: JsonOption = False) -> None:
    """Cut off a torn last line; keep a backup.

    A log whose writing was interrupted ends in the middle of a line. The original file is kept as
    LOG.bak. Other damage is left alone (`verify` reports it), and so are files that are not logs.

    \b
    sintra repair game.log
    """
    if log_ == "-":
        raise UsageError("repair needs a file, not standard input")
    found = api.repair(log_)
    if quiet:
        return
    done = "no line is torn"
    if found.torn:
        left = "" if os.path.getsize(log_) else "; nothing is left of the log"
        done = f"cut off {plural(found.bytes, 'byte')} of a torn line; the original is {found.backup}{left}"
    with answering(done):
        if json:
            say_json(found)
        else:
            say(safe(f"{log_}: {done}"))
