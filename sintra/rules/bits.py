"""Sets of small numbers: number n is bit n of one machine word; sets have at most 56 bits.

Codes of steps, lines, rows and columns are kept as such sets. Mind the compiler: a literal 1 has 32 bits in
C, so `bit` shifts a wide constant down instead, and literals from 2^62 on would be objects.
"""

from __future__ import annotations

from typing import Final

from sintra._mypyc import i64

HIGHEST: Final = 55
HIGHEST_BIT: Final = 0x80000000000000
PAIRS: Final = 0x55555555555555
NIBBLES: Final = 0x33333333333333
BYTES: Final = 0x0F0F0F0F0F0F0F


def bit(number: i64) -> i64:
    """Return the set of one number, from 0 to 55."""
    return HIGHEST_BIT >> (HIGHEST - number)


def size(bits: i64) -> i64:
    """Return how many numbers are in a set: bits are counted in pairs, nibbles and bytes, then summed."""
    bits -= bits >> 1 & PAIRS
    bits = (bits & NIBBLES) + (bits >> 2 & NIBBLES)
    return (bits + (bits >> 4) & BYTES) % 255


def lowest(bits: i64) -> i64:
    """Return the lowest number of a set that is not empty."""
    alone: int = bits & -bits
    return alone.bit_length() - 1


def nth(bits: i64, place: i64) -> i64:
    """Return the number at an index of a set in ascending order."""
    while place > 0:
        bits &= bits - 1
        place -= 1
    return lowest(bits)


def members(bits: i64, first: i64 = 0) -> list[int]:
    """Return the numbers in a set, ascending, each with `first` added to it."""
    found: list[int] = []
    before = first - 1
    while bits:
        alone: int = bits & -bits
        found.append(before + alone.bit_length())
        bits &= bits - 1
    return found


# -- Faster when interpreted: built-in bit counts, and members looked up ten bits at a time --


class _Members(dict[int, list[int]]):
    """The numbers in sets of ten bits, with `first` added; computed on first use."""

    def __init__(self, first: int) -> None:
        super().__init__()
        self._first = first

    def __missing__(self, bits: int) -> list[int]:
        found = self[bits] = [self._first + number for number in range(10) if bits >> number & 1]
        return found


class _Tens(dict[int, _Members]):
    """Such sets, by the first number."""

    def __missing__(self, first: int) -> _Members:
        found = self[first] = _Members(first)
        return found


_tens = _Tens()
_a, _b, _c, _d, _e, _f = [_tens[first] for first in range(0, 60, 10)]


def _members_by_tens(bits: int, first: int = 0) -> list[int]:
    """Do what `members` does, with one look-up for every ten bits."""
    if bits < 1024:
        return _tens[first][bits].copy()
    if first == 0:
        return [
            *_a[bits & 1023],
            *_b[bits >> 10 & 1023],
            *_c[bits >> 20 & 1023],
            *_d[bits >> 30 & 1023],
            *_e[bits >> 40 & 1023],
            *_f[bits >> 50],
        ]
    found: list[int] = []
    while bits:
        found += _tens[first][bits & 1023]
        bits >>= 10
        first += 10
    return found


if __file__.endswith(".py"):
    globals().update(size=int.bit_count, members=_members_by_tens)
