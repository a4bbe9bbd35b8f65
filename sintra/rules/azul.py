"""Azul and Crystal Mosaic, 2 to 4 players, in the order of Azul's rulebook.

    Setup                       MosaicRules.arrange, MosaicState.arrange
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
from typing import Any

import msgspec
from msgspec import Struct

from sintra import events
from sintra.chance import Chance
from sintra.components import Table
from sintra.components import azul as cardboard
from sintra.components.azul import COLORS, FLOOR_SPACES, SIZE, Board
from sintra.errors import UsageError
from sintra.events import AzulArranged, OptionValue
from sintra.offer import PICK_CODES, Offer, pick_steps
from sintra.rules import (
    ARRANGE,
    CHOICE,
    DEAL,
    GAME_END,
    OVER,
    ROUND_END,
    Effect,
    Misfit,
    Option,
)
from sintra.rulings import AZUL, CRYSTAL, EVERY_GAME, Ruling
from sintra.steps import Step
from sintra.words import counted, pieces

PICKING = CHOICE
PLACING = CHOICE + 1
TILING = CHOICE + 2

PLACE = PICK_CODES
TILE = PLACE + 1 + SIZE

STARTING_TILE = 5
"""What stands for the starting tile on a floor line, where colors are numbers."""
FREE = -1
"""A space of a wall on which any color may go."""

# Where points come from: indices of PlayerBoard.gained
TILES, FLOOR, ROWS, COLUMNS, SETS = range(5)
SOURCES = ("tiles", "floor", "rows", "columns", "colors")

# What the rules do by themselves: indices of EFFECTS
(
    TOOK,
    CENTERED,
    TILE_TAKEN,
    FILLED,
    FELL,
    DISCARDED,
    TILED,
    UNTILED,
    FLOOR_LOST,
    REFILLED,
    ROWS_SCORED,
    COLUMNS_SCORED,
    SETS_SCORED,
) = range(13)

EFFECTS = (
    Effect("took", ("pieces",)),
    Effect("centered", ("pieces",)),
    Effect("starting_tile"),
    Effect("filled", ("line", "pieces")),
    Effect("fell", ("pieces",)),
    Effect("discarded", ("pieces",)),
    Effect("tiled", ("row", "column", "points")),
    Effect("untiled", ("line", "pieces")),
    Effect("floor_lost", ("points",)),
    Effect("refilled", ("after",)),
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


STEPS = _steps()


# -- Setup -----------------------------------------------------------------------------------


class PlayerBoard:
    """One player's pattern lines, wall, floor line and score."""

    def __init__(self) -> None:
        self.score = 0
        self.color = [0] * SIZE
        """The color on each pattern line, where there is a piece on it."""
        self.filled = [0] * SIZE
        """Pieces on each pattern line; the first line has one space, the last one five."""
        self.wall = [0] * (SIZE * SIZE)
        """wall[row * 5 + column]: the piece there, as color + 1."""
        self.in_row = [0] * (SIZE * SIZE)
        """in_row[row * 5 + color]: whether a row of the wall holds a color; then the same for columns."""
        self.in_column = [0] * (SIZE * SIZE)
        self.rows = 0
        """How many horizontal lines of the wall are complete."""
        self.floor: list[int] = []
        """What lies on the floor line, left to right: colors, or the starting tile."""
        self.gained = [0] * len(SOURCES)
        """Points by where they came from; they add up to the score."""

    def copy(self) -> PlayerBoard:
        """A board of its own, equal to this one."""
        twin = PlayerBoard.__new__(PlayerBoard)
        twin.score = self.score
        twin.color = self.color[:]
        twin.filled = self.filled[:]
        twin.wall = self.wall[:]
        twin.in_row = self.in_row[:]
        twin.in_column = self.in_column[:]
        twin.rows = self.rows
        twin.floor = self.floor[:]
        twin.gained = self.gained[:]
        return twin

    def full_columns(self) -> int:
        """How many vertical lines of the wall are complete."""
        return sum(1 for column in range(SIZE) if all(self.wall[column::SIZE]))

    def full_colors(self) -> int:
        """Of how many colors all five pieces are on the wall."""
        return sum(1 for color in range(SIZE) if self.wall.count(color + 1) == SIZE)


