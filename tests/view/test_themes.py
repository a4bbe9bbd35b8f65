"""Colors that everybody can read and tell apart, and tables that fit on the screen."""

from __future__ import annotations

import math
import re
from itertools import combinations

import pytest

import sintra
from scripts.fixtures import GOLDENS, played
from sintra import catalog
from sintra.rules.colors import PAINTS, Palette
from sintra.view import view_of
from sintra.view.common import legend_lines
from sintra.view.style import Style
from sintra.view.theme import LEGIBLE, NAMES, Theme, contrast, fill, ink_on, luminance, rgb, themed, tint
from sintra.view.trail import Trail

PALETTES = {name: catalog.find(name).palette for name in catalog.BUILT_IN}
PALETTES["by position"] = Palette.of(list("abcdefgh"))
THEMES = {
    f"{name} {ground}": themed(name, {"COLORFGBG": ground}) for name in NAMES for ground in ("15;0", "0;15")
}

# How people see colors: linear RGB times a matrix, after Machado and others (2009), full severity.
EYES = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritanopia": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}
APART = 20.0
"""Minimum distance of two colors in CIELAB; 2.3 is about what a trained eye notices."""


def lab(number: int, eye: str) -> tuple[float, float, float]:
    """A color as somebody sees it, in CIELAB."""
    linear = [((c / 255 + 0.055) / 1.055) ** 2.4 if c > 10 else c / 3294.6 for c in rgb(number)]
    r, g, b = (min(1.0, max(0.0, sum(k * c for k, c in zip(row, linear, strict=True)))) for row in EYES[eye])
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def test_contrast_is_that_of_the_web_guidelines() -> None:
    assert contrast(16, 231) == pytest.approx(21)
    assert luminance((255, 0, 0)) == pytest.approx(0.2126)
    assert contrast(231, 243) == pytest.approx(4.54, abs=0.01)  # white and #767676


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("name", PALETTES)
def test_everything_can_be_read_on_its_background(name: str, theme: Theme) -> None:
    palette = PALETTES[name]
    for number in (theme.ink, theme.faint, theme.frame, theme.bright):
        assert contrast(number, theme.ground) >= LEGIBLE
    for color in [*palette.names, "joker", "unknown"]:
        piece = fill(palette[color].paint)
        assert contrast(ink_on(piece), piece) >= LEGIBLE
        assert contrast(tint(piece, theme.ground), theme.ground) >= LEGIBLE


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("name", [*catalog.BUILT_IN])
def test_pieces_are_told_apart_by_their_color_alone(name: str, eye: str) -> None:
    palette = PALETTES[name]
    fills = {color: fill(palette[color].paint) for color in palette.names}
    for one, other in combinations(fills, 2):
        assert math.dist(lab(fills[one], eye), lab(fills[other], eye)) >= APART, (one, other)


def test_paints_are_colors_that_every_terminal_has() -> None:
    for palette in PALETTES.values():
        for name in palette.names:
            paint = palette[name].paint
            assert "#" + "".join(f"{level:02x}" for level in rgb(fill(paint))) == paint
    assert len(set(PAINTS)) == 8
    assert fill("38;5;71") == 71
    assert fill("1") == fill("") == fill("38;5;999")


@pytest.mark.parametrize(
    ("name", "environ", "found"),
    [
        ("auto", {}, "dark"),
        ("auto", {"COLORFGBG": "0;15"}, "light"),
        ("auto", {"COLORFGBG": "15;default;0"}, "dark"),
        ("auto", {"SINTRA_THEME": "light"}, "light"),
        ("dark", {"SINTRA_THEME": "light", "COLORFGBG": "0;15"}, "dark"),
        ("color-blind", {"COLORFGBG": "0;15"}, "color-blind"),
    ],
)
def test_the_background_is_known_from_the_environment(name: str, environ: dict[str, str], found: str) -> None:
    assert themed(name, environ).name == found
    if name == "color-blind":
        assert themed(name, environ).ground == themed("light", {}).ground


# -- What fits -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GOLDENS)
@pytest.mark.parametrize("size", [(80, 24), (100, 40), (200, 60)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_offer_boards_and_choices_are_on_the_screen_together(name: str, size: tuple[int, int]) -> None:
    made = GOLDENS[name]
    for steps in (0, 1, 33, 90):
        game = played(made["players"], made["side"], made["seed"], steps, made["rules"])
        style = Style(width=size[0], height=size[1] - 1)
        lines = view_of(game.rules).table(game._fold, style)
        assert max(map(len, lines)) <= size[0]
        assert len(lines) <= size[1] - 1
        text = "\n".join(lines)
        assert "may:" in text
        assert all(f" {player} " in text for player in game.players)


def test_the_last_turn_is_marked_and_nothing_else() -> None:
    game = sintra.new(seed=42)
    trail, style = Trail(), Style(unicode=False)
    game.watch(lambda fold, moment: trail.see(fold, moment.event))
    view = view_of(game.rules)
    game.play("pick 1 yellow place 1")
    game.play("pick 3 orange place 2")
    fold = game._fold
    text = "\n".join(view.table(fold, Style(unicode=False, since=trail.since(fold))))
    assert (text.count("<O>"), text.count("3<"), text.count("<")) == (1, 1, 2)
    assert "<" not in "\n".join(view.table(fold, style))


def test_a_spot_has_the_step_that_it_stands_for() -> None:
    game = sintra.new(seed=42)
    spots: list[str] = []
    lines = view_of(game.rules).table(game._fold, Style(spots=spots))
    legal = {str(step) for step in game.legal()}
    assert legal <= set(spots)
    marks = re.findall(r"\x1b\[\?(\d+)m(.*?)\x1b\[\?0m", "\n".join(lines))
    blue = next(text for number, text in marks if spots[int(number) - 1] == "pick 5 blue")
    assert blue == "●B ●B ●B "


@pytest.mark.parametrize("name", catalog.BUILT_IN)
def test_the_legend_explains_every_color(name: str) -> None:
    game = sintra.new(name, seed=1)
    for style in (Style(), Style(unicode=False)):
        text = "\n".join(legend_lines(game._fold, style))
        assert all(text.count(color) >= 2 for color in game.rules.colors)
        assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    ("rules", "side", "there"),
    [
        ("sintra", "A", "ornament"),
        ("sintra", "B", ""),
        ("azul", "colored", ""),
        ("azul", "gray", ""),
        ("crystal", "1", "counts double"),
        ("crystal", "2", ""),
    ],
)
def test_the_legend_has_only_signs_that_the_boards_show(rules: str, side: str, there: str) -> None:
    game = sintra.new(rules, seed=1, side=side)
    game.settle()
    text = " ".join("\n".join(legend_lines(game._fold, Style())).split())
    assert {sign for sign in ("ornament", "counts double") if sign in text} == ({there} - {""})
