"""The colors of a game: letters, shapes and paints."""

from __future__ import annotations

import pytest

from sintra.rules.colors import Color, Palette


def test_colors_are_found_by_name_and_letter() -> None:
    palette = Palette(
        Color("red", "r", "▲", "31"), Color("black", "k", "■"), others=[Color("joker", "*", "•")]
    )
    assert palette.names == ("red", "black")
    assert palette.letters == {"r": "red", "k": "black"}
    assert palette["red"].paint == "31"
    assert [palette.letter(word) for word in ("black", "joker", "center")] == ["k", "*", "c"]


def test_a_palette_made_from_names_has_a_letter_and_a_shape_for_each() -> None:
    names = ("blue", "black", "brown", "b", "Bordeaux", "b2", "orange", "é")
    palette = Palette.of(names)
    assert palette.names == names
    assert list(palette.letters) == ["b", "l", "r", "a", "o", "c", "n", "é"]
    assert len({palette[name].shape for name in names}) == 8


def test_a_letter_stands_for_one_color() -> None:
    with pytest.raises(ValueError, match="share a name or a letter"):
        Palette(Color("blue", "b", "●"), Color("black", "b", "■"))
