"""bots.simple"""

from __future__ import annotations

from collections.abc import Callable

from sintra.rules.chance import Stream
from sintra.rules.state import CHOICE, State

Bot = Callable[[State, Stream], int]

DEPTH = 3
"""How many steps of its own turn `greedy` looks ahead: as many as a turn of the longest kind has."""


def random(state: State, stream: Stream) -> int:
    """Any legal step, each as likely as any other."""
    return state.choose_any(stream)


def greedy(state: State, stream: Stream) -> int:
    """The step that leads to the best end of its own turn; it never thinks of the others."""
    player = state.player
    codes = state.legal()
    if len(codes) == 1:
        return codes[0]
    worths = [_best(state, code, player, DEPTH) for code in codes]
    best = max(worths)
    equals = [code for code, worth in zip(codes, worths, strict=True) if worth == best]
    return equals[stream.below(len(equals))]


def _best(state: State, code: int, player: int, depth: int) -> int:
    """The worth of the best that a player can make of a step while it is still their choice."""
    trial = state.copy()
    trial.play(code)
    if depth > 1 and trial.phase >= CHOICE and trial.player == player:
        return max(_best(trial, following, player, depth - 1) for following in trial.legal())
    return trial.worth(player)
