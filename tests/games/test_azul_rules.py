"""The rules of Azul and of Crystal Mosaic, sentence by sentence, and the rulings R, A and C.

Each test names what it holds the engine to; its docstring says under which heading of a rulebook, or
in which ruling, that is found. Eva is player 1 and Jesper player 2; how pieces and walls are written
is explained in `tests.kit.walls`.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import sintra
from sintra.games.azul import codes
from sintra.games.azul.events import Bonus, PlacedInLine, Tiled
from sintra.games.azul.player import FLOOR_SPACES, SIZE
from sintra.games.azul.rulings import AZUL, CRYSTAL
from sintra.log.events import Dealt, Ended, Picked, RoundEnded
from sintra.rules import offer, state
from sintra.rules.rulings import EVERY_GAME
from tests.kit.tables import kinds, play_out, refused, words
from tests.kit.walls import (
    COLORED,
    COLORS,
    EMPTY,
    EVA,
    IDA,
    JESPER,
    LETTERS,
    NAMES,
    SIDES,
    THORE,
    WORDS,
    arranged,
    board,
    deal,
    drawn,
    every_piece,
    finish_round,
    floor,
    lay,
    lines,
    only_left,
    printed,
    refused_deal,
    seen,
    stock,
    table,
    wall,
)

PRINTED = {
    "colored": COLORED,
    "gray": EMPTY,
    "1": "...k. t.... ..y.. ....b .r...",
    "2": "..... .b.r. ..t.. .k.y. .....",
}
LOSSES = {"colored": (1, 1, 2, 2, 2, 3, 3), "1": (1, 0, 1, 2, 1, 2, 3)}
LOSSES |= {"gray": LOSSES["colored"], "2": LOSSES["1"]}

ROW = "byrkt ..... ..... ..... ....."
COLUMN = "b.... t.... k.... r.... y...."
NO_PLACE_FOR_RED = {
    "gray": "r.... ....r ..t.. ...r. .r...",
    "1": "r.... ....r ..... ...r. .r...",
    "2": "r.... ...r. ..... ....r .r...",
}
"""Walls with a red tile in every column but the third, where row 3 is printed or tiled with another color."""


def tiling(side: str = "gray", players: int = 2, **eva: Any) -> sintra.Game:
    """The end of a round: this lies on Eva's board, and Jesper lays one black piece on his line 5."""
    game = table(side=side, players=players)
    lay(game, EVA, **eva)
    finish_round(game)
    return game


def place(drawing: str, side: str) -> tuple[sintra.Game, int]:
    """Tile the piece in capitals, the others being there already; the game, and the points for it."""
    row, column = next(
        (row, column)
        for row, letters in enumerate(drawing.split(), 1)
        for column, letter in enumerate(letters, 1)
        if letter.isupper()
    )
    color = drawing.split()[row - 1][column - 1]
    game = tiling(side, wall=drawing.replace(color, "."), lines={row: color.lower() * row})
    if side != "colored":
        game.play(f"tile {row} {column}")
    assert wall(game, EVA) == drawing.lower()
    return game, board(game, EVA).points["tiles"]


def first_round() -> sintra.Game:
    """A whole round on the colored side: Eva tiles red and teal, Jesper yellow; he has the starting tile."""
    game = table("rrkk yyyy bbbb tttt yyyy")
    game.play("pick 1 red place 2", "pick center black place 4", "pick 2 yellow place 5")
    game.play("pick 3 blue place 5", "pick 4 teal place 4", "pick 5 yellow place 3")
    return game


def ended(*seats: dict[str, Any], side: str = "colored") -> sintra.Game:
    """A finished game: these boards, and no piece left to deal after Jesper's last one."""
    game = table(side=side, players=max(2, len(seats)))
    for player, seat in enumerate(seats, 1):
        lay(game, player, **seat)
    only_left(game, "k", turn=JESPER)
    stock(game, bag="", lid="")
    game.play("pick 1 black")
    game.play(words(game)[-1])
    assert game.over
    return game


# -- Setup -----------------------------------------------------------------------------------


@pytest.mark.parametrize("side", SIDES)
def test_all_players_use_the_same_side_of_the_boards(side: str) -> None:
    """Setup, setup of Crystal Mosaic: the side belongs to the game, and each has its own print."""
    value = seen(table(side=side, players=3))
    assert drawn(value.wall) == PRINTED[side]
    assert value.multiplier == (2 if side == "1" else 1)
    with pytest.raises(sintra.UsageError, match=r"choose from: colored, gray|choose from: 1, 2"):
        sintra.new(SIDES[side], seed=1, side=side * 2)


def test_the_colored_side_is_up_unless_agreed_otherwise() -> None:
    """Setup; for Crystal Mosaic it is side 1."""
    for rules, side in (("azul", "colored"), ("crystal", "1")):
        game = sintra.new(rules, seed=1)
        assert (game.created.options, game.events[1]) == ({"side": side}, arranged(side))


@pytest.mark.parametrize("side", SIDES)
def test_everybody_starts_with_an_empty_board_and_0_points(side: str) -> None:
    """Setup; setup 3 of Crystal Mosaic."""
    game = table(side=side, players=4)
    assert game.scores == [0, 0, 0, 0]
    for player in (EVA, JESPER, THORE, IDA):
        assert (wall(game, player), lines(game, player), floor(game, player)) == (EMPTY, [""] * 5, "")
        assert [line.spaces for line in board(game, player).lines] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(("players", "displays"), [(2, 5), (3, 7), (4, 9)])
def test_r1_displays_by_the_number_of_players(players: int, displays: int) -> None:
    """Setup and R1: 5, 7 or 9; there are no others to pick from."""
    game = table(players=players)
    assert [sum(pieces.values()) for pieces in seen(game).displays] == [4] * displays
    assert [word.split()[1] for word in words(game)] == [str(n) for n in range(1, displays + 1)]
    if players < 4:
        refused(game, f"pick {displays + 1} red", f"{players} players have {displays} displays")


def test_r1_each_display_is_filled_with_four_pieces() -> None:
    """Setup and R1: as many displays as there are, each with neither more nor fewer."""
    game = table(None)
    refused_deal(game, "rrrr yyyy kkkk bbbb", "5 displays are filled, not 4")
    refused_deal(game, "rrrr yyyy kkkk bbbb tttt rrrr", "5 displays are filled, not 6")
    refused_deal(game, "rrrrr yyyy kkkk bbbb tttt", "at most 4")
    refused_deal(game, "rrr yyyy kkkk bbbb tttt", "while there are more to deal")


@pytest.mark.parametrize("rules", ["azul", "crystal"])
@pytest.mark.parametrize("players", [1, 5])
def test_two_to_four_can_play(rules: str, players: int) -> None:
    """Setup: there is no set of displays for other numbers."""
    with pytest.raises(sintra.UsageError, match="2 to 4 players"):
        sintra.new(rules, players, seed=1)


def test_the_bag_starts_with_20_pieces_of_each_of_five_colors() -> None:
    """Setup: and the lid with none; no color is there a 21st time."""
    value = seen(table(None, players=4))
    assert (value.round, value.player, value.hand, value.center) == (0, None, {}, {})
    assert (value.bag, value.lid) == (dict.fromkeys(COLORS, 20), {})
    refused_deal(table(None, players=4), "rrrr rrrr rrrr rrrr rrrr rbbb bbbb bbbb bbbb", "no red left")
    with pytest.raises(sintra.IllegalStep, match="the five colors are blue, yellow, red, black, teal"):
        table(None, colors=("blue", "blue", "red", "black", "teal"))


def test_displays_are_filled_from_the_bag() -> None:
    """Setup."""
    value = seen(table("rryk yyyy kkkk bbbb tttt"))
    assert value.displays[:2] == ({"yellow": 1, "red": 2, "black": 1}, {"yellow": 4})
    assert value.bag == {"blue": 16, "yellow": 15, "red": 18, "black": 15, "teal": 16}


