"""What a run plays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from sintra import catalog
from sintra.batch.results import MANY_ROUNDS, MAX_GAMES, MAX_ROUNDS
from sintra.batch.tallies import bot_name, listing
from sintra.bots.names import find, name_of
from sintra.bots.simple import Bot
from sintra.errors import UsageError
from sintra.game import Game
from sintra.log.events import MAX_NAME_CHARACTERS, OptionValue
from sintra.rules.chance import new_seed

if TYPE_CHECKING:
    pass

MAX_SHARD = 100
MANY_SHARDS = 64


class Plan(Struct, frozen=True, forbid_unknown_fields=True):
    """What is played: all that the results depend on."""

    rules: str
    options: dict[str, OptionValue]
    players: int
    bots: tuple[str, ...]
    """For each seat."""
    rotate: bool
    """With every game, the bots move on by one seat."""
    games: int
    seed: int
    max_rounds: int
    components: dict[str, Any] | None
    engine: str

    @property
    def shard(self) -> int:
        """How many games a shard has: enough shards for many workers, and never a long one."""
        return max(1, min(MAX_SHARD, -(-self.games // MANY_SHARDS)))

    @property
    def shards(self) -> int:
        """How many shards there are."""
        return -(-self.games // self.shard)

    def games_of(self, shard: int) -> range:
        """The games of a shard, counted from 0."""
        return range(shard * self.shard, min(self.games, (shard + 1) * self.shard))

    def seats(self, game: int) -> list[str]:
        """The bots by seat in a game, counted from 0."""
        by = game % self.players if self.rotate else 0
        return [self.bots[(seat + by) % self.players] for seat in range(self.players)]


def planned(
    rules: str = "sintra",
    games: int = 100,
    *,
    players: int | None = None,
    bots: str | Bot | Sequence[str | Bot] = "random",
    rotate: bool = False,
    seed: int | None = None,
    max_rounds: int = MANY_ROUNDS,
    components: Mapping[str, Any] | None = None,
    options: Mapping[str, OptionValue] | None = None,
) -> Plan:
    """What is to be played, checked; without a seed, one is drawn."""
    named = _named(bots)
    players = players if players is not None else max(2, len(named))
    if len(named) not in (1, players):
        raise UsageError(
            f"{len(named)} computer players are named for {players} seats; name one, or one a seat"
        )
    for name in named:
        find(name)
        if len(bot_name(name, players)) > MAX_NAME_CHARACTERS:
            raise UsageError(f"{name}: with its seat, a name has at most {MAX_NAME_CHARACTERS} characters")
    _check_number("games", games, MAX_GAMES)
    _check_number("max_rounds", max_rounds, MAX_ROUNDS)
    seed = new_seed() if seed is None else seed
    found = catalog.find(rules)
    trial = Game.new(found, players, seed=seed, options=options, components=components)
    return Plan(
        rules=rules,
        options=trial.created.options,
        players=players,
        bots=tuple(named * players if len(named) == 1 else named),
        rotate=rotate,
        games=games,
        seed=seed,
        max_rounds=max_rounds,
        components=dict(components) if components else None,
        engine=catalog.engine_of(rules),
    )


def _named(bots: str | Bot | Iterable[str | Bot]) -> list[str]:
    """The names of bots, however they are given."""
    if isinstance(bots, str):
        return listing(bots)
    return [name_of(bot) for bot in (bots if isinstance(bots, Iterable) else [bots])]


def _check_number(what: str, number: object, most: int) -> None:
    if type(number) is not int or not 1 <= number <= most:
        raise UsageError(f"{what}: a whole number, at least 1 and at most {most}")