def check_wall(wall: Sequence[Sequence[str | None]]) -> None:
    """Whether a wall can be played on: no color is printed twice in a row or a column."""
    for kind, lines in (("row", wall), ("column", list(zip(*wall, strict=True)))):
        for number, line in enumerate(lines, 1):
            printed = [color for color in line if color is not None]
            if len(set(printed)) < len(printed):
                raise Misfit("wall", f"a color is printed twice in {kind} {number}")


class MosaicState:
    """A game of Azul or Crystal Mosaic under way."""

    def __init__(self, players: int) -> None:
        self.offer = Offer(players)
        self.boards = [PlayerBoard() for _ in range(players)]
        self.phase = ARRANGE
        self.round = 0
        self.player = 0
        self.starter = 0
        """Who starts the next round: R5 at first, then the taker of the starting tile (R3)."""
        self.hand = 0
        """Pieces that were picked and are not placed yet, and their color."""
        self.color = 0
        self.row = 0
        """While tiling: the line of the player that is being tiled."""
        self.printed: tuple[int, ...] = ()
        """printed[row * 5 + column]: the color printed there, or FREE."""
        self.chosen = False
        """The wall has free spaces, so players choose where tiles go."""
        self.multiplier = 1
        self.floor: tuple[int, ...] = ()
        self.bonus: tuple[int, ...] = ()
        self.effects: list[tuple[int, ...]] | None = None

    def copy(self) -> MosaicState:
        """A state of its own, equal to this one; it is not watched."""
        twin = MosaicState.__new__(MosaicState)
        twin.offer = self.offer.copy()
        twin.boards = [board.copy() for board in self.boards]
        twin.phase = self.phase
        twin.round = self.round
        twin.player = self.player
        twin.starter = self.starter
        twin.hand = self.hand
        twin.color = self.color
        twin.row = self.row
        twin.printed = self.printed
        twin.chosen = self.chosen
        twin.multiplier = self.multiplier
        twin.floor = self.floor
        twin.bonus = self.bonus
        twin.effects = None
        return twin

    def _note(self, kind: int, player: int, *numbers: int) -> None:
        """Tell a watcher what the rules did."""
        if self.effects is not None:
            self.effects.append((kind, player, *numbers))

    def arrange(self, event: AzulArranged) -> None:
        """Everybody plays on the same board; nothing is laid out by chance."""
        if sorted(event.colors) != sorted(COLORS):
            raise Misfit("colors", f"the five colors are {', '.join(COLORS)}")
        check_wall(event.wall)
        self.printed = tuple(
            FREE if color is None else COLORS.index(color) for row in event.wall for color in row
        )
        self.chosen = FREE in self.printed
        self.multiplier = event.multiplier
        self.floor = event.floor
        self.bonus = (event.bonus.row, event.bonus.column, event.bonus.color)
        self.phase = DEAL

    # -- A. The factory offer --

    def deal(self, displays: Sequence[Sequence[int]]) -> None:
        """A round begins: the displays are filled, the starting tile lies in the center."""
        refilled = self.offer.deal(displays)
        if refilled >= 0:
            self._note(REFILLED, -1, refilled)
        self.round += 1
        self.player = self.starter
        self.phase = PICKING

    def play(self, code: int) -> None:
        """Take a legal step; the rules do what follows from it."""
        if code < PLACE:
            self._pick(code)
        elif code < TILE:
            self._place(code - PLACE - 1)
        else:
            self._tile((code - TILE) % SIZE)

    def _pick(self, code: int) -> None:
        """All pieces of one color from a display or from the center.

        The round's first pick from the center takes the starting tile: it goes to the leftmost free space
        of the floor line before the pieces do, or nowhere when that is full (A2).
        """
        offer = self.offer
        before = sum(offer.piles[0:5]) if self.effects is not None else 0
        self.hand = offer.take(code)
        self.color = code % 5
        self.phase = PLACING
        if self.effects is not None:
            self._note(TOOK, self.player, self.hand)
            if code >= 5:
                self._note(CENTERED, self.player, sum(offer.piles[0:5]) - before)
        if offer.take_tile(code):
            self.starter = self.player
            self._note(TILE_TAKEN, self.player)
            floor = self.boards[self.player].floor
            if len(floor) < FLOOR_SPACES:
                floor.append(STARTING_TILE)

    def _place(self, line: int) -> None:
        """All pieces go to one pattern line, what does not fit to the floor; or all to the floor (A1)."""
        board = self.boards[self.player]
        fits = 0
        if line >= 0:
            fits = line + 1 - board.filled[line]
            if fits > self.hand:
                fits = self.hand
            board.filled[line] += fits
            board.color[line] = self.color
            if self.effects is not None:
                self._note(FILLED, self.player, line + 1, fits)
        if self.hand > fits:
            self._drop(board, self.color, self.hand - fits)
        self.hand = 0
        if self.offer.left:
            self.player += 1
            if self.player == len(self.boards):
                self.player = 0
            self.phase = PICKING
        elif self.chosen:
            self._start_tiling()
        else:
            self.phase = ROUND_END

    def _drop(self, board: PlayerBoard, color: int, pieces: int) -> None:
        """Pieces fall to the floor line, left to right, and past its last space into the lid (A1)."""
        room = FLOOR_SPACES - len(board.floor)
        falling = pieces if pieces < room else room
        for _ in range(falling):
            board.floor.append(color)
        if self.effects is not None:
            self._note(FELL, self.player, falling)
        if pieces > falling:
            self.offer.tower[color] += pieces - falling
            self._note(DISCARDED, self.player, pieces - falling)

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
                if board.filled[self.row] == self.row + 1:
                    if self._columns(board, self.row):
                        self.phase = TILING
                        return
                    self._note(UNTILED, self.player, self.row + 1, self.row + 1)
                    self._drop(board, board.color[self.row], self.row + 1)
                    board.filled[self.row] = 0
                self.row += 1
            self._count_floor(board)
            self.row = 0
            self.player = (self.player + 1) % len(self.boards)
            if self.player == self.starter:
                self.phase = ROUND_END
                return

    def _columns(self, board: PlayerBoard, row: int) -> list[int]:
        """Where the color of a line may go in its row: a space that is empty, printed with it or free,
        while neither the row nor the column holds the color (A4, C1)."""
        color = board.color[row]
        if board.in_row[row * SIZE + color]:
            return []
        return [
            column
            for column in range(SIZE)
            if board.wall[row * SIZE + column] == 0
            and self.printed[row * SIZE + column] in (FREE, color)
            and not board.in_column[column * SIZE + color]
        ]

    def _tile(self, column: int) -> None:
        """The piece of a full line goes where the player said."""
        self._set_tile(self.boards[self.player], self.row, column)
        self.row += 1
        self._next_tiling()

    def _set_tile(self, board: PlayerBoard, row: int, column: int) -> None:
        """One piece of a full line goes to the wall and scores at once, the others go to the lid.

        A printed space multiplies the points, on boards where it does (C2).
        """
        color = board.color[row]
        board.wall[row * SIZE + column] = color + 1
        board.in_row[row * SIZE + color] = 1
        board.in_column[column * SIZE + color] = 1
        board.filled[row] = 0
        if 0 not in board.wall[row * SIZE : row * SIZE + SIZE]:
            board.rows += 1
        self.offer.tower[color] += row
        points = _tile_points(board.wall, row, column)
        if self.printed[row * SIZE + column] != FREE:
            points *= self.multiplier
        board.score += points
        board.gained[TILES] += points
        self._note(TILED, self.player, row + 1, column + 1, points)

    def _tile_printed(self, board: PlayerBoard) -> None:
        """On a wall that is printed all over, every full line has one place to go."""
        for row in range(SIZE):
            if board.filled[row] == row + 1:
                column = self.printed.index(board.color[row], row * SIZE) - row * SIZE
                self._set_tile(board, row, column)

    def _count_floor(self, board: PlayerBoard) -> None:
        """Every space taken on the floor line costs its points, down to 0 at most (A5)."""
        if not board.floor:
            return
        loss = -sum(self.floor[: len(board.floor)])
        if loss > board.score:
            loss = board.score
        board.score -= loss
        board.gained[FLOOR] -= loss
        self._note(FLOOR_LOST, self.player, loss)
        for piece in board.floor:
            if piece != STARTING_TILE:
                self.offer.tower[piece] += 1
        board.floor = []

    # -- C. Preparing the next round --

    def end_round(self) -> None:
        """Tiling is done; the game ends with a complete row, or when nothing is left to deal (A6)."""
        if not self.chosen:
            for turn in range(len(self.boards)):
                self.player = (self.starter + turn) % len(self.boards)
                self._tile_printed(self.boards[self.player])
                self._count_floor(self.boards[self.player])
        done = max([board.rows for board in self.boards]) > 0
        nothing = sum(self.offer.bag) + sum(self.offer.tower) == 0
        self.phase = GAME_END if done or nothing else DEAL

    # -- End of the game --

    def finish(self) -> None:
        """Bonuses for complete rows, columns and colors (A6, C2, C3)."""
        for player, board in enumerate(self.boards):
            counts = (board.rows, board.full_columns(), board.full_colors())
            for at, count in enumerate(counts):
                points = count * self.bonus[at]
                board.score += points
                board.gained[ROWS + at] += points
                self._note(ROWS_SCORED + at, player, count, points)
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

    def worth(self, player: int) -> int:
        """What the table is worth to a player, in 20ths of a point.

        The points less the floor; for every pattern line what its tile would score, in full for a full line
        and in part for one under way; and a little for rows, columns and colors that grow.
        """
        board = self.boards[player]
        if self.phase == OVER:
            return 20 * board.score
        wall = board.wall[:]
        total = 20 * (board.score + sum(self.floor[: len(board.floor)]))
        for row in range(SIZE):
            filled = board.filled[row]
            if not filled:
                continue
            tiles = [(self._scores(wall, row, column), column) for column in self._columns(board, row)]
            if not tiles:
                total -= 40 * filled
                continue
            points, column = max(tiles)
            if filled > row:
                wall[row * SIZE + column] = board.color[row] + 1
                total += 20 * points
            else:
                total += 10 * points * filled // (row + 1)
        return total + self._growth(wall)

    def _scores(self, wall: Sequence[int], row: int, column: int) -> int:
        """What a tile on a space would score."""
        printed = self.printed[row * SIZE + column] != FREE
        return _tile_points(wall, row, column) * (self.multiplier if printed else 1)

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

        A line takes the color in hand if it has room, holds no other color, and its row of the wall does
        not hold that color yet (A3); all may go to the floor (A1).
        """
        phase = self.phase
        if phase == PICKING:
            return self.offer.picks()
        if phase < CHOICE:
            return []
        board = self.boards[self.player]
        if phase == TILING:
            return [TILE + self.row * SIZE + column for column in self._columns(board, self.row)]
        codes = [PLACE]
        color = self.color
        for line in range(SIZE):
            filled = board.filled[line]
            fits = filled == 0 or (filled <= line and board.color[line] == color)
            if fits and board.in_row[line * SIZE + color] == 0:
                codes.append(PLACE + 1 + line)
        return codes

    def allows(self, code: int) -> bool:
        """Whether this code is among the legal ones, without listing them."""
        if code < PLACE:
            return self.phase == PICKING and self.offer.has(code)
        board = self.boards[self.player]
        if code < TILE:
            return self.phase == PLACING and code in self.legal()
        row, column = divmod(code - TILE, SIZE)
        return self.phase == TILING and row == self.row and column in self._columns(board, row)

    def resolve(self, words: str) -> str:
        """There is one spelling for each step."""
        return words

    def why_not(self, code: int) -> str:
        """Why this step is not legal, and what would do."""
        wanted = "pick" if code < PLACE else "place" if code < TILE else "tile"
        if self.phase == PLACING and wanted != "place":
            return f"the {pieces({COLORS[self.color]: self.hand})} in hand must be placed first"
        if self.phase == TILING and wanted != "tile":
            return f"line {self.row + 1} is full: first say where its piece goes (A4)"
        if wanted == "pick":
            return self.offer.why_no_pick(code, COLORS)
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

    def value(self) -> MosaicTable:
        """The whole table in words."""
        center, *displays = self.offer.in_words(COLORS)
        return MosaicTable(
            round=self.round,
            player=self.player + 1 if self.phase >= CHOICE else None,
            awaits=AWAITS[self.phase],
            displays=tuple(displays),
            center=center,
            starting_tile=self.offer.tile,
            starter=self.starter + 1,
            hand={COLORS[self.color]: self.hand} if self.hand else {},
            tiling=self.row + 1 if self.phase == TILING else None,
            bag=counted(self.offer.bag, COLORS),
            lid=counted(self.offer.tower, COLORS),
            wall=tuple(
                tuple(None if color == FREE else COLORS[color] for color in self.printed[at : at + SIZE])
                for at in range(0, len(self.printed), SIZE)
            ),
            multiplier=self.multiplier,
            floor=self.floor,
            players=tuple(_board_value(board) for board in self.boards),
        )


AWAITS = ("arrange", "deal", "round_end", "game_end", "nothing", "pick", "place", "tile")
"""What a state waits for, by phase."""


class LineValue(Struct, frozen=True):
    """A pattern line: how many spaces it has, how many pieces lie on it, and their color."""

    spaces: int
    pieces: int
    color: str | None


class BoardValue(Struct, frozen=True):
    """Everything that lies in front of one player."""

    score: int
    points: dict[str, int]
    lines: tuple[LineValue, ...]
    wall: tuple[tuple[str | None, ...], ...]
    floor: tuple[str, ...]


class MosaicTable(Struct, frozen=True):
    """Everything that lies on the table."""

    round: int
    player: int | None
    awaits: str
    displays: tuple[dict[str, int], ...]
    center: dict[str, int]
    starting_tile: bool
    starter: int
    hand: dict[str, int]
    tiling: int | None
    bag: dict[str, int]
    lid: dict[str, int]
    wall: tuple[tuple[str | None, ...], ...]
    multiplier: int
    floor: tuple[int, ...]
    players: tuple[BoardValue, ...]


def _board_value(board: PlayerBoard) -> BoardValue:
    return BoardValue(
        score=board.score,
        points=dict(zip(SOURCES, board.gained, strict=True)),
        lines=tuple(
            LineValue(line + 1, board.filled[line], COLORS[board.color[line]] if board.filled[line] else None)
            for line in range(SIZE)
        ),
        wall=tuple(
            tuple(COLORS[piece - 1] if piece else None for piece in board.wall[at : at + SIZE])
            for at in range(0, SIZE * SIZE, SIZE)
        ),
        floor=tuple("starting tile" if piece == STARTING_TILE else COLORS[piece] for piece in board.floor),
    )


def _tile_points(wall: Sequence[int], row: int, column: int) -> int:
    """A tile scores its horizontal and its vertical run, each if longer than one; or 1 (A5)."""
    start = row * SIZE
    left = column
    while left > 0 and wall[start + left - 1]:
        left -= 1
    right = column
    while right < SIZE - 1 and wall[start + right + 1]:
        right += 1
    top = row
    while top > 0 and wall[(top - 1) * SIZE + column]:
        top -= 1
    bottom = row
    while bottom < SIZE - 1 and wall[(bottom + 1) * SIZE + column]:
        bottom += 1
    points = 0
    if right > left:
        points += right - left + 1
    if bottom > top:
        points += bottom - top + 1
    return points or 1


# -- The rule-sets ---------------------------------------------------------------------------


class Components(Struct, frozen=True, forbid_unknown_fields=True):
    """What a person's own component file may hold."""

    wall: events.Wall | None = None
    multiplier: events.Multiplier | None = None
    floor: events.FloorLosses | None = None
    bonus: events.Bonus | None = None


