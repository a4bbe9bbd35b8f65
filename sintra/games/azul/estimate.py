"""Estimates of a board's final points: the features that `strong` has learned to weigh.

An estimate is what the player would score if the round ended now, plus the weights of the features below.
Full lines are tiled first, each where it scores most. Features are numbered from 0:

    rows and columns   which of its spaces are tiled (32 patterns), for each of the five
    for each `need`    tiles in each row, in each column, of each color; every line under way by its row, its
                       pieces and the points of its space, and whether it completes a row, column or color;
                       who starts the next round
    for each `moment`  every line by row and pieces, every line under way by what is on offer for it, pieces
                       on the floor, pieces on offer without a line, the starting tile, whose turn it is

`need` is how many tiles the fullest row of all players lacks, and so how many rounds the game still takes at
least. `moment` is 0 between rounds; within a round it is 1 to 3 by how many picks there are, and 4 to 6
likewise in a round that is the last one for certain.
"""

from __future__ import annotations

from typing import Final

from sintra._mypyc import i64, mypyc_attr
from sintra.games.azul.arrangement import PrintedBoard
from sintra.games.azul.player import PlayerBoard, tile_points
from sintra.rules.bits import bit, lowest, size
from sintra.rules.estimates import Estimate, FeatureTable, Known
from sintra.rules.keys import mixed
from sintra.rules.offer import Offer, fitting
from sintra.rules.piles import count

SIZE: Final = 5
ALL: Final = 0b11111
POINT: Final = 100
BYTE: Final = 255

# -- The numbers of the features, as offsets; sums are spelled out for the compiler --

ROW_PATTERNS: Final = 0
COLUMN_PATTERNS: Final = 160
NEEDS: Final = 320
NEED_SIZE: Final = 170
"""Features for each of the six values of `need`, from NEEDS on."""
ROWS: Final = 0
COLUMNS: Final = 30
COLORS: Final = 60
LINES: Final = 66
"""Which of ten lines under way, * 7 + its points, by groups."""
LAST_ONES: Final = 136
"""Which of ten, * 3 + (completes the row, the column, the color)."""
STARTS: Final = 166
MOMENTS: Final = 1340
MOMENT_SIZE: Final = 128
"""Features for each of `moment` 1 to 6, from MOMENTS on."""
FILLED: Final = 0
"""A line with pieces: row * 5 + pieces - 1."""
OFFERED: Final = 25
"""Which of ten, * 8 + what is on offer * 2 + whether it is the player's turn."""
FLOOR: Final = 105
HOMELESS: Final = 113
TILE: Final = 118
TURN: Final = 119
STARTING: Final = 120

TABLES: Final = (
    FeatureTable("row patterns", 0, 5, 32),
    FeatureTable("column patterns", 160, 5, 32),
    FeatureTable("needs", 320, 6, 170),
    FeatureTable("moments", 1340, 6, 128),
)

GROUPS: Final = [0, 1, 2, 3, 4, 5, 5, 6, 6, 6, 6]
"""Points of a space, by groups: index of points up to 10."""
PICKS: Final = [0, 1, 1, 1, 2, 2, 2, 2, 3]
"""The moment of a round by the number of possible picks; 8 stands for more."""
HOMELESS_GROUPS: Final = [0, 1, 1, 2, 2, 3, 3, 3, 4]


def need_of(boards: list[PlayerBoard]) -> i64:
    """Return how many tiles the fullest row of all boards lacks, once full lines are tiled."""
    most: i64 = 0
    for board in boards:
        across = board.across
        full = board.full
        while across or full:
            tiles = size(across & ALL) + (full & 1)
            if tiles > most:
                most = tiles
            across >>= SIZE
            full >>= 1
    return SIZE - most


def best_column(wall: PlayerBoard, printed: PrintedBoard, row: i64, color: i64) -> i64:
    """Return where a color scores most in a row, or -1 if there is no space for it."""
    columns = wall.columns_for(row, color, printed.spaces_for(row, color))
    if columns & columns - 1 == 0:
        return lowest(columns)
    best: i64 = -1
    most: i64 = -1
    while columns:
        column = lowest(columns)
        columns &= columns - 1
        points = printed.multiplied(tile_points(wall.across, wall.down, row, column), row, column)
        if points > most:
            most = points
            best = column
    return best


