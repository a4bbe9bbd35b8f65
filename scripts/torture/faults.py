"""Errors of the system at every call: no acknowledged event is lost, and no partial event is kept.

Errors are injected by the interposed layer; those that can be had without it (a file-size limit, a full
device, rights, a full file system) are tried for real as well.
"""

from __future__ import annotations

import errno
import os
import resource
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

from scripts.torture.crash import at, goes_on, mend
from scripts.torture.layer import Call, Ended, Hook, calmly, sintra
from scripts.torture.scenarios import (
    LOG,
    RUN,
    Dry,
    Scenario,
    check_run,
    content,
    lay_run,
    run_whole,
    sampled,
    scenarios,
    whole_lines,
)

SHORT = ("move steps", "move --no-sync", "repair", "new")
NOBODY = 65534

ERRORS = {
    "open": ("EACCES", "EIO", "ENOSPC", "EROFS", "EMFILE", "EINTR"),
    "read": ("EIO", "EINTR"),
    "pread": ("EIO", "EINTR"),
    "write": ("ENOSPC", "EIO", "EINTR", "EDQUOT", "EFBIG"),
    "fsync": ("EIO", "ENOSPC", "EDQUOT", "EINTR"),
    "fstat": ("EIO",),
    "stat": ("EIO", "ENOENT"),
    "ftruncate": ("EIO", "EINTR", "EPERM"),
    "flock": ("ENOLCK", "EOPNOTSUPP", "EINTR", "EIO"),
    "close": ("EIO", "EINTR", "ENOSPC"),
    "link": ("EPERM", "EIO", "EOPNOTSUPP", "ENOSPC"),
    "replace": ("EIO", "ENOSPC"),
    "unlink": ("EIO",),
    "fchmod": ("EPERM",),
    "fchown": ("EPERM",),
}
"""What each call may fail with."""

READERS = (("show",), ("verify",), ("legal",), ("replay",), ("log",), ("score",))


def run(scale: float, scratch: Path) -> dict[str, int | str]:
    """Let every call of every command fail, in every way; figures of it."""
    names = tuple(scenarios()) if scale >= 1 else SHORT
    figures = Counter[str](commands=len(names))
    for name in names:
        figures.update(sweep(name, scratch, scale))
    figures.update(_readers(scratch, READERS if scale >= 1 else READERS[:2]))
    figures["injected errors in a run of simulate"] = simulated(scratch, scale)
    figures.update(size_limits(scratch, 1 if scale >= 1 else 13))
    figures["a full device, a read-only file, a read-only folder"] = _rights(scratch)
    full = {"a full file system (tmpfs)": _full(scratch)} if scale >= 1 else {}
    return {**figures, **full}


# -- Injected --------------------------------------------------------------------------------


def sweep(name: str, scratch: Path, scale: float = 1) -> Counter[str]:
    """Let each call of one command fail."""
    scenario = scenarios()[name]
    folder = scratch / "faults" / name.replace(" ", "-")
    dry = Dry(scenario, folder)
    figures = Counter[str]()
    for number, (call, _, size) in enumerate(dry.calls, 1):
        for what, hook, broken in _faults(number, call, size, scale):
            scenario.lay(folder)
            ended = scenario.run(folder, hook)
            place = f"{name}: {what} at call {number}, {call}; {folder}"
            if "Ctrl-C" in what:
                _check_stopped(scenario, dry, folder, call, place)
            elif _must_fail(scenario, call, what):
                assert ended.code == 4, f"{place}: {ended}: acknowledged in spite of the error"
            check(scenario, dry, folder, ended, place, broken)
            figures["injected errors"] += 1
            figures["short writes among them"] += "bytes" in what
            figures["with a put-back that failed, too"] += broken
    shutil.rmtree(folder)
    return figures


def _must_fail(scenario: Scenario, call: str, what: str) -> bool:
    """Whether a command may not be acknowledged after an error at this call."""
    if call == "close":  # what is synced is safe
        return not scenario.synced
    whole_files = scenario.creates or scenario.torn
    if call in ("read", "pread"):
        return not whole_files
    if whole_files and what.endswith("bytes written"):  # the rest of a new file is written by another call
        return False
    return call in ("flock", "write", "fsync", "ftruncate")


def _check_stopped(scenario: Scenario, dry: Dry, folder: Path, call: str, place: str) -> None:
    """A write that was stopped by Ctrl-C is put back, whether it was whole or not."""
    if call in ("write", "fsync") and scenario.appends == 1 and not scenario.torn and not scenario.creates:
        assert content(folder) == dry.stages[0], f"{place}: stopped, and not put back"


