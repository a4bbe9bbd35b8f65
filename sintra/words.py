"""A few turns of phrase that errors and screens share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def listed(words: Sequence[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def plural(count: int, one: str, many: str = "") -> str:
    """`1 point`, `2 points`."""
    return f"{count} {one if count in (1, -1) else many or one + 's'}"


def pieces(counts: Mapping[str, int]) -> str:
    """`2 orange and pink`."""
    return listed([color if count == 1 else f"{count} {color}" for color, count in counts.items()])


def counted(counts: Sequence[int], colors: Sequence[str]) -> dict[str, int]:
    """Counts by color, as a dictionary of those that are there."""
    return {color: count for color, count in zip(colors, counts, strict=True) if count}
