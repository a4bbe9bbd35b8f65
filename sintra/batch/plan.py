"""The plan of a run: what is played, and in which shards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from sintra import catalog
from sintra.batch.results import MANY_ROUNDS, MAX_GAMES, MAX_ROUNDS
from sintra.batch.tallies import bot_name
from sintra.bots.names import check, check_labels, name_of
from sintra.bots.process import Limits
from sintra.bots.simple import Given
from sintra.bots.spec import names_in, parsed
from sintra.errors import DamagedLog, UsageError
from sintra.log.events import MAX_NAME_CHARACTERS, Created, OptionValue
from sintra.rules.chance import Chance, new_seed
from sintra.rules.created import create
from sintra.rules.ruleset import Misfit, RuleSet

MAX_SHARD = 100
MANY_SHARDS = 64


class Setting(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all games of a run have in common, whoever plays them."""

    rules: str
    options: dict[str, OptionValue]
    players: int
    seed: int
    max_rounds: int
    components: dict[str, Any] | None
    engine: str
    limits: Limits | None = None
    """The limits of programs, if any play."""


class Plan(Setting, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A plan: everything that the results of a run depend on."""

    bots: tuple[str, ...]
    """One for each seat."""
    rotate: bool
    """True if the bots rotate seats after each game."""
    games: int

    @property
    def shard(self) -> int:
        """The number of games in a shard: small enough to share among many workers, and never large."""
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
    bots: Given | Sequence[Given] = "random",
    rotate: bool = False,
    seed: int | None = None,
    max_rounds: int = MANY_ROUNDS,
    components: Mapping[str, Any] | None = None,
    options: Mapping[str, OptionValue] | None = None,
    limits: Limits | None = None,
    objects: Mapping[str, object] | None = None,
) -> Plan:
    """Return a plan, checked; without a seed, one is drawn. `objects` are bots given as objects."""
    named, _ = named_bots(bots)
    players = players if players is not None else max(2, len(named))
    if len(named) not in (1, players):
        raise UsageError(f"{len(named)} bots for {players} seats; name one for all seats, or one per seat")
    check_number("games", games, MAX_GAMES)
    common = setting(
        rules,
        players,
        named,
        seed=seed,
        max_rounds=max_rounds,
        components=components,
        options=options,
        limits=limits,
        objects=objects,
    )
    bots = tuple(named * players if len(named) == 1 else named)
    return Plan(**asdict(common), bots=bots, rotate=rotate, games=games)


def setting(
    rules: str,
    players: int,
    names: Sequence[str],
    *,
    seed: int | None,
    max_rounds: int,
    components: Mapping[str, Any] | None,
    options: Mapping[str, OptionValue] | None,
    limits: Limits | None,
    objects: Mapping[str, object] | None,
) -> Setting:
    """Return a setting for these bots, checked; without a seed, one is drawn."""
    check_labels(names)
    for name in names:
        if name not in (objects or {}):
            check(name)
        if len(bot_name(name, players)) > MAX_NAME_CHARACTERS:
            raise UsageError(
                f"{name}: with its seat, the name is longer than {MAX_NAME_CHARACTERS} characters; "
                "give it a label: LABEL=NAME"
            )
    check_number("max_rounds", max_rounds, MAX_ROUNDS)
    seed = new_seed() if seed is None else seed
    found = catalog.find(rules)
    created = create(found, players, options or {}, "seeded", seed, catalog.engine_of(rules))
    if components:
        _check_components(found, created, components)
    return Setting(
        rules=rules,
        options=created.options,
        players=players,
        seed=seed,
        max_rounds=max_rounds,
        components=dict(components) if components else None,
        engine=created.engine,
        limits=(limits or Limits()) if any(parsed(name).command for name in names) else None,
    )


def _check_components(rules: RuleSet, created: Created, components: Mapping[str, Any]) -> None:
    """Raise UsageError unless a table can be laid out with these printed values."""
    try:
        rules.starter(created.options, len(created.players), components)(Chance(created.seed))
    except Misfit as error:
        raise UsageError(f"components: {error}") from None
    except DamagedLog as error:
        raise UsageError(f"components: {error.field}: {error.message}") from None


def named_bots(bots: Given | Iterable[Given]) -> tuple[list[str], dict[str, object]]:
    """Return the names of bots, however they are given, and those given as objects."""
    if isinstance(bots, str):
        return names_in(bots), {}
    objects: dict[str, object] = {}
    return [name_of(bot, objects) for bot in (bots if isinstance(bots, Iterable) else [bots])], objects


def check_number(what: str, number: object, most: int) -> None:
    """Raise UsageError unless a number is an integer from 1 to `most`."""
    if type(number) is not int or not 1 <= number <= most:
        raise UsageError(f"{what} must be a whole number from 1 to {most}, not {number!r}")
