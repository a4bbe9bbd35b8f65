"""The rules of Stained Glass of Sintra, sentence by sentence, and the rulings R1 to R6 and S1 to S12.

Each test names what it holds the engine to; its docstring says under which heading of the rulebook, or
in which ruling, that is found. Amanda is player 1 and Ben player 2; how pieces and strips are written
is explained in `tests.kit.tables`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import sintra
from sintra.errors import DamagedLog
from sintra.games.sintra.events import Kept, PlacedOnStrip, Returned
from sintra.games.sintra.rulings import RULINGS
from sintra.log.events import Dealt, Ended, Picked, RoundEnded
from sintra.rules.rulings import EVERY_GAME
from tests.kit.tables import (
    AMANDA,
    BEN,
    CARLA,
    DARIO,
    STRIPS,
    TRACK,
    deal,
    every_piece,
    kinds,
    only_left,
    palace,
    play_out,
    refused,
    refused_deal,
    seat,
    seen,
    sides,
    stock,
    strip,
    table,
    window,
    words,
)

COLORS = ("blue", "clear", "orange", "pink", "yellow")
SEEDS = range(60)


def nearly_complete(**setup: Any) -> sintra.Game:
    """Amanda's turn: her strip 1 lacks its yellow piece, which lies on display 2 with three pink ones."""
    game = table("oooo yppp bbbb cccc yyyy", **setup)
    game.play("pick 1 orange place 1", "pick 4 clear place 5")
    return game


def first_round(**setup: Any) -> sintra.Game:
    """A whole round: Amanda furnishes window 1 and fills blue on its flipped strip; Ben takes the tile."""
    game = nearly_complete(**setup)
    game.play("pick 2 yellow place 1 keep orange", "pick center pink place 8")
    game.play("pick 3 blue place 1", "pick 5 yellow place 8")
    return game


def second_window(**setup: Any) -> sintra.Game:
    """Round II after `first_round`: Amanda has completed strip 1 for the second time; Ben's turn."""
    game = first_round(**setup)
    deal(game, "cppp oooo yyyy bbbb pppp")
    game.play("return", "pick 1 clear place 1 keep blue")
    return game


def at_joker_strip(displays: str = "oooo yyyy pppp bbbb cccc") -> sintra.Game:
    """Amanda's turn: her strip 8 shows its joker side, bc**y, and is the only one in her glazier's reach."""
    game = table(displays)
    seat(game, AMANDA, windows={8: "p"}, glazier=8)
    return game


def ended(amanda: dict[str, Any], ben: dict[str, Any] | None = None, **setup: Any) -> sintra.Game:
    """A finished game: these seats before Ben's last pick, one pink piece that he lays on a strip."""
    game = table(**setup)
    seat(game, AMANDA, **amanda)
    seat(game, BEN, **(ben or {}))
    only_left(game, "p", turn=BEN, in_round=6)
    play_out(game)
    return game


# -- Game setup ------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "displays"), [(2, 5), (3, 7), (4, 9)])
def test_r1_displays_by_the_number_of_players(players: int, displays: int) -> None:
    """Setup 1 and R1: 5, 7 or 9 displays; there are no others to pick from."""
    game = table(players=players)
    assert [sum(pieces.values()) for pieces in seen(game).displays] == [4] * displays
    assert [word.split()[1] for word in words(game)] == [str(n) for n in range(1, displays + 1)]


def test_r1_unused_displays_are_out_of_the_game() -> None:
    """Setup 1 and R1: a sixth display is neither picked from nor filled with two players."""
    refused(table(), "pick 6 orange", "no display 6: 2 players have 5 displays")
    refused_deal(table(None), "oooo yyyy pppp bbbb", "5 displays are filled, not 4")
    refused_deal(table(None), "oooo yyyy pppp bbbb cccc oooo", "5 displays are filled, not 6")


def test_r1_each_display_is_filled_with_four_pieces() -> None:
    """Setup 8 and R1: no display gets more, or fewer while there are pieces."""
    refused_deal(table(None), "ooooo yyyy pppp bbbb cccc", "at most 4")
    refused_deal(table(None), "ooo yyyy pppp bbbb cccc", "while there are more to deal")


@pytest.mark.parametrize("players", [1, 5])
def test_two_to_four_can_play(players: int) -> None:
    """Setup 1: there is no set of displays for other numbers."""
    with pytest.raises(sintra.UsageError, match="2 to 4 players"):
        sintra.new(players=players, seed=1)


def test_the_glass_tower_starts_empty() -> None:
    """Setup 2."""
    assert seen(table()).tower == {}


@pytest.mark.parametrize("side", ["A", "B"])
def test_all_players_use_the_same_side(side: str) -> None:
    """Setup 3: the side belongs to the game, and so do the points below the windows."""
    value = seen(table(side=side, points=(3, 1, 4, 1, 5, 9, 2, 6)))
    assert value.side == side
    assert [[pane.points for pane in player.windows] for player in value.players] == [
        [3, 1, 4, 1, 5, 9, 2, 6]
    ] * 2
    with pytest.raises(sintra.UsageError, match="choose from: A, B"):
        sintra.new(side=side * 2, seed=1)


def test_every_player_has_the_same_eight_double_sided_strips() -> None:
    """Setup 4: whatever their order, and whichever side is up."""
    for seed in SEEDS:
        game = sintra.new(players=4, seed=seed)
        sets = [
            sorted(sorted(sides(game, player, slot).split("/")) for slot in range(1, 9))
            for player in (AMANDA, BEN, CARLA, DARIO)
        ]
        assert all(len(up) == len(down) == 5 for up, down in sets[0])
        assert sets == [sets[0]] * 4


def test_strips_are_shuffled_for_each_player() -> None:
    """Setup 4: over many games every slot gets every strip, and players do not share an order."""
    games = [sintra.new(seed=seed) for seed in SEEDS]
    for slot in range(1, 9):
        assert len({frozenset(sides(game, AMANDA, slot).split("/")) for game in games}) == 8
    orders = [[[sides(game, player, slot) for slot in range(1, 9)] for player in (1, 2)] for game in games]
    assert all(amanda != ben for amanda, ben in orders)


def test_either_side_of_a_strip_may_start_face_up() -> None:
    """Setup 4: over many games, except for the joker strip, both sides do."""
    ups: set[str] = set()
    for seed in SEEDS:
        ups |= {sides(sintra.new(seed=seed), AMANDA, slot).split("/")[0] for slot in range(1, 9)}
    assert len(ups) == 15


def test_the_two_jokers_start_face_down() -> None:
    """Setup 4: one strip has them, on one side, and that side is down, with chance and at a real table."""
    for seed in SEEDS:
        game = sintra.new(players=4, seed=seed)
        for player in (AMANDA, BEN, CARLA, DARIO):
            printed = [sides(game, player, slot).split("/") for slot in range(1, 9)]
            assert sorted(down.count("*") for _, down in printed) == [0] * 7 + [2]
            assert not any("*" in up for up, _ in printed)
    with pytest.raises(sintra.DamagedLog, match="joker side must start face down"):
        table(strips=(*STRIPS[:7], "bc**y/ppppy"))


