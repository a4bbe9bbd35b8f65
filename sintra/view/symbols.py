"""The symbols of things: pieces, printed spaces, marks. Every piece has its color, a shape and a letter.

A symbol is drawn on a square of 40 by 40. Letters are strokes, so that a piece needs no font.
"""

from __future__ import annotations

from collections.abc import Iterator

from sintra.rules.colors import Color, Palette
from sintra.view.scene import TILE, TURN

SHAPES = {
    "●": '<circle cx="20" cy="20" r="13.5"/>',
    "○": '<circle cx="20" cy="20" r="11.5" class="ring"/>',
    "•": '<circle cx="20" cy="20" r="9"/>',
    "◇": '<path d="M20 4 36 20 20 36 4 20Z"/>',
    "◆": '<path d="M20 3 32 20 20 37 8 20Z"/>',
    "▲": '<path d="M20 4.5 36.5 33.5h-33Z"/>',
    "▼": '<path d="M20 35.5 3.5 6.5h33Z"/>',
    "■": '<path d="M8 8h24v24H8Z"/>',
    "★": '<path d="M20 2.5 25 14 37.5 15.2 28 23.6 30.8 36 20 29.5 9.2 36 12 23.6 2.5 15.2 15 14Z"/>',
}
"""The shapes of the palettes, large enough to carry a letter."""

LETTERS = {
    "a": "M15 27 20 13l5 14M16.8 22h6.4",
    "b": "M16 13v14h5a4 4 0 0 0 0-7.5h-5 4.5a3.2 3.2 0 0 0 0-6.5Z",
    "c": "M25 15.5a6 7 0 1 0 0 9",
    "d": "M15.5 13v14h3.5a6 7 0 0 0 0-14Z",
    "e": "M24.5 13h-8v14h8M16.5 20h6.5",
    "f": "M24.5 13h-8v14M16.5 20h6.5",
    "g": "M25 15.5a6 7 0 1 0 .5 7.5v-2.5h-5",
    "h": "M15.5 13v14M24.5 13v14M15.5 20h9",
    "i": "M20 13v14M17.5 13h5M17.5 27h5",
    "j": "M23 13v10.5a3.5 3.5 0 0 1-7 0",
    "k": "M16 13v14M24.5 13 16 21.5M19.2 18.5 25 27",
    "l": "M16.5 13v14h8",
    "m": "M14.5 27V13l5.5 9 5.5-9v14",
    "n": "M15.5 27V13l9 14V13",
    "o": "M20 13a6 7 0 1 0 0 14 6 7 0 1 0 0-14Z",
    "p": "M16 27V13h5a4 4 0 0 1 0 8h-5",
    "q": "M20 13a6 7 0 1 0 0 14 6 7 0 1 0 0-14ZM21.5 23.5 26 28",
    "r": "M16 27V13h5a4 4 0 0 1 0 8h-5M20.5 21 25 27",
    "s": "M24.5 15.5c-2-3.5-8.5-3-8.5.8 0 4.4 9 2.6 9 7.2 0 4.4-7.5 4.6-9.5.8",
    "t": "M14.5 13h11M20 13v14",
    "u": "M15.5 13v9a4.5 4.5 0 0 0 9 0v-9",
    "v": "M15 13 20 27l5-14",
    "w": "M13.5 13 17 27l3-10 3 10 3.5-14",
    "x": "M15 13 25 27M25 13 15 27",
    "y": "M15 13l5 7.5 5-7.5M20 20.5V27",
    "z": "M15.5 13h9l-9 14h9",
    "*": "M20 14v12M14.8 17l10.4 6M25.2 17l-10.4 6",
}
"""The letters of pieces, as strokes."""

NEUTRAL = "#9aa0a8"
"""The paint of colors without one."""
BODY = '<rect x="1" y="1" width="38" height="38" rx="8"/>'


def symbols(palette: Palette) -> Iterator[tuple[str, str]]:
    """Yield every thing that a scene of a game may name, with its drawing."""
    for color in palette:
        letter = f'<path d="{LETTERS[color.letter]}"/>' if color.letter in LETTERS else ""
        shape = SHAPES.get(color.shape, SHAPES["•"])
        bright = brightness(fill_of(color))
        kind = class_of(color) + (" pale" if bright > 0.85 else " dim" if bright < 0.25 else "")
        yield color.name, _piece(kind, shape, letter, is_light(fill_of(color)))
        yield f"{color.name} space", _space(kind, shape, letter)
        yield f"{color.name} small", _small(kind, shape, is_light(fill_of(color)))
    yield from MARKS.items()


def class_of(color: Color) -> str:
    """Return the name of the style that paints a color."""
    return "c-" + "".join(ch if ch.isalnum() and ch.isascii() else f"_{ord(ch):x}" for ch in color.name)


def fill_of(color: Color) -> str:
    """Return the paint of a color in pictures, as `#rrggbb`."""
    return color.fill or color.paint or NEUTRAL


def _piece(kind: str, shape: str, letter: str, light: bool) -> str:
    """Return a piece: a pane of its color with a bright facet, its shape and its letter."""
    tone = "light" if light else "deep"
    facet = '<path class="facet" d="M9 1h22L1 31V9a8 8 0 0 1 8-8Z"/>'
    marks = f'<g class="shape {tone}">{shape}</g><g class="letter {tone}">{letter}</g>'
    return f'<g class="piece {kind}">{BODY}{facet}{marks}</g>'


def _space(kind: str, shape: str, letter: str) -> str:
    """Return a printed space: the outline of a piece in a faint tint."""
    return f'<g class="space {kind}">{BODY}<g class="outline">{shape}</g><g class="letter">{letter}</g></g>'


def _small(kind: str, shape: str, light: bool) -> str:
    """Return a small mark of a color, without a letter."""
    return f'<g class="piece {kind}">{BODY}<g class="shape {"light" if light else "deep"}">{shape}</g></g>'


def is_light(fill: str) -> bool:
    """Return True if a color is so bright that dark letters are easier to read on it."""
    return brightness(fill) > 0.55


def brightness(fill: str) -> float:
    """Return how bright a color looks, from 0 to 1."""
    red, green, blue = (int(fill[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return 0.3 * red + 0.59 * green + 0.11 * blue


MARKS = {
    TILE: '<g class="tile"><circle cx="20" cy="20" r="18.5"/><path d="M15.5 15.5 21 11.5v17.5"/></g>',
    TURN: '<path class="turn" d="M8 5 34 20 8 35Z"/>',
    "won": f'<g class="turn">{SHAPES["★"]}</g>',
    "glazier": (
        '<g class="glazier"><circle cx="20" cy="9.5" r="6.5"/>'
        '<path d="M20 17c-7 0-10 6-10 13v8h20v-8c0-7-3-13-10-13Z"/>'
        '<path class="apron" d="M16 21h8v17h-8Z"/></g>'
    ),
    "marker": '<path class="marker" d="M20 4 35 14 31 34H9L5 14Z"/>',
    "now": '<rect class="now" x="0.8" y="5" width="38.4" height="30" rx="7"/>',
    "double": (
        '<g class="double"><circle cx="33" cy="7" r="7"/>'
        '<path d="M30.5 5.5a2.5 2.5 0 1 1 4.3 1.6L30.5 10.5h5"/></g>'
    ),
    "empty": f'<g class="empty">{BODY}</g>',
}
"""The things that are neither pieces nor spaces of a color."""
