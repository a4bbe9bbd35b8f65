"""What every game shows of its table: the snapshot protocol."""

from __future__ import annotations

from typing import Protocol

# -- Any game --------------------------------------------------------------------------------


class PlayerSnapshot(Protocol):
    """What lies in front of one player, in any game."""

    @property
    def score(self) -> int:
        """The player's points."""


class Snapshot(Protocol):
    """What lies on the table, in any game; what else there is depends on the rules."""

    @property
    def round(self) -> int:
        """The number of the round."""

    @property
    def player(self) -> int | None:
        """The number of the player who has to choose; None when nobody has to."""

    @property
    def displays(self) -> tuple[dict[str, int], ...]:
        """For each display, how many pieces of each color lie on it."""

    @property
    def center(self) -> dict[str, int]:
        """How many pieces of each color lie in the center."""

    @property
    def starting_tile(self) -> bool:
        """Whether the starting tile lies in the center."""

    @property
    def hand(self) -> dict[str, int]:
        """The pieces that were picked and not placed yet."""

    @property
    def players(self) -> tuple[PlayerSnapshot, ...]:
        """What lies in front of each player."""
