"""Sets of small numbers: number n is bit n of one machine word; sets have at most 56 bits.

Codes of steps, lines, rows and columns are kept as such sets. The compiler needs some care: a literal 1 has
32 bits in C, so `bit` shifts a wide constant down instead, and literals from 2^62 on would be objects.
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
    """Return how many numbers are in a set: bits are counted by pairs, nibbles, bytes, and summed up."""
    bits -= bits >> 1 & PAIRS
    bits = (bits & NIBBLES) + (bits >> 2 & NIBBLES)
    return (bits + (bits >> 4) & BYTES) % 255


def lowest(bits: i64) -> i64:
    """Return the lowest number of a set that is not empty."""
    alone: int = bits & -bits
    return alone.bit_length() - 1


def nth(bits: i64, place: i64) -> i64:
    """Return the number at a place of a set, counting from 0 in ascending order."""
    while place > 0:
        bits &= bits - 1
        place -= 1
    return lowest(bits)


def members(bits: i64, first: i64 = 0) -> list[int]:
    """Return the numbers in a set, ascending, each with `first` added to it."""
    found: list[int] = []
    while bits:
        found.append(first + lowest(bits))
        bits &= bits - 1
    return found


if __file__.endswith(".py"):  # the interpreter counts bits itself, which the compiler does not know
    globals()["size"] = int.bit_count
