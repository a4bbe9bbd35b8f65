"""The plan of a run: what is played, and in which shards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from sintra import catalog
from sintra.batch.results import MANY_ROUNDS, MAX_GAMES, MAX_ROUNDS
from sintra.batch.tallies import bot_name, listing
from sintra.bots.names import find, name_of
from sintra.bots.simple import Bot
from sintra.errors import DamagedLog, UsageError
from sintra.log.events import MAX_NAME_CHARACTERS, Created, OptionValue
from sintra.rules.chance import Chance, new_seed
from sintra.rules.created import create
from sintra.rules.ruleset import Misfit, RuleSet

MAX_SHARD = 100
MANY_SHARDS = 64


class Plan(Struct, frozen=True, forbid_unknown_fields=True):
    """A plan: all that the results of a run depend on."""

    rules: str
    options: dict[str, OptionValue]
    players: int
    bots: tuple[str, ...]
    """One for each seat."""
    rotate: bool
    """Whether the bots rotate seats after each game."""
    games: int
    seed: int
    max_rounds: int
    components: dict[str, Any] | None
    engine: str

    @property
    def shard(self) -> int:
        """The number of games of a shard: small enough for many workers, and never large."""
        return max(1, min(MAX_SHARD, -(-self.games // MANY_SHARDS)))

    @property
    def shards(self) -> int:
        """The number of shards."""
        return -(-self.games // self.shard)

    def games_of(self, shard: int) -> range:
        """Return the games of a shard, counted from 0."""
        return range(shard * self.shard, min(self.games, (shard + 1) * self.shard))

    def seats(self, game: int) -> list[str]:
        """Return the bots by seat in a game, counted from 0."""
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
    """Return a plan, checked; without a seed, one is drawn."""
    named = _named(bots)
    players = players if players is not None else max(2, len(named))
    if len(named) not in (1, players):
        raise UsageError(
            f"{len(named)} computer players for {players} seats; name one for all seats, or one per seat"
        )
    for name in named:
        find(name)
        if len(bot_name(name, players)) > MAX_NAME_CHARACTERS:
            raise UsageError(
                f"{name}: with its seat, the name is longer than {MAX_NAME_CHARACTERS} characters"
            )
    _check_number("games", games, MAX_GAMES)
    _check_number("max_rounds", max_rounds, MAX_ROUNDS)
    seed = new_seed() if seed is None else seed
    found = catalog.find(rules)
    created = create(found, players, options or {}, "seeded", seed, catalog.engine_of(rules))
    if components:
        _check_components(found, created, components)
    return Plan(
        rules=rules,
        options=created.options,
        players=players,
        bots=tuple(named * players if len(named) == 1 else named),
        rotate=rotate,
        games=games,
        seed=seed,
        max_rounds=max_rounds,
        components=dict(components) if components else None,
        engine=created.engine,
    )


def _check_components(rules: RuleSet, created: Created, components: Mapping[str, Any]) -> None:
    """Raise UsageError unless the table can be laid out with these printed values."""
    try:
        rules.starter(created.options, len(created.players), components)(Chance(created.seed))
    except Misfit as error:
        raise UsageError(f"components: {error}") from None
    except DamagedLog as error:
        raise UsageError(f"components: {error.field}: {error.message}") from None


def _named(bots: str | Bot | Iterable[str | Bot]) -> list[str]:
    """Return the names of bots, however they are given."""
    if isinstance(bots, str):
        return listing(bots)
    return [name_of(bot) for bot in (bots if isinstance(bots, Iterable) else [bots])]


def _check_number(what: str, number: object, most: int) -> None:
    if type(number) is not int or not 1 <= number <= most:
        raise UsageError(f"{what} must be a whole number from 1 to {most}, not {number!r}")
