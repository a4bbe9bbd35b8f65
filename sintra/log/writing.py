"""Writing files: append to a log, create, replace and repair files."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING
from zlib import crc32

from sintra.errors import Conflict, Unreadable
from sintra.log.files import check_inside, joined, open_fd, raw, read_fd, read_owned, shown, stat_fd
from sintra.log.lines import check_size, whole_lines
from sintra.log.locking import lock, unlock
from sintra.text import reason

if TYPE_CHECKING:
    from os import PathLike

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
_DRAFT = ".sintra-"
_NO_FOLDER_SYNC = (errno.EINVAL, errno.EACCES, errno.EPERM, errno.ENOTSUP, errno.EBADF)
"""Errors on systems that can't sync folders, or don't let us read this one."""


class Appender:
    """A log, open and locked for one command: read it, then append to it once.

    With `sync=False`, the system decides when lines reach the disk. With `wait=True`, wait for the lock.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        *,
        sync: bool = True,
        wait: bool = False,
        most: int | None = None,
    ) -> None:
        """`most` is the maximum size of the file, in bytes; by default, that of a log."""
        self.path = path
        self.most = most
        self.sync = sync
        self.wait = wait

    def __enter__(self) -> Appender:
        self._fd = open_fd(self.path, os.O_RDWR | os.O_APPEND)
        try:
            _check_regular(stat_fd(self._fd), self.path)
            lock(self._fd, shown(self.path), "another program is writing to it", wait=self.wait)
            self._file = stat_fd(self._fd)
            self._size = self._file.st_size
            check_size(self._size, self.most)
            self._sum: int | None = None
        except BaseException:
            os.close(self._fd)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            os.close(self._fd)  # also releases the lock
        except OSError as error:  # some file systems write only now
            if kind is None and not self.sync:
                raise Unreadable(
                    f"can't write to {shown(self.path)}: {reason(error)}; its last lines may be lost"
                ) from None

    def read(self) -> Iterator[bytes]:
        """Yield the log in blocks of whole lines."""
        return whole_lines(iter(self._next, b""))

    def _next(self) -> bytes:
        """Return the next bytes, and add them to the checksum of everything read."""
        data = read_fd(self._fd)
        self._sum = crc32(data, self._sum or 0)
        return data

    @property
    def status(self) -> os.stat_result:
        """The owner, group and mode of the log, among others."""
        return self._file

    def read_raw(self) -> bytes:
        """Return all bytes of the log, including a torn line."""
        return b"".join(iter(self._next, b""))

    def _put_back(self, lines: bytes) -> str:
        """Remove what a failed write left of these lines. Say in what state the log is now."""
        try:
            if not lines.startswith(os.pread(self._fd, len(lines) + 1, self._size)):
                return "another program wrote to it at the same time, so its end was left alone"
            os.ftruncate(self._fd, self._size)
        except OSError:
            return "its last line may be torn; `sintra repair` removes it"
        return "the log is unchanged"

    def cut(self, count: int) -> None:
        """Remove `count` bytes from the end."""
        self._check_unchanged()
        try:
            os.ftruncate(self._fd, self._size - count)
            os.fsync(self._fd)
        except OSError as error:
            raise Unreadable(f"can't write to {shown(self.path)}: {reason(error)}") from None
        self._size -= count

    def append(self, lines: bytes) -> None:
        """Append whole lines in one write. If that fails, restore the log exactly."""
        if not lines:
            return
        self._check_unchanged()
        check_size(self._size + len(lines), self.most)
        try:
            written = os.write(self._fd, lines)
            if written < len(lines):
                os.write(self._fd, lines[written:])  # fails with the system's reason
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
        if self._sum is not None:
            self._sum = crc32(lines, self._sum)

    def _check_unchanged(self) -> None:
        """Raise Conflict if a program that takes no lock changed or replaced the log.

        All bytes are read again: a change in place keeps the length, and may share its clock tick with the
        last write.
        """
        if self._sum is not None and self._sum != self._sum_now():
            raise Conflict(f"{shown(self.path)} changed while it was being read")
        try:
            now = os.stat(self.path)
        except FileNotFoundError:
            raise Conflict(f"{shown(self.path)} no longer exists") from None
        except OSError as error:
            raise Unreadable(f"can't read {shown(self.path)}: {reason(error)}") from None
        if now.st_size != self._size or not os.path.samestat(now, self._file):
            raise Conflict(f"{shown(self.path)} changed while it was being read")

    def _sum_now(self) -> int:
        """Return the checksum of the log as it is now."""
        total = start = 0
        while data := read_fd(self._fd, start=start):
            total = crc32(data, total)
            start += len(data)
        return total


