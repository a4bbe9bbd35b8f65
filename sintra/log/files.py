"""Reading files: logs, also while others write to them, component files, and standard input."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sintra.errors import Conflict, DamagedLog, Unreadable, UsageError
from sintra.log import limits
from sintra.log.lines import whole_lines
from sintra.log.locking import unlock, wait_for_writer
from sintra.text import reason

if TYPE_CHECKING:
    from os import PathLike

Pause = Callable[[], bool]
"""Called at the end of a file that is followed; returns True to look for more lines."""


def read(path: str | PathLike[str], pause: Pause | None = None) -> Iterator[bytes]:
    """Yield a log in blocks of whole lines (`-`: standard input). With `pause`, follow it as it grows."""
    return whole_lines(raw(path, pause))


def raw(path: str | PathLike[str], pause: Pause | None = None) -> Iterator[bytes]:
    """Yield the bytes of a file, in whole lines or not; `-` is standard input.

    Reading stops in a line that is far over the limit: callers reject it.
    """
    if path == "-":
        _need_input()
        yield from iter(lambda: read_fd(0), b"")
        return
    fd = open_fd(path, os.O_RDONLY)
    try:
        yield from _chunks_for_reading(fd, shown(path), pause and _following(fd, path, pause))
    except Unreadable as error:
        raise Unreadable(str(error).replace("can't read:", f"can't read {shown(path)}:", 1)) from None
    finally:
        with suppress(OSError):  # everything has been read
            os.close(fd)


def _chunks_for_reading(fd: int, name: str, pause: Pause | None) -> Iterator[bytes]:
    """Return the bytes of an open file, pipe or device, in chunks."""
    regular = stat.S_ISREG(stat_fd(fd).st_mode)
    return _shared(fd, name, pause) if regular else iter(lambda: read_fd(fd), b"")


def _shared(fd: int, name: str, pause: Pause | None) -> Iterator[bytes]:
    """Yield the bytes of a file that others may be writing to, waiting for half-written lines.

    A writer holds the lock until its line is whole, or removed again. A half-written line is read again from
    its start, and the line before it must still be there: the remains of a failed write are never joined with
    what replaced them. The file does not end while `pause` returns True.
    """
    start, last, size, waited = 0, b"", limits.READ_BYTES, False
    while True:
        data = read_fd(fd, size, start)
        if waited:
            unlock(fd)  # do not block writers while the lines are in use
        if not data.startswith(last):
            raise Conflict(f"{name} changed while it was being read")
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
            wait_for_writer(fd)
            waited = True
        elif pause is not None and len(data) == len(last) and pause():
            waited = False
        else:
            yield data[end:]
            return


def _following(fd: int, path: str | PathLike[str], pause: Pause) -> Pause:
    """Return a pause that raises Conflict once the file is read and its path leads to another file."""
    same = True

    def again() -> bool:
        nonlocal same
        if not pause():
            return False
        if not same:
            raise Conflict(f"{shown(path)} was replaced or deleted while it was being read")
        try:
            same = os.path.samestat(os.stat(path), stat_fd(fd))
        except (FileNotFoundError, NotADirectoryError):
            same = False
        except OSError as error:
            raise Unreadable(f"can't read: {reason(error)}") from None
        return True

    return again


def open_fd(path: str | PathLike[str], flags: int) -> int:
    """Open a file, or raise Unreadable."""
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
    """Return the status of an open file."""
    try:
        return os.fstat(fd)
    except OSError as error:
        raise Unreadable(f"can't read: {reason(error)}") from None


def read_fd(fd: int, size: int | None = None, start: int | None = None) -> bytes:
    """Return the next bytes of an open file, or those at `start`."""
    try:
        size = limits.READ_BYTES if size is None else size
        return os.read(fd, size) if start is None else os.pread(fd, size, start)
    except OSError as error:
        raise Unreadable(f"can't read: {reason(error)}") from None


def read_steps() -> str:
    """Return the text on standard input."""
    _need_input()
    data = b""
    while len(data) <= limits.MAX_STEPS_BYTES and (more := read_fd(0)):
        data += more
    if len(data) > limits.MAX_STEPS_BYTES:
        raise UsageError(f"more than {limits.MAX_STEPS_BYTES} bytes of steps on standard input")
    return data.decode("utf-8", "replace")


def step_lines() -> Iterator[str]:
    """Yield the lines on standard input as they arrive."""
    _need_input()
    rest = b""
    while more := read_fd(0):
        *lines, rest = (rest + more).split(b"\n")
        yield from (line.decode("utf-8", "replace") for line in lines)
        if len(rest) > limits.MAX_STEPS_BYTES:
            raise UsageError(f"more than {limits.MAX_STEPS_BYTES} bytes in a line on standard input")
    if rest:
        yield rest.decode("utf-8", "replace")


def input_is_a_terminal() -> bool:
    """Return True if standard input is a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


