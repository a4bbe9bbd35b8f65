"""The colors of Azul and Crystal Mosaic: their names, letters, shapes and paints."""

from __future__ import annotations

from sintra.games.azul.events import AzulColor
from sintra.rules.colors import Color, Palette

COLORS: tuple[AzulColor, ...] = ("blue", "yellow", "red", "black", "teal")

PALETTE = Palette(
    Color("blue", "b", "●", "38;5;75"),
    Color("yellow", "y", "★", "38;5;226"),
    Color("red", "r", "▲", "38;5;203"),
    Color("black", "k", "■", "38;5;245"),
    Color("teal", "t", "◇", "38;5;80"),
)
