"""Encoding events as lines of JSON, and decoding them strictly.

A line's `type` is the struct's tag, its keys are the struct's fields, in order. Reading rejects unknown types
and fields, wrong types and numbers out of range, and names the line and the field. Counting starts at 1.

A rule-set adds its own events to the common ones: `arranged`, and the choices of its players.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, TypeVar, Union

from msgspec import UNSET, DecodeError, Struct, UnsetType, ValidationError
from msgspec.json import Decoder, Encoder

from sintra.errors import DamagedLog, UnknownFormat
from sintra.log import limits
from sintra.log.events import COMMON, FORMAT, POSITION_FORMAT, Created, Event
from sintra.log.lines import begins, too_long
from sintra.text import utf8

T = TypeVar("T")

_encoder = Encoder()


def encode_line(event: Event) -> bytes:
    """Return the line of an event, with its newline."""
    return _encoder.encode(event) + b"\n"


def encode_lines(events: Iterable[Event]) -> bytes:
    """Return the lines of several events."""
    return b"".join([_encoder.encode(event) + b"\n" for event in events])


class Header(Struct):
    """The part of a first line that every format has."""

    type: str
    format: int | UnsetType = UNSET
    position: Any = UNSET


_header_decoder = Decoder(Header)
_created_decoder = Decoder(Created)


@cache
def line_decoder(own: tuple[type[Event], ...]) -> Decoder[Any]:
    """Return the decoder for logs of a rule-set with these events."""
    return Decoder(Union[COMMON + own])  # noqa: UP007 - a union of types that are data


def decode_created(line: bytes) -> Created:
    """Return the first event of a log; raise UnknownFormat for a log of another format, else DamagedLog."""
    try:
        header = decode_line(_header_decoder, line, 1)
    except DamagedLog as error:
        if not line.strip() or not begins(line):
            error.message = f"not a sintra log: {error.message}"
        raise
    if header.type != "created":
        raise DamagedLog(f"not a sintra log: it starts with `{header.type[:40]}`, not `created`", 1, "type")
    if header.format is not UNSET:
        check_format(header.format, header.position is not UNSET)
    return decode_line(_created_decoder, line, 1)


def check_format(found: int, position: bool) -> None:
    """Raise UnknownFormat for a log of another format; `position` is True if it begins with one.

    Format 2 is format 1 with a position to begin with, and nothing else.
    """
    if found == FORMAT and position:
        raise DamagedLog(f"a log that begins with a position has format {POSITION_FORMAT}", 1, "position")
    if found not in (FORMAT, POSITION_FORMAT) or (found == POSITION_FORMAT and not position):
        hint = "update sintra" if found > FORMAT else "try `sintra convert`"
        raise UnknownFormat(
            f"the log has format {brief(str(found))}; this version reads format {FORMAT}, and format "
            f"{POSITION_FORMAT} if a log begins with a position; {hint}"
        )


def as_read(event: Event, decode: Callable[[bytes], T]) -> T:
    """Return an event as if read back from a log; raise DamagedLog if no log may have it.

    Structs take any values, so events made by programs come through here: whatever passes can be written, and
    reads back the same.
    """
    if not isinstance(event, Event):
        raise TypeError(f"an event is expected, not {type(event).__name__}")
    try:
        line = _encoder.encode(event)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise DamagedLog(f"{type(event).__name__} can't be written: {brief(utf8(str(error)))}") from None
    if len(line) > limits.MAX_LINE_BYTES:
        raise too_long(None)
    return decoded(decode, line, None)


def decode_line(decoder: Decoder[T], line: bytes, number: int | None) -> T:
    """Return the event on a line, or raise DamagedLog with the reason."""
    return decoded(decoder.decode, line, number)


def decoded(decode: Callable[[bytes], T], line: bytes, number: int | None) -> T:
    """Return what a decoder makes of a line, or raise DamagedLog with the reason."""
    try:
        return decode(line)
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
MAX_QUOTED_CHARACTERS = 300
"""Maximum length of a decoder's message in an error, in characters: it may quote long values."""


def _kinds(found: re.Match[str]) -> str:
    """Put `array | null` in words; leave other quoted text alone."""
    names = found[1].split(" | ")
    return " or ".join(_TYPES[name] for name in names) if _TYPES.keys() >= set(names) else found[0]


def brief(text: str) -> str:
    """Return text with its middle left out if it is too long to quote."""
    half = MAX_QUOTED_CHARACTERS // 2
    return text if len(text) <= MAX_QUOTED_CHARACTERS else f"{text[:half]} … {text[-half:]}"


def in_words(error: Exception) -> str:
    """Return the reason why user-supplied values were rejected, in the words used for logs."""
    if not isinstance(error, ValidationError):
        return str(error)
    found = damage(error, b"", 0)
    return f"{found.field}: {found.message}" if found.field else found.message


def damage(error: DecodeError, line: bytes, number: int | None) -> DamagedLog:
    """Return a decoder's error in plain words, with its line and field."""
    text = re.sub(r"`(\w+(?: \| \w+)*)`", _kinds, brief(str(error)))
    if not isinstance(error, ValidationError):
        if not line.strip():
            return DamagedLog("empty line; a log has one event per line", number)
        if line.startswith(b"\xef\xbb\xbf"):
            return DamagedLog("not JSON: starts with a byte-order mark", number)
        reason = text.removeprefix("JSON is malformed: ")
        if reason.startswith("Input data was truncated") and b"\\u" in line:
            reason = "unterminated string, or a lone surrogate (\\ud800 to \\udfff)"
        return DamagedLog(f"not JSON: {reason[0].lower()}{reason[1:]}", number)
    found = re.match(r"(.*?) - at `\$\.?(.*)`$", text, re.DOTALL)
    if found:
        complaint, field = found.groups()
        if field == "type" and line.count(b'"type"') > 1:
            return DamagedLog("occurs twice, with different values", number, "type")
        if field == "type" and complaint.startswith("Invalid value"):
            return DamagedLog(f"unknown event {complaint.removeprefix('Invalid value ')}", number, "type")
        complaint = complaint.replace("Invalid enum value", "invalid value")
        return DamagedLog(complaint[0].lower() + complaint[1:], number, field or None)
    named = re.match(r"Object (contains unknown|missing required) field `(.*)`$", text, re.DOTALL)
    if named:
        what = "unknown field" if named[1] == "contains unknown" else "missing field"
        return DamagedLog(what, number, named[2])
    return DamagedLog(text[0].lower() + text[1:], number)
