"""A guess at what a palace is worth, used by simple bots."""

from __future__ import annotations

from sintra._mypyc import i64
from sintra.games.sintra.arrangement import Arrangement
from sintra.games.sintra.boards import SLOTS
from sintra.games.sintra.player import Palace


def worth(palace: Palace, printed: Arrangement, side: i64) -> int:
    """Return what a palace is worth to its owner, in 50ths of a point.

    That is the points, broken glass, remaining pieces and points of the side (`side`) as if the game ended
    now, and for every strip what completing it would score, by the square of how full it is.
    """
    total: i64 = 50 * (palace.score + printed.broken[palace.marker] + side)
    furnished = palace.furnished()
    finished = palace.finished()
    pieces: i64 = 0
    later: i64 = 0
    slot: i64 = SLOTS - 1
    while slot >= 0:
        points: i64 = printed.windows[slot]
        if finished >> slot & 1:
            later += points
        else:
            filled = palace.filled(slot)
            pieces += filled
            scores = later + points + 2  # about two points of bonus and side
            reached = 2 if slot >= palace.glazier else 1
            total += scores * filled * filled * reached // 2
            if furnished >> slot & 1:
                later += points
        slot -= 1
    return total + 50 * pieces // 3
