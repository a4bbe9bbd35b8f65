"""Every protection taken out, one at a time: the campaign that tests it has to fail then.

A removal changes `sintra.log` in a forked process, runs the part of a campaign that stands for the
protection, and reports how that failed. The same part passes before, so that it fails for this reason.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from scripts.torture import crash, cut, faults, race
from scripts.torture.layer import LOG
from scripts.torture.scenarios import whole_lines
from sintra.errors import Unreadable
from sintra.log import writing

log: Any = LOG
Appender: Any = writing.Appender


class Removal(NamedTuple):
    """A protection, how it is taken out, and the test that then has to fail."""

    protection: str
    take_out: Callable[[], None]
    test: Callable[[Path], object]


def run(scale: float, scratch: Path) -> dict[str, int | str]:
    """Take out every protection; all of them are missed."""
    failures = how_they_failed(scratch, REMOVALS) if scale >= 1 else how_they_failed(scratch, SHORT, False)
    figures: dict[str, int | str] = {"protections taken out, and missed": len(failures)}
    if scale >= 1:
        figures |= {f"  without {protection}": how for protection, how in failures.items()}
    return figures


def how_they_failed(scratch: Path, removals: Iterable[Removal], control: bool = True) -> dict[str, str]:
    """For each protection, what its test said without it; AssertionError where it said nothing.

    `control` also runs each test with all protections in place, as the other campaigns do.
    """
    found: dict[str, str] = {}
    passed = set[str]()
    for removal in removals:
        folder = scratch / removal.protection.replace(" ", "-")
        name = removal.test.__name__
        if control and name not in passed:
            said = _tried(removal.test, None, folder / "with")
            assert said is None, f"{name} fails with all protections: {said}"
            passed.add(name)
        said = _tried(removal.test, removal.take_out, folder / "without")
        assert said is not None, f"{name} does not miss: {removal.protection}"
        found[removal.protection] = said
    return found


def _tried(test: Callable[[Path], object], take_out: Callable[[], None] | None, folder: Path) -> str | None:
    """How a test fails in a process of its own; None if it passes."""
    folder.mkdir(parents=True)
    report = folder / "failed.txt"
    pid = os.fork()
    if pid == 0:
        code = 2
        try:
            if take_out is not None:
                take_out()
            test(folder)
            code = 0
        except AssertionError as error:
            report.write_text(str(error))
            code = 1
        except BaseException as error:
            report.write_text(f"{type(error).__name__}: {error}")
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if code == 0:
        return None
    said = " ".join(report.read_text().replace(str(folder), "").split())
    assert code == 1, f"{test.__name__} broke instead of failing: {said}"
    return said[:200]


# -- Parts of the campaigns ------------------------------------------------------------------


def meetings(folder: Path) -> None:
    race.meetings(folder, ("move steps",), race.SECOND[:1])


def strangers(folder: Path) -> None:
    race.strangers(folder)


def half_written(folder: Path) -> None:
    race.half_written(folder)


def put_back_line(folder: Path) -> None:
    race.put_back(folder)


def makers(folder: Path) -> None:
    race.makers(folder)


def makers_without_links(folder: Path) -> None:
    race.makers(folder, race._without_links)


def at_repair(folder: Path) -> None:
    race.at_repair(folder)


def in_place(folder: Path) -> None:
    race.in_place(folder, ("move steps", "repair"))


def half_repaired(folder: Path) -> None:
    race.half_repaired(folder)


def killed_move(folder: Path) -> None:
    crash.sweep("move steps", folder, 0.01)


def killed_new(folder: Path) -> None:
    crash.sweep("new", folder, 0.01)


def killed_repair(folder: Path) -> None:
    crash.sweep("repair", folder, 0.01)


def traced(folder: Path) -> None:
    for name in ("move steps", "move --no-sync", "new", "repair"):
        crash.traced(name, folder)


def failing_move(folder: Path) -> None:
    faults.sweep("move steps", folder, 0.1)


def failing_new(folder: Path) -> None:
    faults.sweep("new", folder, 0.1)


def failing_repair(folder: Path) -> None:
    faults.sweep("repair", folder, 0.1)


def killed_run(folder: Path) -> None:
    crash.simulated(folder, 0.1)


def closing(folder: Path) -> None:
    faults.sweep("move --no-sync", folder, 0.1)


def crowd(folder: Path) -> None:
    race.crowd(folder, 0, 15)


def cuts(folder: Path) -> None:
    data = (cut.GAMES / "azul-colored-2.log").read_bytes()
    cut.sweep(whole_lines(data[:1500]), folder, 0.2)


# -- What is taken out -----------------------------------------------------------------------


def _nothing(_: object) -> None:
    """What is left of a protection."""


def _no_lock() -> None:
    log.lock = lambda *_, **__: None


def _no_lock_and_no_check() -> None:
    _no_lock()
    Appender._check_unchanged = _nothing


def _no_errors_of_the_lock() -> None:
    lock = log.lock

    def suppressed(*args: Any, **options: Any) -> None:
        with contextlib.suppress(Unreadable):
            lock(*args, **options)

    log.lock = suppressed


def _no_check_of_the_length() -> None:
    def check(self: Any) -> None:
        if not os.path.samestat(log.os.stat(self.path), self._file):
            raise log.Conflict("changed")

    Appender._check_unchanged = check


def _no_check_of_the_bytes() -> None:
    sum_now = Appender._sum_now

    def as_it_was(self: Any) -> object:
        sum_now(self)
        return self._sum

    Appender._sum_now = as_it_was


def _no_check_of_the_name() -> None:
    def check(self: Any) -> None:
        if log.os.stat(self.path).st_size != self._size:
            raise log.Conflict("changed")

    Appender._check_unchanged = check


def _no_check_that_it_is_there() -> None:
    check = Appender._check_unchanged

    def lenient(self: Any) -> None:
        if os.path.exists(self.path):
            check(self)

    Appender._check_unchanged = lenient


def _no_appending_mode() -> None:
    opened = log.open_fd
    log.open_fd = lambda path, flags: opened(path, flags & ~os.O_APPEND)


def _a_write_for_each_line() -> None:
    append = Appender.append

    def one_by_one(self: Any, lines: bytes) -> None:
        for line in lines.splitlines(keepends=True):
            append(self, line)

    Appender.append = one_by_one


def _no_put_back_after_errors() -> None:
    _put_back_after(KeyboardInterrupt)


def _no_put_back_at_ctrl_c() -> None:
    _put_back_after(OSError)


def _put_back_after(kind: type[BaseException]) -> None:
    put_back = Appender._put_back

    def after(self: Any, lines: bytes) -> str:
        return str(put_back(self, lines)) if isinstance(sys.exc_info()[1], kind) else "the log is unchanged"

    Appender._put_back = after


def _no_put_back_of_whole_lines_at_ctrl_c() -> None:
    put_back = Appender._put_back

    def of_parts(self: Any, lines: bytes) -> str:
        whole = os.fstat(self._fd).st_size == self._size + len(lines)
        return "" if whole else str(put_back(self, lines))

    Appender._put_back = of_parts


def _puts_back_whatever_came() -> None:
    def blindly(self: Any, _: bytes) -> str:
        log.os.ftruncate(self._fd, self._size)
        return "the log is unchanged"

    Appender._put_back = blindly


def _short_writes_count_as_whole() -> None:
    def append(self: Any, lines: bytes) -> None:
        self._check_unchanged()
        try:
            log.os.write(self._fd, lines)
            if self.sync:
                log.os.fsync(self._fd)
        except OSError as error:
            raise Unreadable(f"can't write: {error}; {self._put_back(lines)}") from None
        except BaseException:
            self._put_back(lines)
            raise

    Appender.append = append


def _no_sync() -> None:
    _with_sync(False)


def _always_sync() -> None:
    _with_sync(True)


def _with_sync(sync: bool) -> None:
    init = Appender.__init__

    def changed(self: Any, path: str, **options: Any) -> None:
        init(self, path, **{**options, "sync": sync})

    Appender.__init__ = changed


def _torn_lines_are_dropped() -> None:
    whole = log.whole_lines

    def silently(chunks: Iterable[bytes]) -> Iterator[bytes]:
        try:
            yield from whole(chunks)
        except log.DamagedLog as error:
            if "torn" not in str(error):
                raise

    log.whole_lines = silently


def _torn_bytes_are_miscounted() -> None:
    whole = log.whole_lines

    def elsewhere(chunks: Iterable[bytes]) -> Iterator[bytes]:
        try:
            yield from whole(chunks)
        except log.DamagedLog as error:
            if "torn" not in str(error):
                raise
            raise log.DamagedLog("the last line is torn; `sintra repair` removes it", error.line) from None

    log.whole_lines = elsewhere


def _readers_do_not_wait() -> None:
    def plain(fd: int, *_: object) -> Iterator[bytes]:
        return iter(lambda: log.read_fd(fd), b"")

    log._chunks_for_reading = plain


def _readers_keep_their_lock() -> None:
    flock = fcntl.flock

    def held(fd: int, operation: int) -> None:
        if operation != fcntl.LOCK_UN:
            flock(fd, operation)

    module: Any = fcntl
    module.flock = held


def _readers_need_locks() -> None:
    log.suppress = lambda *_: contextlib.nullcontext()


def _half_lines_are_read_on() -> None:
    """As it is easily written: wait for the lock, then go on where the reading had stopped."""

    def chunks(fd: int, *_: object) -> Iterator[bytes]:
        data = b"\n"
        while more := log.read_fd(fd):
            data = more
            yield data
        if data.endswith(b"\n") or not stat.S_ISREG(os.fstat(fd).st_mode):
            return
        log.fcntl.flock(fd, log.fcntl.LOCK_SH)
        yield from iter(lambda: log.read_fd(fd), b"")

    log._chunks_for_reading = chunks


def _new_logs_are_written_in_place() -> None:
    def create(path: str, data: bytes, _: object = None) -> None:
        try:
            fd = log.os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError:
            raise log._exists(path) from None
        log._write_all(fd, data)
        log.os.fsync(fd)
        log.os.close(fd)
        log._sync_folder(path)

    log.create = create


def _new_logs_replace_old_ones() -> None:
    log._publish = lambda draft, path: log.os.replace(draft, path)


def _without_links_new_logs_replace_old_ones() -> None:
    def publish(draft: str, path: str) -> None:
        try:
            log.os.link(draft, path)
        except FileExistsError:
            raise log._exists(path) from None
        except OSError:
            log.os.replace(draft, path)

    log._publish = publish


def _drafts_are_left_at_ctrl_c() -> None:
    def create(path: str, data: bytes, _: object = None) -> None:
        fd, draft = log._open_draft(path)
        try:
            log._write_all(fd, data)
            log.os.fsync(fd)
            log.os.close(fd)
            log._publish(draft, path)
        except OSError as error:
            log.os.unlink(draft)
            raise Unreadable(f"can't write: {error}") from None
        log.os.unlink(draft)
        log._sync_folder(path)

    log.create = create


def _errors_of_syncing_new_files_are_ignored() -> None:
    log.create = _ignoring(log.create)


def _errors_of_syncing_the_cut_are_ignored() -> None:
    Appender.cut = _ignoring(Appender.cut)


def _ignoring(act: Callable[..., Any]) -> Callable[..., Any]:
    """As if the disk always had what was written meanwhile."""

    def ignoring(*args: Any, **options: Any) -> Any:
        kept = log.os.fsync

        def fsync(fd: int) -> None:
            with contextlib.suppress(OSError):
                kept(fd)

        log.os.fsync = fsync
        try:
            return act(*args, **options)
        finally:
            log.os.fsync = kept

    return ignoring


def _no_sync_of_the_folder() -> None:
    log._sync_folder = _nothing


def _no_sync_of_new_files() -> None:
    """Only files that were opened to be read, which folders are, are synced."""
    create = log.create

    def without(path: str, data: bytes, like: object = None) -> None:
        kept = log.os.fsync
        log.os.fsync = lambda fd: kept(fd) if stat.S_ISDIR(os.fstat(fd).st_mode) else None
        try:
            create(path, data, like)
        finally:
            log.os.fsync = kept

    log.create = without


def _no_backup() -> None:
    log._backup = lambda path, *_: f"{path}.bak"


def _the_backup_comes_last() -> None:
    def repair(path: str) -> tuple[int, str | None]:
        with Appender(path, wait=True) as file:
            data = file.read_raw()
            torn = len(data) - data.rfind(b"\n") - 1
            if not torn:
                return 0, None
            file.cut(torn)
            return torn, log._backup(path, data, file.status)

    log.repair = repair


def _repair_does_not_wait() -> None:
    enter = Appender.__enter__

    def at_once(self: Any) -> Any:
        self.wait = False
        return enter(self)

    Appender.__enter__ = at_once


def _no_check_before_the_cut() -> None:
    def cut_anyhow(self: Any, count: int) -> None:
        log.os.stat(self.path)
        log.os.ftruncate(self._fd, self._size - count)
        log.os.fsync(self._fd)

    Appender.cut = cut_anyhow


def _no_sync_of_the_cut() -> None:
    def cut_only(self: Any, count: int) -> None:
        log.os.ftruncate(self._fd, self._size - count)

    Appender.cut = cut_only


def _errors_of_closing_are_ignored() -> None:
    def leave(self: Any, *_: object) -> None:
        with contextlib.suppress(OSError):
            log.os.close(self._fd)

    Appender.__exit__ = leave


REMOVALS = (
    Removal("the lock", _no_lock, meetings),
    Removal("the lock and all checks, in a crowd", _no_lock_and_no_check, crowd),
    Removal("a clear error on file systems without locks", _no_errors_of_the_lock, failing_move),
    Removal("the check of the size", _no_check_of_the_length, strangers),
    Removal("the check of the bytes", _no_check_of_the_bytes, in_place),
    Removal("the check that the log was not replaced", _no_check_of_the_name, strangers),
    Removal("the check that the log was not deleted", _no_check_that_it_is_there, strangers),
    Removal("`O_APPEND`", _no_appending_mode, strangers),
    Removal("one write for all lines", _a_write_for_each_line, killed_move),
    Removal("restoring the log after an error", _no_put_back_after_errors, failing_move),
    Removal("restoring the log at Ctrl-C", _no_put_back_at_ctrl_c, failing_move),
    Removal(
        "restoring the log at Ctrl-C after a whole write", _no_put_back_of_whole_lines_at_ctrl_c, failing_move
    ),
    Removal("restoring only our own write", _puts_back_whatever_came, strangers),
    Removal("noticing a short write", _short_writes_count_as_whole, failing_move),
    Removal("`fsync` before the answer", _no_sync, traced),
    Removal("no `fsync` with `--no-sync`", _always_sync, traced),
    Removal("reporting an error at closing, with `--no-sync`", _errors_of_closing_are_ignored, closing),
    Removal("the check of the log's end", _torn_lines_are_dropped, cuts),
    Removal("the place of a torn line", _torn_bytes_are_miscounted, cuts),
    Removal("readers waiting at a half-written line", _readers_do_not_wait, half_written),
    Removal("releasing the lock after reading", _readers_keep_their_lock, half_written),
    Removal("reading on file systems without locks", _readers_need_locks, half_written),
    Removal("reading a half-written line again", _half_lines_are_read_on, put_back_line),
    Removal("a draft for a new log", _new_logs_are_written_in_place, killed_new),
    Removal("creating only new files", _new_logs_replace_old_ones, makers),
    Removal("the same, without hard links", _without_links_new_logs_replace_old_ones, makers_without_links),
    Removal("deleting the draft at Ctrl-C", _drafts_are_left_at_ctrl_c, failing_new),
    Removal("a draft for the record of a run", _new_logs_are_written_in_place, killed_run),
    Removal(
        "reporting that a new file can't be synced", _errors_of_syncing_new_files_are_ignored, failing_new
    ),
    Removal("`fsync` of a new file before it gets its name", _no_sync_of_new_files, traced),
    Removal("`fsync` of the folder", _no_sync_of_the_folder, traced),
    Removal("the lock, for `repair`", _no_lock, half_repaired),
    Removal("waiting in `repair`", _repair_does_not_wait, half_repaired),
    Removal("the check before the cut", _no_check_before_the_cut, at_repair),
    Removal("reporting that the cut can't be synced", _errors_of_syncing_the_cut_are_ignored, failing_repair),
    Removal("the backup of `repair`", _no_backup, cuts),
    Removal("the backup before the cut", _the_backup_comes_last, killed_repair),
    Removal("`fsync` of the cut", _no_sync_of_the_cut, traced),
)
"""Every protection with its removal and its test."""

SHORT = tuple(removal for removal in REMOVALS if removal.test is not crowd)
"""All but one that takes its time."""
