"""A replay on a terminal: frames in place, keys, and a terminal that is left as it was."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sintra.cli.animate import Frame, Reel, cut
from sintra.text import columns
from sintra.view.style import Style
from tests.cli.test_play import Terminal, terminal
from tests.kit.program import played

SCRIPT = """
import sys
from sintra.log import files
from sintra.reader import Reader
from sintra.cli.animate import animate, filmed, possible
from sintra.cli.options import Color
from sintra.cli.output import style
how = style(Color.auto, "--ascii" in sys.argv)
reader = Reader(files.read(sys.argv[1]), watch=True)
assert possible()
try:
    animate(filmed(reader, how, 1, 60), float(sys.argv[2]) or None, how)
except KeyboardInterrupt:
    sys.exit(130)
"""
ENTER, LEAVE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"


@contextlib.contextmanager
def replay(tmp_path: Path, delay: str, *words: str, size: tuple[int, int] = (80, 24)) -> Iterator[Terminal]:
    log = tmp_path / "game.log"
    log.write_bytes(played())
    with terminal(sys.executable, "-c", SCRIPT, log, delay, *words, size=size) as screen:
        yield screen


@pytest.mark.process
def test_keys_go_forward_and_back(tmp_path: Path) -> None:
    with replay(tmp_path, "0") as screen:
        assert ENTER in screen.wait_for("event 1 of 60, paused")
        for key, where in [
            ("\x1b[C", "event 2 of 60"),
            ("n", "event 3 of 60"),
            ("\n", "event 4 of 60"),
            ("\x1bOD", "event 3 of 60"),
            ("p", "event 2 of 60"),
            ("G", "event 60 of 60, end"),
            ("n", None),
            ("g", "event 1 of 60"),
            ("p", None),
            ("\x1b[F", "event 60 of 60"),
            ("\x1b[1~", "event 1 of 60"),
            ("nnn\x1b[Cp", "event 4 of 60"),
        ]:
            screen.type(key)
            if where:
                assert "Stained Glass of Sintra" in screen.wait_for(where)
        screen.type("q")
        code, shown = screen.end()
    assert code == 0
    assert shown.endswith(LEAVE)


@pytest.mark.process
def test_it_runs_pauses_and_changes_its_pace(tmp_path: Path) -> None:
    with replay(tmp_path, "0.2") as screen:
        screen.wait_for("event 3 of 60, 0.2 s")
        screen.type(" ")
        screen.wait_for("paused")
        screen.type("-")
        screen.type(" ")
        screen.wait_for(", 0.5 s")
        screen.type("++++")
        screen.wait_for(", 0.05 s")
        screen.wait_for("event 60 of 60, end")
        screen.type(" ")  # once more
        screen.wait_for("event 1 of 60, 0.05 s")
        screen.type("q")
        assert screen.end()[0] == 0


@pytest.mark.process
@pytest.mark.parametrize(("end", "code"), [("q", 0), ("\x03", 130), (signal.SIGTERM, 143)])
def test_the_terminal_is_left_as_it_was(end: str | signal.Signals, code: int, tmp_path: Path) -> None:
    with replay(tmp_path, "30") as screen:
        before = termios.tcgetattr(screen.ours)
        screen.wait_for("event 1 of 60")
        assert termios.tcgetattr(screen.ours) != before
        if isinstance(end, str):
            screen.type(end)
        else:
            screen.process.send_signal(end)
        screen.wait_for(LEAVE)
        assert screen.process.wait(10) == code
        assert termios.tcgetattr(screen.ours) == before


@pytest.mark.process
def test_it_is_suspended_and_goes_on(tmp_path: Path) -> None:
    with replay(tmp_path, "0") as screen:
        screen.wait_for("event 1 of 60")
        screen.type("\x1a")
        screen.wait_for(LEAVE)
        time.sleep(0.2)
        os.kill(screen.process.pid, signal.SIGCONT)
        screen.wait_for(ENTER)
        screen.wait_for("event 1 of 60")
        screen.type("q")
        assert screen.end()[0] == 0


@pytest.mark.process
def test_a_small_screen_is_cut_with_a_hint_and_may_grow(tmp_path: Path) -> None:
    with replay(tmp_path, "0", "--ascii", size=(60, 12)) as screen:
        screen.wait_for("event 1 of 60")
        screen.type("n" * 9)
        drawn = screen.wait_for("event 10 of 60").rpartition("\x1b[H")[2]
        assert "more lines: the screen is too small" in drawn
        assert drawn.isascii()
        for line in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", drawn).splitlines():
            assert columns(line) <= 60
        screen.resize(100, 40)
        grown = screen.wait_for("event 10 of 60").rpartition("\x1b[H")[2]
        assert "too low" not in grown
        assert grown.count("\r\n") == 39


# -- Without a terminal ----------------------------------------------------------------------

FRAMES = [Frame(number, f"Event {number}.", [f"table {number}"]) for number in range(1, 4)]


def test_a_reel_stops_at_its_end() -> None:
    reel = Reel(FRAMES, 0.001, Style())
    for _ in range(5):
        time.sleep(0.002)
        reel.tick()
    assert (reel.at, reel.running) == (2, False)


def test_paces_have_bounds() -> None:
    reel = Reel(FRAMES, None, Style())
    for _ in range(20):
        reel.press("faster")
    assert reel.delay == 0.05
    for _ in range(20):
        reel.press("slower")
    assert reel.delay == 10
    assert not reel.running


@pytest.mark.parametrize(
    ("line", "width", "expected"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "abc"),
        ("\x1b[1mabcd\x1b[0m", 3, "\x1b[1mabc\x1b[0m"),
        ("李李", 3, "李"),
        ("ab\x1b[2mcd\x1b[0mef", 5, "ab\x1b[2mcd\x1b[0me\x1b[0m"),
    ],
)
def test_a_line_is_cut_between_its_colors(line: str, width: int, expected: str) -> None:
    assert cut(line, width) == expected
