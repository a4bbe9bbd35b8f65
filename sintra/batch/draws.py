"""Checks the draws of a seeded log, every arrangement and every deal, against its seed.

A log records what was drawn, and a reader accepts any deal that the bag allows. The draws of a seeded log
came from its seed, so they can be repeated and compared.
"""

from __future__ import annotations

from sintra.errors import DamagedLog
from sintra.fold import Fold
from sintra.log.events import Created, Dealt, Event, seed_remark
from sintra.rules.chance import Chance
from sintra.rules.state import DEAL


class Draws:
    """Follows a log event by event; `held` is the number of draws that match the seed.

    They are counted from event `since` on: the first one, or the one after the remark of a fork. It is None
    for a log without a seed.
    """

    def __init__(self) -> None:
        self.held = 0
        self.since: int | None = None
        self._line = 0
        self._chance: Chance | None = None
        self._deal: Dealt | None = None
        """What the seed deals next."""
        self._first: DamagedLog | None = None
        """The first draw that differs."""

    def follow(self, fold: Fold, event: Event) -> None:
        """Take in one more event, which the fold has taken."""
        self._line += 1
        if isinstance(event, Created) and event.chance == "seeded":
            self._chance = Chance(event.seed)
            self.since = 1
        if self._chance is None:
            return
        if event == seed_remark(self._line + 1):
            self.since, self.held, self._first = self._line + 1, 0, None
        elif isinstance(event, Dealt):
            self._compare(event, self._deal)
        elif isinstance(event, fold.rules.arranged):
            created = fold.created
            self._compare(
                event, fold.rules.arrange_again(created.options, len(created.players), event, self._chance)
            )
        self._deal = fold.draw(self._chance) if fold.state.phase == DEAL else None

    def _compare(self, drawn: Event, given: Event | None) -> None:
        """Count a draw, or remember that it does not match the seed."""
        for field in drawn.__struct_fields__:
            has, gives = getattr(drawn, field), getattr(given, field, None)
            if has != gives:
                if self._first is None:
                    path, reason = _difference(has, gives)
                    self._first = DamagedLog(reason, self._line, field + path)
                return
        self.held += 1

    def check(self, first: int = 1) -> None:
        """Raise DamagedLog for the first draw that differs, in a log that begins on this line of its file."""
        if self._first is not None:
            self._first.line = (self._first.line or 1) + first - 1
            raise self._first


def _difference(has: object, gives: object) -> tuple[str, str]:
    """Return the first place where two values differ, and how."""
    path = ""
    while isinstance(has, tuple) and isinstance(gives, tuple) and len(has) == len(gives):
        at = next(at for at, (one, other) in enumerate(zip(has, gives, strict=True)) if one != other)
        path += f"[{at}]"
        has, gives = has[at], gives[at]
    return path, f"the seed gives {_shown(gives)}, the log has {_shown(has)}"


def _shown(value: object) -> str:
    return value if isinstance(value, str) else repr(value)[:80]
