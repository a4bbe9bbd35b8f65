"""Piles: pieces of up to eight colors, counted in one machine word.

A pile is a number with a byte for each color: bits 8n to 8n + 6 count the pieces of color n. Piles are added
and subtracted as plain numbers, all colors at once, and the empty pile is 0. A color has at most 127 pieces
and a pile at most 254, so that no byte runs over and no pile exceeds 63 bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sintra._mypyc import i64

BYTE: Final = 127


def of(color: i64, pieces: i64) -> i64:
    """Return a pile of pieces of one color."""
    return pieces << color * 8


def count(pile: i64, color: i64) -> i64:
    """Return the number of pieces of a color."""
    return pile >> color * 8 & BYTE


def total(pile: i64) -> i64:
    """Return the number of pieces of all colors: the remainder by 255 is the sum of the bytes."""
    return pile % 255


def piece_at(pile: i64, place: i64) -> i64:
    """Return the piece at a place, as a pile, when all are lined up color by color from place 0."""
    piece: i64 = 1
    there = pile & BYTE
    while place >= there:
        place -= there
        piece <<= 8
        pile >>= 8
        there = pile & BYTE
    return piece


def packed(counts: Sequence[int]) -> i64:
    """Return the pile with these numbers of pieces, color by color."""
    pile: i64 = 0
    for color, pieces in enumerate(counts):
        pile += of(color, pieces)
    return pile


def counts(pile: i64, colors: int) -> list[int]:
    """Return the number of pieces of each color."""
    return [count(pile, color) for color in range(colors)]


def named(pile: int, colors: Sequence[str]) -> dict[str, int]:
    """Return the number of pieces of each color in the pile, by its name."""
    found = {name: count(pile, color) for color, name in enumerate(colors)}
    return {name: pieces for name, pieces in found.items() if pieces}
