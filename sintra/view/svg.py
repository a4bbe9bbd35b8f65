"""Scenes as SVG: for files, for notebooks, and for pages that animate them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

from msgspec import Struct

from sintra.errors import UsageError
from sintra.rules.colors import Palette
from sintra.view.scene import WIDTH, Panel, Scene
from sintra.view.symbols import class_of, fill_of, symbols

if TYPE_CHECKING:
    from sintra.fold import Fold

GAP = 20
"""The space between panels, and around them."""
FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans','Liberation Sans',sans-serif"


class Theme(Struct, frozen=True):
    """The colors of everything but the pieces."""

    ground: str
    card: str
    edge: str
    tray: str
    ink: str
    muted: str
    accent: str
    frame: str


LIGHT = Theme("#f4f1ea", "#fffdf9", "#ddd5c7", "#f3eee4", "#25262c", "#6b665d", "#8a4b08", "#c9bfae")
DARK = Theme("#14161b", "#1d2027", "#343944", "#262a33", "#ece9e2", "#a3a7b0", "#f0b35a", "#4a505d")


def drawn(fold: Fold, *, player: int | None = None, dark: bool = False) -> str:
    """Return the table of a game as an SVG document; with `player`, only that player's board."""
    from sintra.view import scene_of

    return document(scene_of(fold), DARK if dark else LIGHT, player)


def document(scene: Scene, theme: Theme = LIGHT, player: int | None = None) -> str:
    """Return a scene as an SVG document."""
    places = list(laid_out(scene.panels) if player is None else [(scene.panels[player], 0.0, 0.0)])
    width = max(x for _, x, _ in places) + WIDTH + 2 * GAP
    height = max(y + panel.height for panel, _, y in places) + 2 * GAP
    used = {scene.things[name] for panel, _, _ in places for name in panel.slots if name in scene.things}
    title = "; ".join(scene.described(panel) for panel, _, _ in places)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" role="img">',
        f"<title>{escape(scene.panels[0].label)}</title><desc>{escape(title)}</desc>",
        f"<style>{_style(theme, scene.palette)}</style>",
        f"<defs>{''.join(_defined(scene.palette, used))}</defs>",
        f'<rect class="ground" width="{width:g}" height="{height:g}"/>',
    ]
    for panel, x, y in places:
        parts.append(f'<g transform="translate({x + GAP:g} {y + GAP:g})">')
        parts += [_card(panel), panel.art, *_things(scene, panel), *_texts(scene, panel), "</g>"]
    return "\n".join([*parts, "</svg>"]) + "\n"


def laid_out(panels: Sequence[Panel]) -> Iterator[tuple[Panel, float, float]]:
    """Yield each panel with its corner: two players beside the offer, more on both sides of it."""
    offer, *boards = panels
    sides = [boards] if len(boards) < 3 else [boards[:2], boards[2:]]
    left = 0.0 if len(sides) == 1 else WIDTH + GAP
    heights = [sum(board.height + GAP for board in side) - GAP for side in sides]
    tallest = max(offer.height, *heights)
    yield offer, left, (tallest - offer.height) / 2
    for side, high, x in zip(sides[::-1], heights[::-1], (left + WIDTH + GAP, 0.0), strict=False):
        y = (tallest - high) / 2
        for board in side:
            yield board, x, y
            y += board.height + GAP


def _card(panel: Panel) -> str:
    return f'<rect class="card" width="{WIDTH}" height="{panel.height:g}" rx="14"/>'


def _things(scene: Scene, panel: Panel) -> Iterator[str]:
    things = scene.things
    for name, slot in panel.slots.items():
        thing = things.get(name)
        if thing is not None:
            yield (
                f'<use href="#{thing_id(thing)}" x="{slot.x:g}" y="{slot.y:g}" '
                f'width="{slot.size:g}" height="{slot.size:g}"/>'
            )


def _texts(scene: Scene, panel: Panel) -> Iterator[str]:
    for name, text in panel.texts.items():
        words = scene.texts.get(name, "")
        if words:
            yield (
                f'<text class="{text.style}" x="{text.x:g}" y="{text.y:g}" text-anchor="{text.anchor}">'
                f"{escape(words)}</text>"
            )


