"""Matches: games of a tournament, each played by one worker. A bot that fails forfeits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from sintra.batch.games import Table
from sintra.batch.journal import Result
from sintra.batch.plan import Setting
from sintra.batch.schedule import Fixture
from sintra.batch.shards import programs_of
from sintra.bots.process import Limits
from sintra.bots.referee import Played
from sintra.bots.spec import label_of
from sintra.game import Game


class Match(Struct, frozen=True):
    """A game to play."""

    setting: Setting
    fixture: Fixture
    bots: tuple[str, ...]
    """By seat."""
    objects: dict[str, Any] = {}
    """Bots given as objects."""
    remote: bool = False
    """True if the worker outlives the tournament."""


class Ended(Struct, frozen=True):
    """A game that was played: its line in the journal, and its log."""

    fixture: Fixture
    result: Result
    log: bytes


def play_match(match: Match) -> Ended:
    """Play a game, in a worker."""
    table = Table(match.setting, match.objects)
    with programs_of(match.setting.limits or Limits(), match.remote) as programs:
        game, seen = table.referee(match.fixture.deal, match.bots, programs, True)
    return Ended(match.fixture, _result(match, game, seen), game.dumps().encode())


def _result(match: Match, game: Game, seen: Played) -> Result:
    scores = list(game.scores)
    places = ranking(scores, game.winners, {fault.seat for fault in seen.forfeits})
    return Result(
        deal=match.fixture.deal + 1,
        seats=tuple(map(label_of, match.bots)),
        scores=scores,
        places=places,
        winners=[seat for seat, place in enumerate(places, 1) if place == 1],
        reason=seen.reason,
        faults=seen.forfeits,
        turns=seen.turns,
        choices=seen.choices,
        times=[round(seconds, 6) for seconds in seen.times],
        log=match.fixture.log,
    )


def ranking(scores: Sequence[int], winners: Sequence[int], failed: set[int]) -> list[int]:
    """Return the places by seat; `winners` and `failed` seats count from 1.

    The rules say who has won; points decide the other places; those who failed come last.
    """
    ranks = [
        (False, False, 0) if seat in failed else (True, seat in winners, score)
        for seat, score in enumerate(scores, 1)
    ]
    return [1 + sum(other > rank for other in ranks) for rank in ranks]
