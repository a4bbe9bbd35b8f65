"""Measure the strength of bots: `python -m scripts.strength` continues where it stopped; `--report` only
reports.

Deals are mirrored: on every deal, the first bot plays once in each seat against the second one in all others.
What was played is kept in docs/strength.json, from which the tables of docs/strong.md are made. Bots that
think for some time do so by the clock of the processor, so that other work on the machine does not matter.
"""

from __future__ import annotations

import argparse
import json
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from scripts.mcts import leaders
from sintra import catalog
from sintra.batch.selfplay import play_out
from sintra.batch.workers import spread, workers
from sintra.bots.names import find
from sintra.bots.simple import Bot
from sintra.rules.chance import Chance
from sintra.rules.state import State

DOCS = Path(__file__).parent.parent / "docs"
RESULTS = DOCS / "strength.json"
PAGE = DOCS / "strong.md"
ROUNDS = 30
FIRST_SEED = 900_000_000
"""No game of training has this seed, or one after it."""
BOARDS = {
    "Azul": ("azul", "colored"),
    "Azul, gray side": ("azul", "gray"),
    "Crystal Mosaic 1": ("crystal", "1"),
    "Crystal Mosaic 2": ("crystal", "2"),
    "Sintra A": ("sintra", "A"),
    "Sintra B": ("sintra", "B"),
}


class Match(NamedTuple):
    """A bot against another one, or several of that."""

    board: str
    players: int
    first: str
    second: str
    deals: int

    @property
    def name(self) -> str:
        """The name of the match in the file."""
        return f"{self.board} | {self.players} | {self.first} | {self.second}"

    def play(self, seed: int) -> float:
        """Play a deal from all seats; return the first bot's share of the victories."""
        rules = catalog.find(BOARDS[self.board][0])
        options = {option.name: option.default for option in rules.options}
        options["side"] = BOARDS[self.board][1]
        start = rules.starter(options, self.players, {})
        first, second = bot_of(self.first), bot_of(self.second)
        won = 0.0
        for seat in range(self.players):
            chance = Chance(seed)
            state: State = start(chance)
            play_out(state, chance, [first if at == seat else second for at in range(self.players)], ROUNDS)
            winners = leaders(state)
            won += (seat in winners) / len(winners)
        return won / self.players


def bot_of(name: str) -> Bot:
    """Return a bot; `mcts:time=0.1` is the one for comparison."""
    return find(name.replace("mcts", "scripts.mcts:mcts", 1) if name.startswith("mcts") else name)


def interval(shares: Sequence[float]) -> tuple[float, float, float]:
    """Return the mean of shares with its 95 % interval; where all are alike, by the rule of three."""
    mean = sum(shares) / len(shares)
    error = 3 / len(shares)
    if len(set(shares)) > 1:
        variance = sum((share - mean) ** 2 for share in shares) / (len(shares) - 1)
        error = 1.96 * math.sqrt(variance / len(shares))
    return mean, max(0.0, mean - error), min(1.0, mean + error)


# -- What is measured --

THINKING = "strong:time=0.1:cpu=true"
BRIEF = "strong:time=0.02:cpu=true"
MCTS = "mcts:time=0.02"
OTHERS = ("random", "easy", "medium", "hard", "greedy", MCTS)
"""The opponents of `strong` on every board, at 0.02 seconds per turn."""
MANY = ("Azul", "Sintra A")
"""Boards on which three and four players have the time of two."""
TWICE = (("0.02", "0.04"), ("0.05", "0.1"))


def thinking(seconds: str) -> str:
    """Return `strong` with so much time."""
    return f"strong:time={seconds}:cpu=true"


def matches() -> list[Match]:
    """Return all matches, the most informative ones first."""
    boards = list(BOARDS)
    found = [Match(board, 2, THINKING, "greedy", 100) for board in boards]
    found += [Match(board, 3, THINKING, "greedy", 34) for board in MANY]
    found += [Match(board, 4, THINKING, "greedy", 25) for board in MANY]
    found += [Match("Azul", 2, thinking(long), thinking(short), 200) for short, long in TWICE]
    found += [Match(board, 2, better, worse, 50) for board in boards for worse, better in ladder()]
    found += [Match(board, 2, THINKING, "mcts:time=0.1", 20) for board in MANY]
    for players, usual, many in ((2, 20, 100), (3, 10, 34), (4, 10, 25)):
        found += [Match(board, players, BRIEF, "greedy", many) for board in boards]
        found += [
            Match(board, players, BRIEF, other, usual)
            for board in boards
            for other in OTHERS
            if other != "greedy"
        ]
    return found


