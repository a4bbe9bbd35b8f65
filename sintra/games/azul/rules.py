"""Azul and Crystal Mosaic, 2 to 4 players, in the order of Azul's rulebook.

    Setup                       AzulRules.arrange, AzulState.arrange
    A. The factory offer        deal (a round begins), _pick, _place, _drop
    B. Tiling the walls         _start_tiling, _tile, _next_tiling, _count_floor
    C. Preparing the next round end_round
    End of the game             finish, winners, worth
    What a player may do        legal, allows, why_not
    The table as a value        value, breakdown, census

All boards are played by the same code; they differ by what is printed on them (`sintra.components.azul`):
which spaces of the wall show a color and which are free, what a printed space multiplies by, floor and
bonuses. On a wall that is printed all over, tiles have only one place to go, and tiling is computed;
on a wall with free spaces the players choose.

The codes of the steps (see `STEPS`):

    0-49   pick SOURCE COLOR    source * 5 + color, source 0 being the center
    50     place floor
    51-55  place N              50 + N
    56-80  tile ROW COLUMN      56 + (ROW - 1) * 5 + COLUMN - 1

Colors are numbered in the order blue, yellow, red, black, teal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from sintra._mypyc import i64, mypyc_attr
from sintra.errors import UsageError
from sintra.games.azul import boards, events
from sintra.games.azul.boards import COLORS, FLOOR_SPACES, SIZE, Board
from sintra.games.azul.events import AzulArranged
from sintra.games.azul.rulings import AZUL, CRYSTAL
from sintra.games.azul.snapshot import AzulSnapshot, BoardSnapshot, LineSnapshot
from sintra.log import codec
from sintra.log.events import OptionValue
from sintra.rules.chance import Chance
from sintra.rules.effects import COMMON_EFFECTS, Effect
from sintra.rules.offer import PICK_CODES, pick_steps
from sintra.rules.piles import named
from sintra.rules.printed import Printed
from sintra.rules.refusals import why_no_pick
from sintra.rules.ruleset import Misfit, Option, RuleSet
from sintra.rules.rulings import EVERY_GAME, Ruling
from sintra.rules.state import CHOICE, DEAL, GAME_END, OVER, ROUND_END, State
from sintra.rules.steps import Step
from sintra.text import pieces

PICKING: Final = CHOICE
PLACING: Final = CHOICE + 1
TILING: Final = CHOICE + 2

PLACE: Final = PICK_CODES
TILE: Final = PLACE + 1 + SIZE

STARTING_TILE: Final = 5
"""What stands for the starting tile on a floor line, where colors are numbers."""
FREE: Final = -1
"""A space of a wall on which any color may go."""

# Where points come from: indices of PlayerBoard.gained
TILES: Final = 0
FLOOR: Final = 1
ROWS: Final = 2
COLUMNS: Final = 3
SETS: Final = 4
SOURCES: Final = ("tiles", "floor", "rows", "columns", "colors")

# What the rules do by themselves: indices of EFFECTS
FILLED: Final = 4
FELL: Final = 5
DISCARDED: Final = 6
TILED: Final = 7
UNTILED: Final = 8
FLOOR_LOST: Final = 9
ROWS_SCORED: Final = 10
COLUMNS_SCORED: Final = 11
SETS_SCORED: Final = 12

EFFECTS = (
    *COMMON_EFFECTS,
    Effect("filled", ("line", "pieces")),
    Effect("fell", ("pieces",)),
    Effect("discarded", ("pieces",)),
    Effect("tiled", ("row", "column", "points")),
    Effect("untiled", ("line", "pieces")),
    Effect("floor_lost", ("points",)),
    Effect("rows_scored", ("rows", "points")),
    Effect("columns_scored", ("columns", "points")),
    Effect("colors_scored", ("colors", "points")),
)


def _steps() -> tuple[Step, ...]:
    """Every step of the game, in the order of the codes."""
    steps = pick_steps(COLORS)
    steps.append(Step("place floor", events.PlacedInLine, (("line", 0),)))
    steps += [Step(f"place {line}", events.PlacedInLine, (("line", line),)) for line in range(1, SIZE + 1)]
    steps += [
        Step(f"tile {row} {column}", events.Tiled, (("row", row), ("column", column)))
        for row in range(1, SIZE + 1)
        for column in range(1, SIZE + 1)
    ]
    return tuple(steps)


STEPS: Final = _steps()

# Sets of five lines, rows or columns as bits, and what they stand for
SETS_OF_FIVE: Final = 1 << SIZE
ALL: Final = SETS_OF_FIVE - 1
ALL_OF_ALL: Final = (1 << SIZE * SIZE) - 1


def _members(bits: int) -> list[int]:
    """The members of a set."""
    return [member for member in range(SIZE) if bits >> member & 1]


def _run(bits: int, at: int) -> int:
    """How long a run of members is with one at this place, as it is there or comes there."""
    first = last = at
    while first > 0 and bits >> first - 1 & 1:
        first -= 1
    while bits >> last + 1 & 1:
        last += 1
    return last - first + 1


COLUMNS_OF: Final = [_members(bits) for bits in range(SETS_OF_FIVE)]
PLACES: Final = [[PLACE, *(PLACE + 1 + line for line in _members(bits))] for bits in range(SETS_OF_FIVE)]
"""The codes of placing, by the lines that take the color."""
TILINGS: Final = [
    [TILE + row * SIZE + column for column in _members(bits)]
    for row in range(SIZE)
    for bits in range(SETS_OF_FIVE)
]
"""The codes of tiling, by row * 32 and the columns that take the color."""
RUNS: Final = [_run(bits, at) for bits in range(SETS_OF_FIVE) for at in range(SIZE)]
"""The run around a tile, by the tiles of its row * 5, and its column; the same for columns."""


# -- Setup -----------------------------------------------------------------------------------


class PlayerBoard:
    """One player's pattern lines, wall, floor line and score.

    A set of lines, rows or columns is a number of five bits. Five such sets, one for each color, row or
    column, are a number of 25 bits: set n begins at bit n * 5.
    """

    score: i64
    color: list[int]
    """The color on each pattern line, where there is a piece on it."""
    filled: list[int]
    """Pieces on each pattern line; the first line has one space, the last one five."""
    empty: i64
    """The pattern lines without a piece."""
    begun: i64
    """For each color: the pattern lines that hold some of it, and have room for more."""
    wall: list[int]
    """wall[row * 5 + column]: the piece there, as color + 1."""
    across: i64
    """For each row: the columns that have a tile there."""
    down: i64
    """For each column: the rows that have a tile there."""
    rows_without: i64
    """For each color: the rows of the wall that do not hold it."""
    columns_without: i64
    """For each color: the columns of the wall that do not hold it."""
    rows: i64
    """How many horizontal lines of the wall are complete."""
    floor: list[int]
    """What lies on the floor line, left to right: colors, or the starting tile."""
    gained: list[int]
    """Points by where they came from; they add up to the score."""

    def __init__(self, like: PlayerBoard | None = None) -> None:
        """An empty board; or one like another."""
        if like is None:
            self.score = 0
            self.color = [0] * SIZE
            self.filled = [0] * SIZE
            self.empty = ALL
            self.begun = 0
            self.wall = [0] * (SIZE * SIZE)
            self.across = 0
            self.down = 0
            self.rows_without = ALL_OF_ALL
            self.columns_without = ALL_OF_ALL
            self.rows = 0
            self.floor = []
            self.gained = [0] * len(SOURCES)
        else:
            self.score = like.score
            self.color = like.color[:]
            self.filled = like.filled[:]
            self.empty = like.empty
            self.begun = like.begun
            self.wall = like.wall[:]
            self.across = like.across
            self.down = like.down
            self.rows_without = like.rows_without
            self.columns_without = like.columns_without
            self.rows = like.rows
            self.floor = like.floor[:]
            self.gained = like.gained[:]

    def lines_for(self, color: i64) -> i64:
        """The lines that take a color: begun with it, or empty beside a row that does not hold it (A3)."""
        of_color = color * SIZE
        return (self.begun >> of_color | self.empty & (self.rows_without >> of_color)) & ALL

    def fill(self, line: i64, color: i64, pieces: i64) -> None:
        """Put so many pieces more on a line."""
        filled = self.filled[line] + pieces
        self.filled[line] = filled
        self.color[line] = color
        self.empty &= ~(1 << line)
        if filled > line:
            self.begun &= ~(1 << color * SIZE + line)
        else:
            self.begun |= 1 << color * SIZE + line

    def clear(self, line: i64) -> None:
        """Take all pieces off a full line."""
        self.filled[line] = 0
        self.empty |= 1 << line

    def hang(self, row: i64, column: i64, color: i64) -> i64:
        """Put a tile on the wall; returns what it scores (A5)."""
        points = tile_points(self.across, self.down, row, column)
        self.wall[row * SIZE + column] = color + 1
        self.across |= 1 << row * SIZE + column
        self.down |= 1 << column * SIZE + row
        self.rows_without &= ~(1 << color * SIZE + row)
        self.columns_without &= ~(1 << color * SIZE + column)
        if self.across >> row * SIZE & ALL == ALL:
            self.rows += 1
        return points

    def gain(self, source: i64, points: i64) -> None:
        """Score points, or lose them."""
        self.score += points
        self.gained[source] = self.gained[source] + points

    def full_columns(self) -> int:
        """How many vertical lines of the wall are complete."""
        return sum([1 for column in range(SIZE) if self.down >> column * SIZE & ALL == ALL])

    def full_colors(self) -> int:
        """Of how many colors all five pieces are on the wall."""
        return sum([1 for color in range(SIZE) if self.rows_without >> color * SIZE & ALL == 0])


def check_wall(wall: Sequence[Sequence[str | None]]) -> None:
    """Whether a wall can be played on: no color is printed twice in a row or a column."""
    for kind, lines in (("row", wall), ("column", list(zip(*wall, strict=True)))):
        for number, line in enumerate(lines, 1):
            printed = [color for color in line if color is not None]
            if len(set(printed)) < len(printed):
                raise Misfit("wall", f"a color is printed twice in {kind} {number}")


class AzulState(State):
    """A game of Azul or Crystal Mosaic under way."""

    boards: list[PlayerBoard]
    row: i64
    """While tiling: the line of the player that is being tiled."""
    printed: tuple[int, ...]
    """printed[row * 5 + column]: the color printed there, or FREE."""
    spaces: list[int]
    """spaces[row * 5 + color]: the columns of a row that are printed with a color, or free, as bits."""
    chosen: bool
    """The wall has free spaces, so players choose where tiles go."""
    multiplier: i64
    floor: tuple[int, ...]
    losses: list[int]
    """losses[n]: what n pieces on the floor line cost."""
    bonus: tuple[int, ...]

    def __init__(self, players: i64, like: AzulState | None = None) -> None:
        """A game that waits for its arrangement; or one like another."""
        super().__init__(players, like)
        if like is None:
            self.boards = [PlayerBoard() for _ in range(players)]
            self.row = 0
            self.printed = ()
            self.spaces = []
            self.chosen = False
            self.multiplier = 1
            self.floor = ()
            self.losses = []
            self.bonus = ()
        else:
            self.boards = [PlayerBoard(board) for board in like.boards]
            self.row = like.row
            self.printed = like.printed
            self.spaces = like.spaces
            self.chosen = like.chosen
            self.multiplier = like.multiplier
            self.floor = like.floor
            self.losses = like.losses
            self.bonus = like.bonus

    def copy(self) -> AzulState:
        """A state of its own, like this one; nobody watches it."""
        return AzulState(self.seats, self)

    def arrange(self, event: AzulArranged) -> None:
        """Everybody plays on the same board; nothing is laid out by chance."""
        if sorted(event.colors) != sorted(COLORS):
            raise Misfit("colors", f"the five colors are {', '.join(COLORS)}")
        check_wall(event.wall)
        self.printed = tuple(
            FREE if color is None else COLORS.index(color) for row in event.wall for color in row
        )
        self.spaces = [
            sum([1 << column for column in range(SIZE) if self.printed[row * SIZE + column] in (FREE, color)])
            for row in range(SIZE)
            for color in range(SIZE)
        ]
        self.chosen = FREE in self.printed
        self.multiplier = event.multiplier
        self.floor = event.floor
        self.losses = [-sum(event.floor[:pieces]) for pieces in range(FLOOR_SPACES + 1)]
        self.bonus = (event.bonus.row, event.bonus.column, event.bonus.color)
        self.phase = DEAL

    # -- A. The factory offer --

    def play(self, code: i64) -> None:
        """Take a legal step; the rules do what follows from it."""
        if code < PLACE:
            self._pick(code)
        elif code < TILE:
            self._place(code - PLACE - 1)
        else:
            self._tile((code - TILE) % SIZE)

    def _pick(self, code: i64) -> None:
        """All pieces of one color from a display or from the center.

        The round's first pick from the center takes the starting tile: it goes to the leftmost free space
        of the floor line before the pieces do, or nowhere when that is full (A2).
        """
        self.take(code)
        self.phase = PLACING
        if self.take_tile(code):
            floor = self.boards[self.player].floor
            if len(floor) < FLOOR_SPACES:
                floor.append(STARTING_TILE)

    def _place(self, line: i64) -> None:
        """All pieces go to one pattern line, what does not fit to the floor; or all to the floor (A1)."""
        board = self.boards[self.player]
        hand = self.hand
        fits: i64 = 0
        if line >= 0:
            fits = line + 1 - board.filled[line]
            if fits > hand:
                fits = hand
            board.fill(line, self.color, fits)
            if self.effects is not None:
                self.note(FILLED, self.player, line + 1, fits)
        if hand > fits:
            self._drop(board, self.color, hand - fits)
        self.hand = 0
        if not self.offer.empty():
            self.player += 1
            if self.player == len(self.boards):
                self.player = 0
            self.phase = PICKING
        elif self.chosen:
            self._start_tiling()
        else:
            self.phase = ROUND_END

    def _drop(self, board: PlayerBoard, color: i64, pieces: i64) -> None:
        """Pieces fall to the floor line, left to right, and past its last space into the lid (A1)."""
        room = FLOOR_SPACES - len(board.floor)
        falling = pieces if pieces < room else room
        for _ in range(falling):
            board.floor.append(color)
        if self.effects is not None:
            self.note(FELL, self.player, falling)
        if pieces > falling:
            self.offer.discard(color, pieces - falling)
            if self.effects is not None:
                self.note(DISCARDED, self.player, pieces - falling)

    # -- B. Tiling the walls --

    def _start_tiling(self) -> None:
        """Players tile in turn order, from the one who starts the next round, each from the top down."""
        self.player = self.starter
        self.row = 0
        self._next_tiling()

    def _next_tiling(self) -> None:
        """Go on to the next line that a player has to tile; the round is over when there is none.

        A full line that fits nowhere falls to the floor at once (A4); a player's floor is counted after
        the last line.
        """
        while True:
            board = self.boards[self.player]
            while self.row < SIZE:
                row = self.row
                if board.filled[row] > row:
                    if self._columns(board, row):
                        self.phase = TILING
                        return
                    self.note(UNTILED, self.player, row + 1, row + 1)
                    self._drop(board, board.color[row], row + 1)
                    board.clear(row)
                self.row += 1
            self._count_floor(board)
            self.row = 0
            self.player = (self.player + 1) % len(self.boards)
            if self.player == self.starter:
                self.phase = ROUND_END
                return

    def _columns(self, board: PlayerBoard, row: i64) -> i64:
        """Where the color of a line may go in its row, as bits: a space that is empty, printed with it or
        free, while neither the row nor the column holds the color (A4, C1)."""
        color: i64 = board.color[row]
        if board.rows_without >> color * SIZE + row & 1 == 0:
            return 0
        taken = board.across >> row * SIZE
        return self.spaces[row * SIZE + color] & ~taken & (board.columns_without >> color * SIZE) & ALL

    def _tile(self, column: i64) -> None:
        """The piece of a full line goes where the player said."""
        self._set_tile(self.boards[self.player], self.row, column)
        self.row += 1
        self._next_tiling()

    def _set_tile(self, board: PlayerBoard, row: i64, column: i64) -> None:
        """One piece of a full line goes to the wall and scores at once, the others go to the lid.

        A printed space multiplies the points, on boards where it does (C2).
        """
        color: i64 = board.color[row]
        points = board.hang(row, column, color)
        board.clear(row)
        self.offer.discard(color, row)
        if self.printed[row * SIZE + column] != FREE:
            points *= self.multiplier
        board.gain(TILES, points)
        if self.effects is not None:
            self.note(TILED, self.player, row + 1, column + 1, points)

    def _tile_printed(self, board: PlayerBoard) -> None:
        """On a wall that is printed all over, every full line has one place to go."""
        for row in range(SIZE):
            if board.filled[row] > row:
                space = self.spaces[row * SIZE + board.color[row]]
                self._set_tile(board, row, COLUMNS_OF[space][0])

    def _count_floor(self, board: PlayerBoard) -> None:
        """Every space taken on the floor line costs its points, down to 0 at most (A5)."""
        if not board.floor:
            return
        loss: i64 = self.losses[len(board.floor)]
        if loss > board.score:
            loss = board.score
        board.gain(FLOOR, -loss)
        if self.effects is not None:
            self.note(FLOOR_LOST, self.player, loss)
        for piece in board.floor:
            if piece != STARTING_TILE:
                self.offer.discard(piece, 1)
        board.floor = []

    # -- C. Preparing the next round --

    def end_round(self) -> None:
        """Tiling is done; the game ends with a complete row, or when nothing is left to deal (A6)."""
        if not self.chosen:
            for turn in range(len(self.boards)):
                self.player = (self.starter + turn) % len(self.boards)
                self._tile_printed(self.boards[self.player])
                self._count_floor(self.boards[self.player])
        done = self.offer.exhausted()
        for board in self.boards:
            if board.rows:
                done = True
        self.phase = GAME_END if done else DEAL

    # -- End of the game --

    def finish(self) -> None:
        """Bonuses for complete rows, columns and colors (A6, C2, C3)."""
        for player, board in enumerate(self.boards):
            counts = (board.rows, board.full_columns(), board.full_colors())
            for at, count in enumerate(counts):
                points = count * self.bonus[at]
                board.gain(ROWS + at, points)
                self.note(ROWS_SCORED + at, player, count, points)
        self.phase = OVER

    def scores(self) -> list[int]:
        """Every player's points."""
        return [board.score for board in self.boards]

    def winners(self) -> list[int]:
        """The most points; then the most complete rows; else shared (A6)."""
        ranks = [(board.score, board.rows) for board in self.boards]
        return [player for player, rank in enumerate(ranks) if rank == max(ranks)]

    def breakdown(self) -> list[dict[str, int]]:
        """For every player, the points by where they came from."""
        return [dict(zip(SOURCES, board.gained, strict=True)) for board in self.boards]

    def worth(self, player: i64) -> int:
        """What the table is worth to a player, in 20ths of a point.

        The points less the floor; for every pattern line what its tile would score, in full for a full line
        and in part for one under way; and a little for rows, columns and colors that grow.
        """
        board = self.boards[player]
        if self.phase == OVER:
            return 20 * board.score
        wall = board.wall[:]
        across = board.across
        down = board.down
        total = 20 * (board.score - self.losses[len(board.floor)])
        for row in range(SIZE):
            filled = board.filled[row]
            if not filled:
                continue
            tiles = [
                (self._scores(across, down, row, column), column)
                for column in COLUMNS_OF[self._columns(board, row)]
            ]
            if not tiles:
                total -= 40 * filled
                continue
            points, column = max(tiles)
            if filled > row:
                wall[row * SIZE + column] = board.color[row] + 1
                across |= 1 << row * SIZE + column
                down |= 1 << column * SIZE + row
                total += 20 * points
            else:
                total += 10 * points * filled // (row + 1)
        return total + self._growth(wall)

    def _scores(self, across: i64, down: i64, row: i64, column: i64) -> i64:
        """What a tile would score on a space of a wall that has these tiles."""
        points = tile_points(across, down, row, column)
        return points if self.printed[row * SIZE + column] == FREE else points * self.multiplier

    def _growth(self, wall: Sequence[int]) -> int:
        """The bonuses in part, by the square of how complete rows, columns and colors are.

        Rows count more than their bonus, for one ends the game; one that can't be completed counts nothing.
        """
        growth = 0
        for line in range(SIZE):
            row = SIZE - wall[line * SIZE : line * SIZE + SIZE].count(0)
            column = SIZE - wall[line::SIZE].count(0)
            color = wall.count(line + 1)
            if row <= 2 or not self.chosen or self._completable(wall, line):
                growth += (self.bonus[0] + 4) * row * row
            growth += self.bonus[1] * column * column + self.bonus[2] * color * color
        return 20 * growth // (SIZE * SIZE)

    def _completable(self, wall: Sequence[int], row: int) -> bool:
        """Whether every color that a row of the wall lacks still has a space, and every space a color."""
        cells = wall[row * SIZE : row * SIZE + SIZE]
        missing = [color for color in range(SIZE) if color + 1 not in cells]
        empty = [column for column in range(SIZE) if cells[column] == 0]
        fits = [
            (color, column)
            for color in missing
            for column in empty
            if self.printed[row * SIZE + column] in (FREE, color) and color + 1 not in wall[column::SIZE]
        ]
        return len({color for color, _ in fits}) == len({column for _, column in fits}) == len(missing)

    def census(self) -> list[int]:
        """All pieces of each color: on offer, in bag and lid, on lines, walls and floors, and in hand."""
        census = self.offer.census()
        for board in self.boards:
            for line in range(SIZE):
                census[board.color[line]] += board.filled[line]
            for color in range(SIZE):
                census[color] += board.wall.count(color + 1) + board.floor.count(color)
        census[self.color] += self.hand
        return census

    # -- What a player may do --

    def legal(self) -> list[int]:
        """The codes of all legal steps, ascending.

        All that is in hand may always go to the floor (A1).
        """
        phase = self.phase
        if phase == PICKING:
            return self.offer.picks()
        if phase < CHOICE:
            return []
        board = self.boards[self.player]
        if phase == PLACING:
            return PLACES[board.lines_for(self.color)][:]
        return TILINGS[self.row * SETS_OF_FIVE + self._columns(board, self.row)][:]

    def allows(self, code: i64) -> bool:
        """Whether this code is among the legal ones, without listing them."""
        if code < PLACE:
            return self.phase == PICKING and self.offer.has(code)
        board = self.boards[self.player]
        if code < TILE:
            if self.phase != PLACING:
                return False
            return code == PLACE or board.lines_for(self.color) >> (code - PLACE - 1) & 1 == 1
        if self.phase != TILING or (code - TILE) // SIZE != self.row:
            return False
        return self._columns(board, self.row) >> (code - TILE) % SIZE & 1 == 1

    def resolve(self, words: str) -> str:
        """There is one spelling for each step."""
        return words

    def why_not(self, code: i64) -> str:
        """Why this step is not legal, and what would do."""
        wanted = "pick" if code < PLACE else "place" if code < TILE else "tile"
        if self.phase == PLACING and wanted != "place":
            return f"the {pieces({COLORS[self.color]: self.hand})} in hand must be placed first"
        if self.phase == TILING and wanted != "tile":
            return f"line {self.row + 1} is full: first say where its piece goes (A4)"
        if wanted == "pick":
            return why_no_pick(self.offer, code, COLORS)
        if wanted == "place":
            if self.phase != PLACING:
                return "there is nothing in hand to place: pick first"
            return self._why_no_place(code - PLACE - 1)
        if not self.chosen:
            return "this wall is printed all over, so tiles go to it by themselves (A4)"
        if self.phase != TILING:
            return "tiles go to the wall after the last pick of a round"
        return self._why_no_tile(*divmod(code - TILE, SIZE))

    def _why_no_place(self, line: int) -> str:
        board = self.boards[self.player]
        color = COLORS[self.color]
        if board.filled[line] > line:
            return f"line {line + 1} is full"
        if board.filled[line] and board.color[line] != self.color:
            return f"line {line + 1} holds {COLORS[board.color[line]]}, not {color}"
        return f"row {line + 1} of the wall holds {color} already (A3)"

    def _why_no_tile(self, row: int, column: int) -> str:
        board = self.boards[self.player]
        if row != self.row:
            return f"line {self.row + 1} comes first (A4)"
        color = COLORS[board.color[row]]
        if board.wall[row * SIZE + column]:
            return f"there is a tile in row {row + 1}, column {column + 1} already"
        if self.printed[row * SIZE + column] not in (FREE, board.color[row]):
            return f"that space is for {COLORS[self.printed[row * SIZE + column]]} only (C1)"
        return f"column {column + 1} holds {color} already (A4)"

    # -- The table as a value --

    def value(self) -> AzulSnapshot:
        """The whole table in words."""
        center, *displays = [named(pile, COLORS) for pile in self.offer.sources()]
        return AzulSnapshot(
            round=self.round,
            player=self.player + 1 if self.phase >= CHOICE else None,
            awaits=AWAITS[self.phase],
            displays=tuple(displays),
            center=center,
            starting_tile=self.offer.tile,
            starter=self.starter + 1,
            hand={COLORS[self.color]: self.hand} if self.hand else {},
            tiling=self.row + 1 if self.phase == TILING else None,
            bag=named(self.offer.bag, COLORS),
            lid=named(self.offer.tower, COLORS),
            wall=tuple(
                tuple(None if color == FREE else COLORS[color] for color in self.printed[at : at + SIZE])
                for at in range(0, len(self.printed), SIZE)
            ),
            multiplier=self.multiplier,
            floor=self.floor,
            players=tuple(_board_value(board) for board in self.boards),
        )


