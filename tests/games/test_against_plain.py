"""The engine beside second, plain implementations, over random games: legal steps, scores, winners.

`make compare` plays many more games than `make test`.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import msgspec
import pytest

import sintra
from sintra import catalog
from sintra.games.azul.player import FLOOR_SPACES
from sintra.games.azul.rules import AzulState
from sintra.games.sintra.rules import SintraState
from sintra.log.events import Event
from sintra.rules.chance import Chance
from sintra.rules.state import CHOICE, OVER, State
from sintra.testing import all_options
from tests.kit.bots import BOTS
from tests.kit.plain_azul import PlainAzul
from tests.kit.plain_sintra import PlainSintra

PLAIN: dict[str, type[PlainSintra] | type[PlainAzul]] = {
    "sintra": PlainSintra,
    "azul": PlainAzul,
    "crystal": PlainAzul,
}
BOARDS = [(rules, options) for rules in PLAIN for options in all_options(catalog.find(rules))]
ROUNDS = 25
"""Games that the rules alone do not end are left here (R6)."""

GAMES = int(os.environ.get("SINTRA_GAMES", "45"))
"""Games for each side of the boards; its house rules share them."""


def as_json(event: Event) -> dict[str, Any]:
    """An event as any program reads it from the log."""
    value: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(event))
    return value


def told_apart(options: dict[str, Any]) -> str:
    return "-".join(map(str, options.values()))


def follow(plain: PlainSintra | PlainAzul, event: Event) -> None:
    """Let the plain implementation take what chance or the rules did, comparing what it computes itself."""
    line = as_json(event)
    kind = line.pop("type")
    if kind == "dealt":
        plain.deal(line)
    elif kind == "round_ended":
        assert plain.round_is_over
        assert plain.end_round() == line
    else:
        assert kind == "ended"
        assert plain.game_is_over
        assert plain.finish() == line


def compare_game(rules: str, options: dict[str, Any], players: int, bot: str, seed: int) -> Counter[str]:
    """Play one game on both, comparing at every step; returns what happened in it, counted."""
    game = sintra.new(rules, players, seed=seed, **options)
    created, arranged = map(as_json, game.events[:2])
    plain = PLAIN[rules](created, arranged)
    follow(plain, game.events[2])
    choose = Chance(seed).stream("bot 1")
    state = game._fold.state
    state.effects = []
    seen: Counter[str] = Counter()
    while not game.over and game.round <= ROUNDS:
        assert sorted(str(step) for step in game.legal()) == sorted(plain.legal())
        assert (plain.player, plain.round) == (game.player, game.round)
        step = game.rules.steps[BOTS[bot](state, choose)]
        seen += rare(state, step.words)
        events = game.play(step)
        plain.play(step.words)
        for event in events[1:]:
            follow(plain, event)
        assert plain.breakdown() == state.breakdown()
        assert plain.pieces() == dict.fromkeys(game.rules.colors, 20)
        assert state.census() == [20] * 5
        assert state.phase >= CHOICE or state.phase == OVER
    seen.update(game.rules.effects[effect[0]].name for effect in state.effects)
    if game.over:
        tied = game.scores.count(max(game.scores)) > 1
        seen["shared victory" if len(game.winners) > 1 else "tie broken" if tied else "victory"] += 1
    return seen


def rare(state: State, words: str) -> Counter[str]:
    """What is worth counting about a step before it is taken."""
    if isinstance(state, SintraState):
        palace = state.palaces[state.player]
        return Counter({"return to the right": words == "return" and palace.leftmost > palace.glazier})
    assert isinstance(state, AzulState)
    full = state.boards[state.player].floored == FLOOR_SPACES
    return Counter({"tile on a full floor": full and state.offer.tile and words.startswith("pick center")})


EXPECTED = {
    ("sintra", "any"): {"lost", "broke"},
    ("sintra", "fitting"): {"furnished", "flipped", "removed", "refilled", "glazier_moved", "bonus"},
    ("sintra", "clumsy"): {"lost"},
    ("azul", "any"): {"fell", "tiled", "floor_lost", "refilled"},
    ("azul", "fitting"): {"tiled", "rows_scored", "refilled", "victory"},
    ("azul", "clumsy"): {"discarded", "refilled"},
}
"""What the games of a player must reach, so that the comparison means something."""


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(
    ("rules", "options"), BOARDS, ids=lambda value: value if isinstance(value, str) else told_apart(value)
)
def test_engine_and_plain_implementation_agree(
    rules: str, options: dict[str, Any], players: int, bot: str
) -> None:
    sharing = sum(other["side"] == options["side"] for known, other in BOARDS if known == rules)
    seen: Counter[str] = Counter()
    for seed in range(-(-GAMES // (9 * sharing))):  # three numbers of players, three ways to play
        seen += compare_game(rules, options, players, bot, seed)
    expected = EXPECTED["sintra" if rules == "sintra" else "azul", bot]
    assert expected <= seen.keys(), expected - seen.keys()