def ladder() -> list[tuple[str, str]]:
    """Return neighbors of the levels, the weaker one first."""
    return [("random", "easy"), ("easy", "medium"), ("medium", "hard")]


# -- Playing and reporting --


def load() -> dict[str, list[float]]:
    """Return what was played: the share of every deal, by match."""
    return json.loads(RESULTS.read_text()) if RESULTS.exists() else {}


def save(results: dict[str, list[float]]) -> None:
    """Keep what was played, a match on each line."""
    lines = [f"  {json.dumps(name)}: {json.dumps(shares)}" for name, shares in results.items()]
    new = RESULTS.with_suffix(".new")
    new.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    new.replace(RESULTS)


def told(match: Match, shares: Sequence[float]) -> str:
    """Return a match with its result, as a line."""
    mean, low, high = interval(shares)
    games = len(shares) * match.players
    return (
        f"{match.board}, {match.players} players: {match.first} against {match.second}: "
        f"{mean:.1%} [{low:.1%}, {high:.1%}] of {games} games"
    )


def run(wanted: Sequence[Match], jobs: int = 1) -> None:
    """Play what is missing, deal by deal, in this many processes, and save the results."""
    with workers(jobs) as executor:
        for match in wanted:
            results = load()
            shares = results.setdefault(match.name, [])
            missing = range(FIRST_SEED + len(shares), FIRST_SEED + match.deals)
            for share in spread(executor, match.play, missing):
                shares.append(share)
                save(results)
            print(told(match, shares), flush=True)


def cell(results: dict[str, list[float]], board: str, players: int, first: str, second: str) -> str:
    """Return a cell of a table: a share with its interval, and the number of games."""
    shares = results.get(Match(board, players, first, second, 0).name)
    if not shares:
        return "-"
    mean, low, high = interval(shares)
    return f"{mean:.1%} [{low:.0%}, {high:.0%}] of {len(shares) * players}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def tables(results: dict[str, list[float]]) -> str:
    """Return all tables of the page."""
    pairs = [
        (THINKING, "greedy", "`strong`, 0.1 s, against `greedy`"),
        (THINKING, "mcts:time=0.1", "`strong` against MCTS, 0.1 s each"),
        ("hard", "medium", "`hard` against `medium`"),
        ("medium", "easy", "`medium` against `easy`"),
        ("easy", "random", "`easy` against `random`"),
    ]
    two = [[board, *(cell(results, board, 2, a, b) for a, b, _ in pairs)] for board in BOARDS]
    many = [
        [board, *(cell(results, board, players, THINKING, "greedy") for players in (3, 4))] for board in MANY
    ]
    twice = [
        [f"{short} s", f"{long} s", cell(results, "Azul", 2, thinking(long), thinking(short))]
        for short, long in TWICE
    ]
    cross = [
        [board, str(players), *(cell(results, board, players, BRIEF, other) for other in OTHERS)]
        for players in (2, 3, 4)
        for board in BOARDS
    ]
    against = [f"`{other}`" for other in OTHERS[:-1]]
    return "\n\n".join(
        [
            "Two players:",
            table(["board", *(words for _, _, words in pairs)], two),
            "`strong`, 0.1 s, against `greedy` in all other seats; an even share is 33 or 25 %:",
            table(["board", "3 players", "4 players"], many),
            "Twice the time, Azul for two:",
            table(["against", "with", "share"], twice),
            "`strong`, 0.02 s, against one kind of player in all other seats; MCTS has 0.02 s, too:",
            table(["board", "players", *against, "MCTS"], cross),
        ]
    )


def report() -> None:
    """Write the tables into the page."""
    page = PAGE.read_text()
    made = re.sub(
        r"(<!-- tables -->\n).*(<!-- end -->)",
        lambda found: f"{found[1]}\n{tables(load())}\n\n{found[2]}",
        page,
        flags=re.S,
    )
    PAGE.write_text(made)


def main() -> None:
    """Play, print and report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("words", nargs="*", help="only matches whose names hold all these words")
    parser.add_argument("--jobs", type=int, default=1, help="processes that play at the same time")
    parser.add_argument("--report", action="store_true", help="play nothing; print, and write the tables")
    args = parser.parse_args()
    wanted = [match for match in matches() if all(word in match.name for word in args.words)]
    if args.report:
        results = load()
        for match in wanted:
            if results.get(match.name):
                print(told(match, results[match.name]))
        report()
    else:
        run(wanted, args.jobs)


if __name__ == "__main__":
    main()
