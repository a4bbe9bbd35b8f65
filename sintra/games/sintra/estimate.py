"""Estimates of a palace's final points: the features that `strong` has learned to weigh.

An estimate is what the player would score if the game ended now, plus the weights of the features below.
They are numbered from 0:

    for each number of    every strip by its side, its pieces, what completing it would score and whether the
    rounds that are left  glazier reaches it; the glazier; the marker; windows; ornaments or colors of the
                          side; pieces in the next round's color; who starts the next round
    for each `moment`     every strip by what it lacks and what is on offer for it; strips in reach, pieces on
                          offer without a strip, the starting tile, whose turn it is

`moment` is 0 between rounds; within a round it is 1 to 3 by how many picks there are, and 4 to 6 likewise in
the last round.
"""

from __future__ import annotations

from typing import Final

from sintra._mypyc import i64, mypyc_attr
from sintra.games.sintra.arrangement import Arrangement
from sintra.games.sintra.player import Palace, digit, strip_at
from sintra.rules.bits import bit, size
from sintra.rules.estimates import Estimate, FeatureTable
from sintra.rules.offer import Offer, fitting
from sintra.rules.piles import count, total

SLOTS: Final = 8
COLORS: Final = 5
ROUNDS: Final = 6
POINT: Final = 100
BYTE: Final = 255

# -- The numbers of the features, as offsets; sums are spelled out for the compiler --

LEFT: Final = 0
LEFT_SIZE: Final = 260
"""Features for each of 0 to 5 rounds left."""
STRIPS: Final = 0
"""((side * 5 + pieces) * 6 + points by groups) * 2 + whether it is in reach."""
GLAZIER: Final = 120
MARKER: Final = 128
FURNISHED: Final = 144
FINISHED: Final = 153
SIDE: Final = 162
"""Side A: pieces around an ornament. Side B: finished windows * 9 + pieces of the best color."""
COLORED: Final = 243
STARTS: Final = 249
REACHED: Final = 250
MOMENTS: Final = 1560
MOMENT_SIZE: Final = 100
"""Features for each of `moment` 1 to 6, from MOMENTS on."""
LACKS_ONE: Final = 0
"""A strip that lacks pieces of one color: (pieces - 1) * 8 + what is on offer * 2 + whose turn it is."""
LACKS_MORE: Final = 40
"""A strip that lacks several: (colors - 2) * 5 + pieces that it has."""
IN_REACH: Final = 60
HOMELESS: Final = 78
TURN: Final = 88
TILE: Final = 89
STARTING: Final = 90
TABLES: Final = (FeatureTable("rounds left", 0, 6, 260), FeatureTable("moments", 1560, 6, 100))

GROUPS: Final = [0, 0, 1, 1, 2, 2, 3, 3, 3, 4, 4, 4, 4]
"""Points for completing a strip, by groups; 13 and more are group 5."""
PICKS: Final = [0, 1, 1, 1, 2, 2, 2, 2, 3]
"""The moment of a round by the number of possible picks; 8 stands for more."""
HOMELESS_GROUPS: Final = [0, 1, 1, 2, 2, 3, 3, 3, 4]