def check_regular(path: str | PathLike[str]) -> None:
    """Raise Unreadable if the path leads to something that can't be appended to."""
    with suppress(OSError, ValueError):  # nothing there, or opening it will give the reason
        if not os.path.isdir(path):
            _check_regular(os.stat(path), path)


def _check_regular(found: os.stat_result, path: str | PathLike[str]) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise Unreadable(f"can't append to {shown(path)}: not a regular file")


def repair(path: str | PathLike[str]) -> tuple[int, str | None]:
    """Remove a torn last line, after a backup. Return the number of bytes and the path of the backup."""
    with Appender(path, wait=True) as file:
        data = file.read_raw()
        torn = len(data) - data.rfind(b"\n") - 1
        if not torn:
            return 0, None
        backup = _backup(path, data, file.status)
        try:
            file.cut(torn)
        except Unreadable as error:
            raise Unreadable(f"{error}; the original is in {shown(backup)}") from None
        return torn, backup


def _backup(path: str | PathLike[str], data: bytes, like: os.stat_result) -> str:
    """Copy a file under a free name beside it, with the same permissions. Return the path."""
    number = 0
    while True:
        name = f"{os.fspath(path)}.bak{number or ''}"
        try:
            create(name, data, like)
        except Conflict:
            number += 1
        else:
            return name


def create(
    path: str | PathLike[str],
    data: bytes | Iterable[bytes],
    like: os.stat_result | None = None,
    *,
    executable: bool = False,
) -> None:
    """Create a file, whole or not at all; never overwrite one. Large data may come in parts.

    It is written and synced under another name first. `like` has the owner, group and mode for it.
    """
    if os.path.lexists(path):
        raise _exists(path)
    mode = 0o777 if executable else 0o666
    fd, draft = _open_draft(path, mode if like is None else 0o600)
    try:
        try:
            if like is not None:
                _give(fd, like)
            for part in [data] if isinstance(data, bytes) else data:
                _write_all(fd, part)
            os.fsync(fd)
        finally:
            os.close(fd)
        _publish(draft, path)
    except OSError as error:
        raise Unreadable(f"can't write {shown(path)}: {reason(error)}; no file was created") from None
    finally:
        with suppress(OSError):
            os.unlink(draft)
    _sync_folder(path)


def _give(fd: int, like: os.stat_result) -> None:
    """Copy owner, group and mode as far as the system allows; never open the file to another group."""
    mode = stat.S_IMODE(like.st_mode)
    for owner in (like.st_uid, -1):  # only root may give a file away
        with suppress(OSError):
            os.fchown(fd, owner, like.st_gid)
            break
    else:
        mode &= ~stat.S_IRWXG
    with suppress(OSError):  # a file system without modes
        os.fchmod(fd, mode)


def _exists(path: str | PathLike[str]) -> Conflict:
    if os.path.islink(path) and not os.path.exists(path):
        return Conflict(f"{shown(path)} is a dangling symbolic link; it was left alone")
    return Conflict(f"{shown(path)} already exists; it was left alone")


