"""Splitting the bytes of a log into whole lines, within the limits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from sintra.errors import DamagedLog, Unreadable
from sintra.log import limits
from sintra.text import plural

BEGINNING = b'{"type":"created"'
"""The start of the first line of every log, without blanks."""


def split(data: bytes, before: int = 0) -> Iterator[bytes]:
    """Yield blocks of whole lines of a log in memory, which starts `before` bytes into its file."""
    return whole_lines(
        (data[start : start + limits.READ_BYTES] for start in range(0, len(data), limits.READ_BYTES)), before
    )


def whole_lines(chunks: Iterable[bytes], before: int = 0) -> Iterator[bytes]:
    """Yield blocks of whole lines. Raise DamagedLog if the last line is torn."""
    rest = block = b""
    done = 0
    lines = 0  # before the last block: its own lines are only counted when needed
    for data in chunks:
        lines += block.count(b"\n")
        block = b""
        cut = data.rfind(b"\n") + 1
        if cut:
            block = rest + data[:cut]
            rest = data[cut:]
            done += len(block)
            if done > limits.MAX_LOG_BYTES:
                lines += block.count(b"\n", 0, len(block) - (done - limits.MAX_LOG_BYTES))
                raise DamagedLog(f"the log is longer than {limits.MAX_LOG_BYTES} bytes", lines + 1)
            yield block
        else:
            rest += data
        if len(rest) > limits.MAX_LINE_BYTES:
            raise too_long(lines + block.count(b"\n") + 1)
    if rest:
        lines += block.count(b"\n")
        place = f"{plural(len(rest), 'byte')} from byte {before + done + 1} on, without a newline"
        hint = "; `sintra repair` removes it" if lines or begins(rest) else ""
        raise DamagedLog(f"the last line is torn: {place}{hint}", lines + 1)
    if not done:
        raise DamagedLog("the log is empty")


def begins(line: bytes) -> bool:
    """Return True if a torn first line may be the start of a log."""
    compact = b"".join(line.split())
    return b"\r" not in line and (compact.startswith(BEGINNING) or BEGINNING.startswith(compact))


def is_json(line: bytes) -> bool:
    """Return True if a line is a complete JSON value, event or not."""
    try:
        msgspec.json.decode(line)
    except (ValueError, RecursionError):
        return False
    return True


def check_size(size: int, most: int | None = None) -> None:
    """Raise Unreadable if a file of this size is too large to read: a log, unless `most` is given."""
    most = limits.MAX_LOG_BYTES if most is None else most
    if size > most:
        raise Unreadable(f"a log may have at most {most} bytes; nothing was written")


def too_long(line: int | None) -> DamagedLog:
    """Return the error for a line over the limit."""
    return DamagedLog(f"the line is longer than {limits.MAX_LINE_BYTES} bytes", line)
