"""Shards: parts of a run, each played and kept by one worker."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

from sintra.batch.counting import count_games, count_results
from sintra.batch.games import Games
from sintra.batch.kept import Count, Shard, keep
from sintra.batch.plan import Plan
from sintra.batch.tallies import Outcome, Tally
from sintra.bots.process import Limits
from sintra.bots.referee import Programs, kept


class Task(Struct, frozen=True):
    """A shard to play; `folder` is where its worker saves it, if the worker shares our file system."""

    plan: Plan
    shard: int
    logs: str
    folder: str | None
    objects: dict[str, Any] = {}
    """Bots given as objects."""
    remote: bool = False
    """True if the worker outlives the run."""


def play_shard(task: Task) -> Shard:
    """Play all games of a shard, in a worker."""
    limits = task.plan.limits
    if limits is None:
        return _play(task, None)
    with programs_of(limits, task.remote) as programs:
        return _play(task, programs)


@contextmanager
def programs_of(limits: Limits, remote: bool) -> Iterator[Programs]:
    """Yield the processes of programs that play, kept for the next task unless the worker is `remote`."""
    if not remote:
        yield kept(limits)
        return
    with Programs(limits) as programs:
        yield programs


def _play(task: Task, programs: Programs | None) -> Shard:
    plan = task.plan
    games = Games(plan, task.objects, programs)
    count = Count(Tally(), [])
    outcomes: dict[int, list[Outcome]] = {}
    """Those of all games, by how far the bots have rotated."""
    logs: list[bytes] = []
    for game in plan.games_of(task.shard):
        chosen: list[int] | None = None if task.logs == "none" else []
        outcomes.setdefault(game % plan.players, []).append(games.play(game, chosen))
        if chosen is not None:
            logs.append(games.log(game, chosen))
    for turned, played in outcomes.items():
        count_games(count.games, played)
        over = [outcome for outcome in played if outcome.over]
        for seat, bot in enumerate(plan.seats(turned) if over else ()):
            count_results(count.of(seat + 1, bot), over, seat)
    shard = Shard(task.shard, count, logs)
    if task.folder is not None:
        keep(plan, shard, task.logs, task.folder)
        shard.logs = []
    return shard
