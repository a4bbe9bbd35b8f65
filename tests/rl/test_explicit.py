"""Games in which chance is a player: every draw is a choice, and the log has them all."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

import sintra
from sintra.errors import UsageError
from tests.rl.test_vector import BOARDS

np = pytest.importorskip("numpy")
pytest.importorskip("sintra.rules.observer")

from sintra.rl.explicit import Position  # noqa: E402
from sintra.rl.kind import Kind  # noqa: E402


def played(kind: Kind, seed: int) -> Position:
    chance = np.random.default_rng(seed)
    position = Position(kind)
    while not position.over:
        if position.odds:
            actions, odds = zip(*position.odds, strict=True)
            assert sum(odds) == pytest.approx(1)
            position.play(int(chance.choice(actions, p=odds)))
        else:
            position.play(int(chance.choice(position.legal())))
    return position


@pytest.mark.parametrize(("rules", "options"), BOARDS)
def test_a_game_with_explicit_chance_is_a_game_at_a_real_table(rules: str, options: dict[str, Any]) -> None:
    position = played(Kind(rules, 3, options), 1)
    game = position.game()
    assert game.over
    assert game.created.chance == "table"
    assert sintra.loads(game.dumps()).scores == position.state.scores()
    assert [seat + 1 for seat in range(3) if position.returns()[seat]] == game.winners


def test_a_piece_is_drawn_as_often_as_the_bag_holds_it() -> None:
    position = Position(Kind("azul", 2, {}))
    assert position.odds == [(color, 0.2) for color in range(5)]
    position.play(3)
    odds = dict(position.odds)
    assert odds[3] == pytest.approx(19 / 99)
    assert odds[0] == pytest.approx(20 / 99)
    assert position.words(3) == "black"


def test_a_copy_goes_its_own_way() -> None:
    position = Position(Kind("sintra", 2, {}))
    with pytest.raises(UsageError, match="not laid out"):
        position.game()
    assert len(position.odds) == 5  # the colors of rounds II to VI come first
    copy = deepcopy(position)
    copy.play(0)
    assert (position.drawn, copy.drawn) == ([], [0])
    assert copy.words(1) == "1"


def test_a_game_whose_rounds_are_used_up_is_shared() -> None:
    position = played(Kind("azul", 4, {}, max_rounds=1), 2)
    assert position.returns() == [0.25] * 4
    assert not position.game().over
