"""Stained Glass of Sintra. Start with `card`, then `rules`, which follows the rulebook by its headings."""

from sintra.games.sintra.card import SINTRA, SintraRules

__all__ = ["SINTRA", "SintraRules"]
