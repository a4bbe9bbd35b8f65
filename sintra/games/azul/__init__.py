"""Azul and Crystal Mosaic. Start with `card`, then `rules`, which follows the rulebook by its headings."""

from sintra.games.azul.card import AZUL as AZUL
from sintra.games.azul.card import CRYSTAL as CRYSTAL
