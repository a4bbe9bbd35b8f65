"""The offer of games with six to eight colors, or other numbers of pieces: the same draft with wider codes.

Codes of picks are source * colors + color, too many for a set in one word, so a list holds what is left on
the displays. Five colors with four pieces a display are an `Offer`, which is faster.
"""

from __future__ import annotations

from sintra._mypyc import i64, mypyc_attr
from sintra.rules.offer import Offer
from sintra.rules.piles import count, of


@mypyc_attr(acyclic=True)
class WideOffer(Offer):
    """An offer with any number of colors up to eight; `open` is 0 when nothing is left, else 1."""

    def copy(self) -> WideOffer:
        """Return an independent copy."""
        twin = WideOffer(0, self.colors, 0, self.size)
        twin.displays = self.displays
        twin.become(self)
        return twin

    def become(self, other: Offer) -> None:
        """Become equal to another offer of the same kind."""
        super().become(other)
        self.dealt = other.dealt[:]

    def show(self, center: i64, dealt: list[int]) -> None:
        """Lay out piles in the center and on the displays (from dealt[1] on), and the starting tile."""
        self.center = center
        self.dealt = dealt
        self.tile = True
        self.open = 1 if center or sum(dealt) else 0

    def sources(self) -> list[int]:
        """Return what lies in the center, then on each display, as piles."""
        return [self.center, *self.dealt[1 : self.displays + 1]]

    def picks(self) -> list[int]:
        """Return the codes of all possible picks: from the center, then from the displays."""
        colors = range(self.colors)
        return [
            source * self.colors + color
            for source, pile in enumerate(self.sources())
            for color in colors
            if count(pile, color)
        ]

    def has(self, code: i64) -> bool:
        """Return True if this pick is possible."""
        source = code // self.colors
        return 0 <= source <= self.displays and count(self.sources()[source], code % self.colors) > 0

    def take(self, code: i64) -> i64:
        """Take all pieces of a color from a display (the rest goes to the center) or from the center."""
        source = code // self.colors
        color = code % self.colors
        pile: i64 = self.center if source == 0 else self.dealt[source]
        taken = count(pile, color)
        if source == 0:
            self.center -= of(color, taken)
        else:
            self.center += pile - of(color, taken)
            self.dealt[source] = 0
        self.open = 1 if self.center or sum(self.dealt) else 0
        return taken
