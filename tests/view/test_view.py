"""What a person reads."""

from __future__ import annotations

import re

import pytest

import sintra
from scripts.fixtures import FIXTURES, played
from sintra import catalog
from sintra.log.events import Picked
from sintra.rules.chance import Chance
from sintra.rules.effects import happenings
from sintra.rules.typed import dealt
from sintra.text import columns, listed, plural, safe
from sintra.view import view_of
from sintra.view.card import card
from sintra.view.common import outcome
from sintra.view.layout import BLOCK, Board
from sintra.view.style import Style
from sintra.view.theme import themed
from tests.kit.bots import fitting_step

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def line_with(text: str, lines: list[str]) -> str:
    return next(line for line in lines if text in line)


def table(game: sintra.Game, style: Style, *, backs: bool = False) -> list[str]:
    return view_of(game.rules).table(game._fold, style, backs=backs)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("steps", [0, 1, 45, 120, 10**6])
def test_eighty_columns_suffice(players: int, steps: int) -> None:
    game = played(players, "A", 5, steps)
    for style in (Style(), Style(unicode=False)):
        assert max(map(len, table(game, style))) <= 80


@pytest.mark.parametrize("steps", [0, 1, 45, 120, 10**6])
def test_colors_take_the_place_of_shapes_and_change_nothing_else(steps: int) -> None:
    game = played(3, "B", 5, steps)
    plain = table(game, Style())
    colored = table(game, Style(color=True))
    shapes = str.maketrans(dict.fromkeys("●◇▲■★", " "))
    bare = [ESCAPES.sub("", line).rstrip() for line in colored]
    assert [line.translate(shapes) for line in bare] == [line.translate(shapes) for line in plain]
    assert any("48;5;" in line for line in colored) == bool(game.state.displays[0] or steps)
    with_shapes = table(game, Style(color=True, theme=themed("color-blind", {})))
    assert [ESCAPES.sub("", line).rstrip() for line in with_shapes] == plain


def test_ascii_is_ascii() -> None:
    for steps in (0, 1, 45, 10**6):
        game = played(4, "B", 5, steps)
        assert "\n".join(table(game, Style(unicode=False))).isascii()


def test_every_color_has_its_own_letter_and_shape_in_every_game() -> None:
    for name in catalog.BUILT_IN:
        rules = catalog.find(name)
        drawn = [rules.palette[color] for color in rules.colors]
        assert len({color.letter for color in drawn}) == 5
        assert len({color.shape for color in drawn}) == 5
        assert len({color.paint for color in drawn}) == 5


def test_everything_on_the_table_is_drawn() -> None:
    game = sintra.new("sintra", ["Ada", "Ben"], seed=42)
    game.play("pick 3 orange place 2 pick center pink")
    text = "\n".join(table(game, Style(unicode=False)))
    assert "Stained Glass of Sintra, side A   round 1 of 6" in text
    assert "bag 74   tower 0" in text
    assert "[I C]  II O   III P   IV B   V Y   VI C" in text
    assert "1 B B P Y  2 B C O P  3 -        4 O Y Y Y  5 B B B Y" in text
    assert "center 1 C" in text
    assert "starting tile" not in text
    assert "hand   1 P" in text
    assert "> Ben" in text
    assert "glass 0 [-1] -2 -4" in text
    assert "Ben may:\n    place 1|3|5|6|7|8" in text


@pytest.mark.parametrize("name", catalog.BUILT_IN)
@pytest.mark.parametrize(("style", "tile"), [(Style(), "①"), (Style(unicode=False), "(1)")])
def test_whoever_took_the_starting_tile_is_marked(name: str, style: Style, tile: str) -> None:
    game = sintra.new(name, ["Ada", "Ben"], seed=42)
    choose = Chance(1).stream("bot 1")
    while game.round == 1:
        text = "\n".join(table(game, style))
        taken = next((event for event in game.events if isinstance(event, Picked) and not event.source), None)
        assert (f"{tile} starting tile" in text) == (taken is None)
        for number, player in enumerate(game.players, 1):
            assert (f" {player} {tile} " in text) == (taken is not None and taken.player == number)
        game.play(game.rules.steps[fitting_step(game.live, choose)])
    assert taken is not None


def test_a_starting_tile_that_the_floor_line_has_no_room_for_is_marked() -> None:
    game = sintra.new("azul", ["Ada", "Ben"], chance="table")
    assert "①" not in "".join(table(game, Style()))
    game.record(game.rules.lay(game.created.options, 2, {}, []))
    game.record(dealt(game.rules.palette, 1, "bbbb bbbb bbbb bbbb rrrk"))
    game.play("pick 1 blue place floor pick 2 blue place floor pick 3 blue place floor pick 5 red place 5")
    game.play("pick center black place floor")
    text = "\n".join(table(game, Style()))
    assert "╭ Ada ① ─" in text
    assert text.count("①") == 1


def test_a_long_name_leaves_room_for_the_starting_tile() -> None:
    game = sintra.new("sintra", ["Ada" * 20, "Ben"], seed=42)
    game.play("pick 3 orange place 2 pick 1 blue place 2 pick center clear place 2")
    assert any("Ada~ (1) " in line for line in table(game, Style(unicode=False)))
    assert {len(line) for line in Board("Ada" * 20, "-18 points", [""]).drawn(Style(), BLOCK)} == {BLOCK}
    assert max(map(len, table(game, Style(unicode=False)))) <= 80


