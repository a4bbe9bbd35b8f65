"""Fills the planes of Azul and Crystal Mosaic, in the order of `planes`."""

from __future__ import annotations

from typing import Final

from sintra._mypyc import i64, u8, vec
from sintra.games.azul.arrangement import PrintedBoard
from sintra.games.azul.codes import PLACING, TILING
from sintra.games.azul.player import NIBBLE, PlayerBoard
from sintra.games.azul.rules import AzulState
from sintra.rules.bits import lowest
from sintra.rules.observer import (
    Observer,
    clear,
    fill,
    mark_set,
    offer_rows,
    paint_seat,
    paint_supply,
    pile_rows,
    put,
)
from sintra.rules.state import State

SIZE: Final = 5
CELLS: Final = 25
"""Cells of a plane, which are the spaces of a wall."""
PRINTED: Final = 9
"""The first plane of what is printed."""
TABLE: Final = 15
"""Planes of the table."""
OWN: Final = 12
"""Planes of a player."""


class AzulObserver(Observer):
    """Writes what a learner sees of Azul and Crystal Mosaic."""

    def mark(self, state: State, into: vec[u8], at: i64) -> None:
        """Write 1 for each legal code."""
        assert isinstance(state, AzulState)
        mark_set(into, at + state.first_code(), state.choices())

    def lay_out(self, state: State, into: vec[u8], at: i64) -> None:
        """Write what is printed on the boards."""
        assert isinstance(state, AzulState)
        paint_printed(state.printed, into, at + PRINTED * CELLS)

    def paint(self, state: State, seat: i64, into: vec[u8], at: i64) -> None:
        """Write all other planes, as seen from a seat."""
        assert isinstance(state, AzulState)
        offer_rows(state.offer, into, at)
        paint_table(state, into, at + 2 * CELLS)
        at += TABLE * CELLS
        left = state.seats
        while left > 0:
            paint_seat(state, seat, CELLS, into, at)
            board = state.boards[seat]
            paint_board(board, into, at + 2 * CELLS)
            fill(into, at + 10 * CELLS, CELLS, state.printed.losses[board.floored])
            at += OWN * CELLS
            seat += 1
            if seat == state.seats:
                seat = 0
            left -= 1


def paint_table(state: AzulState, into: vec[u8], at: i64) -> None:
    """Write the starting tile, hand, bag, lid, phase and round."""
    phase = state.phase
    paint_supply(state, SIZE, into, at)
    fill(into, at + 4 * CELLS, CELLS, 1 if phase == PLACING else 0)
    clear(into, at + 5 * CELLS, CELLS)
    if phase == TILING:
        fill(into, at + 5 * CELLS + lowest(state.boards[state.player].full) * SIZE, SIZE, 1)
    fill(into, at + 6 * CELLS, CELLS, state.round)


def paint_printed(printed: PrintedBoard, into: vec[u8], at: i64) -> None:
    """Write where each color may go, and what the spaces multiply by; nothing while that is unknown."""
    clear(into, at, 6 * CELLS)
    if not printed.spaces:
        return
    row: i64 = 0
    while row < SIZE:
        color: i64 = 0
        while color < SIZE:
            mark_set(into, at + color * CELLS + row * SIZE, printed.spaces_for(row, color))
            color += 1
        column: i64 = 0
        while column < SIZE:
            put(into, at + SIZE * CELLS + row * SIZE + column, printed.multiplied(1, row, column))
            column += 1
        row += 1


def paint_board(board: PlayerBoard, into: vec[u8], at: i64) -> None:
    """Write a player's lines, wall, floor line and score, but not the loss."""
    clear(into, at, 6 * CELLS)
    line: i64 = 0
    while line < SIZE:
        pieces = board.pieces_on(line)
        if pieces:
            put(into, at + line * SIZE + board.color_of(line), pieces)
        line += 1
    paint_wall(board.upper, into, at)
    paint_wall(board.lower, into, at + 3 * SIZE)
    pile_rows(into, at + 6 * CELLS, SIZE, board.fallen)
    fill(into, at + 7 * CELLS, CELLS, board.floored)
    fill(into, at + 9 * CELLS, CELLS, board.score)


def paint_wall(tiles: i64, into: vec[u8], at: i64) -> None:
    """Write some rows of a wall, in the plane of each tile's color; the one for color 0 follows `at`."""
    while tiles:
        tile = tiles & NIBBLE
        if tile:
            put(into, at + tile * CELLS, 1)
        tiles >>= 4
        at += 1


OBSERVER: Final = AzulObserver()
