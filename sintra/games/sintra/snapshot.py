"""The table of Stained Glass of Sintra as an immutable value, in words."""

from __future__ import annotations

from msgspec import Struct

from sintra.frozen import Value

# -- Stained Glass of Sintra -----------------------------------------------------------------


class StripSnapshot(Struct, frozen=True):
    """A strip: the color of each space, the piece on it, and its other side where that is still to come."""

    spaces: tuple[str, ...]
    pieces: tuple[str | None, ...]
    back: tuple[str, ...]


class WindowSnapshot(Struct, frozen=True):
    """A window: the points below it, and the pieces in its frame, top first."""

    points: int
    pieces: tuple[str, ...]


class PalaceSnapshot(Value, frozen=True):
    """Everything that lies in front of one player."""

    score: int
    points: dict[str, int]
    marker: int
    lost: int
    glazier: int
    strips: tuple[StripSnapshot | None, ...]
    windows: tuple[WindowSnapshot, ...]


class SintraSnapshot(Value, frozen=True):
    """Everything that lies on the table."""

    round: int
    player: int | None
    awaits: str
    side: str
    indicator: tuple[str, ...]
    displays: tuple[dict[str, int], ...]
    center: dict[str, int]
    starting_tile: bool
    starter: int
    hand: dict[str, int]
    bag: dict[str, int]
    tower: dict[str, int]
    broken: tuple[int, ...]
    players: tuple[PalaceSnapshot, ...]
