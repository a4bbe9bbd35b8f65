"""Write `fixtures/ratings/choix.json`: rankings, and the strengths that the package choix finds in them.

`pip install choix`, then `python -m scripts.rankings`.
"""

from __future__ import annotations

import json
from importlib import import_module
from importlib.metadata import version
from math import exp
from pathlib import Path
from random import Random
from typing import Any

FILE = Path(__file__).parent.parent / "fixtures" / "ratings" / "choix.json"
SIZES = ((2, 2, 20), (5, 2, 60), (6, 3, 50), (7, 4, 40))
"""Players, players in each game, and games."""


def ranked(choose: Random, strengths: list[float], players: int) -> list[int]:
    """Return the order of some players in a game, by the model."""
    left = choose.sample(range(len(strengths)), players)
    order: list[int] = []
    while left:
        order += choose.choices(left, [exp(strengths[player]) for player in left])
        left.remove(order[-1])
    return order


def cases() -> list[dict[str, Any]]:
    """Return rankings with the strengths that choix finds."""
    choix = import_module("choix")
    choose = Random(3)
    found = []
    for count, players, games in SIZES:
        strengths = [choose.gauss(0, 0.7) for _ in range(count)]
        rankings = [ranked(choose, strengths, players) for _ in range(games)]
        values = choix.mm_rankings(count, rankings, tol=1e-12, max_iter=100_000)
        prior = choix.mm_rankings(count + 1, _with_prior(count, rankings), tol=1e-12, max_iter=100_000)
        found.append(
            {
                "players": count,
                "rankings": rankings,
                "strengths": [round(float(value), 8) for value in values],
                "with_prior": [round(float(value - prior[count]), 8) for value in prior[:count]],
            }
        )
    return found


def _with_prior(count: int, rankings: list[list[int]]) -> list[list[int]]:
    """Return rankings with half a game won and lost against one more player; doubled, to be whole."""
    games = [[player, count] for player in range(count)] + [[count, player] for player in range(count)]
    return [*rankings, *rankings, *games]


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    text = json.dumps({"choix": version("choix"), "cases": cases()}, separators=(",", ":"))
    FILE.write_text(text.replace('{"players"', '\n{"players"') + "\n")
