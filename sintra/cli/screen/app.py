"""The full screen itself: the current page, its colors, and the last words."""

from __future__ import annotations

from msgspec.structs import replace
from textual.app import App

from sintra.cli.output import hung_up
from sintra.cli.screen.screens import PageScreen
from sintra.errors import SintraError
from sintra.log.files import discard
from sintra.view.style import Style
from sintra.view.theme import NAMES, themed

LOOK = 1.0
"""Seconds between checks that the terminal is still there."""


class FullScreen(App[None]):
    """A stack of screens; the program ends when the last one is left."""

    TITLE = "sintra"
    ENABLE_COMMAND_PALETTE = False
    CSS = "Screen { overflow: hidden; }"
    BINDINGS = []  # noqa: RUF012 - every key belongs to the screen

    def __init__(self, first: PageScreen, look: Style) -> None:
        super().__init__()
        self.look = look
        self._first = first
        self._colored = look.color
        self.said = ""
        """What to print when the screen is closed."""
        self.failure: SintraError | None = None
        self.chosen: str | None = None
        """The rule-set to learn when the screen is closed."""

    def on_mount(self) -> None:
        """Show the first screen, until it is left or its terminal is gone."""
        self.push_screen(self._first)
        self.set_interval(LOOK, self._look)

    def _look(self) -> None:
        """Leave everything if the terminal is gone: no key can do it."""
        if not self.is_headless and hung_up(0, 0):
            for fd in (1, 2):
                discard(fd)
            self.exit()

    def leave(self, failure: SintraError | None = None, said: str = "") -> None:
        """Leave the current screen; a failure ends everything."""
        self.said = said or self.said
        if failure is not None:
            self.failure = failure
            self.exit()
        elif len(self.screen_stack) > 2:
            self.pop_screen()
        else:
            self.exit()

    def go_to_lessons(self, name: str) -> None:
        """Close the screen and continue with the lessons of a rule-set."""
        self.chosen = name
        self.exit()

    def next_theme(self) -> None:
        """Change to the next theme."""
        plain = not self.look.unicode
        name = "ascii" if plain else self.look.theme.name
        following = NAMES[(NAMES.index(name) + 1) % len(NAMES)]
        drawn = following != "ascii"
        self.look = replace(
            self.look, theme=themed(following, {}), unicode=drawn, color=self._colored and drawn
        )


def run(first: PageScreen, look: Style) -> FullScreen:
    """Show a screen until it is left; raise the error that ended it, if any."""
    app = FullScreen(first, look)
    app.run()
    if app.failure is not None:
        raise app.failure
    return app
