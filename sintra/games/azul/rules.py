"""The rules of Azul and Crystal Mosaic for 2 to 4 players, in the order of Azul's rulebook.

All boards are played by the same code and differ by what is printed on them (`PrintedBoard`): which spaces of
the wall show a color and which are free, what a printed space multiplies by, floor and bonuses. On a fully
printed wall, a tile has only one place to go, so tiling is automatic; on a wall with free spaces the players
choose. Numbers in parentheses are rulings: see `rulings`.
"""

from __future__ import annotations

from typing import Final

from sintra._mypyc import i64, mypyc_attr
from sintra.games.azul.arrangement import BLANK, PrintedBoard, printed_board
from sintra.games.azul.codes import (
    DISCARDED,
    FELL,
    FILLED,
    FLOOR_LOST,
    PICKING,
    PLACE,
    PLACING,
    ROWS_SCORED,
    SOURCES,
    TILE,
    TILED,
    TILING,
    UNTILED,
)
from sintra.games.azul.estimate import Reckoning
from sintra.games.azul.events import AzulArranged
from sintra.games.azul.player import FLOOR_SPACES, SIZE, PlayerBoard
from sintra.games.azul.worth import worth
from sintra.rules.bits import lowest, members, nth, size
from sintra.rules.chance import Stream
from sintra.rules.estimates import Estimate
from sintra.rules.offer import PICK_CODES
from sintra.rules.piles import counts, of
from sintra.rules.state import CHOICE, DEAL, GAME_END, OVER, ROUND_END, TURN_BITS, State

ALL_SPACES: Final = 0x1FFFFFF
"""The set of all spaces of a wall."""