def _open_draft(path: str | PathLike[str], mode: int = 0o666) -> tuple[int, str]:
    """Create a file with a unique name in the folder of `path`. Return its descriptor and name."""
    folder = os.path.dirname(os.fspath(path))
    number = 0
    while True:
        name = os.path.join(folder, f"{_DRAFT}{os.getpid()}-{number}.new")
        try:
            return os.open(name, _NEW, mode), name
        except FileExistsError:  # left by a program that was killed
            number += 1
        except (OSError, ValueError) as error:
            raise Unreadable(f"can't create {shown(path)}: {reason(error)}") from None


def is_draft(name: str) -> bool:
    """Return True if this is the name of a draft."""
    return name.startswith(_DRAFT)


def remove_drafts(folder: str) -> None:
    """Remove all drafts in a folder and below, left by killed programs; nobody else may be using it."""
    for inner, _, names in os.walk(folder):
        for name in filter(is_draft, names):
            with suppress(OSError):
                os.unlink(os.path.join(inner, name))


def _publish(draft: str, path: str | PathLike[str]) -> None:
    """Give a draft its name, unless the name is taken."""
    try:
        try:
            os.link(draft, path)
        except FileExistsError:
            raise
        except OSError:  # no hard links: reserve the name, then replace it
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
    """Flush the folder of a new file to disk, where the system can do that."""
    try:
        folder = os.open(os.path.dirname(os.fspath(path)) or ".", os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        if error.errno not in _NO_FOLDER_SYNC:
            raise Unreadable(
                f"{shown(path)} was written, but a power cut may lose it: {reason(error)}"
            ) from None


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def replace(path: str | PathLike[str], data: bytes) -> None:
    """Write a file, whole or not at all, replacing any existing one. Create its folder.

    Two programs may write the same file at once: each has its own draft, and the last one wins.
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
        with suppress(OSError):  # renamed by now, or useless
            os.unlink(draft)


def renew(path: str | PathLike[str], data: bytes, beginning: bytes) -> None:
    """Write a file as `replace` does, but only over an older one of the same kind, which begins alike."""
    if os.path.lexists(path) and not next(raw(path), b"").startswith(beginning):
        raise Conflict(f"{shown(path)} already exists and is not a page of sintra; it was left alone")
    replace(path, data)


def keep(path: str, data: bytes, folder: str) -> None:
    """Write a file in a folder that one program keeps, as `replace` does, but never over other people's
    files.

    A file with the same bytes stays. A prefix of them, as a power cut may leave it, is replaced. Anything
    else raises Conflict.
    """
    if os.path.lexists(path):
        there = read_owned(path, folder)
        if there == data:
            return
        if not data.startswith(there.rstrip(b"\0")):
            raise Conflict(f"{shown(path)} was changed, or does not belong to this run; it was left alone")
    check_inside(path, folder)
    replace(path, data)


def _make_folder(path: str) -> None:
    """Create the folder of a file."""
    folder = os.path.dirname(path) or "."
    try:
        os.makedirs(folder, exist_ok=True)
    except FileExistsError:
        raise Unreadable(f"can't write {shown(path)}: {shown(folder)} is not a folder") from None
    except (OSError, ValueError) as error:
        raise Unreadable(f"can't write {shown(path)}: {reason(error)}") from None


def sync(paths: Sequence[str], folder: str) -> None:
    """Flush these files, and the folders that hold them up to `folder`, to disk.

    Flushing many files at the end takes far less time than flushing each as it is written.
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
    """A locked file that marks a folder as in use. It is created if missing, with its folder and `data`."""

    def __init__(self, path: str | PathLike[str], data: bytes) -> None:
        self.path = os.fspath(path)
        _make_folder(self.path)
        with suppress(Conflict):  # already there
            create(self.path, data)
        self._fd = open_fd(self.path, os.O_RDWR | os.O_NONBLOCK)
        try:
            _check_regular(stat_fd(self._fd), self.path)
            lock(self._fd, shown(self.path), "another program is using the folder")
            self.data = joined(iter(lambda: read_fd(self._fd), b""))
        except BaseException:
            os.close(self._fd)
            raise

    def release(self) -> None:
        """Let others use the folder, even while child processes still have the file open."""
        unlock(self._fd)
        os.close(self._fd)
