"""Splitting the bytes of a log into whole lines, within the limits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
    rest = b""
    done = 0
    lines = 0
    for data in chunks:
        cut = data.rfind(b"\n") + 1
        if cut:
            block = rest + data[:cut]
            rest = data[cut:]
            done += len(block)
            if done > limits.MAX_LOG_BYTES:
                lines += block.count(b"\n", 0, len(block) - (done - limits.MAX_LOG_BYTES))
                raise DamagedLog(f"the log is longer than {limits.MAX_LOG_BYTES} bytes", lines + 1)
            lines += block.count(b"\n")
            yield block
        else:
            rest += data
        if len(rest) > limits.MAX_LINE_BYTES:
            raise too_long(lines + 1)
    if rest:
        place = f"{plural(len(rest), 'byte')} from byte {before + done + 1} on, without a newline"
        hint = "; `sintra repair` removes it" if lines or begins(rest) else ""
        raise DamagedLog(f"the last line is torn: {place}{hint}", lines + 1)
    if not lines:
        raise DamagedLog("the log is empty")


def begins(line: bytes) -> bool:
    """Return True if a torn first line may be the start of a log."""
    compact = b"".join(line.split())
    return b"\r" not in line and (compact.startswith(BEGINNING) or BEGINNING.startswith(compact))


def check_size(size: int) -> None:
    """Raise Unreadable if a log of this size could not be read."""
    if size > limits.MAX_LOG_BYTES:
        raise Unreadable(f"a log may have at most {limits.MAX_LOG_BYTES} bytes; nothing was written")


def too_long(line: int) -> DamagedLog:
    """Return the error for a line over the limit."""
    return DamagedLog(f"the line is longer than {limits.MAX_LINE_BYTES} bytes", line)