def test_a_label_does_not_touch_what_it_names() -> None:
    assert any("window [ ] " in line for line in table(sintra.new(seed=1), Style(unicode=False)))


@pytest.mark.parametrize("name", catalog.BUILT_IN)
def test_a_card_takes_80_columns(name: str) -> None:
    assert max(map(columns, card(catalog.find(name)))) <= 80


@pytest.mark.parametrize("side", ["1", "2"])
def test_printed_spaces_of_crystal_mosaic_have_their_colors(side: str) -> None:
    """As those of a colored wall do, also where they count double."""

    def paints(game: sintra.Game) -> set[tuple[str, str]]:
        drawn = "\n".join(table(game, Style(color=True)))
        return set(re.findall(r"\x1b\[38;5;(\d+)m[·×]([a-z]) \x1b", drawn))

    found = paints(sintra.new("crystal", seed=1, side=side))
    assert len(found) == 5
    assert found == paints(sintra.new("azul", seed=1, side="colored"))


def test_backs_are_drawn_on_request() -> None:
    game = sintra.new(seed=42)
    front = table(game, Style(unicode=False))
    back = table(game, Style(unicode=False), backs=True)
    assert not any(".*" in line for line in front)
    assert sum(line.count(".*") for line in back) == 4


def test_a_table_that_is_not_arranged_or_dealt_yet_can_be_shown() -> None:
    game = sintra.new(chance="table")
    assert table(game, Style())[-1] == "The table is not arranged yet."
    game.record(sintra.new(seed=42).events[1])
    assert table(game, Style())[-1] == "Round 1 has to be dealt first."


def test_a_finished_game_shows_where_points_came_from() -> None:
    game = played(2, "A", 5, 10**6)
    lines = table(game, Style())
    at = next(number for number, line in enumerate(lines) if line.endswith(("wins.", "victory.")))
    for line, score in zip(lines[at + 1 :], game.scores, strict=True):
        points = [int(n) for n in re.findall(r"[+-]\d+(?=,|$)", line)]
        assert sum(points) == score


def test_text_from_a_log_is_shown_not_sent() -> None:
    assert safe("a\x1b[31mb\n\u202e\x07") == r"a\x1b[31mb\n\u202e\x07"
    assert safe("Zoë ☕") == "Zoë ☕"
    text = sintra.new(seed=1).dumps().replace("Player 1", r"\u001b[2JEve")
    game = sintra.loads(text)
    game.note("\x1b]0;title\x07")
    view = view_of(game.rules)
    said = "".join(table(game, Style())) + "".join(
        view.sentence(game._fold, event, []) for event in game.events[::3]
    )
    assert "\x1b" not in said
    assert r"\x1b[2JEve" in said
    assert r"Note: \x1b]0;title\x07" in said


def test_words() -> None:
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"], "or") == "a, b or c"
    assert plural(1, "piece") == "1 piece"
    assert plural(-1, "point") == "-1 point"
    assert plural(0, "piece") == "0 pieces"
    assert outcome(["Ada", "Ben"], [2]) == "Ben wins."
    assert outcome(["Ada", "Ben"], [1, 2]) == "Ada and Ben share the victory."


def test_effects_are_told_by_name_and_number() -> None:
    game = sintra.new(seed=42)
    state = game.live
    state.effects = []
    state.play(17)
    told = happenings(game.rules, state.effects)
    assert [(h.name, h.player, h.numbers) for h in told] == [
        ("took", 1, {"pieces": 2}),
        ("centered", 1, {"pieces": 2}),
    ]


def test_every_kind_of_sentence_stands_in_the_golden_games() -> None:
    """So that a person has looked at each of them."""
    text = "".join(path.read_text() for path in sorted((FIXTURES / "games").glob("*.txt")))
    for part in (
        "with the starting tile.",
        "to the center.",
        "No strip takes it: 1 piece broken.",
        "No strip takes them:",
        "pieces broken.",
        "1 joker used",
        "The strip is complete: 0 bonus points.",
        "is furnished, the strip flipped.",
        "is complete, the strip removed.",
        "glazier walks back to strip",
        "The track's end: 18 points lost.",
        "The bag was refilled after",
        "Round 6 ends. Ada:",
        "wins.",
    ):
        assert part in text, part


@pytest.mark.parametrize("name", ["sintra", "azul", "crystal"])
def test_custom_boards_are_drawn_in_80_columns(name: str) -> None:
    """Whatever values are allowed: long tracks, high bonuses, deep floors."""
    own: dict[str, dict[str, object]] = {
        "sintra": {"broken": list(range(0, -19, -1)), "windows": [10**6] * 8},
        "azul": {"bonus": {"row": 10**6, "column": 10**6, "color": 10**6}, "floor": [-1000] * 7},
        "crystal": {"floor": [-(10**6)] * 7},
    }
    game = sintra.new(name, ["Ada", "Ben"], seed=3, components=own[name])
    choose = Chance(3).stream("bot 1")
    while not game.over:
        for style in (Style(), Style(unicode=False)):
            assert max(map(columns, table(game, style))) <= 80 or name == "crystal"
        game.play(game.rules.steps[fitting_step(game.live, choose)])
    if name == "azul":  # the longest line of points that there can be
        board = game._fold.state.boards[0]  # type: ignore[attr-defined]
        board.rows, board.down, board.rows_without = 5, 0x1FFFFFF, 0
        board.score = 15 * 10**6
        assert "colors +5000000" in "\n".join(table(game, Style()))
    assert max(map(columns, table(game, Style()))) <= 80 or name == "crystal"