def test_a_strip_tells_what_is_on_its_other_side() -> None:
    """Setup 4: until it is flipped; the icon is no space."""
    game = nearly_complete()
    assert sides(game, AMANDA, 1) == "ooooy/bbbbc"
    game.play("pick 2 yellow place 1 keep orange")
    assert sides(game, AMANDA, 1) == "bbbbc/"


def test_glaziers_start_above_the_leftmost_strip() -> None:
    """Setup 5."""
    game = table(players=4)
    assert [player.glazier for player in seen(game).players] == [1, 1, 1, 1]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r5_player_1_has_the_starting_tile_at_first(players: int) -> None:
    """Setup 6 and R5."""
    game = table(players=players)
    assert (game.player, seen(game).starter) == (AMANDA, AMANDA)


def test_markers_start_on_0_and_on_the_top_of_the_broken_glass_track() -> None:
    """Setup 7."""
    game = table(players=3)
    assert game.scores == [0, 0, 0]
    assert [(player.marker, player.lost) for player in seen(game).players] == [(0, 0)] * 3


def test_rounds_2_to_6_show_one_piece_of_each_color_in_any_order() -> None:
    """Setup 7: over many games each color comes up on each space."""
    rows = [seen(sintra.new(seed=seed)).indicator for seed in SEEDS]
    assert all(sorted(row[1:]) == sorted(COLORS) for row in rows)
    assert all({row[space] for row in rows} == set(COLORS) for space in range(1, 6))
    with pytest.raises(sintra.DamagedLog, match="must show each color once"):
        table(indicator="pbcopp")


def test_round_1_shows_any_piece_from_the_bag() -> None:
    """Setup 7: over many games every color comes up, also next to each of the same color further down."""
    rows = [seen(sintra.new(seed=seed)).indicator for seed in SEEDS]
    assert {row[0] for row in rows} == set(COLORS)
    assert all({row[0] == row[space] for row in rows} == {True, False} for space in range(1, 6))


def test_the_bag_holds_all_pieces_but_those_on_the_indicator() -> None:
    """Setup 7: 20 of each color, less one of each, less one more."""
    bag = seen(table(None, indicator="pbcopy")).bag
    assert bag == {"blue": 19, "clear": 19, "orange": 19, "pink": 18, "yellow": 19}


def test_displays_are_filled_from_the_bag() -> None:
    """Setup 8."""
    value = seen(table("ooyp yyyy pppp bbbb cccc"))
    assert value.displays[:2] == ({"orange": 2, "yellow": 1, "pink": 1}, {"yellow": 4})
    assert value.bag == {"blue": 15, "clear": 15, "orange": 17, "pink": 13, "yellow": 14}
    refused_deal(table(None, players=4), "pppp pppp pppp pppp pppp oooo oooo oooo oooo", "no pink left")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_there_are_20_pieces_of_each_color_at_any_time(players: int) -> None:
    """Components: no piece appears or vanishes, and all points have a reason."""
    game = sintra.new(players=players, seed=players)
    turn = 0
    while not game.over:
        legal = game.legal()
        game.play(legal[turn * 7 % len(legal)])
        turn += 1
        assert every_piece(game) == dict.fromkeys(COLORS, 20)
        assert [sum(player.points.values()) for player in seen(game).players] == game.scores


# -- Playing the game ------------------------------------------------------------------------


def test_a_round_begins_with_the_starting_tile_in_the_center() -> None:
    """Playing the game: its owner puts it there, in the first round and in later ones."""
    game = first_round()
    assert not seen(game).starting_tile
    deal(game)
    assert seen(game).starting_tile
    assert seen(table()).starting_tile


def test_who_has_the_starting_tile_takes_the_first_turn() -> None:
    """Playing the game: Ben took it in round I."""
    game = first_round()
    assert seen(game).starter == BEN
    deal(game)
    assert (game.round, game.player) == (2, BEN)


def test_play_goes_clockwise() -> None:
    """Playing the game: one turn each in the order of the names, from the starting player round and round."""
    game = table("oppp yyyy pppp bbbb cccc oooo yyyy", players=3)
    turns = [game.player]
    for steps in ("pick 1 orange place 1", "pick 2 yellow place 3", "pick center pink place 8"):
        game.play(steps)
        turns.append(game.player)
    assert turns == [AMANDA, BEN, CARLA, AMANDA]
    play_out(game)
    deal(game)
    assert game.player == CARLA
    game.play("return")
    assert game.player == AMANDA


def test_turns_go_on_until_no_piece_is_left_anywhere() -> None:
    """Playing the game: five displays of one color are five turns."""
    game = table()
    game.play("pick 1 orange place 1", "pick 2 yellow place 3", "pick 3 pink place 8", "pick 4 blue place 6")
    assert (game.round, game.player, words(game)) == (1, AMANDA, ["pick 5 clear", "return"])
    assert kinds(game.play("pick 5 clear")) == ["picked", "round_ended"]
    assert (game.player, seen(game).awaits) == (None, "deal")


def test_a_turn_is_either_a_pick_or_a_return() -> None:
    """Playing the game: there is no passing, and nothing to place or keep before a pick."""
    game = nearly_complete()
    seat(game, AMANDA, glazier=3)
    assert words(game) == ["pick 2 pink", "pick 2 yellow", "pick 3 blue", "pick 5 yellow", "return"]
    refused(game, "place 3", "nothing in hand")
    refused(game, "keep orange", "no strip is complete")


def test_steps_are_carried_out_in_order() -> None:
    """Advance a pattern: pick, then place, then deal with a complete pattern; nothing in between."""
    game = nearly_complete()
    game.play("pick 2 yellow")
    assert (game.player, seen(game).awaits, seen(game).hand) == (AMANDA, "place", {"yellow": 1})
    for step in ("pick 3 blue", "keep yellow", "return"):
        refused(game, step, "yellow in hand must be placed first")
    game.play("place 1")
    assert (game.player, seen(game).awaits, seen(game).hand) == (AMANDA, "keep", {})
    for step in ("pick 3 blue", "place 1", "return"):
        refused(game, step, "strip 1 is complete")


# -- Step 1: pick ----------------------------------------------------------------------------


def test_a_pick_takes_all_of_one_color_from_one_display() -> None:
    """Step 1a: the rest of that display goes to the center, other displays stay."""
    game = table("ooyp oyyy pppp bbbb cccc")
    game.play("pick 1 orange")
    value = seen(game)
    assert value.hand == {"orange": 2}
    assert value.center == {"yellow": 1, "pink": 1}
    assert value.displays[:2] == ({}, {"orange": 1, "yellow": 3})


def test_a_pick_takes_all_of_one_color_from_the_center() -> None:
    """Step 1b: other colors stay there, and displays are not touched."""
    game = table("poob oyyy pppp bbbb cccc")
    game.play("pick 1 pink place 4", "pick 2 yellow place 3")
    game.play("pick center orange")
    value = seen(game)
    assert value.hand == {"orange": 3}
    assert value.center == {"blue": 1}
    assert value.displays[2:] == ({"pink": 4}, {"blue": 4}, {"clear": 4})


