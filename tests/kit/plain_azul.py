"""A plain model of Azul and of its Crystal Mosaic boards, kept close to the cardboard.

It exists to be compared with the engine: colors are words, a pattern line is a list of the pieces
lying on it, the bag is a count of pieces. Numbers such as A4 or R2 are the project's rulings.
Players, displays, lines, rows, columns and rounds are counted from 1, as in the log.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

PIECES_OF_EACH_COLOR = 20
DISPLAYS_FOR_PLAYERS = {2: 5, 3: 7, 4: 9}
PIECES_ON_A_DISPLAY = 4
ONE_TO_FIVE = (1, 2, 3, 4, 5)
STARTING_TILE = "starting tile"


@dataclass
class Board:
    """One player's board: pattern lines, the tiles on the wall, the floor line and the score."""

    lines: list[list[str]] = field(default_factory=lambda: [[] for _ in ONE_TO_FIVE])
    wall: list[list[str | None]] = field(default_factory=lambda: [[None] * 5 for _ in ONE_TO_FIVE])
    floor: list[str] = field(default_factory=list)  # color words, and perhaps the starting tile
    score: int = 0
    points: dict[str, int] = field(
        default_factory=lambda: {"tiles": 0, "floor": 0, "rows": 0, "columns": 0, "colors": 0}
    )

    def line(self, number: int) -> list[str]:
        """The pieces on a pattern line; line 1 has room for one piece, line 5 for five."""
        return self.lines[number - 1]

    def line_is_full(self, number: int) -> bool:
        return len(self.line(number)) == number

    def line_takes(self, number: int, color: str) -> bool:
        """Whether at least one piece of this color may be laid on this pattern line (A3)."""
        if self.line_is_full(number):
            return False
        if color in self.row(number):
            return False
        return all(piece == color for piece in self.line(number))

    def row(self, number: int) -> list[str | None]:
        """The five spaces of a row of the wall: the tile on each, or None."""
        return self.wall[number - 1]

    def column(self, number: int) -> list[str | None]:
        """The five spaces of a column of the wall, from the top down."""
        return [row[number - 1] for row in self.wall]

    def complete_rows(self) -> int:
        return sum(1 for number in ONE_TO_FIVE if None not in self.row(number))

    def complete_columns(self) -> int:
        return sum(1 for number in ONE_TO_FIVE if None not in self.column(number))

    def tiles(self) -> list[str]:
        """All tiles on the wall."""
        return [tile for row in self.wall for tile in row if tile is not None]

    def gain(self, what_for: str, points: int) -> None:
        self.score += points
        self.points[what_for] += points


def connected(spaces: list[str | None], position: int) -> int:
    """How many tiles lie next to each other without a gap around this position, itself included."""
    first = position
    while first > 1 and spaces[first - 2] is not None:
        first -= 1
    last = position
    while last < len(spaces) and spaces[last] is not None:
        last += 1
    return last - first + 1


