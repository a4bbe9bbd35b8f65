"""A few turns of phrase that errors and screens share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import to_builtins
from msgspec.json import encode


def listed(words: Sequence[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def plural(count: int, one: str, many: str = "") -> str:
    """`1 point`, `2 points`."""
    return f"{count} {one if count in (1, -1) else many or one + 's'}"


def pieces(counts: Mapping[str, int]) -> str:
    """`2 orange and pink`."""
    return listed([color if count == 1 else f"{count} {color}" for color, count in counts.items()])


def counted(counts: Sequence[int], colors: Sequence[str]) -> dict[str, int]:
    """Counts by color, as a dictionary of those that are there."""
    return {color: count for color, count in zip(colors, counts, strict=True) if count}


def spelled(value: bool | int | str) -> str:
    """The value of an option, as people write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def utf8(text: str) -> str:
    """A text that can be written: what came in as bytes that are no UTF-8 is told as an escape."""
    return text.encode("utf-8", "backslashreplace").decode()


def printable(json: str) -> str:
    """The same JSON, lines and all, without a character that a terminal might obey.

    In strings they are escaped; what JSON allows between values can only be a blank of some kind.
    """
    if json.replace("\n", "").isprintable():
        return json
    return "".join(ch if ch == "\n" or ch.isprintable() else _escaped(ch) for ch in json)


def _escaped(ch: str) -> str:
    if ch < " ":
        return " "
    units = ch.encode("utf-16-be")
    return "".join(f"\\u{units[at] << 8 | units[at + 1]:04x}" for at in range(0, len(units), 2))


def has_controls(text: str) -> bool:
    """Whether there are controls, halves of characters or ends of lines in a text."""
    if text.isprintable():
        return False
    from unicodedata import category

    return any(category(ch) in ("Cc", "Cs", "Zl", "Zp") for ch in text)


def columns(text: str) -> int:
    """How many columns of a terminal a text takes; escape sequences take none."""
    if text.isascii() and "\x1b" not in text:
        return len(text)
    from unicodedata import combining, east_asian_width

    total = 0
    hidden = False
    for ch in text:
        if hidden:
            hidden = ch != "m"
        elif ch == "\x1b":
            hidden = True
        elif not combining(ch):
            total += 2 if east_asian_width(ch) in "WF" else 1
    return total


def fitted(text: str, room: int) -> str:
    """A text cut short where it takes more columns than there are."""
    if columns(text) <= room:
        return text
    while text and columns(text) >= room:
        text = text[:-1]
    return text + "~"


def padded(text: str, room: int) -> str:
    """A text filled up with blanks to so many columns."""
    return text + " " * (room - columns(text))


def wrapped(parts: Iterable[str], width: int, gap: str = " ") -> list[str]:
    """Parts set in lines of so many columns; a part is never parted."""
    lines: list[str] = []
    for part in parts:
        if lines and columns(lines[-1] + gap + part) <= width:
            lines[-1] += gap + part
        else:
            lines.append(part)
    return lines


def reason(error: Exception) -> str:
    """What the system said, in its own few words."""
    text = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
    return text[0].lower() + text[1:]


def safe(text: str) -> str:
    """Text from a log or a person as it may go to a terminal: control characters are shown, not sent."""
    return "".join(ch if ch.isprintable() else ch.encode("unicode_escape").decode() for ch in text)


def safe_json(value: object) -> str:
    """A value as JSON that may go to a terminal: control characters are escaped, not sent."""
    try:
        data = encode(value)
    except UnicodeEncodeError:  # a file's name or a word that was typed is no UTF-8
        data = encode(_utf8(to_builtins(value)))
    return printable(data.decode())


def _utf8(value: Any) -> Any:
    """The same value, each text in it one that can be written."""
    if isinstance(value, str):
        return utf8(value)
    if isinstance(value, dict):
        return {_utf8(key): _utf8(part) for key, part in value.items()}
    return [_utf8(part) for part in value] if isinstance(value, list | tuple) else value
