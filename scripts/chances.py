"""Fit the chances of winning behind `analyze` to self-play: `python -m scripts.chances`.

Games are played by `strong` with little thought. After each round, the estimated lead of every player is
recorded with the final result, and a logistic curve is fitted for every round. With two players the curve is
even at a lead of 0. Writes `sintra/study/chances.json`.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator, Sequence
from math import exp, log

import msgspec

from sintra import catalog
from sintra.batch.workers import spread, workers
from sintra.bots.search import lead, play_turn
from sintra.bots.strong import searching
from sintra.log import writing
from sintra.rules.chance import Chance
from sintra.rules.state import CHOICE, DEAL, OVER, ROUND_END
from sintra.study.chances import PATH, Curve, Curves, read

MOST_ROUNDS = 6
"""Later rounds share the curve of this one."""
LEAST = 100
"""Minimum number of games that reach a round for a curve to be fitted."""

Pair = tuple[float, float]
"""A lead, and the share of the victory that followed."""


class Table(msgspec.Struct, frozen=True):
    """A board, a number of players and a seed: a game to play."""

    rules: str
    options: dict[str, bool | int | str]
    players: int
    nodes: int
    seed: int


def leads_in(table: Table) -> list[list[Pair]]:
    """Play a game; return the pairs of every round, none for a board without weights."""
    chance = Chance(table.seed)
    state = catalog.find(table.rules).starter(table.options, table.players, {})(chance)
    search = searching(state)
    if not search.estimate.weights:
        return []
    noted: list[list[float]] = []
    while state.phase != OVER:
        if state.phase >= CHOICE:
            play_turn(state, search.run(state, table.nodes)[0].turn)
        elif state.phase == ROUND_END:
            state.end_round()
        elif state.phase == DEAL:
            if state.round:
                values = state.estimates(search.estimate)
                noted.append([float(lead(values, seat)) for seat in range(table.players)])
            state.deal_from(chance.stream(f"displays {state.round + 1}"))
        else:
            state.finish()
    won = state.winners()
    shares = [1 / len(won) if seat in won else 0.0 for seat in range(table.players)]
    return [list(zip(leads, shares, strict=True)) for leads in noted]


def fitted(pairs: Sequence[Pair], even: bool) -> Curve:
    """Return the curve that makes the pairs most likely, by Newton's method; `even` fixes its middle at 0."""
    a, b = 0.0, 1.0  # chance = 1 / (1 + exp(-(a + b * lead / 1000)))
    for _ in range(50):
        ga = gb = haa = hab = hbb = 0.0
        for value, share in pairs:
            x = value / 1000
            p = 1 / (1 + exp(-max(-30.0, min(30.0, a + b * x))))
            w = p * (1 - p) + 1e-9
            ga, gb = ga + share - p, gb + (share - p) * x
            haa, hab, hbb = haa + w, hab + w * x, hbb + w * x * x
        if even:
            b += gb / hbb
        else:
            det = haa * hbb - hab * hab
            a, b = a + (hbb * ga - hab * gb) / det, b + (haa * gb - hab * ga) / det
    return Curve(round(-1000 * a / b), round(1000 / b))


def surprise(pairs: Sequence[Pair], curve: Curve) -> float:
    """Return the mean of -log(chance of what happened); for two players, 0.69 is knowing nothing."""
    total = 0.0
    for value, share in pairs:
        p = curve.chance(value)
        total -= share * log(max(p, 1e-9)) + (1 - share) * log(max(1 - p, 1e-9))
    return total / len(pairs)


def boards() -> Iterator[tuple[str, dict[str, bool | int | str], str]]:
    """Yield all boards: the rule-set, its options, and the name."""
    for rules in map(catalog.find, ("azul", "crystal", "sintra")):
        for side in next(option.values for option in rules.options if option.name == "side"):
            options = {option.name: option.default for option in rules.options} | {"side": side}
            yield rules.name, options, rules.starter(options, 2, {})(Chance(0)).board()


def collected(games: Iterable[list[list[Pair]]]) -> list[list[Pair]]:
    """Return the pairs of all games by rounds."""
    found: list[list[Pair]] = [[] for _ in range(MOST_ROUNDS)]
    for rounds in games:
        for at, pairs in enumerate(rounds):
            found[min(at, MOST_ROUNDS - 1)] += pairs
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=600, help="games of each board and number of players")
    parser.add_argument("--nodes", type=int, default=500, help="positions searched for each turn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="boards whose names begin like this, such as sintra-b")
    parser.add_argument("--out", default=PATH)
    args = parser.parse_args()
    before = read(args.out) if os.path.exists(args.out) else Curves("", {})
    curves = dict(before.curves)
    with workers(args.jobs) as executor:
        for rules, options, name in boards():
            for players in (2, 3, 4):
                if not f"{name}-{players}".startswith(args.only):
                    continue
                first = args.seed * 1_000_000
                games = (Table(rules, options, players, args.nodes, first + at) for at in range(args.games))
                found = collected(spread(executor, leads_in, games))
                fit = [fitted(pairs, players == 2) for pairs in found if len(pairs) >= LEAST * players]
                if fit:
                    curves[f"{name}-{players}"] = fit
                    said = [f"{surprise(pairs, curve):.3f}" for pairs, curve in zip(found, fit, strict=False)]
                    print(name, players, [tuple(curve) for curve in fit], "surprise", *said, flush=True)
    source = f"scripts/chances.py: seed {args.seed}, {args.games} games each, {args.nodes} nodes a turn"
    if args.only:
        source = f"{before.source}; for {args.only} seed {args.seed}, {args.games} games each"
    data = msgspec.json.encode(Curves(source, curves)).decode().replace(".0", "")
    data = data.replace('"curves":{', '\n"curves":{\n').replace("]],", "]],\n").replace("]]}}", "]]\n}}\n")
    writing.replace(args.out, data.encode())


if __name__ == "__main__":
    main()
