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
    """Cut a torn last line off a log, with a backup.

    A log whose writing was interrupted ends in the middle of a line. The whole file is kept as
    LOG.bak; every other damage is left alone, and `verify` names it. What is no log is not touched.

    \b
    sintra repair game.log
    """
    if log_ == "-":
        raise UsageError("only a file can be repaired")
    found = api.repair(log_)
    if quiet:
        return
    done = "no line is torn"
    if found.torn:
        left = "" if os.path.getsize(log_) else ", and nothing is left of the log"
        done = f"{plural(found.bytes, 'byte')} of a torn line cut off; {found.backup} is as it was{left}"
    with answering(done):
        if json:
            say_json(found)
        else:
            say(safe(f"{log_}: {done}"))
