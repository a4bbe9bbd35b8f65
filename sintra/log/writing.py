"""Writing files: append, create, replace, repair."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from sintra.errors import Conflict, Unreadable
from sintra.log import limits
from sintra.text import reason

if TYPE_CHECKING:
    from os import PathLike
from sintra.log.files import blocks_of, joined, open_fd, read_fd, shown, stat_fd
from sintra.log.lines import check_size

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
_DRAFT = ".sintra-"
_NO_FOLDER_SYNC = (errno.EINVAL, errno.EACCES, errno.EPERM, errno.ENOTSUP, errno.EBADF)
"""What a system says that can't sync folders, or lets nobody read this one."""


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
        self._fd = open_fd(self.path, os.O_RDWR | os.O_APPEND)
        try:
            _check_ordinary(stat_fd(self._fd), self.path)
            _lock(self._fd, self.path, "another program is writing to it", wait=self.wait)
            self._file = stat_fd(self._fd)
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
                    f"can't write to {shown(self.path)}: {reason(error)}; its last lines may be lost"
                ) from None

    def read(self) -> Iterator[bytes]:
        """The lines of the log, in blocks of whole lines."""
        return blocks_of(self._fd)

    @property
    def status(self) -> os.stat_result:
        """What the system knows of the log: whose it is, and who may read and write it."""
        return self._file

    def read_raw(self) -> bytes:
        """All bytes of the log, also those of a torn line."""
        return b"".join(iter(lambda: read_fd(self._fd), b""))

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
            step = min(limits.READ_BYTES, self._size - torn)
            data = read_fd(self._fd, step, self._size - torn - step)
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
            raise Unreadable(f"can't write to {shown(self.path)}: {reason(error)}") from None
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
            raise Unreadable(f"can't write to {shown(self.path)}: {reason(error)}; {state}") from None
        except BaseException:  # Ctrl-C
            self._put_back(lines)
            raise
        self._size += len(lines)

    def _check_unchanged(self) -> None:
        """Programs that take no lock may have changed the log, or put another file in its place."""
        try:
            now = os.stat(self.path)
        except FileNotFoundError:
            raise Conflict(f"{shown(self.path)} is not there any more") from None
        except OSError as error:
            raise Unreadable(f"can't read {shown(self.path)}: {reason(error)}") from None
        if now.st_size != self._size or not os.path.samestat(now, self._file):
            raise Conflict(f"{shown(self.path)} changed while it was read")


def check_ordinary(path: str | PathLike[str]) -> None:
    """Unreadable if nothing can be added to what is there."""
    with suppress(OSError, ValueError):  # nothing is there, or opening it tells the reason
        if not os.path.isdir(path):
            _check_ordinary(os.stat(path), path)


def _check_ordinary(found: os.stat_result, path: str | PathLike[str]) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise Unreadable(f"can't append to {shown(path)}: it is no ordinary file")


def _lock(fd: int, path: str | PathLike[str], why: str, *, wait: bool = False) -> None:
    """Have an open file for this program alone; if another has it, wait, or say why not."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Conflict(f"{shown(path)} is locked: {why}") from None
    except OSError as error:
        raise Unreadable(f"can't lock {shown(path)}: {reason(error)}") from None


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
            raise Unreadable(f"{error}; all of it is in {shown(backup)}") from None
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
        raise Unreadable(f"can't write {shown(path)}: {reason(error)}; no file was left behind") from None
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
        return Conflict(f"{shown(path)} is a symbolic link that leads nowhere, and is left as it is")
    return Conflict(f"{shown(path)} exists already, and is left as it is")


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
            raise Unreadable(f"can't create {shown(path)}: {reason(error)}") from None


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
        raise Unreadable(f"can't create {shown(path)}: {reason(error)}") from None


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
            raise Unreadable(f"{shown(path)} is written, but may be lost: {reason(error)}") from None


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


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
        raise Unreadable(f"can't write {shown(path)}: {reason(error)}") from None
    finally:
        with suppress(OSError):  # it has its name by now, or is of no use
            os.unlink(draft)


def _make_folder(path: str) -> None:
    """The folder that a file is to be in."""
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    except (OSError, ValueError) as error:
        raise Unreadable(f"can't write {shown(path)}: {reason(error)}") from None


def sync(paths: Sequence[str], folder: str) -> None:
    """Wait until the disk has these files, and their names in the folders up to this one.

    All are written before: the system then has them on the disk in far less time than one by one.
    """
    for path in paths:
        fd = open_fd(path, os.O_RDONLY)
        try:
            os.fsync(fd)
        except OSError as error:
            raise Unreadable(f"can't write {shown(path)}: {reason(error)}") from None
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
        self._fd = open_fd(self.path, os.O_RDWR)
        try:
            _lock(self._fd, self.path, "another program is at work there")
            self.data = joined(iter(lambda: read_fd(self._fd), b""))
        except BaseException:
            os.close(self._fd)
            raise

    def release(self) -> None:
        """Others may use the folder, also while processes that were started meanwhile have the file open."""
        with suppress(OSError):  # closing it gives the lock back, too
            fcntl.flock(self._fd, fcntl.LOCK_UN)
        os.close(self._fd)