def test_displays_are_filled_at_random() -> None:
    """Setup: over some games every color comes first, and displays show two, three and four colors."""
    deals = [event for seed in range(30) for event in sintra.new("azul", seed=seed).events[2:]]
    piles = [pile for event in deals if isinstance(event, Dealt) for pile in event.displays]
    assert len(piles) == 30 * 5
    assert {pile[0] for pile in piles} == set(COLORS)
    assert {len(set(pile)) for pile in piles} >= {2, 3, 4}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r5_player_1_starts_the_first_round(players: int) -> None:
    """Setup and R5."""
    game = table(players=players)
    assert (game.round, game.player, seen(game).starter) == (1, EVA, EVA)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_there_are_20_pieces_of_each_color_at_any_time(side: str, players: int) -> None:
    """Setup: no piece appears or vanishes, all points have a reason, and a copy has pieces of its own."""
    game = sintra.new(SIDES[side], players, seed=players, side=side)
    turn = 0
    while not game.over and game.round < 9:
        legal, before, twin = game.legal(), game.state, game.copy()
        twin.play(legal[turn * 7 % len(legal)])
        assert (game.state, game.legal()) == (before, legal)
        game.play(legal[turn * 7 % len(legal)])
        assert (game.state, game.legal()) == (twin.state, twin.legal())
        turn += 1
        assert every_piece(game) == dict.fromkeys(COLORS, 20)
        assert game.live.census() == [20] * 5
        assert [sum(player.points.values()) for player in seen(game).players] == game.scores
        assert min(game.scores) >= 0
    again = sintra.loads(game.dumps())
    assert (again.state, again.events) == (game.state, game.events)


def test_codes_are_numbered_as_the_kit_and_the_boards_say() -> None:
    """The literals in `codes` and `player` are those of other modules, and every code is its step's index."""
    assert (state.CHOICE, offer.PICK_CODES, len(COLORS)) == (codes.PICKING, codes.PLACE, SIZE)
    assert [str(codes.STEPS[code]) for code in (codes.PLACE, codes.TILE)] == ["place floor", "tile 1 1"]
    assert (len(codes.STEPS), len(codes.AWAITS)) == (codes.TILE + SIZE**2, codes.TILING + 1)
    assert codes.FILLED == state.OWN_EFFECTS
    names = ["FILLED", "FELL", "DISCARDED", "TILED", "UNTILED", "FLOOR_LOST"]
    names += ["ROWS_SCORED", "COLUMNS_SCORED", "COLORS_SCORED"]
    assert [codes.EFFECTS[getattr(codes, name)].name.upper() for name in names] == names
    assert len(seen(table()).floor) == FLOOR_SPACES


# -- A. The factory offer --------------------------------------------------------------------


def test_a_round_begins_with_the_starting_tile_in_the_center() -> None:
    """A: its owner puts it there, in the first round and in later ones."""
    assert seen(table()).starting_tile
    game = first_round()
    assert not seen(game).starting_tile
    deal(game)
    assert seen(game).starting_tile


def test_who_has_the_starting_tile_takes_the_first_turn() -> None:
    """A, C: Jesper took it in the first round."""
    game = first_round()
    assert (game.player, seen(game).starter) == (None, JESPER)
    deal(game)
    assert (game.round, game.player) == (2, JESPER)


def test_play_goes_clockwise() -> None:
    """A: one turn each in the order of the names, from the starting player round and round."""
    game = table("rkkk yyyy kkkk bbbb tttt rrrr yyyy", players=3)
    turns = [game.player]
    for steps in ("pick 1 red place 1", "pick 2 yellow place 4", "pick center black place 3"):
        game.play(steps)
        turns.append(game.player)
    assert turns == [EVA, JESPER, THORE, EVA]
    play_out(game)
    deal(game)
    assert game.player == THORE
    game.play("pick 1 red place floor")
    assert game.player == EVA


def test_a_pick_takes_all_of_one_color_from_one_display() -> None:
    """A, a: the rest of that display goes to the center, other displays stay."""
    game = table("rryk ryyy kkkk bbbb tttt")
    game.play("pick 1 red")
    value = seen(game)
    assert value.hand == {"red": 2}
    assert value.center == {"yellow": 1, "black": 1}
    assert value.displays[:2] == ({}, {"yellow": 3, "red": 1})


def test_a_pick_takes_all_of_one_color_from_the_center() -> None:
    """A, b: other colors stay there, and displays are not touched."""
    game = table("krrb ryyy kkkk bbbb tttt")
    game.play("pick 1 black place 4", "pick 2 yellow place 3", "pick center red")
    value = seen(game)
    assert (value.hand, value.center) == ({"red": 3}, {"blue": 1})
    assert value.displays[2:] == ({"black": 4}, {"blue": 4}, {"teal": 4})


def test_only_a_color_that_lies_there_can_be_picked() -> None:
    """A: not from an empty display or center, nor a color that is not there."""
    game = table("rryk yyyy kkkk bbbb tttt")
    refused(game, "pick 1 blue", "no blue; it has yellow, 2 red and black")
    refused(game, "pick center red", "the center is empty")
    game.play("pick 1 red place 2")
    refused(game, "pick 1 yellow", "display 1 is empty")
    refused(game, "pick center red", "the center has no red")


def test_a_turn_is_a_pick_and_then_its_placing() -> None:
    """A: there is no passing, nothing to place before a pick, and no second pick before placing."""
    game = table(side="gray")
    assert words(game) == ["pick 1 red", "pick 2 yellow", "pick 3 black", "pick 4 blue", "pick 5 teal"]
    refused(game, "place 1", "nothing in hand yet, so pick first")
    refused(game, "place floor", "nothing in hand")
    refused(game, "tile 1 1", "after the last pick of a round")
    assert game.play("pick 1 red") == [Picked(EVA, 1, "red")]
    assert (game.player, seen(game).awaits, seen(game).hand) == (EVA, "place", {"red": 4})
    refused(game, "pick 2 yellow", "4 red in hand must be placed first")
    refused(game, "tile 1 1", "4 red in hand must be placed first")
    assert game.play("place 4") == [PlacedInLine(EVA, 4)]
    assert (game.player, seen(game).awaits, seen(game).hand) == (JESPER, "pick", {})


def test_the_first_pick_from_the_center_takes_the_starting_tile() -> None:
    """A, b: to the first free floor space of its taker, who starts the next round; no points are lost yet."""
    game = table("rkkk yyyy kkkk bbbb tttt")
    game.play("pick 1 red place 1", "pick center black place 3")
    assert (seen(game).starting_tile, seen(game).starter) == (False, JESPER)
    assert (floor(game, EVA), floor(game, JESPER), lines(game, JESPER)[2]) == ("", "*", "kkk")
    assert game.scores == [0, 0]


def test_later_picks_from_the_center_come_without_the_starting_tile() -> None:
    """A, b: it is gone by then, and stays with its taker."""
    game = table("rkky yyyy kkkk bbbb tttt")
    game.play("pick 1 red place 1", "pick center black place 2", "pick center yellow place 2")
    assert (floor(game, EVA), floor(game, JESPER), seen(game).starter) == ("", "*", JESPER)


def test_a_pick_from_a_display_leaves_the_starting_tile() -> None:
    """A, a: it goes with the center only."""
    game = table()
    game.play("pick 1 red place 4", "pick 2 yellow place 4")
    assert (seen(game).starting_tile, seen(game).starter) == (True, EVA)
    assert (floor(game, EVA), floor(game, JESPER)) == ("", "")


# -- Pattern lines ---------------------------------------------------------------------------


@pytest.mark.parametrize("line", [1, 2, 3, 4, 5])
def test_the_five_pattern_lines_hold_one_to_five_pieces(line: int) -> None:
    """Pattern lines: what a line can't take falls to the floor line, here of six pieces after the tile."""
    game = table()
    only_left(game, "k", center="r" * 6)
    game.play(f"pick center red place {line}")
    assert lines(game, EVA) == ["r" * line if number == line else "" for number in range(1, 6)]
    assert (floor(game, EVA), seen(game).lid) == ("*" + "r" * (6 - line), {})


@pytest.mark.parametrize("side", SIDES)
def test_an_empty_line_takes_any_color(side: str) -> None:
    """Pattern lines: whatever is printed beside it."""
    game = table(side=side)
    for color in ("1 red", "2 yellow", "3 black", "4 blue", "5 teal"):
        trial = game.copy()
        trial.play(f"pick {color}")
        assert words(trial) == ["place floor", "place 1", "place 2", "place 3", "place 4", "place 5"]


def test_r4_the_pieces_of_a_pick_go_to_one_line() -> None:
    """Pattern lines and R4: four red pieces fill lines 1 and 3 together, but never both of them."""
    game = table()
    game.play("pick 1 red place 3")
    assert (lines(game, EVA), floor(game, EVA)) == (["", "", "rrr", "", ""], "r")
    assert game.player == JESPER
    refused(game, "place 1", "nothing in hand")


def test_a_line_that_holds_pieces_takes_the_same_color_only() -> None:
    """Pattern lines: more of it may come in a later turn; no other color, also when it would fit."""
    game = table("rryy rryy kkkk bbbb tttt")
    game.play("pick 1 red place 4", "pick 3 black place 5", "pick center yellow")
    assert words(game) == ["place floor", "place 1", "place 2", "place 3", "place 5"]
    refused(game, "place 4", "line 4 holds red, not yellow")
    game.play("place 5", "pick 4 blue place 4", "pick 2 red place 4")
    assert lines(game, EVA) == ["", "", "", "rrrr", "yy"]


