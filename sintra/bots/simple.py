"""The built-in bots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sintra.rules.chance import Stream
from sintra.rules.state import CHOICE, State

Bot = Callable[[State, Stream], int]
"""A bot: given a state and a stream of random numbers, returns the code of a legal step."""

Given = str | Bot | type[Any]
"""A bot as a caller gives it: a name, a callable, or a class of which every game gets an instance."""

DEPTH = 3
"""The number of steps of its own turn that `greedy` looks ahead: as many as the longest turn has."""


def random(state: State, stream: Stream) -> int:
    """Return any legal step, all equally likely."""
    return state.choose_any(stream)


def greedy(state: State, stream: Stream, depth: int = DEPTH) -> int:
    """Return the step that leads to the best end of its own turn, ignoring the other players.

    It looks `depth` steps of the turn ahead.
    """
    player = state.player
    codes = state.legal()
    if len(codes) == 1:
        return codes[0]
    worths = [_best(state, code, player, depth) for code in codes]
    best = max(worths)
    equals = [code for code, worth in zip(codes, worths, strict=True) if worth == best]
    return equals[stream.below(len(equals))]


def _best(state: State, code: int, player: int, depth: int) -> int:
    """Return the highest worth that a player can reach after a step while it is still their turn."""
    trial = state.copy()
    trial.play(code)
    if depth > 1 and trial.phase >= CHOICE and trial.player == player:
        return max(_best(trial, following, player, depth - 1) for following in trial.legal())
    return trial.worth(player)
