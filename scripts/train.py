"""Learn the weights of `strong` from self-play: `python -m scripts.train azul --side colored --players 2`.

In every generation, games are played with the weights so far, thinking briefly. Two things are learned from
them: the value of a position between rounds, from the end of the game, and the value of a position within a
round, from the end of that round. New weights are taken only if they win against the old ones in mirrored
games (a sequential test, SPRT). Needs numpy.
"""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import msgspec
import numpy as np

from sintra import catalog
from sintra.bots.search import WIN, Search, play_turn
from sintra.bots.weights import FOLDER, Weights, encoded, tables_of
from sintra.rules.chance import Chance, Stream
from sintra.rules.estimates import Estimate
from sintra.rules.state import CHOICE, DEAL, GAME_END, OVER, ROUND_END, State

RANDOM = 4
"""Percentage of turns that are played at random, so that bad positions are learned, too."""
VARIED = 12
"""Percentage of turns that are one of the five best."""
LAMBDA = 0.7
"""The weight of a game's result in the target; the rest is the estimate after the next round."""
RIDGE = 200.0
"""How strongly weights are held near the old ones: the number of positions that speak for these."""
BETTER = 0.04
"""The improvement in the share that the gate requires."""
DECIDED = 2.94
"""The log-likelihood ratio that decides, for errors of 5 %."""
FEWEST = 20
"""Minimum number of deals before a decision."""
SEEDS = 10_000_000
"""Every seed has so many games of its own; the gate plays the second half."""

Array = Any
"""A numpy array, which mypy does not always see."""


class Sample(msgspec.Struct):
    """A position: every player's points so far and features, and what it came to."""

    game: int
    between: bool
    """Whether it stands between two rounds."""
    points: list[int]
    features: list[list[int]]
    values: list[float] = []
    """Every player's value, in hundredths of a point, with a bonus for winning."""


def sample(state: State, game: int, zeros: list[int]) -> Sample:
    """Return a position with its features; `zeros` are weights for all of them."""
    found: list[int] = []
    points = state.estimates(Estimate(zeros, found))
    features: list[list[int]] = []
    for feature in found:
        if feature < 0:
            features.append([])
        else:
            features[-1].append(feature)
    return Sample(game, state.phase == DEAL, points, features)


def estimated(one: Sample, weights: Array) -> list[float]:
    """Return every player's estimate with these weights."""
    return [
        points + float(weights[features].sum())
        for points, features in zip(one.points, one.features, strict=True)
    ]


def outcomes(state: State) -> list[float]:
    """Return what every player came to in a game that is over: the difference of two is `result_for`."""
    winners = state.winners()
    return [
        100.0 * score + (WIN / len(winners) if player in winners else 0.0)
        for player, score in enumerate(state.scores())
    ]


# -- Self-play --


class Table:
    """A board with its number of players."""

    def __init__(self, rules: str, options: dict[str, Any], players: int) -> None:
        self.rules = rules
        self.players = players
        self.start = catalog.find(rules).starter(options, players, {})
        state = self.start(Chance(0))
        self.board = state.board()
        self.size = max(t.first + t.rows * t.width for t in tables_of(self.board))

    def play(
        self, seed: int, seats: Sequence[Search], nodes: int, samples: list[Sample] | None = None
    ) -> State:
        """Play a game; with `samples`, vary some turns and keep every position."""
        chance = Chance(seed)
        stream = chance.stream("varied")
        state = self.start(chance)
        zeros = [0] * self.size
        while state.phase != OVER:
            if state.phase >= CHOICE:
                if samples is not None and state.phase == CHOICE:
                    samples.append(sample(state, seed, zeros))
                turn = self.turn(state, seats[state.player], nodes, stream if samples is not None else None)
                play_turn(state, turn)
            elif state.phase == ROUND_END:
                state.end_round()
            elif state.phase == DEAL:
                if samples is not None and state.round:
                    samples.append(sample(state, seed, zeros))
                if state.round > 40:
                    state.phase = GAME_END
                else:
                    state.deal_from(chance.stream(f"displays {state.round + 1}"))
            elif state.phase == GAME_END:
                state.finish()
        return state

    def turn(self, state: State, search: Search, nodes: int, stream: Stream | None) -> int:
        """Return a turn: the best one, or with a stream sometimes another."""
        if stream is not None:
            drawn = stream.below(100)
            if drawn < RANDOM:
                turns = state.turns()
                return turns[stream.below(len(turns))]
            if drawn < RANDOM + VARIED:
                lines = search.run(state, nodes, 5)
                return lines[stream.below(min(5, len(lines)))].turn
        return search.run(state, nodes)[0].turn

    def collect(self, seeds: range, weights: Array, nodes: int) -> list[Sample]:
        """Play games against itself; return all positions with their values."""
        search = Search([round(w) for w in weights])
        collected = []
        for seed in seeds:
            samples: list[Sample] = []
            state = self.play(seed, [search] * self.players, nodes, samples)
            backwards(samples, outcomes(state), weights)
            collected += samples
        return collected