def test_a_full_line_takes_nothing_more() -> None:
    """Pattern lines: not even its own color."""
    game = table("rryy rryy kkkk bbbb tttt")
    game.play("pick 1 red place 2", "pick 3 black place 5", "pick 2 red")
    assert words(game) == ["place floor", "place 1", "place 3", "place 4", "place 5"]
    refused(game, "place 2", "line 2 is full")


def test_pieces_that_a_line_has_no_room_for_fall_to_the_floor() -> None:
    """Pattern lines: two of four red pieces, where two lie already."""
    game = table()
    lay(game, EVA, lines={4: "rr"})
    game.play("pick 1 red place 4")
    assert (lines(game, EVA)[3], floor(game, EVA)) == ("rrrr", "rr")
    assert (game.scores, board(game, JESPER).floor) == ([0, 0], ())


def test_a3_a_line_takes_no_color_that_its_row_of_the_wall_holds() -> None:
    """Pattern lines and A3: red was tiled in row 2, and may still go to any other line."""
    game = first_round()
    assert wall(game, EVA) == "..... ...r. ..... ..t.. ....."
    deal(game)
    game.play("pick 2 yellow place floor", "pick 1 red")
    assert words(game) == ["place floor", "place 1", "place 3", "place 4"]
    refused(game, "place 2", r"row 2 of the wall already holds red \(A3\)")


@pytest.mark.parametrize("side", NO_PLACE_FOR_RED)
def test_a3_a_color_that_fits_no_column_may_still_be_placed(side: str) -> None:
    """A3: no space of row 3 takes red any more, and line 3 does."""
    game = table(side=side)
    lay(game, EVA, wall=NO_PLACE_FOR_RED[side])
    game.play("pick 1 red")
    assert words(game) == ["place floor", "place 3"]
    game.play("place 3")
    assert (lines(game, EVA)[2], floor(game, EVA)) == ("rrr", "r")


def test_example_the_first_turns_of_jesper_thore_and_eva() -> None:
    """Factory offer, example: two black ones, a yellow one, three red ones with the starting tile."""
    game = table("kkbt yrrr bbbb tttt kkkk yyyy rrrr", players=3, names=("Jesper", "Thore", "Eva"))
    game.play("pick 1 black place 2")
    assert (seen(game).displays[0], seen(game).center) == ({}, {"blue": 1, "teal": 1})
    game.play("pick 2 yellow place 1")
    assert (seen(game).displays[1], seen(game).center) == ({}, {"blue": 1, "red": 3, "teal": 1})
    assert seen(game).starting_tile
    game.play("pick center red")
    value = seen(game)
    assert (value.hand, value.center) == ({"red": 3}, {"blue": 1, "teal": 1})
    assert (value.starting_tile, value.starter) == (False, 3)
    assert [player.floor for player in value.players] == [(), (), ("starting tile",)]
    game.play("place 3")
    assert [lines(game, player) for player in (1, 2, 3)] == [
        ["", "kk", "", "", ""],
        ["y", "", "", "", ""],
        ["", "", "rrr", "", ""],
    ]


EVAS_CHOICES = {
    "A": ("place 1", ["y", "", "", "b", ""], "y"),
    "B": ("place 5", ["", "", "", "b", "yy"], ""),
    "C": ("place floor", ["", "", "", "b", ""], "yy"),
}


@pytest.mark.parametrize("choice", EVAS_CHOICES)
def test_example_evas_choices_for_two_yellow_pieces(choice: str) -> None:
    """Floor line, example: rows 2 and 3 hold yellow, line 4 holds blue."""
    game = table("yyrk rrrr kkkk bbbb tttt")
    lay(game, EVA, wall="..... ..y.. ...y. ..... .....", lines={4: "b"})
    game.play("pick 1 yellow")
    assert words(game) == ["place floor", "place 1", "place 5"]
    refused(game, "place 2", "row 2 of the wall already holds yellow")
    refused(game, "place 3", "row 3 of the wall already holds yellow")
    refused(game, "place 4", "line 4 holds blue, not yellow")
    step, left, fallen = EVAS_CHOICES[choice]
    game.play(step)
    assert (lines(game, EVA), floor(game, EVA), game.scores) == (left, fallen, [0, 0])


# -- Floor line ------------------------------------------------------------------------------


def test_a1_a_whole_pick_may_go_to_the_floor() -> None:
    """Floor line and A1: also when a line would take it, from the left on, after what lies there."""
    game = table()
    lay(game, EVA, floor="k")
    assert game.play("pick 1 red place floor")[1] == PlacedInLine(EVA, 0)
    assert (floor(game, EVA), lines(game, EVA), seen(game).lid) == ("krrrr", [""] * 5, {})


def test_a1_pieces_past_the_seventh_floor_space_go_to_the_lid() -> None:
    """Floor line and A1: of three pieces that line 1 does not take, one finds the last free space."""
    game = table()
    lay(game, EVA, floor="kkkkkk")
    game.play("pick 1 red place 1")
    assert (lines(game, EVA)[0], floor(game, EVA), seen(game).lid) == ("r", "kkkkkkr", {"red": 2})
    game.play("pick 2 yellow place 4", "pick 3 black place floor")
    assert (floor(game, EVA), seen(game).lid) == ("kkkkkkr", {"red": 2, "black": 4})
    assert (floor(game, JESPER), every_piece(game)) == ("", dict.fromkeys(COLORS, 20))


def test_a2_the_starting_tile_takes_its_floor_space_before_the_pieces() -> None:
    """A2: the last free one, and both red pieces go to the lid."""
    game = table()
    lay(game, EVA, floor="kkkkkk")
    only_left(game, "k", center="rr")
    game.play("pick center red")
    assert (floor(game, EVA), seen(game).hand) == ("kkkkkk*", {"red": 2})
    game.play("place floor")
    assert (floor(game, EVA), seen(game).lid) == ("kkkkkk*", {"red": 2})


def test_a2_on_a_full_floor_line_the_starting_tile_takes_no_space_and_costs_nothing() -> None:
    """A2: seven black pieces cost 14; Eva still starts the next round, with the tile in the center."""
    game = table()
    lay(game, EVA, floor="kkkkkkk", score=20)
    only_left(game, "b", center="rr")
    game.play("pick center red")
    assert (floor(game, EVA), seen(game).starting_tile, seen(game).starter) == ("kkkkkkk", False, EVA)
    game.play("place 2", "pick 1 blue place 5")
    assert game.scores == [20 + 1 - 14, 0]
    assert seen(game).lid == {"black": 7, "red": 1}
    deal(game)
    assert (game.player, seen(game).starting_tile) == (EVA, True)


def test_a2_the_taker_on_a_full_floor_line_starts_though_others_follow() -> None:
    """A2: Jesper takes the tile with a full floor line; a later pick of Eva's changes nothing."""
    game = table()
    lay(game, JESPER, floor="kkkkkkk")
    only_left(game, center="rrb", turn=JESPER)
    game.play("pick center red place 2", "pick center blue place 5")
    assert (seen(game).starter, game.round) == (JESPER, 1)
    deal(game)
    assert game.player == JESPER


def test_the_offer_ends_when_displays_and_center_are_empty() -> None:
    """Floor line: a piece in either place is enough to go on."""
    game = table()
    only_left(game, "rk")
    game.play("pick 1 red place 2")
    assert not any(seen(game).displays)
    assert (game.player, words(game)) == (JESPER, ["pick center black"])
    assert kinds(game.play("pick center black place 2")) == ["picked", "placed", "round_ended"]
    assert (game.player, seen(game).awaits) == (None, "deal")


# -- B. Tiling the walls ---------------------------------------------------------------------


def test_a_round_has_three_phases() -> None:
    """How the game is played: offer, tiling, preparing the next round."""
    game = table(side="gray")
    lay(game, EVA, lines={2: "rr"})
    assert kinds(finish_round(game)) == ["placed"]
    assert (game.player, seen(game).awaits, seen(game).tiling) == (EVA, "tile", 2)
    assert game.play("tile 2 3") == [Tiled(EVA, 2, 3), RoundEnded(1, (1, 0))]
    assert (game.player, seen(game).awaits, seen(game).tiling) == (None, "deal", None)
    refused(game, "pick 1 red", "round 2 has to be dealt first")
    assert kinds(deal(game)) == ["dealt"]
    assert (game.round, seen(game).awaits) == (2, "pick")


