"""Players for tests and fixtures: one plays anything, one to finish things, one is clumsy."""

from __future__ import annotations

from sintra.games.azul.codes import PLACE, PLACING
from sintra.games.azul.rules import AzulState
from sintra.games.sintra.rules import SintraState
from sintra.rules.chance import Stream
from sintra.rules.state import State


def any_step(state: State, choose: Stream) -> int:
    """Any legal step."""
    legal = state.legal()
    return legal[choose.below(len(legal))]


def fitting_step(state: State, choose: Stream) -> int:
    """The best of a few legal steps, by points and by pieces that fit; completes strips, lines and rows."""
    legal = state.legal()
    player = state.player
    tried = [legal[choose.below(len(legal))] for _ in range(6)]
    return max(tried, key=lambda code: _worth(state, code, player))


def clumsy_step(state: State, choose: Stream) -> int:
    """Leaves the center alone as long as it can, and in Azul drops half of what it picks."""
    legal = state.legal()
    if isinstance(state, AzulState) and state.phase == PLACING and choose.below(2):
        return PLACE
    return legal[-1 - choose.below((len(legal) + 1) // 2)]


def _worth(state: State, code: int, player: int) -> int:
    trial = state.copy()
    trial.play(code)
    if isinstance(trial, SintraState):
        palace = trial.palaces[player]
        gone = palace.finished()
        filled = [int(5 if gone >> slot & 1 else palace.filled(slot)) for slot in range(8)]
        fullest = sum(pieces**2 for pieces in filled)
        return 6 * palace.score + fullest - 6 * palace.marker + trial.hand * (trial.player == player)
    assert isinstance(trial, AzulState)
    board = trial.boards[player]
    full = sum(10 * (board.pieces_on(line) > line) + board.pieces_on(line) for line in range(5))
    return 4 * board.score + full - 6 * board.floored + trial.hand * (trial.player == player)


BOTS = {"any": any_step, "fitting": fitting_step, "clumsy": clumsy_step}
