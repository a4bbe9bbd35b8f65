"""Killing the program with SIGKILL at every call that touches a log.

The method is an interposed layer (`scripts.torture.layer`): the process kills itself before a call, after it,
or with a write done in part, at every number of bytes. Where `strace` is there, the real system calls of the
installed program are the places, too.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NoReturn

from scripts.torture.layer import Call, Hook, calmly, die, sintra
from scripts.torture.scenarios import (
    LOG,
    RUN,
    Dry,
    Scenario,
    check_run,
    content,
    fault,
    lay_run,
    next_step,
    run_whole,
    sampled,
    scenarios,
    whole_lines,
)

SHORT = ("move steps", "repair", "new")
"""Of the commands, these are enough for a short form."""


def run(scale: float, scratch: Path) -> dict[str, int | str]:
    """Kill every command that writes at every call; figures of it."""
    names = tuple(scenarios()) if scale >= 1 else SHORT
    figures = Counter[str](commands=len(names))
    for name in names:
        figures.update(sweep(name, scratch, scale))
    figures["kills in a run of simulate"] = simulated(scratch, scale)
    for name in scenarios():
        traced(name, scratch)
        figures["traces with all syncs in place"] += 1
    return {**figures, **_by_strace(scale, scratch)}


# -- The interposed layer --------------------------------------------------------------------


def sweep(name: str, scratch: Path, scale: float = 1) -> Counter[str]:
    """Kill one command at every call, in every way."""
    scenario = scenarios()[name]
    folder = scratch / "crash" / name.replace(" ", "-")
    dry = Dry(scenario, folder)
    figures = Counter[str]()
    for number, (call, _, size) in enumerate(dry.calls, 1):
        for when, hook in _kills(number, call, size, scale):
            scenario.lay(folder)
            ended = scenario.run(folder, hook)
            place = f"{name}: killed {when} call {number}, {call}; {folder}"
            assert ended.code == -9, f"{place}: ended with {ended}"
            part = when not in ("before", "after")
            if scenario.creates:
                _check_created(scenario, dry, folder, place)
            elif scenario.torn:
                _check_repaired(scenario, dry, folder, place)
            else:
                _check_appended(dry, folder, place, part)
            figures["kills"] += 1
            figures["of them inside a write"] += part
    shutil.rmtree(folder)
    return figures


def _kills(number: int, name: str, size: int, scale: float) -> Iterator[tuple[str, Hook]]:
    yield "before", at(number, lambda _: die())
    yield "after", at(number, _done_and_dead)
    if name == "write":
        step = max(1, size // 300, int(size / (6 + 300 * scale)) if scale < 1 else 1)
        for count in range(1, size, step):
            yield f"{count} bytes into", at(number, lambda call, n=count: (call.part(n), die()))


def _done_and_dead(call: Call) -> NoReturn:
    """The call is done, with or without success, and then comes the kill."""
    with contextlib.suppress(OSError):
        call.go()
    die()


def at(number: int, act: Callable[..., Any]) -> Hook:
    """A hook that acts at one call."""
    return lambda call: act(call) if call.number == number else call.go()


def _check_appended(dry: Dry, folder: Path, place: str, part: bool) -> None:
    """The log is as before or after a command, or torn in between, and can be gone on with."""
    data = content(folder) or b""
    if data not in dry.stages:
        assert part, f"{place}: a part of a command is in the log"
        stage = next((s for s in dry.stages if s and s.startswith(data) and len(s) > len(data)), None)
        assert stage is not None, f"{place}: the log is none of its prefixes"
        mend(folder, place)
    goes_on(folder, place)


def mend(folder: Path, place: str) -> None:
    """A torn log is named with line and byte, never written to, and repaired to its whole lines."""
    data = content(folder) or b""
    whole = whole_lines(data)
    if whole == data:
        return
    line = whole.count(b"\n") + 1
    answer = json.loads(calmly("verify", "--json", LOG, cwd=folder).out)
    said = f"from byte {len(whole) + 1} on"
    assert not answer["ok"], f"{place}: verify takes a torn log"
    assert answer["line"] == line, f"{place}: verify names line {answer['line']}, not {line}"
    assert said in answer["message"], f"{place}: verify does not say {said!r}: {answer['message']}"
    refused = calmly("note", LOG, "glued", cwd=folder)
    assert (refused.code, content(folder)) == (4, data), f"{place}: a torn log was written to: {refused}"
    ended = calmly("repair", LOG, cwd=folder)
    assert ended.code == 0, f"{place}: no repair: {ended}"
    assert content(folder) == whole, f"{place}: repaired to something else than its whole lines"
    backup = folder / f"{LOG}.bak"
    assert backup.exists(), f"{place}: no backup after repair"
    assert backup.read_bytes() == data, f"{place}: the backup is not what was there"


def goes_on(folder: Path, place: str) -> None:
    """A log verifies, and a next command works."""
    before = content(folder) or b""
    assert fault(folder / LOG) is None, f"{place}: {fault(folder / LOG)}"
    ended = calmly(*next_step(folder / LOG), cwd=folder)
    assert ended.code == 0, f"{place}: the next command fails: {ended}"
    after = content(folder) or b""
    assert after.startswith(before), f"{place}: the next command changed what was there"
    assert len(after) > len(before), f"{place}: the next command wrote nothing"
    assert fault(folder / LOG) is None, f"{place}: after the next command: {fault(folder / LOG)}"


def _check_created(scenario: Scenario, dry: Dry, folder: Path, place: str) -> None:
    """The new log is there as a whole, or not at all; then it can be made."""
    data = content(folder)
    assert data in dry.stages, f"{place}: a part of a new log was left behind"
    strange = [name for name in os.listdir(folder) if name not in (*scenario.files, LOG) and name[0] != "."]
    assert not strange, f"{place}: left behind: {strange}"
    ended = scenario.run(folder)
    assert ended.code == (0 if data is None else 5), f"{place}: made again: {ended}"
    assert content(folder) == dry.stages[-1], f"{place}: made again, it is something else"
    goes_on(folder, place)


def _check_repaired(scenario: Scenario, dry: Dry, folder: Path, place: str) -> None:
    """The log is torn as it was, or cut, with a whole backup; a second repair ends it."""
    torn, cut = scenario.files[LOG], whole_lines(scenario.files[LOG])
    assert content(folder) in (torn, cut), f"{place}: neither torn as it was nor repaired"
    backups = [path.read_bytes() for path in folder.glob(f"{LOG}.bak*")]
    assert all(data == torn for data in backups), f"{place}: a backup is not what was there"
    if content(folder) == cut:
        assert backups, f"{place}: cut, and no backup"
    ended = scenario.run(folder)
    assert ended.code == 0, f"{place}: a second repair fails: {ended}"
    assert content(folder) == cut == dry.stages[-1], f"{place}: a second repair left something else"
    assert list(folder.glob(f"{LOG}.bak*")), f"{place}: repaired, and no backup"
    goes_on(folder, place)


def simulated(scratch: Path, scale: float = 1) -> int:
    """Kill a run of many games at every call; the same command then goes on to the same end."""
    folder = scratch / "simulate"
    calls, whole = run_whole(folder)
    kills = 0
    for number, (call, _, size) in sampled(calls, scale):
        for when, hook in _kills(number, call, size, 0):
            lay_run(folder)
            ended = sintra(*RUN, cwd=folder, hook=hook)
            place = f"simulate: killed {when} call {number}, {call}; {folder}"
            assert ended.code == -9, f"{place}: ended with {ended}"
            check_run(folder, whole, place)
            kills += 1
    shutil.rmtree(folder)
    return kills


# -- What a kill does not show ---------------------------------------------------------------


def traced(name: str, scratch: Path) -> None:
    """All that a command wrote is synced before the command ends; nothing is with `--no-sync`.

    A kill does not lose what the system holds in memory, a power cut does: so the order of calls is checked.
    """
    scenario = scenarios()[name]
    folder = scratch / "traced"
    dry = Dry(scenario, folder)
    assert dry.changes == scenario.appends, f"{name}: {dry.changes} writes, not {scenario.appends}; {folder}"
    dirty: set[str] = set()
    entries: set[str] = set()
    log_names = {LOG, scenario.link}
    for call, what, _ in dry.calls:
        place = f"{name}: {call} of {what}"
        if call in ("write", "ftruncate"):
            dirty.add(what)
        elif call == "fsync":
            assert scenario.synced, f"{place}: synced in spite of --no-sync"
            dirty.discard(what)
            entries.discard(os.path.dirname(what) or what)
            entries.discard("." if what == "." else "")
        elif call in ("link", "replace"):
            assert what not in dirty, f"{place}: named before the disk has its bytes"
            entries.add(".")
        if call == "ftruncate" and what in log_names and scenario.torn:
            assert not entries, f"{place}: cut before the folder knows the backup"
    if scenario.synced:
        assert not dirty, f"{name}: not synced: {sorted(dirty)}; {folder}"
        assert not entries, f"{name}: the folder was not synced after a new file; {folder}"
    else:
        assert dirty, f"{name}: nothing was written"
    shutil.rmtree(folder)


# -- The real system calls -------------------------------------------------------------------

PRETENDED = 7
"""The number that a traced process takes for its own, so that the name of its draft is known."""
KINDS = "openat,flock,fstat,newfstatat,lseek,read,pread64,write,fsync,ftruncate,close,link,rename,unlink"


def _by_strace(scale: float, scratch: Path) -> dict[str, int | str]:
    """Kill the installed program at its real system calls, where `strace` can do that."""
    what = "kills at real system calls"
    if scale < 1:
        return {}
    if not _strace_works(scratch):
        return {what: "skipped: no strace"}
    return {what: sum(_strace_sweep(name, scratch) for name in ("move steps", "undo", "repair", "new"))}


def _strace_works(scratch: Path) -> bool:
    if shutil.which("strace") is None:
        return False
    done = subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True, cwd=scratch, check=False)
    return done.returncode == 0


def _strace_sweep(name: str, scratch: Path) -> int:
    """Kill a command before each of its system calls on the files of the folder, and on the folder."""
    scenario = scenarios()[name]
    folder = scratch / "strace" / name.replace(" ", "-")
    dry = Dry(scenario, folder)
    kills = 0
    for kind, count in _real_calls(scenario, folder).items():
        for number in range(1, count + 1):
            scenario.lay(folder)
            code = _strace(scenario, folder, ["-e", f"inject={kind}:signal=KILL:when={number}"])
            place = f"{name}: killed before {kind} {number} (strace); {folder}"
            assert code == -9, f"{place}: it was not killed, but ended with {code}"
            if scenario.creates:
                _check_created(scenario, dry, folder, place)
            elif scenario.torn:
                _check_repaired(scenario, dry, folder, place)
            else:
                _check_appended(dry, folder, place, part=False)
            kills += 1
    return kills


def _real_calls(scenario: Scenario, folder: Path) -> Counter[str]:
    """How often a command makes each system call on the files of the folder."""
    scenario.lay(folder)
    listed = folder.parent / "strace.txt"
    assert _strace(scenario, folder, ["-o", str(listed)]) == 0
    rows = (line.split("(", 1)[0].split()[-1] for line in listed.read_text().splitlines() if "(" in line)
    return Counter(name for name in rows if name in KINDS.split(","))


def _strace(scenario: Scenario, folder: Path, options: Iterable[str]) -> int:
    paths = [LOG, f"{LOG}.bak", f".sintra-{PRETENDED}-0.new", ".", "old.log"]
    only = [word for path in paths for word in ("-P", str(folder / path))]
    program = f"import os, sys; os.getpid = lambda: {PRETENDED}; sys.argv[0] = 'sintra'; "
    program += "from sintra.cli import main; main()"
    tracer = ["strace", "-f", "-qq", "-e", f"trace={KINDS}", *only, *options]
    done = subprocess.run(
        [*tracer, sys.executable, "-P", "-c", program, *_absolute(scenario, folder)],
        cwd=folder.parent,
        capture_output=True,
        check=False,
    )
    return done.returncode


def _absolute(scenario: Scenario, folder: Path) -> list[str]:
    return [str(folder / word) if word.endswith(".log") else word for word in scenario.words]
