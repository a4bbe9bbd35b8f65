"""Forecasts: the points that a step would bring, before it is taken."""

from __future__ import annotations

from typing import Any

from sintra.fold import Fold
from sintra.log.events import Picked
from sintra.rules.state import CHOICE, State
from sintra.view import view_of

DEPTH = 3
"""Maximum number of steps of a turn to try: pick, place, keep."""


def gain(fold: Fold, code: int) -> int:
    """Return the points that the player to move gets from a step, and at best from the rest of the turn.

    This includes points that the board is certain to earn or lose later: see `due` of a view.
    """
    state = fold.state
    player = state.player
    twin = _played(state, code)
    if fold.steps[code].kind is not Picked and not state.hand:  # between turns, or the end of one
        return int(twin.scores()[player] - state.scores()[player])
    return _best(fold, twin, player, DEPTH - 1) - _value(fold, state, player)


def sentence(fold: Fold, code: int) -> str:
    """Describe what a step would do, in a sentence or two."""
    twin = fold.copy()
    twin.state.effects = []
    event = twin.play(code)
    return view_of(fold.rules).sentence(twin, event, twin.moment(0, event).effects)


def _best(fold: Fold, state: State, player: int, depth: int) -> int:
    """Return the points at the end of a turn if the player makes the most of it."""
    value = _value(fold, state, player)
    if depth == 0 or state.phase < CHOICE or state.player != player:
        return value
    codes = state.legal()
    if any(fold.steps[code].kind is Picked for code in codes):  # the next turn
        return value
    return max(_best(fold, _played(state, code), player, depth - 1) for code in codes)


def _played(state: State, code: int) -> State:
    twin = state.copy()
    twin.play(code)
    return twin


def _value(fold: Fold, state: State, player: int) -> int:
    due: Any = getattr(view_of(fold.rules), "due", None)
    return int(state.scores()[player]) + (due(state, player) if due else 0)