def test_only_a_color_that_lies_there_can_be_picked() -> None:
    """Step 1: not from an empty display or center, nor a color that is not there."""
    game = table("ooyp yyyy pppp bbbb cccc")
    refused(game, "pick 1 blue", "no blue; it has 2 orange, pink and yellow")
    refused(game, "pick center orange", "the center is empty")
    game.play("pick 1 orange place 1")
    refused(game, "pick 1 yellow", "display 1 is empty")
    refused(game, "pick center orange", "the center has no orange")


def test_the_first_pick_from_the_center_takes_the_starting_tile() -> None:
    """Step 1: it costs one space on the broken glass track, and the taker starts the next round."""
    game = table("oppp yyyy pppp bbbb cccc")
    game.play("pick 1 orange place 1", "pick center pink place 8")
    value = seen(game)
    assert (value.starting_tile, value.starter) == (False, BEN)
    assert [player.marker for player in value.players] == [0, 1]
    assert (value.tower, game.scores) == ({}, [0, 0])


def test_later_picks_from_the_center_cost_nothing() -> None:
    """Step 1: the tile is gone by then, and stays with its taker."""
    game = table("oppy yyyy pppp bbbb cccc")
    game.play("pick 1 orange place 1", "pick center pink place 8", "pick center yellow place 1")
    assert [player.marker for player in seen(game).players] == [0, 1]
    assert seen(game).starter == BEN


def test_a_pick_from_a_display_leaves_the_starting_tile() -> None:
    """Step 1: the tile goes with the center only."""
    game = nearly_complete()
    assert (seen(game).starting_tile, seen(game).starter) == (True, AMANDA)
    assert [player.marker for player in seen(game).players] == [0, 0]


def test_example_amanda_picks_pink_from_a_display() -> None:
    """Step 1, example a: the three other pieces go to the center."""
    game = table("pcyo yyyy pppp bbbb cccc")
    game.play("pick 1 pink")
    assert seen(game).hand == {"pink": 1}
    assert seen(game).center == {"clear": 1, "orange": 1, "yellow": 1}
    assert seen(game).displays[0] == {}


STRIPS_OF_THE_EXAMPLE = (
    "ooopp/bbbcc",
    "bbyyo/ccccp",
    "oooyb/ppppc",
    "bbbcc/yyyyp",
    "yyyyb/cccpp",
    "ppppc/bbbyy",
    "ccccy/pppbb",
    "pppyy/bc**y",
)


def amanda_picks_three_orange() -> sintra.Game:
    """Strip 1 is the example's A, strip 2 its B with one orange space, strip 3 its C with three."""
    game = table("pooo bbyy cccc yyyy pppp", strips=STRIPS_OF_THE_EXAMPLE)
    game.play("pick 2 blue place 2", "pick 1 pink place 6", "pick center orange")
    return game


def test_example_amanda_picks_three_orange_from_the_center() -> None:
    """Step 1, example b: with them comes the starting tile, and one space on the broken glass track."""
    value = seen(amanda_picks_three_orange())
    assert value.hand == {"orange": 3}
    assert (value.starting_tile, value.starter) == (False, AMANDA)
    assert value.players[0].marker == 1
    assert value.center == {"yellow": 2}


# -- Step 2: place ---------------------------------------------------------------------------


def test_pieces_go_to_empty_spaces_of_their_color() -> None:
    """Step 2: on the chosen strip."""
    game = table("oobb yyyy pppp bbbb cccc")
    game.play("pick 1 orange place 4")
    assert [strip(game, AMANDA, slot) for slot in range(1, 9)] == [*["....."] * 3, "...oo", *["....."] * 4]
    assert sides(game, AMANDA, 4) == "pppoo/yyybb"


def test_a_filled_space_takes_no_second_piece() -> None:
    """Step 2: the only orange space of strip 6 is filled, so strip 7 is the only one in reach."""
    game = table("obbb oyyy pppp cccc cccc")
    game.play("pick 1 orange place 6", "pick 3 pink place 8", "pick 2 orange")
    assert words(game) == ["place 7"]
    refused(game, "place 6", "no empty space for orange")


def test_r4_a_pick_is_never_split_over_two_strips() -> None:
    """Step 2 and R4: strips 4 and 7 have two orange spaces each; one strip is chosen, the rest breaks."""
    game = table()
    game.play("pick 1 orange place 4")
    assert (strip(game, AMANDA, 4), strip(game, AMANDA, 7)) == ("...oo", ".....")
    assert (palace(game, AMANDA).marker, seen(game).tower) == (2, {"orange": 2})
    assert game.player == BEN
    refused(game, "place 7", "nothing in hand")


def test_strips_beneath_the_glazier_and_to_its_right_can_be_chosen() -> None:
    """Step 2: never those to its left."""
    game = table("oobb oopp yyyy bbbb cccc")
    game.play("pick 1 orange")
    assert words(game) == ["place 1", "place 3", "place 4", "place 6", "place 7"]
    game.play("place 3", "pick 3 yellow place 3", "pick 2 orange")
    assert palace(game, AMANDA).glazier == 3
    assert words(game) == ["place 4", "place 6", "place 7"]
    refused(game, "place 1", "left of the glazier")


def test_the_glazier_moves_to_the_chosen_strip() -> None:
    """Step 2: for a strip to its right; above the strip beneath it, it stays."""
    game = table("oobb yyyy ppoo bbbb cccc")
    game.play("pick 1 orange place 4")
    assert palace(game, AMANDA).glazier == 4
    game.play("pick 2 yellow place 3", "pick 3 pink place 4")
    assert (palace(game, AMANDA).glazier, strip(game, AMANDA, 4)) == (4, "pp.oo")


def test_pieces_that_do_not_fit_break() -> None:
    """Step 2: one space on the track for each, and into the tower they go; no points are lost yet."""
    game = table()
    game.play("pick 1 orange place 3")
    assert strip(game, AMANDA, 3) == "....o"
    assert (palace(game, AMANDA).marker, palace(game, BEN).marker) == (3, 0)
    assert seen(game).tower == {"orange": 3}
    assert game.scores == [0, 0]


def test_s5_all_pieces_break_when_no_strip_in_reach_takes_them() -> None:
    """Step 2 and S5: nothing to place, the glazier stays, the turn ends; room to its left is no room."""
    game = table()
    game.play("pick 3 pink place 8", "pick 2 yellow place 3")
    assert game.play("pick 1 orange") == [Picked(AMANDA, 1, "orange")]
    amanda = palace(game, AMANDA)
    assert (amanda.marker, amanda.glazier, strip(game, AMANDA, 8)) == (4, 8, "pppp.")
    assert (seen(game).tower, seen(game).hand) == ({"orange": 4}, {})
    assert (game.player, seen(game).awaits) == (BEN, "pick")


def test_s3_pieces_must_be_placed_while_a_strip_in_reach_takes_one() -> None:
    """Step 2 and S3: one orange space is enough to forbid breaking all four."""
    game = table()
    seat(game, AMANDA, laid={7: "o"}, glazier=7)
    game.play("pick 1 orange")
    assert words(game) == ["place 7"]
    for step in ("return", "pick 2 yellow"):
        refused(game, step, "4 orange in hand must be placed first")
    refused(game, "place 8", "no empty space for orange")
    game.play("place 7")
    assert (strip(game, AMANDA, 7), palace(game, AMANDA).marker) == ("oo...", 3)


