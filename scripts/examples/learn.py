"""Learn two-player Azul from nothing, with numpy alone, and draw the learning curve.

    pip install 'sintra[rl]'
    python scripts/examples/learn.py --seconds 120 --curve curve.svg

A small network looks at the planes and learns by policy gradient: it plays against `random` on many boards at
once, and makes the choices of games that went better than expected more likely. Every ten seconds it plays a
match without learning; the last match is longer, and is given with its 95 % interval.
"""

from __future__ import annotations

import argparse
import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # one core: set before numpy is loaded
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from collections.abc import Iterator, Sequence
from math import prod, sqrt
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

import sintra.rl

Array = Any
HIDDEN = 96
GAMES = 256
STEPS = 160
"""Steps of each game between two lessons: more than most games have."""
RATE = 0.002
SCALE = 20.0
"""The margin, in points, that counts as one."""
BONUS = 0.005
"""The bonus for uncertain choices, which keeps the policy curious."""
EVERY = 10.0
"""Seconds between two points of the curve."""


class Network:
    """Maps planes to a preference for each code, and to the expected margin."""

    def __init__(self, inputs: int, codes: int, chance: np.random.Generator) -> None:
        self.weights: list[Array] = [
            chance.normal(0, 1 / sqrt(inputs), (inputs, HIDDEN)).astype(np.float32),
            np.zeros(HIDDEN, np.float32),
            np.zeros((HIDDEN, codes + 1), np.float32),
            np.zeros(codes + 1, np.float32),
        ]
        self._mean = [np.zeros_like(weight) for weight in self.weights]
        self._square = [np.zeros_like(weight) for weight in self.weights]
        self._lessons = 0
        self.rate = RATE
        """How far a lesson goes: less and less."""

    def look(self, seen: Array, masks: Array) -> tuple[Array, Array, Array]:
        """Return the hidden layer, the probability of each legal code, and the expected margin."""
        into, at, out, bias = self.weights
        hidden = np.maximum(seen @ into + at, 0)
        found = hidden @ out + bias
        logits = np.where(masks, found[:, :-1], -1e9)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return hidden, odds / odds.sum(axis=1, keepdims=True), found[:, -1]

    def learn(self, seen: Array, masks: Array, codes: Array, returns: Array) -> None:
        """Make choices that went better than expected more likely, and expect better."""
        hidden, odds, expected = self.look(seen, masks)
        better = returns - expected
        worth = better / (better.std() + 1e-6)
        count = len(codes)
        slope = odds * worth[:, None]
        slope[np.arange(count), codes] -= worth
        logs = np.log(odds + 1e-9)
        slope += BONUS * odds * (logs - (odds * logs).sum(axis=1, keepdims=True))
        slopes = np.hstack([slope, -better[:, None]]).astype(np.float32) / count
        back = (slopes @ self.weights[2].T) * (hidden > 0)
        self._change([seen.T @ back, back.sum(axis=0), hidden.T @ slopes, slopes.sum(axis=0)])

    def _change(self, slopes: Sequence[Array]) -> None:
        """Take a step downhill: Adam."""
        self._lessons += 1
        rate = self.rate * sqrt(1 - 0.999**self._lessons) / (1 - 0.9**self._lessons)
        for weight, mean, square, slope in zip(self.weights, self._mean, self._square, slopes, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            weight -= rate * mean / (np.sqrt(square) + 1e-8)


def scaled(planes: Array) -> Array:
    """Return planes in the form that the network expects: small numbers in a row."""
    return planes.reshape(len(planes), prod(planes.shape[1:])).astype(np.float32) * np.float32(0.25)


def drawn(odds: Array, chance: np.random.Generator) -> Array:
    """Return a random code for each row, with these probabilities."""
    sums = odds.cumsum(axis=1)
    return (sums > chance.random((len(odds), 1)) * sums[:, -1:]).argmax(axis=1)


def lessons(batch: sintra.rl.Vector, network: Network, chance: np.random.Generator) -> Iterator[None]:
    """Play against `random` on all boards, and learn from what was played; yield after each lesson.

    The network has seat 0 in the first half of the games, and seat 1 in the others.
    """
    ours = (np.arange(batch.games) >= batch.games // 2).astype(np.uint8)
    rows = np.arange(batch.games)
    while True:
        kept: list[tuple[Array, ...]] = []
        for _ in range(STEPS):
            mine = batch.movers == ours
            codes = batch.sample(chance)
            seen, masks = scaled(batch.planes[mine]), batch.masks[mine]
            codes[mine] = drawn(network.look(seen, masks)[1], chance)
            chosen = codes[mine]
            rewards, ended = batch.step(codes)
            kept.append((mine, seen, masks, chosen, ended, rewards[rows, ours] / SCALE))
        returns = np.full(batch.games, np.nan)
        known: list[tuple[Array, ...]] = []
        for mine, seen, masks, chosen, ended, rewards in reversed(kept):
            returns = np.where(ended, rewards, returns)
            over = ~np.isnan(returns[mine])
            known.append((seen[over], masks[over], chosen[over], returns[mine][over]))
        order = chance.permutation(sum(len(one[2]) for one in known))
        parts = [np.concatenate(column)[order] for column in zip(*known, strict=True)]
        for at in range(0, len(order), 2048):
            network.learn(*(part[at : at + 2048] for part in parts))
        yield


def match(network: Network, games: int, seed: int) -> tuple[float, float, float]:
    """Return the share of games won against `random`, with its 95 % interval (Wilson's).

    The first game of every board counts, so that short games do not count more than long ones.
    """
    batch = sintra.rl.vector("azul", games=games, seed=seed)
    chance = np.random.default_rng(seed)
    ours = (np.arange(batch.games) % 2).astype(np.uint8)
    playing = np.ones(games, np.bool_)
    won = 0.0
    while playing.any():
        mine = batch.movers == ours
        codes = batch.sample(chance)
        codes[mine] = network.look(scaled(batch.planes[mine]), batch.masks[mine])[1].argmax(axis=1)
        rewards, ended = batch.step(codes)
        first = ended & playing
        won += float(rewards[first, ours[first]].sum())
        playing &= ~ended
    share, z = won / games, 1.96
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return share, middle - half, middle + half


def curve(points: Sequence[tuple[float, float, float, float]]) -> str:
    """Return the learning curve as SVG: seconds, and the share of games won with its interval."""
    most = max(points[-1][0], 1.0)

    def x(seconds: float) -> float:
        return 60 + 520 * seconds / most

    def y(share: float) -> float:
        return 340 - 300 * share

    band = [(x(s), y(low)) for s, _, low, _ in points] + [(x(s), y(high)) for s, _, _, high in points[::-1]]
    line = [(x(s), y(share)) for s, share, _, _ in points]
    marks = [
        f'<line x1="60" x2="580" y1="{y(k / 4)}" y2="{y(k / 4)}" stroke="#ddd"/>'
        f'<text x="52" y="{y(k / 4) + 4}" text-anchor="end">{25 * k} %</text>'
        for k in range(5)
    ]
    for k in range(5):
        seconds = most * k / 4
        marks.append(f'<text x="{x(seconds)}" y="360" text-anchor="middle">{seconds:.0f} s</text>')
    return "\n".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 390"',
            ' font-family="sans-serif" font-size="12">',
            '<rect width="600" height="390" fill="#fff"/>',
            '<text x="60" y="24" font-size="15">Games won against random, two-player Azul, one core</text>',
            *marks,
            '<text x="320" y="380" text-anchor="middle">CPU time of learning</text>',
            f'<polygon points="{_listed(band)}" fill="#2a78b8" fill-opacity="0.2"/>',
            f'<polyline points="{_listed(line)}" fill="none" stroke="#2a78b8" stroke-width="2"/>',
            "</svg>\n",
        ]
    )


