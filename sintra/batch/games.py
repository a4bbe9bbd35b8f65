"""The games of a run: seeds, play and logs. Compiled, for a run goes as fast as its games."""

from __future__ import annotations

from collections.abc import Sequence

from sintra import catalog
from sintra.batch.plan import Plan
from sintra.batch.selfplay import play_out
from sintra.batch.tallies import Outcome, bot_name, outcome_of
from sintra.bots.names import find
from sintra.game import Game
from sintra.log.events import FORMAT, MAX_SEED, Created
from sintra.rules.chance import Chance


def game_seed(chance: Chance, game: int) -> int:
    """Return the seed of a game of a run, counted from 0: 53 bits of the stream `game N`, N from 1."""
    stream = chance.stream(f"game {game + 1}")
    high = stream.word()
    return (high << 32 | stream.word()) & MAX_SEED


class Games:
    """The games of a plan, counted from 0; what they have in common is looked up and laid out once."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.players: int = plan.players
        self.rounds: int = plan.max_rounds
        self.rules = catalog.find(plan.rules)
        self.chance = Chance(plan.seed)
        self.start = self.rules.starter(plan.options, plan.players, plan.components or {})
        self.bots = [[find(bot) for bot in plan.seats(game)] for game in range(plan.players)]

    def play(self, game: int, chosen: list[int] | None = None) -> Outcome:
        """Play a game; append every chosen code to `chosen`."""
        chance = Chance(game_seed(self.chance, game))
        state = self.start(chance)
        turns = play_out(state, chance, self.bots[game % self.players], self.rounds, chosen)
        return outcome_of(state, turns)

    def log(self, game: int, chosen: Sequence[int]) -> bytes:
        """Return the log of a game that was played: the same seed, and the same choices.

        A game that did not end stops where it was stopped: the next round is not dealt.
        """
        plan = self.plan
        seed = game_seed(self.chance, game)
        created = Created(
            format=FORMAT,
            rules=plan.rules,
            options=plan.options,
            players=tuple(bot_name(bot, seat) for seat, bot in enumerate(plan.seats(game), 1)),
            chance="seeded",
            seed=seed,
            engine=plan.engine,
        )
        played = Game.start(self.rules, created, plan.components)
        for code in chosen:
            played.choose(code)
            played.settle(plan.max_rounds)
        return played.dumps().encode()
