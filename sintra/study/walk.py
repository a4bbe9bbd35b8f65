"""The turns and deals of a log, each with the position before it; undone events are left out."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from sintra.api import loads
from sintra.bots.search import STEP, STEP_BITS
from sintra.fold import Fold
from sintra.log.events import Choice, Dealt, Event, Noted, Undone
from sintra.rules.state import CHOICE, TURN_STEPS, State
from sintra.view.trail import begins

if TYPE_CHECKING:
    from sintra.game import Game


class Stop(Struct):
    """A turn or a deal: its events by number, the round, and the states before and after it."""

    kind: str
    """`turn`, `deal`, or `now`: the last position of a log that is not over."""
    numbers: list[int]
    round: int
    player: int | None
    before: State
    after: State
    codes: list[int] = []
    """The steps of a turn."""


def stops(game: Game) -> list[Stop]:
    """Return the turns and deals of a game in order, and its current position if it is not over.

    A turn that is not finished is left out. On free walls, tiling is a turn of its own.
    """
    fold = Fold(game.rules, game.created)
    found: list[Stop] = []
    after = fold.state.copy()
    for number, event in counting(game):
        before = after
        fold.take(event)
        after = fold.state.copy()
        if isinstance(event, Dealt):
            found.append(Stop("deal", [number], after.round, None, before, after))
        elif isinstance(event, Choice):
            code = fold.words.codes[event.player - 1][event]
            if (
                found
                and found[-1].player == event.player
                and len(found[-1].codes) < TURN_STEPS
                and not begins(event)
            ):
                found[-1].numbers.append(number)
                found[-1].codes.append(code)
                found[-1].after = after
            else:
                found.append(Stop("turn", [number], before.round, event.player, before, after, [code]))
    if not fold.over:
        now = found.pop().before if found and _in_a_turn(fold) else fold.state.copy()
        found.append(Stop("now", [], now.round, None, now, now))
    return found


def _in_a_turn(fold: Fold) -> bool:
    """Return True if a player is in the middle of a turn."""
    legal = fold.state.legal()
    return bool(legal) and not any(begins(fold.choices[0][code]) for code in legal)


def counting(game: Game) -> list[tuple[int, Event]]:
    """Return the events after `created` that still count, with their numbers."""
    found: list[tuple[int, Event]] = []
    for number, event in enumerate(game.events[1:], 2):
        if isinstance(event, Undone):
            del found[-event.events :]
        elif not isinstance(event, Noted):
            found.append((number, event))
    return found


def turn_of(stop: Stop) -> int:
    """Return a turn as one number, as in `State.turns`: of equal displays, it takes from the first."""
    turn = 0
    for place, code in enumerate([_first(stop.before, stop.codes[0]), *stop.codes[1:]]):
        turn |= (code + 1 & STEP) << place * STEP_BITS
    return turn


def _first(state: State, code: int) -> int:
    """Return the same pick from the first display with the same pieces."""
    offer = state.offer
    source, color = divmod(code, offer.colors)
    if not 0 < source <= offer.displays or state.phase != CHOICE or not offer.has(code):
        return code
    piles = offer.sources()
    return next(at for at in range(1, source + 1) if piles[at] == piles[source]) * offer.colors + color


@lru_cache(maxsize=4)
def stops_of(log: bytes) -> list[Stop]:
    """Return the stops of a log, given as text; workers look them up."""
    return stops(loads(log))
