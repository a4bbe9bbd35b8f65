"""Text with colors and spots for Textual: a widget that shows one page."""

from __future__ import annotations

import re
from functools import cache

from rich.color import Color
from rich.segment import Segment
from rich.style import Style as Ink
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from sintra.cli.screen.page import LISTED, Page
from sintra.text import columns
from sintra.view.style import Style
from sintra.view.theme import Theme

_SEQUENCE = re.compile(r"\x1b\[(\??)([0-9;]*)m")
_EDGES = " ·.‹›<>[]"
"""Characters beside the letter of a piece or space, which the cursor's brackets may replace."""
_CELLS = (3, 5, 6)
"""The widths of pieces and spaces."""
_LIT = {"light": 252}
"""The background of lit spots, by theme; dark gray in all others."""


def parts(line: str) -> list[tuple[str, str, int]]:
    """Return a line in parts: text, its colors as escape sequences, and the number of its spot or 0."""
    found: list[tuple[str, str, int]] = []
    codes, spot, at = "", 0, 0
    for sequence in _SEQUENCE.finditer(line):
        if sequence.start() > at:
            found.append((line[at : sequence.start()], codes, spot))
        at = sequence.end()
        if sequence[1]:
            spot = int(sequence[2] or 0)
        else:
            codes = "" if sequence[2] in ("", "0") else sequence[2]
    if at < len(line):
        found.append((line[at:], codes, spot))
    return found


@cache
def ink(codes: str, theme: Theme, state: str) -> Ink:
    """Return Textual's style for text of these colors: plain, `lit`, or under the `cursor`."""
    color, ground, more = theme.ink, theme.ground, set()
    numbers = codes.split(";")
    while numbers and numbers[0]:
        match numbers[0]:
            case "38":
                color = int(numbers[2])
            case "48":
                ground = int(numbers[2])
            case other:
                more.add(other)
        numbers = numbers[3:] if numbers[0] in ("38", "48") else numbers[1:]
    filled = ground != theme.ground
    if state == "cursor" and not filled:
        color, ground = theme.ground, theme.ink
    elif state == "lit" and not filled:
        color, ground = theme.ink, _LIT.get(theme.name, 238 if theme.ground < 244 else 252)
    return Ink(
        color=Color.from_ansi(color),
        bgcolor=Color.from_ansi(ground),
        bold="1" in more or state == "cursor",
        underline="4" in more or (filled and state == "lit"),
        reverse="7" in more,
    )


def covers(words: str, step: str) -> bool:
    """Return True if a spot with these words belongs to a step."""
    return words == step or step.startswith(f"{words} ")


class Painted(Widget):
    """A page with spots to point at."""

    DEFAULT_CSS = "Painted { width: 1fr; height: 1fr; }"

    class Pointed(Message):
        """A spot was clicked, or the mouse moved over it."""

        def __init__(self, words: str, click: bool) -> None:
            super().__init__()
            self.words = words
            self.click = click

    def __init__(self) -> None:
        super().__init__()
        self.page = Page([], [])
        self.theme = Style().theme
        self.places: list[tuple[int, int, int, str]] = []
        """Where the spots are: line, first column, the column after the last one, and words."""
        self._strips: list[Strip] = []
        self._over = ""

    def show(self, page: Page, theme: Theme) -> None:
        """Show another page."""
        self.page, self.theme = page, theme
        self.places = []
        self._strips = [self._strip(number, line) for number, line in enumerate(page.lines)]
        self.refresh()

    def _strip(self, number: int, line: str) -> Strip:
        """Return a line as a strip of Textual, and note where its spots are."""
        segments = []
        column = 0
        for text, codes, spot in parts(line):
            words = self.page.spots[spot - 1] if spot else ""
            wide = columns(text)
            state = ""
            if words:
                self.places.append((number, column, column + wide, words))
                state = self._state(words)
            if state == "cursor":
                text = self._bracketed(text)
            segments.append(Segment(text, ink(codes, self.theme, state)))
            column += wide
        return Strip(segments, column)

    def _state(self, words: str) -> str:
        cursor = self.page.cursor
        if words.startswith(LISTED):
            return "cursor" if words == LISTED + cursor else ""
        if cursor and covers(words, cursor):
            return "cursor"
        return "lit" if any(covers(words, step) for step in self.page.lit) else ""

    def _bracketed(self, text: str) -> str:
        """Return a piece or space in brackets, if its letter stands alone, or with a shape that gives way."""
        if len(text) not in _CELLS or text[-1] not in _EDGES or text.isspace():
            return text
        alone = text[0] in _EDGES
        shaped = len(text) == _CELLS[0] and text[1].isalpha() and not text[0].isalnum()
        return f"[{text[1:-1]}]" if alone or shaped else text

    def render_line(self, y: int) -> Strip:
        """Return a line of the screen."""
        base = ink("", self.theme, "")
        strip = self._strips[y] if y < len(self._strips) else Strip([])
        return strip.adjust_cell_length(self.size.width, base).crop(0, self.size.width)

    # -- The mouse --

    def at(self, x: int, y: int) -> str:
        """Return the words of the spot at a place; nothing if there is none."""
        found = (words for line, start, end, words in self.places if line == y and start <= x < end)
        return next(found, "")

    def on_click(self, event: events.Click) -> None:
        """Report that a spot, or none, was clicked."""
        self.post_message(self.Pointed(self.at(event.x, event.y), click=True))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Report that the mouse is over another spot."""
        words = self.at(event.x, event.y)
        if words != self._over:
            self._over = words
            if words:
                self.post_message(self.Pointed(words, click=False))
