"""Whole turns as one number, for programs that search: see `State.turns`."""

from __future__ import annotations

from sintra._mypyc import i64
from sintra.games.sintra.boards import SPACES
from sintra.games.sintra.codes import KEEP, PLACE
from sintra.games.sintra.player import Palace
from sintra.rules.bits import lowest
from sintra.rules.offer import colors_in
from sintra.rules.piles import of
from sintra.rules.state import TURN_BITS


def add_places(palace: Palace, color: i64, hand: i64, begun: i64, shift: i64, found: list[int]) -> None:
    """Append all ways to go on after a pick: place, and keep where that completes a strip."""
    slots = palace.reached(color)
    if slots == 0:
        found.append(begun)
    while slots:
        slot = lowest(slots)
        slots &= slots - 1
        room = palace.room(slot, color)
        free = palace.free(slot)
        fits = min(hand, room + free)
        jokers = max(0, fits - room)
        most = min(free, fits)
        named: i64 = 0
        keeps: i64 = 0
        if palace.filled(slot) + fits == SPACES:
            keeps = colors_in(palace.held(slot) + of(color, fits))
        while jokers <= most:
            turn = begun | (PLACE + slot * 3 + named + 1) << shift
            left = keeps
            while left:
                found.append(turn | (KEEP + lowest(left) + 1) << shift + TURN_BITS)
                left &= left - 1
            if keeps == 0:
                found.append(turn)
            jokers += 1
            named = jokers
