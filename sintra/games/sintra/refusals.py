"""Why a step of Stained Glass of Sintra is not legal, and what other spellings mean."""

from __future__ import annotations

from sintra.games.sintra.boards import SLOTS
from sintra.games.sintra.codes import KEEP, KEEPING, PLACE, PLACING, RETURN
from sintra.games.sintra.colors import COLORS
from sintra.games.sintra.player import Palace
from sintra.games.sintra.rules import SintraState
from sintra.rules.refusals import why_no_pick
from sintra.text import pieces, plural


def resolve(state: SintraState, words: str) -> str:
    """Return `place N` for `place N jokers K` if K is the minimum anyway (S4)."""
    plain, number = words.split(" jokers ")
    slot, jokers = int(plain.split()[1]) - 1, int(number)
    palace = state.palaces[state.player]
    if state.phase != PLACING or jokers == state.jokers(palace, slot)[0]:
        return plain
    if jokers == 0:
        raise ValueError(_why_not_place(state, palace, slot, 0))
    return words


def why_not(state: SintraState, code: int) -> str:
    """Say why this step is not legal here, and what would be."""
    palace = state.palaces[state.player]
    if state.phase == PLACING and not PLACE <= code < KEEP:
        return f"the {pieces({COLORS[state.color]: state.hand})} in hand must be placed first"
    if state.phase == KEEPING and not KEEP <= code < RETURN:
        return f"strip {palace.glazier + 1} is complete: first say which of its pieces to keep (S6)"
    if code < PLACE:
        return why_no_pick(state.offer, code, COLORS)
    if code < KEEP:
        if state.phase != PLACING:
            return "nothing in hand yet, so pick first"
        return _why_not_place(state, palace, (code - PLACE) // 3, (code - PLACE) % 3)
    if code < RETURN:
        if state.phase != KEEPING:
            return "no strip is complete, so nothing can be kept"
        return f"strip {palace.glazier + 1} has no {COLORS[code - KEEP]} to keep"
    if palace.leftmost == SLOTS:
        return "no strip is left to return to (S7)"
    return f"the glazier is already above the leftmost strip, {palace.leftmost + 1} (S7)"


def _why_not_place(state: SintraState, palace: Palace, slot: int, jokers: int) -> str:
    strip = f"strip {slot + 1}"
    if slot < palace.glazier:
        return f"{strip} is left of the glazier, who is above strip {palace.glazier + 1} (S3)"
    if palace.finished() >> slot & 1:
        return f"{strip} is gone: its window is complete"
    free = palace.free(slot)
    if not palace.room(slot, state.color) and not free:
        return f"{strip} has no empty space for {COLORS[state.color]} (S3)"
    if not free:
        return f"{strip} has no empty joker"
    least, most = state.jokers(palace, slot)
    if jokers == least:
        return f"leave `jokers` out: {least} is the minimum here"
    possible = f"{least}" if least == most else f"{least} to {most}"
    return f"{plural(jokers, 'joker')} can't be used on {strip} here; {possible} can (S4)"
