"""The compiled build beside the source: the same legal lists, the same games, the same bytes.

Both are this package; `SINTRA_PURE=1` has the source run where the rules are compiled. `make unit-compiled`
runs these tests on the compiled build; in an interpreted one there is nothing to compare, and they skip.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import pytest

import sintra
from sintra import catalog
from sintra.batch.selfplay import play_out
from sintra.bots.names import BOTS, find
from sintra.bots.search import play_turn
from sintra.bots.strong import searching
from sintra.errors import UsageError
from sintra.log.events import OptionValue
from sintra.rules.chance import Chance, Stream
from sintra.rules.state import CHOICE, State
from sintra.testing import all_options

GAMES = int(os.environ.get("SINTRA_GAMES", "30"))
"""For every board and number of players; SINTRA_GAMES=2000 plays thousands."""
ROUNDS = 12

SETUP = ast.parse((Path(__file__).parents[1] / "setup.py").read_text())
COMPILED = [
    path.removesuffix(".py").replace("/", ".")
    for node in SETUP.body
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "COMPILED"
    for path in ast.literal_eval(node.value)
]
"""The modules that setup.py compiles."""

compiled_only = pytest.mark.skipif(catalog.build() == "interpreted", reason="the rules are not compiled here")


def fingerprint(rules: str, games: int) -> str:
    """All logs of some games, and all that was legal in them, as one sum."""
    total = hashlib.sha256()
    found = catalog.find(rules)
    for options in all_options(found):
        for players in found.players:
            for seed in range(games):
                total.update(played(rules, players, seed, options).encode())
    return total.hexdigest()


def played(rules: str, players: int, seed: int, options: dict[str, OptionValue]) -> str:
    """The log of a game at random, with the legal codes at every step and the effects of all of them."""
    game = sintra.Game.new(catalog.find(rules), players, seed=seed, options=options)
    stream = Chance(seed).stream("bot 1")
    told = []
    while not game.over and game.round <= ROUNDS:
        state = game.live
        legal = state.legal()
        code = legal[stream.below(len(legal))]
        state.effects = []
        state.play(code)
        told.append(
            f"{legal} {state.effects} {state.worth(state.player)} {state.census()} {state.breakdown()}"
        )
        game.play(game.rules.steps[code])
    return "\n".join([*told, game.dumps()])


def in_the_source(wanted: str) -> str:
    """The sum that an expression gives in a process that runs the source."""
    code = f"from tests.test_compiled import *; print(catalog.build(), {wanted})"
    env = {**os.environ, "SINTRA_PURE": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    build, total = done.stdout.split()
    assert build == "interpreted"
    return total


@compiled_only
@pytest.mark.parametrize("rules", catalog.BUILT_IN)
def test_compiled_rules_are_the_source(rules: str) -> None:
    assert fingerprint(rules, GAMES) == in_the_source(f"fingerprint({rules!r}, {GAMES})")


def thoughts() -> str:
    """What the search makes of positions on every board, for two to four players, as one sum."""
    total = hashlib.sha256()
    for rules in catalog.BUILT_IN:
        found = catalog.find(rules)
        for options in all_options(found):
            for players in found.players:
                state = sintra.Game.new(found, players, seed=players, options=options).live
                for _ in range(3):
                    search = searching(state)
                    lines = search.run(state, 400, 2)
                    total.update(f"{[(line.turn, line.value) for line in lines]} {search.depth}".encode())
                    play_turn(state, lines[0].turn)
    return total.hexdigest()


@compiled_only
def test_compiled_thoughts_are_the_same() -> None:
    """By nodes, the same turns have the same values in both builds."""
    assert thoughts() == in_the_source("thoughts()")


@compiled_only
def test_everything_that_is_listed_is_compiled() -> None:
    for module in COMPILED:
        assert str(import_module(module).__file__).endswith(".so"), module


@pytest.mark.parametrize("rules", catalog.BUILT_IN)
@pytest.mark.parametrize("bot", ["random", "greedy", "strong:nodes=10"])
def test_a_game_played_out_by_codes_is_the_game_of_its_log(rules: str, bot: str) -> None:
    """`play_out` is the fast way; a Game that plays the same steps comes to the same end."""
    found = catalog.find(rules)
    for options in all_options(found):
        game = sintra.Game.new(found, 2, seed=9, options=options)
        state = found.start(options, 2)
        state.arrange(game.events[1])
        chosen: list[int] = []
        turns = play_out(state, Chance(9), [find(bot)] * 2, ROUNDS, chosen)
        for code in chosen:
            game.play(found.steps[code])
        assert (state.scores(), state.breakdown()) == (game.scores, game.live.breakdown())
        assert 0 < turns <= len(chosen)


def test_a_choice_of_the_first_kind_begins_a_turn() -> None:
    state = sintra.new(seed=1).live
    assert state.phase == CHOICE
    state.play(state.legal()[0])
    assert state.phase > CHOICE


def last_step(state: State, stream: Stream) -> int:
    return state.legal()[-1]


def no_step(state: State, stream: Stream) -> Any:
    return "none"


def test_a_bot_of_ones_own_plays_in_either_build() -> None:
    game = sintra.new("azul", seed=9)
    state = game.live
    bots = [find(f"{__name__}:last_step"), BOTS["random"]]
    assert play_out(state, Chance(9), bots, ROUNDS) > 0
    with pytest.raises(UsageError, match="no_step returned 'none', not a legal step"):
        play_out(game.live, Chance(9), [find(f"{__name__}:no_step")] * 2, ROUNDS)
    with pytest.raises(UsageError, match="builtins:len failed: TypeError"):
        play_out(game.live, Chance(9), [find("builtins:len")] * 2, ROUNDS)


# -- Help --


def public() -> Iterator[tuple[str, Any]]:
    """All that the library exports, and what its classes have."""
    for name in sintra.__all__:
        thing = getattr(sintra, name)
        if callable(thing):
            yield name, thing
    for kind in (sintra.Game, State, Chance, Stream):
        for name, thing in vars(kind).items():
            if not name.startswith("_") and (callable(thing) or kind is sintra.Game):
                yield f"{kind.__name__}.{name}", getattr(kind, name)


def test_every_public_name_has_its_docstring_and_signature() -> None:
    """`help(sintra.Game.play)` says what it does, compiled or not."""
    for name, thing in public():
        assert inspect.getdoc(thing), name
        if callable(thing) and not (isinstance(thing, type) and issubclass(thing, Exception | Protocol)):
            inspect.signature(thing)
    assert list(inspect.signature(sintra.Game.undo).parameters) == ["self", "steps"]
    assert (sintra.Game.play.__doc__ or "").startswith("Play steps, given as text or as returned by `legal`")
    assert sintra.Game.round.__doc__ == "The number of the round."
