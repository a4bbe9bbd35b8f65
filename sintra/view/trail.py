"""The table as it was before the last turn, so that a view can mark what the turn changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sintra.log.events import Choice, Event, Picked

if TYPE_CHECKING:
    from sintra.fold import Fold
    from sintra.rules.snapshot import Snapshot
    from sintra.rules.state import State

ENOUGH = 12
"""Number of recent events that a trail needs to see: no turn, with what follows from it, is longer."""


class Trail:
    """What was on the table before the last turn; it has to see every event of the turn."""

    def __init__(self) -> None:
        self._last: State | None = None
        self._before: State | None = None
        self._mover = 0

    def see(self, fold: Fold, event: Event) -> None:
        """Note the state after an event."""
        if isinstance(event, Choice):
            if isinstance(event, Picked) or event.player != self._mover or begins(event):
                self._before = self._last
            self._mover = event.player
        self._last = fold.state.copy()

    def since(self, fold: Fold) -> Snapshot | None:
        """Return the table before the last turn; None if that is not known."""
        if self._before is None:
            return None
        before = self._before.copy()
        return fold.rules.snapshot(before)


def begins(event: Event) -> bool:
    """Return True if a choice begins a turn: everything except placing, keeping and the like."""
    return str(event.__struct_config__.tag) in ("picked", "returned", "tiled")
