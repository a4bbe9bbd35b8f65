"""Files: the only module that opens them.

Reading goes block by block, each block whole lines, so that memory does not grow with a file. Writing
appends whole lines in one write under a lock, or puts the file back as it was.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from io import RawIOBase
from typing import TYPE_CHECKING, Any

from sintra.errors import Conflict, DamagedLog, Unreadable, UsageError

if TYPE_CHECKING:
    from os import PathLike

MAX_LINE = 1 << 16
"""A line of a log has at most so many bytes."""
MAX_TABLE_FILE = 1 << 20
"""A component file has at most so many bytes."""
MAX_STEPS = 1 << 20
"""Steps on standard input have at most so many bytes."""
BLOCK = 1 << 18


# -- Reading ---------------------------------------------------------------------------------


def read(path: str | PathLike[str]) -> Iterator[bytes]:
    """The lines of a log, in blocks of whole lines; `-` is standard input."""
    if path == "-":
        _need_input()
        yield from _blocks(0)
        return
    fd = _open(path, os.O_RDONLY)
    try:
        yield from _whole_lines(_chunks_for_reading(fd))
    finally:
        os.close(fd)


def _chunks_for_reading(fd: int) -> Iterator[bytes]:
    """The bytes of a file that others may be writing to: a half-written line is waited for.

    A writer holds the lock until its line is whole, or is cut off again.
    """
    ends_whole = True
    while data := _read(fd):
        ends_whole = data.endswith(b"\n")
        yield data
    if ends_whole or not stat.S_ISREG(os.fstat(fd).st_mode):
        return
    with suppress(OSError):  # a file system without locks: then the line counts as it was read
        fcntl.flock(fd, fcntl.LOCK_SH)
    while data := _read(fd):
        yield data


def _open(path: str | PathLike[str], flags: int) -> int:
    """Open a log, or say why it can't be opened."""
    try:
        fd = os.open(path, flags | os.O_CLOEXEC)
    except OSError as error:
        raise Unreadable(f"can't open {_shown(path)}: {_reason(error)}") from None
    except ValueError:  # a NUL in the name
        raise Unreadable(f"can't open {_shown(path)}: no such file") from None
    if stat.S_ISDIR(os.fstat(fd).st_mode):
        os.close(fd)
        raise Unreadable(f"can't open {_shown(path)}: is a directory")
    return fd


def split(data: bytes) -> Iterator[bytes]:
    """The lines of a log that is in memory already."""
    return _whole_lines(data[start : start + BLOCK] for start in range(0, len(data), BLOCK))


def _blocks(fd: int) -> Iterator[bytes]:
    """The lines of an open file."""
    return _whole_lines(iter(lambda: _read(fd), b""))


def _read(fd: int) -> bytes:
    try:
        return os.read(fd, BLOCK)
    except OSError as error:
        raise Unreadable(f"can't read: {_reason(error)}") from None


def _whole_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Blocks of whole lines; DamagedLog at a line without an end."""
    rest = b""
    done = 0
    lines = 0
    for data in chunks:
        cut = data.rfind(b"\n") + 1
        if cut:
            block = rest + data[:cut]
            rest = data[cut:]
            lines += block.count(b"\n")
            done += len(block)
            yield block
        else:
            rest += data
        if len(rest) > MAX_LINE:
            raise too_long(lines + 1)
    if rest:
        raise DamagedLog(
            f"the last line is torn: it has {len(rest)} bytes from byte {done + 1} on, and no end; "
            "`sintra repair` cuts it off",
            lines + 1,
        )
    if not lines:
        raise DamagedLog("the log is empty")


def too_long(line: int) -> DamagedLog:
    """A line that is longer than any event can be."""
    return DamagedLog(f"the line is longer than {MAX_LINE} bytes", line)


def read_steps() -> str:
    """What a person or a program types on standard input, as text."""
    _need_input()
    data = b""
    while len(data) <= MAX_STEPS and (more := os.read(0, BLOCK)):
        data += more
    if len(data) > MAX_STEPS:
        raise UsageError(f"more than {MAX_STEPS} bytes of steps on standard input")
    return data.decode("utf-8", "replace")


def input_is_a_terminal() -> bool:
    """Whether a person types standard input."""
    return sys.stdin is not None and sys.stdin.isatty()


def _need_input() -> None:
    if sys.stdin is None:
        raise Unreadable("can't read: standard input is closed")


def read_table(path: str | PathLike[str]) -> Mapping[str, Any]:
    """A component file, JSON or TOML by its name."""
    try:
        fd = _open(path, os.O_RDONLY)
        try:
            with os.fdopen(fd, "rb", closefd=False) as file:
                data = file.read(MAX_TABLE_FILE + 1)
        finally:
            os.close(fd)
    except DamagedLog as error:
        raise UsageError(f"components: {error}") from None
    except OSError as error:
        raise UsageError(f"components: can't read {_shown(path)}: {_reason(error)}") from None
    if len(data) > MAX_TABLE_FILE:
        raise UsageError(f"components: {_shown(path)} has more than {MAX_TABLE_FILE} bytes")
    try:
        if os.fspath(path).endswith(".toml"):
            import tomllib

            return tomllib.loads(data.decode())
        import msgspec

        return msgspec.json.decode(data, type=dict[str, Any])
    except (ValueError, RecursionError) as error:  # both decoders' errors, and text that is not UTF-8
        raise UsageError(f"components: {_shown(path)} is not readable: {error}") from None


def discard(fd: int) -> None:
    """Let everything that is still written to an open file go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, fd)
    os.close(nowhere)


