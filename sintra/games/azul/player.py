"""One player's board, packed into machine words.

Lines, rows, columns and colors are numbered from 0. Words hold

- **sets** of lines, rows or columns: bit n is number n (`sintra.rules.bits`);
- **five sets in a word**, one for each row, column or color: set n begins at bit 5n, so its member m is bit
  5n + m;
- **bytes**, one for each pattern line, or for each color (a pile, `sintra.rules.piles`);
- **nibbles**, four bits for each space of the wall or of the floor line: 0 for an empty space, else the color
  plus 1, and 6 for the starting tile.

Two red pieces (color 2) on line 2, for example, are the byte 2 * 8 + 2 in byte 2: `lines == 0x120000`.

Several words hold the same thing in different forms, so that each question takes one step; only the methods
here change them, together. The wall is in `upper` and `lower`, and again in `across`, `down`, `rows_without`,
`columns_without` and `rows`; the pattern lines are in `lines`, and again in `empty`, `full` and `begun`; the
floor line is in `floor`, and again in `floored` and `fallen`. Rulings are cited by number: see `rulings`.
"""

from __future__ import annotations

from typing import Any, Final

from sintra._mypyc import i64, mypyc_attr
from sintra.rules.bits import bit, size
from sintra.rules.keeping import reduced
from sintra.rules.keys import mixed
from sintra.rules.piles import of

SIZE: Final = 5
"""Rows and columns of the wall, pattern lines, and colors."""
ALL: Final = 0b11111
ALL_OF_ALL: Final = 0x1FFFFFF
FLOOR_SPACES: Final = 7
STARTING_TILE: Final = 6
"""The nibble that stands for the starting tile on a floor line."""
NIBBLE: Final = 15
SEVEN_NIBBLES: Final = 0x1111111
UPPER_ROWS: Final = 3
"""25 nibbles do not fit in a word: rows 0 to 2 are in `upper`, the others in `lower`."""
LINE: Final = 127
"""The mask of a pattern line's byte: its pieces in bits 0 to 2, their color above."""


def _run(tiles: int, at: int) -> int:
    """Return the length of the run that a tile at this place would be part of."""
    first = last = at
    while first > 0 and tiles >> first - 1 & 1:
        first -= 1
    while tiles >> last + 1 & 1:
        last += 1
    return last - first + 1


RUNS: Final = [_run(tiles, at) for tiles in range(ALL + 1) for at in range(SIZE)]
"""RUNS[tiles * 5 + place]: the run that a tile joins at a place of a row or column with these tiles."""


def tile_points(across: i64, down: i64, row: i64, column: i64) -> i64:
    """Return what a tile scores: the lengths of its horizontal and vertical runs longer than 1; or 1 (A5)."""
    horizontal: i64 = RUNS[(across >> row * SIZE & ALL) * SIZE + column]
    vertical: i64 = RUNS[(down >> column * SIZE & ALL) * SIZE + row]
    if horizontal == 1:
        return vertical
    return horizontal if vertical == 1 else horizontal + vertical


