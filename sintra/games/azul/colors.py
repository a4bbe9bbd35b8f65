"""The colors of Azul and Crystal Mosaic: their names, letters, shapes and paints."""

from __future__ import annotations

from sintra.games.azul.events import AzulColor
from sintra.rules.colors import Color, Palette

COLORS: tuple[AzulColor, ...] = ("blue", "yellow", "red", "black", "teal")

PALETTE = Palette(
    Color("blue", "b", "●", "#005fff", "#2f6fb7"),
    Color("yellow", "y", "★", "#ffd700", "#f2c83d"),
    Color("red", "r", "▲", "#d70000", "#c7463b"),
    Color("black", "k", "■", "#4e4e4e", "#2f333b"),
    Color("teal", "t", "◇", "#5fd7af", "#7fd3c6"),
)
