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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sintra.errors import Conflict, DamagedLog, Unreadable, UsageError
from sintra.words import plural, reason

if TYPE_CHECKING:
    from os import PathLike

MAX_LINE = 1 << 16
"""A line of a log has at most so many bytes."""
MAX_LOG = 1 << 25
"""A log has at most so many bytes: some half a million events. A game has a few hundred."""
MAX_TABLE_FILE = 1 << 20
"""A component file has at most so many bytes."""
MAX_DOTS = 100
"""A line of a component file in TOML has at most so many dots: a key of many parts costs their square."""
MAX_STEPS = 1 << 20
"""Steps on standard input have at most so many bytes."""
BEGINNING = b'{"type":"created"'
"""What the first line of a log begins with, blanks aside; after it, a line may be torn."""
BLOCK = 1 << 18
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
_DRAFT = ".sintra-"
Pause = Callable[[], bool]
_NO_FOLDER_SYNC = (errno.EINVAL, errno.EACCES, errno.EPERM, errno.ENOTSUP, errno.EBADF)
"""What a system says that can't sync folders, or lets nobody read this one."""


# -- Reading ---------------------------------------------------------------------------------


def read(path: str | PathLike[str], pause: Pause | None = None) -> Iterator[bytes]:
    """The lines of a log, in blocks of whole lines; `-` is standard input.

    With `pause`, a file is followed: that is called at its end, over and over, and says whether to look again
    for lines that others added.
    """
    return _whole_lines(raw(path, pause))


def raw(path: str | PathLike[str], pause: Pause | None = None) -> Iterator[bytes]:
    """The bytes of a file as they come, whole lines or not; `-` is standard input.

    Nothing comes after a line that is far too long for a log: whoever reads refuses that.
    """
    if path == "-":
        _need_input()
        yield from iter(lambda: _read(0), b"")
        return
    fd = _open(path, os.O_RDONLY)
    try:
        yield from _chunks_for_reading(fd, pause and _following(fd, path, pause))
    except Unreadable as error:
        raise Unreadable(str(error).replace("can't read:", f"can't read {_shown(path)}:", 1)) from None
    finally:
        with suppress(OSError):  # all that was wanted is read
            os.close(fd)


def _chunks_for_reading(fd: int, pause: Pause | None = None) -> Iterator[bytes]:
    """The bytes of an open file, or of something else that can be read."""
    ordinary = stat.S_ISREG(_stat(fd).st_mode)
    return _shared(fd, pause) if ordinary else iter(lambda: _read(fd), b"")


def _shared(fd: int, pause: Pause | None = None) -> Iterator[bytes]:
    """The bytes of a file that others may be writing to: a half-written line is waited for.

    A writer holds the lock until its line is whole, or is cut off again. A line that was half there is read
    anew from its start, and the line before it has to be there still: what a failed write left for a
    moment is never joined with what came in its place. The file has no end while `pause` says so.
    """
    start, last, size, waited = 0, b"", BLOCK, False
    while True:
        data = _read(fd, size, start)
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
            size = BLOCK + len(last)
        elif len(data) == size <= BLOCK + MAX_LINE:
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
            raise Conflict(f"{_shown(path)} was replaced or deleted while it was read")
        try:
            same = os.path.samestat(os.stat(path), _stat(fd))
        except (FileNotFoundError, NotADirectoryError):
            same = False
        except OSError as error:
            raise Unreadable(f"can't read: {reason(error)}") from None
        return True

    return again


def _open(path: str | PathLike[str], flags: int) -> int:
    """Open a log, or say why it can't be opened."""
    try:
        fd = os.open(path, flags | os.O_CLOEXEC)
    except OSError as error:
        raise Unreadable(f"can't open {_shown(path)}: {reason(error)}") from None
    except ValueError:  # a NUL in the name
        raise Unreadable(f"can't open {_shown(path)}: no such file") from None
    try:
        if stat.S_ISDIR(_stat(fd).st_mode):
            raise Unreadable(f"can't open {_shown(path)}: is a directory")
    except BaseException:
        os.close(fd)
        raise
    return fd


def _stat(fd: int) -> os.stat_result:
    try:
        return os.fstat(fd)
    except OSError as error:
        raise Unreadable(f"can't read: {reason(error)}") from None


def split(data: bytes, before: int = 0) -> Iterator[bytes]:
    """The lines of a log that is in memory already; in its file, so many bytes come before it."""
    return _whole_lines((data[start : start + BLOCK] for start in range(0, len(data), BLOCK)), before)


def _blocks(fd: int) -> Iterator[bytes]:
    """The lines of an open file."""
    return _whole_lines(iter(lambda: _read(fd), b""))


