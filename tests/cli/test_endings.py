"""How commands end: at signals, without a terminal, and in odd environments."""

from __future__ import annotations

import multiprocessing
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import sintra
from scripts.torture import stops
from sintra.batch import workers
from sintra.cli import complete, output
from sintra.cli.options import Color
from sintra.errors import WorkersLost
from tests.kit.program import PATIENCE, SINTRA, environment, run

pytestmark = pytest.mark.process


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks at processes in /proc")
@pytest.mark.parametrize("way", [stops.interrupted, stops.worker_killed, stops.run_killed])
def test_a_bot_that_never_returns_is_left(way: Any, tmp_path: Path) -> None:
    way(tmp_path, 0)


def _simulated() -> str:
    try:
        sintra.simulate("azul", 4, seed=1, jobs=2)
    except WorkersLost as error:
        return str(error)
    return ""


def test_a_daemon_can_not_have_workers() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        said = pool.apply(_simulated)
    assert said.startswith(
        "can't start worker processes: daemonic processes are not allowed to have children"
    )


def test_there_are_never_more_workers_than_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    pool = workers._pool

    def counted(jobs: int) -> Any:
        asked.append(jobs)
        return pool(min(jobs, 2))

    monkeypatch.setattr(workers, "_pool", counted)
    for number in range(8):
        sintra.new("azul", seed=number).save(tmp_path / f"{number}.log")
    assert len(list(sintra.verify(tmp_path, jobs=1000))) == 8
    assert sintra.simulate("azul", 3, seed=1, jobs=1000).done == 3
    assert asked == [8, 3]
    assert (
        "--jobs must be a whole number from 1 to 1,024"
        in run("verify", tmp_path, "-j", "3000000000", code=2).err
    )


LOST = """
import signal, sys, time, weakref
import sintra.cli, sintra.cli.help

class Thing:
    pass

def help() -> None:
    thing = Thing()
    kept = weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGINT))
    del thing
    time.sleep(10)

sintra.cli.help.help = help
sys.argv = ["sintra", "help"]
sintra.cli.main()
"""


def test_ctrl_c_is_not_lost_where_python_can_raise_no_error() -> None:
    """As in what an import does at its end: Python would print a traceback, and go on."""
    words = [sys.executable, "-c", LOST]
    done = subprocess.run(
        words, capture_output=True, text=True, env=environment(), timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stderr) == (130, "")


def test_completion_does_not_wait_for_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    def waits(*_: object) -> None:
        raise AssertionError("it waits for the pipe")

    before = signal.signal(signal.SIGALRM, waits)
    signal.alarm(10)
    try:
        context = SimpleNamespace(params={"log_": str(tmp_path / "pipe"), "steps": []})
        assert complete.steps(context, "") == []
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("columns", ["1000000000", "0", "-5", "many"])
def test_any_width_of_the_terminal(columns: str, tmp_path: Path) -> None:
    sintra.new("azul", seed=1).save(tmp_path / "game.log")
    for command in ("show", "log", "score"):
        run(command, "game.log", cwd=tmp_path, env={"COLUMNS": columns, "LINES": columns})


@pytest.mark.parametrize("said", ["120", "", "0", "-5", "many", "9" * 5000, "\u00b2", "\u0663"])
def test_the_size_of_the_screen_is_what_python_says(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", said)
    monkeypatch.setenv("LINES", said)
    wide, high = output.screen_size()
    if len(said) < 100:  # Python gives up reading longer numbers
        assert (wide, high) == shutil.get_terminal_size()
    assert wide > 0
    assert high > 0


def test_the_widest_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "1000000000")
    assert output.style(Color.never, False).width == output.MAX_WIDTH


def _on_a_terminal(folder: Path, *words: str) -> tuple[subprocess.Popen[bytes], int, int]:
    main, side = pty.openpty()
    started = subprocess.Popen(
        [SINTRA, *words], cwd=folder, env=environment({"TERM": "xterm"}), stdin=side, stdout=side, stderr=side
    )
    return started, main, side


def _seen(main: int, text: bytes) -> None:
    seen, end = b"", time.monotonic() + PATIENCE
    while text not in seen:
        ready, _, _ = select.select([main], [], [], end - time.monotonic())
        assert ready, seen
        seen += os.read(main, 4096)


def test_a_terminal_has_its_echo_after_sigterm(tmp_path: Path) -> None:
    playing, main, side = _on_a_terminal(
        tmp_path, "play", "game.log", "--plain", "--rules", "azul", "--seed", "1"
    )
    _seen(main, b"Player 1> ")
    time.sleep(0.2)  # readline takes the terminal after the prompt
    playing.send_signal(signal.SIGTERM)
    assert playing.wait(PATIENCE) == 128 + signal.SIGTERM
    assert termios.tcgetattr(side)[3] & termios.ECHO
    os.close(main)
    os.close(side)
