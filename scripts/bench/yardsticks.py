"""The yardsticks: python-chess, and OpenSpiel, a compiled engine called from Python."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import cache
from importlib import import_module
from itertools import count, cycle
from random import Random
from typing import Any

from scripts.bench.engine import GAMES, Unmeasured, Work

MAX_PLIES = 200
"""Random chess games are long: a playout stops after this many plies."""


def needed(module: str, package: str) -> Any:
    """Import a package that the engine itself does not need."""
    try:
        return import_module(module)
    except ImportError:
        raise Unmeasured(f"{package} is not installed: pip install {package}") from None


def chess_playouts() -> Work:
    """Random games of chess."""
    draw = Random(1).random
    return lambda: int(_chess_game(draw).ply())


def _chess_game(draw: Callable[[], float], plies: int = MAX_PLIES) -> Any:
    board = needed("chess", "chess").Board()
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(moves[int(draw() * len(moves))])
    return board


def chess_copies() -> Work:
    """chess.Board.copy(stack=False), of many positions."""
    boards = [_chess_game(Random(seed).random, 10 + seed % 60) for seed in range(GAMES)]

    def copy() -> int:
        for board in boards:
            board.copy(stack=False)
        return len(boards)

    return copy


@cache
def _pgn(plies: int) -> str:
    """Return the notation of a random game of exactly this many plies."""
    pgn = needed("chess.pgn", "chess")
    boards = (_chess_game(Random(seed).random, plies) for seed in count())
    return f"{pgn.Game.from_board(next(board for board in boards if board.ply() == plies))}\n"


def chess_reading() -> Work:
    """Games of chess read from their notation, counted in plies."""
    read = needed("chess.pgn", "chess").read_game
    texts = cycle([(_pgn(plies), plies) for plies in range(40, 40 + GAMES // 4)])

    def load() -> int:
        text, plies = next(texts)
        read(io.StringIO(text))
        return plies

    return load


def chess_game() -> Callable[[], object]:
    """Return a function that makes a chess.pgn.Game."""
    read = needed("chess.pgn", "chess").read_game
    text = _pgn(60)
    return lambda: read(io.StringIO(text))


def spiel_playouts(name: str) -> Work:
    """Random games of OpenSpiel, counted in moves of players."""
    game = needed("pyspiel", "open_spiel").load_game(name)
    draw = Random(1).random

    def play() -> int:
        state = game.new_initial_state()
        turns = 0
        while not state.is_terminal():
            codes = state.legal_actions()  # the outcomes of dice, too: chance is fair enough here
            turns += not state.is_chance_node()
            state.apply_action(codes[int(draw() * len(codes))])
        return turns

    return play