def _read(fd: int, size: int | None = None, start: int | None = None) -> bytes:
    """The next bytes of an open file, or those from a place on."""
    try:
        size = BLOCK if size is None else size
        return os.read(fd, size) if start is None else os.pread(fd, size, start)
    except OSError as error:
        raise Unreadable(f"can't read: {reason(error)}") from None


def _whole_lines(chunks: Iterable[bytes], before: int = 0) -> Iterator[bytes]:
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
            if done > MAX_LOG:
                lines += block.count(b"\n", 0, len(block) - (done - MAX_LOG))
                raise DamagedLog(f"the log is longer than {MAX_LOG} bytes", lines + 1)
            lines += block.count(b"\n")
            yield block
        else:
            rest += data
        if len(rest) > MAX_LINE:
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
    if size > MAX_LOG:
        raise Unreadable(f"a log has at most {MAX_LOG} bytes; nothing was written")


def too_long(line: int) -> DamagedLog:
    """A line that is longer than any event can be."""
    return DamagedLog(f"the line is longer than {MAX_LINE} bytes", line)


def read_steps() -> str:
    """What a person or a program types on standard input, as text."""
    _need_input()
    data = b""
    while len(data) <= MAX_STEPS and (more := _read(0)):
        data += more
    if len(data) > MAX_STEPS:
        raise UsageError(f"more than {MAX_STEPS} bytes of steps on standard input")
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
        fd = _open(path, os.O_RDONLY)
        try:
            with os.fdopen(fd, "rb", closefd=False) as file:
                data = file.read(MAX_TABLE_FILE + 1)
        finally:
            os.close(fd)
    except DamagedLog as error:
        raise UsageError(f"components: {error}") from None
    except OSError as error:
        raise UsageError(f"components: can't read {_shown(path)}: {reason(error)}") from None
    if len(data) > MAX_TABLE_FILE:
        raise UsageError(f"components: {_shown(path)} has more than {MAX_TABLE_FILE} bytes")
    try:
        if os.fspath(path).endswith(".toml"):
            import tomllib

            for number, line in enumerate(data.splitlines(), 1):
                if line.count(b".") > MAX_DOTS:
                    raise ValueError(f"line {number} has more than {MAX_DOTS} dots")
            return tomllib.loads(data.decode())
        import msgspec

        found = msgspec.json.decode(data)
    except (ValueError, RecursionError) as error:  # both decoders' errors, and text that is not UTF-8
        raise UsageError(f"components: {_shown(path)} is not readable: {error}") from None
    if not isinstance(found, dict):
        raise UsageError(f"components: {_shown(path)} is not readable: it is no object")
    return found


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
            _check_ordinary(_stat(self._fd), self.path)
            _lock(self._fd, self.path, "another program is writing to it", wait=self.wait)
            self._file = _stat(self._fd)
            self._size = self._file.st_size
            check_size(self._size)
        except BaseException:
            os.close(self._fd)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            os.close(self._fd)  # gives the lock back, too
        except OSError as error:  # some file systems write only now
            if kind is None and not self.sync:
                raise Unreadable(
                    f"can't write to {_shown(self.path)}: {reason(error)}; its last lines may be lost"
                ) from None

    def read(self) -> Iterator[bytes]:
        """The lines of the log, in blocks of whole lines."""
        return _blocks(self._fd)

    @property
    def status(self) -> os.stat_result:
        """What the system knows of the log: whose it is, and who may read and write it."""
        return self._file

    def read_raw(self) -> bytes:
        """All bytes of the log, also those of a torn line."""
        return b"".join(iter(lambda: _read(self._fd), b""))

    def _put_back(self, lines: bytes) -> str:
        """Cut off what a failed write left of these lines; says how the log is now."""
        try:
            if not lines.startswith(os.pread(self._fd, len(lines) + 1, self._size)):
                return "another program wrote to it at the same time, and its end is as it came"
            os.ftruncate(self._fd, self._size)
        except OSError:
            return "its last line may be torn, which `sintra repair` cuts off"
        return "the log is as it was"

    def torn_bytes(self) -> int:
        """How many bytes come after the last line's end."""
        torn = 0
        while torn < self._size:
            step = min(BLOCK, self._size - torn)
            data = _read(self._fd, step, self._size - torn - step)
            at = data.rfind(b"\n")
            if at >= 0:
                return torn + step - at - 1
            torn += step
        return torn

    def cut(self, count: int) -> None:
        """Take so many bytes off the end."""
        self._check_unchanged()
        try:
            os.ftruncate(self._fd, self._size - count)
            os.fsync(self._fd)
        except OSError as error:
            raise Unreadable(f"can't write to {_shown(self.path)}: {reason(error)}") from None
        self._size -= count

    def append(self, lines: bytes) -> None:
        """Add whole lines in one write; if that fails, the log is left exactly as it was."""
        self._check_unchanged()
        check_size(self._size + len(lines))
        if not lines:
            return
        try:
            written = os.write(self._fd, lines)
            if written < len(lines):
                os.write(self._fd, lines[written:])  # for the system's reason; the log is put back anyhow
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            if self.sync:
                os.fsync(self._fd)
        except OSError as error:
            state = self._put_back(lines)
            raise Unreadable(f"can't write to {_shown(self.path)}: {reason(error)}; {state}") from None
        except BaseException:  # Ctrl-C
            self._put_back(lines)
            raise
        self._size += len(lines)

    def _check_unchanged(self) -> None:
        """Programs that take no lock may have changed the log, or put another file in its place."""
        try:
            now = os.stat(self.path)
        except FileNotFoundError:
            raise Conflict(f"{_shown(self.path)} is not there any more") from None
        except OSError as error:
            raise Unreadable(f"can't read {_shown(self.path)}: {reason(error)}") from None
        if now.st_size != self._size or not os.path.samestat(now, self._file):
            raise Conflict(f"{_shown(self.path)} changed while it was read")


