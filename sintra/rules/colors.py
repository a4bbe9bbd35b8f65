"""The colors of a game: their names, the letters people type, and how a screen shows them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

MAX_COLORS = 8
"""The largest number of colors of a game: a pile of pieces is one machine word, with a byte a color."""
SHAPES = "●◇▲■★◆▼○"
"""The shapes of colors that name none, by position."""


class Color(Struct, frozen=True):
    """A color: its name, a lower-case letter, a shape, and the codes that a terminal paints it with."""

    name: str
    letter: str
    shape: str
    paint: str = "1"


class Palette:
    """The colors of a game in the order of their numbers, found by name or by letter.

    `others` are drawn like colors without being colors of pieces: a joker's space, for example.
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
        """Return a palette for colors of which only the names are known: letters differ, paint is neutral."""
        letters: list[str] = []
        for name in names:
            free = (ch for ch in f"{name.lower()}abcdefghijklmnopqrstuvwxyz" if ch.isalpha())
            letters.append(next(ch for ch in free if ch not in letters))
        shapes = (SHAPES[number % len(SHAPES)] for number in range(len(names)))
        return cls(*map(Color, names, letters, shapes))

    def __getitem__(self, name: str) -> Color:
        return self._by_name.get(name) or Color(name, name[:1], "•")

    def letter(self, word: str) -> str:
        """Return the letter of a color; of any other word, the first."""
        return self[word].letter
