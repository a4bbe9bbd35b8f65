"""The words of a move."""

from __future__ import annotations

import pytest

import sintra
from sintra import catalog
from sintra.errors import UsageError
from sintra.fold import vocabulary
from sintra.games.sintra.events import PlacedOnStrip
from sintra.log.events import Picked

WORDS = vocabulary(catalog.find("sintra"), 2)


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("pick 3 orange", ["pick 3 orange"]),
        ("pick 3 or place 2 keep bl", ["pick 3 orange", "place 2", "keep blue"]),
        ("PICK Center PI", ["pick center pink"]),
        ("pick cen c", ["pick center clear"]),
        ("place 8 jokers 2 keep y", ["place 8 jokers 2", "keep yellow"]),
        ("place 8 keep y", ["place 8", "keep yellow"]),
        ("ret", ["return"]),
        ("return\tpick   1\npink", ["return", "pick 1 pink"]),
        ("", []),
    ],
)
def test_words_are_read(text: str, steps: list[str]) -> None:
    assert WORDS.read(text) == steps


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("pikc 3 orange", "did you mean `pick`"),
        ("pick 3 ornage", "did you mean `orange`"),
        ("pick 3 purple", "unknown color 'purple'; the colors are blue, clear, orange, pink and yellow"),
        ("pick 10 blue", "`pick` takes 1 to 9 or center, not '10'"),
        ("pick", "`pick` is incomplete: 1 to 9 or center must follow"),
        ("p 3 blue", "`p` is ambiguous: pick or place"),
        ("pick 3", "`pick 3` is incomplete: a color must follow"),
        ("place 2 jokers", "`place 2 jokers` is incomplete: 0 to 2 must follow"),
        ("place 2 jokers 3", "`place 2 jokers` takes 0 to 2, not '3'"),
        ("pick centre blue", "`pick` takes 1 to 9 or center, not 'centre'; did you mean `center`?"),
        ("center", "unknown step 'center'; did you mean `pick center`?"),
        ("pick 3 blue blue", "unknown step 'blue'; the steps are pick, place, keep and return"),
    ],
)
def test_words_that_mean_nothing_get_help(text: str, complaint: str) -> None:
    with pytest.raises(UsageError) as caught:
        WORDS.read(text)
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("pick 10 blue", "`pick` takes 1 to 5 or center, not '10'"),
        ("pick 3 mauve", "unknown color 'mauve'; display 3 has clear, orange and pink"),
        ("pick center mauve", "unknown color 'mauve'; the center is empty"),
        ("pick 9 mauve", "unknown color 'mauve'; the colors are blue, clear, orange, pink and yellow"),
        ("keep mauve", "unknown color 'mauve'; the colors are blue, clear, orange, pink and yellow"),
        ("pick 3 orange pick 3 mauve", "unknown color 'mauve'; the colors are blue"),
    ],
)
def test_with_the_offer_at_hand_an_error_says_what_lies_there(text: str, complaint: str) -> None:
    game = sintra.new("sintra", 2, seed=42)
    with pytest.raises(UsageError) as caught:
        game.play(text)
    assert complaint in str(caught.value)


def test_four_players_have_nine_displays() -> None:
    with pytest.raises(UsageError, match="takes 1 to 9 or center"):
        sintra.new("sintra", 4, seed=42).play("pick 10 blue")


@pytest.mark.parametrize(
    ("typed", "color"),
    [("k", "black"), ("K", "black"), ("b", "blue"), ("r", "red"), ("bla", "black"), ("blu", "blue")],
)
def test_a_color_goes_by_the_letter_that_the_screen_shows(typed: str, color: str) -> None:
    assert vocabulary(catalog.find("azul"), 2).read(f"pick 1 {typed}") == [f"pick 1 {color}"]


def test_every_letter_on_the_screen_is_that_color() -> None:
    for name in catalog.names():
        rules = catalog.find(name)
        words = vocabulary(rules, 2)
        for letter, color in rules.palette.letters.items():
            assert words.read(f"pick 5 {letter}") == [f"pick 5 {color}"]


def test_a_beginning_that_two_colors_share_is_refused() -> None:
    with pytest.raises(UsageError, match="`bl` after `pick 1` is ambiguous: blue or black"):
        vocabulary(catalog.find("azul"), 2).read("pick 1 bl")


def test_codes_are_as_documented() -> None:
    codes = WORDS.codes_by_words
    assert codes["pick center blue"] == 0
    assert codes["pick 3 orange"] == 3 * 5 + 2
    assert codes["pick 9 yellow"] == 49
    assert codes["place 1"] == 50
    assert codes["place 8 jokers 2"] == 73
    assert codes["keep blue"] == 74
    assert codes["return"] == 79
    assert len(codes) == 80


def test_an_event_is_a_step_of_its_player() -> None:
    code = WORDS.codes_by_words["place 2"]
    assert WORDS.events[1][code] == PlacedOnStrip(2, 2)
    assert WORDS.codes[1][PlacedOnStrip(2, 2)] == code
    assert PlacedOnStrip(2, 2) not in WORDS.codes[0]


def test_a_misfit_names_its_field() -> None:
    assert WORDS.misfit(Picked(1, 3, "red")) == (
        "color",
        "'red' is not one of blue, clear, orange, pink, yellow",
    )
    assert WORDS.misfit(PlacedOnStrip(1, 3, 0))[0] == "jokers"
