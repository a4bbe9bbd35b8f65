"""Tables as immutable values, in words: what leaves the engine, for views, for `--json` and for scripts."""

from __future__ import annotations

from msgspec import Struct

# -- Stained Glass of Sintra -----------------------------------------------------------------


class StripValue(Struct, frozen=True):
    """A strip: the color of each space, the piece on it, and its other side where that is still to come."""

    spaces: tuple[str, ...]
    pieces: tuple[str | None, ...]
    back: tuple[str, ...]


class WindowValue(Struct, frozen=True):
    """A window: the points below it, and the pieces in its frame, top first."""

    points: int
    pieces: tuple[str, ...]


class PalaceValue(Struct, frozen=True):
    """Everything that lies in front of one player."""

    score: int
    points: dict[str, int]
    marker: int
    lost: int
    glazier: int
    strips: tuple[StripValue | None, ...]
    windows: tuple[WindowValue, ...]


class SintraTable(Struct, frozen=True):
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
    players: tuple[PalaceValue, ...]


# -- Azul and Crystal Mosaic -----------------------------------------------------------------


class LineValue(Struct, frozen=True):
    """A pattern line: how many spaces it has, how many pieces lie on it, and their color."""

    spaces: int
    pieces: int
    color: str | None


class BoardValue(Struct, frozen=True):
    """Everything that lies in front of one player."""

    score: int
    points: dict[str, int]
    lines: tuple[LineValue, ...]
    wall: tuple[tuple[str | None, ...], ...]
    floor: tuple[str, ...]


class MosaicTable(Struct, frozen=True):
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
    players: tuple[BoardValue, ...]