def backwards(samples: list[Sample], result: list[float], weights: Array) -> None:
    """Give every position of a game its value: those between rounds first, from the last one back."""
    later = result
    """What the end of the round came to."""
    target = result
    for one in reversed(samples):
        if one.between:
            one.values = target
            later = estimated(one, weights) if weights.any() else target
            target = [LAMBDA * t + (1 - LAMBDA) * e for t, e in zip(target, later, strict=True)]
        else:
            one.values = later


# -- Fitting --


def fit(samples: list[Sample], start: Array, columns: Array) -> Array:
    """Return better weights of the features in `columns` (True), near those to start with (a ridge)."""
    width = int(columns.sum())
    gram = np.zeros((width, width), dtype=np.float64)
    right = np.zeros(width)
    rows: list[tuple[list[int], list[int], float]] = []
    for one in samples:
        players = len(one.points)
        pairs = [(0, 1)] if players == 2 else [(p, (p + 1) % players) for p in range(players)]
        for a, b in pairs:
            base = one.points[a] - one.points[b] + start[one.features[a]].sum() - start[one.features[b]].sum()
            rows.append((one.features[a], one.features[b], one.values[a] - one.values[b] - base))
    for first in range(0, len(rows), 4000):
        chunk = rows[first : first + 4000]
        x = np.zeros((len(chunk), len(start)), dtype=np.float32)
        for at, (mine, theirs, _) in enumerate(chunk):
            np.add.at(x[at], mine, 1)
            np.subtract.at(x[at], theirs, 1)
        x = x[:, columns]
        gram += x.T @ x
        right += x.T @ np.array([row[2] for row in chunk], dtype=np.float32)
    solved = np.linalg.solve(gram + RIDGE * np.eye(width), right)
    new = start.copy()
    new[columns] += solved
    return new


def learn(samples: list[Sample], old: Array) -> Array:
    """Return new weights: first those that count between rounds, then those that count only within them."""
    size = len(old)
    between = [one for one in samples if one.between]
    seen = np.zeros(size, dtype=bool)
    for one in between:
        for features in one.features:
            seen[features] = True
    new = fit(between, old, seen)
    within = [one for one in samples if not one.between]
    also = np.zeros(size, dtype=bool)
    for one in within:
        for features in one.features:
            also[features] = True
    revalue(samples, new)
    return fit(within, new, also & ~seen)


def revalue(samples: list[Sample], weights: Array) -> None:
    """Value positions within rounds by the new weights at the end of their round."""
    later: list[float] = []
    game = -1
    for one in reversed(samples):
        if one.between:
            later = estimated(one, weights)
            game = one.game
        elif one.game == game:
            one.values = later


# -- The gate --


