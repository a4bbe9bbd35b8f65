"""The table of Azul and Crystal Mosaic as an immutable value, in words."""

from __future__ import annotations

from msgspec import Struct

from sintra.frozen import Value
from sintra.games.azul.arrangement import FREE
from sintra.games.azul.codes import AWAITS, TILING
from sintra.games.azul.colors import COLORS
from sintra.games.azul.player import NIBBLE, SIZE, STARTING_TILE, PlayerBoard
from sintra.games.azul.rules import AzulState
from sintra.rules.bits import lowest
from sintra.rules.piles import named
from sintra.rules.state import CHOICE


class LineSnapshot(Struct, frozen=True):
    """A pattern line: its number of spaces, of pieces on it, and their color."""

    spaces: int
    pieces: int
    color: str | None


class BoardSnapshot(Value, frozen=True):
    """Everything that lies in front of one player."""

    score: int
    points: dict[str, int]
    lines: tuple[LineSnapshot, ...]
    wall: tuple[tuple[str | None, ...], ...]
    floor: tuple[str, ...]


class AzulSnapshot(Value, frozen=True):
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
    players: tuple[BoardSnapshot, ...]


def snapshot(state: AzulState) -> AzulSnapshot:
    """Return the whole table."""
    offer = state.offer
    printed = state.printed
    center, *displays = (named(pile, COLORS) for pile in offer.sources())
    return AzulSnapshot(
        round=state.round,
        player=state.player + 1 if state.phase >= CHOICE else None,
        awaits=AWAITS[state.phase],
        displays=tuple(displays),
        center=center,
        starting_tile=offer.tile,
        starter=state.starter + 1,
        hand={COLORS[state.color]: state.hand} if state.hand else {},
        tiling=lowest(state.boards[state.player].full) + 1 if state.phase == TILING else None,
        bag=named(offer.bag, COLORS),
        lid=named(offer.tower, COLORS),
        wall=tuple(
            tuple(None if color == FREE else COLORS[color] for color in printed.colors[at : at + SIZE])
            for at in range(0, len(printed.colors), SIZE)
        ),
        multiplier=printed.multiplier,
        floor=printed.floor,
        players=tuple(map(_board, state.boards, state.breakdown())),
    )


def _board(board: PlayerBoard, points: dict[str, int]) -> BoardSnapshot:
    floor = [board.floor >> at * 4 & NIBBLE for at in range(board.floored)]
    return BoardSnapshot(
        score=board.score,
        points=points,
        lines=tuple(_line(board, line) for line in range(SIZE)),
        wall=tuple(tuple(_name(board.tile_at(row, column)) for column in range(SIZE)) for row in range(SIZE)),
        floor=tuple("starting tile" if piece == STARTING_TILE else COLORS[piece - 1] for piece in floor),
    )


def _line(board: PlayerBoard, line: int) -> LineSnapshot:
    pieces = board.pieces_on(line)
    return LineSnapshot(line + 1, pieces, COLORS[board.color_of(line)] if pieces else None)


def _name(tile: int) -> str | None:
    return COLORS[tile - 1] if tile else None