def _faults(number: int, name: str, size: int, scale: float) -> Iterator[tuple[str, Hook, bool]]:
    """Errors for a call: what, how, and whether the log can't be put back either."""
    errors = ERRORS[name] if scale >= 1 else ERRORS[name][:2]
    for error in errors:
        yield error, at(number, lambda _, e=error: fail(e)), False
    if (
        name != "close"
    ):  # what closes may be a generator that nobody holds: then Python itself takes the Ctrl-C
        yield "Ctrl-C", at(number, _interrupted), False
    if name == "link":
        yield "EPERM, and nothing can be renamed", _failing(number, ("link", "replace"), "EPERM"), False
    if name != "write":
        return
    for count in sorted({1, size // 2, size - 1}):
        yield f"{count} bytes written", at(number, lambda call, n=count: call.part(n)), False
        yield f"Ctrl-C, {count} bytes written", at(number, lambda call, n=count: _interrupted(call, n)), False
        yield f"{count} bytes written, then a dead disk", _dead(number, count), True
    yield "a dead disk", _dead(number, 0), True


def fail(name: str) -> NoReturn:
    """Raise what the system would."""
    code = getattr(errno, name)
    raise OSError(code, os.strerror(code))


def _interrupted(call: Call, count: int | None = None) -> None:
    """The call is done, or a part of it, and then comes Ctrl-C."""
    if count is None:
        call.go()
    else:
        call.part(count)
    raise KeyboardInterrupt


def _dead(number: int, count: int) -> Hook:
    """From a call on, nothing can be written, cut or synced any more."""
    failing = _failing(number, ("write", "fsync", "ftruncate"), "EIO")
    return lambda call: call.part(count) if call.number == number and count else failing(call)


def _failing(number: int, names: tuple[str, ...], error: str) -> Hook:
    """From a call on, all of some kinds fail."""

    def hook(call: Call) -> Any:
        if call.number >= number and call.name in names:
            fail(error)
        return call.go()

    return hook


def check(scenario: Scenario, dry: Dry, folder: Path, ended: Ended, place: str, broken: bool = False) -> None:
    """A command that failed says so and leaves the log as it was; one that says 0 has done all of it."""
    place = f"{place}: {ended.code}, {ended.err.strip()}"
    assert ended.code in (0, 4, 5, 130), f"{place}: a strange exit code"
    assert "can't write the answer" not in ended.err, f"{place}: a wrong reason"
    assert ended.code in (0, 130) or ended.err.startswith(("sintra: ", '{"error":')), (
        f"{place}: no reason is told"
    )
    data = content(folder)
    if ended.code == 0:
        assert data == dry.stages[-1], f"{place}: acknowledged, and not in the log"
    elif data not in dry.stages:
        assert broken, f"{place}: a part of a command was left behind"
        assert data is not None
        assert any(stage and stage.startswith(data) for stage in dry.stages), f"{place}: no prefix"
        assert data == whole_lines(data) or "repair" in ended.err, f"{place}: the torn line is not told"
        mend(folder, place)
    elif scenario.appends == 1:
        whole_files = scenario.creates or scenario.torn  # they may be there, and not be safe on the disk yet
        excused = ended.code == 130 or broken or whole_files or ", close;" in place
        assert data == dry.stages[0] or excused, f"{place}: it failed, and is in the log"
        assert data == dry.stages[0] or "unchanged" not in ended.err, f"{place}: it is not unchanged"
    _check_backup(scenario, folder, place)
    if scenario.creates:
        left = [name for name in os.listdir(folder) if name not in (*scenario.files, LOG)]
        unknown = (
            "Ctrl-C at call" in place and ", open;" in place
        )  # it came before the draft's name was known
        excused = "unlink" in place or unknown
        assert not left or excused, f"{place}: left behind: {left}"
    elif not scenario.torn:
        goes_on(folder, place)


def _check_backup(scenario: Scenario, folder: Path, place: str) -> None:
    if not scenario.torn:
        return
    torn = scenario.files[LOG]
    backups = [path.read_bytes() for path in folder.glob(f"{LOG}.bak*")]
    assert all(data == torn for data in backups), f"{place}: a backup is not what was there"
    assert content(folder) == torn or backups, f"{place}: cut, and no backup"


def simulated(scratch: Path, scale: float = 1) -> int:
    """A call of a run of many games fails: that is told, and the same command goes on to the same end."""
    folder = scratch / "simulate"
    calls, whole = run_whole(folder)
    errors = 0
    for number, (call, _, size) in sampled(calls, scale):
        for what, hook, _ in _faults(number, call, size, scale):
            lay_run(folder)
            ended = sintra(*RUN, cwd=folder, hook=hook)
            place = f"simulate: {what} at call {number}, {call}; {folder}"
            assert ended.code in (0, 4, 130), f"{place}: {ended}"
            if call in ("write", "fsync") and "Ctrl-C" not in what and not what.endswith("bytes written"):
                assert ended.code == 4, f"{place}: {ended}: it was acknowledged"
            check_run(folder, whole, place)
            errors += 1
    shutil.rmtree(folder)
    return errors


def _readers(scratch: Path, commands: tuple[tuple[str, ...], ...]) -> Counter[str]:
    """Commands that read, on a log that can't be read."""
    figures = Counter[str]()
    data = scenarios()["undo"].files[LOG]
    for words in commands:
        scenario = Scenario(words[0], (*words, LOG), {LOG: data}, appends=0)
        folder = scratch / "readers"
        dry = Dry(scenario, folder)
        for number, (call, *_) in enumerate(dry.calls, 1):
            for error in ERRORS[call]:
                scenario.lay(folder)
                ended = scenario.run(folder, at(number, lambda _, e=error: fail(e)))
                place = f"{words[0]}: {error} at call {number}, {call}; {folder}"
                assert ended.code == (0 if call == "close" else 4), f"{place}: {ended}"
                said = ended.err + ended.out.decode()
                assert call == "close" or "can't" in said, f"{place}: {ended}"
                assert "the answer" not in said, f"{place}: a wrong reason: {ended}"
                assert content(folder) == data, place
                figures["injected errors"] += 1
    return figures


# -- Real ------------------------------------------------------------------------------------


def size_limits(scratch: Path, step: int) -> Counter[str]:
    """A limit of the file's size at every byte that a command would write."""
    figures = Counter[str]()
    for name in ("move steps", "new"):
        scenario = scenarios()[name]
        folder = scratch / "limits"
        dry = Dry(scenario, folder)
        old, new = len(dry.stages[0] or b""), len(dry.stages[-1] or b"")
        start = max(old, 500)  # what is said goes to a file here, too
        for limit in (*range(start, new, step if name != "new" else 7 * step), new):
            scenario.lay(folder)
            ended = sintra(*scenario.words, cwd=folder, before=_limit(limit))
            place = f"{name}: files have at most {limit} bytes; {folder}"
            assert ended.code == (4 if limit < new else 0), f"{place}: {ended}"
            assert limit == new or "file too large" in ended.err or "no space" in ended.err, (
                f"{place}: {ended}"
            )
            check(scenario, dry, folder, ended, place)
            figures["file-size limits (RLIMIT_FSIZE)"] += 1
    return figures


def _limit(size: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def _rights(scratch: Path) -> int:
    """A log on a full device, one that may not be written, and a folder that may not."""
    scenario = scenarios()["move steps"]
    folder = scratch / "rights"
    scenario.lay(folder)
    before = content(folder)
    steps = scenario.words[2:]
    calmly("show", LOG, cwd=folder)  # loads what nobody may load
    device = sintra("move", "/dev/full", *steps, cwd=folder)
    assert (device.code, "not a regular file" in device.err) == (4, True), device
    (folder / LOG).chmod(0o444)
    folder.chmod(0o555)
    tried = (("move", LOG, *steps), ("note", LOG, "x"), ("new", "-o", "other.log"), ("repair", LOG))
    for words in tried:
        ended = sintra(*words, cwd=folder, before=_nobody)
        assert ended.code == 4, f"{words}: {ended}"
        assert "permission denied" in ended.err, f"{words}: {ended}"
        assert content(folder) == before
    assert sintra("show", LOG, cwd=folder, before=_nobody).code == 0
    assert os.listdir(folder) == [LOG]
    folder.chmod(0o755)
    return 1 + len(tried)


def _nobody() -> None:
    """Who may do everything gives that up."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


def _full(scratch: Path) -> int | str:
    """A file system that is full for real: a small one in memory, where that may be mounted."""
    place = scratch / "small"
    place.mkdir()
    mount = shutil.which("mount")
    if os.getuid() != 0 or mount is None:
        return "skipped: only root may mount"
    options = ["-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)]
    if subprocess.run([mount, *options], capture_output=True, check=False).returncode:
        return "skipped: can't mount"
    try:
        return _fill(place)
    finally:
        subprocess.run(["umount", str(place)], capture_output=True, check=True)


def _fill(place: Path) -> int:
    """Write to a log until there is no room; then nothing changes, and after making room it goes on."""
    scenario = scenarios()["move steps"]
    folder = place / "game"
    scenario.lay(folder)
    (place / "ballast").write_bytes(bytes(40_000))
    written = refused = 0
    while refused < 3:
        before = content(folder) or b""
        ended = sintra("note", LOG, "x" * 1_000, cwd=folder)
        after = content(folder) or b""
        if ended.code == 0:
            assert after.startswith(before), f"{folder}"
            assert len(after) == len(before) + 1_000 + len(b'{"type":"noted","text":""}\n'), f"{folder}"
            written += 1
        else:
            assert (ended.code, after) == (4, before), f"{folder}: {ended}"
            assert "no space left" in ended.err, f"{folder}: {ended}"
            assert "the log is unchanged" in ended.err, f"{folder}: {ended}"
            refused += 1
    made = sintra("new", "-o", "other.log", cwd=folder)
    assert made.code == 4, f"{folder}: {made}"
    assert os.listdir(folder) == [LOG], f"{folder}: {os.listdir(folder)}"
    (place / "ballast").unlink()
    goes_on(folder, f"after making room; {folder}")
    return refused + 1
