"""One player's palace, packed into machine words.

Colors are numbered 0 to 4 (blue, clear, orange, pink, yellow); a kind of space is a color, or 5 for a joker.
Slots and windows are numbered 0 to 7 from the left. Besides piles (`sintra.rules.piles`) there are three
layouts, best read with `oct` and `bin`. Numbers in parentheses are rulings: see `rulings`.

**Counts** are octal digits, one for each color, color 0 lowest. A strip's colored spaces are five digits:
0o10004 is four blue spaces and a yellow one. Strips stand side by side, five digits each, slot 0 lowest. Four
of them fit in a word, so there is a word for slots 0 to 3 (`left`) and one for slots 4 to 7 (`right`). They
count the empty spaces: filling subtracts.

**Sets** of slots or windows are eight bits, slot 0 lowest. `takes` is six such sets, one for each kind: bit
kind * 8 + slot is set while the strip in that slot has an empty space of that kind.

**Panes** are octal digits, one for each window: the color of its piece plus 1, or 0. The top frame spaces are
the lower eight digits of `panes`, the bottom ones the upper eight.

Pieces on strips are not stored: they are what is printed there, less what is empty. Only one strip has
jokers, two on the side that starts face down: one number counts the empty ones, one the pieces on them.
"""

from __future__ import annotations

from typing import Any, Final

from sintra._mypyc import i64, mypyc_attr
from sintra.games.sintra.boards import SLOTS
from sintra.rules.bits import bit, size
from sintra.rules.keeping import reduced
from sintra.rules.keys import mixed
from sintra.rules.piles import count, of, total

JOKERS: Final = 5
"""The number that stands for a joker space where colors are numbers."""
HALF: Final = 4
"""Strips in a word of counts."""
STRIP_BITS: Final = 15
SIDE_BITS: Final = 18
"""A strip's digits, and one more for its jokers."""
HALF_BITS: Final = 60
STRIP: Final = 0o77777
"""The digits of one strip."""
ALL: Final = 0xFF
"""The set of all slots, or windows."""
EACH_KIND: Final = 0x01_01_01_01_01_01
"""Slot 0 in the set of every kind."""
EACH_PANE: Final = 0o1111111111111111
"""A 1 in every digit of `panes`."""
BOTTOM: Final = 24
"""The lowest bit of the bottom frame spaces in `panes`."""


# -- Words -----------------------------------------------------------------------------------


def digit(counts: i64, at: i64) -> i64:
    """Return one of the octal digits."""
    return counts >> at * 3 & 7


def pile_of(counts: i64) -> i64:
    """Return five octal digits as a pile, which has a byte for each color."""
    return (
        counts & 0o7
        | (counts & 0o70) << 5
        | (counts & 0o700) << 10
        | (counts & 0o7000) << 15
        | (counts & 0o70000) << 20
    )


def ones(digits: i64) -> i64:
    """Return the same digits, with 1 for every digit that is not 0."""
    return (digits | digits >> 1 | digits >> 2) & EACH_PANE


def gather(digits: i64) -> i64:
    """Return the set of digits that are not 0, of the last eight."""
    bits = ones(digits) & 0o11111111
    bits = (bits | bits >> 2) & 0o3030303
    bits = (bits | bits >> 4) & 0o170017
    return (bits | bits >> 8) & ALL


def spread(members: i64) -> i64:
    """Return eight digits, 1 for each member of a set and 0 for the others."""
    digits = (members | members << 8) & 0o170017
    digits = (digits | digits << 4) & 0o3030303
    return (digits | digits << 2) & 0o11111111


def strip_at(left: i64, right: i64, slot: i64) -> i64:
    """Return the five digits of the strip in a slot."""
    if slot < HALF:
        return left >> slot * STRIP_BITS & STRIP
    return right >> (slot - HALF) * STRIP_BITS & STRIP


