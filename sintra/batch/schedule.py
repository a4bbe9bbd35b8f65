"""The plan of a tournament, and its schedule: every deal for every set of bots, in every seat.

The schedule goes deal by deal, so a tournament that is stopped has treated everybody alike, and one with more
deals begins with the games of one with fewer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations
from math import comb
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from sintra.batch.plan import Setting, check_number, setting
from sintra.batch.results import MANY_ROUNDS, MAX_GAMES
from sintra.batch.sprt import Sprt
from sintra.bots.process import Limits
from sintra.bots.spec import label_of
from sintra.errors import Conflict, UsageError
from sintra.log.events import OptionValue

FEW = 6
"""Maximum number of seatings of a set for all of them to be played on each deal."""
DEALS = 100
"""Default number of deals."""
MAX_DEALS = 10**6


class Fixture(Struct, frozen=True):
    """A game of the schedule: its deal, and its bots by seat, both as numbers from 0."""

    deal: int
    seats: tuple[int, ...]

    @property
    def log(self) -> str:
        """The log of the game, as seen from the folder of the tournament; all numbers from 1."""
        seats = "-".join(str(bot + 1) for bot in self.seats)
        return f"logs/{self.deal + 1:04}/{seats}.log"


class TournamentPlan(Setting, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The plan of a tournament: everything that its games depend on."""

    bots: tuple[str, ...]
    deals: int
    gauntlet: str | None = None
    """The bot that is in every game, by its label."""
    sprt: Sprt | None = None
    """The test that ends a match of two."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the bots."""
        return tuple(map(label_of, self.bots))

    @property
    def seatings(self) -> int:
        """The number of games of each set of bots on each deal."""
        return len(_seatings(self.players, 0))

    @property
    def games(self) -> int:
        """The number of games, unless a test ends them early."""
        free = 0 if self.gauntlet is None else 1
        return self.deals * comb(len(self.bots) - free, self.players - free) * self.seatings

    def fixtures(self) -> Iterator[Fixture]:
        """Yield all games, in order."""
        chosen = None if self.gauntlet is None else self.labels.index(self.gauntlet)
        for deal in range(self.deals):
            orders = _seatings(self.players, deal)
            for members in combinations(range(len(self.bots)), self.players):
                if chosen is None or chosen in members:
                    for order in orders:
                        yield Fixture(deal, tuple(members[at] for at in order))


def _seatings(players: int, deal: int) -> list[tuple[int, ...]]:
    """Return the seatings of a set of bots on a deal.

    If there are few, these are all of them. With more players, everybody sits in every seat once, in one
    order around the table, and the order changes from deal to deal.
    """
    every = list(permutations(range(players)))
    if len(every) <= FEW:
        return every
    rounds = [order for order in every if order[0] == 0]
    order = rounds[deal % len(rounds)]
    return [order[-turn:] + order[:-turn] for turn in range(players)]


# -- Plans -----------------------------------------------------------------------------------


def planned_tournament(
    bots: Sequence[str],
    *,
    rules: str = "sintra",
    players: int = 2,
    deals: int = DEALS,
    gauntlet: str | None = None,
    sprt: Sprt | None = None,
    seed: int | None = None,
    max_rounds: int = MANY_ROUNDS,
    components: Mapping[str, Any] | None = None,
    options: Mapping[str, OptionValue] | None = None,
    limits: Limits | None = None,
    objects: Mapping[str, object] | None = None,
) -> TournamentPlan:
    """Return the plan of a tournament, checked; without a seed, one is drawn."""
    check_number("players", players, 4)
    check_number("deals", deals, MAX_DEALS)
    labels = [label_of(bot) for bot in bots]
    for label in labels:
        if labels.count(label) > 1:
            raise UsageError(f"two bots are called {label}; give each its own label: LABEL=NAME")
    if len(bots) < players:
        said = "1 bot is" if len(bots) == 1 else f"{len(bots)} bots are"
        raise UsageError(f"{said} too few for games of {players}; name at least {players}")
    if gauntlet is not None and gauntlet not in labels:
        raise UsageError(f"gauntlet: no bot is called {gauntlet!r}; there are {', '.join(labels)}")
    if sprt is not None and (players, len(bots)) != (2, 2):
        raise UsageError("sprt needs exactly two bots, and games of two players")
    common = setting(
        rules,
        players,
        bots,
        seed=seed,
        max_rounds=max_rounds,
        components=components,
        options=options,
        limits=limits,
        objects=objects,
    )
    plan = TournamentPlan(**asdict(common), bots=tuple(bots), deals=deals, gauntlet=gauntlet, sprt=sprt)
    if plan.games > MAX_GAMES:
        raise UsageError(f"this would be {plan.games} games; a tournament can have at most {MAX_GAMES}")
    return plan


def grown(kept: TournamentPlan, given: Mapping[str, Any], folder: str) -> TournamentPlan:
    """Return the plan of a folder, updated with what is given: the same, more deals, or more bots.

    What is None is not given. Raise Conflict if it is another tournament.
    """
    wanted: dict[str, Any] = {name: getattr(kept, name) for name in _GIVEN}
    wanted |= {name: value for name, value in given.items() if value is not None}
    if wanted["rules"] != kept.rules:  # with other options
        raise _differs(folder, "rules", kept.rules, wanted["rules"])
    wanted["bots"] = _all_bots(kept.bots, given.get("bots") or kept.bots, folder)
    plan = planned_tournament(**wanted)
    for name, value in asdict(plan).items():
        known = getattr(kept, name)
        grows = name == "bots" or (name == "deals" and value > known) or (name == "limits" and known is None)
        if value != known and not grows:
            raise _differs(folder, name, known, value)
    return plan


_GIVEN = (
    "rules",
    "players",
    "deals",
    "gauntlet",
    "sprt",
    "seed",
    "max_rounds",
    "components",
    "options",
    "limits",
)


def _all_bots(kept: Sequence[str], given: Sequence[str], folder: str) -> list[str]:
    """Return the bots of a folder, and those that are new."""
    labels = {label_of(bot): bot for bot in given}
    for bot in kept:
        other = labels.get(label_of(bot))
        if other is None:
            raise Conflict(f"{folder} also has the bot {bot}; name it, too, or leave out the bots")
        if other != bot:
            raise Conflict(
                f"{folder} holds another tournament: its bot {label_of(bot)} is {bot}, not {other}"
            )
    return [*kept, *(bot for bot in given if bot not in kept)]


def _differs(folder: str, name: str, kept: object, wanted: object) -> Conflict:
    """Return the error for a plan that differs from the folder's."""
    import msgspec

    from sintra.batch.folders import another

    found, other = (msgspec.json.encode(value).decode() for value in (kept, wanted))
    return another("tournament", folder, name, found, other)
