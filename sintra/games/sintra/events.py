"""The events that only logs of Stained Glass of Sintra hold."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from sintra.log.events import Choice, Color, Event


class PlacedOnStrip(Choice, frozen=True, tag="placed"):
    """Sintra: the picked pieces went to the strip in a slot; `jokers` only beyond the least possible."""

    strip: Annotated[int, Meta(ge=1, le=8)]
    jokers: Annotated[int, Meta(ge=1, le=2)] | UnsetType = UNSET


SintraColor = Literal["blue", "clear", "orange", "pink", "yellow"]
SintraSpace = Literal["blue", "clear", "orange", "pink", "yellow", "joker"]
Side = Annotated[tuple[SintraSpace, ...], Meta(min_length=5, max_length=5)]


class Strip(Struct, frozen=True, forbid_unknown_fields=True):
    """A pattern strip: the side that faces up at the start, and the other one."""

    up: Side
    down: Side


StripRow = Annotated[tuple[Strip, ...], Meta(min_length=8, max_length=8)]
WindowPoints = Annotated[int, Meta(ge=0, le=10**6)]
WindowRow = Annotated[tuple[WindowPoints, ...], Meta(min_length=8, max_length=8)]
Track = Annotated[tuple[Annotated[int, Meta(ge=-18, le=0)], ...], Meta(min_length=2, max_length=19)]


class SintraArranged(Event, frozen=True, tag="arranged"):
    """Sintra: everything printed that the rules read, and how it was laid out."""

    indicator: Annotated[tuple[SintraColor, ...], Meta(min_length=6, max_length=6)]
    strips: Annotated[tuple[StripRow, ...], Meta(min_length=2, max_length=4)]
    windows: WindowRow
    broken: Track


class Kept(Choice, frozen=True, tag="kept"):
    """The piece of a completed strip that went to its window."""

    color: Color


class Returned(Choice, frozen=True, tag="returned"):
    """The glazier walked back to the leftmost strip."""
