"""Stained Glass of Sintra: start with its card."""

from sintra.games.sintra.card import SINTRA, SintraRules

__all__ = ["SINTRA", "SintraRules"]
