"""log.files"""

from __future__ import annotations

import fcntl
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sintra.errors import Conflict, DamagedLog, Unreadable, UsageError
from sintra.log import limits
from sintra.text import reason

if TYPE_CHECKING:
    from os import PathLike
from sintra.log.lines import whole_lines

Pause = Callable[[], bool]


# -- Reading ---------------------------------------------------------------------------------


def read(path: str | PathLike[str], pause: Pause | None = None) -> Iterator[bytes]:
    """The lines of a log, in blocks of whole lines; `-` is standard input.

    With `pause`, a file is followed: that is called at its end, over and over, and says whether to look again
    for lines that others added.
    """
    return whole_lines(raw(path, pause))


def raw(path: str | PathLike[str], pause: Pause | None = None) -> Iterator[bytes]:
    """The bytes of a file as they come, whole lines or not; `-` is standard input.

    Nothing comes after a line that is far too long for a log: whoever reads refuses that.
    """
    if path == "-":
        _need_input()
        yield from iter(lambda: read_fd(0), b"")
        return
    fd = open_fd(path, os.O_RDONLY)
    try:
        yield from _chunks_for_reading(fd, pause and _following(fd, path, pause))
    except Unreadable as error:
        raise Unreadable(str(error).replace("can't read:", f"can't read {shown(path)}:", 1)) from None
    finally:
        with suppress(OSError):  # all that was wanted is read
            os.close(fd)


def _chunks_for_reading(fd: int, pause: Pause | None = None) -> Iterator[bytes]:
    """The bytes of an open file, or of something else that can be read."""
    ordinary = stat.S_ISREG(stat_fd(fd).st_mode)
    return _shared(fd, pause) if ordinary else iter(lambda: read_fd(fd), b"")


def _shared(fd: int, pause: Pause | None = None) -> Iterator[bytes]:
    """The bytes of a file that others may be writing to: a half-written line is waited for.

    A writer holds the lock until its line is whole, or is cut off again. A line that was half there is read
    anew from its start, and the line before it has to be there still: what a failed write left for a
    moment is never joined with what came in its place. The file has no end while `pause` says so.
    """
    start, last, size, waited = 0, b"", limits.READ_BYTES, False
    while True:
        data = read_fd(fd, size, start)
        if waited:
            with suppress(OSError):
                fcntl.flock(fd, fcntl.LOCK_UN)  # what is done with the lines keeps no writer waiting
        if not data.startswith(last):
            raise Conflict("the log changed while it was read")
        end = data.rfind(b"\n") + 1
        if end > len(last):
            waited = False
            yield data[len(last) : end]
            last = data[data.rfind(b"\n", 0, end - 1) + 1 : end]
            start += end - len(last)
            size = limits.READ_BYTES + len(last)
        elif len(data) == size <= limits.READ_BYTES + limits.MAX_LINE_BYTES:
            size *= 2  # a long line
        elif end < len(data) < size and not waited:
            with suppress(OSError):  # a file system without locks: then the line counts as it was read
                fcntl.flock(fd, fcntl.LOCK_SH)
            waited = True
        elif pause is not None and len(data) == len(last) and pause():
            waited = False
        else:
            yield data[end:]
            return


def _following(fd: int, path: str | PathLike[str], pause: Pause) -> Pause:
    """A pause for an open file: Conflict when all was read and its name does not stand for it any more."""
    same = True

    def again() -> bool:
        nonlocal same
        if not pause():
            return False
        if not same:
            raise Conflict(f"{shown(path)} was replaced or deleted while it was read")
        try:
            same = os.path.samestat(os.stat(path), stat_fd(fd))
        except (FileNotFoundError, NotADirectoryError):
            same = False
        except OSError as error:
            raise Unreadable(f"can't read: {reason(error)}") from None
        return True

    return again


def open_fd(path: str | PathLike[str], flags: int) -> int:
    """Open a log, or say why it can't be opened."""
    try:
        fd = os.open(path, flags | os.O_CLOEXEC)
    except OSError as error:
        raise Unreadable(f"can't open {shown(path)}: {reason(error)}") from None
    except ValueError:  # a NUL in the name
        raise Unreadable(f"can't open {shown(path)}: no such file") from None
    try:
        if stat.S_ISDIR(stat_fd(fd).st_mode):
            raise Unreadable(f"can't open {shown(path)}: is a directory")
    except BaseException:
        os.close(fd)
        raise
    return fd


