"""The random generator, frozen: the same seed gives the same game everywhere, forever.

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
    game N        the seed of game N of a run: two words, the second one below, modulo 2^53

**Bots** draw from separate seeds, so that nothing they are given leads back to the game's seed and its deals:
the seed of the bot in seat P is taken from SHA-256 of the text `SEED bot P` (such as `42 bot 1`), its first
eight bytes as a little-endian number, modulo 2^53. The labels of their streams:

    choices all choices of a game that only bots play
    choices N     the choice after N events of the log

**Drawing** a number below n: take the next result; if it is at least 2^32 - (2^32 mod n), take
another one; its remainder by n is the draw. Every number is exactly as likely as any other.

**What is drawn.** A piece from the bag is a number below the pieces in it: they are counted off color by
color, in the order of the rule-set's colors. A deal draws piece by piece, display by display, and goes on
with the tower as its bag when the bag is empty. A shuffle draws one of the items, then one of those left, and
so on. Sintra's round indicator is a shuffle of the five colors for rounds II to VI, then a number below 95
for round I, 19 for each color. A player's strips are a shuffle of the eight, then, strip by strip, a number
below 2: 1 turns the strip over (the joker side is never up).

No value ever exceeds 63 bits, so interpreted and compiled results are the same.
Test vectors: `fixtures/chance.json`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, TypeVar

from sintra._mypyc import i64

T = TypeVar("T")

WORD: Final = 0xFFFFFFFF
SALT: Final = 0x53494E54
RANGE: Final = 0x100000000
MAX_SEED: Final = (1 << 53) - 1
ABSORB: Final = 12
"""Number of steps that mix absorbed words into the whole state."""
DISPLAYS: Final = 0x70736964
DISPLAYS_TOO: Final = 0x7379616C
"""`disp` and `lays` as words."""
SPACE: Final = 0x20
ZERO: Final = 0x30
"""The digit 0 as a character."""


class Stream:
    """An endless sequence of random numbers for one purpose."""

    def __init__(self, a: i64, b: i64, c: i64, d: i64) -> None:
        self.a = a
        self.b = b
        self.c = c
        self.d = d

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make it again, for pickle and deepcopy."""
        return Stream, (self.a, self.b, self.c, self.d)

    def word(self) -> i64:
        """Return the next 32 bits."""
        return advance(self, 1)

    def absorb(self, x: i64, y: i64, z: i64) -> None:
        """Mix three words into the state."""
        self.a ^= x
        self.b ^= y
        self.c ^= z
        advance(self, ABSORB)

    def below(self, n: i64) -> i64:
        """Return a number from 0 to n-1, each as likely as any other; n is from 1 to 2^32."""
        if n < 1 or n > RANGE:
            raise ValueError(f"n must be from 1 to 2^32, not {n}")
        drawn = advance(self, 1)
        while drawn >= RANGE - n and drawn >= RANGE - RANGE % n:
            drawn = advance(self, 1)
        return drawn % n

    def places(self, n: i64, draws: i64) -> list[int]:
        """Return numbers below n, n - 1, n - 2 and so on: the places of n things to draw, one by one."""
        a = self.a
        b = self.b
        c = self.c
        d = self.d
        found: list[int] = []
        while draws > 0:
            result = (a + b + d) & WORD
            d += 1
            a = b ^ (b >> 9)
            b = c * 9 & WORD
            c = ((c << 21 | c >> 11) + result) & WORD
            if result < RANGE - n or result < RANGE - RANGE % n:
                found.append(result % n)
                n -= 1
                draws -= 1
        self.a = a
        self.b = b
        self.c = c
        self.d = d & WORD
        return found

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in a random order: one is drawn, then one of those left, and so on."""
        left = list(items)
        return [left.pop(place) for place in self.places(len(left), len(left))]


def advance(stream: Stream, steps: i64) -> i64:
    """Make some steps of the generator, at least one; return the result of the last."""
    a = stream.a
    b = stream.b
    c = stream.c
    d = stream.d
    while True:
        result = (a + b + d) & WORD
        d += 1
        a = b ^ (b >> 9)
        b = c * 9 & WORD
        c = ((c << 21 | c >> 11) + result) & WORD
        steps -= 1
        if steps == 0:
            break
    stream.a = a
    stream.b = b
    stream.c = c
    stream.d = d & WORD
    return result


class SystemStream(Stream):
    """Unpredictable numbers, from the operating system."""

    def __init__(self) -> None:
        super().__init__(0, 0, 0, 0)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make it again, for pickle and deepcopy."""
        return SystemStream, ()

    def word(self) -> i64:
        """Return the next 32 bits."""
        return int.from_bytes(os.urandom(4), "little")

    def below(self, n: i64) -> i64:
        """Return a number from 0 to n-1, each as likely as any other; n is from 1 to 2^32."""
        if n < 1 or n > RANGE:
            raise ValueError(f"n must be from 1 to 2^32, not {n}")
        drawn = self.word()
        while drawn >= RANGE - RANGE % n:
            drawn = self.word()
        return drawn % n

    def places(self, n: i64, draws: i64) -> list[int]:
        """Return numbers below n, n - 1, n - 2 and so on: the places of n things to draw, one by one."""
        return [self.below(n - drawn) for drawn in range(draws)]


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

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make it again, for pickle and deepcopy."""
        return Chance, (self.seed,)

    def stream(self, label: str) -> Stream:
        """Return the stream for one purpose, from its beginning."""
        if self.seed is None:
            return SystemStream()
        stream = Stream(self.a, self.b, self.c, self.d)
        text = label.encode()
        for start in range(0, len(text), 12):
            stream.absorb(_word(text, start), _word(text, start + 4), _word(text, start + 8))
        return stream

    def deal(self, number: i64) -> Stream:
        """Return the stream for the deal of a round: the same as `stream("displays N")`, only faster."""
        if self.seed is None or number > 99:
            return self.stream(f"displays {number}")
        digits = ZERO + number % 10
        if number > 9:
            digits = digits << 8 | ZERO + number // 10
        stream = Stream(self.a, self.b, self.c, self.d)
        stream.absorb(DISPLAYS, DISPLAYS_TOO, digits << 8 | SPACE)
        return stream


@cache
def _sha256() -> Callable[[bytes], Any]:
    """Return the hash function, which is slow to import and rarely needed."""
    from hashlib import sha256

    return sha256


def bot_seed(seed: int | None, seat: int) -> int | None:
    """Return the seed of the bot in a seat, from 1: a one-way function of the game's, if it has one."""
    if seed is None:
        return None
    digest: bytes = _sha256()(f"{seed} bot {seat}".encode()).digest()
    return int.from_bytes(digest[:8], "little") & MAX_SEED


def bot_stream(seed: int | None, seat: int, label: str = "choices") -> Stream:
    """Return a stream for the bot in a seat, from 1, of the game with this seed."""
    return Chance(bot_seed(seed, seat)).stream(label)


def new_seed() -> int:
    """Return a seed drawn from the operating system."""
    return int.from_bytes(os.urandom(7), "little") >> 3
