"""Tables to play at: games of Azul and Crystal Mosaic with exactly the pieces that a test needs.

Colors go by their letters: b(lue), y(ellow), r(ed), (blac)k, t(eal), and * for the starting tile on a floor
line. Displays stand in a row, "rrrr yykt", where "-" is an empty one; a wall is drawn by its five rows,
"byrkt .b... ..... ..... .....", with dots for spaces that are empty (or, where it is printed, free).
Every table has chance "table": what is dealt is what a test says, and nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

import sintra
from sintra.games.azul.arrangement import FREE
from sintra.games.azul.codes import PICKING
from sintra.games.azul.events import AzulArranged
from sintra.games.azul.player import NIBBLE, STARTING_TILE, PlayerBoard
from sintra.games.azul.rules import AzulState
from sintra.games.azul.snapshot import AzulSnapshot as Table
from sintra.games.azul.snapshot import BoardSnapshot as Board
from sintra.log.events import Dealt, Event
from sintra.rules.piles import count, of, packed
from tests.kit.tables import words

EVA, JESPER, THORE, IDA = 1, 2, 3, 4
NAMES = ("Eva", "Jesper", "Thore", "Ida")
COLORS = ("blue", "yellow", "red", "black", "teal")
LETTERS = "byrkt"
WORDS = dict(zip(LETTERS, COLORS, strict=True))
SIDES = {"colored": "azul", "gray": "azul", "1": "crystal", "2": "crystal"}
"""The rule-set that each side of the boards belongs to."""

DEAL = "rrrr yyyy kkkk bbbb tttt rrrr yyyy kkkk bbbb"
"""One color on each display; a table takes as many of them as it has."""
EMPTY = "..... ..... ..... ..... ....."
COLORED = "byrkt tbyrk ktbyr rktby yrktb"


# -- Laying a table --------------------------------------------------------------------------


def printed(drawing: str) -> tuple[tuple[str | None, ...], ...]:
    """The wall that a drawing shows, as it is arranged."""
    return tuple(tuple(WORDS.get(letter) for letter in row) for row in drawing.split())


def arranged(side: str, **own: Any) -> AzulArranged:
    """Return what is printed on a side of the boards, with the values given replaced."""
    event = sintra.new(SIDES[side], seed=0, side=side).events[1]
    assert isinstance(event, AzulArranged)
    return replace(event, **own)


def table(
    displays: str | None = DEAL,
    *,
    side: str = "colored",
    players: int = 2,
    names: tuple[str, ...] = NAMES,
    **own: Any,
) -> sintra.Game:
    """A game that is created, arranged and, unless `displays` is None, dealt."""
    game = sintra.new(SIDES[side], names[:players], chance="table", side=side)
    game.record(arranged(side, **own))
    if displays is not None:
        deal(game, displays)
    return game


def deal(game: sintra.Game, displays: str = DEAL) -> list[Event]:
    """Fill the displays of the next round."""
    filled = [tuple(WORDS[letter] for letter in pile if letter != "-") for pile in displays.split()]
    if displays == DEAL:
        filled = filled[: 2 * len(game.players) + 1]
    return game.record(Dealt(game.round + 1, tuple(filled)))


def finish_round(game: sintra.Game, *, last: str = "k", player: int = JESPER) -> list[Event]:
    """A player takes the last piece of the round and lays it on the lowest line that takes it."""
    only_left(game, last, turn=player)
    game.play(f"pick 1 {WORDS[last]}")
    return game.play(words(game)[-1])


# -- Positions that would take long to play --------------------------------------------------


def lay(
    game: sintra.Game,
    player: int,
    *,
    wall: str = EMPTY,
    lines: Mapping[int, str] | None = None,
    floor: str = "",
    score: int = 0,
) -> None:
    """Give a player tiles on the wall, pieces on pattern lines and on the floor line, and points.

    The pieces come from the bag. Who has the starting tile on the floor line starts the next round.
    """
    state = _state(game)
    board = state.boards[player - 1]
    _hang(state, board, wall)
    for line, pieces in (lines or {}).items():
        board.fill(line - 1, _drawn(state, pieces)[0], len(pieces))
    for letter in floor:
        if letter == "*":
            board.drop_starting_tile()
        else:
            board.drop(_drawn(state, letter)[0], 1)
    if "*" in floor:
        state.offer.tile, state.starter = False, player - 1
    board.score += score


def _hang(state: AzulState, board: PlayerBoard, drawing: str) -> None:
    """Put tiles on a wall as the rules do, so that what is kept of it stays in step; nothing else changes."""
    rows = drawing.split()
    for spaces in (*rows, *zip(*rows, strict=True)):
        tiles = [letter for letter in spaces if letter != "."]
        assert len(tiles) == len(set(tiles)), f"a color is twice in a row or column of {drawing}"
    for at, letter in enumerate("".join(rows)):
        if letter != ".":
            color = _drawn(state, letter)[0]
            assert state.printed.colors[at] in (FREE, color), f"{drawing} does not fit what is printed"
            board.hang(*divmod(at, 5), color)


def only_left(game: sintra.Game, display: str = "", *, center: str = "", turn: int = EVA) -> None:
    """Clear the table but for these pieces on display 1 and in the center; it is this player's turn.

    The rest goes back to the bag. The starting tile lies in the center, if not on a floor line.
    """
    state = _state(game)
    offer = state.offer
    offer.bag += sum(offer.sources())
    middle, first = (sum(of(color, 1) for color in _drawn(state, letters)) for letters in (center, display))
    offer.show(middle, [0, first] + [0] * (offer.displays - 1))
    offer.tile = not any(_has_tile(board) for board in state.boards)
    state.player, state.phase = turn - 1, PICKING


def _has_tile(board: PlayerBoard) -> bool:
    return any(board.floor >> at * 4 & NIBBLE == STARTING_TILE for at in range(board.floored))


def stock(game: sintra.Game, *, bag: str, lid: str) -> None:
    """Let bag and lid hold these pieces and no others."""
    offer = _state(game).offer
    offer.bag = packed([bag.count(letter) for letter in LETTERS])
    offer.tower = packed([lid.count(letter) for letter in LETTERS])


def _drawn(state: AzulState, letters: str) -> list[int]:
    """Pieces taken out of the bag, as numbers."""
    numbers = [LETTERS.index(letter) for letter in letters]
    for number in numbers:
        assert count(state.offer.bag, number), "the bag has too few pieces"
        state.offer.bag -= of(number, 1)
    return numbers


def _state(game: sintra.Game) -> AzulState:
    state = game._fold.state
    assert isinstance(state, AzulState)
    return state


# -- Looking at a table ----------------------------------------------------------------------


def seen(game: sintra.Game) -> Table:
    """Everything that lies on the table."""
    value = game.state
    assert isinstance(value, Table)
    return value


def board(game: sintra.Game, player: int) -> Board:
    """Everything that lies in front of a player."""
    return seen(game).players[player - 1]


def drawn(rows: tuple[tuple[str | None, ...], ...]) -> str:
    """The drawing of a wall."""
    return " ".join("".join(_letter(space) for space in row) for row in rows)


def wall(game: sintra.Game, player: int) -> str:
    """The tiles on a player's wall."""
    return drawn(board(game, player).wall)