def _listed(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def main(arguments: Sequence[str] | None = None) -> float:
    """Learn, print the progress, and return the share of games won in the last match."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--seconds", type=float, default=120.0, help="CPU time to learn for")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--match", type=int, default=2000, help="games of the last match")
    parser.add_argument("--curve", type=Path, help="SVG file to draw the learning curve to")
    given = parser.parse_args(arguments)
    chance = np.random.default_rng(given.seed)
    batch = sintra.rl.vector("azul", games=GAMES, seed=given.seed, reward="margin")
    network = Network(int(np.prod(batch.planes.shape[1:])), batch.codes, chance)
    few = min(given.match, 400)
    points = [(0.0, *match(network, few, 1))]
    spent, due = 0.0, EVERY
    lesson = lessons(batch, network, chance)
    while spent < given.seconds:
        before = process_time()
        network.rate = RATE * max(0.05, 1 - spent / given.seconds)
        next(lesson)
        spent += process_time() - before
        if spent >= due or spent >= given.seconds:
            due += EVERY
            points.append((spent, *match(network, few, len(points) + 1)))
            print(f"{spent:5.0f} s: {100 * points[-1][1]:5.1f} % won", flush=True)
    share, low, high = match(network, given.match, 1000)
    interval = f"(95 %: {100 * low:.1f} to {100 * high:.1f})"
    print(f"{given.match} games against random: {100 * share:.1f} % won {interval}")
    if given.curve:
        given.curve.write_text(curve(points))
    return share


if __name__ == "__main__":
    main()
