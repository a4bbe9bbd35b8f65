"""The full screen itself: which page is shown, in which colors, and what is left to say in the end."""

from __future__ import annotations

from msgspec.structs import replace
from textual.app import App

from sintra.cli.screen.screens import PageScreen
from sintra.errors import SintraError
from sintra.view.style import Style
from sintra.view.theme import NAMES, themed


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
        """A command to go on with when the screen is closed."""

    def on_mount(self) -> None:
        """Show the first screen."""
        self.push_screen(self._first)

    def leave(self, failure: SintraError | None = None, said: str = "") -> None:
        """Leave the screen that is shown; a failure ends everything."""
        self.said = said or self.said
        if failure is not None:
            self.failure = failure
            self.exit()
        elif len(self.screen_stack) > 2:
            self.pop_screen()
        else:
            self.exit()

    def go_to_command(self, name: str) -> None:
        """Close the screen and go on with a command."""
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
    """Show a screen until it is left; raise what it failed with."""
    app = FullScreen(first, look)
    app.run()
    if app.failure is not None:
        raise app.failure
    return app
