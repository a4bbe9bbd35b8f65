"""The project's own generator, frozen: the same seed gives the same game everywhere, forever.

**The generator** works on four words of 32 bits, a, b, c and a counter d. One step is

    result = a + b + d;  d = d + 1
    a = b xor (b >> 9);  b = c + (c << 3);  c = rotate(c, 21) + result

with all sums taken modulo 2^32 (this is Chris Doty-Humphrey's sfc32, a public-domain generator).

**Seeding.** Start from a = b = c = 0 and d = 1. To absorb three words, xor them into a, b and c and
make twelve steps. A seed from 0 to 2^53-1 is absorbed as (seed mod 2^32, seed / 2^32, 0x53494e54).

**Streams.** Every purpose has its own stream, so that one more draw in one place shifts nothing
elsewhere: the seeded generator absorbs the stream's label, as UTF-8 padded with zero bytes to a
multiple of twelve, twelve bytes at a time, as three little-endian words. The labels:

    indicator     the order of the round indicator (Sintra)
    strips P      player P's strips: their order, then which side is up
    displays N    the deal of round N
    bot P N       the choice of a computer player in seat P after N events of the log
    bot P         all choices of a computer player in seat P, where computers play among themselves
    game N        the seed of game N of a run: two words, the second one below, modulo 2^53

**Drawing** a number below n: take the next result; if it is at least 2^32 - (2^32 mod n), take
another one; its remainder by n is the draw. Every number is exactly as likely as any other.

**What is drawn.** A piece from the bag is a number below the pieces in it: they are counted off color by
color, in the order of the rule-set's colors. A deal draws piece by piece, display by display, and goes on
with the tower as its bag when the bag is empty. A shuffle draws one of the items, then one of those left, and
so on. Sintra's indicator is a shuffle of the five colors for rounds II to VI, then a number below 95 for
round I, 19 for each color. A player's strips are a shuffle of the eight, then, strip by strip, a number
below 2: 1 turns the strip over (the joker side is never up).

No value ever exceeds 63 bits, so interpreted and compiled results are the same.
Test vectors: `fixtures/chance.json`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final, TypeVar

from sintra._mypyc import i64

T = TypeVar("T")

WORD: Final = 0xFFFFFFFF
SALT: Final = 0x53494E54
RANGE: Final = 0x100000000
ABSORB: Final = 12
"""Number of steps that mix absorbed words into the whole state."""


class Stream:
    """An endless row of numbers for one purpose."""

    def __init__(self, a: i64, b: i64, c: i64, d: i64) -> None:
        self.a = a
        self.b = b
        self.c = c
        self.d = d

    def word(self) -> i64:
        """Return the next 32 bits."""
        return step(self)

    def absorb(self, x: i64, y: i64, z: i64) -> None:
        """Mix three words into the state."""
        self.a ^= x
        self.b ^= y
        self.c ^= z
        steps: i64 = ABSORB
        while steps > 0:
            step(self)
            steps -= 1

    def below(self, n: i64) -> i64:
        """Return a number from 0 to n-1, each as likely as any other."""
        drawn = step(self)
        while drawn >= RANGE - n and drawn >= RANGE - RANGE % n:
            drawn = step(self)
        return drawn % n

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in a random order: one is drawn, then one of those left, and so on."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(len(left))]


def step(stream: Stream) -> i64:
    """Make one step of the generator; return its result."""
    b = stream.b
    c = stream.c
    d = stream.d
    result = (stream.a + b + d) & WORD
    stream.a = b ^ (b >> 9)
    stream.b = (c + (c << 3)) & WORD
    stream.c = ((c << 21 | c >> 11) + result) & WORD
    stream.d = (d + 1) & WORD
    return result


class SystemStream(Stream):
    """Numbers from the operating system, which nobody can foresee."""

    def __init__(self) -> None:
        super().__init__(0, 0, 0, 0)

    def word(self) -> i64:
        """Return the next 32 bits."""
        return int.from_bytes(os.urandom(4), "little")

    def below(self, n: i64) -> i64:
        """Return a number from 0 to n-1, each as likely as any other."""
        drawn = self.word()
        while drawn >= RANGE - RANGE % n:
            drawn = self.word()
        return drawn % n


def _word(text: bytes, start: i64) -> i64:
    """Return four bytes as a little-endian word, zeros after the end."""
    word: i64 = 0
    at: i64 = min(start + 4, len(text)) - 1
    while at >= start:
        word = word << 8 | text[at]
        at -= 1
    return word


class Chance:
    """Where a game's draws come from: a stream for every label."""

    def __init__(self, seed: int | None) -> None:
        """Draw from a seed, or from the operating system if there is none."""
        self.seed = seed
        seeded = Stream(0, 0, 0, 1)
        if seed is not None:
            seeded.absorb(seed & WORD, seed >> 32, SALT)
        self.a = seeded.a
        self.b = seeded.b
        self.c = seeded.c
        self.d = seeded.d

    def stream(self, label: str) -> Stream:
        """Return the stream for one purpose, from its beginning."""
        if self.seed is None:
            return SystemStream()
        stream = Stream(self.a, self.b, self.c, self.d)
        text = label.encode()
        for start in range(0, len(text), 12):
            stream.absorb(_word(text, start), _word(text, start + 4), _word(text, start + 8))
        return stream


def new_seed() -> int:
    """Return a seed drawn from the operating system."""
    return int.from_bytes(os.urandom(7), "little") >> 3
