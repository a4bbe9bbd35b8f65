"""PettingZoo, Gymnasium and OpenSpiel: their own tests, and episodes that verify.

`make rl` runs all boards and numbers of players, and 1,000 episodes of each adapter (SINTRA_RL=1).
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import sintra
from sintra.errors import IllegalStep, UsageError
from tests.rl.test_vector import BOARDS

np = pytest.importorskip("numpy")
pytest.importorskip("gymnasium", reason="PettingZoo and Gymnasium are tested by `make rl`")
pytest.importorskip("pettingzoo", reason="PettingZoo and Gymnasium are tested by `make rl`")

import sintra.rl  # noqa: E402

FULL = bool(os.environ.get("SINTRA_RL"))
KINDS = [(rules, players, options) for rules, options in BOARDS for players in (2, 3, 4)]
SOME = KINDS if FULL else [KINDS[0], KINDS[15]]
EPISODES = 1000 if FULL else 2


@contextmanager
def tolerant() -> Iterator[None]:
    """Both suites warn that an observation is a dictionary, as it is in their own games."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def ended(game: sintra.Game) -> sintra.Game:
    """The same game, which must be over, or have used up its rounds: at random, some never end (R6)."""
    assert game.over or (game.round == 50 and game.player is None)
    return game


def check(folder: Path, games: int) -> None:
    verdicts = list(sintra.verify(folder, jobs=2))
    assert len(verdicts) == games
    assert [one for one in verdicts if not one.ok] == []


# -- PettingZoo --


@pytest.mark.filterwarnings("ignore:The old environment creation API:DeprecationWarning")  # their own tests
@pytest.mark.parametrize(("rules", "players", "options"), SOME)
def test_pettingzoo_accepts_the_environment(
    rules: str, players: int, options: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    from pettingzoo.test import api_test, render_test, seed_test

    def env(render_mode: str | None = None) -> Any:
        return sintra.rl.env(rules, players, render_mode=render_mode, **options)

    with tolerant():
        api_test(env(), num_cycles=1000 if FULL else 100)
        seed_test(env, num_cycles=500 if FULL else 20)
        render_test(env)
    assert "Passed API test" in capsys.readouterr().out


def episode(env: Any, seed: int | None, chance: Any) -> dict[str, float]:
    """Play an episode at random; return what everybody got."""
    env.reset(seed)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, ended, truncated, info = env.last()
        total[agent] += reward
        assert info == {}
        legal = np.flatnonzero(seen["action_mask"])
        assert (len(legal) > 0) != (ended or truncated)
        env.step(None if ended or truncated else int(chance.choice(legal)))
    return total


def test_episodes_of_pettingzoo_verify(tmp_path: Path) -> None:
    chance = np.random.default_rng(1)
    for number in range(EPISODES):
        rules, players, options = KINDS[number % len(KINDS)]
        env = sintra.rl.env(rules, players, **options)
        total = episode(env, number, chance)
        game = ended(env.game())
        assert sum(total.values()) == pytest.approx(float(game.over))
        assert [f"player_{seat}" for seat in game.winners] == [agent for agent in total if total[agent]]
        game.save(tmp_path / f"{number}.log")
    check(tmp_path, EPISODES)


def test_wrong_steps_of_pettingzoo_are_refused_and_change_nothing() -> None:
    env = sintra.rl.env("azul")
    env.reset(1)
    before = env.observe("player_1")
    with pytest.raises(IllegalStep, match="place 1"):
        env.step(51)
    wrongs: list[Any] = [81, -1, "x", None, 1.5]
    for wrong in wrongs:
        with pytest.raises(UsageError):
            env.step(wrong)
    after = env.observe("player_1")
    assert all((before[name] == after[name]).all() for name in before)
    with pytest.raises(UsageError, match="no render mode"):
        sintra.rl.env("azul", render_mode="gold")


def test_the_rounds_of_an_environment_are_limited() -> None:
    env = sintra.rl.env("azul", max_rounds=1)
    total = episode(env, 3, np.random.default_rng(1))
    assert set(total.values()) == {0.0}
    assert not env.game().over
    assert env.game().player is None


def test_a_seed_begins_a_row_of_episodes() -> None:
    env, other = sintra.rl.env("azul"), sintra.rl.env("azul")
    seen = []
    for number in range(3):
        for one in (env, other):
            one.reset(7 if number == 0 else None)
        seen.append(env.observe("player_1")["observation"])
        assert (seen[-1] == other.observe("player_1")["observation"]).all()
    assert len({planes.tobytes() for planes in seen}) == 3


# -- Gymnasium --


@pytest.mark.parametrize(("rules", "players", "options"), SOME)
def test_gymnasium_accepts_the_environment(rules: str, players: int, options: dict[str, Any]) -> None:
    from gymnasium.utils.env_checker import check_env

    with tolerant():
        check_env(sintra.rl.gym(rules, "greedy", players, **options), skip_render_check=True)
        check_env(sintra.rl.gym(rules, "random", players, render_mode="ansi", **options))


def test_episodes_of_gymnasium_verify(tmp_path: Path) -> None:
    chance = np.random.default_rng(1)
    for number in range(EPISODES):
        rules, players, options = KINDS[number % len(KINDS)]
        env = sintra.rl.gym(rules, "random", players, **options)
        env.reset(seed=number)
        done = truncated = False
        while not (done or truncated):
            _, reward, done, truncated, info = env.step(chance.choice(np.flatnonzero(env.action_masks())))
            assert set(info) == {"action_mask"}
        game = ended(env.game())
        assert (done, truncated) == (game.over, not game.over)
        assert reward == (1 / len(game.winners) if env.seat + 1 in game.winners else 0)
        assert game.players[env.seat] == "learner"
        game.save(tmp_path / f"{number}.log")
    check(tmp_path, EPISODES)


def test_the_learner_takes_the_next_seat_with_every_episode() -> None:
    env = sintra.rl.gym("azul", ["greedy", "random"], 3)
    seats, names = [], []
    for number in range(4):
        env.reset(seed=1 if number == 0 else None)
        seats.append(env.seat)
        names.append(env.game().players)
    assert seats == [0, 1, 2, 0]
    assert names[:2] == [("learner", "greedy 2", "random 3"), ("random 1", "learner", "greedy 3")]


def test_an_illegal_code_loses_the_episode_or_raises() -> None:
    env = sintra.rl.gym("azul")
    env.reset(seed=1)
    _, reward, done, truncated, info = env.step(51)
    assert (reward, done, truncated) == (-1, True, False)
    assert "place 1" in info["illegal"]
    with pytest.raises(UsageError, match="call reset"):
        env.step(0)
    strict = sintra.rl.gym("azul", strict=True)
    strict.reset(seed=1)
    with pytest.raises(IllegalStep):
        strict.step(51)
    for arguments in ({"opponent": "nobody"}, {"opponent": ["random"] * 2}, {"seat": 3}):
        with pytest.raises(UsageError):
            sintra.rl.gym("azul", **arguments)


# -- OpenSpiel --


def spiel_game(rules: str, players: int, options: dict[str, Any]) -> Any:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is tested by `make rl`")

    import_module("sintra.rl.spiel")
    plain = {name: int(value) if value in ("1", "2") else value for name, value in options.items()}
    return pyspiel.load_game(f"python_{rules}", {"players": players, **plain})


def spiel_episode(game: Any, bots: dict[int, Any], chance: Any) -> Any:
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            actions, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(chance.choice(actions, p=odds)))
        elif state.current_player() in bots:
            state.apply_action(bots[state.current_player()].step(state))
        else:
            state.apply_action(int(chance.choice(state.legal_actions())))
    return state


