"""The style of drawings: colors or none, Unicode or ASCII, the size, and what to mark."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from sintra.rules.colors import Palette
from sintra.rules.ruleset import RuleSet
from sintra.text import safe
from sintra.view.theme import DARK, Theme, fill, ink_on, tint


class Style(Struct, frozen=True):
    """A way to draw; `width` and `height` are those of the screen, in columns and lines."""

    color: bool = False
    unicode: bool = True
    width: int = 80
    palette: Palette = Palette()
    theme: Theme = DARK
    height: int | None = None
    """None for no limit: everything is drawn in full."""
    since: Any = None
    """An earlier snapshot: what has changed since then is marked."""
    spots: list[str] | None = None
    """Steps that can be taken by pointing at the drawing; None if there is no pointing. See `spot`."""
    choices: bool = True
    """False to leave out the list of possible steps."""
    viewer: int | None = None
    """The player whose board is drawn in full if there is no room for all; None for the one to move."""
    aside: tuple[str, ...] = ()
    """Lines to put beside that board, in place of all other boards."""

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
        return self.paint(text, f"38;5;{self.theme.faint}")

    def bright(self, text: str) -> str:
        """Return the text so that it stands out."""
        return self.paint(text, f"1;38;5;{self.theme.bright}")

    def either(self, unicode: str, ascii: str) -> str:
        """Return the first text, or the second in plain ASCII."""
        return unicode if self.unicode else ascii

    def name(self, text: str) -> str:
        """Return a name from a log as it may be drawn."""
        shown = safe(text)
        return shown if self.unicode else shown.encode("ascii", "backslashreplace").decode()

    def spot(self, words: str, text: str) -> str:
        """Return the text as the place of a step, or of all steps that begin with these words.

        On a screen with pointing, an escape sequence has the number of the spot.
        """
        if self.spots is None:
            return text
        self.spots.append(words)
        return f"\x1b[?{len(self.spots)}m{text}\x1b[?0m"

    # -- Pieces and spaces, three columns wide, with their letter in the middle --

    def piece(self, color: str, new: bool = False) -> str:
        """Return a piece on a board: a block of its color with its letter; without colors, its shape too."""
        drawn = self.palette[color]
        letter = drawn.letter.upper()
        if not self.unicode:
            return f"<{letter}>" if new else f"[{letter}]"
        if self.color and not self.theme.shapes:
            return self._block(f"›{letter}‹" if new else f" {letter} ", drawn.paint)
        return self._block(f"{drawn.shape}{letter}{'‹' if new else ' '}", drawn.paint)

    def loose(self, color: str) -> str:
        """Return a piece that lies on no board; in ASCII, only its letter."""
        return self.piece(color) if self.unicode else self.palette.letter(color).upper()

    def space(self, color: str, mark: str = "") -> str:
        """Return an empty space for a color: its lower-case letter, `*` for a joker, with a dot or a mark."""
        return self._tinted((mark or self.either("·", ".")) + self.palette.letter(color) + " ", color)

    def free(self) -> str:
        """Return an empty space that takes any color."""
        return self.faint(self.either(" · ", " . "))

    # -- The same in one column --

    def small_piece(self, color: str, new: bool = False) -> str:
        """Return a piece as one letter; a new one is underlined."""
        drawn = self.palette[color]
        return self._block(drawn.letter.upper(), drawn.paint, "4;" if new else "")

    def small_space(self, color: str) -> str:
        """Return an empty space as one letter."""
        return self._tinted(self.palette.letter(color), color)

    def _block(self, text: str, paint: str, more: str = "") -> str:
        if not self.color:
            return text
        number = fill(paint)
        return f"\x1b[{more}1;38;5;{ink_on(number)};48;5;{number}m{text}\x1b[0m"

    def _tinted(self, text: str, color: str) -> str:
        if not self.color:
            return text
        return f"\x1b[38;5;{tint(fill(self.palette[color].paint), self.theme.ground)}m{text}\x1b[0m"