@pytest.mark.parametrize("color", LETTERS)
@pytest.mark.parametrize("row", [1, 2, 3, 4, 5])
def test_one_piece_of_a_full_line_goes_to_its_color_in_its_row_and_the_others_to_the_lid(
    row: int, color: str
) -> None:
    """B, A and B: on the colored side, by itself, for 1 point."""
    game = tiling("colored", lines={row: color * row})
    rows = EMPTY.split()
    rows[row - 1] = "".join(letter if letter == color else "." for letter in COLORED.split()[row - 1])
    assert (wall(game, EVA), lines(game, EVA), game.scores) == (" ".join(rows), [""] * 5, [1, 0])
    assert seen(game).lid == ({WORDS[color]: row - 1} if row > 1 else {})
    assert game.events[-1] == RoundEnded(1, (1, 0))


@pytest.mark.parametrize("side", SIDES)
def test_lines_that_are_not_full_stay_for_the_next_round(side: str) -> None:
    """B, A and B: nothing of them is tiled, scored or removed, and more may follow."""
    game = tiling(side, lines={2: "r", 3: "kk", 4: "ttt", 5: "bbbb"})
    assert (wall(game, EVA), lines(game, EVA)) == (EMPTY, ["", "r", "kk", "ttt", "bbbb"])
    assert (game.scores, seen(game).lid, lines(game, JESPER)[4]) == ([0, 0], {}, "k")
    deal(game)
    game.play("pick 1 red place 2")
    assert lines(game, EVA)[1] == "rr"


def test_all_players_tile_and_nobody_depends_on_another() -> None:
    """B: whoever begins, each has the same tiles and points for them."""
    for begins, other in ((EVA, JESPER), (JESPER, EVA)):
        game = table()
        lay(game, begins, floor="*", score=10)
        lay(game, other, floor="k", score=10)
        lay(game, EVA, lines={1: "b", 2: "tt"})
        lay(game, JESPER, lines={1: "t", 3: "rrr"})
        finish_round(game)
        assert wall(game, EVA) == "b.... t.... ..... ..... ....."
        assert wall(game, JESPER) == "....t ..... ....r ..... ....."
        assert (game.scores, seen(game).starter) == ([10 + 3 - 1, 10 + 2 - 1], begins)


@pytest.mark.parametrize("side", ["colored", "gray"])
def test_a4_tiling_goes_from_the_top_line_down(side: str) -> None:
    """B, A and A4: above a black tile, blue scores 1 and then teal 3; upwards it would be 2 and 3."""
    game = tiling(side, wall="..... ..... k.... ..... .....", lines={1: "b", 2: "tt"})
    if side == "gray":
        assert words(game) == [f"tile 1 {column}" for column in (1, 2, 3, 4, 5)]
        refused(game, "tile 2 1", r"line 1 comes first \(A4\)")
        game.play("tile 1 1")
        refused(game, "tile 1 2", "line 2 comes first")
        game.play("tile 2 1")
    assert wall(game, EVA) == "b.... t.... k.... ..... ....."
    assert game.scores == [1 + 3, 0]


def test_example_jesper_tiles_his_lines_2_and_4() -> None:
    """B, example: 1 point each; lines 3 and 5 are not full and stay."""
    game = table()
    lay(game, JESPER, lines={2: "rr", 3: "kk", 4: "bbbb", 5: "yyy"})
    finish_round(game, player=EVA)
    assert wall(game, JESPER) == "..... ...r. ..... ...b. ....."
    assert (game.scores, board(game, JESPER).points["tiles"]) == ([0, 2], 2)
    assert lines(game, JESPER) == ["", "", "kk", "", "yyy"]
    assert seen(game).lid == {"red": 1, "blue": 3}
    refused(table(), "tile 1 1", "nobody chooses where tiles go")


# -- Scoring ---------------------------------------------------------------------------------


def test_example_one_point_for_a_tile_without_neighbors() -> None:
    """Scoring, first picture: red; tiles that touch by a corner are no neighbors."""
    assert place("byr.. ...R. ..b.. ..... .....", "colored")[1] == 1


def test_example_three_points_for_three_in_a_row() -> None:
    """Scoring, second picture: yellow, at the end of a horizontal run."""
    assert place("b.r.. ..... .tbY. ..... y....", "colored")[1] == 3


def test_example_three_points_for_three_in_a_column() -> None:
    """Scoring, third picture: a vertical run and nothing beside it."""
    assert place(".y... .b... .T... ..... ..k..", "colored")[1] == 3


def test_example_four_and_three_points_for_a_row_and_a_column() -> None:
    """Scoring, fourth picture: both runs, the new tile in both of them."""
    assert place("..... ..y.. ktBy. ..t.. .....", "colored")[1] == 4 + 3


@pytest.mark.parametrize(
    ("drawing", "points"),
    [
        ("B.... ..... ..... ..... .....", 1),
        ("..... ..... ..... ..... ....B", 1),
        ("bY... ..... ..... ..... .....", 2),
        ("...Yb ..... ..... ..... .....", 2),
        ("..... ..... ..... ..... Ybr..", 3),
        ("..... ..... ..... ..... ..brY", 3),
        ("b.R.y ..... ..... ..... .....", 1),
        ("by.R. ..... ..... ..... .....", 1),
        ("by.Rk ..... ..... ..... .....", 2),
        ("byRkt ..... ..... ..... .....", 5),
        ("....b Y.... ..... ..... .....", 1),
        ("....B y.... ..... ..... .....", 1),
        ("B.... y.... ..... ..... .....", 2),
        ("..... ..... ..... ....b ....Y", 2),
        ("R.... ..... b.... ..... .....", 1),
        ("R.... k.... ..... b.... .....", 2),
        ("b.... y.... R.... k.... t....", 5),
        ("b.... ..... ..... k.... T....", 2),
        ("b.... ..... R.... k.... t....", 3),
        ("..... r.... .T... ..... .....", 1),
        ("bY... .r... ..... ..... .....", 2 + 2),
        ("rbY.. y.... ..r.. ..... .....", 3),
        ("byRkt ..t.. ..... ..... .....", 5 + 2),
        ("t.... b.... yrBkt r.... k....", 5),
        ("T.... b.... y.... r.... kbyrt", 5),
        ("....b ....r ....k ....t tbkrY", 5 + 5),
    ],
)
def test_a5_a_tile_scores_its_runs_in_row_and_column(drawing: str, points: int) -> None:
    """Scoring and A5: each if longer than one, 1 if neither is; runs end at gaps and at the edges."""
    assert place(drawing, "gray")[1] == points


def test_tiles_of_one_round_are_neighbors_of_those_below() -> None:
    """B, A: points are scored tile by tile; three in a column are 1, 2 and 3 points."""
    game = table(side="gray")
    lay(game, EVA, lines={1: "b", 2: "yy", 3: "rrr"})
    finish_round(game)
    gained = []
    for step in ("tile 1 4", "tile 2 4", "tile 3 4"):
        game.play(step)
        gained.append(game.scores[0])
    assert gained == [1, 1 + 2, 1 + 2 + 3]


# -- The floor line is counted ---------------------------------------------------------------


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("fallen", range(8))
def test_every_space_taken_on_the_floor_line_costs_its_points(side: str, fallen: int) -> None:
    """Scoring, floor line; what is new in Crystal Mosaic: the starting tile costs like any other piece."""
    for pieces in ("r" * fallen, ("*" + "r" * fallen)[:fallen]):
        game = tiling(side, floor=pieces, score=30)
        loss = sum(LOSSES[side][:fallen])
        assert (game.scores, board(game, EVA).points["floor"]) == ([30 - loss, 0], -loss)
        assert seen(game).floor == tuple(-points for points in LOSSES[side])


def test_example_jesper_loses_eight_points() -> None:
    """Scoring, example: four pieces and the starting tile on his floor line."""
    game = table()
    lay(game, JESPER, floor="r*kkb", score=20)
    finish_round(game, player=EVA)
    assert game.scores == [0, 12]


def test_pieces_leave_the_floor_line_for_the_lid_but_the_starting_tile_does_not() -> None:
    """Scoring, floor line and note: the tile lies in the center when the next round begins."""
    game = tiling("colored", floor="r*kk")
    assert (floor(game, EVA), seen(game).lid) == ("", {"red": 1, "black": 2})
    assert (seen(game).starting_tile, seen(game).starter) == (False, EVA)
    deal(game)
    assert (seen(game).starting_tile, game.player) == (True, EVA)
    game.play("pick 1 red place 4", "pick 2 yellow place 4")
    assert (floor(game, EVA), floor(game, JESPER)) == ("", "")


@pytest.mark.parametrize("side", ["colored", "gray"])
@pytest.mark.parametrize(("score", "left"), [(0, 0), (3, 0), (8, 0), (9, 1)])
def test_a5_counting_the_floor_never_takes_a_score_below_0(side: str, score: int, left: int) -> None:
    """Scoring, floor line and A5: five pieces cost 8, as far as there are points."""
    game = tiling(side, floor="rrrrr", score=score)
    assert (game.scores, board(game, EVA).points["floor"]) == ([left, 0], left - score)


