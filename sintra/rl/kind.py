"""The kind of game to learn: its rules, players and options, checked once, and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from math import prod
from typing import Any

from msgspec.structs import replace

from sintra import catalog
from sintra.batch.arrays import Batch, episode_seed
from sintra.batch.plan import check_number
from sintra.batch.results import MANY_ROUNDS, MAX_ROUNDS
from sintra.batch.rewards import margins, shares
from sintra.errors import UsageError
from sintra.game import Game
from sintra.log.events import OptionValue
from sintra.rl.extras import needed
from sintra.rules.chance import Chance, new_seed
from sintra.rules.created import create
from sintra.rules.observer import Observer
from sintra.rules.planes import Planes
from sintra.rules.state import State

REWARDS = {"share": shares, "margin": margins}
"""The rewards at the end of a game, by name."""


class Kind:
    """A kind of game: rules with options, the number of players, the reward, and the limit of rounds."""

    def __init__(
        self,
        rules: str,
        players: int | Sequence[str],
        options: Mapping[str, OptionValue],
        *,
        reward: str = "share",
        max_rounds: int = MANY_ROUNDS,
        components: Mapping[str, Any] | None = None,
    ) -> None:
        """Raise UsageError or UnknownRules if there is no such game."""
        if reward not in REWARDS:
            raise UsageError(f"no reward {reward!r}; choose {' or '.join(REWARDS)}")
        check_number("max_rounds", max_rounds, MAX_ROUNDS)
        self.rules = catalog.find(rules)
        self.created = create(self.rules, players, options, "seeded", 0, catalog.engine_of(rules))
        self.players = len(self.created.players)
        self.reward = reward
        self.max_rounds = max_rounds
        self.components = dict(components or {})
        self.width = len(self.rules.steps)
        """The number of codes."""
        self.start = self.rules.starter(self.created.options, self.players, self.components)

    def call(self) -> tuple[str, int, Mapping[str, OptionValue], dict[str, Any]]:
        """Return the arguments that make this kind again, in another process."""
        more = {"reward": self.reward, "max_rounds": self.max_rounds, "components": self.components}
        return self.rules.name, self.players, self.created.options, more

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make it again, for pickle and deepcopy."""
        return kind_again, self.call()

    @cached_property
    def planes(self) -> Planes | None:
        """The planes of the game, if it has any."""
        return planes_of(self.rules)

    @cached_property
    def observer(self) -> Observer:
        """The observer, which writes masks and planes."""
        if self.planes is None:
            return Observer()
        found: Observer = needed(self.planes.observer).OBSERVER
        return found

    @property
    def shape(self) -> tuple[int, int, int]:
        """The number of planes, their rows and their columns; raises UsageError if the game has none."""
        if self.planes is None:
            raise UsageError(f"{self.rules.name} has no planes; use planes=False")
        return self.planes.shape(self.players)

    def start_pieces(self) -> int:
        """Return the number of pieces of a full deal."""
        offer = self.rules.start(self.created.options, self.players).offer
        return offer.displays * offer.size

    def rewards(self, state: State) -> list[float]:
        """Return each player's reward for a game that is over."""
        return REWARDS[self.reward](state)

    def batch(self, games: int, planes: bool, keep: bool, first: int = 0) -> Batch:
        """Return a batch of games, numbered from `first`."""
        cells = prod(self.shape) if planes else 0
        margin = self.reward == "margin"
        return Batch(
            self.start,
            self.observer,
            games,
            self.players,
            self.width,
            cells,
            self.max_rounds,
            margin,
            keep,
            first,
        )

    def game(self, seed: int, codes: Sequence[int], names: Sequence[str] | None = None) -> Game:
        """Return the game with this seed after these choices, as an ordinary game.

        While it is under way, its future draws get a new seed: looking at a game reveals nothing of its
        future.
        """
        players = self.created.players if names is None else tuple(names)
        game = Game.start(self.rules, replace(self.created, seed=seed, players=players), self.components)
        for code in codes:
            game.choose(code)
            game.settle(self.max_rounds)
        return game.fork(seed=episode_seed(seed, 0, 0)) if game.player else game


def kind_again(rules: str, players: int, options: Mapping[str, OptionValue], more: Mapping[str, Any]) -> Kind:
    """Return the kind whose `call` this is."""
    return Kind(rules, players, options, **more)


def planes_of(rules: Any) -> Planes | None:
    """Return the planes of a rule-set, if it has any."""
    if not rules.planes:
        return None
    found: Planes = needed(rules.planes).PLANES
    return found


def seed_given(seed: object) -> int:
    """Return the given seed, or draw one; raise UsageError unless it is an integer of 0 or more."""
    if seed is None:
        return new_seed()
    try:
        number = int(seed.__index__())  # type: ignore[attr-defined]  # numbers of numpy serve, too
    except AttributeError:
        number = -1
    if number < 0 or isinstance(seed, bool):
        raise UsageError(f"a seed must be a whole number of 0 or more, not {seed!r}")
    return number


class Table:
    """One game of a kind under way, with the codes that were chosen."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.seed = -1
        self.episode = 0
        self.codes: list[int] = []

    def reset(self, seed: object) -> None:
        """Begin the next episode, or the first one of another seed."""
        if seed is not None or self.seed < 0:
            self.seed, self.episode = seed_given(seed), 0
        self.episode += 1
        self.chance = Chance(episode_seed(self.seed, 0, self.episode))
        self.state = self.kind.start(self.chance)
        self.codes = []

    def game(self, names: Sequence[str] | None = None) -> Game:
        """Return the game as an ordinary one: see `Kind.game`."""
        if self.chance.seed is None:
            raise AssertionError("every episode has a seed")
        return self.kind.game(self.chance.seed, self.codes, names)
