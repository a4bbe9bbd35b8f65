"""Shards: parts of a run, each played and kept by one worker."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

from sintra.batch.counting import count_game, count_players
from sintra.batch.games import Games
from sintra.batch.kept import Count, Shard, keep
from sintra.batch.plan import Plan
from sintra.batch.tallies import Tally
from sintra.bots.process import Limits
from sintra.bots.referee import Programs, kept


class Task(Struct, frozen=True):
    """A shard to play; `folder` is where its worker keeps it, if the worker has our files."""

    plan: Plan
    shard: int
    logs: str
    folder: str | None
    objects: dict[str, Any] = {}
    """Bots that are no names."""
    remote: bool = False
    """Whether the worker lives on after the run."""


def play_shard(task: Task) -> Shard:
    """Play all games of a shard: what a worker does."""
    limits = task.plan.limits
    if limits is None:
        return _play(task, None)
    with programs_of(limits, task.remote) as programs:
        return _play(task, programs)


@contextmanager
def programs_of(limits: Limits, remote: bool) -> Iterator[Programs]:
    """Yield the processes of programs that play: kept for the next piece of work, unless it is `remote`."""
    if not remote:
        yield kept(limits)
        return
    with Programs(limits) as programs:
        yield programs


def _play(task: Task, programs: Programs | None) -> Shard:
    plan = task.plan
    games = Games(plan, task.objects, programs)
    count = Count(Tally(), [])
    tallies: dict[int, list[Tally]] = {}
    """Those of all seats, by how far the bots have rotated."""
    logs: list[bytes] = []
    for game in plan.games_of(task.shard):
        chosen: list[int] | None = None if task.logs == "none" else []
        outcome = games.play(game, chosen)
        count_game(count.games, outcome)
        if outcome.over:
            turned = game % plan.players
            if turned not in tallies:
                tallies[turned] = [count.of(seat, bot) for seat, bot in enumerate(plan.seats(game), 1)]
            count_players(tallies[turned], outcome)
        if chosen is not None:
            logs.append(games.log(game, chosen))
    shard = Shard(task.shard, count, logs)
    if task.folder is not None:
        keep(plan, shard, task.logs, task.folder)
        shard.logs = []
    return shard