@pytest.mark.parametrize("side", ["colored", "gray"])
def test_the_floor_is_counted_after_the_tiles(side: str) -> None:
    """Scoring, floor line: at the end of tiling, so points gained in the round are there to lose."""
    game = tiling(side, lines={1: "r"}, floor="kk")
    if side == "gray":
        assert (game.scores, floor(game, EVA)) == ([0, 0], "kk")
        game.play("tile 1 1")
    assert game.scores == [0, 0]
    assert board(game, EVA).points == {"tiles": 1, "floor": -1, "rows": 0, "columns": 0, "colors": 0}


# -- C. Preparing the next round -------------------------------------------------------------


def test_the_next_round_is_dealt_as_the_first_one() -> None:
    """C: four pieces on each display, from the bag; boards and scores stay as they are."""
    game = first_round()
    before = seen(game)
    refused_deal(game, "rrr yyyy kkkk bbbb tttt", "while there are more to deal")
    deal(game)
    after = seen(game)
    assert [sum(pieces.values()) for pieces in after.displays] == [4] * 5
    assert Counter(before.bag) - Counter(after.bag) == dict.fromkeys(COLORS, 4)
    assert (after.lid, after.players, after.round) == (before.lid, before.players, 2)


def test_r2_an_empty_bag_is_refilled_from_the_lid_in_the_middle_of_a_deal() -> None:
    """C and R2: the bag's last two pieces come first, then everything from the lid."""
    game = first_round()
    stock(game, bag="rr", lid="bbbbyyyykkkkttttb" + "kkk")
    refused_deal(game, "rbbb yyyy kkkk tttt rkkk", "display 1: there is no blue left in the bag")
    deal(game, "rrbb bbyy yykk kktt ttbk")
    assert (seen(game).bag, seen(game).lid) == ({"black": 2}, {})


def test_r2_the_lid_stays_as_it_is_while_the_bag_lasts() -> None:
    """R2: no piece of the lid is dealt before the bag is empty, not even when it just suffices."""
    game = first_round()
    stock(game, bag="r" * 20, lid="bbbb")
    refused_deal(game, "rrrr rrrr rrrr rrrr rrrb", "display 5: there is no blue left")
    deal(game, "rrrr rrrr rrrr rrrr rrrr")
    assert (seen(game).bag, seen(game).lid) == ({}, {"blue": 4})


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r2_displays_stay_short_or_empty_when_no_piece_is_left_at_all(players: int) -> None:
    """C and R2: they are filled in order, and the round is played as usual."""
    game = table(players=players)
    finish_round(game)
    stock(game, bag="rrb", lid="yyy")
    empty = " -" * (2 * players - 1)
    refused_deal(game, f"rrb yyy{empty}", "display 1 has 3 pieces while there are more")
    wrong = (
        "displays: expected a list of length <= 9"
        if players == 4
        else f"{2 * players + 1} displays are filled"
    )
    refused_deal(game, f"rrby yy{empty} -", wrong)
    deal(game, f"rrby yy{empty}")
    value = seen(game)
    assert value.displays == ({"blue": 1, "yellow": 1, "red": 2}, {"yellow": 2}, *[{}] * (2 * players - 1))
    assert (value.bag, value.lid, value.starting_tile, value.round) == ({}, {}, True, 2)
    assert words(game) == ["pick 1 blue", "pick 1 yellow", "pick 1 red", "pick 2 yellow"]


def test_r2_holds_for_deals_by_chance() -> None:
    """R2: a seeded game deals the bag's last pieces, then the lid's in any order, then nothing."""
    game = sintra.new("azul", 3, seed=7)
    only_left(game, "k")
    stock(game, bag="rr", lid="bbb")
    dealt = game.play("pick 1 black place floor")[-1]
    assert isinstance(dealt, Dealt)
    first, second, *rest = dealt.displays
    assert first[:2] == ("red", "red")
    assert sorted(first[2:] + second) == ["black", "blue", "blue", "blue"]
    assert (len(first), rest) == (4, [()] * 5)


def test_r3_without_a_taker_of_the_starting_tile_the_same_player_starts_again() -> None:
    """R3: five displays of one color; who has the first turn has the last one, and the first one again."""
    for starter in (EVA, JESPER):
        game = table()
        only_left(game, center="r", turn=starter)
        game.play("pick center red place floor")
        deal(game)
        for color in ("1 red", "2 yellow", "3 black", "4 blue", "5 teal"):
            game.play(f"pick {color} place floor")
        assert (seen(game).starting_tile, seen(game).starter) == (True, starter)
        deal(game)
        assert (game.round, game.player) == (3, starter)


def test_r6_players_who_never_complete_a_row_play_forever() -> None:
    """R6: when everything goes to the floor, the lid feeds the bag again and again."""
    for side in ("colored", "gray"):
        game = sintra.new("azul", seed=6, side=side)
        while game.round <= 40:
            game.play(game.legal()[0])
        assert (game.over, game.scores, wall(game, EVA)) == (False, [0, 0], EMPTY)


# -- End of the game -------------------------------------------------------------------------


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("player", [EVA, JESPER])
def test_a6_the_game_ends_after_the_round_in_which_a_row_was_completed(side: str, player: int) -> None:
    """Object, end of the game and A6: by whomever; also in Crystal Mosaic."""
    game = table(side=side)
    lay(game, player, wall="b.rkt ..... ..... ..... .....", lines={1: "y"})
    finish_round(game, player=3 - player)
    if side != "colored":
        assert not game.over
        game.play("tile 1 2")
    assert kinds(game.events[-2:]) == ["round_ended", "ended"]
    assert (game.over, game.winners, words(game), seen(game).awaits) == (True, [player], [], "nothing")
    refused(game, "pick 1 red", "the game is over")
    refused_deal(game, "rrrr yyyy kkkk bbbb tttt", "the game is over")


@pytest.mark.parametrize("side", SIDES)
def test_a_row_that_lacks_a_tile_does_not_end_the_game(side: str) -> None:
    """C, end of the game: four in a row, though column 1 and blue are complete; no bonus yet either."""
    rest = "k.b.. r..b. y...b" if side == "colored" else "k..b. r.b.. y...b"
    game = tiling(side, wall=f"byrk. tb... {rest}", score=5)
    assert (game.over, game.winners, game.scores, seen(game).awaits) == (False, [], [5, 0], "deal")


def test_the_last_round_is_tiled_and_counted_by_everybody() -> None:
    """End of the game: Eva's first line completes her row; her third one, and Jesper's board, still count."""
    game = table()
    lay(game, EVA, wall="b.rkt ..... ..... ..... .....", lines={1: "y", 3: "kkk"}, floor="k")
    lay(game, JESPER, lines={2: "bb"}, floor="rr", score=9)
    finish_round(game)
    assert (wall(game, EVA), wall(game, JESPER)) == (
        "byrkt ..... k.... ..... .....",
        "..... .b... ..... ..... .....",
    )
    assert board(game, EVA).points == {"tiles": 5 + 1, "floor": -1, "rows": 2, "columns": 0, "colors": 0}
    assert game.events[-2:] == (RoundEnded(1, (5, 8)), Ended((7, 8), (JESPER,)))


def test_a6_the_game_also_ends_when_no_piece_is_left_to_deal() -> None:
    """A6: one piece is enough to go on, be it in the bag, in the lid or on a floor line."""
    for bag, lid, place_step, over in (
        ("", "", "place 5", True),
        ("b", "", "place 5", False),
        ("", "b", "place 5", False),
        ("b", "b", "place 5", False),
        ("", "", "place floor", False),
    ):
        game = table()
        only_left(game, "k")
        stock(game, bag=bag, lid=lid)
        events = game.play("pick 1 black", place_step)
        assert kinds(events[2:]) == (["round_ended", "ended"] if over else ["round_ended"])
        assert (game.over, game.winners) == (over, [EVA, JESPER] if over else [])
    deal(game, "k - - - -")
    assert (game.round, words(game)) == (2, ["pick 1 black"])


BONUSES = {"colored": (2, 7, 10), "gray": (2, 7, 10), "1": (2, 7, 10), "2": (3, 10, 12)}
COLOR = {"colored": "b.... .b... ..b.. ...b. ....b"}
COLOR |= dict.fromkeys(("gray", "1", "2"), "b.... .b... ...b. ..b.. ....b")


def bonuses(side: str, drawing: str) -> tuple[int, int, int]:
    """What a wall gains at the end, for rows, columns and colors."""
    game = ended({"wall": drawing, "score": 1}, side=side)
    points = board(game, EVA).points
    gained = points["rows"], points["columns"], points["colors"]
    assert game.scores == [1 + sum(gained), 0]
    return gained


