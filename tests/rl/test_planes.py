"""Planes say what lies on the table, and nothing else."""

from __future__ import annotations

from itertools import permutations
from math import prod
from pathlib import Path
from typing import Any

import pytest

import sintra
from scripts.fixtures import FIXTURES
from sintra import catalog
from sintra.fold import Fold
from tests.kit.planes import expected

np = pytest.importorskip("numpy")
observer = pytest.importorskip("sintra.rules.observer")

from sintra.rl.kind import Kind  # noqa: E402

LOGS = sorted((FIXTURES / "games").glob("*.log"))


def painted(kind: Kind, state: Any, seat: int) -> Any:
    cells = observer.small_numbers(prod(kind.shape))
    for at in range(len(cells)):
        cells[at] = 77  # whatever was there before
    kind.observer.lay_out(state, cells, 0)
    kind.observer.paint(state, seat, cells, 0)
    return np.frombuffer(cells, np.uint8).reshape(kind.shape).copy()


def kind_of(game: sintra.Game) -> Kind:
    return Kind(game.rules.name, len(game.players), game.created.options)


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_planes_and_masks_agree_with_the_state_after_every_event(path: Path) -> None:
    whole = sintra.load(path)
    kind = kind_of(whole)
    assert kind.planes is not None
    names = kind.planes.names(kind.players)
    fold = Fold(whole.rules, whole.created)
    for number, event in enumerate(whole.events[1:]):
        fold.take(event)
        state = fold.state
        viewer = state.player if number % 3 else number % kind.players
        want = expected(whole.rules.snapshot(state), viewer)
        assert sorted(want) == sorted(names)
        for name, grid in zip(names, painted(kind, state, viewer), strict=True):
            assert (grid == want[name]).all(), (number, name)
        mask = observer.small_numbers(kind.width)
        kind.observer.mark(state, mask, 0)
        assert [code for code in range(kind.width) if mask[code]] == state.legal()


def midway(rules: str, players: int, steps: int = 90, **options: Any) -> sintra.Game:
    game = sintra.new(rules, players, seed=5, **options)
    for number in range(steps):
        legal = game.legal()
        if legal:
            game.play(legal[number * 7 % len(legal)])
    return game


@pytest.mark.parametrize("rules", ["azul", "crystal", "sintra"])
def test_permuting_the_seats_permutes_the_planes(rules: str) -> None:
    game = midway(rules, 4)
    kind = kind_of(game)
    assert kind.planes is not None
    table, own = len(kind.planes.table), len(kind.planes.player)
    before = painted(kind, game.live, 0)
    boards = "palaces" if rules == "sintra" else "boards"
    for order in permutations(range(4)):
        state: Any = game.live
        setattr(state, boards, [getattr(state, boards)[seat] for seat in order])
        state.player, state.starter = order.index(state.player), order.index(state.starter)
        after = painted(kind, state, 0)
        assert (after[:table] == before[:table]).all()
        for place, seat in enumerate(order):
            block = after[table + place * own : table + (place + 1) * own]
            assert (block == before[table + seat * own : table + (seat + 1) * own]).all()


@pytest.mark.parametrize("rules", ["azul", "crystal", "sintra"])
def test_the_player_who_looks_comes_first(rules: str) -> None:
    game = midway(rules, 3)
    kind = kind_of(game)
    assert kind.planes is not None
    table, own = len(kind.planes.table), len(kind.planes.player)
    for seat in range(3):
        seen = painted(kind, game.live, seat)
        assert (
            seen[table + own :] == painted(kind, game.live, (seat + 1) % 3)[table : table + 2 * own]
        ).all()


@pytest.mark.parametrize("rules", ["azul", "crystal", "sintra"])
def test_a_bag_that_is_shuffled_anew_changes_nothing_that_is_seen(rules: str) -> None:
    game = midway(rules, 2, 20)
    kind = kind_of(game)
    other = game.fork(seed=99)
    deals = 0
    while not game.over and deals == 0:
        assert (painted(kind, game.live, 0) == painted(kind, other.live, 0)).all()
        step = game.legal()[0]
        deals = game.round
        game.play(step)
        other.play(step)
        deals = game.round - deals
    assert game.state.displays != other.state.displays  # the seeds did matter


def test_boards_of_a_game_have_the_same_planes() -> None:
    for name in catalog.BUILT_IN:
        rules = catalog.find(name)
        sides = next(option.values for option in rules.options if option.name == "side")
        assert len({Kind(name, 3, {"side": side}).shape for side in sides}) == 1


def test_numbers_that_exceed_a_byte_count_as_255() -> None:
    game = midway("azul", 2)
    kind = kind_of(game)
    assert kind.planes is not None
    state: Any = game.live
    state.boards[0].score = 300
    seen = dict(zip(kind.planes.names(2), painted(kind, state, 0), strict=True))
    assert (seen["mover score"] == 255).all()
