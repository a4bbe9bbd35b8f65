"""Computer players: legal, deterministic, for any rule-set, and greedy better than random."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from sintra import catalog
from sintra.bots import BOTS, choose
from sintra.chance import Chance
from sintra.game import Game
from sintra.rules import OVER, RuleSet

BOARDS = [
    ("sintra", "A"),
    ("sintra", "B"),
    ("azul", "colored"),
    ("azul", "gray"),
    ("crystal", "1"),
    ("crystal", "2"),
]
ROUNDS = 20
"""Where rules may never end a game (R6), it ends here."""


def game_of(rules: RuleSet, side: str | None, bots: Sequence[str], seed: int) -> Game:
    """A game that bots have played; every choice is checked to be a legal one."""
    game = Game.new(rules, len(bots), seed=seed, options={"side": side} if side else {})
    chance = Chance(seed)
    while game.player is not None and game.round <= ROUNDS:
        code = choose(BOTS[bots[game.player - 1]], game.live, chance, len(game.events))
        step = rules.steps[code]
        assert step in game.legal()
        game.play(step)
    return game


def wins(rules: RuleSet, side: str | None, games: int) -> int:
    """How many games of two greedy wins alone against random, from both seats."""
    won = 0
    for seed in range(games):
        seats = ("greedy", "random") if seed % 2 == 0 else ("random", "greedy")
        game = game_of(rules, side, seats, seed)
        own, other = game.scores[seats.index("greedy")], game.scores[seats.index("random")]
        won += own > other
    return won


@pytest.mark.parametrize(("name", "side"), BOARDS)
def test_greedy_beats_random(name: str, side: str) -> None:
    assert wins(catalog.find(name), side, 20) >= 19


def test_greedy_beats_random_in_a_plug_in(harbor: RuleSet) -> None:
    assert wins(harbor, None, 20) >= 19


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize(("name", "side"), BOARDS)
def test_the_same_seed_gives_the_same_game(bot: str, name: str, side: str) -> None:
    rules = catalog.find(name)
    bots = [bot, "greedy", bot]
    assert game_of(rules, side, bots, 7).dumps() == game_of(rules, side, bots, 7).dumps()


def test_a_choice_depends_on_seat_and_number_of_events() -> None:
    game = Game.new(catalog.find("sintra"), 2, seed=1)
    state = game.live
    drawn = {choose(BOTS["random"], state, Chance(1), events) for events in range(40)}
    assert len(drawn) > 5
    assert drawn <= set(state.legal())
    assert choose(BOTS["random"], state, Chance(1), 9) == choose(BOTS["random"], state, Chance(1), 9)


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_leaves_the_state_alone(bot: str) -> None:
    game = Game.new(catalog.find("azul"), 4, seed=3, options={"side": "gray"})
    for _ in range(60):
        state = game.live
        before = state.value()
        code = choose(BOTS[bot], state, Chance(3), 0)
        assert state.value() == before
        game.play(game.rules.steps[code])


@pytest.mark.parametrize(("name", "side"), BOARDS)
def test_in_the_end_worth_is_the_score(name: str, side: str) -> None:
    game = game_of(catalog.find(name), side, ["greedy"] * 4, 5)
    state = game.live
    if state.phase == OVER:
        ranks = sorted(range(4), key=state.worth)
        assert [game.scores[player] for player in ranks] == sorted(game.scores)


def test_greedy_takes_the_better_end_of_its_turn() -> None:
    game = Game.new(catalog.find("azul"), 2, seed=2)
    chance = Chance(2)
    state = game.live
    code = choose(BOTS["greedy"], state, chance, 0)
    state.play(code)
    state.play(choose(BOTS["greedy"], state, chance, 1))
    best = state.worth(0)
    for pick in game.live.legal():
        tried = game.live
        tried.play(pick)
        for place in tried.legal():
            end = tried.copy()
            end.play(place)
            assert end.worth(0) <= best