@mypyc_attr(acyclic=True)
class Strips:
    """What is printed on a player's eight strips, packed as in the palace; never changes."""

    up_left: i64 = 0
    """The colored spaces that face up at the start."""
    up_right: i64 = 0
    up_takes: i64 = 0
    down_left: i64 = 0
    """Those on the other sides."""
    down_right: i64 = 0
    down_takes: i64 = 0
    joker_slot: i64 = 0
    """The slot of the strip with two jokers on its other side."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make it again, for pickle and deepcopy."""
        return reduced(self)


NO_STRIPS: Final = Strips()


# -- The palace ------------------------------------------------------------------------------


@mypyc_attr(acyclic=True, free_list_len=1)
class Palace:
    """One player's palace board, strips, glazier and markers."""

    strips: Strips
    marker: i64 = 0
    """The space of the broken glass track that the marker is on; 0 is the top."""
    lost: i64 = 0
    """Points lost on the broken glass track so far, in full even where the score stops at 0 (S10)."""
    glazier: i64 = 0
    """The slot below the glazier."""
    leftmost: i64 = 0
    """The slot of the leftmost strip; SLOTS when no strip is left."""
    left: i64 = 0
    """Empty colored spaces on strips 0 to 3: counts."""
    right: i64 = 0
    """Empty colored spaces on strips 4 to 7: counts."""
    takes: i64 = 0
    """For each kind, the set of slots whose strip has an empty space of it."""
    jokers: i64 = 0
    """Empty joker spaces that face up."""
    on_jokers: i64 = 0
    """Pieces on joker spaces: a pile."""
    panes: i64 = 0
    """The pieces in the windows."""
    bonus_points: i64 = 0
    window_points: i64 = 0
    broken_points: i64 = 0
    left_points: i64 = 0
    side_points: i64 = 0

    def __init__(self, strips: Strips) -> None:
        """Lay out strips, starting side up, above empty windows."""
        self.strips = strips
        self.left = strips.up_left
        self.right = strips.up_right
        self.takes = strips.up_takes

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make it again, for pickle and deepcopy."""
        return reduced(self, self.strips)

    def copy(self) -> Palace:
        """Return an independent copy."""
        twin = Palace(self.strips)
        twin.become(self)
        return twin

    def become(self, other: Palace) -> None:
        """Become equal to another palace."""
        self.strips = other.strips
        self.marker = other.marker
        self.lost = other.lost
        self.glazier = other.glazier
        self.leftmost = other.leftmost
        self.left = other.left
        self.right = other.right
        self.takes = other.takes
        self.jokers = other.jokers
        self.on_jokers = other.on_jokers
        self.panes = other.panes
        self.bonus_points = other.bonus_points
        self.window_points = other.window_points
        self.broken_points = other.broken_points
        self.left_points = other.left_points
        self.side_points = other.side_points

    def key(self) -> i64:
        """Return a key of everything here: pieces, score, and points lost."""
        places = (self.marker << 4 | self.glazier) << 2 | self.jokers
        key = mixed(mixed(mixed(places, self.left), self.right), self.panes)
        return mixed(mixed(mixed(key, self.on_jokers), self.score & 0xFFFFFFFF), self.lost)

    def points(self) -> list[int]:
        """Return the points by where they came from, in the order of `codes.SOURCES`."""
        return [self.bonus_points, self.window_points, self.broken_points, self.left_points, self.side_points]

    @property
    def score(self) -> i64:
        """All points."""
        return (
            self.bonus_points + self.window_points + self.broken_points + self.left_points + self.side_points
        )

    def pieces(self) -> list[int]:
        """Return the number of pieces of each color on strips and in windows."""
        strips = [self.held(slot) for slot in range(SLOTS)]
        panes = [digit(self.panes, frame) for frame in range(2 * SLOTS)]
        return [sum([count(held, color) for held in strips]) + panes.count(color + 1) for color in range(5)]

    # -- Strips --

    def room(self, slot: i64, color: i64) -> i64:
        """Return how many empty spaces of a color the strip in a slot has."""
        at = slot * STRIP_BITS + color * 3
        if slot < HALF:
            return self.left >> at & 7
        return self.right >> at - HALF_BITS & 7

    def free(self, slot: i64) -> i64:
        """Return how many empty jokers the strip in a slot has."""
        if self.jokers and slot == self.strips.joker_slot:
            return self.jokers
        return 0

    def reached(self, color: i64) -> i64:
        """Return the slots in the glazier's reach whose strip has a space for a color, or a joker (S3)."""
        takes = self.takes
        return (takes >> color * SLOTS | takes >> JOKERS * SLOTS) & ALL & (-1 << self.glazier)

    def can_return(self) -> bool:
        """Return whether the glazier can go back to the leftmost strip: there is one, elsewhere (S7)."""
        return self.leftmost != self.glazier and self.leftmost != SLOTS

    def fill(self, slot: i64, color: i64, pieces: i64) -> None:
        """Put pieces on spaces of their color."""
        at = slot * STRIP_BITS + color * 3
        if slot < HALF:
            self.left -= pieces << at
            room = self.left >> at & 7
        else:
            self.right -= pieces << at - HALF_BITS
            room = self.right >> at - HALF_BITS & 7
        if room == 0:
            self.takes ^= bit(color * SLOTS + slot)

    def fill_jokers(self, slot: i64, color: i64, pieces: i64) -> None:
        """Put pieces of a color on jokers."""
        self.jokers -= pieces
        self.on_jokers += of(color, pieces)
        if self.jokers == 0:
            self.takes ^= bit(JOKERS * SLOTS + slot)

    def is_complete(self, slot: i64) -> bool:
        """Return True if no space of the strip in a slot is empty."""
        return self.takes >> slot & EACH_KIND == 0

    def held(self, slot: i64) -> i64:
        """Return the pieces on the strip in a slot: a pile."""
        strips = self.strips
        empty = strip_at(self.left, self.right, slot)
        if not digit(self.panes, slot):
            return pile_of(strip_at(strips.up_left, strips.up_right, slot) - empty)
        if digit(self.panes, SLOTS + slot):
            return 0
        held = pile_of(strip_at(strips.down_left, strips.down_right, slot) - empty)
        if slot == strips.joker_slot:
            held += self.on_jokers
        return held

    def filled(self, slot: i64) -> i64:
        """Return the number of pieces on the strip in a slot."""
        return total(self.held(slot))

    # -- Windows --

    def furnished(self) -> i64:
        """Return the windows with at least one piece; the strips above them are flipped or gone."""
        return gather(self.panes)

    def finished(self) -> i64:
        """Return the windows with two pieces; the strips above them are gone."""
        return gather(self.panes >> BOTTOM)

    def most_of_a_color(self) -> i64:
        """Return the number of pieces in the windows of their most frequent color."""
        most: i64 = 0
        pane: i64 = 1
        while pane <= 5:
            others = ones(self.panes ^ EACH_PANE * pane)  # equal digits become 0
            most = max(most, 2 * SLOTS - size(others))
            pane += 1
        return most

    def flip(self, slot: i64, color: i64) -> None:
        """Put a piece in the top frame space of a window, and turn over the complete strip above it."""
        strips = self.strips
        down = strip_at(strips.down_left, strips.down_right, slot)
        if slot < HALF:
            self.left += down << slot * STRIP_BITS
        else:
            self.right += down << (slot - HALF) * STRIP_BITS
        self.takes |= strips.down_takes & EACH_KIND << slot
        if slot == strips.joker_slot:
            self.jokers = 2
        self.panes += color + 1 << slot * 3

    def remove(self, slot: i64, color: i64) -> None:
        """Put a piece in the bottom frame space of a window, and take away the complete strip above it."""
        if slot == self.strips.joker_slot:
            self.on_jokers = 0
        self.panes += color + 1 << BOTTOM + slot * 3
        gone = self.finished()
        while gone >> self.leftmost & 1:
            self.leftmost += 1
