"""Deals as typed at a real table."""

from __future__ import annotations

from sintra.errors import UsageError
from sintra.log.events import Dealt
from sintra.rules.colors import Palette
from sintra.rules.offer import DISPLAY_SIZE
from sintra.text import listed


def dealt(palette: Palette, round_: int, text: str, size: int = DISPLAY_SIZE) -> Dealt:
    """Return a deal: each display by letters in a word, or by `size` colors in words; `-` is empty."""
    displays: list[tuple[str, ...]] = []
    words: list[str] = []
    for token in text.lower().replace(",", " ").split():
        color = named(token, palette)
        if color is not None:
            words.append(color)
            if len(words) == size:
                displays.append(tuple(words))
                words = []
            continue
        if words:
            raise UsageError(f"a display needs {size} colors; before `{token}` there are {len(words)}")
        displays.append(() if token == "-" else by_letters(token, palette))
    if words:
        displays.append(tuple(words))
    return Dealt(round_, tuple(displays))


def named(token: str, palette: Palette) -> str | None:
    """Return the color that a word stands for, abbreviated or not; None if it can be read as letters."""
    if set(token) <= palette.letters.keys():
        return None
    found = [color for color in palette.names if color.startswith(token)]
    return found[0] if len(found) == 1 else None


def by_letters(token: str, palette: Palette) -> tuple[str, ...]:
    """Return the colors that letters stand for, one after the other."""
    known = palette.letters
    several = [color for color in palette.names if len(token) > 1 and color.startswith(token)]
    if len(several) > 1:
        raise UsageError(f"`{token}` is ambiguous: {listed(several, 'or')}")
    unknown = [ch for ch in token if ch not in known]
    if unknown:
        letters = listed([f"{key} {color}" for key, color in known.items()])
        raise UsageError(f"`{token}`: no color has the letter {unknown[0]!r}; the letters are {letters}")
    return tuple(known[ch] for ch in token)
