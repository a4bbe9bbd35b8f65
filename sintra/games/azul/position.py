"""Positions of Azul and Crystal Mosaic as text, and their checks.

After the table, `printed` has the wall (`.` where any color may go), what a printed space multiplies by, the
floor line and the bonuses. A player has the score, the points lost for the floor so far, the pattern lines
from the top, the tiles on the wall by rows (`.` for an empty space), and the floor line from the left.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from sintra.games.azul.arrangement import FREE
from sintra.games.azul.boards import Board
from sintra.games.azul.codes import AWAITS, PICKING, PLACING, TILING
from sintra.games.azul.colors import COLORS, PALETTE
from sintra.games.azul.events import AzulArranged
from sintra.games.azul.player import FLOOR_SPACES, NIBBLE, SIZE, STARTING_TILE, PlayerBoard
from sintra.games.azul.rules import AzulState
from sintra.log.codec import in_words
from sintra.rules.piles import counts
from sintra.rules.position import (
    MAX_POINTS,
    NONE,
    TILE,
    Section,
    Table,
    joined,
    sections,
    table_words,
)
from sintra.rules.ruleset import Misfit
from sintra.rules.state import ARRANGE, DEAL, GAME_END, OVER, ROUND_END

FREE_SPACE = "."
BEST_TILE = 10
"""The most points that a tile scores, before anything multiplies them."""
LETTERS = tuple(PALETTE.letter(color) for color in COLORS)

# -- Writing ---------------------------------------------------------------------------------


def position(state: AzulState) -> str:
    """Return everything that lies on the table as text."""
    table = table_words(state, PALETTE, AWAITS, "lid")
    if state.phase == ARRANGE:
        return joined(table)
    return joined(table, _printed_words(state), *map(_board_words, state.boards))


def _printed_words(state: AzulState) -> dict[str, str]:
    printed = state.printed
    wall = "".join(FREE_SPACE if color == FREE else LETTERS[color] for color in printed.colors)
    return {
        "wall": _rows(wall),
        "multiplier": str(printed.multiplier),
        "floor": _listed(printed.floor),
        "bonus": _listed([printed.row_bonus, printed.column_bonus, printed.color_bonus]),
    }


def _board_words(board: PlayerBoard) -> dict[str, str]:
    lines = [board.pieces_on(line) * LETTERS[board.color_of(line)] or NONE for line in range(SIZE)]
    tiles = [board.tile_at(row, column) for row in range(SIZE) for column in range(SIZE)]
    floor = [board.floor >> at * 4 & NIBBLE for at in range(board.floored)]
    return {
        "score": str(board.score),
        "lost": str(board.lost),
        "lines": ",".join(lines),
        "wall": _rows("".join(LETTERS[tile - 1] if tile else FREE_SPACE for tile in tiles)),
        "floor": "".join(TILE if piece == STARTING_TILE else LETTERS[piece - 1] for piece in floor) or NONE,
    }


def _rows(spaces: str) -> str:
    return ",".join(spaces[at : at + SIZE] for at in range(0, len(spaces), SIZE))


def _listed(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))


# -- Reading ---------------------------------------------------------------------------------


def restore(players: int, board: Board, text: str) -> AzulState:
    """Return the state that a position describes; `board` has the printed values that the text leaves out."""
    state = AzulState(players)
    total = state.census()
    table, *others = sections(text, players)
    if not others:
        return state
    printed, *own = others
    state.arrange(_arranged(printed, board))
    for mine, section in zip(state.boards, own, strict=True):
        _fill(state, mine, section)
    laid = Table(table, state, total, PALETTE, AWAITS, "lid")
    laid.check_phase(PICKING, PLACING)
    _check_pieces(state, total)
    laid.finish()
    _check_phase(state)
    _check_tile(state)
    for number, mine in enumerate(state.boards, 1):
        _check_points(state, mine, f"player {number}")
    return state


def _arranged(section: Section, board: Board) -> AzulArranged:
    """Return what is printed, as an event."""
    usual = {
        "wall": _rows(
            "".join(FREE_SPACE if c is None else PALETTE.letter(c) for row in board.wall for c in row)
        ),
        "floor": _listed(board.floor),
        "bonus": _listed([board.bonus.row, board.bonus.column, board.bonus.color]),
    }
    wall = _wall(section, usual["wall"])
    row, column, color = section.numbers("bonus", 3, 0, 10**6, usual["bonus"])
    found = {
        "type": "arranged",
        "colors": COLORS,
        "wall": [[None if tile is None else COLORS[tile] for tile in row] for row in wall],
        "multiplier": section.number("multiplier", 1, 2, str(board.multiplier)),
        "floor": section.numbers("floor", FLOOR_SPACES, -(10**6), 0, usual["floor"]),
        "bonus": {"row": row, "column": column, "color": color},
    }
    section.end()
    try:
        return msgspec.convert(found, AzulArranged)
    except msgspec.ValidationError as error:
        raise Misfit("printed", in_words(error)) from None


def _wall(section: Section, default: str | None = None) -> list[list[int | None]]:
    """Return the colors of a wall by rows, None for a space without."""
    rows = section.parts("wall", SIZE, default)
    for row in rows:
        if len(row) != SIZE or not set(row) <= {FREE_SPACE, *LETTERS}:
            raise section.misfit("wall", f"{row[:40]!r} is not a row of five letters or dots")
    return [[None if tile == FREE_SPACE else LETTERS.index(tile) for tile in row] for row in rows]


def _fill(state: AzulState, board: PlayerBoard, section: Section) -> None:
    """Lay everything on a player's board; raise Misfit where the rules forbid it."""
    board.score = section.number("score", 0, MAX_POINTS)
    board.lost = section.number("lost", 0, MAX_POINTS)
    for row, tiles in enumerate(_wall(section)):
        for column, color in enumerate(tiles):
            if color is None:
                continue
            if not board.columns_for(row, color, state.printed.spaces_for(row, color)) >> column & 1:
                place = f"row {row + 1}, column {column + 1}"
                raise section.misfit("wall", f"{place} can't hold {COLORS[color]} (A4)")
            board.hang(row, column, color)
    for line, word in enumerate(section.parts("lines", SIZE)):
        if word != NONE:
            _fill_line(board, section, line, word)
    floor = section.word("floor")
    if floor != NONE and (len(floor) > FLOOR_SPACES or not set(floor) <= {TILE, *LETTERS}):
        raise section.misfit(
            "floor", f"{floor[:40]!r} is not up to seven letters, or + for the starting tile"
        )
    for piece in floor.replace(NONE, ""):
        if piece == TILE:
            board.drop_starting_tile()
        else:
            board.drop(LETTERS.index(piece), 1)
    section.end()