def lines(game: sintra.Game, player: int) -> list[str]:
    """The pieces on each of a player's pattern lines."""
    return [_letter(line.color) * line.pieces for line in board(game, player).lines]


def floor(game: sintra.Game, player: int) -> str:
    """What lies on a player's floor line, left to right."""
    return "".join("*" if piece == "starting tile" else _letter(piece) for piece in board(game, player).floor)


def every_piece(game: sintra.Game) -> Counter[str]:
    """All pieces of the game by color, wherever they are."""
    value = seen(game)
    found: Counter[str] = Counter()
    for pile in (*value.displays, value.center, value.hand, value.bag, value.lid):
        found.update(pile)
    for number in range(1, len(game.players) + 1):
        letters = "".join([wall(game, number), *lines(game, number), floor(game, number)])
        found.update(WORDS[letter] for letter in letters if letter in WORDS)
    return found


def refused_deal(game: sintra.Game, displays: str, why: str) -> None:
    """Check that the bag can't have given this deal, and that trying it changes nothing."""
    before = game.state, game.events
    with pytest.raises(sintra.IllegalStep, match=why):
        deal(game, displays)
    assert (game.state, game.events) == before


def _letter(color: str | None) -> str:
    return "." if color is None else LETTERS[COLORS.index(color)]
