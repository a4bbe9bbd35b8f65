"""Checkpoints: states along the history of a game, so that the cost of undo depends on what is undone."""

from __future__ import annotations

from typing import Any, Final

from sintra.rules.state import State

SPACING: Final = 16
"""Number of events after which another state is kept: undoing a step never replays a whole round."""


class Checkpoints:
    """States along a history, by the number of events before each; the first is the start of the game.

    None is added before the first undo, which is rare.
    """

    marks: list[tuple[int, State]]
    adding: bool

    def __init__(self, marks: list[tuple[int, State]], adding: bool = False) -> None:
        self.marks = marks
        self.adding = adding

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make them again, for pickle and deepcopy."""
        return Checkpoints, (self.marks, self.adding)

    def copy(self) -> Checkpoints:
        """Return independent checkpoints; the states, which never change, are shared."""
        return Checkpoints(self.marks[:], self.adding)

    def due(self, events: int) -> bool:
        """Return whether the last checkpoint is far enough back for another one."""
        return self.adding and events - self.marks[-1][0] >= SPACING

    def add(self, events: int, state: State) -> None:
        """Keep a copy of the state after a number of events; drop old ones, so that few are left.

        The gap left by a dropped one never exceeds a fraction of the distance back to it, so the cost of undo
        is proportional to what is undone, however long the game.
        """
        marks = self.marks
        marks.append((events, state.copy()))
        for at in range(len(marks) - 2, 0, -1):
            if 4 * (marks[at + 1][0] - marks[at - 1][0]) <= events - marks[at + 1][0]:
                del marks[at]

    def back(self, events: int) -> tuple[int, State]:
        """Return the last checkpoint after at most this many events, as a fresh copy; drop all later ones."""
        self.adding = True
        while self.marks[-1][0] > events:
            self.marks.pop()
        at, state = self.marks[-1]
        return at, state.copy()
