"""The moving picture: every thing is where the scene has it, in every frame."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import pytest

from scripts.docs import ROOT
from scripts.moving import Film, framed, moving, spans_of, spoken
from sintra.games.azul.events import PlacedInLine
from sintra.log.events import Picked

EXAMPLE = ROOT / "docs" / "example.log"


@pytest.fixture(scope="module")
def film() -> Film:
    return Film(list(framed(EXAMPLE, 100, 169)), dark=False)


def test_every_thing_is_where_the_scene_has_it(film: Film) -> None:
    tracks = film._tracks()
    for number, scene in enumerate(film.scenes):
        at = [(track.thing, [p for p in track.points if p.frame <= number][-1:]) for track in tracks]
        seen = {points[0].slot: thing for thing, points in at if points and points[0].seen}
        assert seen == {name: thing for name, thing in scene.things.items() if film._flies(thing)}


def test_things_move_and_are_not_only_made_and_lost(film: Film) -> None:
    moves = [sum(point.seen for point in track.points) for track in film._tracks()]
    assert sum(count >= 3 for count in moves) > 20  # display, hand, board


def test_the_file_is_alone_and_small() -> None:
    text = moving(EXAMPLE, 137, 169)
    root = ElementTree.fromstring(text)
    ids = {one.attrib["id"] for one in root.iter() if "id" in one.attrib}
    links = {one.attrib["href"] for one in root.iter() if "href" in one.attrib}
    assert links <= {f"#{name}" for name in ids}
    assert not re.search(r"url\(|<script|@import|https?://(?!www\.w3\.org/)", text)
    named = set(re.findall(r"animation-name:([\w-]+)", text))
    assert named == set(re.findall(r"@keyframes ([\w-]+)\{", text))
    assert "prefers-reduced-motion" in text
    assert len(text) < 120_000


def test_spans() -> None:
    assert spans_of([True, True, False, True]) == [(0, 2), (3, 4)]
    assert spans_of([False]) == []


def test_commands_are_those_that_a_player_types() -> None:
    assert spoken(Picked(player=1, source=0, color="blue")) == "pick center blue"
    assert spoken(Picked(player=2, source=3, color="pink")) == "pick 3 pink"
    assert spoken(PlacedInLine(player=1, line=2)) == "place 2"
    for frame in framed(EXAMPLE, 137, 169):
        assert bool(frame.command) == ('"player"' in frame.line)