class MosaicRules:
    """A rule-set for boards that have pattern lines and a wall; what is printed makes the game."""

    players = (2, 3, 4)
    colors = COLORS
    arranged = AzulArranged
    lines = (AzulArranged, events.Picked, events.PlacedInLine, events.Tiled)
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
    view = "sintra.view.azul"

    def __init__(
        self,
        name: str,
        title: str,
        boards: Mapping[str, Board],
        side_help: str,
        tables: tuple[Table, ...],
        rulings: tuple[Ruling, ...],
    ) -> None:
        self.name = name
        self.title = title
        self.boards = boards
        self.options = (Option("side", tuple(boards), next(iter(boards)), side_help),)
        self.tables = tables
        self.rulings = rulings

    def start(self, options: Mapping[str, OptionValue], players: int) -> MosaicState:
        """A game that waits for its arrangement."""
        return MosaicState(players)

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
            own = msgspec.convert(components, Components)
            wall = own.wall or board.wall
            check_wall(wall)
        except (msgspec.ValidationError, Misfit) as error:
            raise UsageError(f"components: {error}") from None
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


AZUL_RULES = MosaicRules(
    "azul",
    "Azul",
    cardboard.AZUL,
    "the side of the boards: colored has one place for every tile, on gray players choose",
    cardboard.AZUL_TABLES,
    EVERY_GAME + AZUL,
)
CRYSTAL_RULES = MosaicRules(
    "crystal",
    "Crystal Mosaic",
    cardboard.CRYSTAL,
    "the side of the boards: on 1 printed spaces score double, 2 has other bonuses",
    cardboard.CRYSTAL_TABLES,
    EVERY_GAME + AZUL + CRYSTAL,
)
