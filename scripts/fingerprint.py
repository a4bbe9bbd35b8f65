"""Print a hash over the logs, legal steps and effects of 720 random games: `python -m scripts.fingerprint`.

A change that must not change any game leaves the hash as it is; `--games` plays more or fewer games for each
board and number of players. With `--bot strong:nodes=100`, a bot plays all of them: the hash is the same in
both builds and under every Python if its choices are.
"""

from __future__ import annotations

import argparse
import hashlib

import msgspec

import sintra
from sintra import catalog
from sintra.bots.names import find
from sintra.bots.simple import Bot
from sintra.log.events import OptionValue
from sintra.rules.chance import Chance
from sintra.rules.effects import happenings

BOARDS: tuple[tuple[str, dict[str, OptionValue]], ...] = (
    ("sintra", {"side": "A"}),
    ("sintra", {"side": "B"}),
    ("azul", {"side": "colored"}),
    ("azul", {"side": "gray"}),
    ("crystal", {"side": "1"}),
    ("crystal", {"side": "2"}),
)
ROUNDS = 12


def played(bot: Bot, rules: str, options: dict[str, OptionValue], players: int, seed: int) -> str:
    """Return the log of a bot's game, with the legal codes and the effects of every step."""
    game = sintra.Game.new(catalog.find(rules), players, seed=seed, options=options)
    stream = Chance(seed).stream("bot 1")
    lines = []
    while not game.over and game.round <= ROUNDS:
        state = game.live
        state.effects = []
        legal = state.legal()
        code = bot(state, stream)
        state.play(code)
        effects = [(e.name, e.player, e.numbers) for e in happenings(game.rules, state.effects)]
        lines.append(f"{legal} {effects} {state.worth(0)} {state.breakdown()} {state.census()}")
        game.play(game.rules.steps[code])
    log = game.dumps().partition("\n")[2]  # the first line names the version
    return "\n".join([*lines, log, msgspec.json.encode(game.state).decode()])


def fingerprint(games: int, name: str) -> str:
    """Return the hash over this many games of a bot for each board and number of players."""
    bot = find(name)
    total = hashlib.sha256()
    for rules, options in BOARDS:
        for players in catalog.find(rules).players:
            for seed in range(games):
                total.update(played(bot, rules, options, players, seed).encode())
    return total.hexdigest()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=40, help="games for each board and number of players")
    parser.add_argument("--bot", default="random", help="who plays")
    args = parser.parse_args()
    print(fingerprint(args.games, args.bot))
