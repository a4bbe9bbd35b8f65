"""Pictures: every piece is drawn once, in a slot of its own, and in a color that everybody can tell."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ElementTree
from itertools import combinations
from pathlib import Path

import pytest

import sintra
from scripts.fixtures import FIXTURES, GOLDENS, under_way
from sintra import catalog
from sintra.errors import UsageError
from sintra.log import files
from sintra.reader import Reader
from sintra.rules.colors import Palette
from sintra.testing import check_scene
from sintra.view import places_of, scene_of
from sintra.view.scene import changes
from sintra.view.svg import DARK, LIGHT, document, drawn, png, thing_id
from sintra.view.symbols import LETTERS, SHAPES, fill_of, symbols
from tests.kit.program import run

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", GOLDENS)
def test_the_drawing_has_the_pieces_of_the_state_at_every_event(name: str) -> None:
    path = FIXTURES / "games" / f"{name}.log"
    reader = Reader(files.read(path), path)
    before = None
    for _ in reader:
        scene = scene_of(reader.fold)
        shown = scene.pieces()
        assert [shown[color] for color in reader.fold.rules.colors] == reader.fold.state.census()
        if before is not None:
            assert before.panels is scene.panels, "a skeleton stays the same throughout a game"
            step = changes(before, scene)
            things = before.things | step.things
            assert {name: thing for name, thing in things.items() if thing} == scene.things
        before = scene
    check_scene(reader.fold)


@pytest.mark.parametrize("name", ["azul-gray-2", "sintra-a-3"])
def test_what_a_picture_says_is_for_people(name: str) -> None:
    """Between two rounds, it says so; the events that come next are the business of programs."""
    path = FIXTURES / "games" / f"{name}.log"
    reader = Reader(files.read(path), path)
    said = {scene_of(reader.fold).texts["status"] for _ in reader}
    assert {"Round 1 has ended", "Round 2 has to be dealt", "The last round has ended"} <= said
    assert not [words for words in said if "`" in words or not words[0].isupper()]


@pytest.mark.parametrize("name", GOLDENS)
def test_a_picture_is_as_it_was(name: str) -> None:
    picture = drawn(under_way(name))
    assert (FIXTURES / "pictures" / f"{name}.svg").read_text() == picture


@pytest.mark.parametrize("name", ["sintra-a-2", "crystal-1-4"])
def test_a_picture_is_whole(name: str) -> None:
    """It is well-formed, refers to nothing outside, and uses the symbols that it defines."""
    scene = scene_of(under_way(name))
    for theme in (LIGHT, DARK):
        text = document(scene, theme)
        root = ElementTree.fromstring(text)
        assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
        assert "%(" not in text
        defined = {symbol.get("id") for symbol in root.iter(f"{SVG}symbol")}
        used = [str(use.get("href")) for use in root.iter(f"{SVG}use")]
        assert {f"#{name}" for name in defined} == set(used)
        assert len(used) == len(scene.things)
    for panel in scene.panels:
        for slot in panel.slots.values():
            assert slot.x >= 0 <= slot.y
            assert slot.x + slot.size <= 480 >= slot.size
            assert slot.y + slot.size <= panel.height
        places = [(slot.x, slot.y) for name, slot in panel.slots.items() if name in scene.things]
        assert len(set(places)) >= len(places) - 25, "only marks lie on spaces"


def test_every_piece_has_a_shape_and_a_letter_of_its_own() -> None:
    for name in catalog.BUILT_IN:
        palette = catalog.find(name).palette
        drawings = dict(symbols(palette))
        marks = {(palette[c].shape, palette[c].letter) for c in palette.names}
        assert (
            len({shape for shape, _ in marks}) == len({letter for _, letter in marks}) == len(palette.names)
        )
        for color in palette.names:
            assert LETTERS[palette[color].letter] in drawings[color]
            assert SHAPES[palette[color].shape] in drawings[color]


@pytest.mark.parametrize("name", GOLDENS)
def test_every_legal_step_has_its_place_on_the_picture(name: str) -> None:
    path = FIXTURES / "games" / f"{name}.log"
    reader = Reader(files.read(path), path)
    for moment in reader:
        if moment.number % 5:
            continue
        fold = reader.fold
        scene = scene_of(fold)
        known = {name for panel in scene.panels for name in (*panel.zones, *panel.slots)}
        places = places_of(fold, scene)
        legal = [fold.words.steps[code].words for code in fold.state.legal()]
        assert list(places) == legal
        assert all(places[words] and known.issuperset(places[words]) for words in legal)


# -- Colors that everybody can tell apart --

VISION = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritanopia": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}
"""How linear colors look to people with each kind of vision (Machado, Oliveira and Fernandes, 2009)."""


def linear(fill: str) -> tuple[float, float, float]:
    parts = [int(fill[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return red, green, blue


def lab(rgb: tuple[float, ...]) -> tuple[float, float, float]:
    """The color in a space where distances are differences to the eye."""
    rows = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    white = (0.9505, 1.0, 1.089)
    xyz = [sum(a * max(0.0, b) for a, b in zip(row, rgb, strict=True)) for row in rows]
    x, y, z = (
        t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116
        for t in (v / w for v, w in zip(xyz, white, strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: str, two: str, vision: str) -> float:
    seen = [
        lab(tuple(sum(a * b for a, b in zip(row, linear(fill), strict=True)) for row in VISION[vision]))
        for fill in (one, two)
    ]
    return float(sum((a - b) ** 2 for a, b in zip(*seen, strict=True)) ** 0.5)


@pytest.mark.parametrize("vision", VISION)
def test_colors_differ_for_every_kind_of_color_vision(vision: str) -> None:
    """A difference of 2 can just be seen side by side; 20 is plain at a glance."""
    palettes = [catalog.find(name).palette for name in catalog.BUILT_IN]
    for palette in [*palettes, Palette.of(tuple("abcdefgh"))]:
        least = 20 if len(palette.names) == 5 else 5  # of eight, some are near each other
        fills = [fill_of(palette[color]) for color in palette.names]
        for one, two in combinations(fills, 2):
            assert difference(one, two, vision) > least, (vision, one, two)


# -- Names, plug-ins and files --


def test_names_are_escaped_and_fit() -> None:
    names = ["</title><script>alert(1)</script>", "\u202e\"'&]]>" + "宽" * 60]
    game = sintra.new("azul", names, seed=1)
    root = ElementTree.fromstring(sintra.draw(game))
    assert not list(root.iter(f"{SVG}script"))
    said = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    assert any(text.startswith("</title><script>") and text.endswith("~") for text in said)
    assert any(text.startswith("\\u202e\"'&]]>宽") and len(text) < 30 for text in said)
    assert "\u202e" not in sintra.draw(game)


def test_a_plug_in_without_a_scene_has_a_plain_one() -> None:
    from tests.kit.quarry import RULES

    game = sintra.Game.new(RULES, 3, seed=1)
    for _ in range(30):
        game.play(game.legal()[-1])
    check_scene(game._fold)
    text = "".join(ElementTree.fromstring(game._repr_svg_()).itertext())
    assert RULES.title in text
    assert thing_id(RULES.colors[0]) in game._repr_svg_()


def test_a_game_shows_itself_in_a_notebook() -> None:
    game = sintra.new("sintra", seed=1)
    assert game._repr_svg_() == sintra.draw(game)


def test_draw_of_an_event_a_player_and_in_the_dark(tmp_path: Path) -> None:
    log = FIXTURES / "games" / "sintra-b-3.log"
    early = sintra.draw(log, at=3)
    assert early != sintra.draw(log)
    assert run("draw", log, "--at", "3").out == early
    board = ElementTree.fromstring(sintra.draw(log, player=2))
    assert (board.get("width"), board.get("height")) == ("520", "506")
    assert LIGHT.ground in early
    run("draw", log, "--dark", "-o", tmp_path / "p.SVG")
    assert DARK.ground in (tmp_path / "p.SVG").read_text()
    run("draw", log, "-o", tmp_path / "p.SVG")  # replaced
    assert LIGHT.ground in (tmp_path / "p.SVG").read_text()


def test_what_draw_refuses(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    log.write_bytes((FIXTURES / "games" / "azul-gray-2.log").read_bytes())
    assert "must end in .svg or .png" in run("draw", log, "-o", log, code=2).err
    assert "no player 3: the game has 2" in run("draw", log, "--player", "3", code=2).err
    assert "no event 9999" in run("draw", log, "--at", "9999", code=2).err
    assert "--width is for PNG" in run("draw", log, "--width", "99", code=2).err
    (tmp_path / "file").touch()
    assert "file is not a folder" in run("draw", log, "-o", tmp_path / "file" / "p.svg", code=4).err
    assert log.read_bytes() == (FIXTURES / "games" / "azul-gray-2.log").read_bytes()


def test_png_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(UsageError, match=re.escape("pip install 'sintra[png]'")):
        png("<svg/>")


def test_png(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="resvg-py has no wheel for this machine")
    log = FIXTURES / "games" / "azul-gray-2.log"
    run("draw", log, "-o", tmp_path / "p.png", "--width", "300")
    data = (tmp_path / "p.png").read_bytes()
    assert data.startswith(b"\x89PNG\r\n")
    assert int.from_bytes(data[16:20], "big") == 300
