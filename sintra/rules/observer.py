"""Observers write what a learning program sees of a state into arrays: legal codes, and planes.

Compiled, the arrays are `vec`s, which numpy views without copying; interpreted, those of the standard
library. Only the learning interfaces may import this module: compiled, it needs the package librt.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from sintra._mypyc import i64, mypyc_attr, u8, vec
from sintra.rules.offer import ALL, COLORS, MAX_DISPLAYS, Offer
from sintra.rules.piles import of
from sintra.rules.state import CHOICE, State


def small_numbers(size: i64) -> vec[u8]:
    """Return an array of this many zeros, each a byte."""
    return vec[u8](bytes(size))


def words_of(numbers: Iterable[i64]) -> vec[i64]:
    """Return integers as an array of machine words, to be copied in one go."""
    return vec[i64](numbers)


def real_numbers(size: i64) -> vec[float]:
    """Return an array of this many zeros, each a float."""
    return vec[float]([0.0] * size)


@mypyc_attr(allow_interpreted_subclasses=True)
class Observer:
    """The observer of any game: knows which codes are legal. Games with planes derive from it."""

    def mark(self, state: State, into: vec[u8], at: i64) -> None:
        """Write 1 for each legal code; code 0 is at index `at`. The cells must hold zeros."""
        for code in state.legal():
            into[at + code] = u8(1)

    def lay_out(self, state: State, into: vec[u8], at: i64) -> None:
        """Write the planes that stay the same for a whole game; the first one begins at index `at`."""

    def paint(self, state: State, seat: i64, into: vec[u8], at: i64) -> None:
        """Write all other planes, as the player in a seat (from 0) sees them."""
        raise NotImplementedError


# -- Cells --


def clear(into: vec[u8], at: i64, cells: i64) -> None:
    """Write zeros."""
    end = at + cells
    while at < end:
        into[at] = u8(0)
        at += 1


def fill(into: vec[u8], at: i64, cells: i64, value: i64) -> None:
    """Write a number of 0 or more into a range of cells; what exceeds a byte counts as 255."""
    if value > 255:
        value = 255
    end = at + cells
    while at < end:
        into[at] = u8(value)
        at += 1


def mark_set(into: vec[u8], at: i64, bits: i64) -> None:
    """Write 1 for each number in a set, from an index on, into cells that hold zeros."""
    while bits:
        if bits & 1:
            into[at] = u8(1)
        at += 1
        bits >>= 1


def put(into: vec[u8], at: i64, value: i64) -> None:
    """Write a number of 0 to 255 into a cell."""
    into[at] = u8(value)


def pile_row(into: vec[u8], at: i64, pile: i64) -> None:
    """Write the number of pieces of each of five colors into five cells."""
    into[at] = u8(pile & 127)
    into[at + 1] = u8(pile >> 8 & 127)
    into[at + 2] = u8(pile >> 16 & 127)
    into[at + 3] = u8(pile >> 24 & 127)
    into[at + 4] = u8(pile >> 32 & 127)


def pile_rows(into: vec[u8], at: i64, rows: i64, pile: i64) -> None:
    """Write the number of pieces of each of five colors into every row."""
    while rows > 0:
        pile_row(into, at, pile)
        at += 5
        rows -= 1


def offer_rows(offer: Offer, into: vec[u8], at: i64) -> None:
    """Write the pieces of center and displays, ten rows of five colors, in the order of the codes."""
    pile_row(into, at, offer.center)
    source: i64 = 1
    while source <= MAX_DISPLAYS:
        at += COLORS
        if source <= offer.displays and offer.open >> source * COLORS & ALL:
            pile_row(into, at, offer.dealt[source])
        else:
            clear(into, at, COLORS)
        source += 1


def paint_supply(state: State, rows: i64, into: vec[u8], at: i64) -> None:
    """Write the starting tile, the hand, the bag and the tower: four planes with this many rows."""
    offer = state.offer
    cells = rows * COLORS
    fill(into, at, cells, 1 if offer.tile else 0)
    pile_rows(into, at + cells, rows, of(state.color, state.hand))
    pile_rows(into, at + 2 * cells, rows, offer.bag)
    pile_rows(into, at + 3 * cells, rows, offer.tower)


def paint_seat(state: State, seat: i64, cells: i64, into: vec[u8], at: i64) -> None:
    """Write if it is the turn of the player in a seat, and if they start the next round: two planes."""
    fill(into, at, cells, 1 if state.phase >= CHOICE and state.player == seat else 0)
    fill(into, at + cells, cells, 1 if state.starter == seat else 0)


# -- Faster when interpreted: arrays of the standard library, filled a slice at a time --


def _filled(into: array[int], at: int, cells: int, value: int) -> None:
    into[at : at + cells] = array("B", bytes([min(value, 255)]) * cells)


def _pile_rows(into: array[int], at: int, rows: int, pile: int) -> None:
    into[at : at + 5 * rows] = array("B", (pile & 0x7F7F7F7F7F).to_bytes(5, "little") * rows)


if __file__.endswith(".py"):
    globals().update(
        small_numbers=lambda size: array("B", bytes(size)),
        words_of=lambda numbers: array("q", bytes(numbers)),
        real_numbers=lambda size: array("d", bytes(8 * size)),
        clear=lambda into, at, cells: _filled(into, at, cells, 0),
        fill=_filled,
        pile_row=lambda into, at, pile: _pile_rows(into, at, 1, pile),
        pile_rows=_pile_rows,
    )