@pytest.mark.parametrize("side", SIDES)
def test_a6_complete_rows_columns_and_colors_gain_points_at_the_end(side: str) -> None:
    """End of the game and A6, bonuses of sides 1 and 2: each kind by itself; four of five are none."""
    row, column, color = BONUSES[side]
    assert bonuses(side, ROW) == (row, 0, 0)
    assert bonuses(side, COLUMN) == (0, column, 0)
    assert bonuses(side, COLOR[side]) == (0, 0, color)
    for lacking in ("byrk. ..... ..... ..... .....", COLUMN[:24] + ".....", COLOR[side][:24] + "....."):
        assert bonuses(side, lacking) == (0, 0, 0)


@pytest.mark.parametrize("drawing", ["..... ..... ..... rktby .....", "..... ..... ..... ..... yrktb"])
def test_each_row_of_the_wall_counts(drawing: str) -> None:
    """End of the game: the lower ones as well."""
    assert bonuses("colored", drawing) == (2, 0, 0)


def test_each_complete_row_column_and_color_gains_points() -> None:
    """End of the game: 25 tiles are five of each; without one tile they are four of each."""
    assert bonuses("colored", COLORED) == (5 * 2, 5 * 7, 5 * 10)
    assert bonuses("colored", COLORED[:-1] + ".") == (4 * 2, 4 * 7, 4 * 10)


def test_every_player_gains_bonuses() -> None:
    """End of the game: not only who completed a row."""
    game = ended({"wall": COLOR["gray"]}, {"wall": COLUMN}, {"wall": ROW}, side="gray")
    assert (game.scores, game.winners) == ([10, 7, 2], [EVA])


@pytest.mark.parametrize(("eva", "jesper", "winner"), [(11, 10, EVA), (10, 11, JESPER)])
def test_the_most_points_win(eva: int, jesper: int, winner: int) -> None:
    """Object, end of the game: more rows are no help against more points."""
    seats: list[dict[str, Any]] = [{"score": eva}, {"score": jesper}]
    seats[2 - winner] = {"wall": ROW, "score": min(eva, jesper) - 2}
    game = ended(*seats)
    assert (game.scores, game.winners) == ([eva, jesper], [winner])
    assert game.events[-1] == Ended((eva, jesper), (winner,))
    assert first_round().winners == []


@pytest.mark.parametrize("side", SIDES)
def test_a6_a_tie_goes_to_more_complete_rows(side: str) -> None:
    """End of the game and A6: two rows beat one and none, whoever has them; also in Crystal Mosaic."""
    row = BONUSES[side][0]
    none, one = {"score": 20}, {"wall": ROW, "score": 20 - row}
    two = {"wall": "byrkt tbyrk ..... ..... .....", "score": 20 - 2 * row}
    for seats, winner in (((one, two, none), JESPER), ((two, one, none), EVA), ((none, one, two), THORE)):
        game = ended(*seats, side=side)
        assert (game.scores, game.winners) == ([20, 20, 20], [winner])


@pytest.mark.parametrize("side", ["colored", "1", "2"])
def test_a6_victory_is_shared_when_rows_are_equal_too(side: str) -> None:
    """End of the game and A6: by all of those and by nobody else; columns and colors do not matter."""
    row, column, _ = BONUSES[side]
    game = ended(
        {"wall": ROW, "score": 20}, {"score": 20 + row}, {"wall": ROW, "score": 20}, {"wall": ROW}, side=side
    )
    assert (game.winners, game.events[-1]) == ([EVA, THORE], Ended((20 + row,) * 3 + (row,), (EVA, THORE)))
    game = ended({"wall": COLUMN, "score": 20}, {"score": 20 + column}, side=side)
    assert game.winners == [EVA, JESPER]


# -- The gray side ---------------------------------------------------------------------------


@pytest.mark.parametrize("column", [1, 2, 3, 4, 5])
def test_on_the_gray_side_a_tile_goes_to_any_space_of_its_row(column: int) -> None:
    """Variant: which one is the player's choice, and it is written to the log."""
    game = tiling(lines={3: "rrr"})
    assert words(game) == [f"tile 3 {number}" for number in (1, 2, 3, 4, 5)]
    assert game.play(f"tile 3 {column}")[0] == Tiled(EVA, 3, column)
    assert wall(game, EVA).split()[2] == "....."[: column - 1] + "r" + "....."[column:]
    assert (lines(game, EVA)[2], seen(game).lid, game.scores) == ("", {"red": 2}, [1, 0])


def test_on_the_gray_side_a_color_is_never_twice_in_a_column() -> None:
    """Variant: nor does a tile go where one is; other colors in the column do not matter."""
    game = tiling(wall="..... .r... k..t. ..y.r .....", lines={3: "rrr"})
    assert words(game) == ["tile 3 3"]
    refused(game, "tile 3 2", r"column 2 already holds red \(A4\)")
    refused(game, "tile 3 5", "column 5 already holds red")
    refused(game, "tile 3 1", "row 3, column 1 already has a tile")
    game.play("tile 3 3")
    assert (wall(game, EVA), game.scores) == ("..... .r... k.rt. ..y.r .....", [2 + 2, 0])


def test_on_the_gray_side_tiles_of_this_round_count_for_columns_and_rows() -> None:
    """Variant: red in column 1 of row 1 keeps red of line 2 out of it, and out of line 1 next time."""
    game = tiling(lines={1: "r", 2: "rr"})
    game.play("tile 1 1")
    assert words(game) == ["tile 2 2", "tile 2 3", "tile 2 4", "tile 2 5"]
    refused(game, "tile 2 1", "column 1 already holds red")
    game.play("tile 2 5")
    deal(game)
    game.play("pick 1 red")
    assert words(game) == ["place floor", "place 3", "place 4", "place 5"]
    refused(game, "place 1", "row 1 of the wall already holds red")


def test_a4_a_color_is_never_twice_in_a_row() -> None:
    """Variant and A4: also where a line that should never have been laid is full; it falls."""
    game = tiling(wall="..... .r... ..... ..... .....", lines={2: "rr"})
    assert (wall(game, EVA), seen(game).lid) == ("..... .r... ..... ..... .....", {"red": 2})


def test_a4_a_full_line_must_be_tiled_if_any_column_is_legal() -> None:
    """A4: though it may hurt; the single way is still the player's step."""
    game = tiling(wall="r.... .r... ....." + " ...r. ....r", lines={3: "rrr"})
    assert words(game) == ["tile 3 3"]
    refused(game, "place floor", r"line 3 is full: first say where its piece goes \(A4\)")
    refused(game, "pick 1 red", "line 3 is full")
    assert game.play("tile 3 3") == [Tiled(EVA, 3, 3), RoundEnded(1, (1, 0))]


@pytest.mark.parametrize("side", NO_PLACE_FOR_RED)
def test_a4_a_line_that_fits_nowhere_falls_before_the_floor_is_counted(side: str) -> None:
    """Variant, note and A4: all three pieces, after what lies there; nobody is asked, nothing scores."""
    game = tiling(side, wall=NO_PLACE_FOR_RED[side], lines={3: "rrr"}, floor="k", score=20)
    assert kinds(game.events[-2:]) == ["placed", "round_ended"]
    assert (wall(game, EVA), lines(game, EVA)[2]) == (NO_PLACE_FOR_RED[side], "")
    assert game.scores == [20 - sum(LOSSES[side][:4]), 0]
    assert (floor(game, EVA), seen(game).lid) == ("", {"red": 3, "black": 1})


def test_a4_lines_below_one_that_fits_nowhere_are_tiled() -> None:
    """A4: it is the next line's turn at once; the fallen pieces lie on the floor meanwhile."""
    game = tiling(wall=NO_PLACE_FOR_RED["gray"], lines={2: "kk", 3: "rrr", 4: "bbbb"}, floor="k", score=20)
    refused(game, "tile 4 1", "line 2 comes first")
    game.play("tile 2 1")
    assert (seen(game).tiling, floor(game, EVA), lines(game, EVA)) == (4, "krrr", ["", "", "", "bbbb", ""])
    game.play("tile 4 1")
    assert game.scores == [20 + 2 + 1 - 6, 0]


def test_a4_a_fallen_line_goes_to_the_lid_past_the_seventh_floor_space() -> None:
    """A4, A1: of three pieces one still finds a space; the loss is that of a full floor line."""
    game = table(side="gray")
    lay(game, EVA, wall=NO_PLACE_FOR_RED["gray"], lines={3: "rrr", 4: "bbbb"}, floor="kkkkkk", score=20)
    finish_round(game)
    assert (floor(game, EVA), seen(game).lid) == ("kkkkkkr", {"red": 2})
    game.play("tile 4 2")
    assert (game.scores, seen(game).lid) == ([20 + 2 - 14, 0], {"blue": 3, "red": 3, "black": 6})


