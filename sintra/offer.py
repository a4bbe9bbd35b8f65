"""The offer: bag, tower, displays, center and starting tile, the draft that all games share.

A pile is a count. `piles[source * 5 + color]` counts the pieces of a color on a display, source 0
being the center of the table; that index is also the code of picking them. The offer knows nothing
of the game it is in: what becomes of picked pieces is the game's own.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from sintra.chance import Stream
from sintra.events import Picked
from sintra.steps import Step
from sintra.words import counted, pieces

COLORS = 5
"""Every game of the family has five colors; here they are the numbers 0 to 4."""

PER_COLOR = 20
DISPLAY_SIZE = 4
MAX_DISPLAYS = 9
PICK_CODES = (MAX_DISPLAYS + 1) * COLORS
"""The codes 0 to 49 are picks: source * 5 + color."""


def pick_steps(colors: Sequence[str]) -> list[Step]:
    """The steps of picking, in the order of their codes."""
    sources = ["center", *map(str, range(1, MAX_DISPLAYS + 1))]
    return [
        Step(f"pick {words} {color}", Picked, (("source", source), ("color", color)))
        for source, words in enumerate(sources)
        for color in colors
    ]


class BadDeal(ValueError):
    """A deal that the bag can't have given; `{color}` in the text stands for the color's name."""

    def __init__(self, text: str, color: int = 0) -> None:
        super().__init__(text)
        self.text = text
        self.color = color

    def told(self, colors: Sequence[str]) -> str:
        """The reason, with the name of the color."""
        return self.text.replace("{color}", colors[self.color])


class Offer:
    """The pieces that nobody owns, and the starting tile."""

    def __init__(self, players: int) -> None:
        self.displays = 2 * players + 1
        self.bag = [PER_COLOR] * COLORS
        self.tower = [0] * COLORS
        self.piles = [0] * ((self.displays + 1) * COLORS)
        self.shown: list[int] = []
        """The codes of all picks from displays: a display stays as it is until it is picked from."""
        self.left = 0
        """How many pieces lie on the displays and in the center."""
        self.tile = False
        """The starting tile lies in the center."""

    def copy(self) -> Offer:
        """An offer of its own, equal to this one."""
        twin = Offer.__new__(Offer)
        twin.displays = self.displays
        twin.bag = self.bag[:]
        twin.tower = self.tower[:]
        twin.piles = self.piles[:]
        twin.shown = self.shown[:]
        twin.left = self.left
        twin.tile = self.tile
        return twin

    def picks(self) -> list[int]:
        """The codes of all picks that there are: from the center, then from the displays."""
        piles = self.piles
        return [code for code in range(COLORS) if piles[code]] + self.shown

    def has(self, code: int) -> bool:
        """Whether this pick is there to be made."""
        return code < len(self.piles) and self.piles[code] > 0

    def take(self, code: int) -> int:
        """Take all pieces of a color from a display (the rest goes to the center) or from the center.

        The starting tile is the game's to take: see `take_tile`.
        """
        piles = self.piles
        taken = piles[code]
        piles[code] = 0
        self.left -= taken
        if code >= COLORS:
            start = code - code % COLORS
            shown = self.shown
            del shown[bisect_left(shown, start) : bisect_left(shown, start + COLORS)]
            for color in range(COLORS):
                rest = piles[start + color]
                if rest:
                    piles[color] += rest
                    piles[start + color] = 0
        return taken

    def take_tile(self, code: int) -> bool:
        """Whether this pick is the round's first from the center, and so comes with the starting tile."""
        if code < COLORS and self.tile:
            self.tile = False
            return True
        return False

    def in_words(self, colors: Sequence[str]) -> list[dict[str, int]]:
        """The pieces of each source by color: the center first, then the displays."""
        return [counted(self.piles[at : at + COLORS], colors) for at in range(0, len(self.piles), COLORS)]

    def why_no_pick(self, code: int, colors: Sequence[str]) -> str:
        """Why a pick can't be made, and what is there instead."""
        source, color = divmod(code, COLORS)
        if source > self.displays:
            return f"there are {self.displays} displays with {self.displays // 2} players (R1)"
        there = self.in_words(colors)[source]
        name = f"display {source}" if source else "the center"
        return f"{name} has no {colors[color]}; it has {pieces(there)}" if there else f"{name} is empty"

    def deal(self, displays: Sequence[Sequence[int]]) -> int:
        """Fill the displays as drawn, in order (R1, R2); the starting tile goes to the center.

        The bag's last pieces are dealt first, then it is refilled from the tower. Returns after how many
        pieces that happened, or -1. An impossible deal raises BadDeal and changes nothing.
        """
        if len(displays) != self.displays:
            raise BadDeal(f"{self.displays} displays are filled, not {len(displays)} (R1)")
        bag = self.bag[:]
        tower = self.tower[:]
        stock = sum(bag)
        piles = [0] * len(self.piles)
        dealt = 0
        refilled = -1
        for number, display in enumerate(displays, 1):
            if len(display) > DISPLAY_SIZE:
                raise BadDeal(
                    f"display {number} holds at most {DISPLAY_SIZE} pieces, not {len(display)} (R1)"
                )
            for color in display:
                if stock == 0 and refilled < 0:
                    bag = [a + b for a, b in zip(bag, tower, strict=True)]
                    tower = [0] * COLORS
                    stock = sum(bag)
                    refilled = dealt
                if bag[color] == 0:
                    raise BadDeal(
                        f"display {number}: there is no {{color}} left in the bag to deal (R2)", color
                    )
                bag[color] -= 1
                stock -= 1
                dealt += 1
                piles[number * COLORS + color] += 1
            if len(display) < DISPLAY_SIZE and (stock or (refilled < 0 and sum(tower))):
                raise BadDeal(f"display {number} has {len(display)} pieces while there are more to deal (R2)")
        self.bag = bag
        self.tower = tower
        self.piles = piles
        self.shown = [code for code, count in enumerate(piles) if count]
        self.left = dealt
        self.tile = True
        return refilled

    def census(self) -> list[int]:
        """All pieces of each color in bag and tower, on displays and in the center."""
        return [
            self.bag[color] + self.tower[color] + sum(self.piles[color::COLORS]) for color in range(COLORS)
        ]

    def draw(self, stream: Stream) -> list[list[int]]:
        """Draw a deal for all displays from the bag, refilling it from the tower (R2); changes nothing."""
        bag = self.bag[:]
        tower = self.tower[:]
        stock = sum(bag)
        displays: list[list[int]] = []
        for _ in range(self.displays):
            display: list[int] = []
            while len(display) < DISPLAY_SIZE:
                if stock == 0:
                    bag, tower = tower, bag
                    stock = sum(bag)
                    if stock == 0:
                        break
                drawn = stream.below(stock)
                color = 0
                while drawn >= bag[color]:
                    drawn -= bag[color]
                    color += 1
                bag[color] -= 1
                stock -= 1
                display.append(color)
            displays.append(display)
        return displays
