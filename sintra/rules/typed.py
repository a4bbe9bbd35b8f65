"""What a person types in at a real table, as events."""

from __future__ import annotations

from sintra.errors import UsageError
from sintra.log.events import Dealt
from sintra.rules.colors import Palette
from sintra.rules.offer import DISPLAY_SIZE
from sintra.text import listed


def dealt(palette: Palette, round_: int, text: str) -> Dealt:
    """A deal: each display by letters in a word, or by four colors in words; `-` is an empty one."""
    displays: list[tuple[str, ...]] = []
    words: list[str] = []
    for token in text.lower().replace(",", " ").split():
        color = named(token, palette)
        if color is not None:
            words.append(color)
            if len(words) == DISPLAY_SIZE:
                displays.append(tuple(words))
                words = []
            continue
        if words:
            raise UsageError(
                f"a display has {DISPLAY_SIZE} colors in words; before `{token}` there are {len(words)}"
            )
        displays.append(() if token == "-" else by_letters(token, palette))
    if words:
        displays.append(tuple(words))
    return Dealt(round_, tuple(displays))


def named(token: str, palette: Palette) -> str | None:
    """The color that a word stands for, cut short or not; None where it can be letters as well."""
    if set(token) <= palette.letters.keys():
        return None
    found = [color for color in palette.names if color.startswith(token)]
    return found[0] if len(found) == 1 else None


def by_letters(token: str, palette: Palette) -> tuple[str, ...]:
    """The colors that letters stand for, one after the other."""
    known = palette.letters
    several = [color for color in palette.names if len(token) > 1 and color.startswith(token)]
    if len(several) > 1:
        raise UsageError(f"`{token}` can mean {listed(several, 'or')}")
    unknown = [ch for ch in token if ch not in known]
    if unknown:
        told = listed([f"{key} {color}" for key, color in known.items()])
        raise UsageError(f"`{token}`: {unknown[0]!r} stands for no color; there are {told}")
    return tuple(known[ch] for ch in token)
