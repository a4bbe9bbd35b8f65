"""`sintra repair`."""

from __future__ import annotations

import os

import msgspec

from sintra.cli.answers import RepairAnswer
from sintra.cli.options import (
    FileArgument,
    JsonOption,
    QuietOption,
)
from sintra.cli.output import answering, say, say_json
from sintra.errors import DamagedLog, UsageError
from sintra.log import files, limits, writing
from sintra.log.codec import decode_created
from sintra.log.lines import begins, too_long
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
    begun = _has_first_line(log_)
    torn, backup = writing.repair(log_)
    if quiet:
        return
    done = "no line is torn"
    if torn:
        left = "" if begun else ", and nothing is left of the log"
        done = f"{plural(torn, 'byte')} of a torn line cut off; {backup} is as it was{left}"
    with answering(done):
        if json:
            say_json(RepairAnswer(log_, torn > 0, torn, backup))
        else:
            say(safe(f"{log_}: {done}"))


def _has_first_line(path: str) -> bool:
    """Whether a log has its whole first line.

    Only a log is cut, and none of the future: that line tells, as far as it is there.
    """
    if not os.path.isfile(path):  # nothing else is repaired, or waited for
        return False
    first, end, _ = next(files.raw(path), b"").partition(b"\n")
    if len(first) > limits.MAX_LINE_BYTES:
        raise too_long(1)
    if end or _is_whole(first):
        decode_created(first)
        return bool(end)
    if not begins(first):
        raise DamagedLog("this does not begin as a log does, and is left as it is", 1)
    return False


def _is_whole(line: bytes) -> bool:
    """Whether a line without an end is a whole value all the same."""
    try:
        msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True
