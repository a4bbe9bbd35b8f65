"""The games of a run: seeds, play and logs. Compiled, as the hot loop of `simulate`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sintra import catalog
from sintra.batch.counting import outcome_of
from sintra.batch.plan import Plan, Setting
from sintra.batch.selfplay import play_out
from sintra.batch.tallies import Outcome, bot_name
from sintra.bots.names import maker
from sintra.bots.referee import Played, Programs, referee, seated
from sintra.game import Game
from sintra.log.events import FORMAT, MAX_SEED, Created
from sintra.rules.chance import Chance


def game_seed(chance: Chance, game: int) -> int:
    """Return the seed of game `number` (from 0) of a run: 53 bits of the stream `game N`, with N from 1."""
    stream = chance.stream(f"game {game + 1}")
    high = stream.word()
    return (high << 32 | stream.word()) & MAX_SEED


class Table:
    """Starts and plays the games of a run: each by the number of its deal, from 0, and the bots by seat."""

    def __init__(self, setting: Setting, objects: Mapping[str, object] | None = None) -> None:
        """`objects` are bots given as objects."""
        self.setting = setting
        self.objects = objects
        self.rules = catalog.find(setting.rules)
        self.chance = Chance(setting.seed)

    def begin(self, deal: int, names: Sequence[str]) -> Game:
        """Return a game at its beginning."""
        setting = self.setting
        created = Created(
            format=FORMAT,
            rules=setting.rules,
            options=setting.options,
            players=tuple([bot_name(bot, seat) for seat, bot in enumerate(names, 1)]),
            chance="seeded",
            seed=game_seed(self.chance, deal),
            engine=setting.engine,
        )
        return Game.start(self.rules, created, setting.components)

    def referee(
        self,
        deal: int,
        names: Sequence[str],
        programs: Programs,
        forfeit: bool,
        chosen: list[int] | None = None,
    ) -> tuple[Game, Played]:
        """Play a game event by event; return it with the referee's notes. Programs are sent every event."""
        game = self.begin(deal, names)
        seats = seated(names, game, programs, self.objects)
        return game, referee(game, seats, rounds=self.setting.max_rounds, forfeit=forfeit, chosen=chosen)


class Games(Table):
    """The games of a plan, counted from 0; what they have in common is prepared only once."""

    def __init__(
        self, plan: Plan, objects: Mapping[str, object] | None = None, programs: Programs | None = None
    ) -> None:
        """`objects` are bots given as objects; `programs` has the processes of bots that are programs."""
        super().__init__(plan, objects)
        self.plan = plan
        self.programs = programs
        self.players: int = plan.players
        self.rounds: int = plan.max_rounds
        self.start = self.rules.starter(plan.options, plan.players, plan.components or {})
        self.makers = {bot: maker(bot, objects) for bot in plan.bots if programs is None}
        self.turns = [plan.seats(game) for game in range(plan.players)]

    def play(self, game: int, chosen: list[int] | None = None) -> Outcome:
        """Play a game; append every chosen code to `chosen`."""
        names = self.turns[game % self.players]
        if self.programs is not None:
            played, seen = self.referee(game, names, self.programs, False, chosen)
            return outcome_of(played.live, seen.turns)
        chance = Chance(game_seed(self.chance, game))
        state = self.start(chance)
        turns = play_out(state, chance, [self.makers[bot]() for bot in names], self.rounds, chosen)
        return outcome_of(state, turns)

    def log(self, game: int, chosen: Sequence[int]) -> bytes:
        """Return the log of a game that was played: the same seed, and the same choices.

        A game that was stopped early ends there: the next round is not dealt.
        """
        played = self.begin(game, self.plan.seats(game))
        for code in chosen:
            played.choose(code)
            played.settle(self.rounds)
        return played.dumps().encode()
