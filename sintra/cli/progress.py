"""A progress bar on standard error: only on a terminal, and only for what takes longer than a second."""

from __future__ import annotations

import sys
import time

WIDTH = 30


class Progress:
    """So many things are done one after the other; call `step` after each."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.done = 0
        self._shown = False
        self._next = time.monotonic() + 1
        self._wanted = total > 1 and sys.stderr.isatty()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def step(self) -> None:
        """One more is done."""
        self.done += 1
        now = time.monotonic()
        if self._wanted and now >= self._next and self.done < self.total:
            self._next = now + 0.1
            self._shown = True
            full = WIDTH * self.done // self.total
            sys.stdout.flush()
            sys.stderr.write(f"\r[{'#' * full}{'.' * (WIDTH - full)}] {self.done} of {self.total}")
            sys.stderr.flush()

    def clear(self) -> None:
        """Take the bar away, for something else to be written."""
        if self._shown:
            sys.stderr.write("\r" + " " * (WIDTH + 40) + "\r")
            sys.stderr.flush()
            self._shown = False
