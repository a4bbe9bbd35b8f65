"""A progress bar on standard error: only on a terminal, and only after a second."""

from __future__ import annotations

import sys
import time

WIDTH = 30
ROOM = 75
"""Maximum width of the whole line."""


class Progress:
    """The progress of `total` items, or of an unknown number; call `step` after each."""

    def __init__(self, total: int | None) -> None:
        self.total = total
        self.done = 0
        self._shown = False
        self._start = time.monotonic()
        self._next = self._start + 1
        self._before = 0
        self._wanted = total != 1 and sys.stderr.isatty()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def begin(self, done: int) -> None:
        """Set the number of items that were done before the clock started."""
        self.done = self._before = done

    def step(self, count: int = 1) -> None:
        """Count items as done, and draw the bar if it is time."""
        self.done += count
        now = time.monotonic()
        if self._wanted and now >= self._next and self.done != self.total:
            self._next = now + 0.1
            self._shown = True
            sys.stdout.flush()
            sys.stderr.write(f"\r{self._drawn(now - self._start):<{ROOM}}")
            sys.stderr.flush()

    def _drawn(self, passed: float) -> str:
        pace = (self.done - self._before) / passed
        if self.total is None:
            return f"{self.done} done, {pace:.0f} per second"
        full = WIDTH * self.done // self.total
        left = f", {lasting((self.total - self.done) / pace)} left" if pace else ""
        return f"[{'#' * full}{'.' * (WIDTH - full)}] {self.done} of {self.total}{left}"

    def clear(self) -> None:
        """Erase the bar, so that something else can be printed."""
        if self._shown:
            sys.stderr.write("\r" + " " * ROOM + "\r")
            sys.stderr.flush()
            self._shown = False


def lasting(seconds: float) -> str:
    """Return a duration as people say it: `8 s`, `3 min 20 s`, `2 h 5 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole // 60 % 60} min"
