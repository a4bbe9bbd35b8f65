"""Scenes for a browser, as `assets/table.js` expects them: what stays the same in a game, and what changes.

The skeleton has the art, symbols and places that `view.svg` draws, so a page shows the same as `draw`.
What changes is the `things` and `texts` of a scene, and a step is `view.scene.changes`: both can be sent as
JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from msgspec import Struct

from sintra.rules.colors import Palette
from sintra.view.scene import WIDTH, Panel, Scene
from sintra.view.svg import DARK, LIGHT, Theme, laid_out, paints, style, symbol_defs

ON_PAGES = (
    ".title{display:none}"
    "@container (max-width:24rem){"
    ".small,.points{font-size:15.5px}.tiny{font-size:14px}.status{font-size:17px}}"
)
"""What is different on pages: their heading has the title, and the words on small panels stay legible."""

T = TypeVar("T")
Box = tuple[float, ...]
"""The corner and the size of a slot; of a zone, its corner, width, height, and the radius of its corners."""


class Frame(Struct, frozen=True, omit_defaults=True):
    """A panel without the things on it; `cell` is its column, row and number of rows on a wide screen.

    If a panel is the same as another except for the player's number in names, `like` names that one, and the
    rest is left out.
    """

    name: str
    label: str
    height: float
    cell: tuple[int, int, int]
    art: str = ""
    slots: dict[str, Box] = {}
    zones: dict[str, tuple[str, Box]] = {}
    """The label and the box of each zone."""
    texts: dict[str, tuple[float | str, ...]] = {}
    """The point and style of the words, and which end of them is at the point."""
    like: str = ""


class Skeleton(Struct, frozen=True):
    """What stays the same throughout a game; `colors` are the names of pieces, `ratio` is width to height."""

    width: int
    ratio: float
    colors: tuple[str, ...]
    symbols: str
    panels: list[Frame]


def skeleton(scene: Scene) -> Skeleton:
    """Return what stays the same throughout the game of a scene."""
    places = [(panel, x, y) for panel, x, y in laid_out(scene.panels)]
    tall = max(y + panel.height for panel, _, y in places)
    wide = max(x for _, x, _ in places) + WIDTH
    corners = {panel.name: (x, y) for panel, x, y in places}
    frames = [_frame(panel, *_cell(corners, panel.name)) for panel in scene.panels]
    return Skeleton(
        WIDTH,
        round(wide / tall, 3),
        scene.palette.names,
        symbol_defs(scene.palette),
        [*frames[:2], *(_shortened(frame, frames[1]) for frame in frames[2:])],
    )


def _shortened(frame: Frame, first: Frame) -> Frame:
    """Return a player's panel without what it shares with the first player's."""
    own, other = (f"{one.name.partition('/')[2]}/" for one in (frame, first))

    def renamed(places: Mapping[str, T]) -> dict[str, T]:
        return {own + name.removeprefix(other): place for name, place in places.items()}

    same = frame.art == first.art and all(
        getattr(frame, kind) == renamed(getattr(first, kind)) for kind in ("slots", "zones", "texts")
    )
    return Frame(frame.name, frame.label, frame.height, frame.cell, like=first.name) if same else frame


def _cell(corners: Mapping[str, tuple[float, float]], name: str) -> tuple[int, int, int]:
    """Return the column of a panel on a wide screen, its row, and the number of rows that it takes."""
    columns = sorted({x for x, _ in corners.values()})
    x, y = corners[name]
    rows = sorted(other for at, other in corners.values() if at == x)
    return columns.index(x) + 1, rows.index(y) + 1, 1 if len(rows) > 1 else 2


def _frame(panel: Panel, column: int, row: int, rows: int) -> Frame:
    return Frame(
        panel.name,
        panel.label,
        panel.height,
        (column, row, rows),
        panel.art,
        {name: _box(slot.x, slot.y, slot.size) for name, slot in panel.slots.items()},
        {
            name: (zone.label, _box(zone.x, zone.y, zone.width, zone.height, zone.round))
            for name, zone in panel.zones.items()
        },
        {name: (*_box(text.x, text.y), text.style, text.anchor) for name, text in panel.texts.items()},
    )


def _box(*numbers: float) -> Box:
    """Return numbers in their shortest form: integers without a decimal point."""
    return tuple(int(number) if number == int(number) else round(number, 1) for number in numbers)


def table_style(palette: Palette) -> str:
    """Return the style sheet of a game's pictures for a page, light and dark; paper is always light."""
    names = Theme.__struct_fields__
    light, dark = ("".join(f"--{name}:{getattr(theme, name)};" for name in names) for theme in (LIGHT, DARK))
    by_name = Theme(*(f"var(--{name})" for name in names))
    return (
        f":root{{color-scheme:light;{light}}}"
        f"@media screen{{:root[data-theme=dark]{{color-scheme:dark;{dark}}}}}"
        "@media screen and (prefers-color-scheme:dark){"
        f":root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}\n{paints(palette)}{style(by_name)}{ON_PAGES}\n"
    )
