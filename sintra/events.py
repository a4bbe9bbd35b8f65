"""Every line that a log can hold, as immutable structs, and their one encoding.

A log is JSON Lines; a line's `type` is the struct's tag, its keys are the struct's fields in
this order. Reading is strict: an unknown type or field, a wrong kind or a number out of
range is an error that names its line and field. Everything is counted from 1.

A rule-set says which lines its logs hold besides the common ones (its own `arranged`, and the
choices of its players); `line_decoder` makes the one decoder for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Annotated, Any, Final, Literal, TypeVar, Union

from msgspec import UNSET, DecodeError, Meta, Struct, UnsetType, ValidationError
from msgspec.json import Decoder, Encoder
from msgspec.structs import force_setattr

from sintra.errors import DamagedLog, UnknownFormat
from sintra.values import Fixed

T = TypeVar("T")

FORMAT: Final = 1
MAX_SEED = 2**53 - 1
MAX_NAME = 80
"""A name has at most so many characters."""
MAX_NOTE = 10_000
"""A remark has at most so many characters."""

Number = Annotated[int, Meta(ge=1, le=9)]
Score = Annotated[int, Meta(ge=-(10**9), le=10**9)]
Color = Annotated[str, Meta(max_length=40)]
Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]
OptionValue = bool | int | str


class Event(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, gc=False):
    """What happened, for good."""


class Choice(Event, frozen=True):
    """A player decided."""

    player: Number


class Created(Event, frozen=True, tag="created"):
    """The first line: which game this is, who plays, and where chance comes from."""

    format: Literal[1]
    rules: Name
    options: dict[str, OptionValue]
    players: Annotated[tuple[Name, ...], Meta(min_length=2, max_length=4)]
    chance: Literal["seeded", "system", "table"]
    seed: Annotated[int, Meta(ge=0, le=MAX_SEED)] | None
    engine: Annotated[str, Meta(max_length=MAX_NAME)]

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


class RoundEnded(Event, frozen=True, tag="round_ended"):
    """The scores after a round, computed by the rules and written as a check."""

    round: Annotated[int, Meta(ge=1, le=10**9)]
    scores: Annotated[tuple[Score, ...], Meta(min_length=2, max_length=4)]


class Ended(Event, frozen=True, tag="ended"):
    """The final scores and who won, computed by the rules and written as a check."""

    scores: Annotated[tuple[Score, ...], Meta(min_length=2, max_length=4)]
    winners: Annotated[tuple[Number, ...], Meta(min_length=1, max_length=4)]


class Undone(Event, frozen=True, tag="undone"):
    """The last `events` events that still counted no longer do."""

    events: Annotated[int, Meta(ge=1, le=10**9)]


class Noted(Event, frozen=True, tag="noted"):
    """A remark; it changes nothing."""

    text: Annotated[str, Meta(max_length=MAX_NOTE)]


COMMON: tuple[type[Event], ...] = (Created, Dealt, RoundEnded, Ended, Undone, Noted)


# -- Writing ---------------------------------------------------------------------------------

_encoder = Encoder()


def encode_line(event: Event) -> bytes:
    """One event as its line of a log, ended by a newline."""
    return _encoder.encode(event) + b"\n"


def encode_lines(events: Iterable[Event]) -> bytes:
    """Events as the lines of a log."""
    return b"".join([_encoder.encode(event) + b"\n" for event in events])


# -- Reading ---------------------------------------------------------------------------------


class Header(Struct):
    """As much of a first line as tells who can read the rest."""

    type: str
    format: int | UnsetType = UNSET


_header_decoder = Decoder(Header)
_created_decoder = Decoder(Created)


@cache
def line_decoder(own: tuple[type[Event], ...]) -> Decoder[Any]:
    """The one decoder for the logs of a rule-set that has these lines of its own."""
    return Decoder(Union[COMMON + own])  # noqa: UP007 - a union of types that are data


def decode_created(line: bytes) -> Created:
    """The first line of a log; tells a log of an unknown format from a damaged one."""
    header = decode_line(_header_decoder, line, 1)
    if header.type != "created":
        raise DamagedLog(f"a log starts with `created`, not with `{header.type[:40]}`", 1, "type")
    if header.format is not UNSET and header.format != FORMAT:
        raise unknown_format(header.format)
    created = decode_line(_created_decoder, line, 1)
    if len(set(created.players)) < len(created.players):
        raise DamagedLog("two players have the same name", 1, "players")
    if (created.chance == "seeded") != (created.seed is not None):
        raise DamagedLog("a seed goes with seeded chance, and with no other", 1, "seed")
    return created


def unknown_format(found: int) -> UnknownFormat:
    """A log of another format than today's."""
    needed = "a newer version" if found > FORMAT else "a conversion"
    return UnknownFormat(
        f"this log has format {brief(str(found))}; this version reads format {FORMAT} ({needed} is needed)"
    )


