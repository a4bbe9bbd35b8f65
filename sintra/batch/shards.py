"""Shards: parts of a run, each played and kept by one worker."""

from __future__ import annotations

import os

import msgspec
from msgspec import Struct

from sintra.batch.counting import count_game, count_players
from sintra.batch.games import Games
from sintra.batch.plan import Plan
from sintra.batch.tallies import Tally
from sintra.log import writing

FOLDER_SIZE = 1000
"""Maximum number of files in a folder."""


class Seat(Struct):
    """The tally of one bot in one seat, from 1."""

    seat: int
    bot: str
    tally: Tally


class Count(Struct):
    """The tallies of a shard, or of a run."""

    games: Tally
    """The games alone: how many, and how long."""
    seats: list[Seat]

    def of(self, seat: int, bot: str) -> Tally:
        """Return the tally of a bot in a seat."""
        for known in self.seats:
            if known.seat == seat and known.bot == bot:
                return known.tally
        self.seats.append(Seat(seat, bot, Tally()))
        return self.seats[-1].tally

    def add(self, other: Count) -> None:
        """Add what was counted elsewhere."""
        self.games.add(other.games)
        for known in other.seats:
            self.of(known.seat, known.bot).add(known.tally)


class Task(Struct, frozen=True):
    """A shard to play; `folder` is where its worker keeps it, if the worker has our files."""

    plan: Plan
    shard: int
    logs: str
    folder: str | None


class Shard(Struct):
    """A shard that was played; `logs` are those that its worker could not keep itself."""

    number: int
    count: Count
    logs: list[bytes]


def play_shard(task: Task) -> Shard:
    """Play all games of a shard: what a worker does."""
    plan = task.plan
    games = Games(plan)
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


def keep(plan: Plan, shard: Shard, kind: str, folder: str) -> None:
    """Write a shard's logs, and then its tally, which marks it as finished.

    The logs are flushed to disk before the tally gets its name: where there is a tally, its logs are there,
    also after a power cut. A tally that is lost or damaged only means that its shard is played again.
    """
    files: dict[str, bytes] = {}
    if kind == "shards":
        files[file_of(folder, "logs", shard.number, "logs")] = b"".join(shard.logs)
    elif kind == "games":
        games = plan.games_of(shard.number)
        files = {file_of(folder, "logs", n, "log"): text for n, text in zip(games, shard.logs, strict=True)}
    for path, text in files.items():
        writing.replace(path, text)
    writing.sync([*files], folder)
    writing.replace(file_of(folder, "tallies", shard.number, "json"), msgspec.json.encode(shard.count))


def file_of(folder: str, kind: str, number: int, ending: str) -> str:
    """Return the file of a game or a shard; files are counted from 1, their folders from 0."""
    return os.path.join(folder, kind, f"{number // FOLDER_SIZE:03}", f"{number + 1:06}.{ending}")
