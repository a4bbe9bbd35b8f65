"""Boards drawn large: pieces of two lines, where a screen has room for them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sintra.text import columns

_PARTS = re.compile(r"(\x1b\[[?0-9;]*m)")
_WORDS = re.compile(r"(\S+)(\s*)")
FILLED = "48;5;"
"""Part of every escape sequence for a block of color."""
PIECE = 3
"""The width of a piece, in columns."""


def enlarged(lines: Sequence[str], cells: Sequence[int]) -> list[str]:
    """Return lines twice as wide; those with pieces and spaces, given by index, are also twice as high."""
    found = []
    for at, line in enumerate(lines):
        upper, lower = _widened(line)
        found += [upper, lower] if at in cells else [upper]
    return found


def _widened(line: str) -> tuple[str, str]:
    """Return a line twice as wide, and what stands below it: the lower halves of its pieces."""
    upper, lower, filled = "", "", False
    for part in _PARTS.split(line):
        if part.startswith("\x1b"):
            filled = FILLED in part or (filled and part.startswith("\x1b[?"))
            upper, lower = upper + part, lower + part
        elif filled:
            wide, gap = _block(part)
            upper, lower = f"{upper}{wide}{gap}", f"{lower}{' ' * columns(wide)}{gap}"
        else:
            upper, lower = upper + _spread(part), lower + " " * (2 * columns(part))
    return upper, lower


def _block(text: str) -> tuple[str, str]:
    """Return the text of a piece twice as wide, less the gap to the next one."""
    if columns(text) != PIECE:
        return text, " " * columns(text)
    return f"{text[0]} {text[1]} {text[2]}", "\x1b[0m "


def _spread(text: str) -> str:
    """Return a text twice as wide: every word begins at twice its column, a space's letter as a piece's."""
    if columns(text) == PIECE and not text[0].isspace() and not text[1].isspace():
        return f" {text}  "
    start = text[: len(text) - len(text.lstrip())]
    return start * 2 + "".join(
        f"{word}{' ' * (columns(word) + 2 * len(gap))}" for word, gap in _WORDS.findall(text.lstrip())
    )
