"""Boards with large pieces: where everything stands, and when they are drawn."""

from __future__ import annotations

import re

import pytest

import sintra
from sintra.cli.animate import bare_table
from sintra.text import columns
from sintra.view.large import enlarged
from sintra.view.style import Style

BLUE = "\x1b[1;38;5;231;48;5;27m B \x1b[0m"


def plain(line: str) -> str:
    return re.sub(r"\x1b\[[?0-9;]*m", "", line)


def test_everything_stands_at_twice_its_column() -> None:
    lines = [f"strip   1  {BLUE}", f"        ·b {BLUE}", "glass  [0] -1  -14"]
    drawn = [plain(line) for line in enlarged(lines, [1])]
    assert drawn == [
        "strip           1       B   ",
        "                ·b      B   ",
        "                            ",
        "glass         [0]     -1      -14   ",
    ]
    upper, lower = enlarged(lines, [1])[1:3]
    assert "48;5;27m  B  " in upper
    assert "48;5;27m     " in lower


@pytest.mark.parametrize(("rules", "side"), [("sintra", "B"), ("azul", "gray"), ("crystal", "1")])
def test_every_spot_of_a_small_board_is_on_the_large_one(rules: str, side: str) -> None:
    game = sintra.new(rules, 2, seed=4, side=side)
    for _ in range(21):
        game.play(game.legal()[0])
    found = []
    for height in (22, 60):
        style = Style(color=True, width=160, height=height, spots=[])
        lines = bare_table(game.fold, style)
        assert len(lines) <= height
        assert max(map(columns, lines)) <= 160
        found.append((len(lines), set(style.spots or [])))
    (low, few), (high, many) = found
    assert high > low
    assert few == many


@pytest.mark.parametrize("style", [Style(width=160, height=60), Style(color=True, unicode=False, height=60)])
def test_pieces_without_blocks_of_color_stay_small(style: Style) -> None:
    game = sintra.new("azul", 2, seed=4)
    assert len(bare_table(game.fold, style)) < 25