def check_ordinary(path: str | PathLike[str]) -> None:
    """Unreadable if nothing can be added to what is there."""
    with suppress(OSError, ValueError):  # nothing is there, or opening it tells the reason
        if not os.path.isdir(path):
            _check_ordinary(os.stat(path), path)


def _check_ordinary(found: os.stat_result, path: str | PathLike[str]) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise Unreadable(f"can't append to {_shown(path)}: it is no ordinary file")


def _lock(fd: int, path: str | PathLike[str], why: str, *, wait: bool = False) -> None:
    """Have an open file for this program alone; if another has it, wait, or say why not."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Conflict(f"{_shown(path)} is locked: {why}") from None
    except OSError as error:
        raise Unreadable(f"can't lock {_shown(path)}: {reason(error)}") from None


def repair(path: str | PathLike[str]) -> tuple[int, str | None]:
    """Cut a torn last line off, after a backup was made; how many bytes that was, and where the backup is."""
    with Appender(path, wait=True) as file:
        torn = file.torn_bytes()
        if not torn:
            return 0, None
        backup = _backup(path, file.read_raw(), file.status)
        try:
            file.cut(torn)
        except Unreadable as error:
            raise Unreadable(f"{error}; all of it is in {_shown(backup)}") from None
        return torn, backup


def _backup(path: str | PathLike[str], data: bytes, like: os.stat_result) -> str:
    """A copy of a file beside it, under a name that is free, for the same readers."""
    number = 0
    while True:
        name = f"{os.fspath(path)}.bak{number or ''}"
        try:
            create(name, data, like)
        except Conflict:
            number += 1
        else:
            return name


def create(path: str | PathLike[str], data: bytes, like: os.stat_result | None = None) -> None:
    """Write a new file, whole or not at all; never overwrites one.

    It is written under another name, and gets its own when the disk has all of it. Those who may read and
    write the file `like`, if that is given, may read and write this one.
    """
    if os.path.lexists(path):
        raise _exists(path)
    fd, draft = _open_draft(path, 0o666 if like is None else 0o600)
    try:
        try:
            if like is not None:
                _give(fd, like)
            _write_all(fd, data)
            os.fsync(fd)
        finally:
            os.close(fd)
        _publish(draft, path)
    except OSError as error:
        raise Unreadable(f"can't write {_shown(path)}: {reason(error)}; no file was left behind") from None
    finally:
        with suppress(OSError):
            os.unlink(draft)
    _sync_folder(path)


def _give(fd: int, like: os.stat_result) -> None:
    """Let those have a file who have another one, as far as the system allows; no other group."""
    mode = stat.S_IMODE(like.st_mode)
    for owner in (like.st_uid, -1):  # few may give a file away, more may share it with the same group
        with suppress(OSError):
            os.fchown(fd, owner, like.st_gid)
            break
    else:
        mode &= ~stat.S_IRWXG
    with suppress(OSError):  # a file system that has no modes
        os.fchmod(fd, mode)


def _exists(path: str | PathLike[str]) -> Conflict:
    if os.path.islink(path) and not os.path.exists(path):
        return Conflict(f"{_shown(path)} is a symbolic link that leads nowhere, and is left as it is")
    return Conflict(f"{_shown(path)} exists already, and is left as it is")


def _open_draft(path: str | PathLike[str], mode: int = 0o666) -> tuple[int, str]:
    """A new file in the folder where another is to be, under a name that nobody wants."""
    folder = os.path.dirname(os.fspath(path))
    number = 0
    while True:
        name = os.path.join(folder, f"{_DRAFT}{os.getpid()}-{number}.new")
        try:
            return os.open(name, _NEW, mode), name
        except FileExistsError:  # of a program that was killed
            number += 1
        except (OSError, ValueError) as error:
            raise Unreadable(f"can't create {_shown(path)}: {reason(error)}") from None


def is_draft(name: str) -> bool:
    """Whether a file's name is that of a draft."""
    return name.startswith(_DRAFT)


