"""How to draw: colors, shapes, width."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from sintra.text import letter

if TYPE_CHECKING:
    pass
from sintra.text import safe

SHAPES = {
    "blue": "●",
    "clear": "◇",
    "orange": "▲",
    "pink": "■",
    "yellow": "★",
    "red": "▲",
    "black": "■",
    "teal": "◇",
}
PAINTS = {
    "blue": "38;5;75",
    "clear": "1",
    "orange": "38;5;208",
    "pink": "38;5;212",
    "yellow": "38;5;226",
    "red": "38;5;203",
    "black": "38;5;245",
    "teal": "38;5;80",
    "joker": "38;5;250",
}


class Style(Struct, frozen=True):
    """How to draw: with colors or without, in Unicode or in ASCII, and how wide."""

    color: bool = False
    unicode: bool = True
    width: int = 80

    def paint(self, text: str, codes: str) -> str:
        """The text in a color, where colors are wanted."""
        return f"\x1b[{codes}m{text}\x1b[0m" if self.color else text

    def strong(self, text: str) -> str:
        """The text in bold."""
        return self.paint(text, "1")

    def faint(self, text: str) -> str:
        """The text in gray."""
        return self.paint(text, "2")

    def either(self, unicode: str, ascii: str) -> str:
        """The first, or the second in plain ASCII."""
        return unicode if self.unicode else ascii

    def name(self, text: str) -> str:
        """A name from a log, as it may be drawn."""
        shown = safe(text)
        return shown if self.unicode else shown.encode("ascii", "backslashreplace").decode()

    def piece(self, color: str) -> str:
        """A piece: its shape and its letter; in ASCII the letter alone."""
        return self.paint(
            self.either(SHAPES.get(color, "•"), "") + letter(color).upper(), PAINTS.get(color, "1")
        )

    def space(self, color: str) -> str:
        """An empty space for a color: its small letter, `*` for a joker."""
        return self.paint(self.either("·", ".") + letter(color), f"2;{PAINTS.get(color, '0')}")