def test_s3_which_strip_is_free() -> None:
    """S3: strip 1 takes all four orange pieces, but one that breaks three of them is allowed too."""
    for slot, marker in ((1, 0), (3, 3), (4, 2), (6, 3), (7, 2)):
        game = table()
        game.play(f"pick 1 orange place {slot}")
        assert (palace(game, AMANDA).glazier, palace(game, AMANDA).marker) == (slot, marker)


@pytest.mark.parametrize(
    ("step", "pieces"),
    [
        ("pick 1 orange", "..oo."),
        ("pick 2 yellow", "..yyy"),
        ("pick 3 pink", "..pp."),
        ("pick 4 blue", "b.bb."),
        ("pick 5 clear", ".ccc."),
    ],
)
def test_a_joker_space_holds_a_piece_of_any_color(step: str, pieces: str) -> None:
    """Step 2: of four pieces, those that neither spaces nor jokers take break."""
    game = at_joker_strip()
    game.play(step, "place 8")
    assert strip(game, AMANDA, 8) == pieces
    assert palace(game, AMANDA).marker == 4 - sum(piece != "." for piece in pieces)


def test_the_two_joker_spaces_can_hold_different_colors() -> None:
    """Step 2: a filled joker takes no second piece."""
    game = at_joker_strip("obbb pyyy pbbb oyyy cccc")
    game.play("pick 1 orange place 8", "pick 4 orange place 1", "pick 2 pink place 8", "pick 5 clear place 5")
    assert sorted(strip(game, AMANDA, 8)) == sorted("..op.")
    game.play("pick 3 pink")
    assert (palace(game, AMANDA).marker, game.player) == (1, BEN)


def test_s4_spaces_of_the_color_fill_before_jokers() -> None:
    """S4: of two blue pieces one lies on blue, one on a joker; as many as fit are placed."""
    game = at_joker_strip("bboo yyyy pppp bbbb cccc")
    game.play("pick 1 blue place 8")
    assert (strip(game, AMANDA, 8), palace(game, AMANDA).marker) == ("b.b..", 0)


def test_s4_the_player_may_use_more_jokers() -> None:
    """S4: said with `jokers`, and only then written to the log."""
    game = at_joker_strip("bboo byyy pppp bbbb cccc")
    game.play("pick 1 blue")
    assert words(game) == ["place 8", "place 8 jokers 2"]
    assert game.play("place 8 jokers 2") == [PlacedOnStrip(AMANDA, 8, 2)]
    assert strip(game, AMANDA, 8) == "..bb."
    game.play("pick 3 pink place 8", "pick 2 blue")
    assert words(game) == ["place 8"]


def test_s4_the_least_number_of_jokers_needs_no_saying() -> None:
    """S4: two blue pieces need one joker; saying so is the same step, and fewer are not possible."""
    game = at_joker_strip("bboo yyyy pppp bbbb cccc")
    game.play("pick 1 blue")
    refused(game, "place 8 jokers 0", "on strip 8")
    assert game.play("place 8 jokers 1") == [PlacedOnStrip(AMANDA, 8)]
    assert strip(game, AMANDA, 8) == "b.b.."


def test_s4_the_least_number_of_jokers_is_not_written() -> None:
    """S4: a log that has it was not written as logs are, and is refused for that reason."""
    game = at_joker_strip("bboo yyyy pppp bbbb cccc")
    game.play("pick 1 blue")
    with pytest.raises(DamagedLog, match="leave `jokers` out: 1 is the minimum here"):
        game.take(PlacedOnStrip(AMANDA, 8, 1))
    line = '{"type":"placed","player":1,"strip":8,"jokers":0}\n'
    with pytest.raises(DamagedLog) as caught:
        sintra.loads(game.dumps() + line)
    assert caught.value.field == "jokers"


def test_s4_a_refusal_names_the_number_of_jokers_that_was_said() -> None:
    """S4: an orange piece needs one joker on bc**y, so none is too few."""
    game = at_joker_strip("obbb yyyy pppp bbbb cccc")
    game.play("pick 1 orange")
    refused(game, "place 8 jokers 0", "place 8 jokers 0: 0 jokers can't be used on strip 8 here; 1 can")


def test_s4_jokers_are_not_left_empty_to_break_pieces() -> None:
    """S4: three blue pieces fill the blue space and both jokers; there is no other way."""
    game = at_joker_strip("bbbo yyyy pppp bbbb cccc")
    game.play("pick 1 blue")
    assert words(game) == ["place 8"]
    refused(game, "place 8 jokers 1", "place 8 jokers 1: 1 joker can't be used on strip 8")
    game.play("place 8")
    assert (strip(game, AMANDA, 8), palace(game, AMANDA).marker) == ("b.bb.", 0)


def test_example_amanda_chooses_between_strips_b_and_c() -> None:
    """Step 2, example: A is left of her glazier, B takes one orange piece, C takes all three."""
    game = amanda_picks_three_orange()
    assert words(game) == ["place 2", "place 3"]
    refused(game, "place 1", "left of the glazier")

    onto_b = game.copy()
    onto_b.play("place 2")
    assert strip(onto_b, AMANDA, 2) == "bb..o"
    assert (palace(onto_b, AMANDA).marker, palace(onto_b, AMANDA).glazier) == (1 + 2, 2)
    assert seen(onto_b).tower == {"orange": 2}

    game.play("place 3")
    assert strip(game, AMANDA, 3) == "ooo.."
    assert (palace(game, AMANDA).marker, palace(game, AMANDA).glazier) == (1, 3)
    assert seen(game).tower == {}


# -- Broken glass ----------------------------------------------------------------------------


def test_the_last_space_of_the_track_costs_18_at_once() -> None:
    """End of the game, attention: the marker is back on the top space, in the middle of a round."""
    game = first_round()
    assert palace(game, BEN).marker == 4
    deal(game, "cppp oooo yyyy bbbb pppp")
    game.play("pick 2 orange")
    assert (palace(game, BEN).marker, palace(game, BEN).lost) == (0, 18)
    assert (game.scores, game.round, game.player) == ([1, -18], 2, AMANDA)


def test_s2_further_steps_go_on_from_the_top() -> None:
    """S2: from the last but one space, three broken pieces are one step to -18 and two more from 0."""
    game = table()
    seat(game, AMANDA, marker=7)
    game.play("pick 1 orange place 3")
    assert (palace(game, AMANDA).marker, game.scores) == (2, [-18, 0])


def test_s2_one_pick_can_lose_18_twice() -> None:
    """S2: the starting tile and 17 pieces that fit nowhere are 18 steps: twice the track, and two more."""
    game = table()
    seat(game, AMANDA, glazier=8)
    only_left(game, "p", center="o" * 17)
    game.play("pick center orange")
    assert (palace(game, AMANDA).marker, palace(game, AMANDA).lost) == (2, 36)
    assert (game.scores, seen(game).tower) == ([-36, 0], {"orange": 17})


def test_s2_the_starting_tile_is_a_step_before_placing() -> None:
    """S2: its 18 points are lost with the pieces still in hand; those that break start from the top."""
    game = table()
    seat(game, AMANDA, marker=7, score=20)
    only_left(game, "p", center="ooo")
    game.play("pick center orange")
    assert (palace(game, AMANDA).marker, game.scores, seen(game).awaits) == (0, [2, 0], "place")
    game.play("place 4")
    assert palace(game, AMANDA).marker == 1