@mypyc_attr(acyclic=True, free_list_len=1)
class Reckoning:
    """The estimates of all players in one position."""

    boards: list[PlayerBoard]
    printed: PrintedBoard
    offer: Offer
    turn: i64
    """Who is to move; -1 between rounds."""
    starter: i64
    """Who starts the next round; -1 while the starting tile is in the center."""
    need: i64
    moment: i64
    sizes: i64
    pile: i64
    into: Estimate

    def __init__(
        self, boards: list[PlayerBoard], printed: PrintedBoard, offer: Offer, turn: i64, starter: i64
    ) -> None:
        self.boards = boards
        self.printed = printed
        self.offer = offer
        self.need = need_of(boards)
        self.turn = -1
        self.starter = starter
        self.moment = 0
        self.sizes = 0
        self.pile = 0
        if offer.open:
            self.turn = turn
            if offer.tile:
                self.starter = -1
            picks = size(offer.open)
            self.moment = PICKS[picks if picks < 8 else 8]
            if self.need == 0:
                self.moment += 3
            self.sizes = offer.sizes()
            self.pile = offer.pile()

    def of(self, player: i64, into: Estimate) -> i64:
        """Return a player's estimate, in hundredths of a point."""
        board = self.boards[player]
        into.begin()
        key = board.plain_key(mixed(self.printed.key, self.need * 8 + self.moment + 1))
        known = into.known(key)
        if known.key != key:
            self._find_out(board, known, into)
            known.key = key
        else:
            into.total = known.total
        points = board.score + known.points - self.printed.losses[board.floored]
        if points < 0:
            points = 0
        if self.need == 0:
            points += known.bonus
        if self.need or self.moment:
            if self.starter == player:
                into.count(NEEDS + self.need * NEED_SIZE + STARTS)
            if self.moment:
                self._count_offered(board, known.lines, player, into)
                self._count_moment(board, player, into)
        return POINT * points + into.total

    def _find_out(self, board: PlayerBoard, known: Known, into: Estimate) -> None:
        """Count what does not depend on the offer, and store it."""
        printed = self.printed
        wall = board.copy()
        known.points = self._tile(wall)
        known.bonus = wall.rows * printed.row_bonus
        known.bonus += wall.full_columns() * printed.column_bonus + wall.full_colors() * printed.color_bonus
        known.lines = 0
        if self.need or self.moment:
            self._count_wall(wall, into)
            known.lines = self._count_lines(wall, into)
            if self.moment:
                self._count_filled(board, into)
        known.total = into.total

    def _tile(self, wall: PlayerBoard) -> i64:
        """Tile all full lines, each where it scores most; return the points."""
        points: i64 = 0
        while wall.full:
            row = lowest(wall.full)
            color = wall.color_of(row)
            column = best_column(wall, self.printed, row, color)
            if column >= 0:
                points += self.printed.multiplied(wall.hang(row, column, color), row, column)
            wall.clear(row)
        return points

    def _count_wall(self, wall: PlayerBoard, into: Estimate) -> None:
        """Count patterns and tiles of rows, columns and colors."""
        base = NEEDS + self.need * NEED_SIZE
        at: i64 = 0
        while at < SIZE:
            row = wall.across >> at * SIZE & ALL
            column = wall.down >> at * SIZE & ALL
            into.count(ROW_PATTERNS + at * 32 + row)
            into.count(COLUMN_PATTERNS + at * 32 + column)
            into.count(base + ROWS + at * 6 + size(row))
            into.count(base + COLUMNS + at * 6 + size(column))
            into.count(base + COLORS + SIZE - size(wall.rows_without >> at * SIZE & ALL))
            at += 1

    def _count_lines(self, wall: PlayerBoard, into: Estimate) -> i64:
        """Count the lines under way by row and pieces, with what they would score and complete.

        Return those whose piece has a place on the wall.
        """
        base = NEEDS + self.need * NEED_SIZE
        begun = ALL & ~wall.empty
        placed = begun
        while begun:
            row = lowest(begun)
            begun &= begun - 1
            color = wall.color_of(row)
            which = row * (row - 1) // 2 + wall.pieces_on(row) - 1
            column = best_column(wall, self.printed, row, color)
            if column < 0:
                into.count(base + LINES + which * 7)
                placed &= ~bit(row)
                continue
            points = tile_points(wall.across, wall.down, row, column)
            into.count(base + LINES + which * 7 + GROUPS[points])
            last = base + LAST_ONES + which * 3
            if size(wall.across >> row * SIZE & ALL) == 4:
                into.count(last)
            if size(wall.down >> column * SIZE & ALL) == 4:
                into.count(last + 1)
            if size(wall.rows_without >> color * SIZE & ALL) == 1:
                into.count(last + 2)
        return placed

    def _count_filled(self, board: PlayerBoard, into: Estimate) -> None:
        """Count all lines with pieces."""
        base = MOMENTS + (self.moment - 1) * MOMENT_SIZE + FILLED
        row: i64 = 0
        while row < SIZE:
            pieces = board.pieces_on(row)
            if pieces:
                into.count(base + row * SIZE + pieces - 1)
            row += 1

    def _count_offered(self, board: PlayerBoard, lines: i64, player: i64, into: Estimate) -> None:
        """Count lines under way by what is on offer for them."""
        base = MOMENTS + (self.moment - 1) * MOMENT_SIZE + OFFERED
        if self.turn == player:
            base += 1
        while lines:
            row = lowest(lines)
            lines &= lines - 1
            pieces = board.pieces_on(row)
            offered = fitting(self.sizes >> board.color_of(row) * 8 & BYTE, row + 1 - pieces)
            into.count(base + (row * (row - 1) // 2 + pieces - 1) * 8 + offered * 2)

    def _count_moment(self, board: PlayerBoard, player: i64, into: Estimate) -> None:
        """Count what matters within a round: floor, pieces without a line, starting tile and turn."""
        base = MOMENTS + (self.moment - 1) * MOMENT_SIZE
        into.count(base + FLOOR + board.floored)
        homeless = self._homeless(board)
        into.count(base + HOMELESS + HOMELESS_GROUPS[homeless if homeless < 8 else 8])
        if self.turn == player:
            into.count(base + TURN)
            if self.offer.tile:
                into.count(base + TILE)
        if self.starter == player:
            into.count(base + STARTING)

    def _homeless(self, board: PlayerBoard) -> i64:
        """Return how many pieces on offer have a color that no line of the board takes."""
        homeless: i64 = 0
        color: i64 = 0
        while color < SIZE:
            if board.lines_for(color) == 0:
                homeless += count(self.pile, color)
            color += 1
        return homeless