@mypyc_attr(acyclic=True, free_list_len=1)
class PlayerBoard:
    """One player's pattern lines, wall, floor line and score; empty at first."""

    score: i64 = 0
    lost: i64 = 0
    """Points lost for the floor line so far."""
    lines: i64 = 0
    """A byte for each pattern line: its pieces, and 8 * their color."""
    empty: i64 = ALL
    """The pattern lines without a piece."""
    full: i64 = 0
    """The pattern lines without a free space."""
    begun: i64 = 0
    """For each color, the pattern lines that hold some of it and have room for more."""
    upper: i64 = 0
    """The tiles of rows 0 to 2, a nibble for each space: space row * 5 + column."""
    lower: i64 = 0
    """The tiles of rows 3 and 4, likewise from space 0 on."""
    across: i64 = 0
    """For each row, the columns that have a tile there."""
    down: i64 = 0
    """For each column, the rows that have a tile there."""
    rows_without: i64 = ALL_OF_ALL
    """For each color, the rows of the wall that do not hold it."""
    columns_without: i64 = ALL_OF_ALL
    """For each color, the columns of the wall that do not hold it."""
    rows: i64 = 0
    """Number of complete rows of the wall."""
    floor: i64 = 0
    """What lies on the floor line from left to right, a nibble for each space."""
    floored: i64 = 0
    """Number of taken spaces of the floor line."""
    fallen: i64 = 0
    """The pieces on the floor line as a pile."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make it again, for pickle and deepcopy."""
        return reduced(self)

    def become(self, other: PlayerBoard) -> None:
        """Become equal to another board."""
        self.score = other.score
        self.lost = other.lost
        self.lines = other.lines
        self.empty = other.empty
        self.full = other.full
        self.begun = other.begun
        self.upper = other.upper
        self.lower = other.lower
        self.across = other.across
        self.down = other.down
        self.rows_without = other.rows_without
        self.columns_without = other.columns_without
        self.rows = other.rows
        self.floor = other.floor
        self.floored = other.floored
        self.fallen = other.fallen

    def copy(self) -> PlayerBoard:
        """Return an independent copy."""
        twin = PlayerBoard()
        twin.become(self)
        return twin

    def key(self, key: i64) -> i64:
        """Return a key with this board mixed in: everything on it, and the score."""
        key = mixed(mixed(key, self.upper), self.lower)
        return mixed(mixed(key, self.lines), self.score << 28 | self.floor)

    def plain_key(self, key: i64) -> i64:
        """Return a key with wall and lines mixed in, but neither floor nor score."""
        return mixed(mixed(mixed(key, self.upper), self.lower), self.lines)

    # -- Pattern lines --

    def pieces_on(self, line: i64) -> i64:
        """Return the number of pieces on a pattern line; line n has n + 1 spaces."""
        return self.lines >> line * 8 & 7

    def color_of(self, line: i64) -> i64:
        """Return the color on a pattern line that has a piece."""
        return self.lines >> line * 8 + 3 & 7

    def lines_for(self, color: i64) -> i64:
        """Return the lines that take a color: begun with it, or empty and beside a row without it (A3)."""
        of_color = color * SIZE
        return (self.begun >> of_color | self.empty & self.rows_without >> of_color) & ALL

    def fill(self, line: i64, color: i64, pieces: i64) -> i64:
        """Put as many pieces as fit on a line that takes their color; return how many fit."""
        room = line + 1 - (self.lines >> line * 8 & 7)
        if pieces > room:
            pieces = room
        here = bit(line)
        if self.empty & here:
            self.empty -= here
            self.lines += of(line, color << 3 | pieces)
        else:
            self.lines += of(line, pieces)
        if pieces == room:
            self.full |= here
            self.begun &= ~(here << color * SIZE)
        else:
            self.begun |= here << color * SIZE
        return pieces

    def clear(self, line: i64) -> None:
        """Take all pieces off a full line."""
        here = bit(line)
        self.lines &= ~of(line, LINE)
        self.empty |= here
        self.full &= ~here

    # -- The wall --

    def tile_at(self, row: i64, column: i64) -> i64:
        """Return the tile on a space of the wall as its color + 1, or 0."""
        if row < UPPER_ROWS:
            return self.upper >> (row * SIZE + column) * 4 & NIBBLE
        return self.lower >> ((row - UPPER_ROWS) * SIZE + column) * 4 & NIBBLE

    def columns_for(self, row: i64, color: i64, spaces: i64) -> i64:
        """Return which of these spaces of a row are empty, with the color in neither row nor column (A4)."""
        if self.rows_without >> color * SIZE + row & 1 == 0:
            return 0
        return spaces & ~(self.across >> row * SIZE) & self.columns_without >> color * SIZE

    def hang(self, row: i64, column: i64, color: i64) -> i64:
        """Put a tile on the wall; return what it scores (A5)."""
        points = tile_points(self.across, self.down, row, column)
        if row < UPPER_ROWS:
            self.upper |= color + 1 << (row * SIZE + column) * 4
        else:
            self.lower |= color + 1 << ((row - UPPER_ROWS) * SIZE + column) * 4
        in_row = bit(row)
        in_column = bit(column)
        self.across |= in_column << row * SIZE
        self.down |= in_row << column * SIZE
        self.rows_without &= ~(in_row << color * SIZE)
        self.columns_without &= ~(in_column << color * SIZE)
        if self.across >> row * SIZE & ALL == ALL:
            self.rows += 1
        return points

    def full_columns(self) -> i64:
        """Return how many columns of the wall are complete."""
        return complete(self.down)

    def full_colors(self) -> i64:
        """Return the number of colors of which all five pieces are on the wall."""
        return complete(ALL_OF_ALL - self.rows_without)

    # -- The floor line --

    def drop(self, color: i64, pieces: i64) -> None:
        """Lay pieces on the next spaces of the floor line, which must be free."""
        nibbles = (color + 1) * (SEVEN_NIBBLES >> (FLOOR_SPACES - pieces) * 4)
        self.floor |= nibbles << self.floored * 4
        self.floored += pieces
        self.fallen += of(color, pieces)

    def drop_starting_tile(self) -> None:
        """Lay the starting tile on the next space of the floor line; on a full one it takes no space (A2)."""
        if self.floored < FLOOR_SPACES:
            self.floor |= STARTING_TILE << self.floored * 4
            self.floored += 1

    def clear_floor(self) -> i64:
        """Take everything off the floor line; return the pieces as a pile."""
        fallen = self.fallen
        self.floor = 0
        self.floored = 0
        self.fallen = 0
        return fallen

    # -- Everything --

    def pieces(self) -> i64:
        """Return all pieces on the board as a pile."""
        pile = self.fallen
        for at in range(SIZE):
            pile += of(self.color_of(at), self.pieces_on(at))
            pile += of(at, SIZE - size(self.rows_without >> at * SIZE & ALL))
        return pile


def complete(sets: i64) -> i64:
    """Return how many of five sets are complete."""
    found: i64 = 0
    while sets:
        if sets & ALL == ALL:
            found += 1
        sets >>= SIZE
    return found