def test_s1_the_score_may_go_below_zero() -> None:
    """S1: losses are full ones, on the track and at the end."""
    game = table()
    seat(game, AMANDA, marker=7, score=5)
    game.play("pick 1 orange place 3")
    assert game.scores == [-13, 0]
    assert ended({"marker": 3, "score": 1}).scores == [-3, 0]


def test_s1_the_house_rule_stops_at_zero() -> None:
    """S1: with `floor_at_zero` nobody has less than nothing, and larger scores lose in full."""
    for score, rest in ((5, 0), (20, 2)):
        game = table(floor_at_zero=True)
        seat(game, AMANDA, marker=7, score=score)
        game.play("pick 1 orange place 3")
        assert game.scores == [rest, 0]
    assert ended({"marker": 3, "score": 1}, floor_at_zero=True).scores == [0, 0]
    assert ended({"marker": 3, "score": 9}, floor_at_zero=True).scores == [5, 0]


# -- Step 3: a complete pattern --------------------------------------------------------------


def test_an_incomplete_strip_ends_the_turn() -> None:
    """Step 3: one empty space is enough; it stays as it is, and nobody scores."""
    game = table()
    game.play("pick 1 orange place 1")
    assert (strip(game, AMANDA, 1), game.scores) == ("oooo.", [0, 0])
    assert (game.player, seen(game).awaits) == (BEN, "pick")


@pytest.mark.parametrize(("color", "bonus"), [("o", 4), ("y", 1), ("p", 0)])
def test_a_complete_strip_gains_a_point_for_each_piece_of_the_rounds_color(color: str, bonus: int) -> None:
    """Step 3a: four orange pieces and a yellow one; none match pink."""
    game = nearly_complete(indicator=color + "bcopy")
    game.play("pick 2 yellow place 1")
    assert game.scores == [bonus, 0]
    assert (palace(game, AMANDA).points["bonus"], seen(game).awaits) == (bonus, "keep")


def test_the_bonus_color_changes_with_the_round() -> None:
    """Step 3a: blue counts in round II when it lies there, and not when it lay on the space of round I."""
    game = second_window(indicator="pbcopy")
    assert palace(game, AMANDA).points["bonus"] == 4
    game = second_window(indicator="bpcoby")
    assert palace(game, AMANDA).points["bonus"] == 0


def test_a_piece_on_a_joker_counts_by_its_own_color() -> None:
    """Step 3a: strip bc**y with two orange pieces on its jokers, in an orange round."""
    game = table("oyyy yyyy pppp bbbb cccc", indicator="obcopy")
    seat(game, AMANDA, windows={8: "p"}, laid={8: "bcyo"}, glazier=8)
    game.play("pick 1 orange place 8")
    assert palace(game, AMANDA).points["bonus"] == 2


def test_pieces_break_before_the_bonus_is_gained() -> None:
    """Step 3 comes after step 2: with the house rule the 18 points are lost before there is a bonus."""
    game = nearly_complete(indicator="obcopy", floor_at_zero=True)
    seat(game, AMANDA, marker=5)
    game.play("pick 5 yellow place 1")
    assert (game.scores, palace(game, AMANDA).marker) == ([4, 0], 0)


def test_one_piece_is_kept_and_four_go_to_the_tower() -> None:
    """Step 3b: whichever of its colors is kept."""
    for kept, dropped in (("orange", {"orange": 3, "yellow": 1}), ("yellow", {"orange": 4})):
        game = nearly_complete()
        game.play("pick 2 yellow place 1", f"keep {kept}")
        assert (window(game, AMANDA, 1), seen(game).tower) == (kept[0], dropped)


def test_only_a_piece_of_the_strip_can_be_kept() -> None:
    """Step 3b."""
    game = nearly_complete()
    game.play("pick 2 yellow place 1")
    assert words(game) == ["keep orange", "keep yellow"]
    refused(game, "keep blue", "strip 1 has no blue to keep")


def test_the_first_piece_goes_to_the_top_of_the_window_and_the_strip_is_flipped() -> None:
    """Step 3b: the flipped strip is empty, and the glazier stays above it."""
    game = nearly_complete()
    game.play("pick 2 yellow place 1 keep yellow")
    assert window(game, AMANDA, 1) == "y"
    assert (sides(game, AMANDA, 1), strip(game, AMANDA, 1)) == ("bbbbc/", ".....")
    assert palace(game, AMANDA).glazier == 1


def test_the_second_piece_goes_to_the_bottom_and_the_strip_is_removed() -> None:
    """Step 3b: the glazier stays above the empty slot, and nothing can be placed there any more."""
    game = second_window()
    assert (window(game, AMANDA, 1), strip(game, AMANDA, 1)) == ("ob", "gone")
    assert palace(game, AMANDA).glazier == 1
    assert [slot for slot in range(1, 9) if strip(game, AMANDA, slot) == "gone"] == [1]
    game.play("pick 3 yellow place 3", "pick 4 blue")
    assert words(game) == ["place 2", "place 5", "place 6", "place 7"]
    refused(game, "place 1", "strip 1 is gone")


def test_a_window_scores_its_points_when_it_is_furnished() -> None:
    """Step 3c: the ones printed below it, and no others while the rest is empty."""
    game = nearly_complete()
    seat(game, AMANDA, laid={7: "oopp"}, glazier=7)
    only_left(game, "bo")
    game.play("pick 1 blue place 7 keep orange")
    assert palace(game, AMANDA).points["windows"] == 64


def test_a_window_scores_with_its_first_and_with_its_second_piece() -> None:
    """Step 3c."""
    game = first_round()
    assert palace(game, AMANDA).points["windows"] == 1
    assert palace(second_window(), AMANDA).points["windows"] == 1 + 1


def test_furnished_windows_to_the_right_score_again() -> None:
    """Step 3c: each once, whether it holds one piece or two; neither empty ones nor another player's."""
    game = nearly_complete()
    seat(game, AMANDA, windows={2: "o", 5: "pp", 8: "y"})
    seat(game, BEN, windows={2: "o", 3: "y", 6: "pp"})
    game.play("pick 2 yellow place 1 keep orange")
    assert palace(game, AMANDA).points["windows"] == 1 + 2 + 16 + 128


def test_furnished_windows_to_the_left_do_not_score() -> None:
    """Step 3c: of windows 1, 2, 3 and 6 only 3 and 6 score."""
    game = table("oyyy yyyy pppp bbbb cccc")
    seat(game, AMANDA, windows={1: "o", 2: "pp", 6: "y"}, laid={3: "yyyy"}, glazier=3)
    game.play("pick 1 orange place 3 keep orange")
    assert palace(game, AMANDA).points["windows"] == 4 + 32


def test_the_turn_is_over_after_the_window_has_scored() -> None:
    """Step 3c."""
    game = nearly_complete()
    game.play("pick 2 yellow place 1 keep orange")
    assert (game.player, seen(game).awaits) == (BEN, "pick")


