"""The one loop in which bots play a game to its end.

It works on a state and on codes alone, so it is as fast as the rules. A log of such a game is made from
the chosen codes.
"""

from __future__ import annotations

from collections.abc import Sequence

from sintra._mypyc import i64
from sintra.bots.simple import Bot, random
from sintra.rules.bits import bit
from sintra.rules.chance import Chance, bot_stream
from sintra.rules.state import CHOICE, DEAL, GAME_END, ROUND_END, State


def play_out(
    state: State, chance: Chance, bots: Sequence[Bot], rounds: i64, chosen: list[int] | None = None
) -> i64:
    """Play an arranged state to the end of the game, or until `rounds` rounds are over (R6).

    The bots sit in the order given, and each draws from one stream for the whole game. Every
    chosen code is appended to `chosen`. Returns the number of turns, each of which begins with a choice of
    a rule-set's first kind.
    """
    seats = list(bots)
    streams = [bot_stream(chance.seed, seat + 1) for seat in range(len(seats))]
    randoms: i64 = sum([bit(seat) for seat, bot in enumerate(bots) if bot is random])
    """The seats whose bot need not be called: the state chooses for them, which is faster."""
    turns: i64 = 0
    code: i64 = 0
    while True:
        phase = state.phase
        if phase >= CHOICE:
            if phase == CHOICE:
                turns += 1
            player = state.player
            stream = streams[player]
            if randoms >> player & 1:  # noqa: SIM108 - compiled, a ternary makes objects of both
                code = state.choose_any(stream)
            else:
                code = seats[player](state, stream)
            if chosen is not None:
                chosen.append(code)
            state.play(code)
        elif phase == ROUND_END:
            state.end_round()
        elif phase == DEAL and state.round < rounds:
            state.deal_from(chance.deal(state.round + 1))
        elif phase == GAME_END:
            state.finish()
        else:
            return turns
