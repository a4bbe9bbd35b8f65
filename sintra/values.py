"""Tables as immutable values, in words: what leaves the engine, for views, for `--json` and for scripts."""

from __future__ import annotations

from typing import Any, NoReturn, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import force_setattr

K = TypeVar("K")
V = TypeVar("V")


class Fixed(dict[K, V]):
    """A dictionary that nobody can change, and that has a hash."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return Fixed, (dict(self),)

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("this dictionary can't be changed; dict(...) makes one that can")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse


class Value(Struct, frozen=True):
    """A part of a table that nobody can change, nor the dictionaries in it, or in tuples in it."""

    def __post_init__(self) -> None:
        for field in self.__struct_fields__:
            value = getattr(self, field)
            if isinstance(value, dict):
                force_setattr(self, field, Fixed(value))
            elif isinstance(value, tuple) and value and isinstance(value[0], dict):
                force_setattr(self, field, tuple(map(Fixed, value)))


# -- Any game --------------------------------------------------------------------------------


class PlayerValue(Protocol):
    """What lies in front of one player, in any game."""

    @property
    def score(self) -> int:
        """The player's points."""


class Table(Protocol):
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
    def players(self) -> tuple[PlayerValue, ...]:
        """What lies in front of each player."""


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


class PalaceValue(Value, frozen=True):
    """Everything that lies in front of one player."""

    score: int
    points: dict[str, int]
    marker: int
    lost: int
    glazier: int
    strips: tuple[StripValue | None, ...]
    windows: tuple[WindowValue, ...]


class SintraTable(Value, frozen=True):
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


class BoardValue(Value, frozen=True):
    """Everything that lies in front of one player."""

    score: int
    points: dict[str, int]
    lines: tuple[LineValue, ...]
    wall: tuple[tuple[str | None, ...], ...]
    floor: tuple[str, ...]


class MosaicTable(Value, frozen=True):
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