@mypyc_attr(acyclic=True, free_list_len=1)
class Reckoning:
    """The estimates of all players in one position."""

    printed: Arrangement
    offer: Offer
    turn: i64
    """Who is to move; -1 between rounds."""
    starter: i64
    """Who starts the next round; -1 while the starting tile is in the center."""
    left: i64
    """Number of rounds after this one."""
    moment: i64
    color: i64
    """The color of the current round, or of the next one."""
    sizes: i64
    pile: i64

    def __init__(self, printed: Arrangement, offer: Offer, turn: i64, starter: i64, number: i64) -> None:
        self.printed = printed
        self.offer = offer
        self.left = ROUNDS - number
        self.turn = -1
        self.starter = starter
        self.moment = 0
        self.sizes = 0
        self.pile = 0
        at = number
        if offer.open:
            at -= 1
            self.turn = turn
            if offer.tile:
                self.starter = -1
            picks = size(offer.open)
            self.moment = PICKS[picks if picks < 8 else 8]
            if self.left == 0:
                self.moment += 3
            self.sizes = offer.sizes()
            self.pile = offer.pile()
        self.color = printed.indicator[at if at < ROUNDS else ROUNDS - 1]

    def of(self, palace: Palace, player: i64, side: i64, into: Estimate) -> i64:
        """Return a player's estimate, in hundredths of a point; `side` is the points for the side."""
        into.begin()
        points = palace.score + side
        points += self.printed.broken[palace.marker]
        points += self._count_strips(palace, player, into) // 3
        base = LEFT + self.left * LEFT_SIZE
        into.count(base + GLAZIER + palace.glazier)
        into.count(base + MARKER + (palace.marker if palace.marker < 15 else 15))
        into.count(base + FURNISHED + size(palace.furnished()))
        into.count(base + FINISHED + size(palace.finished()))
        self._count_side(palace, base + SIDE, into)
        if self.starter == player:
            into.count(base + STARTS)
        if self.moment:
            self._count_moment(palace, player, into)
        return POINT * points + into.total

    def _count_strips(self, palace: Palace, player: i64, into: Estimate) -> i64:
        """Count all strips that are left; return the pieces on them."""
        base = LEFT + self.left * LEFT_SIZE
        furnished = palace.furnished()
        finished = palace.finished()
        pieces: i64 = 0
        colored: i64 = 0
        reached: i64 = 0
        slot: i64 = 0
        while slot < SLOTS:
            if finished >> slot & 1 == 0:
                held = palace.held(slot)
                filled = total(held)
                pieces += filled
                scores: i64 = self.printed.sums[(furnished | bit(slot)) & -1 << slot]
                group: i64 = 5
                if scores < 13:
                    group = GROUPS[scores]
                in_reach: i64 = 0
                if slot >= palace.glazier:
                    in_reach = 1
                    reached += 1
                back = furnished >> slot & 1
                into.count(base + STRIPS + ((back * 5 + filled) * 6 + group) * 2 + in_reach)
                if filled >= 3:
                    colored += count(held, self.color)
                if self.moment and in_reach:
                    self._count_lacking(palace, slot, filled, player, into)
            slot += 1
        into.count(base + COLORED + (colored if colored < 5 else 5))
        into.count(base + REACHED + reached)
        return pieces

    def _count_lacking(self, palace: Palace, slot: i64, filled: i64, player: i64, into: Estimate) -> None:
        """Count what a strip lacks: one color, with how much of it is on offer, or several."""
        base = MOMENTS + (self.moment - 1) * MOMENT_SIZE
        empty = strip_at(palace.left, palace.right, slot)
        kinds: i64 = 0
        last: i64 = 0
        color: i64 = 0
        while color < COLORS:
            if digit(empty, color):
                kinds += 1
                last = color
            color += 1
        if kinds != 1:
            if kinds > 1:
                into.count(base + LACKS_MORE + (kinds - 2) * 5 + filled)
            return
        missing = digit(empty, last)
        at = base + LACKS_ONE + (missing - 1) * 8 + fitting(self.sizes >> last * 8 & BYTE, missing) * 2
        into.count(at + 1 if self.turn == player else at)

    def _count_side(self, palace: Palace, base: i64, into: Estimate) -> None:
        """Count ornaments (side A), or finished windows with the pieces of the best color (side B)."""
        furnished = palace.furnished()
        finished = palace.finished()
        if self.printed.chosen.side != 0:
            most = palace.most_of_a_color()
            into.count(base + size(finished) * 9 + (most if most < 8 else 8))
            return
        pair: i64 = 0
        while pair < SLOTS:
            into.count(base + size(furnished >> pair & 3) + size(finished >> pair & 3))
            pair += 2

    def _count_moment(self, palace: Palace, player: i64, into: Estimate) -> None:
        """Count what matters within a round: reach, pieces without a strip, starting tile and turn."""
        base = MOMENTS + (self.moment - 1) * MOMENT_SIZE
        homeless: i64 = 0
        reach: i64 = 0
        color: i64 = 0
        while color < COLORS:
            slots = palace.reached(color)
            reach |= slots
            if slots == 0:
                homeless += count(self.pile, color)
            color += 1
        mine: i64 = 0
        if self.turn == player:
            mine = 1
            into.count(base + TURN)
            if self.offer.tile:
                into.count(base + TILE)
        into.count(base + IN_REACH + size(reach) * 2 + mine)
        into.count(base + HOMELESS + HOMELESS_GROUPS[homeless if homeless < 8 else 8] * 2 + mine)
        if self.starter == player:
            into.count(base + STARTING)