def input_is_piped() -> bool:
    """Return True if standard input is a file or a pipe."""
    return sys.stdin is not None and not input_is_a_terminal()


def _need_input() -> None:
    if sys.stdin is None:
        raise Unreadable("can't read standard input: it is closed")


def read_components(path: str | PathLike[str]) -> Mapping[str, Any]:
    """Return the contents of a component file: TOML if its name ends in .toml, else JSON."""
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
        raise UsageError(f"components: {shown(path)} is longer than {limits.MAX_COMPONENTS_BYTES} bytes")
    try:
        if os.fspath(path).endswith(".toml"):
            import tomllib

            for number, line in enumerate(data.splitlines(), 1):
                if line.count(b".") > limits.MAX_KEY_DOTS:
                    raise ValueError(f"line {number} has more than {limits.MAX_KEY_DOTS} dots")
            found = tomllib.loads(data.decode())
        else:
            import msgspec

            found = msgspec.json.decode(data)
        if _deeper(found, limits.MAX_COMPONENTS_DEPTH):
            raise RecursionError
    except RecursionError:
        raise UsageError(f"components: {shown(path)} is not valid: nested too deeply") from None
    except ValueError as error:  # from either decoder, or not UTF-8
        raise UsageError(f"components: {shown(path)} is not valid: {error}") from None
    if not isinstance(found, dict):
        raise UsageError(f"components: {shown(path)} is not valid: expected an object")
    return found


def _deeper(value: object, depth: int) -> bool:
    """Return True if lists and objects are nested deeper than that."""
    level = [value]
    for _ in range(depth):
        lists = [[*one.values()] if isinstance(one, dict) else one for one in level]
        level = [part for one in lists if isinstance(one, list) for part in one]
    return any(isinstance(one, dict | list) for one in level)


def discard(fd: int) -> None:
    """Redirect a descriptor to the null device."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, fd)
    os.close(nowhere)


def named(path: str | PathLike[str]) -> str:
    """Return what errors call a log: its file name, or standard input."""
    return "standard input" if path == "-" else shown(path)


def shown(path: str | PathLike[str]) -> str:
    """Return a path as printable text."""
    return os.fspath(path).encode("utf-8", "backslashreplace").decode() or "''"


def read_whole(path: str | PathLike[str]) -> bytes:
    """Return all bytes of a file, up to the size of a log."""
    return joined(raw(path))


def read_owned(path: str, folder: str) -> bytes:
    """Return all bytes of a file in a folder that one program keeps.

    Raise Unreadable, without blocking, if it is not a regular file, or a link leads elsewhere.
    """
    check_inside(path, folder)
    fd = open_fd(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if not stat.S_ISREG(stat_fd(fd).st_mode):
            raise Unreadable(f"can't use {shown(path)}: not a regular file")
        return joined(iter(lambda: read_fd(fd), b""))
    except Unreadable as error:
        raise Unreadable(str(error).replace("can't read:", f"can't read {shown(path)}:", 1)) from None
    finally:
        os.close(fd)


def check_inside(path: str, folder: str) -> None:
    """Raise Unreadable if a file in a folder is a link, or one leads out of the folder."""
    above = os.path.relpath(os.path.dirname(path), folder)
    real = os.path.normpath(os.path.join(os.path.realpath(folder), above))
    if os.path.islink(path) or os.path.realpath(os.path.dirname(path)) != real:
        raise Unreadable(f"can't use {shown(path)}: it is behind a link")


def joined(chunks: Iterable[bytes]) -> bytes:
    """Return chunks as one, up to the size of a log."""
    data = b""
    for chunk in chunks:
        data += chunk
        if len(data) > limits.MAX_LOG_BYTES:
            raise Unreadable(f"the file is longer than {limits.MAX_LOG_BYTES} bytes")
    return data