AWAITS: Final = ("arrange", "deal", "round_end", "game_end", "nothing", "pick", "place", "tile")
"""What a state waits for, by phase."""


def _board_value(board: PlayerBoard) -> BoardSnapshot:
    return BoardSnapshot(
        score=board.score,
        points=dict(zip(SOURCES, board.gained, strict=True)),
        lines=tuple(
            LineSnapshot(
                line + 1, board.filled[line], COLORS[board.color[line]] if board.filled[line] else None
            )
            for line in range(SIZE)
        ),
        wall=tuple(
            tuple(COLORS[piece - 1] if piece else None for piece in board.wall[at : at + SIZE])
            for at in range(0, SIZE * SIZE, SIZE)
        ),
        floor=tuple("starting tile" if piece == STARTING_TILE else COLORS[piece] for piece in board.floor),
    )


def tile_points(across: i64, down: i64, row: i64, column: i64) -> i64:
    """A tile scores its horizontal and its vertical run, each if longer than one; or 1 (A5)."""
    beside = RUNS[(across >> row * SIZE & ALL) * SIZE + column]
    above = RUNS[(down >> column * SIZE & ALL) * SIZE + row]
    if beside == 1:
        return above
    return beside if above == 1 else beside + above


# -- The rule-sets ---------------------------------------------------------------------------


