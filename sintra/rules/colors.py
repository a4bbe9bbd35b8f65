"""The colors of a game: their names, the letters people type, and how a screen shows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

MAX_COLORS = 8
"""The largest number of colors of a game: a pile of pieces is one machine word, with a byte a color."""
SHAPES = "●◇▲■★◆▼○"
"""The shapes of colors that name none, by position."""
PAINTS = ("#005fff", "#afd7d7", "#d75f00", "#ff87ff", "#ffd700", "#4e4e4e", "#5fd7af", "#875f00")
"""Their paints: easy to tell apart, even for color-blind people."""


class Color(Struct, frozen=True):
    """A color: its name, a lower-case letter, a shape, and its paint as `#rrggbb` (none: a neutral gray).

    `fill` is its paint in pictures, if that differs: they can show any color, so it may be a softer one.
    Screens have 256 colors, so a paint is best one of theirs: each part 00, 5f, 87, af, d7 or ff, or a gray.
    """

    name: str
    letter: str
    shape: str
    paint: str = ""
    fill: str = ""


class Palette:
    """The colors of a game in the order of their numbers, found by name or by letter.

    `others` are drawn like colors but are not colors of pieces: the space of a joker, for example.
    """

    def __init__(self, *colors: Color, others: Sequence[Color] = ()) -> None:
        self.names = tuple(color.name for color in colors)
        self.letters = {color.letter: color.name for color in colors}
        """The name of each color by its letter."""
        self._by_name = {color.name: color for color in (*colors, *others)}
        if len(self.letters) < len(colors) or len(self._by_name) < len(colors) + len(others):
            raise ValueError("two colors share a name or a letter")

    @classmethod
    def of(cls, names: Sequence[str]) -> Palette:
        """Return a palette for colors by their names alone, with different letters, shapes and paints."""
        letters: list[str] = []
        for name in names:
            free = (ch for ch in f"{name.lower()}abcdefghijklmnopqrstuvwxyz" if ch.isalpha())
            letters.append(next(ch for ch in free if ch not in letters))
        looks = [(SHAPES[number % len(SHAPES)], PAINTS[number % len(PAINTS)]) for number in range(len(names))]
        return cls(
            *(Color(name, letter, *look) for name, letter, look in zip(names, letters, looks, strict=True))
        )

    def __getitem__(self, name: str) -> Color:
        return self._by_name.get(name) or Color(name, name[:1], "•")

    def __iter__(self) -> Iterator[Color]:
        """Yield the colors, then the others."""
        return iter(self._by_name.values())

    def letter(self, word: str) -> str:
        """Return the letter of a color; of any other word, the first."""
        return self[word].letter