@pytest.mark.parametrize(("column", "falls"), [(3, False), (5, True)])
def test_a4_a_tile_placed_just_before_can_leave_no_place_for_a_line_below(column: int, falls: bool) -> None:
    """Variant, note and A4: red fits in column 5 of row 3 only, unless the red of line 1 went there."""
    game = tiling(wall="..... r.... ..t.. .r... ...r.", lines={1: "r", 3: "rrr"}, score=20)
    assert words(game) == ["tile 1 3", "tile 1 5"]
    events = game.play(f"tile 1 {column}")
    if falls:
        assert kinds(events) == ["tiled", "round_ended"]
        assert (game.scores, seen(game).lid) == ([20 + 1 - 4, 0], {"red": 3})
    else:
        assert (kinds(events), words(game)) == (["tiled"], ["tile 3 5"])
        game.play("tile 3 5")
        assert (game.scores, seen(game).lid) == ([20 + 1 + 1, 0], {"red": 2})


def test_players_tile_in_turn_order_from_the_next_starting_player() -> None:
    """B; log format: each all lines from the top down, then the next player."""
    game = table(side="gray", players=3)
    lay(game, EVA, lines={1: "b"})
    lay(game, JESPER, lines={1: "y", 2: "kk"}, floor="*", score=5)
    lay(game, THORE, lines={5: "ttttt"})
    finish_round(game)
    turns = []
    for step in ("tile 1 5", "tile 2 5", "tile 5 5", "tile 1 5"):
        turns.append((game.player, seen(game).tiling, game.scores[1]))
        game.play(step)
    assert turns == [(JESPER, 1, 5), (JESPER, 2, 6), (THORE, 5, 7), (EVA, 1, 7)]
    assert (game.scores, game.player, seen(game).starter) == ([1, 7, 1], None, JESPER)
    refused(game, "tile 1 1", "round 2 has to be dealt first")


# -- Crystal Mosaic --------------------------------------------------------------------------


@pytest.mark.parametrize("side", ["1", "2"])
def test_c1_a_printed_space_takes_its_own_color_only(side: str) -> None:
    """Sides 1 and 2, C1: the other spaces are free for every color."""
    for row, letters in enumerate(PRINTED[side].split(), 1):
        for letter in LETTERS:
            game = tiling(side, lines={row: letter * row})
            columns = [column for column, space in enumerate(letters, 1) if space in (".", letter)]
            assert words(game) == [f"tile {row} {column}" for column in columns]
            for column in {1, 2, 3, 4, 5}.difference(columns):
                color = WORDS[letters[column - 1]]
                refused(game, f"tile {row} {column}", rf"that space is for {color} only \(C1\)")


def test_c1_free_spaces_of_crystal_mosaic_follow_the_gray_side() -> None:
    """C1: no color twice in a column, be it on a printed space or beside it."""
    game = tiling("2", wall="r.... .b... ..t.. ....b .....", lines={3: "bbb"})
    assert words(game) == ["tile 3 1", "tile 3 4"]
    refused(game, "tile 3 2", "column 2 already holds blue")
    refused(game, "tile 3 3", "row 3, column 3 already has a tile")


def test_c1_a_color_may_leave_its_printed_space_unfillable_for_good() -> None:
    """C1: black beside its printed space of row 1; then nothing goes there any more."""
    game = tiling("1", lines={1: "k"})
    assert words(game) == [f"tile 1 {column}" for column in (1, 2, 3, 4, 5)]
    game.play("tile 1 2")
    deal(game)
    game.play("pick 3 black")
    refused(game, "place 1", "row 1 of the wall already holds black")
    game.play("place 5")
    lay(game, EVA, wall="y.r.b ..... ..... ..... .....", lines={1: "t"}, score=5)
    finish_round(game, last="t")
    assert (wall(game, EVA).split()[0], lines(game, EVA)) == ("ykr.b", ["", "", "", "", "kkkk"])
    assert (seen(game).lid, game.over) == ({"teal": 1}, False)


def test_c1_a_printed_space_can_become_unfillable_by_its_column() -> None:
    """C1, A4: black lies in column 4 already, so only the free spaces of row 1 take it."""
    game = tiling("1", wall="..... ...k. ..... ..... .....", lines={1: "k"})
    assert words(game) == ["tile 1 1", "tile 1 2", "tile 1 3", "tile 1 5"]
    refused(game, "tile 1 4", "column 4 already holds black")


CORNERS = {
    ("1", "...K. ..... ..... ..... ....."): 1 * 2,
    ("1", "..K.. ..... ..... ..... ....."): 1,
    ("1", "..rKy ...b. ..... ..... ....."): (3 + 2) * 2,
    ("1", "..... T.... y.... ..... ....."): 2 * 2,
    ("1", "..... ..... ..... ...rB ....."): 2 * 2,
    ("1", "..... ..... ..... .Bt.. ....."): 2,
    ("1", "..... ..... ..... .y... bR..."): (2 + 2) * 2,
    ("2", "..... .B... ..... ..... ....."): 1,
    ("2", "..... ..... .bTr. ..... ....."): 3,
    ("2", "..... ..... ...b. ..rY. ....."): 2 + 2,
}


@pytest.mark.parametrize(("side", "drawing"), CORNERS)
def test_c2_c3_only_printed_spaces_of_side_1_double_the_points(side: str, drawing: str) -> None:
    """Side 1, side 2: row and column together, or the single point; free spaces never."""
    assert place(drawing, side)[1] == CORNERS[side, drawing]


def test_c2_side_1_doubles_and_has_the_bonuses_of_azul() -> None:
    """Side 1 and C2: a row with its printed space; the bonus itself is not doubled."""
    game, points = place("byrKt ..... ..... ..... .....", "1")
    assert (points, board(game, EVA).points["rows"], game.scores) == (5 * 2, 2, [12, 0])
    assert arranged("1").bonus == Bonus(row=2, column=7, color=10)


def test_c3_side_2_does_not_double_and_has_bonuses_of_its_own() -> None:
    """Side 2 and C3: a row with both printed spaces."""
    game, points = place("..... ybkRt ..... ..... .....", "2")
    assert (points, board(game, EVA).points["rows"], game.scores) == (5, 3, [8, 0])
    assert arranged("2").bonus == Bonus(row=3, column=10, color=12)


def test_example_ten_points_for_the_doubled_yellow_tile() -> None:
    """Side 1, example: three in the row and two in the column, doubled."""
    game, points = place("..... ..... .bYr. ..k.. .....", "1")
    assert (points, game.scores) == ((3 + 2) * 2, [10, 0])


# -- Components of one's own -----------------------------------------------------------------


def own(rules: str = "azul", side: str = "colored", **components: Any) -> sintra.Game:
    """A seeded game with printed values of one's own."""
    return sintra.new(rules, NAMES[:2], seed=1, side=side, components=components)


def rows_of(drawing: str) -> list[list[str | None]]:
    """A wall as a file has it."""
    return [list(row) for row in printed(drawing)]


MIXED = "by... tbyrk ktbyr rktby yrktb"


def test_an_own_wall_takes_the_place_of_the_printed_one() -> None:
    """Log format, tables of one's own: free spaces in one row are enough to be asked; the rest stays."""
    game = own(wall=rows_of(MIXED))
    assert game.events[1] == arranged("colored", wall=printed(MIXED))
    lay(game, EVA, lines={1: "t", 2: "rr"})
    finish_round(game)
    assert words(game) == ["tile 1 3", "tile 1 4", "tile 1 5"]
    refused(game, "tile 1 2", "that space is for yellow only")
    game.play("tile 1 3")
    assert words(game) == ["tile 2 4"]


def test_own_floor_values_are_counted() -> None:
    """Tables of one's own: seven numbers of 0 or less."""
    game = own(floor=[0, -5, 0, 0, 0, 0, -1])
    assert game.events[1] == arranged("colored", floor=(0, -5, 0, 0, 0, 0, -1))
    lay(game, EVA, floor="rr", score=20)
    lay(game, JESPER, floor="kkkkkkk", score=20)
    finish_round(game)
    assert game.scores == [15, 14]


def test_an_own_multiplier_doubles_printed_spaces() -> None:
    """Tables of one's own: also on a wall that is printed all over; 1 takes it away from side 1."""
    game = own(multiplier=2)
    assert game.events[1] == arranged("colored", multiplier=2)
    lay(game, EVA, lines={1: "b", 2: "tt"})
    finish_round(game)
    assert game.scores == [1 * 2 + 2 * 2, 0]
    game = own("crystal", "1", multiplier=1)
    lay(game, EVA, lines={1: "k"})
    finish_round(game)
    game.play("tile 1 4")
    assert game.scores == [1, 0]


