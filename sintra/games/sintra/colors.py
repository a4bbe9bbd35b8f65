"""The colors of Stained Glass of Sintra: their names, letters, shapes and paints."""

from __future__ import annotations

from typing import Final

from sintra.games.sintra.events import SintraColor
from sintra.rules.colors import Color, Palette

COLORS: tuple[SintraColor, ...] = ("blue", "clear", "orange", "pink", "yellow")
JOKER: Final = "joker"

_COLORS = (
    Color("blue", "b", "●", "#005fff", "#2f6fb7"),
    Color("clear", "c", "◇", "#afd7d7", "#e9eef0"),
    Color("orange", "o", "▲", "#d75f00", "#e0792b"),
    Color("pink", "p", "■", "#ff87ff", "#dd82b6"),
    Color("yellow", "y", "★", "#ffd700", "#f2c83d"),
)
_JOKER = Color(JOKER, "*", "•", "#8a8a8a")
PALETTE = Palette(*_COLORS, others=[_JOKER])
SPACE_PALETTE = Palette(*_COLORS, _JOKER)
"""What a space of a strip may be printed with."""