def thing_id(thing: str) -> str:
    """Return the id of a thing's symbol in a document."""
    return "s-" + "".join(ch if ch.isalnum() and ch.isascii() else f"_{ord(ch):x}" for ch in thing)


def _defined(palette: Palette, used: set[str]) -> Iterator[str]:
    for thing, art in _symbols(palette):
        if thing in used:
            yield f'<symbol id="{thing_id(thing)}" viewBox="0 0 40 40">{art}</symbol>'


@lru_cache(maxsize=16)
def _symbols(palette: Palette) -> tuple[tuple[str, str], ...]:
    return tuple(symbols(palette))


def symbol_defs(palette: Palette) -> str:
    """Return the symbols of a game, for pages that show any scene of it."""
    return "".join(_defined(palette, {thing for thing, _ in _symbols(palette)}))


def png(svg: str, width: int | None = None) -> bytes:
    """Return an SVG document as PNG; raise UsageError without the extra `png`."""
    try:
        import resvg_py
    except ImportError:
        raise UsageError("PNG needs resvg: pip install 'sintra[png]'; SVG needs nothing") from None
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width))


# -- Style -----------------------------------------------------------------------------------

STYLE = """
text{font-family:%(font)s;fill:%(ink)s}
.title{font-size:17px;font-weight:600}.name{font-size:17px;font-weight:600}
.score{font-size:24px;font-weight:700}.small{font-size:13px;fill:%(muted)s}.tiny{font-size:11px;fill:%(muted)s}
.status{font-size:15px;fill:%(accent)s;font-weight:600}.points{font-size:14px;font-weight:600;fill:%(ink)s}
.ground{fill:%(ground)s}.card{fill:%(card)s;stroke:%(edge)s}
.tray{fill:%(tray)s}.plate{fill:%(tray)s;stroke:%(frame)s;stroke-width:2}
.frame{fill:%(tray)s;stroke:%(frame)s;stroke-width:1.5}.line{fill:none;stroke:%(frame)s;stroke-width:1.5}
.ornament{fill:%(frame)s}
.empty rect{fill:%(card)s;stroke:%(edge)s;stroke-width:2}
.piece>rect{stroke:rgba(0,0,0,.45);stroke-width:1.6}
.facet{fill:#fff;opacity:.16}
.shape.light{fill:#000;opacity:.17}.shape.deep{fill:#fff;opacity:.3}
.letter{fill:none;stroke-width:3.2;stroke-linecap:round;stroke-linejoin:round}
.letter.light{stroke:#1c1d22}.letter.deep{stroke:#fff}
.space>rect{fill-opacity:.16;stroke-width:1.6;stroke-opacity:.75}.space .outline{fill-opacity:.28}
.space.pale>rect{fill-opacity:.3;stroke:%(muted)s;stroke-opacity:.55}
.space.pale .outline,.space.dim .outline{fill:%(muted)s;fill-opacity:.16}
.space.dim>rect{stroke:%(muted)s;stroke-opacity:.55}
.space .letter{stroke:%(muted)s;stroke-width:2.4}
.tile circle{fill:%(ink)s}.tile path{fill:none;stroke:%(card)s;stroke-width:4;stroke-linejoin:round}
.turn{fill:%(accent)s}.marker{fill:%(accent)s}
.glazier{fill:%(ink)s}.apron{fill:%(accent)s}
.now{fill:none;stroke:%(accent)s;stroke-width:1.8}
.double circle{fill:%(ink)s}.double path{fill:none;stroke:%(card)s;stroke-width:2.4;stroke-linecap:round}
""".strip()
"""The style of everything in a scene; `%(name)s` stands for a color of the theme."""


def style(theme: Theme) -> str:
    """Return the style sheet of scenes in a theme."""
    values = {name: getattr(theme, name) for name in theme.__struct_fields__}
    return (STYLE % (values | {"font": FONT})).replace("\n", "")


def paints(palette: Palette) -> str:
    """Return the style sheet that paints the colors of a game."""
    return "".join(
        f".{class_of(color)}>rect{{fill:{fill_of(color)};stroke:{fill_of(color)}}}"
        f".{class_of(color)} .outline{{fill:{fill_of(color)}}}"
        for color in palette
    )


@lru_cache(maxsize=16)
def _style(theme: Theme, palette: Palette) -> str:
    return paints(palette) + style(theme)
