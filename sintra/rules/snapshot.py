"""Snapshots: the whole table as an immutable value, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from sintra.frozen import Value
from sintra.rules.offer import Offer
from sintra.rules.piles import named
from sintra.rules.state import CHOICE, State


class PlayerSnapshot(Protocol):
    """Everything in front of one player, in any game."""

    @property
    def score(self) -> int:
        """The player's points."""


class Snapshot(Protocol):
    """Everything on the table, in any game; games add more."""

    @property
    def round(self) -> int:
        """The number of the round; 0 before the first."""

    @property
    def player(self) -> int | None:
        """The number of the player to choose, from 1; None if nobody has to."""

    @property
    def displays(self) -> tuple[dict[str, int], ...]:
        """For each display, the number of pieces by color."""

    @property
    def center(self) -> dict[str, int]:
        """The number of pieces in the center by color."""

    @property
    def starting_tile(self) -> bool:
        """True while the starting tile lies in the center."""

    @property
    def hand(self) -> dict[str, int]:
        """The pieces picked but not placed yet."""

    @property
    def players(self) -> tuple[PlayerSnapshot, ...]:
        """What lies in front of each player."""


class TableSnapshot(Value, frozen=True):
    """The base of snapshots: everything except what lies in front of the players."""

    round: int
    player: int | None
    starter: int
    displays: tuple[dict[str, int], ...]
    center: dict[str, int]
    starting_tile: bool
    hand: dict[str, int]
    bag: dict[str, int]
    tower: dict[str, int]


def table_fields(state: State, colors: Sequence[str]) -> dict[str, Any]:
    """Return the fields of a `TableSnapshot`."""
    offer = state.offer
    center, *displays = sources(offer, colors)
    return {
        "round": state.round,
        "player": state.player + 1 if state.phase >= CHOICE else None,
        "starter": state.starter + 1,
        "displays": tuple(displays),
        "center": center,
        "starting_tile": offer.tile,
        "hand": {colors[state.color]: state.hand} if state.hand else {},
        "bag": named(offer.bag, colors),
        "tower": named(offer.tower, colors),
    }


def sources(offer: Offer, colors: Sequence[str]) -> list[dict[str, int]]:
    """Return the pieces in the center, then those of each display, by color."""
    return [named(pile, colors) for pile in offer.sources()]