def _publish(draft: str, path: str | PathLike[str]) -> None:
    """Give a written file its name, unless another has it."""
    try:
        try:
            os.link(draft, path)
        except FileExistsError:
            raise
        except OSError:  # a file system without links: keep the name, then fill it at once
            os.close(os.open(path, _NEW, 0o666))
            try:
                os.replace(draft, path)
            except BaseException:
                os.unlink(path)
                raise
    except FileExistsError:
        raise _exists(path) from None
    except (OSError, ValueError) as error:
        raise Unreadable(f"can't create {_shown(path)}: {reason(error)}") from None


def _sync_folder(path: str | PathLike[str]) -> None:
    """Let the folder remember a new file, where the system can do that."""
    try:
        folder = os.open(os.path.dirname(os.fspath(path)) or ".", os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        if error.errno not in _NO_FOLDER_SYNC:
            raise Unreadable(f"{_shown(path)} is written, but may be lost: {reason(error)}") from None


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def _shown(path: str | PathLike[str]) -> str:
    """A file's name as it may be printed."""
    return os.fspath(path).encode("utf-8", "backslashreplace").decode()


# -- Many files ------------------------------------------------------------------------------


def read_whole(path: str | PathLike[str]) -> bytes:
    """All bytes of a file, which are no more than a log may have."""
    return _whole(raw(path))


def _whole(chunks: Iterable[bytes]) -> bytes:
    data = b""
    for chunk in chunks:
        data += chunk
        if len(data) > MAX_LOG:
            raise Unreadable(f"a file of ours has at most {MAX_LOG} bytes")
    return data


def replace(path: str | PathLike[str], data: bytes) -> None:
    """Write a file, whole or not at all; one that is there is replaced. Its folder is made.

    Two programs may write the same file at once: each has a draft of its own, and the last one stays.
    """
    path = os.fspath(path)
    _make_folder(path)
    fd, draft = _open_draft(path)
    try:
        try:
            _write_all(fd, data)
        finally:
            os.close(fd)
        os.replace(draft, path)
    except OSError as error:
        raise Unreadable(f"can't write {_shown(path)}: {reason(error)}") from None
    finally:
        with suppress(OSError):  # it has its name by now, or is of no use
            os.unlink(draft)


def _make_folder(path: str) -> None:
    """The folder that a file is to be in."""
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    except (OSError, ValueError) as error:
        raise Unreadable(f"can't write {_shown(path)}: {reason(error)}") from None


def sync(paths: Sequence[str], folder: str) -> None:
    """Wait until the disk has these files, and their names in the folders up to this one.

    All are written before: the system then has them on the disk in far less time than one by one.
    """
    for path in paths:
        fd = _open(path, os.O_RDONLY)
        try:
            os.fsync(fd)
        except OSError as error:
            raise Unreadable(f"can't write {_shown(path)}: {reason(error)}") from None
        finally:
            os.close(fd)
    above = {os.path.dirname(path) for path in paths}
    while above:
        for inner in above:
            _sync_folder(os.path.join(inner, ""))
        above = {os.path.dirname(inner) for inner in above if len(inner) > len(folder)}


class Claim:
    """A file that marks a folder as in use by this program, for as long as the claim is held.

    The file is made, with its folder, if it is not there; `data` is what it holds.
    """

    def __init__(self, path: str | PathLike[str], data: bytes) -> None:
        self.path = os.fspath(path)
        _make_folder(self.path)
        with suppress(Conflict):  # it is there
            create(self.path, data)
        self._fd = _open(self.path, os.O_RDWR)
        try:
            _lock(self._fd, self.path, "another program is at work there")
            self.data = _whole(iter(lambda: _read(self._fd), b""))
        except BaseException:
            os.close(self._fd)
            raise

    def release(self) -> None:
        """Others may use the folder, also while processes that were started meanwhile have the file open."""
        with suppress(OSError):  # closing it gives the lock back, too
            fcntl.flock(self._fd, fcntl.LOCK_UN)
        os.close(self._fd)
