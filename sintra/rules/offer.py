"""The offer: bag, tower, displays, center and starting tile. All games share this draft.

A pick takes all pieces of a color from a source: source 0 is the center, the others are the displays. Its
code is source * 5 + color. Displays keep their pieces in `dealt` as they were filled at the deal, a list that
nobody changes and copies share; which of them can still be picked is a set of 50 bits, `open`. A display that
was picked from has no bits left, and a round is over when the set is empty. The offer knows nothing of the
game it is in: what becomes of picked pieces is up to the game. `WideOffer` is for games with other numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from sintra._mypyc import i64, mypyc_attr
from sintra.log.events import Picked
from sintra.rules.bits import bit, lowest, members
from sintra.rules.chance import Stream
from sintra.rules.keeping import reduced
from sintra.rules.keys import mixed
from sintra.rules.piles import BYTE, count, counts, of, piece_at, total
from sintra.rules.steps import Step

COLORS: Final = 5
"""The number of colors, unless a game says otherwise; colors are the numbers from 0 on."""
PER_COLOR: Final = 20
DISPLAY_SIZE: Final = 4
MAX_DISPLAYS: Final = 9
PICK_CODES: Final = 50
"""The codes 0 to 49 are picks: source * 5 + color."""
ALL: Final = 31
"""The set of all five colors."""
ANY: Final = 0x7F7F7F7F7F
"""A pile that, added to another, sets the high bit of every byte that is not 0."""
HIGH_BITS: Final = 0x8080808080
ONES: Final = 0x0101010101
"""The lowest bit of the bytes of five colors."""
EACH: Final = 0x0101010101010101
"""A pile with one piece of each of eight colors."""
MOST_SIZES: Final = 7
"""`Offer.sizes` does not distinguish picks of this many pieces or more."""
UNDEALT: Final = [0] * (MAX_DISPLAYS + 1)


def pick_steps(colors: Sequence[str]) -> list[Step]:
    """Return the steps of picking, in the order of their codes."""
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

    def in_words(self, colors: Sequence[str]) -> str:
        """Return the reason, with the name of the color."""
        return self.text.replace("{color}", colors[self.color])


def colors_in(pile: i64) -> i64:
    """Return the set of colors (of five) in a pile: the high bits of its bytes, moved together."""
    marks = pile + ANY & HIGH_BITS
    return (marks >> 7 | marks >> 14 | marks >> 21 | marks >> 28 | marks >> 35) & ALL


def sizes_in(pile: i64) -> i64:
    """Return for each color of a pile of up to four pieces its number as a set, all colors at once."""
    low = pile & ONES
    high = pile >> 1 & ONES
    both = low & high
    return low - both | high - both << 1 | both << 2 | (pile >> 2 & ONES) << 3


def fitting(sizes: i64, missing: i64) -> i64:
    """Return how well picks of these `Offer.sizes` fit: 3 exactly, 2 too large, 1 too small, 0 no picks."""
    if sizes == 0:
        return 0
    if sizes >> missing - 1 & 1:
        return 3
    return 2 if sizes >> missing else 1


@mypyc_attr(acyclic=True, free_list_len=1)
class Offer:
    """The pieces that nobody owns, and the starting tile."""

    displays: i64
    colors: i64
    size: i64
    """Pieces on a full display."""
    bag: i64
    """A pile, like tower and center: see `sintra.rules.piles`."""
    tower: i64
    center: i64
    dealt: list[int]
    """dealt[source]: what a display was filled with, as a pile; the list is never changed."""
    open: i64
    """The codes of all possible picks, as a set: see `sintra.rules.bits`."""
    tile: bool
    """True while the starting tile lies in the center."""

    def __init__(
        self, players: i64, colors: i64 = COLORS, pieces: i64 = PER_COLOR, size: i64 = DISPLAY_SIZE
    ) -> None:
        """Start with all pieces in the bag."""
        self.displays = 2 * players + 1
        self.colors = colors
        self.size = size
        self.bag = pieces * (EACH >> (8 - colors) * 8)
        self.tower = 0
        self.center = 0
        self.dealt = UNDEALT
        self.open = 0
        self.tile = False

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make it again, for pickle and deepcopy."""
        return reduced(self, 0)

    def become(self, other: Offer) -> None:
        """Become equal to another offer of the same game."""
        self.bag, self.tower, self.center = other.bag, other.tower, other.center
        self.dealt = other.dealt
        self.open = other.open
        self.tile = other.tile

    def copy(self) -> Offer:
        """Return an independent copy."""
        twin = Offer(0, self.colors, 0, self.size)
        twin.displays = self.displays
        twin.become(self)
        return twin

    # -- Picking --

    def picks(self) -> list[int]:
        """Return the codes of all possible picks: from the center, then from the displays."""
        return members(self.open)

    def has(self, code: i64) -> bool:
        """Return True if this pick is possible."""
        return 0 <= code < PICK_CODES and self.open & bit(code) != 0

    def empty(self) -> bool:
        """Return True if no piece is left on the displays and in the center."""
        return self.open == 0

    def has_twin(self, source: i64) -> bool:
        """Return True if an earlier display still holds the same pieces."""
        pile: i64 = self.dealt[source]
        other: i64 = source - 1
        while other > 0:
            if self.open >> other * COLORS & ALL and self.dealt[other] == pile:
                return True
            other -= 1
        return False

    def take(self, code: i64) -> i64:
        """Take all pieces of a color from a display (the rest goes to the center) or from the center.

        The starting tile is for the state to take.
        """
        if code < COLORS:
            taken = count(self.center, code)
            self.center -= of(code, taken)
            self.open &= ~bit(code)
            return taken
        source = code // COLORS
        first = source * COLORS
        pile: i64 = self.dealt[source]
        taken = count(pile, code - first)
        self.center += pile - of(code - first, taken)
        left = self.open & ~bit(code)
        others = left >> first & ALL
        self.open = left - (others << first) | others
        return taken

    def discard(self, color: i64, pieces: i64) -> None:
        """Put pieces of a color into the tower."""
        self.tower += of(color, pieces)

    # -- Dealing --

    def deal(self, displays: list[list[int]]) -> i64:
        """Fill the displays as drawn, in order (R1, R2); the starting tile goes to the center.

        The bag's last pieces are dealt first, then it is refilled from the tower. Returns the number of
        pieces dealt before that, or -1. An impossible deal raises BadDeal and changes nothing.
        """
        if len(displays) != self.displays:
            raise BadDeal(f"{self.displays} displays are filled, not {len(displays)} (R1)")
        bag = self.bag
        tower = self.tower
        dealt = [0]
        drawn: i64 = 0
        refilled: i64 = -1
        for number, display in enumerate(displays, 1):
            if len(display) > self.size:
                raise BadDeal(f"display {number} holds at most {self.size} pieces, not {len(display)} (R1)")
            pile: i64 = 0
            for color in display:
                if bag == 0 and refilled < 0:
                    bag = tower
                    tower = 0
                    refilled = drawn
                if count(bag, color) == 0:
                    raise BadDeal(
                        f"display {number}: there is no {{color}} left in the bag to deal (R2)", color
                    )
                piece = of(color, 1)
                bag -= piece
                pile += piece
                drawn += 1
            if len(display) < self.size and (bag or tower):
                raise BadDeal(f"display {number} has {len(display)} pieces while there are more to deal (R2)")
            dealt.append(pile)
        self.bag = bag
        self.tower = tower
        self.show(0, dealt)
        return refilled

    def deal_from(self, stream: Stream, drawn: list[list[int]] | None = None) -> i64:
        """Draw a deal from the bag and fill the displays; append its displays to `drawn`, if given."""
        bag = self.bag
        stock = total(bag)
        dealt = [0]
        pieces: i64 = 0
        refilled: i64 = -1
        displays = self.displays
        while displays > 0:
            displays -= 1
            pile: i64 = 0
            left = self.size
            colors: list[int] | None = None if drawn is None else []
            while left > 0:
                if stock == 0:
                    if self.tower == 0:
                        break
                    bag = self.tower
                    stock = total(bag)
                    self.tower = 0
                    refilled = pieces
                piece = piece_at(bag, stream.below(stock))
                bag -= piece
                pile += piece
                stock -= 1
                left -= 1
                pieces += 1
                if colors is not None:
                    colors.append(lowest(piece) // 8)
            dealt.append(pile)
            if drawn is not None and colors is not None:
                drawn.append(colors)
        self.bag = bag
        self.show(0, dealt)
        return refilled

    def draw(self, stream: Stream) -> list[list[int]]:
        """Return a deal for all displays, drawn from the bag and then the tower (R2); change nothing."""
        drawn: list[list[int]] = []
        self.copy().deal_from(stream, drawn)
        return drawn

    def show(self, center: i64, dealt: list[int]) -> None:
        """Lay out piles in the center and on the displays (from dealt[1] on), and the starting tile."""
        self.center = center
        self.dealt = dealt
        self.tile = True
        self.open = colors_in(center)
        source = self.displays
        while source > 0:
            pile: i64 = dealt[source]
            self.open |= colors_in(pile) << source * COLORS
            source -= 1

    def exhausted(self) -> bool:
        """Return True if nothing is left to deal, in the bag or in the tower."""
        return self.bag == 0 and self.tower == 0

    # -- Looking at it --

    def sources(self) -> list[int]:
        """Return what lies in the center, then on each display, as piles."""
        piles = [self.center]
        for source in range(1, self.displays + 1):
            piles.append(self.dealt[source] if self.open >> source * COLORS & ALL else 0)
        return piles

    def census(self) -> list[int]:
        """Return the number of pieces of each color in bag and tower, on displays and in the center."""
        return counts(self.bag + self.tower + sum(self.sources()), self.colors)

    def pile(self) -> i64:
        """Return all pieces on the displays and in the center as a pile, for five colors."""
        pile = self.center
        source = self.displays
        while source > 0:
            if self.open >> source * COLORS & ALL:
                pile += self.dealt[source]
            source -= 1
        return pile

    def sizes(self) -> i64:
        """Return the sizes of all picks: for each of five colors a byte, bit 0 standing for one piece."""
        sizes: i64 = 0
        source = self.displays
        while source > 0:
            if self.open >> source * COLORS & ALL:
                sizes |= sizes_in(self.dealt[source])
            source -= 1
        center = self.center
        if center:
            color: i64 = 0
            while color < COLORS:
                pieces = count(center, color)
                if pieces:
                    if pieces > MOST_SIZES:
                        pieces = MOST_SIZES
                    sizes |= bit(color * 8 + pieces - 1)
                color += 1
        return sizes

    def key(self) -> i64:
        """Return a key of the whole offer; equal offers have equal keys."""
        key = mixed(mixed(mixed(self.bag, self.tower), self.center), self.open << 1 | self.tile)
        source: i64 = 1
        while source <= self.displays:
            if self.open >> source * COLORS & ALL:
                key = mixed(key, self.dealt[source])
            source += 1
        return key


# -- Faster when interpreted: colors are remembered, and all pieces to deal are lined up in a list --


def _lined_up(pile: int) -> list[int]:
    """Return all pieces of a pile, each as a pile, color by color."""
    row: list[int] = []
    piece = 1
    while pile:
        row += [piece] * (pile & BYTE)
        pile >>= 8
        piece <<= 8
    return row


def _deal_from_rows(self: Offer, stream: Stream, drawn: list[list[int]] | None = None) -> int:
    """Do what `Offer.deal_from` does."""
    wanted = self.displays * self.size
    row = _lined_up(self.bag)
    pieces = list(map(row.pop, stream.places(len(row), min(wanted, len(row)))))
    self.bag -= sum(pieces)
    refilled = -1
    if len(pieces) < wanted and self.tower:
        refilled = len(pieces)
        row = _lined_up(self.tower)
        more = list(map(row.pop, stream.places(len(row), min(wanted - refilled, len(row)))))
        self.bag = self.tower - sum(more)
        self.tower = 0
        pieces += more
    displays = [pieces[at : at + self.size] for at in range(0, wanted, self.size)]
    if drawn is not None:
        drawn += [[lowest(piece) // 8 for piece in display] for display in displays]
    self.show(0, [0, *map(sum, displays)])
    return refilled


if __file__.endswith(".py"):
    globals()["colors_in"] = lru_cache(maxsize=1024)(colors_in)
    globals()["Offer"].deal_from = _deal_from_rows
