"""The batch: the same games as one by one, in one process or several, and nothing of the future."""

from __future__ import annotations

from typing import Any

import pytest

import sintra
from sintra.errors import IllegalStep, UnknownRules, UsageError

np = pytest.importorskip("numpy")
pytest.importorskip("sintra.rules.observer")

import sintra.rl  # noqa: E402

ARRAYS = ("planes", "masks", "movers", "rewards", "ended", "truncated")
BOARDS: list[tuple[str, dict[str, Any]]] = [
    *(("azul", {"side": side}) for side in ("colored", "gray")),
    *(("crystal", {"side": side}) for side in ("1", "2")),
    *(("sintra", {"side": side}) for side in ("A", "B")),
]


def play(batch: Any, steps: int, seed: int = 1) -> None:
    chance = np.random.default_rng(seed)
    for _ in range(steps):
        batch.step(batch.sample(chance))


@pytest.mark.parametrize(("rules", "options"), BOARDS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_episode_is_a_game_that_verifies(
    rules: str, options: dict[str, Any], players: int, tmp_path: Any
) -> None:
    batch = sintra.rl.vector(rules, 2, players, seed=3, keep=True, planes=False, **options)
    chance = np.random.default_rng(1)
    while not batch.ended.any():
        batch.step(batch.sample(chance))
    games = batch.episodes()
    assert len(games) == batch.ended.sum()
    assert batch.episodes() == []
    for number, game in enumerate(games):
        assert game.over
        assert (game.rules.name, len(game.players)) == (rules, players)
        game.save(tmp_path / f"{number}.log")
    assert all(one.ok for one in sintra.verify(tmp_path, deals=True))


def test_rewards_are_shares_of_the_victory_or_margins() -> None:
    shares = sintra.rl.vector("azul", 8, 3, seed=8, keep=True, planes=False)
    margins = sintra.rl.vector("azul", 8, 3, seed=8, reward="margin", planes=False)
    chance = np.random.default_rng(2)
    seen = 0
    for _ in range(300):
        codes = shares.sample(chance)
        rewards, done = shares.step(codes)
        points, _ = margins.step(codes)
        assert (rewards[~done] == 0).all()
        assert (rewards[shares.ended].sum(axis=1) == pytest.approx(1)) if shares.ended.any() else True
        for at in np.flatnonzero(shares.ended):
            game = shares.episodes()[0] if shares.ended.sum() == 1 else None
            if game is not None:
                seen += 1
                assert [seat + 1 for seat in range(3) if rewards[at, seat]] == game.winners
                best = [max(score for other, score in enumerate(game.scores) if other != s) for s in range(3)]
                assert [game.scores[s] - best[s] for s in range(3)] == points[at].tolist()
        shares.episodes()
    assert seen > 3


def test_rounds_are_limited_as_truncation() -> None:
    batch = sintra.rl.vector("azul", 4, 2, seed=1, max_rounds=2, keep=True)
    chance = np.random.default_rng(1)
    while not batch.truncated.any():
        rewards, done = batch.step(batch.sample(chance))
    assert done[batch.truncated].all()
    assert not batch.ended.any()
    assert (rewards == 0).all()
    game = batch.episodes()[0]
    assert (game.round, game.over, game.player) == (2, False, None)
    assert sintra.loads(game.dumps()).round == 2


def test_arrays_are_views_that_nobody_else_can_change() -> None:
    batch = sintra.rl.vector("azul", 4, 2, seed=1)
    held = {name: getattr(batch, name) for name in ARRAYS}
    play(batch, 1)
    for name, array in held.items():
        assert array is getattr(batch, name)
        assert not array.flags.writeable
    assert batch.planes.dtype == np.uint8
    assert (batch.masks.sum(axis=1) > 0).all()
    assert len(batch.plane_names) == batch.planes.shape[1]


def test_the_same_seed_gives_the_same_games_in_any_number_of_processes() -> None:
    one = sintra.rl.vector("sintra", 7, 2, seed=5, keep=True)
    with sintra.rl.vector("sintra", 7, 2, seed=5, keep=True, processes=2) as two:
        chance = np.random.default_rng(4)
        for _ in range(250):
            codes = one.sample(chance)
            one.step(codes)
            two.step(codes)
            for name in ARRAYS:
                assert np.array_equal(getattr(one, name), getattr(two, name)), name
        assert two.game(6).events == one.game(6).events
        logs = {game.dumps() for game in one.episodes()}
        assert logs
        assert {game.dumps() for game in two.episodes()} == logs
        with pytest.raises(IllegalStep, match="game 0: code 79"):
            two.step(np.full(7, 79))


def test_other_seeds_give_other_games() -> None:
    batch = sintra.rl.vector("azul", 50, 2, seed=1)
    assert len({planes.tobytes() for planes in batch.planes}) == 50
    before = batch.planes.copy()
    batch.reset(2)
    assert not np.array_equal(before, batch.planes)
    batch.reset(1)
    assert np.array_equal(before, batch.planes)


def test_a_game_to_look_at_says_nothing_of_what_the_bag_will_give() -> None:
    batch = sintra.rl.vector("azul", 2, 2, seed=1, keep=True)
    play(batch, 5)
    looked = batch.game(0)
    assert looked.round == 1
    chance = np.random.default_rng(1)
    dealt = None
    while dealt is None:
        now = batch.game(0)
        codes = batch.sample(chance)
        looked.play(now.rules.steps[int(codes[0])])
        batch.step(codes)
        dealt = batch.game(0).state.displays if batch.game(0).round == 2 else None
    assert looked.round == 2
    assert looked.state.displays != dealt
    assert looked.created.seed != batch._under_way(0)[0]


def test_a_wrong_code_changes_nothing() -> None:
    batch = sintra.rl.vector("azul", 3, 2, seed=1)
    before = batch.planes.copy()
    codes = batch.sample(np.random.default_rng(1))
    for wrong in (-1, 81, 80):
        bad = codes.copy()
        bad[2] = wrong
        with pytest.raises(IllegalStep, match=f"game 2: code {wrong}"):
            batch.step(bad)
    assert np.array_equal(before, batch.planes)
    with pytest.raises(UsageError, match="a code for each of 3 games"):
        batch.step(codes[:2])
    with pytest.raises(UsageError, match="whole numbers, not float64"):
        batch.step(codes.astype(float))
    batch.step(codes.astype(np.uint8).tolist())


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"games": 0}, "games must be a whole number from 1"),
        ({"players": 5}, "2 to 4 players, not 5"),
        ({"reward": "gold"}, "no reward 'gold'"),
        ({"side": "blue"}, "side can't be blue"),
        ({"color": 1}, "azul has no option 'color'"),
        ({"seed": -1}, "a seed must be a whole number"),
        ({"seed": "x"}, "a seed must be a whole number"),
        ({"max_rounds": 0}, "max_rounds must be a whole number"),
        ({"processes": 9}, "processes must be a whole number from 1 to 4"),
    ],
)
def test_a_batch_that_can_not_be_is_refused(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        sintra.rl.vector("azul", **{"games": 4, **arguments})


def test_unknown_rules_and_games_are_refused() -> None:
    with pytest.raises(UnknownRules):
        sintra.rl.vector("chess")
    batch = sintra.rl.vector("azul", 2)
    with pytest.raises(UsageError, match="no game 2"):
        batch.game(2)
    with pytest.raises(UsageError, match="keep=True"):
        batch.episodes()


def test_importing_the_library_does_not_import_numpy() -> None:
    import subprocess
    import sys

    code = "import sys, sintra, sintra.rl; assert 'numpy' not in sys.modules and 'librt' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    from sintra.rl.extras import needed

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "pyarrow.parquet", raising=False)
    with pytest.raises(UsageError, match=r"needs pyarrow: pip install 'sintra\[data\]'"):
        needed("pyarrow.parquet")


