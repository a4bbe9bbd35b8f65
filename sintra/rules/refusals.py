"""Reasons for refused steps that all games share."""

from __future__ import annotations

from collections.abc import Sequence

from sintra.rules.offer import Offer
from sintra.rules.piles import named
from sintra.text import pieces


def why_no_pick(offer: Offer, code: int, colors: Sequence[str]) -> str:
    """Say why a pick can't be made, and which pieces are there."""
    source, color = divmod(code, len(colors))
    if source > offer.displays:
        return f"no display {source}: {offer.displays // 2} players have {offer.displays} displays (R1)"
    there = named(offer.sources()[source], colors)
    name = f"display {source}" if source else "the center"
    return f"{name} has no {colors[color]}; it has {pieces(there)}" if there else f"{name} is empty"