def test_s6_a_complete_strip_is_dealt_with_in_order() -> None:
    """S6: first the bonus; the window is furnished and scores only with the piece that is kept."""
    game = nearly_complete(indicator="obcopy")
    game.play("pick 2 yellow place 1")
    assert (game.scores, strip(game, AMANDA, 1), window(game, AMANDA, 1)) == ([4, 0], "ooooy", "")
    assert (seen(game).tower, sides(game, AMANDA, 1)) == ({}, "ooooy/bbbbc")
    assert game.play("keep yellow") == [Kept(AMANDA, "yellow")]
    assert (game.scores, strip(game, AMANDA, 1), window(game, AMANDA, 1)) == ([5, 0], ".....", "y")
    assert (seen(game).tower, sides(game, AMANDA, 1)) == ({"orange": 4}, "bbbbc/")


def test_s6_a_piece_is_kept_even_from_a_strip_of_one_color() -> None:
    """S6: there is one way only, and it is still the player's step."""
    game = table("oyyy yyyy pppp bbbb cccc", strips=("ooooo/bbbbb", *STRIPS[1:]))
    seat(game, AMANDA, laid={1: "oooo"})
    game.play("pick 1 orange place 1")
    assert (game.player, words(game)) == (AMANDA, ["keep orange"])


def test_which_piece_is_kept_matters_on_side_b_only() -> None:
    """Step 3c, note: two more orange pieces in windows; keeping orange or yellow is 1x3 or 1x2 points."""
    finals = {}
    for side in "AB":
        for kept in ("orange", "yellow"):
            game = nearly_complete(side=side)
            seat(game, AMANDA, windows={3: "oo"})
            game.play("pick 2 yellow place 1", f"keep {kept}")
            only_left(game, "p", turn=BEN, in_round=6)
            play_out(game)
            finals[side, kept] = palace(game, AMANDA).points["side"]
    assert finals["A", "orange"] == finals["A", "yellow"] == 3
    assert (finals["B", "orange"], finals["B", "yellow"]) == (3, 2)


def amanda_completes_a_strip_in_round_3() -> sintra.Game:
    """Round III is yellow; strip 6 lacks an orange piece, and windows 1, 7 and 8 are furnished."""
    game = table(indicator="poybcp", points=(4, 3, 1, 1, 4, 2, 1, 2))
    seat(game, AMANDA, windows={1: "b", 7: "o", 8: "py"}, laid={6: "bbyy"}, glazier=6)
    only_left(game, "oppp", in_round=3)
    game.play("pick 1 orange place 6")
    return game


def test_example_amanda_gains_two_points_for_yellow_in_round_3() -> None:
    """Step 3a, example: her completed strip has two yellow pieces, the color on top of the indicator."""
    game = amanda_completes_a_strip_in_round_3()
    assert seen(game).indicator[game.round - 1] == "yellow"
    assert game.scores == [2, 0]


def test_example_amanda_scores_five_points_for_her_window() -> None:
    """Step 3, example continued: 2 below the window itself, 1 and 2 below those to its right."""
    game = amanda_completes_a_strip_in_round_3()
    dropped = Counter(seen(game).tower)
    game.play("keep yellow")
    assert (game.scores, palace(game, AMANDA).points["windows"]) == ([2 + 5, 0], 5)
    assert window(game, AMANDA, 6) == "y"
    assert Counter(seen(game).tower) - dropped == {"blue": 2, "orange": 1, "yellow": 1}
    assert (sides(game, AMANDA, 6), palace(game, AMANDA).glazier) == ("ppccb/", 6)


# -- B) Move the glazier back ----------------------------------------------------------------


def test_returning_moves_the_glazier_to_the_leftmost_strip_instead_of_picking() -> None:
    """Move your glazier back: then the turn is over, and nothing else has changed."""
    game = table()
    game.play("pick 3 pink place 8", "pick 2 yellow place 3")
    before = seen(game)
    assert game.play("return") == [Returned(AMANDA)]
    after = seen(game)
    assert (before.players[0].glazier, after.players[0].glazier) == (8, 1)
    assert (before.player, after.player) == (AMANDA, BEN)
    assert (after.displays, after.center, after.tower) == (before.displays, before.center, before.tower)
    assert strip(game, AMANDA, 8) == "pppp."
    assert (after.players[0].marker, after.players[0].score, after.players[1]) == (0, 0, before.players[1])


def test_returning_brings_strips_on_the_left_back_into_reach() -> None:
    """Move your glazier back: afterwards strip 1 can be chosen again."""
    game = table()
    game.play("pick 3 pink place 8", "pick 2 yellow place 3", "return", "pick 4 blue place 6")
    game.play("pick 1 orange place 1")
    assert (strip(game, AMANDA, 1), palace(game, AMANDA).marker) == ("oooo.", 0)


def test_s7_return_is_not_allowed_above_the_leftmost_strip() -> None:
    """Move your glazier back and S7: at the start, and with empty slots to the left."""
    refused(table(), "return", "already above the leftmost strip, 1")
    game = table()
    seat(game, AMANDA, windows={1: "bb", 2: "cc"}, glazier=3)
    refused(game, "return", "already above the leftmost strip, 3")


def test_s7_return_never_leads_to_an_empty_slot() -> None:
    """Move your glazier back and S7: slots 1 and 2 are empty, so strip 3 is the leftmost."""
    game = table()
    seat(game, AMANDA, windows={1: "bb", 2: "cc", 4: "yy"}, glazier=6)
    game.play("return")
    assert palace(game, AMANDA).glazier == 3


def test_s7_return_may_lead_to_the_right() -> None:
    """S7: from above the empty slot 1 to strip 2."""
    game = second_window()
    game.play("pick 3 yellow place 1")
    assert (game.player, palace(game, AMANDA).glazier, strip(game, AMANDA, 1)) == (AMANDA, 1, "gone")
    assert "return" in words(game)
    game.play("return")
    assert palace(game, AMANDA).glazier == 2


def test_s7_without_a_strip_there_is_no_return() -> None:
    """S7: all that is left to do is pick, and everything breaks."""
    game = table()
    seat(game, AMANDA, windows=dict.fromkeys(range(1, 9), "bc"), glazier=4)
    refused(game, "return", "no strip is left")
    assert words(game) == ["pick 1 orange", "pick 2 yellow", "pick 3 pink", "pick 4 blue", "pick 5 clear"]
    game.play("pick 1 orange")
    assert (palace(game, AMANDA).marker, palace(game, AMANDA).glazier, game.player) == (4, 4, BEN)


# -- End of the round ------------------------------------------------------------------------


def test_the_round_goes_on_while_a_piece_lies_in_the_center() -> None:
    """End of the round: displays and center have to be empty, both."""
    game = table()
    only_left(game, "op")
    game.play("pick 1 orange place 1")
    assert not any(seen(game).displays)
    assert (game.player, words(game)) == (BEN, ["pick center pink"])
    assert kinds(game.play("pick center pink place 8")) == ["picked", "placed", "round_ended"]


def test_the_top_piece_of_the_indicator_goes_to_the_tower() -> None:
    """End of the round: pink in round I; with it lie Amanda's four pieces and Ben's three broken ones."""
    game = first_round()
    assert seen(game).tower == {"orange": 3, "pink": 1, "yellow": 1 + 3}
    assert game.events[-1] == RoundEnded(1, (1, 0))