class Verdict(NamedTuple):
    """The result of a match of new weights against old ones."""

    accepted: bool
    share: float
    """The new weights' share of all games."""
    games: int

    @property
    def error(self) -> float:
        """Half the 95 % interval of the share."""
        return 1.96 * math.sqrt(self.share * (1 - self.share) / self.games)


def match(table: Table, new: Array, old: Array, nodes: int, most: int, seed: int) -> Verdict:
    """Play mirrored deals, up to a maximum, until it is decided if the new weights are better."""
    first, second = (Search([round(w) for w in weights]) for weights in (new, old))
    even = 1 / table.players
    shares: list[float] = []
    ratio = 0.0
    while len(shares) < most and abs(ratio) < DECIDED:
        won = 0.0
        for seat in range(table.players):
            seats = [first if at == seat else second for at in range(table.players)]
            winners = table.play(seed + len(shares), seats, nodes).winners()
            won += (seat in winners) / len(winners)
        shares.append(won / table.players)
        if len(shares) >= FEWEST:
            ratio = likelihood(shares, even)
    share = sum(shares) / len(shares)
    accepted = ratio > 0 if abs(ratio) >= DECIDED else share > even
    return Verdict(accepted, share, len(shares) * table.players)


def likelihood(shares: Sequence[float], even: float) -> float:
    """Return the log-likelihood ratio of "a little better" against "no better"."""
    better = even + BETTER
    variance = max(float(np.var(shares)), 1e-3)
    return len(shares) * (better - even) * (2 * float(np.mean(shares)) - even - better) / (2 * variance)


# -- The whole --


def main() -> None:
    """Parse the arguments, and train."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("rules")
    parser.add_argument("--side")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=1000, help="games of each generation")
    parser.add_argument("--generations", type=int, default=3)
    parser.add_argument("--nodes", type=int, default=300, help="positions searched for each turn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fresh", action="store_true", help="begin without weights")
    parser.add_argument("--start", help="begin with the weights of this file")
    parser.add_argument("--keep", type=int, default=3, help="generations of games to learn from")
    parser.add_argument("--pairs", type=int, default=150, help="maximum number of mirrored deals of the gate")
    parser.add_argument("--out", default=str(FOLDER), help="the folder for accepted weights")
    train(parser.parse_args())


def train(args: argparse.Namespace) -> None:
    """Play, learn and test, generation by generation; write weights that are accepted."""
    rules = catalog.find(args.rules)
    given = {"side": args.side} if args.side else {}
    table = Table(args.rules, {option.name: option.default for option in rules.options} | given, args.players)
    path = Path(args.out) / f"{table.board}-{args.players}.json"
    old = np.zeros(table.size)
    start = Path(args.start) if args.start else path
    if start.exists() and not args.fresh:
        old = np.array(msgspec.json.decode(start.read_bytes(), type=Weights).flat(), dtype=float)
    batches: list[list[Sample]] = []
    for generation in range(1, args.generations + 1):
        seed = args.seed * SEEDS + (generation - 1) * args.games
        batches = [*batches, table.collect(range(seed, seed + args.games), old, args.nodes)][-args.keep :]
        samples = [one for batch in batches for one in batch]
        new = learn(samples, old)
        verdict = match(table, new, old, args.nodes, args.pairs, args.seed * SEEDS + SEEDS // 2)
        worth = (
            f"{verdict.share:.1%} ± {verdict.error:.1%} of {verdict.games} mirrored games "
            f"at {args.nodes} nodes against the weights before"
        )
        print(
            f"{path.stem}, generation {generation}: {len(samples)} positions; {worth}: "
            f"{'accepted' if verdict.accepted else 'rejected'}",
            flush=True,
        )
        if verdict.accepted:
            old = new
            source = (
                f"scripts/train.py, self-play: seed {args.seed}, generation {generation}, "
                f"{generation * args.games} games, {args.nodes} nodes a turn"
            )
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(encoded(table.board, args.players, source, worth, [round(w) for w in new]))


if __name__ == "__main__":
    main()
