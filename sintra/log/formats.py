"""Conversions of older log formats to the current one.

A conversion takes the lines of a log as objects and yields the lines of the next format. Formats 1 and 2 are
both current: a log has format 2 if it begins with a position, and else format 1, so there is no conversion
between them. A change of a name or a meaning in the log adds one here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

import msgspec

from sintra.errors import DamagedLog, UnknownFormat
from sintra.log import limits
from sintra.log.codec import brief, check_format, decode_line
from sintra.log.events import FORMAT
from sintra.log.lines import too_long

Line = dict[str, Any]
Conversion = Callable[[Iterable[Line]], Iterator[Line]]

CONVERSIONS: dict[int, Conversion] = {}
"""Conversions, by the format that they read."""

_decoder = msgspec.json.Decoder(dict[str, Any])


def converted(
    blocks: Iterable[bytes], own: Callable[[Line], Conversion | None] | None = None
) -> Iterator[bytes]:
    """Yield the lines of a log in the current format.

    `own` is called with the first line, and returns the rule-set's conversion of its older logs, if any.
    """
    blocks = iter(blocks)
    beginning = next(blocks)
    blocks = chain([beginning], blocks)
    first = decode_line(_decoder, beginning.partition(b"\n")[0], 1)
    found = first.get("format")
    if first.get("type") != "created" or type(found) is not int:
        raise DamagedLog("not a sintra log: a log starts with `created` and a format", 1)
    if found >= FORMAT:
        check_format(found, "position" in first)
    last = None if own is None else own(first)
    if found >= FORMAT and last is None:
        yield from blocks
        return
    rest: Iterable[Line] = _lines(blocks)
    for number in range(found, FORMAT):
        if number not in CONVERSIONS:
            raise UnknownFormat(f"no conversion from format {brief(str(number))}")
        rest = CONVERSIONS[number](rest)
    rest = rest if last is None else last(rest)
    for line in rest:
        yield msgspec.json.encode(line) + b"\n"


def _lines(blocks: Iterable[bytes]) -> Iterator[Line]:
    number = 0
    for block in blocks:
        for raw in block.split(b"\n")[:-1]:
            number += 1
            if len(raw) > limits.MAX_LINE_BYTES:
                raise too_long(number)
            yield decode_line(_decoder, raw, number)
