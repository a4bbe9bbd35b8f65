"""A game on the screen, event by event, with keys to step, pause and quit."""

from __future__ import annotations

import os
import re
import select
import signal
import sys
import termios
import time
import tty
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import FileIO
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from sintra.errors import UsageError
from sintra.text import columns, wrapped

if TYPE_CHECKING:
    from sintra.fold import Fold
    from sintra.reader import Reader
    from sintra.view.style import Style

ENTER = "\x1b[?1049h\x1b[?25l"
"""Switches to the alternate screen, without a cursor."""
LEAVE = "\x1b[?25h\x1b[?1049l"
PACES = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Delays between two events that + and - choose from, in seconds."""
MAX_FRAMES = 10_000
"""Maximum number of events that can be shown."""
GLANCE = 0.25
"""Time between checks of the screen size, in seconds."""

KEYS = {
    " ": "pause",
    "n": "forward",
    "\r": "forward",
    "\n": "forward",
    "\x1b[C": "forward",
    "\x1bOC": "forward",
    "p": "back",
    "\x1b[D": "back",
    "\x1bOD": "back",
    "+": "faster",
    "=": "faster",
    "-": "slower",
    "g": "first",
    "\x1b[H": "first",
    "\x1bOH": "first",
    "\x1b[1~": "first",
    "\x1b[7~": "first",
    "G": "last",
    "\x1b[F": "last",
    "\x1bOF": "last",
    "\x1b[4~": "last",
    "\x1b[8~": "last",
    "q": "quit",
    "Q": "quit",
    "\x04": "quit",
    "\x1a": "suspend",
}
"""What each key does, as terminals send it."""


class Frame(NamedTuple):
    """One event: its number, a sentence about it, and the table after it as lines."""

    number: int
    sentence: str
    table: Sequence[str]


def filmed(reader: Reader, style: Style, start: int = 1, end: int | None = None) -> Iterator[Frame]:
    """Yield the frames of a log, from one event to another; the reader has to watch effects."""
    from sintra.view import sentence_of
    from sintra.view.trail import Trail

    trail = Trail()
    for moment in reader:
        fold = reader.fold
        trail.see(fold, moment.event)
        if moment.number >= start:
            table = bare_table(fold, replace(style, since=trail.since(fold)))
            yield Frame(moment.number, sentence_of(fold, moment), table)
        if moment.number == end:
            break


def bare_table(fold: Fold, style: Style) -> list[str]:
    """Return the table without the list of possible steps."""
    from sintra.view import view_of

    return view_of(fold.rules).table(fold, replace(style, choices=False))


def possible() -> bool:
    """Return True if there is a screen to draw on, and a keyboard."""
    ends = (sys.stdin, sys.stdout)
    return all(end is not None and end.isatty() for end in ends) and os.environ.get("TERM") != "dumb"


def animate(frames: Iterable[Frame], delay: float | None, style: Style) -> None:
    """Show frames in place, one every `delay` seconds; without a delay, each waits for a key."""
    shown = list(islice(frames, MAX_FRAMES + 1))
    if len(shown) > MAX_FRAMES:
        raise UsageError(f"more than {MAX_FRAMES} events to show; select some with --from and --to")
    reel = Reel(shown, delay, style)
    if not reel.frames:
        return
    with _screen() as before:
        while not reel.done:
            if reel.draws():
                _send(reel.drawing())
            for key in _pressed(reel.wait()):
                if key == "suspend":
                    _suspend(before)
                    reel.drawn = None
                else:
                    reel.press(key)
            reel.tick()


class Reel:
    """The frames, the current one, and the pace."""

    def __init__(self, frames: Sequence[Frame], delay: float | None, style: Style) -> None:
        self.frames = frames
        self.style = style
        self.at = 0
        self.delay = delay or 1.0
        self.running = bool(delay)
        self.done = False
        self.due = time.monotonic() + self.delay
        self.drawn: object = None
        """What is on the screen, so that only changes are drawn."""

    # -- Going --

    def press(self, key: str) -> None:
        """Handle a key; the next event then comes after a full delay."""
        last = len(self.frames) - 1
        match key:
            case "pause":
                self.running = not self.running
                self.at = 0 if self.at == last else self.at
            case "forward" | "back":
                self.running = False
                self.at += 1 if key == "forward" else -1
            case "first" | "last":
                self.running = False
                self.at = 0 if key == "first" else last
            case "faster":
                self.delay = max((pace for pace in PACES if pace < self.delay), default=PACES[0])
            case "slower":
                self.delay = min((pace for pace in PACES if pace > self.delay), default=PACES[-1])
            case "quit":
                self.done = True
        self.at = min(max(self.at, 0), last)
        self.due = time.monotonic() + self.delay

    def tick(self) -> None:
        """Advance to the next event when it is due; stop at the last one."""
        if self.running and time.monotonic() >= self.due:
            self.at = min(self.at + 1, len(self.frames) - 1)
            self.running = self.at < len(self.frames) - 1
            self.due = time.monotonic() + self.delay

    def wait(self) -> float:
        """Return how long to wait for a key, in seconds."""
        return min(GLANCE, max(0.0, self.due - time.monotonic())) if self.running else GLANCE

    # -- Drawing --

    def draws(self) -> bool:
        """Return True if anything has changed since the last drawing."""
        now = (self.at, self.running, self.delay, _size())
        changed = now != self.drawn
        self.drawn = now
        return changed

    def drawing(self) -> str:
        """Return the screen as it is sent: the table, the sentence, and the keys in the last line."""
        width, height = _size()
        frame = self.frames[self.at]
        sentence = wrapped(frame.sentence.split(" "), width - 1)[: max(1, height - 2)]
        room = max(0, height - len(sentence) - 1)
        table = [line.rstrip() for line in frame.table]
        if len(table) > room > 0:
            hidden = len(table) - room + 1
            table = [*table[: room - 1], self.style.faint(f"({hidden} more lines: the screen is too small)")]
        rows = [*table[:room], *[""] * (room - len(table)), *map(self.style.strong, sentence)]
        lines = [cut(line, width) + "\x1b[K" for line in [*rows, self._status(width)]]
        return "\x1b[H" + "\n".join(lines[-height:]) + "\x1b[J"

    def _status(self, width: int) -> str:
        """Return the position, and as many of the keys as there is room for."""
        either = self.style.either
        number, total = self.frames[self.at].number, self.frames[-1].number
        ended = self.at == len(self.frames) - 1
        pace = f"{self.delay:g} s" if self.running else "end" if ended else "paused"
        keys = [
            f"space {'pause' if self.running else 'again' if ended else 'continue'}",
            either("←→ step", "n/p step"),
            "+- speed",
            "g/G ends",
            "q quit",
        ]
        status = f"event {number} of {total}, {pace}"
        line = wrapped([status, *keys], width - 3, gap="   ")[0]
        return self.style.paint(f" {line:<{max(0, width - 2)}} ", "7")


def cut(line: str, width: int) -> str:
    """Return a line cut to a number of columns, with its colors reset; escape sequences take none."""
    if columns(line) <= width:
        return line
    kept, room = "", width
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if part.startswith("\x1b"):
            kept += part
            continue
        for ch in part:
            room -= columns(ch)
            if room < 0:
                return kept + ("\x1b[0m" if "\x1b" in kept else "")
            kept += ch
    return kept


# -- The terminal ----------------------------------------------------------------------------


@contextmanager
def _screen() -> Iterator[list[Any]]:
    """Set up the terminal, and restore it at the end, whatever happens."""
    before = termios.tcgetattr(sys.stdin)
    ended = signal.signal(signal.SIGTERM, _end)
    try:
        _listen()
        yield before
    finally:
        _give_back(before)
        signal.signal(signal.SIGTERM, ended)


def _listen() -> None:
    """Switch to the other screen and to single, unseen keys; Ctrl-C still interrupts, Ctrl-Z is a key."""
    tty.setcbreak(sys.stdin)
    modes = termios.tcgetattr(sys.stdin)
    modes[6][termios.VSUSP] = b"\0"
    termios.tcsetattr(sys.stdin, termios.TCSADRAIN, modes)
    _send(ENTER)


def _give_back(before: list[Any]) -> None:
    """Restore the terminal."""
    _send(LEAVE)
    termios.tcsetattr(sys.stdin, termios.TCSAFLUSH, before)


def _end(signum: int, _: object) -> None:
    sys.exit(128 + signum)


def _suspend(before: list[Any]) -> None:
    """Restore the terminal and stop until the shell continues the program."""
    _give_back(before)
    os.kill(os.getpid(), signal.SIGSTOP)
    _listen()


def _pressed(wait: float) -> list[str]:
    """Return the actions of the keys pressed within this time."""
    if not select.select([sys.stdin], [], [], wait)[0]:
        return []
    data = FileIO(sys.stdin.fileno(), closefd=False).read(256)
    if not data:  # the terminal is gone
        return ["quit"]
    pressed = re.findall(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Z]|.", data.decode("utf-8", "replace"), re.DOTALL)
    return [KEYS[key] for key in pressed if key in KEYS]


def _size() -> tuple[int, int]:
    """Return the columns and lines of the screen."""
    width, height = os.get_terminal_size(sys.stdout.fileno())
    return width or 80, height or 24


def _send(text: str) -> None:
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
    sys.stdout.flush()
