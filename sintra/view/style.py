"""How to draw: with colors or without, in Unicode or ASCII, and how wide."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from sintra.rules.colors import Palette
from sintra.rules.ruleset import RuleSet
from sintra.text import safe


class Style(Struct, frozen=True):
    """A way to draw; `width` is the number of columns."""

    color: bool = False
    unicode: bool = True
    width: int = 80
    palette: Palette = Palette()

    def of(self, rules: RuleSet) -> Style:
        """Return this style with the colors of a rule-set."""
        return replace(self, palette=rules.palette)

    def paint(self, text: str, codes: str) -> str:
        """Return the text painted, if colors are wanted."""
        return f"\x1b[{codes}m{text}\x1b[0m" if self.color else text

    def strong(self, text: str) -> str:
        """Return the text in bold."""
        return self.paint(text, "1")

    def faint(self, text: str) -> str:
        """Return the text in gray."""
        return self.paint(text, "2")

    def either(self, unicode: str, ascii: str) -> str:
        """Return the first text, or the second in plain ASCII."""
        return unicode if self.unicode else ascii

    def name(self, text: str) -> str:
        """Return a name from a log as it may be drawn."""
        shown = safe(text)
        return shown if self.unicode else shown.encode("ascii", "backslashreplace").decode()

    def piece(self, color: str) -> str:
        """Return a piece: its shape and its letter; in ASCII, the letter alone."""
        drawn = self.palette[color]
        return self.paint(self.either(drawn.shape, "") + drawn.letter.upper(), drawn.paint)

    def space(self, color: str) -> str:
        """Return an empty space for a color: its lower-case letter, `*` for a joker."""
        drawn = self.palette[color]
        return self.paint(self.either("·", ".") + drawn.letter, f"2;{drawn.paint}")
