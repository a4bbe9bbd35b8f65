"""The offer: bag, tower, displays, center and starting tile, the draft that all games share.

A pile is a count. `piles[source * 5 + color]` counts the pieces of a color on a display, source 0
being the center of the table; that index is also the code of picking them. The offer knows nothing
of the game it is in: what becomes of picked pieces is the game's own.

Counts are changed by `counts[at] = counts[at] + n`, which is compiled to faster code than `+=`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sintra._mypyc import i64
from sintra.log.events import Picked
from sintra.rules.chance import Stream
from sintra.rules.steps import Step
from sintra.text import counted, pieces

COLORS: Final = 5
"""Every game of the family has five colors; here they are the numbers 0 to 4."""

PER_COLOR: Final = 20
DISPLAY_SIZE: Final = 4
MAX_DISPLAYS: Final = 9
PICK_CODES: Final = (MAX_DISPLAYS + 1) * COLORS
"""The codes 0 to 49 are picks: source * 5 + color."""

SETS: Final = 1 << COLORS
"""How many sets of colors there are; a set is a number, color n being bit n."""
PICKS: Final = [
    [source * COLORS + color for color in range(COLORS) if colors >> color & 1]
    for source in range(MAX_DISPLAYS + 1)
    for colors in range(SETS)
]
"""The codes of all picks, by source * 32 and the set of colors that are there."""


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


def total(counts: list[int]) -> i64:
    """How many pieces these are, of all colors."""
    pieces: i64 = 0
    for count in counts:
        pieces += count
    return pieces


class Offer:
    """The pieces that nobody owns, and the starting tile."""

    displays: i64
    bag: list[int]
    tower: list[int]
    piles: list[int]
    shown: list[list[int]]
    """shown[source]: the codes of the picks from a display, which stays as it is until it is picked from."""
    centered: i64
    """The colors in the center, as bits."""
    left: i64
    """How many pieces lie on the displays and in the center."""
    tile: bool
    """The starting tile lies in the center."""

    def __init__(self, players: i64, like: Offer | None = None) -> None:
        """All pieces in the bag; or an offer like another one."""
        if like is None:
            self.displays = 2 * players + 1
            self.bag = [PER_COLOR] * COLORS
            self.tower = [0] * COLORS
            self.piles = [0] * ((self.displays + 1) * COLORS)
            self.shown = [[]] * (self.displays + 1)
            self.centered = 0
            self.left = 0
            self.tile = False
        else:
            self.displays = like.displays
            self.bag = like.bag[:]
            self.tower = like.tower[:]
            self.piles = like.piles[:]
            self.shown = like.shown[:]
            self.centered = like.centered
            self.left = like.left
            self.tile = like.tile

    def copy(self) -> Offer:
        """An offer of its own, like this one."""
        return Offer(0, self)

    def show(self, piles: list[int]) -> None:
        """Lay these pieces out, on the displays and in the center, instead of what lies there."""
        self.piles = piles
        self.shown = []
        self.left = 0
        code: i64 = 0
        for source in range(self.displays + 1):
            colors: i64 = 0
            for color in range(COLORS):
                count: i64 = piles[code]
                if count:
                    colors |= 1 << color
                    self.left += count
                code += 1
            if source == 0:
                self.centered = colors
                colors = 0
            self.shown.append(PICKS[source * SETS + colors])

    def picks(self) -> list[int]:
        """The codes of all picks that there are: from the center, then from the displays."""
        picks = PICKS[self.centered][:]
        for codes in self.shown:
            if codes:
                picks += codes
        return picks

    def has(self, code: i64) -> bool:
        """Whether this pick is there to be made."""
        return 0 <= code < len(self.piles) and self.piles[code] > 0

    def take(self, code: i64) -> i64:
        """Take all pieces of a color from a display (the rest goes to the center) or from the center.

        The starting tile is the game's to take: see `take_tile`.
        """
        piles = self.piles
        taken: i64 = piles[code]
        piles[code] = 0
        self.left -= taken
        if code < COLORS:
            self.centered ^= 1 << code
            return taken
        source = code // COLORS
        for other in self.shown[source]:
            if other != code:
                color = other - source * COLORS
                piles[color] = piles[color] + piles[other]
                piles[other] = 0
                self.centered |= 1 << color
        self.shown[source] = []
        return taken

    def take_tile(self, code: i64) -> bool:
        """Whether this pick is the round's first from the center, and so comes with the starting tile."""
        if code < COLORS and self.tile:
            self.tile = False
            return True
        return False

    def discard(self, color: i64, pieces: i64) -> None:
        """Pieces go to the tower."""
        self.tower[color] = self.tower[color] + pieces

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

    def deal(self, displays: list[list[int]]) -> i64:
        """Fill the displays as drawn, in order (R1, R2); the starting tile goes to the center.

        The bag's last pieces are dealt first, then it is refilled from the tower. Returns after how many
        pieces that happened, or -1. An impossible deal raises BadDeal and changes nothing.
        """
        if len(displays) != self.displays:
            raise BadDeal(f"{self.displays} displays are filled, not {len(displays)} (R1)")
        bag = self.bag[:]
        tower = self.tower[:]
        stock: i64 = total(bag)
        piles = [0] * len(self.piles)
        dealt: i64 = 0
        refilled: i64 = -1
        start: i64 = 0
        for display in displays:
            start += COLORS
            if len(display) > DISPLAY_SIZE:
                raise BadDeal(
                    f"display {start // COLORS} holds at most {DISPLAY_SIZE} pieces, not {len(display)} (R1)"
                )
            for color in display:
                if stock == 0 and refilled < 0:
                    bag = [a + b for a, b in zip(bag, tower, strict=True)]
                    tower = [0] * COLORS
                    stock = total(bag)
                    refilled = dealt
                there: i64 = bag[color]
                if there == 0:
                    raise BadDeal(
                        f"display {start // COLORS}: there is no {{color}} left in the bag to deal (R2)",
                        color,
                    )
                bag[color] = there - 1
                stock -= 1
                dealt += 1
                piles[start + color] = piles[start + color] + 1
            if len(display) < DISPLAY_SIZE and (stock or (refilled < 0 and total(tower))):
                raise BadDeal(
                    f"display {start // COLORS} has {len(display)} pieces while there are more to deal (R2)"
                )
        self.bag = bag
        self.tower = tower
        self.show(piles)
        self.tile = True
        return refilled

    def exhausted(self) -> bool:
        """Whether nothing is left to deal, in the bag or in the tower."""
        return total(self.bag) == 0 and total(self.tower) == 0

    def census(self) -> list[int]:
        """All pieces of each color in bag and tower, on displays and in the center."""
        return [
            self.bag[color] + self.tower[color] + sum(self.piles[color::COLORS]) for color in range(COLORS)
        ]

    def draw(self, stream: Stream) -> list[list[int]]:
        """Draw a deal for all displays from the bag, refilling it from the tower (R2); changes nothing."""
        bag = self.bag[:]
        tower = self.tower[:]
        stock: i64 = total(bag)
        displays: list[list[int]] = []
        for _ in range(self.displays):
            display: list[int] = []
            for _ in range(DISPLAY_SIZE):
                if stock == 0:
                    bag, tower = tower, bag
                    stock = total(bag)
                    if stock == 0:
                        break
                drawn = stream.below(stock)
                color: i64 = 0
                there: i64 = bag[0]
                while drawn >= there:
                    drawn -= there
                    color += 1
                    there = bag[color]
                bag[color] = there - 1
                stock -= 1
                display.append(color)
            displays.append(display)
        return displays
