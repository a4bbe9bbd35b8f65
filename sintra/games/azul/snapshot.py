"""The table of Azul and Crystal Mosaic as an immutable value, in words."""

from __future__ import annotations

from msgspec import Struct

from sintra.frozen import Value

# -- Azul and Crystal Mosaic -----------------------------------------------------------------


class LineSnapshot(Struct, frozen=True):
    """A pattern line: how many spaces it has, how many pieces lie on it, and their color."""

    spaces: int
    pieces: int
    color: str | None


class BoardSnapshot(Value, frozen=True):
    """Everything that lies in front of one player."""

    score: int
    points: dict[str, int]
    lines: tuple[LineSnapshot, ...]
    wall: tuple[tuple[str | None, ...], ...]
    floor: tuple[str, ...]


class AzulSnapshot(Value, frozen=True):
    """Everything that lies on the table."""

    round: int
    player: int | None
    awaits: str
    displays: tuple[dict[str, int], ...]
    center: dict[str, int]
    starting_tile: bool
    starter: int
    hand: dict[str, int]
    tiling: int | None
    bag: dict[str, int]
    lid: dict[str, int]
    wall: tuple[tuple[str | None, ...], ...]
    multiplier: int
    floor: tuple[int, ...]
    players: tuple[BoardSnapshot, ...]