class PlainAzul:
    """One game, driven from outside: deals, steps in words, ends of rounds and the final scoring."""

    player: int  # whose choice it is; between the rounds, who starts the next one
    round: int  # the round being played; between the rounds, the one to be dealt next

    def __init__(self, created: dict[str, Any], arranged: dict[str, Any]) -> None:
        number_of_players = len(created["players"])
        if number_of_players not in DISPLAYS_FOR_PLAYERS:
            raise ValueError(f"{number_of_players} players cannot play")
        self.colors: list[str] = list(arranged["colors"])
        self.printed: list[list[str | None]] = [list(row) for row in arranged["wall"]]
        self.multiplier: int = arranged["multiplier"]
        self.floor_points: list[int] = list(arranged["floor"])
        self.bonus: dict[str, int] = dict(arranged["bonus"])
        self.players_choose_columns = any(space is None for row in self.printed for space in row)

        self.boards = [Board() for _ in created["players"]]
        self.bag: Counter[str] = Counter(dict.fromkeys(self.colors, PIECES_OF_EACH_COLOR))
        self.lid: Counter[str] = Counter()
        self.displays: list[list[str]] = []
        self.center: list[str] = []
        self.hand: list[str] = []  # pieces picked and not placed yet

        self.round = 1
        self.player = 1  # R5
        self.next_to_start = 1  # who took the starting tile last (R3)
        self.tile_in_center = False
        self.still_to_tile: list[int] = []  # players who are not done with the tiling, in turn order
        self.waiting_for = "deal"  # "deal", "pick", "place", "tile", "end of round", "finish", "nothing"

    # ------------------------------------------------------------------ what can be asked at any time

    @property
    def round_is_over(self) -> bool:
        """Whether draft, tiling and floor are done and the end of the round was not carried out yet."""
        return self.waiting_for == "end of round"

    @property
    def game_is_over(self) -> bool:
        """Whether the round that was ended last has also ended the game (A6)."""
        return self.waiting_for in ("finish", "nothing")

    def scores(self) -> list[int]:
        return [board.score for board in self.boards]

    def breakdown(self) -> list[dict[str, int]]:
        """For each player, what the points so far were for; they add up to the score."""
        return [dict(board.points) for board in self.boards]

    def pieces(self) -> Counter[str]:
        """Every piece of the game by color, wherever it is."""
        everything: Counter[str] = Counter()
        everything.update(self.bag)
        everything.update(self.lid)
        for display in self.displays:
            everything.update(display)
        everything.update(self.center)
        everything.update(self.hand)
        for board in self.boards:
            for line in board.lines:
                everything.update(line)
            everything.update(board.tiles())
            everything.update(thing for thing in board.floor if thing != STARTING_TILE)
        return everything

    # --------------------------------------------------------------------------- the start of a round

    def deal(self, dealt: dict[str, Any]) -> None:
        """Fill the displays as the event says, piece by piece, after checking that it can be so (R2)."""
        if self.waiting_for != "deal":
            raise ValueError("this is not the time to deal")
        if dealt["round"] != self.round:
            raise ValueError(f"round {self.round} comes next, not round {dealt['round']}")
        displays_needed = DISPLAYS_FOR_PLAYERS[len(self.boards)]  # R1
        if len(dealt["displays"]) != displays_needed:
            raise ValueError(f"there must be {displays_needed} displays, not {len(dealt['displays'])}")

        bag = Counter(self.bag)
        lid = Counter(self.lid)
        for number, display in enumerate(dealt["displays"], start=1):
            if len(display) > PIECES_ON_A_DISPLAY:
                raise ValueError(f"display {number} has more than {PIECES_ON_A_DISPLAY} pieces")
            for color in display:
                if bag.total() == 0:
                    bag = lid
                    lid = Counter()
                if bag[color] == 0:
                    raise ValueError(f"display {number}: the bag holds no {color}")
                bag[color] -= 1
            pieces_left = bag.total() + lid.total()
            if len(display) < PIECES_ON_A_DISPLAY and pieces_left > 0:
                raise ValueError(f"display {number} is short although there are pieces left")

        self.bag = bag
        self.lid = lid
        self.displays = [list(display) for display in dealt["displays"]]
        self.tile_in_center = True
        self.player = self.next_to_start
        self.waiting_for = "pick"

    # -------------------------------------------------------------------- the steps a player may take

    def legal(self) -> list[str]:
        """The steps that the player may take next; none when no player has to choose."""
        if self.waiting_for == "pick":
            return self._legal_picks()
        if self.waiting_for == "place":
            return self._legal_places()
        if self.waiting_for == "tile":
            return self._legal_tiles()
        return []

    def _legal_picks(self) -> list[str]:
        steps = []
        for number, display in enumerate(self.displays, start=1):
            for color in self.colors:
                if color in display:
                    steps.append(f"pick {number} {color}")
        for color in self.colors:
            if color in self.center:
                steps.append(f"pick center {color}")
        return steps

    def _legal_places(self) -> list[str]:
        board = self._current_board()
        color = self.hand[0]
        steps = [f"place {number}" for number in ONE_TO_FIVE if board.line_takes(number, color)]
        steps.append("place floor")  # A1
        return steps

    def _legal_tiles(self) -> list[str]:
        board = self._current_board()
        row = self._first_full_line(board)
        assert row is not None
        return [f"tile {row} {column}" for column in self._columns_for_line(board, row)]

    def _current_board(self) -> Board:
        return self.boards[self.player - 1]

    def _player_after(self, player: int) -> int:
        return player % len(self.boards) + 1

    def play(self, words: str) -> None:
        """Play one of the legal steps."""
        if words not in self.legal():
            raise ValueError(f"not a legal step: {words}")
        match words.split():
            case ["pick", source, color]:
                self._pick(source, color)
            case ["place", "floor"]:
                self._place_on_floor()
            case ["place", line]:
                self._place_on_line(int(line))
            case ["tile", row, column]:
                self._move_to_wall(self._current_board(), int(row), int(column))
                self._go_on_with_tiling()
            case _:
                raise ValueError(f"not a step: {words}")

    # ------------------------------------------------------------------------------ picking and placing

    def _pick(self, source: str, color: str) -> None:
        """Take all pieces of one color, and the starting tile if it still lies in the center."""
        if source == "center":
            self.hand = [piece for piece in self.center if piece == color]
            self.center = [piece for piece in self.center if piece != color]
            if self.tile_in_center:
                self.tile_in_center = False
                self.next_to_start = self.player
                if self._floor_has_room(self._current_board()):  # A2
                    self._current_board().floor.append(STARTING_TILE)
        else:
            display = self.displays[int(source) - 1]
            self.hand = [piece for piece in display if piece == color]
            self.center += [piece for piece in display if piece != color]
            self.displays[int(source) - 1] = []
        self.waiting_for = "place"

    def _place_on_line(self, number: int) -> None:
        """Lay the picked pieces on a pattern line; those that do not fit fall to the floor."""
        board = self._current_board()
        while self.hand and not board.line_is_full(number):
            board.line(number).append(self.hand.pop())
        self._place_on_floor()

    def _place_on_floor(self) -> None:
        """What is still in the hand falls to the floor, and the turn ends."""
        self._drop(self._current_board(), self.hand)
        self.hand = []
        if self.center or any(self.displays):
            self.player = self._player_after(self.player)
            self.waiting_for = "pick"
        else:
            self._start_tiling()

    def _floor_has_room(self, board: Board) -> bool:
        return len(board.floor) < len(self.floor_points)

    def _drop(self, board: Board, pieces: list[str]) -> None:
        """Pieces fall to the floor line, and into the lid once it is full (A1)."""
        for piece in pieces:
            if self._floor_has_room(board):
                board.floor.append(piece)
            else:
                self.lid[piece] += 1

    # -------------------------------------------------------------------------------------- the tiling

    def _start_tiling(self) -> None:
        """Line the players up, beginning with the one who starts the next round."""
        self.still_to_tile = []
        player = self.next_to_start
        for _ in self.boards:
            self.still_to_tile.append(player)
            player = self._player_after(player)
        self._go_on_with_tiling()

    def _go_on_with_tiling(self) -> None:
        """Do all that needs no choice, until a player has to choose a column or everybody is done.

        A line leaves its pieces behind when it is tiled or falls, so the first full line from the top
        is always the one whose turn it is (A4).
        """
        while self.still_to_tile:
            self.player = self.still_to_tile[0]
            board = self._current_board()
            row = self._first_full_line(board)
            if row is None:
                self._count_floor(board)
                self.still_to_tile.pop(0)
                continue
            columns = self._columns_for_line(board, row)
            if not columns:
                self._drop(board, board.line(row))
                board.line(row).clear()
            elif self.players_choose_columns:
                self.waiting_for = "tile"
                return
            else:
                self._move_to_wall(board, row, columns[0])
        self.player = self.next_to_start
        self.waiting_for = "end of round"

    def _first_full_line(self, board: Board) -> int | None:
        for number in ONE_TO_FIVE:
            if board.line_is_full(number):
                return number
        return None

    def _columns_for_line(self, board: Board, row: int) -> list[int]:
        """The columns in which the color of this pattern line may go to its wall row (A4, C1)."""
        color = board.line(row)[0]
        if color in board.row(row):
            return []
        columns = []
        for column in ONE_TO_FIVE:
            is_empty = board.row(row)[column - 1] is None
            printed = self.printed[row - 1][column - 1]
            if is_empty and printed in (None, color) and color not in board.column(column):
                columns.append(column)
        return columns

    def _move_to_wall(self, board: Board, row: int, column: int) -> None:
        """One piece of the full line goes to the wall and scores; the others go to the lid."""
        line = board.line(row)
        board.row(row)[column - 1] = line.pop()
        self.lid.update(line)
        line.clear()

        horizontal = connected(board.row(row), column)
        vertical = connected(board.column(column), row)
        points = 0
        if horizontal > 1:
            points += horizontal
        if vertical > 1:
            points += vertical
        if horizontal == 1 and vertical == 1:
            points = 1
        if self.printed[row - 1][column - 1] is not None:
            points *= self.multiplier  # C2
        board.gain("tiles", points)

    def _count_floor(self, board: Board) -> None:
        """Take the points for the floor line, never more than the player has (A5), and clear it.

        The starting tile costs like a piece but does not go to the lid: it is laid in the center
        with the next deal.
        """
        loss = 0
        for _, value in zip(board.floor, self.floor_points, strict=False):
            loss -= value
        board.gain("floor", -min(loss, board.score))
        self.lid.update(thing for thing in board.floor if thing != STARTING_TILE)
        board.floor = []

    # --------------------------------------------------------------- the end of a round, of the game

    def end_round(self) -> dict[str, Any]:
        """Report the scores, and make ready for the next deal unless the game is over (A6)."""
        if not self.round_is_over:
            raise ValueError("the round is not over")
        result = {"round": self.round, "scores": self.scores()}
        somebody_completed_a_row = any(board.complete_rows() > 0 for board in self.boards)
        nothing_left_to_deal = self.bag.total() + self.lid.total() == 0
        if somebody_completed_a_row or nothing_left_to_deal:
            self.waiting_for = "finish"
        else:
            self.round += 1
            self.waiting_for = "deal"
        return result

    def finish(self) -> dict[str, Any]:
        """The bonuses for rows, columns and colors, and who won (A6, C2, C3)."""
        if self.waiting_for != "finish":
            raise ValueError("this is not the time for the final scoring")
        for board in self.boards:
            tiles = board.tiles()
            complete_colors = sum(1 for color in self.colors if tiles.count(color) == 5)
            board.gain("rows", self.bonus["row"] * board.complete_rows())
            board.gain("columns", self.bonus["column"] * board.complete_columns())
            board.gain("colors", self.bonus["color"] * complete_colors)
        self.waiting_for = "nothing"
        return {"scores": self.scores(), "winners": self._winners()}

    def _winners(self) -> list[int]:
        """The highest score wins, among equals the most complete rows; else the victory is shared."""
        highest = max(board.score for board in self.boards)
        leaders = [board for board in self.boards if board.score == highest]
        most_rows = max(board.complete_rows() for board in leaders)
        return [
            number
            for number, board in enumerate(self.boards, start=1)
            if board.score == highest and board.complete_rows() == most_rows
        ]
