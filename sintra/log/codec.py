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
from typing import Any, TypeVar, Union

from msgspec import UNSET, DecodeError, Struct, UnsetType, ValidationError
from msgspec.json import Decoder, Encoder

from sintra.errors import DamagedLog, UnknownFormat
from sintra.log.events import COMMON, FORMAT, Created, Event

T = TypeVar("T")


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