@mypyc_attr(free_list_len=1)
class AzulState(State):
    """A game of Azul or Crystal Mosaic under way."""

    boards: list[PlayerBoard]
    printed: PrintedBoard

    # -- Setup --

    def __init__(self, players: i64, like: AzulState | None = None) -> None:
        """Give everybody an empty board and wait for the arrangement; or copy another state."""
        super().__init__(players, like)
        if like is None:
            self.boards = [PlayerBoard() for _ in range(players)]
            self.printed = BLANK
        else:
            self.boards = [board.copy() for board in like.boards]
            self.printed = like.printed

    def arrange(self, event: AzulArranged) -> None:
        """Everybody plays on the same side of the boards; nothing is laid out by chance."""
        self.printed = printed_board(event)
        self.phase = DEAL

    # -- What a player may do --

    def choices(self) -> i64:
        """Return the legal steps as a set: bit n stands for the step with the code `first_code() + n`.

        While picking: every color on a display or in the center. While placing: the floor, which takes all
        that is in hand (A1), and the lines that take the color (A3). While tiling: the spaces for the piece.
        """
        phase = self.phase
        if phase == PICKING:
            return self.offer.open
        if phase < CHOICE:
            return 0
        board = self.boards[self.player]
        if phase == PLACING:
            return 1 | board.lines_for(self.color) << 1
        row = lowest(board.full)
        return self.columns_for(board, row) << row * SIZE

    def first_code(self) -> i64:
        """Return the code of the first step of the kind that a player has to choose from."""
        if self.phase == PICKING:
            return 0
        return PLACE if self.phase == PLACING else TILE

    def legal(self) -> list[int]:
        """Return the codes of all legal steps, ascending."""
        phase = self.phase
        if phase == PICKING:
            return members(self.offer.open)
        if phase == PLACING:
            return members(self.choices(), PLACE)
        return members(self.choices(), TILE)

    def allows(self, code: i64) -> bool:
        """Return True if this code is legal, without listing all legal ones."""
        if self.phase == PICKING:
            return 0 <= code < PICK_CODES and self.offer.open >> code & 1 == 1
        place = code - self.first_code()
        return 0 <= place < PICK_CODES and self.choices() >> place & 1 == 1

    def choose_any(self, stream: Stream) -> i64:
        """Return a legal step at random, without listing them."""
        choices = self.choices()
        return self.first_code() + nth(choices, stream.below(size(choices)))

    def turns(self) -> list[int]:
        """Return all turns that differ: displays that were dealt the same pieces count once."""
        if self.phase != PICKING:
            return [code + 1 for code in self.legal()]
        offer = self.offer
        board = self.boards[self.player]
        found: list[int] = []
        picks = offer.open
        while picks:
            pick = lowest(picks)
            picks &= picks - 1
            if pick >= SIZE and offer.has_twin(pick // SIZE):
                continue
            lines = board.lines_for(pick % SIZE)
            while lines:
                found.append(pick + 1 | (PLACE + 2 + lowest(lines)) << TURN_BITS)
                lines &= lines - 1
            found.append(pick + 1 | (PLACE + 1) << TURN_BITS)
        return found

    def play(self, code: i64) -> None:
        """Take a legal step, and do what the rules say follows from it."""
        if code < PLACE:
            self._pick(code)
        elif code < TILE:
            self._place(code - PLACE - 1)
        else:
            self._tile((code - TILE) % SIZE)

    # -- Phase A: the factory offer --

    def _pick(self, code: i64) -> None:
        """Take all pieces of one color from a display or from the center.

        The round's first pick from the center takes the starting tile: it goes to the leftmost free space
        of the floor line before the pieces do, or nowhere when that is full (A2).
        """
        self.take(code)
        self.phase = PLACING
        if code < SIZE and self.take_tile(code):
            self.boards[self.player].drop_starting_tile()

    def _place(self, line: i64) -> None:
        """Put all pieces on one pattern line, the excess on the floor; or drop them all (A1).

        Line -1 stands for the floor.
        """
        board = self.boards[self.player]
        hand = self.hand
        if line >= 0:
            fits = board.fill(line, self.color, hand)
            hand -= fits
            if self.effects is not None:
                self.note(FILLED, self.player, line + 1, fits)
        if hand:
            self._drop(board, self.color, hand)
        self.hand = 0
        if self.offer.open:
            self.next_player()
            self.phase = PICKING
        elif self.printed.free:
            self.player = self.starter
            self._go_on_tiling()
        else:
            self.phase = ROUND_END

    def _drop(self, board: PlayerBoard, color: i64, pieces: i64) -> None:
        """Let pieces fall to the floor line, left to right, and past its last space into the lid (A1)."""
        room = FLOOR_SPACES - board.floored
        falling = pieces if pieces < room else room
        board.drop(color, falling)
        if pieces > falling:
            self.offer.discard(color, pieces - falling)
        if self.effects is not None:
            self.note(FELL, self.player, falling)
            if pieces > falling:
                self.note(DISCARDED, self.player, pieces - falling)

    # -- Phase B: tiling the walls --

    def _go_on_tiling(self) -> None:
        """Advance to the next line that a player has to tile; without one, the round is over.

        Players tile in turn order, from the one who starts the next round, each from the top down. A full
        line that fits nowhere falls to the floor at once (A4); the floor is counted after the last line.
        """
        while True:
            board = self.boards[self.player]
            while board.full:
                row = lowest(board.full)
                if self.columns_for(board, row):
                    self.phase = TILING
                    return
                if self.effects is not None:
                    self.note(UNTILED, self.player, row + 1, row + 1)
                self._drop(board, board.color_of(row), row + 1)
                board.clear(row)
            self._count_floor(board)
            self.next_player()
            if self.player == self.starter:
                self.phase = ROUND_END
                return

    def columns_for(self, board: PlayerBoard, row: i64) -> i64:
        """Return where the color of a line may go in its row: spaces that are empty, printed with it or free,
        while neither the row nor the column holds the color (A4, C1)."""
        color = board.color_of(row)
        return board.columns_for(row, color, self.printed.spaces_for(row, color))

    def _tile(self, column: i64) -> None:
        """Put the piece of the topmost full line where the player chose."""
        board = self.boards[self.player]
        self._set_tile(board, lowest(board.full), column)
        self._go_on_tiling()

    def _set_tile(self, board: PlayerBoard, row: i64, column: i64) -> None:
        """Move one piece of a full line to the wall, where it scores at once, and the others to the lid.

        A printed space multiplies the points, on boards where it does (C2).
        """
        color = board.color_of(row)
        points = self.printed.multiplied(board.hang(row, column, color), row, column)
        board.clear(row)
        board.score += points
        self.offer.discard(color, row)
        if self.effects is not None:
            self.note(TILED, self.player, row + 1, column + 1, points)

    def _count_floor(self, board: PlayerBoard) -> None:
        """Every taken space of the floor line costs its points, down to a score of 0 at most (A5)."""
        if board.floored == 0:
            return
        printed: i64 = self.printed.losses[board.floored]
        loss = printed
        if loss > board.score:
            loss = board.score
        board.score -= loss
        board.lost += loss
        self.offer.tower += board.clear_floor()
        if self.effects is not None:
            self.note(FLOOR_LOST, self.player, loss, printed)

    # -- Phase C: preparing the next round --

    def end_round(self) -> None:
        """Tile walls without a choice; the game ends when a row is complete or nothing is left (A6)."""
        if not self.printed.free:
            self.player = self.starter
            while True:
                board = self.boards[self.player]
                self._tile_all(board)
                self._count_floor(board)
                self.next_player()
                if self.player == self.starter:
                    break
        ended = self.offer.exhausted()
        for board in self.boards:
            if board.rows:
                ended = True
        self.phase = GAME_END if ended else DEAL

    def _tile_all(self, board: PlayerBoard) -> None:
        """On a fully printed wall, every full line has only one place to go."""
        while board.full:
            row = lowest(board.full)
            self._set_tile(board, row, lowest(self.printed.spaces_for(row, board.color_of(row))))

    # -- End of the game --

    def finish(self) -> None:
        """Score complete rows, columns and colors (A6, C2, C3)."""
        for player, board in enumerate(self.boards):
            complete = (board.rows, board.full_columns(), board.full_colors())
            bonuses = self._bonuses(board)
            board.score += sum(bonuses)
            for at in range(3):
                self.note(ROWS_SCORED + at, player, complete[at], bonuses[at])
        self.phase = OVER

    def _bonuses(self, board: PlayerBoard) -> list[int]:
        """Return the points for complete rows, columns and colors."""
        printed = self.printed
        return [
            board.rows * printed.row_bonus,
            board.full_columns() * printed.column_bonus,
            board.full_colors() * printed.color_bonus,
        ]

    def scores(self) -> list[int]:
        """Return every player's points."""
        return [board.score for board in self.boards]

    def winners(self) -> list[int]:
        """Return who has the most points; then the most complete rows; else it is shared (A6)."""
        ranks = [(board.score, board.rows) for board in self.boards]
        best = max(ranks)
        return [player for player, rank in enumerate(ranks) if rank == best]

    def breakdown(self) -> list[dict[str, int]]:
        """Return every player's points by where they came from."""
        found = []
        for board in self.boards:
            bonuses = self._bonuses(board) if self.phase == OVER else [0, 0, 0]
            points = [board.score + board.lost - sum(bonuses), -board.lost, *bonuses]
            found.append({source: points[at] for at, source in enumerate(SOURCES)})
        return found

    def worth(self, player: i64) -> int:
        """Return what the table is worth to a player, in 20ths of a point: see `worth`."""
        board = self.boards[player]
        return 20 * board.score if self.phase == OVER else worth(board, self.printed)

    def board(self) -> str:
        """Return the name of the board; with other printed values, that of the most similar board."""
        if self.printed.free == 0:
            return "azul-colored"
        if self.printed.free == ALL_SPACES:
            return "azul-gray"
        return "crystal-1" if self.printed.multiplier > 1 else "crystal-2"

    def estimates(self, into: Estimate) -> list[int]:
        """Return every player's estimate, in hundredths of a point: see `estimate`."""
        reckoning = Reckoning(self.boards, self.printed, self.offer, self.player, self.starter)
        return [reckoning.of(player, into) for player in range(self.seats)]

    def census(self) -> list[int]:
        """Return all pieces of each color: on offer, in bag and lid, on boards and in hand."""
        pile = of(self.color, self.hand)
        for board in self.boards:
            pile += board.pieces()
        return [a + b for a, b in zip(self.offer.census(), counts(pile, SIZE), strict=True)]

    # -- Copies and keys --

    def copy(self) -> AzulState:
        """Return an independent, unwatched copy."""
        return AzulState(self.seats, self)

    def become(self, other: AzulState) -> None:
        """Become an unwatched copy of another game with as many players, in place."""
        self._assume(other)
        self.offer.become(other.offer)
        self.printed = other.printed
        seat: i64 = 0
        while seat < self.seats:
            self.boards[seat].become(other.boards[seat])
            seat += 1

    def key(self) -> i64:
        """Return a 63-bit hash of everything on the table, and of the scores."""
        key = self._common_key()
        for board in self.boards:
            key = board.key(key)
        return key
