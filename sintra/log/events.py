"""The events that the logs of all games share, as immutable structs."""

from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import force_setattr

from sintra.frozen import Fixed

FORMAT: Final = 1
"""The format of logs that begin with an empty table."""
POSITION_FORMAT: Final = 2
"""The format of logs that begin with a position: format 1, and the field `position` of `created`."""
MAX_SEED = 2**53 - 1
"""The largest seed: the largest integer that every JSON parser reads exactly."""
MAX_NAME_CHARACTERS = 80
"""Maximum length of a player name, in characters."""
MAX_NOTE_CHARACTERS = 10_000
"""Maximum length of a remark, in characters."""
MAX_POSITION_CHARACTERS = 10_000
"""Maximum length of a position, in characters."""

Number = Annotated[int, Meta(ge=1, le=9)]
Score = Annotated[int, Meta(ge=-(10**9), le=10**9)]
Color = Annotated[str, Meta(max_length=40)]
Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME_CHARACTERS)]
OptionValue = bool | int | str


class Event(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, gc=False):
    """Something that happened; events never change."""


class Choice(Event, frozen=True):
    """A decision of a player."""

    player: Number


class Created(Event, frozen=True, tag="created"):
    """The first line: the game, its players, the source of chance, and the position to begin with, if any."""

    format: Literal[1, 2]
    rules: Name
    options: dict[str, OptionValue]
    players: Annotated[tuple[Name, ...], Meta(min_length=2, max_length=4)]
    chance: Literal["seeded", "system", "table"]
    seed: Annotated[int, Meta(ge=0, le=MAX_SEED)] | None
    engine: Annotated[str, Meta(max_length=MAX_NAME_CHARACTERS)]
    position: Annotated[str, Meta(min_length=1, max_length=MAX_POSITION_CHARACTERS)] | UnsetType = UNSET

    def __post_init__(self) -> None:
        force_setattr(self, "options", Fixed(self.options))


class Dealt(Event, frozen=True, tag="dealt"):
    """The displays were filled from the bag, each in the order drawn."""

    round: Annotated[int, Meta(ge=1, le=10**9)]
    displays: Annotated[tuple[tuple[Color, ...], ...], Meta(max_length=9)]


class Picked(Choice, frozen=True, tag="picked"):
    """All pieces of a color were taken from a display, or from the center (source 0)."""

    source: Annotated[int, Meta(ge=0, le=9)]
    color: Color


class RoundEnded(Event, frozen=True, tag="round_ended"):
    """The scores after a round: computed by the rules, recorded as a check."""

    round: Annotated[int, Meta(ge=1, le=10**9)]
    scores: Annotated[tuple[Score, ...], Meta(min_length=2, max_length=4)]


class Ended(Event, frozen=True, tag="ended"):
    """The final scores and the winners: computed by the rules, recorded as a check."""

    scores: Annotated[tuple[Score, ...], Meta(min_length=2, max_length=4)]
    winners: Annotated[tuple[Number, ...], Meta(min_length=1, max_length=4)]


class Undone(Event, frozen=True, tag="undone"):
    """The last `events` events that counted were taken back."""

    events: Annotated[int, Meta(ge=1, le=10**9)]


class Noted(Event, frozen=True, tag="noted"):
    """A remark, without effect on the game."""

    text: Annotated[str, Meta(max_length=MAX_NOTE_CHARACTERS)]


def seed_remark(number: int) -> Noted:
    """Return the remark of a fork whose seed counts from this event on: the one after the remark."""
    return Noted(f"seed counts from event {number}")


COMMON: tuple[type[Event], ...] = (Created, Dealt, RoundEnded, Ended, Undone, Noted)
