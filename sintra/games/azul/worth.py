"""What a board is worth to its player: used by simple bots."""

from __future__ import annotations

from typing import Final

from sintra._mypyc import i64
from sintra.games.azul.arrangement import PrintedBoard
from sintra.games.azul.player import PlayerBoard, tile_points
from sintra.rules.bits import bit, lowest, size

SIZE: Final = 5
ALL: Final = 0b11111


def worth(board: PlayerBoard, printed: PrintedBoard) -> i64:
    """Return what a board is worth, in 20ths of a point.

    That is the points, less the floor; for every pattern line what its tile would score, in full for a full
    line and in part for one under way; and a little for rows, columns and colors that are filling up.
    """
    wall = board.copy()
    loss: i64 = printed.losses[board.floored]
    worth = 20 * (board.score - loss)
    begun = ALL & ~board.empty
    while begun:
        row = lowest(begun)
        begun &= begun - 1
        pieces = board.pieces_on(row)
        color = board.color_of(row)
        columns = board.columns_for(row, color, printed.spaces_for(row, color))
        if columns == 0:
            worth -= 40 * pieces
            continue
        points: i64 = -1
        column: i64 = 0
        while columns:
            there = lowest(columns)
            columns &= columns - 1
            scored = printed.multiplied(tile_points(wall.across, wall.down, row, there), row, there)
            if scored >= points:
                points = scored
                column = there
        if pieces > row:
            wall.hang(row, column, color)
            worth += 20 * points
        else:
            worth += 10 * points * pieces // (row + 1)
    return worth + growth(wall, printed)


def growth(wall: PlayerBoard, printed: PrintedBoard) -> i64:
    """Return part of the bonuses, by the square of how complete rows, columns and colors are.

    A row counts more than its bonus because it ends the game; one that can't be completed counts nothing.
    """
    growth: i64 = 0
    at: i64 = 0
    while at < SIZE:
        row = size(wall.across >> at * SIZE & ALL)
        column = size(wall.down >> at * SIZE & ALL)
        color = SIZE - size(wall.rows_without >> at * SIZE & ALL)
        if row <= 2 or not printed.free or completable(wall, printed, at):
            growth += (printed.row_bonus + 4) * row * row
        growth += printed.column_bonus * column * column + printed.color_bonus * color * color
        at += 1
    return 20 * growth // (SIZE * SIZE)


def completable(wall: PlayerBoard, printed: PrintedBoard, row: i64) -> bool:
    """Return True if every color that a row lacks still has a space there, and every space a color."""
    missing: i64 = 0
    fitting: i64 = 0
    columns: i64 = 0
    color: i64 = 0
    while color < SIZE:
        if wall.rows_without & bit(color * SIZE + row):
            missing += 1
            fits = wall.columns_for(row, color, printed.spaces_for(row, color))
            columns |= fits
            if fits:
                fitting += 1
        color += 1
    return fitting == missing and size(columns) == missing
