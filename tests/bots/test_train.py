"""Training and measuring: what is learned is what is played, and a stopped match goes on."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from sintra import catalog
from sintra.bots.search import Search, lead, result_for
from sintra.bots.weights import read, tables_of, weights_for
from sintra.rules.chance import Chance
from sintra.rules.estimates import Estimate
from sintra.rules.state import ROUND_END
from tests.bots.test_bots import BOARDS

np = pytest.importorskip("numpy")

from scripts import strength, train  # noqa: E402 - they need numpy


def table_of(name: str, side: str, players: int) -> train.Table:
    options = {option.name: option.default for option in catalog.find(name).options} | {"side": side}
    return train.Table(name, options, players)


@pytest.mark.parametrize(("name", "side"), BOARDS)
def test_features_weigh_what_is_estimated(name: str, side: str) -> None:
    """A position's features with their weights give the estimate that the search uses, in every phase.

    What it remembers of other positions makes no difference.
    """
    table = table_of(name, side, 3)
    weights = weights_for(table.board, 3)
    state = table.start(Chance(3))
    state.deal_from(Chance(3).stream("displays 1"))
    stream = Chance(3).stream("bot 1")
    size = max(part.first + part.rows * part.width for part in tables_of(table.board))
    assert len(weights) == table.size == size
    remembering = Estimate(weights)
    for _ in range(60):
        sample = train.sample(state, 0, [0] * table.size)
        estimates = state.estimates(Estimate(weights))
        assert train.estimated(sample, np.array(weights)) == estimates
        assert state.estimates(remembering) == state.estimates(remembering) == estimates
        if state.phase == ROUND_END:
            break
        state.play(state.choose_any(stream))


def test_outcomes_differ_by_the_result() -> None:
    table = table_of("azul", "colored", 2)
    search = Search(weights_for("azul-colored", 2))
    state = table.play(1, [search, search], 5)
    first, second = train.outcomes(state)
    assert first - second == result_for(state, 0) == -result_for(state, 1)
    assert lead([3, 9, 5], 1) == 4
    assert lead([3, 9, 5], 0) == -6


def test_the_gate_asks_for_proof() -> None:
    even = [0.5, 0.0, 1.0, 0.5] * 20
    assert train.likelihood(even, 0.5) < 0
    assert train.likelihood([0.5, 1.0, 1.0, 0.5] * 20, 0.5) > train.DECIDED
    assert train.likelihood([0.5, 0.0, 0.0, 0.5] * 20, 0.5) < -train.DECIDED


def test_weights_are_written_if_they_are_accepted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    args = {
        "rules": "azul",
        "side": "colored",
        "players": 2,
        "games": 6,
        "generations": 1,
        "nodes": 5,
        "fresh": True,
        "start": None,
        "keep": 3,
        "pairs": 2,
    }
    verdicts = set()
    for seed in range(1, 6):
        path = tmp_path / str(seed) / "azul-colored-2.json"
        train.train(argparse.Namespace(**args | {"seed": seed, "out": str(path.parent)}))
        accepted = capsys.readouterr().out.endswith("accepted\n")
        verdicts.add(accepted)
        assert path.exists() == accepted
        if accepted:
            learned = read(str(path), "azul-colored")
            assert f"seed {seed}, generation 1, 6 games, 5 nodes a turn" in learned.source
            assert any(learned.flat())
    assert True in verdicts


def test_a_stopped_match_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength, "RESULTS", tmp_path / "strength.json")
    match = strength.Match("Sintra A", 3, "greedy", "random", 2)
    strength.run([match])
    first = strength.load()
    strength.run([match._replace(deals=3)])
    shares = strength.load()[match.name]
    assert shares[:2] == first[match.name]
    assert shares[2] == match.play(strength.FIRST_SEED + 2)
    assert sum(shares) > 2


def test_intervals() -> None:
    assert strength.interval([1.0] * 30) == (1.0, 0.9, 1.0)
    mean, low, high = strength.interval([0.5, 1.0] * 50)
    assert (mean, round(low, 2), round(high, 2)) == (0.75, 0.70, 0.80)


def test_a_search_for_comparison_plays() -> None:
    match = strength.Match("Azul", 2, "mcts:time=0.002", "random", 1)
    assert 0 <= match.play(1) <= 1