def _fill_line(board: PlayerBoard, section: Section, line: int, word: str) -> None:
    """Put pieces on a pattern line."""
    color = word[:1]
    if color not in LETTERS or set(word) != {color} or len(word) > line + 1:
        raise section.misfit(
            "lines", f"{word[:40]!r} can't lie on line {line + 1}: at most {line + 1} of a color"
        )
    if not board.lines_for(LETTERS.index(color)) >> line & 1:
        name = COLORS[LETTERS.index(color)]
        raise section.misfit("lines", f"line {line + 1} can't have {name}: its row of the wall has it (A3)")
    board.fill(line, LETTERS.index(color), len(word))


# -- Checks ----------------------------------------------------------------------------------


def _check_pieces(state: AzulState, total: Sequence[int]) -> None:
    """Raise Misfit if the boards have more pieces than the game: a pile could not count them."""
    boards = [counts(board.pieces(), SIZE) for board in state.boards]
    for color, most in enumerate(total):
        found = sum(pieces[color] for pieces in boards)
        if found > most:
            raise Misfit("position", f"{found} {COLORS[color]} pieces; the game has {most}")


def _check_phase(state: AzulState) -> None:
    """Raise Misfit if lines, floors and walls do not fit the phase."""
    phase, free = state.phase, bool(state.printed.free)
    tiled = phase in (DEAL, GAME_END, OVER) or (phase == ROUND_END and free)
    waiting = state.player if phase == TILING else -1
    done = state.round - (0 if tiled or phase == TILING else 1)
    for seat, board in enumerate(state.boards):
        name = f"player {seat + 1}"
        behind = (
            phase == TILING and (seat - state.starter) % state.seats < (waiting - state.starter) % state.seats
        )
        if (tiled or behind) and board.full:
            raise Misfit(name, "lines: a full line would have been tiled by now")
        if (tiled or behind) and board.floored:
            raise Misfit(name, "floor: it would have been cleared by now")
        if board.rows and (phase in (DEAL, PICKING, PLACING) or (phase == ROUND_END and not free)):
            raise Misfit(name, "wall: the game ends with the round in which a row is completed (A6)")
        if _tiles(board) > SIZE * done:
            raise Misfit(name, f"wall: more tiles than {done} rounds can bring")
    if phase == TILING and (not free or not state.boards[waiting].full or not state.legal()):
        raise Misfit("table", f"awaits: player {waiting + 1} has nothing to tile")
    ended = state.offer.exhausted() or any(board.rows for board in state.boards)
    if phase in (DEAL, GAME_END, OVER) and ended != (phase != DEAL):
        raise Misfit(
            "table", "awaits: the game ends when a row is complete or nothing is left, and only then (A6)"
        )


def _check_tile(state: AzulState) -> None:
    """Raise Misfit unless the starting tile is in the center, or with whoever starts the next round."""
    holders = [seat for seat, board in enumerate(state.boards) if _starting_tiles(board)]
    count = sum(map(_starting_tiles, state.boards))
    if count + state.offer.tile > 1:
        raise Misfit("position", "there is more than one starting tile (+)")
    if holders and holders[0] != state.starter:
        raise Misfit("table", f"starter: player {holders[0] + 1} has the starting tile")
    full = state.boards[state.starter].floored == FLOOR_SPACES
    if state.phase in (PICKING, PLACING) and not (count or state.offer.tile or full):
        raise Misfit("position", "the starting tile (+) is missing")


def _check_points(state: AzulState, board: PlayerBoard, name: str) -> None:
    """Raise Misfit if the tiles on a wall can't have scored this."""
    bonus = 0
    if state.phase == OVER:
        printed = state.printed
        bonus = board.rows * printed.row_bonus + board.full_columns() * printed.column_bonus
        bonus += board.full_colors() * printed.color_bonus
    points, tiles = board.score + board.lost - bonus, _tiles(board)
    if board.score < bonus or not tiles <= points <= tiles * BEST_TILE * state.printed.multiplier:
        raise Misfit(name, f"score: {tiles} tiles can't have scored {points}")


def _tiles(board: PlayerBoard) -> int:
    return sum(board.tile_at(row, column) > 0 for row in range(SIZE) for column in range(SIZE))


def _starting_tiles(board: PlayerBoard) -> int:
    return sum(board.floor >> at * 4 & NIBBLE == STARTING_TILE for at in range(board.floored))
