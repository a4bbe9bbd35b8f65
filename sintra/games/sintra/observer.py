"""Fills the planes of Stained Glass of Sintra, in the order of `planes`."""

from __future__ import annotations

from typing import Final

from sintra._mypyc import i64, u8, vec
from sintra.games.sintra.arrangement import Arrangement
from sintra.games.sintra.boards import ROUNDS
from sintra.games.sintra.codes import KEEPING, PLACING, RETURN, RETURN_BIT
from sintra.games.sintra.options import SIDE_A
from sintra.games.sintra.player import BOTTOM, Palace, Strips, digit, pile_of, strip_at
from sintra.games.sintra.rules import SintraState
from sintra.rules.observer import (
    Observer,
    clear,
    fill,
    mark_set,
    offer_rows,
    paint_seat,
    paint_supply,
    pile_row,
    pile_rows,
    put,
)
from sintra.rules.piles import of
from sintra.rules.state import State

COLORS: Final = 5
SLOTS: Final = 8
CELLS: Final = 40
"""Cells of a plane: a row for each slot, a column for each color."""
TABLE: Final = 14
"""Planes of the table."""
OWN: Final = 16
"""Planes of a player."""


class SintraObserver(Observer):
    """Writes what a learner sees of Sintra."""

    def mark(self, state: State, into: vec[u8], at: i64) -> None:
        """Write 1 for each legal code."""
        assert isinstance(state, SintraState)
        choices = state.choices()
        if choices & RETURN_BIT:
            put(into, at + RETURN, 1)
            choices -= RETURN_BIT
        mark_set(into, at + state.first_code(), choices)

    def lay_out(self, state: State, into: vec[u8], at: i64) -> None:
        """Write the round indicator, the windows and the options."""
        assert isinstance(state, SintraState)
        paint_printed(state.printed, into, at + 9 * CELLS)

    def paint(self, state: State, seat: i64, into: vec[u8], at: i64) -> None:
        """Write all other planes, as seen from a seat."""
        assert isinstance(state, SintraState)
        clear(into, at + CELLS, CELLS)
        offer_rows(state.offer, into, at)
        paint_table(state, into, at + 2 * CELLS)
        at += TABLE * CELLS
        left = state.seats
        while left > 0:
            paint_seat(state, seat, CELLS, into, at)
            palace = state.palaces[seat]
            paint_strips(palace, into, at + 2 * CELLS)
            paint_markers(palace, state.printed, into, at + 10 * CELLS)
            at += OWN * CELLS
            seat += 1
            if seat == state.seats:
                seat = 0
            left -= 1


def paint_table(state: SintraState, into: vec[u8], at: i64) -> None:
    """Write the starting tile, hand, bag, tower, phase, round, and the color of the round."""
    paint_supply(state, SLOTS, into, at)
    fill(into, at + 4 * CELLS, CELLS, 1 if state.phase == PLACING else 0)
    fill(into, at + 5 * CELLS, CELLS, 1 if state.phase == KEEPING else 0)
    fill(into, at + 6 * CELLS, CELLS, state.round)
    now: i64 = 0
    if state.round > 0:
        now = of(state.printed.indicator[state.round - 1], 1)
    pile_rows(into, at + 8 * CELLS, SLOTS, now)


def paint_printed(printed: Arrangement, into: vec[u8], at: i64) -> None:
    """Write the round indicator, the windows and the options; nothing while they are unknown.

    The color of the round, between indicator and windows, is skipped.
    """
    clear(into, at, CELLS)
    clear(into, at + 2 * CELLS, CELLS)
    fill(into, at + 3 * CELLS, CELLS, 0 if printed.chosen.side == SIDE_A else 1)
    fill(into, at + 4 * CELLS, CELLS, 1 if printed.chosen.floor_at_zero else 0)
    if not printed.indicator:
        return
    row: i64 = 0
    while row < ROUNDS:
        put(into, at + row * COLORS + printed.indicator[row], 1)
        row += 1
    row = 0
    while row < SLOTS:
        fill(into, at + 2 * CELLS + row * COLORS, COLORS, printed.windows[row])
        row += 1


def paint_strips(palace: Palace, into: vec[u8], at: i64) -> None:
    """Write a player's strips, windows and glazier: nine planes, row by row."""
    clear(into, at, 9 * CELLS)
    strips = palace.strips
    slot: i64 = 0
    while slot < SLOTS:
        top = digit(palace.panes, slot)
        bottom = digit(palace.panes >> BOTTOM, slot)
        if top == 0:
            paint_back(strips, slot, into, at + 3 * CELLS)
        else:
            put(into, at + 5 * CELLS + top - 1, 1)
        if bottom == 0:
            pile_row(into, at, pile_of(strip_at(palace.left, palace.right, slot)))
            pile_row(into, at + CELLS, palace.held(slot))
            fill(into, at + 2 * CELLS, COLORS, palace.free(slot))
            fill(into, at + 7 * CELLS, COLORS, 1)
        else:
            put(into, at + 6 * CELLS + bottom - 1, 1)
        if slot == palace.glazier:
            fill(into, at + 8 * CELLS, COLORS, 1)
        at += COLORS
        slot += 1


def paint_back(strips: Strips, slot: i64, into: vec[u8], at: i64) -> None:
    """Write the side of a strip that faces down: its colored spaces, and in the next plane its jokers."""
    pile_row(into, at, pile_of(strip_at(strips.down_left, strips.down_right, slot)))
    if slot == strips.joker_slot and strips.down_takes:
        fill(into, at + CELLS, COLORS, 2)


def paint_markers(palace: Palace, printed: Arrangement, into: vec[u8], at: i64) -> None:
    """Write a player's marker, losses and score; the glazier comes before them."""
    score = palace.score
    debt: i64 = 0
    if score < 0:
        debt = -score
        score = 0
    loss: i64 = 0
    if printed.broken:
        loss = -printed.broken[palace.marker]
    fill(into, at + CELLS, CELLS, palace.marker)
    fill(into, at + 2 * CELLS, CELLS, loss)
    fill(into, at + 3 * CELLS, CELLS, palace.lost)
    fill(into, at + 4 * CELLS, CELLS, score)
    fill(into, at + 5 * CELLS, CELLS, debt)


OBSERVER: Final = SintraObserver()