def test_the_game_goes_on_until_the_indicator_is_empty() -> None:
    """End of the round: rounds I to V are followed by another, round VI by the end of the game."""
    for number in range(1, 7):
        game = table()
        only_left(game, "p", in_round=number)
        events = game.play("pick 1 pink place 8")
        assert kinds(events[2:]) == (["round_ended"] if number < 6 else ["round_ended", "ended"])
        assert game.over == (number == 6)


def test_a_new_round_refills_all_displays_with_four_pieces_from_the_bag() -> None:
    """End of the round: as in the setup; strips, glaziers and markers stay as they are."""
    game = first_round()
    before = seen(game)
    refused_deal(game, "ooo yyyy pppp bbbb cccc", "while there are more to deal")
    deal(game, "oooo yyyy pppp bbbb cccc")
    after = seen(game)
    assert [sum(pieces.values()) for pieces in after.displays] == [4] * 5
    assert Counter(before.bag) - Counter(after.bag) == dict.fromkeys(COLORS, 4)
    assert (after.tower, after.players, after.round) == (before.tower, before.players, 2)


def test_r2_an_empty_bag_is_refilled_from_the_tower_while_filling() -> None:
    """End of the round and R2: the bag's last two pieces come first, then everything from the tower."""
    game = first_round()
    stock(game, bag="oo", tower="bbbbccccppppyyyyb" + "ppp")
    refused_deal(game, "obbb cccc pppp yyyy oppp", "display 1: there is no blue left in the bag")
    deal(game, "oobb bbcc ccpp ppyy yybp")
    assert (seen(game).bag, seen(game).tower) == ({"pink": 2}, {})


def test_r2_the_tower_stays_as_it_is_while_the_bag_lasts() -> None:
    """R2: no piece of the tower is dealt before the bag is empty, not even when it just suffices."""
    game = first_round()
    stock(game, bag="o" * 20, tower="bbbb")
    refused_deal(game, "oooo oooo oooo oooo ooob", "display 5: there is no blue left")
    deal(game, "oooo oooo oooo oooo oooo")
    assert (seen(game).bag, seen(game).tower) == ({}, {"blue": 4})


def test_r2_displays_stay_short_when_no_piece_is_left_at_all() -> None:
    """End of the round and R2: they are filled in order, and the round is played as usual."""
    game = first_round()
    stock(game, bag="oob", tower="yyy")
    refused_deal(game, "oob yyy - - -", "display 1 has 3 pieces while there are more")
    deal(game, "ooby yy - - -")
    value = seen(game)
    assert value.displays == ({"orange": 2, "blue": 1, "yellow": 1}, {"yellow": 2}, {}, {}, {})
    assert (value.bag, value.tower, value.starting_tile, value.round) == ({}, {}, True, 2)
    assert words(game) == ["pick 1 blue", "pick 1 orange", "pick 1 yellow", "pick 2 yellow", "return"]


def test_r2_holds_for_deals_by_chance() -> None:
    """R2: a seeded game deals the bag's last pieces, then the tower's in any order, then nothing."""
    game = sintra.new(seed=7)
    only_left(game, "p")
    stock(game, bag="oo", tower="bbb")
    while game.round == 1:
        game.play(game.legal()[0])
    dealt = game.events[-1]
    assert isinstance(dealt, Dealt)
    first, second, *rest = dealt.displays
    assert first[:2] == ("orange", "orange")
    assert sorted(first[2:] + second) == sorted(["blue"] * 3 + [seen(game).indicator[0]])
    assert (len(first), rest) == (4, [(), (), ()])


def test_r3_without_a_taker_of_the_tile_the_same_player_starts_again() -> None:
    """R3: five displays of one color; Amanda has the first and the last turn, and the first one again."""
    game = table()
    for steps in ("1 orange place 1", "2 yellow place 3", "3 pink place 8", "4 blue place 6", "5 clear"):
        game.play(f"pick {steps}")
    assert seen(game).starting_tile
    deal(game)
    assert (game.round, game.player) == (2, AMANDA)


def test_s8_the_last_turn_is_played_to_its_end() -> None:
    """S8: no piece is left to pick, but the complete strip comes first, with the color of this round."""
    game = table(indicator="ybcopy")
    seat(game, AMANDA, laid={1: "oooo"})
    only_left(game, "y")
    assert kinds(game.play("pick 1 yellow place 1")) == ["picked", "placed"]
    assert (game.player, game.round, game.scores) == (AMANDA, 1, [1, 0])
    assert seen(game).tower == {}
    assert game.play("keep orange") == [Kept(AMANDA, "orange"), RoundEnded(1, (2, 0))]
    assert seen(game).tower == {"orange": 3, "yellow": 1 + 1}


def test_the_game_ends_after_round_6() -> None:
    """Object of the game, end of the game: nothing can be played or dealt any more."""
    game = ended({"score": 3})
    assert (game.over, game.player, words(game), seen(game).awaits) == (True, None, [], "nothing")
    assert game.events[-1] == Ended((3, 0), (AMANDA,))
    refused(game, "pick 1 pink", "the game is over")
    refused_deal(game, "oooo yyyy pppp bbbb cccc", "the game is over")