@pytest.mark.parametrize(("rules", "players", "options"), SOME)
def test_openspiel_accepts_the_game(rules: str, players: int, options: dict[str, Any]) -> None:
    game = spiel_game(rules, players, options)
    import pyspiel

    pyspiel.random_sim_test(game, num_sims=3 if FULL else 1, serialize=True, verbose=False)


@pytest.mark.parametrize(("rules", "players", "options"), SOME if FULL else SOME[:1])
def test_openspiel_searches_the_game(rules: str, players: int, options: dict[str, Any]) -> None:
    game = spiel_game(rules, players, options)
    from open_spiel.python.algorithms import mcts

    chance = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2, 3, mcts.RandomRolloutEvaluator(1, chance), random_state=chance)
    state = spiel_episode(game, {0: bot}, chance)
    assert sum(state.returns()) == pytest.approx(1)


@pytest.mark.skipif(not FULL, reason="a playthrough takes a minute; see `make rl`")
def test_openspiel_writes_a_playthrough() -> None:
    spiel_game("azul", 2, {})
    from open_spiel.python.algorithms.generate_playthrough import playthrough

    assert "pick" in playthrough("python_azul", None)


def test_episodes_of_openspiel_verify(tmp_path: Path) -> None:
    chance = np.random.RandomState(1)
    for number in range(EPISODES):
        rules, players, options = KINDS[number % len(KINDS)]
        state = spiel_episode(spiel_game(rules, players, options), {}, chance)
        game = ended(state.game_log())
        winners = game.winners or list(range(1, players + 1))  # cut short, it is shared
        assert [seat + 1 for seat in range(players) if state.returns()[seat]] == winners
        game.save(tmp_path / f"{number}.log")
    check(tmp_path, EPISODES)
