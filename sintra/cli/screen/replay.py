"""Watching a game on the full screen: event by event, or as others play it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace

from sintra.cli.animate import PACES, bare_table
from sintra.cli.screen.history import History
from sintra.cli.screen.page import (
    Page,
    buttons,
    composed,
    last_lines,
    points_lines,
    side_panel,
    stacked,
    table_width,
)
from sintra.cli.screen.screens import PageScreen
from sintra.errors import SintraError
from sintra.log import files
from sintra.reader import Reader
from sintra.text import wrapped
from sintra.view.common import legend_lines
from sintra.view.layout import framed
from sintra.view.style import Style

if TYPE_CHECKING:
    from sintra.rules.effects import Moment

LOOK = 0.1
"""Time between checks of a followed log, in seconds."""
HELP = """\
  left, right       an event back or forward (or p and n)
  up, down          to the turn before, or the next one
  PgUp, PgDn        to the round before, or the next one
  Home, End         to the first event, or the last one (or g and G)
  space             run, or pause
  + and -           faster, or slower
  t or F4           other colors: dark, light, color-blind, ASCII
  q, Esc            quit
"""


class ReplayScreen(PageScreen):
    """The events of a log, and the current one, at which the table is shown."""

    KEYS: ClassVar[Mapping[str, str]] = {
        "left": "back",
        "p": "back",
        "right": "forward",
        "n": "forward",
        "enter": "forward",
        "up": "turn_back",
        "down": "turn",
        "pageup": "round_back",
        "pagedown": "round",
        "home": "first",
        "g": "first",
        "end": "last",
        "G": "last",
        "space": "run",
        "+": "faster",
        "=": "faster",
        "-": "slower",
        "t": "theme",
        "f4": "theme",
        "?": "help",
        "f1": "help",
        "q": "quit",
        "escape": "quit",
        "ctrl+q": "quit",
        "ctrl+c": "quit",
        "ctrl+d": "quit",
    }

    def __init__(
        self, path: str, start: int = 1, end: int | None = None, delay: float = 0, follow: bool = False
    ) -> None:
        super().__init__()
        self.history = History()
        self.path, self.end = path, end
        self.delay = delay or 1.0
        self.running = bool(delay)
        self.follow = follow
        self.first = start - 1
        self._closing = False
        self._reader = Reader(files.read(path, self._more if follow else None), path, watch=True)
        if not follow:
            for moment in self._reader:
                self._see(moment)
                if moment.number == end:
                    break
        self.at = min(self.first, self.last)
        self._known = self.last
        """The last event that the screen knows of; a followed log may have more by now."""

    @property
    def last(self) -> int:
        """The last event that can be shown."""
        return len(self.history) - 1

    def started(self) -> None:
        """Start running, or following the log."""
        if self.follow:
            self.run_worker(self._followed, thread=True)
        self.set_interval(min(PACES), self._tick)
        self._waited = 0.0

    # -- Reading --

    def _see(self, moment: Moment) -> None:
        self.history.see(self._reader.fold, moment)

    def _more(self) -> bool:
        """Wait before checking a followed log again; return False to stop."""
        if self.is_attached:
            self.app.call_from_thread(self._arrived)
        asyncio.run(asyncio.sleep(LOOK))
        return not (self._closing or (self._reader.line and self._reader.fold.over))

    def _followed(self) -> None:
        """Read the log as it grows, in a thread."""
        try:
            for moment in self._reader:
                self._see(moment)
                if self._closing or moment.number == self.end:
                    break
            self.app.call_from_thread(self._arrived)
        except SintraError as error:
            self.app.call_from_thread(self.app.leave, error)

    def _arrived(self) -> None:
        """Show new events, unless an earlier event is being looked at."""
        if self._known != self.last:
            if self.at == self._known:
                self.at = self.last
            self._known = self.last
            self.redraw()

    def on_unmount(self) -> None:
        """Stop following."""
        self._closing = True

    def _tick(self) -> None:
        self._waited += min(PACES)
        if self.running and self._waited >= self.delay and not self.notices:
            self._go(self.at + 1)
            self.running = self.at < self.last
            self.redraw()

    # -- Commands --

    def _go(self, at: int) -> None:
        self.at = min(max(at, min(self.first, self.last)), self.last)
        self._waited = 0.0

    def _step(self, at: int) -> None:
        self.running = False
        self._go(at)

    def do_forward(self) -> None:
        """Go on by an event."""
        self._step(self.at + 1)

    def do_back(self) -> None:
        """Go back by an event."""
        self._step(self.at - 1)

    def do_turn(self) -> None:
        """Go to the next turn."""
        self._step(self.history.turn(self.at, forward=True))

    def do_turn_back(self) -> None:
        """Go to the turn before."""
        self._step(self.history.turn(self.at, forward=False))

    def do_round(self) -> None:
        """Go to the next round."""
        self._step(self.history.round(self.at, forward=True))

    def do_round_back(self) -> None:
        """Go to the round before."""
        self._step(self.history.round(self.at, forward=False))

    def do_first(self) -> None:
        """Go to the first event."""
        self._step(0)

    def do_last(self) -> None:
        """Go to the last event."""
        self._step(self.last)

    def do_run(self) -> None:
        """Run, or pause; at the end, begin again."""
        self.running = not self.running
        self._go(0 if self.running and self.at == self.last and not self.follow else self.at)

    def do_faster(self) -> None:
        """Shorten the delay."""
        self.delay = max((pace for pace in PACES if pace < self.delay), default=PACES[0])

    def do_slower(self) -> None:
        """Lengthen the delay."""
        self.delay = min((pace for pace in PACES if pace > self.delay), default=PACES[-1])

    def do_help(self) -> None:
        """Explain the keys and the signs."""
        look = replace(self.look, spots=None, width=min(76, self.extent[0]))
        lines = [*HELP.splitlines(), "", *legend_lines(self.history.fold, look)]
        self.notices.append(("Help", lines))

    # -- The page --

    def page(self, look: Style) -> Page:
        """Return the table after an event, the sentence about it, and the keys."""
        spots = look.spots if look.spots is not None else []
        if self.at < 0:
            return Page([look.faint("Waiting for the first event ...")], spots)
        seen = self.history.seen[self.at]

        def table(width: int, height: int) -> list[str]:
            own = replace(look, width=width, height=height, spots=None, since=seen.since)
            return bare_table(self.history.fold_at(self.at), own)

        def below(width: int, room: int) -> list[str]:
            if table_width(self.extent[0]) == self.extent[0]:
                return last_lines(self.history.sentences(self.at - 1), width, room, look)
            fold = self.history.fold_at(self.at)
            flat = replace(look, spots=None, width=width - 4)
            signs = [f" {line}" for line in legend_lines(fold, flat)]
            points = framed("points so far", "", points_lines(fold, look), look, width)
            return stacked([points, framed("signs", "", signs, look, width)], room)

        lines = composed(self.extent, table, self._side(look), below, self._foot(look))
        return Page(lines, spots)

    def _side(self, look: Style) -> Callable[[int, int], list[str]]:
        def drawn(width: int, room: int) -> list[str]:
            points = self.history.seen[self.at].state.scores()
            names = self.history.fold.created.players
            rows = [(look.name(name), points[seat], "") for seat, name in enumerate(names)]
            return side_panel(rows, self.history.sentences(self.at), width, room, look)

        return drawn

    def _foot(self, look: Style) -> list[str]:
        """Return the sentence about the event, the place in the log, and the keys."""
        width = self.extent[0]
        seen = self.history.seen[self.at]
        pace = f"{self.delay:g} s" if self.running else "live" if self._live else "paused"
        if self.at == self.last and not self._live:
            pace = "end"
        status = f"event {seen.number} of {self.last + 1}, {pace}"
        keys = [
            (look.either("←", "<"), "", ":back"),
            (look.either("→", ">"), "event", ":forward"),
            (look.either("↑", "^"), "", ":turn_back"),
            (look.either("↓", "v"), "turn", ":turn"),
            ("PgUp", "", ":round_back"),
            ("PgDn", "round", ":round"),
            ("space", "pause" if self.running else "run", ":run"),
            ("?", "help", ":help"),
            ("q", "quit", ":quit"),
        ]
        note = [self.too_small] if self.too_small else []
        words = map(look.strong, look.name(seen.sentence).split(" "))
        sentence = wrapped([look.faint(f"{status}:"), *words], width - 1)[:3]
        return [*sentence, *note, buttons(keys, width, look)]

    @property
    def _live(self) -> bool:
        """True while the log is followed and the last event is shown."""
        return self.follow and self.at == self.last and not self.history.fold.over
