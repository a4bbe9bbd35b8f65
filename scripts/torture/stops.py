"""Ctrl-C, kills of workers and kills of the whole run, with a bot that never returns to Python.

A run ends at once, says so without a traceback, and leaves no process behind; a killed run is resumed.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

SECONDS = 2.0
"""Within which a command ends after a signal, and no process is left."""
PATIENCE = 60
NOT_BEGUN = "init_import_site"
"""What Python itself says of Ctrl-C before it has begun any program."""
STUCK = '''"""Bots that never return: in Python, and in C with the interpreter locked."""
import os, re, time

def _here():
    with open(f"stuck-{os.getpid()}", "w"):
        pass

def in_c(state, stream):
    _here()
    re.match("(a|a)*b", "a" * 60)
    return state.legal()[0]

def in_python(state, stream):
    _here()
    while True:
        time.sleep(0.01)
'''


def run(scale: float, scratch: Path) -> dict[str, int | str]:
    """Stop runs in every way, many times."""
    figures: dict[str, int | str] = {}
    for what, way, times in (
        ("Ctrl-C while bots never return", interrupted, 300),
        ("workers killed while bots never return", worker_killed, 60),
        ("runs killed while bots never return, and resumed", run_killed, 40),
        ("Ctrl-C at any moment of a command", at_any_moment, 150),
    ):
        count = max(2, round(times * scale))
        for number in range(count):
            folder = scratch / f"{way.__name__}-{number}"
            folder.mkdir()
            way(folder, number)
        figures[what] = count
    return {**figures, "processes left after 2 seconds": 0}


def started(folder: Path, number: int) -> subprocess.Popen[str]:
    """Start a run, and wait until a bot of it is stuck."""
    (folder / "stuck.py").write_text(STUCK)
    bot, jobs = ("in_c", "in_python")[number % 2], str(1 + number // 2 % 2)
    run = _command(
        folder, "simulate", "20", "--bots", f"stuck:{bot}", "--jobs", jobs, "--seed", "1", "--out", "run"
    )
    _until(lambda: any(folder.glob("stuck-*")) or run.poll() is not None, "no bot was asked")
    assert run.poll() is None, run.communicate()
    return run


def interrupted(folder: Path, number: int) -> None:
    """Ctrl-C, which reaches all processes of a terminal."""
    run = started(folder, number)
    os.killpg(run.pid, signal.SIGINT)
    assert ended(run, folder)[0] == 130


def worker_killed(folder: Path, number: int) -> None:
    """A worker is killed, as by a system that is out of memory."""
    run = started(folder, number)
    stuck = next(folder.glob("stuck-*")).name.removeprefix("stuck-")
    os.kill(int(stuck), signal.SIGKILL)
    code, said = ended(run, folder)
    assert (code, "a worker process died" in said) == (4, True), (code, said)


def run_killed(folder: Path, number: int) -> None:
    """The run is killed; its workers die, too, and it is resumed by bots that answer."""
    run = started(folder, number)
    run.kill()
    ended(run, folder)
    text = "def {0}(state, stream):\n    return state.legal()[0]\n"
    (folder / "stuck.py").write_text(text.format("in_c") + text.format("in_python"))
    words = (*run.args[1:],) if isinstance(run.args, list) else ()
    again = _command(folder, *words, "--json")
    out, said = again.communicate(timeout=PATIENCE)
    assert again.returncode == 0, said
    assert '"done":20' in out.replace(" ", ""), out


def at_any_moment(folder: Path, number: int) -> None:
    """Ctrl-C at any moment of a command, from its imports to its answer."""
    words = (("simulate", "400", "--jobs", "2"), ("rules", "sintra"), ("help",))[number % 3]
    run = _command(folder, *words)
    time.sleep(0.03 + 0.37 * (number * 0.618 % 1))  # Python itself needs the first moments
    if run.poll() is None:
        os.killpg(run.pid, signal.SIGINT)
    code, said = ended(run, folder)
    assert code in (0, 130, -signal.SIGINT) or NOT_BEGUN in said, (code, said)


def ended(run: subprocess.Popen[str], folder: Path) -> tuple[int, str]:
    """Wait for the end of a run; return its exit code and what it said."""
    try:
        _, said = run.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)
        raise AssertionError(f"no end after {PATIENCE} seconds; {folder}") from None
    _until(lambda: not left(run.pid), f"processes are left: {left(run.pid)}; {folder}", SECONDS)
    assert "Traceback" not in said or NOT_BEGUN in said, f"{said}; {folder}"
    return run.returncode, said


def left(session: int) -> list[int]:
    """Return the processes of a session that live."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] != "Z":
                found.append(int(entry))
    return found


def _command(folder: Path, *words: str) -> subprocess.Popen[str]:
    sintra = str(Path(sys.executable).parent / "sintra")
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sintra, *words], cwd=folder, stdout=pipe, stderr=pipe, text=True, start_new_session=True
    )


def _until(true: Callable[[], bool], said: str, seconds: float = PATIENCE) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, said
        time.sleep(0.02)
