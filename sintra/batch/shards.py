"""The shards of a run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from sintra import catalog
from sintra.batch.counting import count_game, count_player
from sintra.batch.selfplay import play_out
from sintra.batch.tallies import Outcome, Tally, bot_name, outcome_of
from sintra.bots.names import find
from sintra.fold import Fold
from sintra.game import Game
from sintra.log import writing
from sintra.log.codec import decode_line, encode_line, encode_lines, line_decoder
from sintra.log.events import FORMAT, MAX_SEED, Created, Event
from sintra.rules.chance import Chance
from sintra.rules.state import DEAL

if TYPE_CHECKING:
    pass
from sintra.batch.plan import Plan

FOLDER_SIZE = 1000
"""So many files are in a folder, at most."""


# -- One game --------------------------------------------------------------------------------


def game_seed(seed: int, game: int) -> int:
    """The seed of a game of a run, counted from 0: 53 bits of the stream `game N`, N from 1."""
    stream = Chance(seed).stream(f"game {game + 1}")
    return (stream.word() << 32 | stream.word()) & MAX_SEED


def play_game(plan: Plan, game: int, chosen: list[int] | None = None) -> Outcome:
    """Play a game of a run, counted from 0."""
    rules = catalog.find(plan.rules)
    chance = Chance(game_seed(plan.seed, game))
    state = rules.start(plan.options, plan.players)
    state.arrange(_arranged(plan, chance))
    turns = play_out(state, chance, [find(bot) for bot in plan.seats(game)], plan.max_rounds, chosen)
    return outcome_of(state, turns)


def _arranged(plan: Plan, chance: Chance) -> Event:
    rules = catalog.find(plan.rules)
    arranged = rules.arrange(plan.options, plan.players, plan.components or {}, chance)
    if plan.components:  # typed in by a person: it is read as a line of a log is
        arranged = decode_line(line_decoder(rules.lines), encode_line(arranged), 0)
    return arranged


def game_log(plan: Plan, game: int, chosen: Sequence[int]) -> bytes:
    """The log of a game that was played: the same seed, and the same choices.

    A game that had no end stops where it was stopped: the next round is not dealt.
    """
    seed = game_seed(plan.seed, game)
    chance = Chance(seed)
    created = Created(
        format=FORMAT,
        rules=plan.rules,
        options=plan.options,
        players=tuple(bot_name(bot, seat) for seat, bot in enumerate(plan.seats(game), 1)),
        chance="seeded",
        seed=seed,
        engine=plan.engine,
    )
    fold = Fold(catalog.find(plan.rules), created)
    events: list[Event] = [created]
    played = Game(fold, events, chance)
    played.take(_arranged(plan, chance))
    played.settle()
    for code in chosen:
        events.append(fold.play(code))
        _go_on(played, fold, events, plan.max_rounds)
    return encode_lines(events)


def _go_on(game: Game, fold: Fold, events: list[Event], rounds: int) -> None:
    """What follows by itself after a choice, but for the deal of a round too many."""
    while not fold.at_rest and fold.state.phase != DEAL:
        fold.history.append(fold.conclude())
        events.append(fold.history[-1])
    if fold.state.round < rounds:
        game.settle()


# -- A shard ---------------------------------------------------------------------------------


class Seat(Struct):
    """What is counted of one bot in one seat, from 1."""

    seat: int
    bot: str
    tally: Tally


class Count(Struct):
    """What is counted of a shard, or of a run."""

    games: Tally
    """The games alone: how many, and how long."""
    seats: list[Seat]

    def of(self, seat: int, bot: str) -> Tally:
        """The tally of a bot in a seat."""
        for known in self.seats:
            if known.seat == seat and known.bot == bot:
                return known.tally
        self.seats.append(Seat(seat, bot, Tally()))
        return self.seats[-1].tally

    def count(self, outcome: Outcome, bots: Sequence[str]) -> None:
        """One more game, with these bots by seat."""
        count_game(self.games, outcome)
        if outcome.over:
            for seat, bot in enumerate(bots):
                count_player(self.of(seat + 1, bot), outcome, seat)

    def add(self, other: Count) -> None:
        """All that was counted elsewhere."""
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
    """Play all games of a shard: what every worker does."""
    plan = task.plan
    count = Count(Tally(), [])
    logs: list[bytes] = []
    for game in plan.games_of(task.shard):
        chosen: list[int] | None = None if task.logs == "none" else []
        count.count(play_game(plan, game, chosen), plan.seats(game))
        if chosen is not None:
            logs.append(game_log(plan, game, chosen))
    shard = Shard(task.shard, count, logs)
    if task.folder is not None:
        keep(plan, shard, task.logs, task.folder)
        shard.logs = []
    return shard


def keep(plan: Plan, shard: Shard, kind: str, folder: str) -> None:
    """Write a shard's logs, and then its tally, which says that it is finished.

    The disk has the logs before the tally gets its name: where there is a tally, its logs are there, also
    after a power cut. A tally that was lost, or is not whole, only means that its shard is played again.
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
    """The file of a game or a shard; files are counted from 1, their folders from 0."""
    return os.path.join(folder, kind, f"{number // FOLDER_SIZE:03}", f"{number + 1:06}.{ending}")
