"""The base of all screens: draws a page whenever something changes, and handles keys and the mouse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec.structs import replace
from textual import events
from textual.app import ComposeResult
from textual.screen import Screen

from sintra.cli.screen.page import SMALLEST, Page, overlaid
from sintra.cli.screen.painted import Painted
from sintra.view.style import Style

if TYPE_CHECKING:
    from sintra.cli.screen.app import FullScreen

ANY_KEY = "Press any key or click to continue."


class PageScreen(Screen[None]):
    """A screen that shows one page, with a notice on top if there is one."""

    app: FullScreen
    KEYS: ClassVar[Mapping[str, str]] = {}
    """The commands of keys that do not type."""

    def __init__(self) -> None:
        super().__init__()
        self.painted = Painted()
        self.notices: list[tuple[str, list[str]]] = []
        """What lies on top, the first one first: titles and lines."""

    def compose(self) -> ComposeResult:
        """Return the widgets of the screen."""
        yield self.painted

    @property
    def look(self) -> Style:
        """The style of drawings, with no spots yet."""
        return replace(self.app.look, spots=[])

    @property
    def extent(self) -> tuple[int, int]:
        """The columns and lines of the screen."""
        return self.app.size.width, self.app.size.height

    # -- Drawing --

    def page(self, look: Style) -> Page:
        """Return what to show now."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Draw everything anew."""
        if not self.is_mounted or self.extent[1] == 0:
            return
        look = self.look
        page = self.page(look)
        if self.notices:
            title, lines = self.notices[0]
            page.lines = overlaid(page.lines, title, [*lines, "", look.faint(ANY_KEY)], self.extent, look)
        self.painted.show(page, look.theme)

    def notify_in_box(self, title: str, lines: Sequence[str]) -> None:
        """Put a notice on top of the page until a key is pressed."""
        self.notices.append((title, list(lines)))
        self.redraw()

    def on_mount(self) -> None:
        """Draw the first page."""
        self.started()
        self.redraw()

    def started(self) -> None:
        """Begin, before the first page is drawn."""

    def on_screen_resume(self) -> None:
        """Draw again after another screen."""
        self.redraw()

    def on_resize(self, _: events.Resize) -> None:
        """Draw for another size."""
        self.redraw()

    @property
    def too_small(self) -> str:
        """A message for a screen that is too small; empty for others."""
        width, height = self.extent
        wide, high = SMALLEST
        return (
            f"The screen is {width}x{height}; {wide}x{high} shows everything."
            if width < wide or height < high
            else ""
        )

    # -- Keys and the mouse --

    def on_key(self, event: events.Key) -> None:
        """Handle a key."""
        event.stop()
        event.prevent_default()
        if self.notices:
            self.notices.pop(0)
            self.noticed()
        else:
            self.pressed(event.key, event.character or "")
        self.redraw()

    def on_painted_pointed(self, event: Painted.Pointed) -> None:
        """Handle pointing at a spot, or clicking anywhere."""
        if self.notices:
            if event.click:
                self.notices.pop(0)
                self.noticed()
        elif event.click and event.words.startswith(":"):
            self.command(event.words[1:])
        elif event.words:
            self.pointed(event.words, event.click)
        self.redraw()

    def pressed(self, key: str, character: str) -> None:
        """Handle a key: typing, or a command."""
        command = self.KEYS.get(key) or self.KEYS.get(character)
        if command:
            self.command(command)

    def pointed(self, words: str, click: bool) -> None:
        """Handle pointing at a spot."""

    def noticed(self) -> None:
        """Continue after a notice."""

    def command(self, name: str) -> None:
        """Carry out a command; each is a method of its name."""
        method: Any = getattr(self, f"do_{name}")
        method()

    def do_theme(self) -> None:
        """Change the colors."""
        self.app.next_theme()

    def do_quit(self) -> None:
        """Leave this screen."""
        self.app.leave()
