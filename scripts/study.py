"""Measure the claims about hints and analysis: `python -m scripts.study` (compiled: a few minutes).

luck     a player's luck over many re-deals of the same position, which has to average to 0
sums     luck and skill of analysed games, which have to add up to the result
losses   the share of turns with a mark in games of `random` and of `strong`, and the loss of the best turn
times    how long a hint and the analysis of a two-player game take
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from math import sqrt

import sintra
from sintra.api import loads
from sintra.batch.games import Games
from sintra.batch.plan import planned
from sintra.bots.search import play_turn
from sintra.game import Game
from sintra.rules.chance import Chance
from sintra.study.analysis import analyze
from sintra.study.judge import Judge, mean
from sintra.study.results import DEALS, LUCK_SHARE, NODES
from sintra.study.walk import stops

TABLES = (("azul", "colored"), ("sintra", "A"))


def played(rules: str, side: str, bots: Sequence[str], seed: int) -> Game:
    """Return a game that bots have played."""
    plan = planned(
        rules,
        1,
        players=len(bots),
        bots=list(bots),
        rotate=False,
        seed=seed,
        max_rounds=50,
        components=None,
        options={"side": side},
    )
    games = Games(plan)
    chosen: list[int] = []
    games.play(0, chosen)
    return loads(games.log(0, chosen))


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and the half-width of its 95 % interval."""
    middle = sum(values) / len(values)
    spread = sum((value - middle) ** 2 for value in values) / (len(values) - 1)
    return middle, 1.96 * sqrt(spread / len(values))


def luck(deals: int) -> bool:
    """Deal the same round again and again; return whether luck averages to 0 within its interval."""
    fine = True
    for rules, side in TABLES:
        for players in (2, 3):
            game = played(rules, side, ["strong:nodes=500"] * players, 7)
            deal = [stop for stop in stops(game) if stop.kind == "deal"][2]
            judge = Judge(deal.before, NODES, 1)
            before = mean(judge.samples(deal.before, DEALS * LUCK_SHARE))
            found = []
            for seed in range(deals):
                again = deal.before.copy()
                again.deal_from(Chance(1_000_000 + seed).stream("again"))
                found.append(judge.outcome(again)[0] - before.mean[0])
            middle, half = interval(found)
            half = sqrt(half**2 + (1.96 * before.error[0]) ** 2)
            fine = fine and abs(middle) <= half
            print(f"luck    {rules} {side}, {players} players: {middle:+.2f} ±{half:.2f} over {deals} deals")
    return fine


def losses(games: int) -> bool:
    """Analyse games; return True if all claims about them hold."""
    fine = True
    for rules, side in TABLES:
        for bot in ("random", "greedy", "strong:nodes=20000"):
            marked = turns = 0
            seconds = []
            for seed in range(games):
                game = played(rules, side, [bot] * 2, 100 + seed)
                start = time.perf_counter()
                found = analyze(game, jobs=2)
                seconds.append(time.perf_counter() - start)
                judged = found.turns()
                marked += sum(bool(turn.mark) for turn in judged)
                turns += len(judged)
                lead = game.scores[0] - game.scores[1]
                sums = [round(one.luck + one.skill - one.result, 9) for one in found.totals]
                fine = fine and sums == [0.0, 0.0] and found.totals[0].result == lead
                fine = fine and all(turn.loss == 0 for turn in judged if turn.played == turn.best)
                share = marked / turns
            fine = fine and (share > 0.5 if bot == "random" else True)
            fine = fine and (share < 0.15 if bot.startswith("strong") else True)
            print(
                f"losses  {rules} {side}, {bot}: marks in {share:.1%} of {turns} turns of {games} games; "
                f"analysis {sum(seconds) / games:.1f} s, at most {max(seconds):.1f} s",
                flush=True,
            )
    return fine


def times() -> bool:
    """Ask for hints at the beginning of rounds, where they take longest."""
    slowest = 0.0
    for rules, side in TABLES:
        for players in (2, 4):
            game = sintra.new(rules, players, seed=5, side=side)
            start = time.perf_counter()
            sintra.hint(game)
            slowest = max(slowest, time.perf_counter() - start)
    print(f"times   a hint takes at most {slowest:.2f} s")
    return slowest < 1


def best_turns(games: int) -> bool:
    """Play the best turn that an analysis finds; its loss has to be 0."""
    fine = True
    for rules, side in TABLES:
        game = sintra.new(rules, 2, seed=9, side=side)
        for _ in range(games):
            state = game.live
            judge = Judge(state, NODES, 1)
            turn = judge.search.run(state, NODES)[0].turn
            play_turn(state, turn)
            steps = [game.rules.steps[code] for code in _codes(turn)]
            game.play(*steps)
        found = analyze(game, jobs=2)
        fine = fine and all(turn.loss == 0 for turn in found.turns())
        print(f"best    {rules} {side}: the losses of {len(found.turns())} best turns are 0")
    return fine


def _codes(turn: int) -> list[int]:
    from sintra.bots.search import steps_of

    return steps_of(turn)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=5)
    parser.add_argument("--deals", type=int, default=200)
    args = parser.parse_args()
    results = [luck(args.deals), best_turns(8), times(), losses(args.games)]
    print("all hold" if all(results) else "NOT ALL HOLD")
    return 0 if all(results) else 1


if __name__ == "__main__":
    raise SystemExit(main())
