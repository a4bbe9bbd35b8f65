"""Measure the learning interfaces next to others, in one run on one core: `python -m scripts.rl_bench`.

All figures are steps per second of CPU time of this process, each the median of a few rounds in which the
candidates take turns. A step is one code: a pick or a placing. PettingZoo, OpenSpiel and pgx are left out
where they are not installed.
"""

from __future__ import annotations

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

import argparse
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from statistics import median
from time import process_time
from typing import Any

import numpy as np

import sintra.rl
from sintra.catalog import build

GAMES = 1024
Bench = Callable[[], int]
"""Does some work, and returns the number of steps."""


def vector(rules: str, planes: bool, steps: int) -> Bench:
    """The batch, with the random policy of `Vector.sample`."""
    batch = sintra.rl.vector(rules, GAMES, 2, seed=1, planes=planes)
    chance = np.random.default_rng(1)

    def run() -> int:
        for _ in range(steps):
            batch.step(batch.sample(chance))
        return steps * GAMES

    return run


def aec(env: Any, steps: int) -> Bench:
    """A PettingZoo environment, played at random by its masks as its documentation shows."""
    chance = np.random.default_rng(1)

    def run() -> int:
        done = 0
        while done < steps:
            env.reset(seed=done)
            for _ in env.agent_iter():
                seen, _, ended, truncated, _ = env.last()
                if ended or truncated:
                    env.step(None)
                    continue
                legal = np.flatnonzero(seen["action_mask"])
                env.step(int(legal[int(chance.random() * len(legal))]))
                done += 1
        return done

    return run


def spiel(name: str, steps: int) -> Bench:
    """An OpenSpiel game, played at random; chance nodes are not counted."""
    import pyspiel

    game = pyspiel.load_game(name)
    chance = np.random.default_rng(1)

    def run() -> int:
        done = 0
        while done < steps:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    actions, odds = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(int(chance.choice(actions, p=odds)))
                else:
                    legal = state.legal_actions()
                    state.apply_action(legal[int(chance.random() * len(legal))])
                    done += 1
        return done

    return run


def pgx_backgammon(steps: int) -> Bench:
    """pgx' backgammon, vectorized, compiled and restarting by itself, with a random policy in JAX."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("backgammon")
    init, step = jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init))

    def play(state: Any, key: Any) -> Any:
        def once(carry: Any, key: Any) -> Any:
            first, second = jax.random.split(key)
            logits = jnp.where(carry.legal_action_mask, 0.0, -jnp.inf)
            codes = jax.random.categorical(first, logits, axis=-1)
            return step(carry, codes, jax.random.split(second, GAMES)), None

        return jax.lax.scan(once, state, jax.random.split(key, steps))[0]

    play = jax.jit(play)
    state = jax.jit(init)(jax.random.split(jax.random.PRNGKey(0), GAMES))
    state = jax.block_until_ready(play(state, jax.random.PRNGKey(1)))

    def run() -> int:
        jax.block_until_ready(play(state, jax.random.PRNGKey(2)))
        return steps * GAMES

    return run


def benches(quick: bool) -> Iterator[tuple[str, Bench]]:
    """Yield every candidate with its name."""
    few = 1 if quick else 20
    fast = build() != "interpreted"
    for rules in ("azul", "sintra"):
        yield f"vector, {rules}, masks", vector(rules, False, 20 * few if fast else few)
        yield f"vector, {rules}, masks and planes", vector(rules, True, 8 * few if fast else few)
    if find_spec("pettingzoo"):
        from pettingzoo.classic import connect_four_v3

        yield "PettingZoo, azul", aec(sintra.rl.env("azul"), 100 * few)
        yield "PettingZoo, connect_four_v3", aec(connect_four_v3.env(), 100 * few)
    if find_spec("pyspiel"):
        import_module("sintra.rl.spiel")
        yield "OpenSpiel, azul", spiel("python_azul", 20 * few)
        yield "OpenSpiel, backgammon (C++)", spiel("backgammon", 50 * few)
    if find_spec("pgx") and not quick:
        yield "pgx, backgammon", pgx_backgammon(20)


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="a short form, to see that it works")
    given = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    found = dict(benches(given.quick))
    figures: dict[str, list[float]] = {name: [] for name in found}
    for _ in range(1 if given.quick else given.rounds):
        for name, run in found.items():
            before = process_time()
            steps = run()
            figures[name].append(steps / (process_time() - before))
    print(f"{build()}, {sys.version.split()[0]}, one core")
    for name, rates in figures.items():
        print(f"{name:34}{median(rates):>14,.0f} steps/s")
    for name, other in RATIOS:
        if name in found and other in found:
            ratio = median(a / b for a, b in zip(figures[name], figures[other], strict=True))
            print(f"{name} / {other}: {ratio:.1f}")
    for package in ("pettingzoo", "pyspiel", "pgx"):
        if not find_spec(package):
            print(f"{package} is not installed: its figures are left out")


RATIOS = (
    ("vector, azul, masks", "pgx, backgammon"),
    ("vector, azul, masks and planes", "pgx, backgammon"),
    ("PettingZoo, azul", "PettingZoo, connect_four_v3"),
)

if __name__ == "__main__":
    main()
