"""Skeletons: what a page is given has the places, symbols and colors of the picture that `draw` makes."""

from __future__ import annotations

import re

import msgspec
import pytest

from scripts.fixtures import GOLDENS, under_way
from sintra.view import scene_of
from sintra.view.svg import DARK, LIGHT, STYLE, document, thing_id
from sintra.web.page import asset, embedded, policy
from sintra.web.skeleton import skeleton, table_style
from tests.web.test_replay import completed


@pytest.mark.parametrize("name", GOLDENS)
def test_a_skeleton_has_every_place_of_the_scene(name: str) -> None:
    scene = scene_of(under_way(name))
    found = msgspec.to_builtins(skeleton(scene))
    panels = completed(found["panels"])
    assert {name for panel in panels for name in panel["slots"]} >= scene.things.keys()
    assert {name for panel in panels for name in panel["texts"]} >= scene.texts.keys()
    assert all(f'id="{thing_id(thing)}"' in found["symbols"] for thing in scene.things.values())
    picture = document(scene)
    for frame, panel in zip(panels, scene.panels, strict=True):
        assert frame.get("art", panel.art) == panel.art
        assert frame["zones"].keys() == panel.zones.keys()
        for slot, (x, y, size) in frame["slots"].items():
            if slot in scene.things:
                use = f'<use href="#{thing_id(scene.things[slot])}" x="{x:g}" y="{y:g}" width="{size:g}"'
                assert use in picture
    cells = [frame["cell"][:2] for frame in panels]
    assert len(set(cells)) == len(cells)
    assert [panel.get("like") for panel in panels[2:]] == ["player/1"] * (len(panels) - 2)


def test_the_style_of_a_page_has_both_themes_and_no_clash() -> None:
    """Classes of pictures are the page's own nowhere: a page that used one would repaint the pieces."""
    sheet = table_style(scene_of(under_way("sintra-a-2")).palette)
    assert LIGHT.ground in sheet
    assert DARK.ground in sheet
    assert "%(" not in sheet
    pictures = set(re.findall(r"\.([a-z][\w-]*)", STYLE))
    for name in ("table.css", "replay.css"):
        css = re.sub(r"/\*.*?\*/", "", asset(name), flags=re.DOTALL)
        own = set(re.findall(r"\.([a-zA-Z][\w-]*)(?=[^{}]*\{)", css))
        assert not own & pictures


def test_data_in_a_page_can_not_end_its_element() -> None:
    evil = "</script><!-- <script>\u2028\u2029&amp;"
    written = embedded({"name": evil})
    assert not re.search("[<\u2028\u2029]", written)
    assert msgspec.json.decode(written) == {"name": evil}
    assert "'none'" in policy("", "").split(";")[1]