def decode_line(decoder: Decoder[T], line: bytes, number: int) -> T:
    """One line of a log, strictly; DamagedLog says what is wrong with it."""
    try:
        return decoder.decode(line)
    except DecodeError as error:
        raise damage(error, line, number) from None
    except UnicodeDecodeError:
        raise DamagedLog("not UTF-8 text", number) from None
    except RecursionError:
        raise DamagedLog("nested too deeply", number) from None


_TYPES = {
    "int": "a whole number",
    "float": "a fraction",
    "str": "text",
    "bool": "true or false",
    "null": "null",
    "array": "a list",
    "object": "an object",
}
MAX_COMPLAINT = 300
"""A log may have long words in it; an error quotes so many characters of it."""
_PLACE = re.compile(r"(.*?) - at `\$\.?(.*)`$", re.DOTALL)


def _kinds(found: re.Match[str]) -> str:
    """What a decoder calls `array | null`, in words; as it is, where it means something else."""
    names = found[1].split(" | ")
    return " or ".join(_TYPES[name] for name in names) if _TYPES.keys() >= set(names) else found[0]


def brief(text: str) -> str:
    """A complaint without the middle, where it quotes too much of the log."""
    half = MAX_COMPLAINT // 2
    return text if len(text) <= MAX_COMPLAINT else f"{text[:half]} … {text[-half:]}"


def in_words(error: Exception) -> str:
    """What is wrong with values of a person's own: a decoder's complaint is told as it is of a log."""
    if not isinstance(error, ValidationError):
        return str(error)
    found = damage(error, b"", 0)
    return f"{found.field}: {found.message}" if found.field else found.message


def damage(error: DecodeError, line: bytes, number: int) -> DamagedLog:
    """What a decoder's complaint means, with the line and the field that it is about."""
    text = re.sub(r"`(\w+(?: \| \w+)*)`", _kinds, brief(str(error)))
    if not isinstance(error, ValidationError):
        if not line.strip():
            return DamagedLog("an empty line; a log has one event on every line", number)
        if line.startswith(b"\xef\xbb\xbf"):
            return DamagedLog("not JSON: it starts with a byte-order mark", number)
        reason = text.removeprefix("JSON is malformed: ")
        if reason.startswith("Input data was truncated") and b"\\u" in line:
            reason = "a text has no end, or half of a character (\\ud800 to \\udfff) stands alone"
        return DamagedLog(f"not JSON: {reason[0].lower()}{reason[1:]}", number)
    found = _PLACE.match(text)
    if found:
        complaint, field = found.groups()
        if field == "type" and complaint.startswith("Invalid value"):
            return DamagedLog(f"no such event: {complaint.removeprefix('Invalid value ')}", number, "type")
        complaint = complaint.replace("Invalid enum value", "not allowed here:")
        return DamagedLog(complaint[0].lower() + complaint[1:], number, field or None)
    named = re.match(r"Object (contains unknown|missing required) field `(.*)`$", text, re.DOTALL)
    if named:
        what = "unknown field" if named[1] == "contains unknown" else "this field is missing"
        return DamagedLog(what, number, named[2])
    return DamagedLog(text[0].lower() + text[1:], number)
