"""A log's bytes cut into whole lines, and the limits of what is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from sintra.errors import DamagedLog, Unreadable
from sintra.log import limits
from sintra.text import plural

if TYPE_CHECKING:
    pass

BEGINNING = b'{"type":"created"'
"""What the first line of a log begins with, blanks aside; after it, a line may be torn."""


def split(data: bytes, before: int = 0) -> Iterator[bytes]:
    """The lines of a log that is in memory already; in its file, so many bytes come before it."""
    return whole_lines(
        (data[start : start + limits.READ_BYTES] for start in range(0, len(data), limits.READ_BYTES)), before
    )


def whole_lines(chunks: Iterable[bytes], before: int = 0) -> Iterator[bytes]:
    """Blocks of whole lines; DamagedLog at a line without an end."""
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
        place = f"it has {plural(len(rest), 'byte')} from byte {before + done + 1} on, and no end"
        hint = "; `sintra repair` cuts it off" if lines or begins(rest) else ""
        raise DamagedLog(f"the last line is torn: {place}{hint}", lines + 1)
    if not lines:
        raise DamagedLog("the log is empty")


def begins(line: bytes) -> bool:
    """Whether a torn first line may be the beginning of a log's."""
    compact = b"".join(line.split())
    return b"\r" not in line and (compact.startswith(BEGINNING) or BEGINNING.startswith(compact))


def check_size(size: int) -> None:
    """Unreadable if a log would have more bytes than anybody reads."""
    if size > limits.MAX_LOG_BYTES:
        raise Unreadable(f"a log has at most {limits.MAX_LOG_BYTES} bytes; nothing was written")


def too_long(line: int) -> DamagedLog:
    """A line that is longer than any event can be."""
    return DamagedLog(f"the line is longer than {limits.MAX_LINE_BYTES} bytes", line)
