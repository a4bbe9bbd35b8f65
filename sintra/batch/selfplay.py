"""Computer players among themselves: the one loop that plays a game out.

It works on a state and on codes alone, so that it is as fast as the rules are. A log of such a game is made
from the codes that were chosen.
"""

from __future__ import annotations

from collections.abc import Sequence

from sintra._mypyc import i64
from sintra.bots.simple import Bot, random
from sintra.rules.chance import Chance
from sintra.rules.state import CHOICE, DEAL, GAME_END, ROUND_END, State


def play_out(
    state: State, chance: Chance, bots: Sequence[Bot], rounds: i64, chosen: list[int] | None = None
) -> i64:
    """Play a state that is arranged to the end of the game, or of so many rounds (R6).

    The bots sit in the order given, and each draws from one stream for the whole game, `bot P`. Every
    chosen code is appended to `chosen`. Returns the number of turns, each of which begins with a choice of
    a rule-set's first kind.
    """
    seats = list(bots)
    direct = [bot is random for bot in bots]
    """Called by its name, compiled code costs half as much as called through a variable."""
    streams = [chance.stream(f"bot {seat + 1}") for seat in range(len(seats))]
    turns: i64 = 0
    while True:
        phase = state.phase
        if phase >= CHOICE:
            if phase == CHOICE:
                turns += 1
            player = state.player
            stream = streams[player]
            code = random(state, stream) if direct[player] else seats[player](state, stream)
            if chosen is not None:
                chosen.append(code)
            state.play(code)
        elif phase == ROUND_END:
            state.end_round()
        elif phase == DEAL and state.round < rounds:
            state.deal_from(chance.stream(f"displays {state.round + 1}"))
        elif phase == GAME_END:
            state.finish()
        else:
            return turns
