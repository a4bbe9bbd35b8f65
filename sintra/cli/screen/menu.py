"""The menu of `sintra play`: games of this folder, a new game, and learning."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar

from sintra.cli.games import Found, NewGame
from sintra.cli.screen.page import Page, buttons
from sintra.cli.screen.play import PlayScreen
from sintra.cli.screen.screens import PageScreen
from sintra.errors import SintraError
from sintra.text import columns, fitted, padded, safe
from sintra.view.layout import framed
from sintra.view.style import Style

if TYPE_CHECKING:
    from sintra.game import Game

WIDE = 76
"""The width of the menu, in columns."""
MENU_KEYS = {
    "up": "up",
    "down": "down",
    "shift+tab": "up",
    "tab": "down",
    "enter": "enter",
    "escape": "quit",
    "ctrl+q": "quit",
    "ctrl+c": "quit",
    "ctrl+d": "quit",
    "f4": "theme",
}


class Menu(PageScreen):
    """Rows with a cursor; each does something."""

    def __init__(self) -> None:
        super().__init__()
        self.row = 0
        self.message = ""

    def rows(self) -> int:
        """Return the number of rows."""
        raise NotImplementedError

    def enter(self) -> None:
        """Activate the row under the cursor."""
        raise NotImplementedError

    def pointed(self, words: str, click: bool) -> None:
        """Go to a row; with a click, activate it."""
        self.row = int(words.split()[1])
        if click:
            self.do_enter()

    def do_up(self) -> None:
        """Go to the row above."""
        self.row = (self.row - 1) % self.rows()

    def do_down(self) -> None:
        """Go to the row below."""
        self.row = (self.row + 1) % self.rows()

    def do_enter(self) -> None:
        """Activate the row under the cursor; show what is wrong, if anything."""
        self.message = ""
        try:
            self.enter()
        except SintraError as error:
            self.message = safe(str(error))

    def boxed(self, title: str, lines: list[str], keys: list[tuple[str, str, str]], look: Style) -> Page:
        """Return a page with lines in a centered frame."""
        width, height = self.extent
        box = framed(title, "", [f"  {line}" for line in ["", *lines, ""]], look, WIDE, bright=True)
        box += ["", fitted(f" {self.message or self.too_small}", width - 1), f" {buttons(keys, width, look)}"]
        top = max(0, (height - len(box)) // 2)
        margin = " " * max(0, (width - WIDE) // 2)
        filled = [*[""] * top, *(margin + line for line in box)]
        return Page(filled[: max(height, len(filled))], look.spots or [], cursor=f"row {self.row}")


class MenuScreen(Menu):
    """The main menu: continue a game, begin one, or learn."""

    KEYS: ClassVar[Mapping[str, str]] = {**MENU_KEYS, "q": "quit", "n": "new", "t": "theme"}

    def __init__(
        self, games: Callable[[], list[Found]], pace: float, courses: Mapping[str, str] | None = None
    ) -> None:
        super().__init__()
        self._find = games
        self._pace = pace
        self._courses = courses or {}
        """The rule-sets that can be learned, with their titles."""
        self.games = games()

    def on_screen_resume(self) -> None:
        """List the games again, as they may have changed."""
        self.games = self._find()
        super().on_screen_resume()

    def rows(self) -> int:
        """Return the number of rows: a new game, learning, the games."""
        return 1 + len(self._courses) + len(self.games)

    def enter(self) -> None:
        """Begin a game, learn, or continue a game."""
        at = self.row - 1 - len(self._courses)
        if self.row == 0:
            self.do_new()
        elif at < 0:
            self.app.go_to_lessons(list(self._courses)[at])
        else:
            game = self.games[at]
            self.app.push_screen(PlayScreen(game.path, lambda _: game.bots, self._pace))

    def do_new(self) -> None:
        """Begin a new game."""
        self.app.push_screen(NewScreen(self._pace))

    def page(self, look: Style) -> Page:
        """Return the menu."""
        first = ["New game", *(f"Learn to play {title}" for title in self._courses.values())]
        lines = [look.spot(f"row {at}", f" {padded(text, WIDE - 8)} ") for at, text in enumerate(first)]
        if self.games:
            lines += ["", look.faint("Games in this folder:")]
        room = max(3, self.extent[1] - len(lines) - 8)
        top = max(0, min(self.row - len(first) - room + 2, len(self.games) - room))
        shown = self.games[top : top + room]
        names = [fitted(look.name(game.path), 22) for game in shown]
        wide = max(map(columns, names), default=0) + 2
        for at, (name, game) in enumerate(zip(names, shown, strict=True), len(first) + top):
            about = padded(fitted(look.name(game.about), WIDE - 8 - wide), WIDE - 8 - wide)
            lines.append(look.spot(f"row {at}", f" {padded(name, wide)}{about} "))
        keys = [
            ("Enter", "choose", ":enter"),
            (look.either("↑↓", "Tab"), "move", ":down"),
            ("n", "new game", ":new"),
            ("t", "colors", ":theme"),
            ("q", "quit", ":quit"),
        ]
        return self.boxed("sintra", lines, keys, look)


class NewScreen(Menu):
    """A new game: the board, the players, the bots, the seed and the name of the log."""

    KEYS: ClassVar[Mapping[str, str]] = {**MENU_KEYS, "left": "less", "right": "more", "backspace": "erase"}

    def __init__(self, pace: float) -> None:
        super().__init__()
        self._pace = pace
        self.form = NewGame()
        self.row = len(self.form.fields())

    def rows(self) -> int:
        """Return the number of rows: the fields, and the start."""
        return len(self.form.fields()) + 1

    def enter(self) -> None:
        """Start the game, or go on to the next field."""
        if self.row < self.rows() - 1:
            self.row += 1
            return
        path, bots = self.form.start()
        seats: Callable[[Game], Mapping[int, str]] = lambda _: bots  # noqa: E731 - a constant
        self.app.switch_screen(PlayScreen(path, seats, self._pace))

    def pointed(self, words: str, click: bool) -> None:
        """Go to a field; a click on its arrows changes it, one on the last row starts the game."""
        _, row, *change = words.split()
        if click:
            self.row = int(row)
            if change:
                self.form.change(self.row, int(change[0]))
            elif self.row == self.rows() - 1:
                self.do_enter()

    def do_less(self) -> None:
        """Choose the value before."""
        self._change(-1)

    def do_more(self) -> None:
        """Choose the next value."""
        self._change(1)

    def _change(self, by: int) -> None:
        if self.row < self.rows() - 1:
            self.form.change(self.row, by)

    def do_erase(self) -> None:
        """Erase a character."""
        self.form.type(self.row, None)

    def pressed(self, key: str, character: str) -> None:
        """Type into a field, or handle a key."""
        typed = character if character.isprintable() else ""
        if not (typed and self.form.type(self.row, typed)):
            super().pressed(key, character)

    def page(self, look: Style) -> Page:
        """Return the form."""
        lines = []
        for row, field in enumerate(self.form.fields()):
            caret = look.either("▏", "_") if row == self.row else ""
            less, more = look.either("◀", "<"), look.either("▶", ">")
            cells = [look.spot(f"row {row}", f" {padded(field.label, 10)} ")]
            if field.text is not None:
                cells.append(
                    look.spot(
                        f"row {row}",
                        f" {padded(fitted((look.name(field.text) or field.hint) + caret, 24), 24)} ",
                    )
                )
            if field.value is not None:
                cells += [
                    look.spot(f"row {row} -1", f" {less} "),
                    look.spot(f"row {row}", f" {field.value} "),
                    look.spot(f"row {row} 1", f" {more} "),
                ]
            lines.append("".join(cells))
        lines += ["", look.spot(f"row {self.rows() - 1}", " Start the game ")]
        keys = [
            ("Enter", "start" if self.row == self.rows() - 1 else "next", ":enter"),
            (look.either("↑↓", "Tab"), "move", ":down"),
            (look.either("←→", "<>"), "change", ":more"),
            ("F4", "colors", ":theme"),
            ("Esc", "back", ":quit"),
        ]
        return self.boxed("New game", lines, keys, look)
