"""Numbers packed into one, as tightly as their ranges allow: the digits of a number with mixed radices.

The same function can pack values and unpack them: it calls `number(value, radix)` for each, and goes on with
what it returns. When packing, that is the value itself; when unpacking, the value that was packed.
"""

from __future__ import annotations

from math import inf, log2

CLASSES = (4, 16, 256, 65536)
"""How many numbers each class of `large` has: small numbers take few bits."""
PRINTABLE = 95
FIRST_PRINTABLE = 32
MAX_TEXT_BYTES = 1 << 16


class BadDigits(ValueError):
    """A number that was not packed this way."""


class TooManyDigits(ValueError):
    """More to pack than there is room for."""


class Digits:
    """Packs values, or unpacks them."""

    def __init__(self, packed: int | None = None, most_bits: float = inf) -> None:
        """Pack, into at most this many bits; or unpack a number, which is 1 when nothing is left in it."""
        self.packing = packed is None
        self._room = most_bits
        self._left = 1 if packed is None else packed
        self._digits: list[tuple[int, int]] = []

    @property
    def left(self) -> bool:
        """True if there is more to unpack; forced digits do not count."""
        return self._left > 1

    def number(self, value: int, radix: int) -> int:
        """Pack a value from 0 to radix - 1, or unpack one."""
        if self.packing:
            if not 0 <= value < radix:
                raise BadDigits(f"{value} is not below {radix}")
            if radix > 1:
                self._digits.append((value, radix))
                self._room -= log2(radix)
                if self._room < 0:
                    raise TooManyDigits
            return value
        self._left, found = divmod(self._left, radix)
        if self._left < 1:
            raise BadDigits("too short")
        return found

    def packed(self) -> int:
        """Return everything packed, as a number."""
        packed = 1
        for value, radix in reversed(self._digits):
            packed = packed * radix + value
        return packed

    def flag(self, value: bool) -> bool:
        """Pack a truth value."""
        return bool(self.number(int(value), 2))

    def large(self, value: int, most: int) -> int:
        """Pack a number from 0 to `most` that is usually small."""
        first = 0
        sizes = [*CLASSES, max(most + 1 - sum(CLASSES), 1)]
        for place, size in enumerate(sizes):
            last = place == len(sizes) - 1
            if last or not self.flag(value >= first + size):
                found = first + self.number(value - first, size)
                if found > most:
                    raise BadDigits(f"{found} is above {most}")
                return found
            first += size
        raise AssertionError

    def text(self, value: str) -> str:
        """Pack a string; printable ASCII takes less room than other characters."""
        plain = self.flag(all(FIRST_PRINTABLE <= ord(ch) < FIRST_PRINTABLE + PRINTABLE for ch in value))
        data = value.encode("utf-8", "surrogatepass")
        size = self.large(len(data), MAX_TEXT_BYTES)
        data = data if self.packing else bytes(size)
        low, radix = (FIRST_PRINTABLE, PRINTABLE) if plain else (0, 256)
        found = bytes(low + self.number(byte - low, radix) for byte in data)
        try:
            return found.decode()
        except UnicodeDecodeError:
            raise BadDigits("not UTF-8") from None