def test_own_bonuses_are_gained() -> None:
    """Tables of one's own: three numbers of 0 or more."""
    game = own(bonus={"row": 4, "column": 0, "color": 6})
    assert game.events[1] == arranged("colored", bonus=Bonus(4, 0, 6))
    lay(game, EVA, wall="byrkt tbyr. ktby. rktb. yrk.b")
    finish_round(game)
    assert game.scores == [4 + 6, 0]


def test_a_fully_printed_wall_of_ones_own_tiles_by_itself_on_crystal_rules() -> None:
    """Tables of one's own: nobody is asked, and every space doubles as side 1 says."""
    mirrored = "tkryb krybt rybtk ybtkr btkry"
    game = own("crystal", "1", wall=rows_of(mirrored))
    lay(game, EVA, lines={1: "b", 2: "tt", 5: "rrrrr"})
    events = finish_round(game)
    assert kinds(events) == ["placed", "round_ended", "dealt"]
    assert wall(game, EVA) == "....b ....t ..... ..... ...r."
    assert game.scores == [(1 + 2 + 1) * 2, 0]
    refused(game, "tile 1 1", "every space of this wall is printed")


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "a color twice in a row": ({"wall": rows_of("b..b. ..... ..... ..... .....")}, "printed twice in row 1"),
    "a color twice in a column": ({"wall": rows_of("..... ...k. ..... ..... ...k.")}, "twice in column 4"),
    "four rows": ({"wall": rows_of(EMPTY)[:4]}, "wall: expected a list of length >= 5"),
    "six rows": ({"wall": [*rows_of(EMPTY), [None] * 5]}, "wall: expected a list of length <= 5"),
    "four columns": ({"wall": [row[:4] for row in rows_of(EMPTY)]}, r"wall\[0\]: .*length >= 5"),
    "an unknown color": ({"wall": [["pink"] * 5, *rows_of(EMPTY)[1:]]}, r"wall.*'pink'"),
    "a positive floor value": ({"floor": [-1, -1, 1, -2, -2, -3, -3]}, "floor.*<= 0"),
    "six floor values": ({"floor": [-1] * 6}, "floor: .*length >= 7"),
    "multiplier 3": ({"multiplier": 3}, "multiplier: .*<= 2"),
    "multiplier 0": ({"multiplier": 0}, "multiplier: .*>= 1"),
    "a negative bonus": ({"bonus": {"row": -1, "column": 7, "color": 10}}, "bonus.row: .*>= 0"),
    "a bonus that is missing": ({"bonus": {"row": 2, "column": 7}}, "missing required field `color`"),
    "an unknown bonus": ({"bonus": {"row": 2, "column": 7, "color": 10, "edge": 1}}, "unknown field `edge`"),
    "an unknown key": ({"walls": rows_of(EMPTY)}, "walls: unknown field"),
}


@pytest.mark.parametrize("what", BAD)
@pytest.mark.parametrize("rules", ["azul", "crystal"])
def test_components_that_can_not_be_are_refused(rules: str, what: str) -> None:
    """Tables of one's own: with a message that says what is wrong, and where."""
    components, why = BAD[what]
    with pytest.raises(sintra.UsageError, match=why):
        sintra.new(rules, seed=1, components=components)


@pytest.mark.parametrize(
    ("components", "why"),
    [
        ({"wall": printed("bb... ..... ..... ..... .....")}, "wall: a color is printed twice in row 1"),
        ({"wall": printed("b.... b.... ..... ..... .....")}, "wall: a color is printed twice in column 1"),
        ({"wall": printed("..... ..... ..... .....")}, "wall"),
        ({"floor": (-1, -1, 1, -2, -2, -3, -3)}, "floor"),
        ({"multiplier": 3}, "multiplier"),
        ({"bonus": Bonus(-1, 7, 10)}, "bonus"),
    ],
    ids=[
        "twice in a row",
        "twice in a column",
        "four rows",
        "positive floor",
        "multiplier",
        "negative bonus",
    ],
)
def test_an_arrangement_that_can_not_be_is_refused_at_a_real_table(
    components: dict[str, Any], why: str
) -> None:
    """Tables of one's own: as strictly as in a log, and the game still waits for its arrangement then."""
    game = sintra.new("azul", NAMES[:2], chance="table")
    with pytest.raises(sintra.IllegalStep, match=why):
        game.record(arranged("gray", **components))
    assert (len(game.events), seen(game).awaits) == (1, "arrange")
    game.record(arranged("gray"))
    assert (len(game.events), seen(game).awaits) == (2, "deal")


# -- What the rules do by themselves ---------------------------------------------------------


def told(game: sintra.Game, *steps: str) -> list[tuple[Any, ...]]:
    """What a watcher of these steps hears, each with its player; the game itself does not go on."""
    heard: list[tuple[Any, ...]] = []
    twin = game.copy()
    twin.watch(
        lambda _, moment: heard.extend((e.name, e.player, *e.numbers.values()) for e in moment.effects)
    )
    twin.play(*steps)
    return heard


def test_a_watcher_hears_what_happens_in_a_round() -> None:
    """Picks and placings, tiles and lines that fit nowhere, and what the floor line costs."""
    game = table(side="gray")
    lay(game, EVA, wall=NO_PLACE_FOR_RED["gray"], lines={3: "rrr", 4: "bbbb"}, floor="kkkkk", score=20)
    only_left(game, "bbk", center="k")
    steps = ("pick 1 blue place 1", "pick center black place 5", "tile 1 2 tile 4 1")
    assert told(game, *steps) == [
        ("took", EVA, 2),
        ("centered", EVA, 1),
        ("filled", EVA, 1, 1),
        ("fell", EVA, 1),
        ("took", JESPER, 2),
        ("starting_tile", JESPER),
        ("filled", JESPER, 5, 2),
        ("floor_lost", JESPER, 0, 1),
        ("tiled", EVA, 1, 2, 2),
        ("untiled", EVA, 3, 3),
        ("fell", EVA, 1),
        ("discarded", EVA, 2),
        ("tiled", EVA, 4, 1, 1),
        ("floor_lost", EVA, 14, 14),
    ]


def test_a_watcher_hears_of_tiles_bonuses_and_refills_that_nobody_chose() -> None:
    """On a wall that is printed all over tiles come with the end of the round; a deal may refill the bag."""
    game = table()
    lay(game, JESPER, wall="b.rkt ..... ..... ..... .....", lines={1: "y"}, floor="r*")
    only_left(game, "k")
    assert told(game, "pick 1 black place 2") == [
        ("took", EVA, 1),
        ("centered", EVA, 0),
        ("filled", EVA, 2, 1),
        ("tiled", JESPER, 1, 2, 5),
        ("floor_lost", JESPER, 2, 2),
        ("rows_scored", EVA, 0, 0),
        ("columns_scored", EVA, 0, 0),
        ("colors_scored", EVA, 0, 0),
        ("rows_scored", JESPER, 1, 2),
        ("columns_scored", JESPER, 0, 0),
        ("colors_scored", JESPER, 0, 0),
    ]
    game = sintra.new("azul", seed=3)
    only_left(game, "k")
    for bag, heard in (("rr", [("refilled", None, 2)]), ("", [("refilled", None, 0)]), ("r" * 20, [])):
        stock(game, bag=bag, lid="bbb")
        assert told(game, "pick 1 black place 5")[3:] == heard


def test_there_is_a_step_for_every_pick_every_line_and_every_space() -> None:
    """Their codes never change: programs that learn rely on them."""
    steps = [str(step) for step in sintra.new("azul", seed=1).rules.steps]
    assert steps[:6] == [*(f"pick center {color}" for color in COLORS), "pick 1 blue"]
    assert steps[49:57] == ["pick 9 teal", "place floor", *(f"place {n}" for n in range(1, 6)), "tile 1 1"]
    assert steps[56:] == [f"tile {row} {column}" for row in range(1, 6) for column in range(1, 6)]


# -- The tests themselves --------------------------------------------------------------------


def test_every_ruling_has_a_test() -> None:
    """Rulings R1 to R6, A1 to A6 and C1 to C3: those that the rule-sets name."""
    assert sintra.new("azul", seed=1).rules.rulings == EVERY_GAME + AZUL
    rulings = sintra.new("crystal", seed=1).rules.rulings
    assert rulings == EVERY_GAME + AZUL + CRYSTAL
    tests = [name for name in globals() if name.startswith("test_")]
    for ruling in rulings:
        assert any(name.startswith(f"test_{ruling.number.lower()}_") for name in tests), ruling.number
