"""The colors of Stained Glass of Sintra: their names, letters, shapes and paints."""

from __future__ import annotations

from typing import Final

from sintra.games.sintra.events import SintraColor
from sintra.rules.colors import Color, Palette

COLORS: tuple[SintraColor, ...] = ("blue", "clear", "orange", "pink", "yellow")
JOKER: Final = "joker"

_COLORS = (
    Color("blue", "b", "●", "38;5;75"),
    Color("clear", "c", "◇", "1"),
    Color("orange", "o", "▲", "38;5;208"),
    Color("pink", "p", "■", "38;5;212"),
    Color("yellow", "y", "★", "38;5;226"),
)
_JOKER = Color(JOKER, "*", "•", "38;5;250")
PALETTE = Palette(*_COLORS, others=[_JOKER])
SPACE_PALETTE = Palette(*_COLORS, _JOKER)
"""What a space of a strip may be printed with."""