# -- Writing ---------------------------------------------------------------------------------


class Appender:
    """A log that is open for one command, locked: read it, then append to it once.

    `sync=False` leaves it to the system when the lines reach the disk; `wait=True` waits for the lock.
    """

    def __init__(self, path: str | PathLike[str], *, sync: bool = True, wait: bool = False) -> None:
        self.path = path
        self.sync = sync
        self.wait = wait

    def __enter__(self) -> Appender:
        self._fd = _open(self.path, os.O_RDWR | os.O_APPEND)
        try:
            if not stat.S_ISREG(os.fstat(self._fd).st_mode):
                raise Unreadable(f"can't append to {_shown(self.path)}: it is no ordinary file")
            self._lock()
            self._size = os.fstat(self._fd).st_size
        except BaseException:
            os.close(self._fd)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._fd)  # gives the lock back, too

    def _lock(self) -> None:
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX if self.wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Conflict(f"{_shown(self.path)} is locked: another program is writing to it") from None
        except OSError as error:
            raise Unreadable(f"can't lock {_shown(self.path)}: {_reason(error)}") from None

    def read(self) -> Iterator[bytes]:
        """The lines of the log, in blocks of whole lines."""
        return _blocks(self._fd)

    def _put_back(self) -> str:
        """Cut off what a failed write left behind; says how the log is now."""
        try:
            os.ftruncate(self._fd, self._size)
        except OSError:
            return "its last line may be torn, which `sintra repair` cuts off"
        return "the log is as it was"

    def torn_bytes(self) -> int:
        """How many bytes come after the last line's end."""
        torn = 0
        while torn < self._size:
            step = min(BLOCK, self._size - torn)
            data = os.pread(self._fd, step, self._size - torn - step)
            at = data.rfind(b"\n")
            if at >= 0:
                return torn + step - at - 1
            torn += step
        return torn

    def cut(self, count: int) -> None:
        """Take so many bytes off the end."""
        try:
            os.ftruncate(self._fd, self._size - count)
            os.fsync(self._fd)
        except OSError as error:
            raise Unreadable(f"can't write to {_shown(self.path)}: {_reason(error)}") from None
        self._size -= count

    def append(self, lines: bytes) -> None:
        """Add whole lines in one write; if that fails, the log is left exactly as it was."""
        if os.fstat(self._fd).st_size != self._size:
            raise Conflict(f"{_shown(self.path)} changed while it was read")
        try:
            written = os.write(self._fd, lines)
            if written < len(lines):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            if self.sync:
                os.fsync(self._fd)
        except OSError as error:
            state = self._put_back()
            raise Unreadable(f"can't write to {_shown(self.path)}: {_reason(error)}; {state}") from None
        self._size += len(lines)


def repair(path: str | PathLike[str]) -> tuple[int, str | None]:
    """Cut a torn last line off, after a backup was made; how many bytes that was, and where the backup is."""
    with Appender(path, wait=True) as file:
        torn = file.torn_bytes()
        if not torn:
            return 0, None
        backup = _backup(path)
        file.cut(torn)
        return torn, backup


def _backup(path: str | PathLike[str]) -> str:
    """A copy of a file beside it, under a name that is free."""
    with open(path, "rb") as file:
        data = file.read()
    number = 0
    while True:
        name = f"{os.fspath(path)}.bak{number or ''}"
        try:
            create(name, data)
        except Conflict:
            number += 1
        else:
            return name


def create(path: str | PathLike[str], data: bytes) -> None:
    """Write a new file, whole or not at all; never overwrites one."""
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    except FileExistsError:
        raise Conflict(f"{_shown(path)} exists already, and is left as it is") from None
    except (OSError, ValueError) as error:
        raise Unreadable(f"can't create {_shown(path)}: {_reason(error)}") from None
    try:
        with os.fdopen(fd, "wb", buffering=0) as file:
            _write_all(file, data)
            os.fsync(fd)
        _sync_folder(path)
    except OSError as error:
        os.unlink(path)
        raise Unreadable(f"can't write {_shown(path)}: {_reason(error)}; no file was left behind") from None


def _sync_folder(path: str | PathLike[str]) -> None:
    """Let the folder remember a new file, where the system can do that."""
    with suppress(OSError):
        folder = os.open(os.path.dirname(os.fspath(path)) or ".", os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _write_all(file: RawIOBase, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[file.write(view) or 0 :]


def _reason(error: Exception) -> str:
    """What the system said, in its own few words."""
    text = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
    return text[0].lower() + text[1:]


def _shown(path: str | PathLike[str]) -> str:
    """A file's name as it may be printed."""
    return os.fspath(path).encode("utf-8", "backslashreplace").decode()