POLICIES: dict[str, Callable[[list[str]], str]] = {
    "first": lambda legal: legal[0],
    "last": lambda legal: legal[-1],
    "never returning": lambda legal: [step for step in legal if step != "return"][-1],
    "middle": lambda legal: legal[len(legal) // 2],
}


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("policy", POLICIES)
def test_r6_a_game_of_sintra_always_ends_after_six_rounds(players: int, policy: str) -> None:
    """R6: however it is played, also when everybody returns as often as possible; it needs no limit."""
    game = sintra.new(players=players, seed=6)
    while not game.over:
        assert len(game.events) < 2000
        game.play(POLICIES[policy](words(game)))
    ends = [event for event in game.events if isinstance(event, RoundEnded)]
    assert [event.round for event in ends] == [1, 2, 3, 4, 5, 6]
    assert kinds(game.events).count("ended") == 1


@pytest.mark.parametrize(
    ("laid", "points"),
    [
        ({}, 0),
        ({1: "oo"}, 0),
        ({1: "ooo"}, 1),
        ({1: "oo", 2: "bb", 8: "p"}, 1),
        ({1: "oo", 2: "bb", 8: "pp"}, 2),
    ],
)
def test_every_three_pieces_left_on_strips_are_a_point(laid: dict[int, str], points: int) -> None:
    """Final scoring 1 and S9: those on all strips are counted together, and those in windows are not."""
    game = ended({"laid": laid, "windows": {4: "yy", 5: "o"}})
    assert palace(game, AMANDA).points["left"] == points


@pytest.mark.parametrize("marker", range(8))
def test_the_points_at_the_marker_are_lost(marker: int) -> None:
    """Final scoring 2: once, those of its own space, and not those passed on the way."""
    game = ended({"marker": marker, "score": 30})
    assert (game.scores, palace(game, AMANDA).lost) == ([30 + TRACK[marker], 0], -TRACK[marker])


def test_example_amanda_has_seven_pieces_left() -> None:
    """Final scoring 1, example: two points."""
    assert ended({"laid": {1: "ooo", 3: "yy", 8: "pp"}}).scores == [2, 0]


def test_example_amanda_loses_eight_points() -> None:
    """Final scoring 2, example: her marker's space shows -8."""
    game = ended({"marker": 5, "score": 40})
    assert (seen(game).broken[5], game.scores) == (-8, [32, 0])


@pytest.mark.parametrize(
    ("windows", "points"),
    [
        ({}, 0),
        ({1: "o"}, 0),
        ({1: "o", 2: "y"}, 3),
        ({1: "oo"}, 3),
        ({1: "o", 2: "yy"}, 6),
        ({1: "oo", 2: "yy"}, 10),
    ],
)
def test_side_a_an_ornament_scores_by_the_pieces_around_it(windows: dict[int, str], points: int) -> None:
    """Side A: 10, 6 or 3 points for four, three or two pieces, of whatever colors; nothing for fewer."""
    game = ended({"windows": windows})
    assert (palace(game, AMANDA).points["side"], game.scores) == (points, [points, 0])


@pytest.mark.parametrize("first", [1, 3, 5, 7])
def test_s11_ornaments_stand_between_windows_1_2_and_3_4_and_5_6_and_7_8(first: int) -> None:
    """Side A and S11: the windows of such a pair belong together, and neighbors of two pairs do not."""
    assert palace(ended({"windows": {first: "o", first + 1: "o"}}), AMANDA).points["side"] == 3
    if first > 1:
        assert palace(ended({"windows": {first - 1: "o", first: "o"}}), AMANDA).points["side"] == 0


def test_example_amanda_gains_23_points_on_side_a() -> None:
    """Side A, example: four pieces around the first two ornaments, two around the last."""
    game = ended({"windows": {1: "oo", 2: "bb", 3: "yy", 4: "cc", 7: "p", 8: "o"}})
    assert (palace(game, AMANDA).points["side"], game.scores) == (23, [23, 0])


@pytest.mark.parametrize(
    ("windows", "points"),
    [
        ({1: "o", 2: "o", 3: "o"}, 0),
        ({1: "oy"}, 1),
        ({1: "oy", 2: "o", 5: "o"}, 1 * 3),
        ({1: "oy", 2: "py", 3: "o"}, 2 * 2),
        ({1: "bb", 2: "bb", 3: "bb", 4: "b"}, 3 * 7),
    ],
)
def test_side_b_multiplies_complete_windows_by_one_color(windows: dict[int, str], points: int) -> None:
    """Side B: pieces in incomplete windows count for the color, their windows do not count as complete."""
    game = ended({"windows": windows}, side="B")
    assert (palace(game, AMANDA).points["side"], game.scores) == (points, [points, 0])


def test_s9_side_b_takes_the_best_color_by_itself() -> None:
    """Side B and S9: whichever color that is; only one of them counts."""
    for letter, other in ("bc", "cb", "ob", "pb", "yb"):
        game = ended({"windows": {1: letter + other, 2: letter * 2, 3: other}}, side="B")
        assert palace(game, AMANDA).points["side"] == 2 * 3


def test_example_amanda_gains_20_points_on_side_b() -> None:
    """Side B, example: four complete windows, and five orange pieces in all."""
    game = ended({"windows": {1: "oo", 2: "ob", 3: "oy", 5: "cb", 6: "o"}}, side="B")
    assert (palace(game, AMANDA).points["side"], game.scores) == (20, [20, 0])


@pytest.mark.parametrize(("side", "points"), [("A", 10), ("B", 2 * 3)])
def test_only_the_side_that_was_used_scores(side: str, points: int) -> None:
    """Setup 3, final scoring 3: the same palace on either side."""
    game = ended({"windows": {1: "oo", 2: "ob"}}, side=side)
    assert (palace(game, AMANDA).points["side"], game.scores) == (points, [points, 0])


def test_s9_final_scoring_goes_in_order() -> None:
    """S9: pieces left, broken glass, side; with the house rule, the order shows in the score."""
    three_left = {"laid": {3: "yyy"}}
    assert ended({**three_left, "marker": 1}, floor_at_zero=True).scores == [0, 0]
    game = ended({**three_left, "marker": 5, "windows": {1: "oo", 2: "bb"}}, floor_at_zero=True)
    assert game.scores == [10, 0]
    assert palace(game, AMANDA).points == {"bonus": 0, "windows": 0, "broken": -1, "left": 1, "side": 10}


def test_every_player_is_scored_at_the_end() -> None:
    """Final scoring: Ben as well; the last piece that he lays makes his third."""
    game = ended({"score": 9}, {"laid": {1: "oo"}, "marker": 2, "windows": {7: "pp", 8: "cc"}})
    assert palace(game, BEN).points == {"bonus": 0, "windows": 0, "broken": -2, "left": 1, "side": 10}
    assert game.scores == [9, 9]


@pytest.mark.parametrize(("amanda", "ben", "winner"), [(11, 10, AMANDA), (10, 11, BEN), (-3, -2, BEN)])
def test_the_most_points_win(amanda: int, ben: int, winner: int) -> None:
    """Object of the game, end of the game: points lost on the way do not matter, and nobody wins before."""
    assert first_round().winners == []
    game = ended({"score": amanda + 4, "marker": 3}, {"score": ben + 14, "marker": 7})
    assert (game.winners, game.events[-1]) == ([winner], Ended((amanda, ben), (winner,)))


@pytest.mark.parametrize(("amanda", "ben", "winner"), [(3, 0, BEN), (2, 5, AMANDA)])
def test_a_tie_goes_to_who_lost_fewer_points_on_the_track(amanda: int, ben: int, winner: int) -> None:
    """End of the game: equal scores, and markers on different spaces."""
    seats = [{"score": 20 - TRACK[marker], "marker": marker} for marker in (amanda, ben)]
    game = ended(*seats)
    assert (game.scores, game.winners) == ([20, 20], [winner])


def test_victory_is_shared_when_nothing_breaks_the_tie() -> None:
    """End of the game: by all of those, and by nobody else."""
    game = ended({"score": 12, "marker": 3}, {"score": 12, "marker": 3}, players=3)
    assert (game.scores, game.winners) == ([8, 8, 0], [AMANDA, BEN])
    assert game.events[-1] == Ended((8, 8, 0), (AMANDA, BEN))


@pytest.mark.parametrize("floor_at_zero", [False, True])
def test_s10_the_18_points_lost_during_the_game_count_in_a_tie(floor_at_zero: bool) -> None:
    """S10: Amanda lost 18, in full even where the house rule softened it; Ben lost 1 for the tile."""
    game = table(floor_at_zero=floor_at_zero)
    seat(game, AMANDA, marker=7, score=0 if floor_at_zero else 18, glazier=8)
    seat(game, BEN, score=1)
    only_left(game, "oy", in_round=6)
    game.play("pick 1 orange", "pick center yellow place 1")
    assert [player.lost for player in seen(game).players] == [18, 1]
    assert (game.scores, game.winners) == ([0, 0], [BEN])


def test_every_ruling_has_a_test() -> None:
    """Rulings R1 to R6 and S1 to S12."""
    tests = [name for name in globals() if name.startswith("test_")]
    for ruling in EVERY_GAME + RULINGS:
        assert any(name.startswith(f"test_{ruling.number.lower()}_") for name in tests), ruling.number