def stat_fd(fd: int) -> os.stat_result:
    """Return what the system knows of an open file."""
    try:
        return os.fstat(fd)
    except OSError as error:
        raise Unreadable(f"can't read: {reason(error)}") from None


def blocks_of(fd: int) -> Iterator[bytes]:
    """The lines of an open file."""
    return whole_lines(iter(lambda: read_fd(fd), b""))


def read_fd(fd: int, size: int | None = None, start: int | None = None) -> bytes:
    """The next bytes of an open file, or those from a place on."""
    try:
        size = limits.READ_BYTES if size is None else size
        return os.read(fd, size) if start is None else os.pread(fd, size, start)
    except OSError as error:
        raise Unreadable(f"can't read: {reason(error)}") from None


def read_steps() -> str:
    """What a person or a program types on standard input, as text."""
    _need_input()
    data = b""
    while len(data) <= limits.MAX_STEPS_BYTES and (more := read_fd(0)):
        data += more
    if len(data) > limits.MAX_STEPS_BYTES:
        raise UsageError(f"more than {limits.MAX_STEPS_BYTES} bytes of steps on standard input")
    return data.decode("utf-8", "replace")


def input_is_a_terminal() -> bool:
    """Whether a person types standard input."""
    return sys.stdin is not None and sys.stdin.isatty()


def input_is_piped() -> bool:
    """Whether standard input comes from a file or a program."""
    return sys.stdin is not None and not input_is_a_terminal()


def _need_input() -> None:
    if sys.stdin is None:
        raise Unreadable("can't read: standard input is closed")


def read_table(path: str | PathLike[str]) -> Mapping[str, Any]:
    """A component file, JSON or TOML by its name."""
    try:
        fd = open_fd(path, os.O_RDONLY)
        try:
            with os.fdopen(fd, "rb", closefd=False) as file:
                data = file.read(limits.MAX_COMPONENTS_BYTES + 1)
        finally:
            os.close(fd)
    except DamagedLog as error:
        raise UsageError(f"components: {error}") from None
    except OSError as error:
        raise UsageError(f"components: can't read {shown(path)}: {reason(error)}") from None
    if len(data) > limits.MAX_COMPONENTS_BYTES:
        raise UsageError(f"components: {shown(path)} has more than {limits.MAX_COMPONENTS_BYTES} bytes")
    try:
        if os.fspath(path).endswith(".toml"):
            import tomllib

            for number, line in enumerate(data.splitlines(), 1):
                if line.count(b".") > limits.MAX_KEY_DOTS:
                    raise ValueError(f"line {number} has more than {limits.MAX_KEY_DOTS} dots")
            return tomllib.loads(data.decode())
        import msgspec

        found = msgspec.json.decode(data)
    except (ValueError, RecursionError) as error:  # both decoders' errors, and text that is not UTF-8
        raise UsageError(f"components: {shown(path)} is not readable: {error}") from None
    if not isinstance(found, dict):
        raise UsageError(f"components: {shown(path)} is not readable: it is no object")
    return found


def discard(fd: int) -> None:
    """Let everything that is still written to an open file go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, fd)
    os.close(nowhere)


def shown(path: str | PathLike[str]) -> str:
    """A file's name as it may be printed."""
    return os.fspath(path).encode("utf-8", "backslashreplace").decode()


# -- Many files ------------------------------------------------------------------------------


def read_whole(path: str | PathLike[str]) -> bytes:
    """All bytes of a file, which are no more than a log may have."""
    return joined(raw(path))


def joined(chunks: Iterable[bytes]) -> bytes:
    """Return all chunks as one, no more than a log may have."""
    data = b""
    for chunk in chunks:
        data += chunk
        if len(data) > limits.MAX_LOG_BYTES:
            raise Unreadable(f"a file of ours has at most {limits.MAX_LOG_BYTES} bytes")
    return data
