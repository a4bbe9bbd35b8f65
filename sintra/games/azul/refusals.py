"""Why a step is not legal, in words."""

from __future__ import annotations

from sintra.games.azul.arrangement import FREE
from sintra.games.azul.codes import PLACE, PLACING, TILE, TILING
from sintra.games.azul.colors import COLORS
from sintra.games.azul.player import SIZE
from sintra.games.azul.rules import AzulState
from sintra.rules.bits import lowest
from sintra.rules.refusals import why_no_pick
from sintra.text import pieces


def why_not(state: AzulState, code: int) -> str:
    """Say why this step is not legal here, and what would be."""
    wanted = "pick" if code < PLACE else "place" if code < TILE else "tile"
    if state.phase == PLACING and wanted != "place":
        return f"the {pieces({COLORS[state.color]: state.hand})} in hand must be placed first"
    if state.phase == TILING and wanted != "tile":
        line = lowest(state.boards[state.player].full) + 1
        return f"line {line} is full: first say where its piece goes (A4)"
    if wanted == "pick":
        return why_no_pick(state.offer, code, COLORS)
    if wanted == "place":
        if state.phase != PLACING:
            return "nothing in hand yet, so pick first"
        return _why_no_place(state, code - PLACE - 1)
    if not state.printed.free:
        return "every space of this wall is printed, so nobody chooses where tiles go (A4)"
    if state.phase != TILING:
        return "tiles go to the wall after the last pick of a round"
    return _why_no_tile(state, *divmod(code - TILE, SIZE))


def _why_no_place(state: AzulState, line: int) -> str:
    board = state.boards[state.player]
    color = COLORS[state.color]
    there = board.pieces_on(line)
    if there > line:
        return f"line {line + 1} is full"
    if there and board.color_of(line) != state.color:
        return f"line {line + 1} holds {COLORS[board.color_of(line)]}, not {color}"
    return f"row {line + 1} of the wall already holds {color} (A3)"


def _why_no_tile(state: AzulState, row: int, column: int) -> str:
    board = state.boards[state.player]
    first = lowest(board.full)
    if row != first:
        return f"line {first + 1} comes first (A4)"
    color = board.color_of(row)
    if board.tile_at(row, column):
        return f"row {row + 1}, column {column + 1} already has a tile"
    printed = state.printed.colors[row * SIZE + column]
    if printed not in (FREE, color):
        return f"that space is for {COLORS[printed]} only (C1)"
    return f"column {column + 1} already holds {COLORS[color]} (A4)"
