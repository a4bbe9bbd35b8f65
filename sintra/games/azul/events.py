"""The events that only logs of Azul and Crystal Mosaic hold."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from sintra.log.events import Choice, Event


class PlacedInLine(Choice, frozen=True, tag="placed"):
    """Azul: the picked pieces went to a pattern line, or all of them to the floor (line 0)."""

    line: Annotated[int, Meta(ge=0, le=5)]


class Tiled(Choice, frozen=True, tag="tiled"):
    """Azul, walls with free spaces: where the piece of a full line went."""

    row: Annotated[int, Meta(ge=1, le=5)]
    column: Annotated[int, Meta(ge=1, le=5)]


AzulColor = Literal["blue", "yellow", "red", "black", "teal"]
WallRow = Annotated[tuple[AzulColor | None, ...], Meta(min_length=5, max_length=5)]
Wall = Annotated[tuple[WallRow, ...], Meta(min_length=5, max_length=5)]
Multiplier = Annotated[int, Meta(ge=1, le=2)]
FloorLosses = Annotated[tuple[Annotated[int, Meta(ge=-(10**6), le=0)], ...], Meta(min_length=7, max_length=7)]
BonusPoints = Annotated[int, Meta(ge=0, le=10**6)]


class Bonus(Struct, frozen=True, forbid_unknown_fields=True):
    """Points at the end for a complete row, a complete column, and all five pieces of a color."""

    row: BonusPoints
    column: BonusPoints
    color: BonusPoints


class AzulArranged(Event, frozen=True, tag="arranged"):
    """Azul and Crystal Mosaic: everything printed that the rules read."""

    colors: Annotated[tuple[AzulColor, ...], Meta(min_length=5, max_length=5)]
    wall: Wall
    multiplier: Multiplier
    floor: FloorLosses
    bonus: Bonus
