"""Keys of positions: 63-bit hashes for transposition tables, the same in both builds and in every process."""

from __future__ import annotations

from typing import Any, Final

from sintra._mypyc import i64

LOW: Final = 0x7FFFFFFF
LOW_FACTOR: Final = 0x9E3779B1
HIGH_FACTOR: Final = 0x5BD1E995


def mixed(key: i64, word: i64) -> i64:
    """Return a key with one more word of up to 63 bits mixed in; no product exceeds 63 bits."""
    word ^= key
    word = (word & LOW) * LOW_FACTOR ^ (word >> 31) * HIGH_FACTOR
    return word ^ word >> 29


def key_of(value: Any, key: int = 0) -> int:
    """Return the key of anything made of numbers, strings, lists, dictionaries and other objects."""
    if isinstance(value, int):
        return mixed(mixed(key, 1), value & (1 << 63) - 1)
    if value is None or isinstance(value, str):
        from zlib import crc32  # the built-in games have faster keys

        return mixed(mixed(key, 2), crc32(str(value).encode()))
    if isinstance(value, list | tuple):
        for item in value:
            key = key_of(item, key)
        return mixed(mixed(key, 3), len(value))
    items = value if isinstance(value, dict) else vars(value)
    return key_of(sorted(key_of(pair) for pair in items.items()), key)