@mypyc_attr(native_class=False)
class AzulRules(RuleSet):
    """A rule-set for boards that have pattern lines and a wall; what is printed makes the game."""

    players = (2, 3, 4)
    colors = COLORS
    palette = boards.PALETTE
    arranged = AzulArranged
    steps = STEPS
    guide = (
        (
            "pick SOURCE COLOR",
            "take all pieces of a color from display 1 to 9 (the rest goes to the center) or "
            "from center; the round's first pick from there takes the starting tile, which "
            "goes to the floor line",
        ),
        ("place N", "put the picked pieces on pattern line N; what does not fit falls to the floor line"),
        ("place floor", "drop all picked pieces to the floor line"),
        ("tile ROW COLUMN", "on walls with free spaces: where the piece of a full line goes"),
    )
    spellings = ()
    effects = EFFECTS
    view = "sintra.games.azul.draw"

    def __init__(
        self,
        name: str,
        title: str,
        boards: Mapping[str, Board],
        side_help: str,
        tables: tuple[Printed, ...],
        rulings: tuple[Ruling, ...],
    ) -> None:
        self.name = name
        self.title = title
        self.boards = boards
        self.options = (Option("side", tuple(boards), next(iter(boards)), side_help),)
        self.tables = tables
        self.rulings = rulings

    def snapshot(self, state: AzulState) -> AzulSnapshot:
        """The whole table in words."""
        return state.value()

    def resolve(self, state: AzulState, words: str) -> str:
        """The words of a step, for any spelling of it."""
        return state.resolve(words)

    def why_not(self, state: AzulState, code: int) -> str:
        """Why this step is not legal, and what would do."""
        return state.why_not(code)

    def start(self, options: Mapping[str, OptionValue], players: int) -> AzulState:
        """A game that waits for its arrangement."""
        return AzulState(players)

    def arrange(
        self,
        options: Mapping[str, OptionValue],
        players: int,
        components: Mapping[str, Any],
        chance: Chance,
    ) -> AzulArranged:
        """The board that everybody plays on; a person's own values where there are any, checked."""
        board = self.boards[str(options["side"])]
        try:
            own = msgspec.convert(components, boards.Components)
            wall = own.wall or board.wall
            check_wall(wall)
        except (msgspec.ValidationError, Misfit) as error:
            raise UsageError(f"components: {codec.in_words(error)}") from None
        return AzulArranged(
            colors=COLORS,
            wall=wall,
            multiplier=own.multiplier or board.multiplier,
            floor=own.floor or board.floor,
            bonus=own.bonus or board.bonus,
        )

    def lay(
        self,
        options: Mapping[str, OptionValue],
        players: int,
        components: Mapping[str, Any],
        words: Sequence[str],
    ) -> AzulArranged:
        """Nothing is laid out by chance: there is nothing to type in but values of one's own."""
        if words:
            raise UsageError(f"{self.title} has nothing to lay out; `{words[0]}` means nothing here")
        return self.arrange(options, players, components, Chance(0))


AZUL_RULES = AzulRules(
    "azul",
    "Azul",
    boards.AZUL,
    "the side of the boards: colored has one place for every tile, on gray players choose",
    boards.AZUL_TABLES,
    EVERY_GAME + AZUL,
)
CRYSTAL_RULES = AzulRules(
    "crystal",
    "Crystal Mosaic",
    boards.CRYSTAL,
    "the side of the boards: on 1 printed spaces score double, 2 has other bonuses",
    boards.CRYSTAL_TABLES,
    EVERY_GAME + AZUL + CRYSTAL,
)
