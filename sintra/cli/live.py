"""The progress of a tournament on standard error: a table redrawn on a terminal, lines elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from sintra.cli.output import remark
from sintra.cli.progress import lasting
from sintra.text import plural, safe

if TYPE_CHECKING:
    from sintra.batch.tournament import Tournament

EVERY = 0.5
"""Seconds between tables."""
LINES = 10
"""Approximate number of lines for a whole tournament."""
ROWS = 20
"""Maximum number of bots in the table."""


class Live:
    """Shows the progress of a tournament; call `step` when games are finished."""

    def __init__(self, run: Tournament, quiet: bool) -> None:
        self._run = run
        self._quiet = quiet
        self._live: Any = None
        self._start = time.monotonic()
        self._next = self._start + 1
        self._said = 0

    def __enter__(self) -> Live:
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def step(self) -> None:
        """Show the progress, if it is time."""
        if self._quiet:
            return
        if sys.stderr.isatty():
            now = time.monotonic()
            if now >= self._next:
                self._next = now + EVERY
                self._draw(now)
            return
        run = self._run
        tenth = LINES * run.done // run.plan.games
        if tenth > self._said and run.done > run.kept:
            self._said = tenth
            best = ", ".join(f"{one.bot} {one.rating:.0f}" for one in self._standings()[:3])
            remark(safe(f"{run.done} of {plural(run.plan.games, 'game')}: {best}"))

    def _standings(self) -> Any:
        return self._run.standings(intervals=False).standings

    def _draw(self, now: float) -> None:
        from rich.console import Console
        from rich.live import Live as Screen

        if self._live is None:
            self._live = Screen(console=Console(stderr=True), auto_refresh=False, transient=True)
            self._live.start()
        self._live.update(self._table(now - self._start), refresh=True)

    def _table(self, passed: float) -> Any:
        from rich.table import Table
        from rich.text import Text

        run = self._run
        pace = (run.done - run.kept) / passed
        left = f", {lasting((run.plan.games - run.done) / pace)} left" if pace else ""
        rows = self._standings()
        found = Table(title=f"{run.done} of {plural(run.plan.games, 'game')}{left}", title_justify="left")
        for head in ("#", "bot", "rating", "games", "beat %", "faults"):
            found.add_column(head, justify="left" if head == "bot" else "right")
        for one in rows[:ROWS]:
            failed = str(sum(one.faults.values()))
            cells = [
                str(one.rank),
                safe(one.bot),
                f"{one.rating:.0f}",
                str(one.games),
                f"{100 * one.share:.1f}",
            ]
            found.add_row(*map(Text, [*cells, failed]))
        if len(rows) > ROWS:
            found.caption = f"and {len(rows) - ROWS} more"
        return found
