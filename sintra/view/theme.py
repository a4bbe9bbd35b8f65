"""Themes: the colors of text, frames and pieces, out of a terminal's 256, and their contrast."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from msgspec import Struct

Rgb = tuple[int, int, int]

LEGIBLE = 4.5
"""Minimum contrast of text with its background."""
_LEVELS = (0, 95, 135, 175, 215, 255)
_BLACK, _WHITE = 16, 231
_NEUTRAL = 248
"""The fill of a color that has no paint."""
_LIGHT_GROUNDS = ("7", "15")
"""Numbers of backgrounds in COLORFGBG that are light."""


class Theme(Struct, frozen=True):
    """The colors of a screen, by number; `ground` is the background that they are made for."""

    name: str
    ground: int
    ink: int
    faint: int
    frame: int
    bright: int
    """The frame of the player to move, and whatever else has to stand out."""
    shapes: bool = False
    """True if pieces show their shape beside their letter."""


DARK = Theme("dark", ground=233, ink=252, faint=245, frame=245, bright=220)
LIGHT = Theme("light", ground=_WHITE, ink=235, faint=241, frame=241, bright=25)
NAMES = ("dark", "light", "color-blind", "ascii")
"""The themes; `ascii` uses no color at all."""


def themed(name: str, environ: Mapping[str, str]) -> Theme:
    """Return the theme of this name; `auto` and `color-blind` adapt to the known or likely background."""
    wish = name if name != "auto" else environ.get("SINTRA_THEME", "")
    if wish == "ascii":
        return DARK
    base = LIGHT if wish == "light" or (wish != "dark" and _is_light(environ)) else DARK
    if wish != "color-blind":
        return base
    return Theme("color-blind", base.ground, base.ink, base.faint, base.frame, base.bright, shapes=True)


def _is_light(environ: Mapping[str, str]) -> bool:
    """Return True if the terminal reports a light background."""
    return environ.get("COLORFGBG", "").rpartition(";")[2] in _LIGHT_GROUNDS


# -- Colors by number ------------------------------------------------------------------------


def rgb(number: int) -> Rgb:
    """Return one of the colors that are the same in every terminal, 16 to 255."""
    if number >= 232:
        gray = 8 + 10 * (number - 232)
        return gray, gray, gray
    at = number - 16
    return _LEVELS[at // 36], _LEVELS[at // 6 % 6], _LEVELS[at % 6]


def numbered(red: int, green: int, blue: int) -> int:
    """Return the number of the color that is nearest to this one."""
    near = [min(range(6), key=lambda at: abs(_LEVELS[at] - level)) for level in (red, green, blue)]
    return 16 + 36 * near[0] + 6 * near[1] + near[2]


@cache
def fill(paint: str) -> int:
    """Return the number of a paint: `#rrggbb`, or `38;5;N` as a terminal has it; neutral for all else."""
    if paint.startswith("#"):
        value = int(paint[1:], 16)
        if value == (value & 255) * 0x10101 and 8 <= value & 255 <= 238:
            return 232 + round(((value & 255) - 8) / 10)
        return numbered(value >> 16, value >> 8 & 255, value & 255)
    number = paint.removeprefix("38;5;")
    return int(number) if number != paint and number.isdecimal() and 16 <= int(number) <= 255 else _NEUTRAL


# -- Legibility ------------------------------------------------------------------------------


def luminance(color: Rgb) -> float:
    """Return the relative luminance of a color, from 0 to 1."""
    linear = [level / 3294.6 if level <= 10 else ((level / 255 + 0.055) / 1.055) ** 2.4 for level in color]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: int, other: int) -> float:
    """Return the contrast of two colors, from 1 to 21."""
    low, high = sorted((luminance(rgb(one)), luminance(rgb(other))))
    return (high + 0.05) / (low + 0.05)


@cache
def ink_on(number: int) -> int:
    """Return black or white, whichever is easier to read on a color."""
    return _BLACK if contrast(number, _BLACK) > contrast(number, _WHITE) else _WHITE


@cache
def tint(number: int, ground: int) -> int:
    """Return a color that resembles another one and can be read on a background."""
    goal = _BLACK if ground == LIGHT.ground else _WHITE
    start, end = rgb(number), rgb(goal)
    for share in range(10):
        mixed = [(a * (10 - share) + b * share) // 10 for a, b in zip(start, end, strict=True)]
        found = numbered(*mixed)
        if contrast(found, ground) >= LEGIBLE:
            return found
    return goal
