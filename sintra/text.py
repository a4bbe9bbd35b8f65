"""Text of errors and screens: lists, plurals, widths, and escapes for terminals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec import to_builtins
from msgspec.json import encode


def listed(words: Sequence[str], last: str = "and") -> str:
    """Return `a`, `a and b`, or `a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def plural(count: int, one: str, many: str = "") -> str:
    """Return `1 point`, `2 points`, and so on."""
    return f"{count} {one if count in (1, -1) else many or one + 's'}"


def typed(value: object, *kinds: type | None) -> None:
    """Raise TypeError unless a value is of one of these kinds, in the words of the compiled build."""
    if not any(value is None if kind is None else isinstance(value, kind) for kind in kinds):
        named = " or ".join("None" if kind is None else kind.__name__ for kind in kinds)
        got = "None" if value is None else type(value).__name__
        raise TypeError(f"{named} object expected; got {got}")


def pieces(counts: Mapping[str, int]) -> str:
    """Return counts by color in words: `2 orange and pink`."""
    return listed([color if count == 1 else f"{count} {color}" for color, count in counts.items()])


def counted(counts: Sequence[int], colors: Sequence[str]) -> dict[str, int]:
    """Return counts by color, without those that are 0."""
    return {color: count for color, count in zip(colors, counts, strict=True) if count}


def spelled(value: bool | int | str) -> str:
    """Return the value of an option as people type it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def utf8(text: str) -> str:
    """Return the text with bytes that were not UTF-8 replaced by escapes, so that it can be written."""
    return text.encode("utf-8", "backslashreplace").decode()


def printable(json: str) -> str:
    """Return the same JSON without characters that a terminal might obey.

    They are escaped in strings; between values, JSON allows only blanks.
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
    """Return True if a text has control characters, lone surrogates or line separators."""
    if text.isprintable():
        return False
    from unicodedata import category

    return any(category(ch) in ("Cc", "Cs", "Zl", "Zp") for ch in text)


def columns(text: str) -> int:
    """Return the number of terminal columns a text takes; escape sequences take none."""
    if text.isascii() and "\x1b" not in text:
        return len(text)
    if "\x1b" in text:
        first, *more = text.split("\x1b")
        text = first + "".join(part.partition("m")[2] for part in more)
    total = len(text)
    for ch in set(text):
        if ch > "\x7f" and (wide := _wide(ch)) != 1:
            total += (wide - 1) * text.count(ch)
    return total


@lru_cache(1024)
def _wide(ch: str) -> int:
    """Return the number of terminal columns of a character that is not ASCII."""
    if ch < "\u0300" or "\u2500" <= ch < "\u25fd":  # Latin letters, frames and shapes
        return 1
    from unicodedata import combining, east_asian_width

    return 0 if combining(ch) else 2 if east_asian_width(ch) in "WF" else 1


def fitted(text: str, room: int) -> str:
    """Return the text, cut short if it takes more columns than `room`."""
    if columns(text) <= room:
        return text
    while text and columns(text) >= room:
        text = text[:-1]
    return text + "~"


def padded(text: str, room: int) -> str:
    """Return the text padded with blanks to `room` columns."""
    return text + " " * (room - columns(text))


def wrapped(parts: Iterable[str], width: int, gap: str = " ") -> list[str]:
    """Return the parts filled into lines of at most `width` columns; a part is never split."""
    lines: list[str] = []
    for part in parts:
        if lines and columns(lines[-1] + gap + part) <= width:
            lines[-1] += gap + part
        else:
            lines.append(part)
    return lines


def reason(error: Exception) -> str:
    """Return the reason of an error in the system's own words."""
    text = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
    return text[0].lower() + text[1:]


def place(error: BaseException) -> str:
    """Return where foreign code failed, as ` (harbor/rules.py, line 98)`: its last line in the traceback."""
    import os
    import sys
    from traceback import extract_tb

    engine, library = os.path.dirname(__file__), os.path.dirname(os.__file__)
    for frame in reversed(extract_tb(error.__traceback__)):
        file = os.path.abspath(frame.filename)
        ours = file.startswith(engine) and not file.startswith(os.path.join(engine, "games"))
        theirs = file.startswith(library) and "-packages" not in file
        if not (ours or theirs or frame.filename.startswith(("<", "sintra/"))):
            return f" ({short_path(file, sys.path)}, line {frame.lineno})"
    return ""


def short_path(file: str, folders: Sequence[str]) -> str:
    """Return the path of a file as seen from the nearest of the folders above it."""
    import os

    above = [folder for folder in map(os.path.abspath, folders) if file.startswith(os.path.join(folder, ""))]
    return os.path.relpath(file, max(above, key=len)) if above else file


def named_once(message: str, file: str) -> str:
    """Return a message to print after a file's name, without naming the file again."""
    for failure in ("can't open", "can't read"):
        message = message.replace(f"{failure} {file}: ", f"{failure}: ", 1)
    return message


def safe(text: str) -> str:
    """Return untrusted text with control characters escaped, safe for a terminal."""
    return "".join(ch if ch.isprintable() else ch.encode("unicode_escape").decode() for ch in text)


def safe_json(value: object) -> str:
    """Return a value as JSON with control characters escaped, safe for a terminal."""
    try:
        data = encode(value)
    except UnicodeEncodeError:  # a file name or a typed word that is not UTF-8
        data = encode(_utf8(to_builtins(value)))
    return printable(data.decode())


def _utf8(value: Any) -> Any:
    """Return the value with `utf8` applied to every string in it."""
    if isinstance(value, str):
        return utf8(value)
    if isinstance(value, dict):
        return {_utf8(key): _utf8(part) for key, part in value.items()}
    return [_utf8(part) for part in value] if isinstance(value, list | tuple) else value