SAME = """
import hashlib, numpy as np, sintra.rl
total = hashlib.sha256()
for rules in ("azul", "crystal", "sintra"):
    batch = sintra.rl.vector(rules, 3, 3, seed=4)
    chance = np.random.default_rng(1)
    for _ in range(60):
        batch.step(batch.sample(chance))
        for array in (batch.planes, batch.masks, batch.movers, batch.rewards, batch.ended):
            total.update(array.tobytes())
print(total.hexdigest())
"""


def test_both_builds_fill_the_same_arrays() -> None:
    """Compiled and interpreted; where nothing is compiled, this holds the arrays to what they were."""
    import os
    import subprocess
    import sys

    def sums(**more: str) -> str:
        return subprocess.check_output([sys.executable, "-c", SAME], env={**os.environ, **more}, text=True)

    assert sums(SINTRA_PURE="1") == sums()


@pytest.mark.process
def test_the_schema_lists_every_plane_and_code() -> None:
    import json

    from tests.kit.program import run

    found = json.loads(run("schema", "planes").out)
    assert set(found) >= {"azul", "crystal", "sintra"}
    for rules, listed in found.items():
        batch = sintra.rl.vector(rules, 1, 3)
        assert listed["names"]["3"] == batch.plane_names
        assert len(listed["codes"]) == batch.codes
        assert (listed["rows"], listed["columns"]) == batch.planes.shape[2:]


def test_a_rule_set_without_planes_has_masks(harbor: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from sintra import catalog

    find = catalog.find
    monkeypatch.setattr(
        catalog, "find", lambda name, *rest: harbor if name == "harbor" else find(name, *rest)
    )
    monkeypatch.setattr(catalog, "engine_of", lambda name: "0")
    batch = sintra.rl.vector("harbor", 4, 2, seed=1, planes=False, keep=True)
    chance = np.random.default_rng(1)
    while not batch.ended.any():
        batch.step(batch.sample(chance))
    assert batch.planes.shape == (4, 0)
    assert batch.episodes()[0].over
    with pytest.raises(UsageError, match="harbor has no planes"):
        sintra.rl.vector("harbor", 4, 2)


def test_the_example_learns_and_draws_its_curve(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a short form: whether it learns well is said in docs/learning.md."""
    from xml.etree import ElementTree

    from scripts.examples import learn

    monkeypatch.setattr(learn, "GAMES", 6)
    monkeypatch.setattr(learn, "STEPS", 150)
    share = learn.main(["--seconds", "0.01", "--match", "6", "--curve", str(tmp_path / "curve.svg")])
    assert 0 <= share <= 1
    assert "6 games against random" in capsys.readouterr().out
    assert ElementTree.parse(tmp_path / "curve.svg").getroot().tag.endswith("svg")
