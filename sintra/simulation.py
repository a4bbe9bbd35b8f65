"""Many games between computer players, from one seed, on any number of workers.

Every game of a run has a seed of its own, drawn from the run's seed, so that `sintra new --seed` deals it
again. A run is cut into shards by its number of games alone: who plays them, and in which order, changes
nothing.

**A folder** keeps a run: `run.json` tells what is played, `tallies/` has what every finished shard counted,
and `logs/` the games, one to a file (`.log`) or one shard to a file (`.logs`, one game after the other). A
shard is finished when its tally is there; a run that was stopped goes on with the shards that are not.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from sintra import catalog, log
from sintra.bots import Bot, find, name_of
from sintra.chance import Chance, new_seed
from sintra.errors import Conflict, DamagedLog, UsageError
from sintra.events import (
    FORMAT,
    MAX_NAME,
    MAX_SEED,
    Created,
    Event,
    OptionValue,
    decode_line,
    encode_line,
    encode_lines,
    line_decoder,
)
from sintra.folders import unlisted
from sintra.game import Fold, Game
from sintra.parallel import given, is_remote, spread
from sintra.reports import MANY_ROUNDS, MAX_GAMES, MAX_ROUNDS, Summary
from sintra.rules import DEAL
from sintra.selfplay import play_out
from sintra.tallies import Outcome, Tally, bot_name, distribution, group_of, listing, outcome_of

if TYPE_CHECKING:
    from os import PathLike

MAX_SHARD = 100
MANY_SHARDS = 64
FOLDER_SIZE = 1000
"""So many files are in a folder, at most."""
KINDS = ("games", "shards", "none")
"""What is kept of the logs: a file for each game, a file for each shard, or nothing."""


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
        if len(bot_name(name, players)) > MAX_NAME:
            raise UsageError(f"{name}: with its seat, a name has at most {MAX_NAME} characters")
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


def seed_kept(folder: str | PathLike[str] | None) -> int | None:
    """The seed of the run that a folder holds, for a call that names none; nothing where there is none."""
    if not folder:
        return None
    with suppress(DamagedLog, ValueError):
        kept = msgspec.json.decode(log.read_whole(os.path.join(folder, "run.json")), type=dict[str, Any])
        return kept["seed"] if isinstance(kept.get("seed"), int) else None
    return None


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
        self.games.count_game(outcome)
        if outcome.over:
            for seat, bot in enumerate(bots):
                self.of(seat + 1, bot).count_player(outcome, seat)

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
        files[_file(folder, "logs", shard.number, "logs")] = b"".join(shard.logs)
    elif kind == "games":
        games = plan.games_of(shard.number)
        files = {_file(folder, "logs", n, "log"): text for n, text in zip(games, shard.logs, strict=True)}
    for path, text in files.items():
        log.replace(path, text)
    log.sync([*files], folder)
    log.replace(_file(folder, "tallies", shard.number, "json"), msgspec.json.encode(shard.count))


def _file(folder: str, kind: str, number: int, ending: str) -> str:
    """The file of a game or a shard; files are counted from 1, their folders from 0."""
    return os.path.join(folder, kind, f"{number // FOLDER_SIZE:03}", f"{number + 1:06}.{ending}")


# -- A run -----------------------------------------------------------------------------------


class Run:
    """Plays what is planned, shard by shard; with a folder, from where it was stopped."""

    def __init__(
        self, plan: Plan, folder: str | PathLike[str] | None = None, logs: str | None = None
    ) -> None:
        if logs is not None and folder is None:
            raise UsageError("logs are kept in a folder; none is given")
        if logs not in (None, *KINDS):
            raise UsageError(f"logs are kept as {', '.join(KINDS)}, not {logs!r}")
        if folder is not None and not os.fspath(folder):
            raise UsageError("the folder for a run has no name")
        self.plan = plan
        self.folder = None if folder is None else os.fspath(folder)
        self.logs = "none" if folder is None else logs or "games"
        self.count = Count(Tally(), [])
        self.done = 0
        """How many games are played; `kept` of them were found in the folder."""
        self.kept = 0

    def play(self, executor: Executor) -> Iterator[int]:
        """Play; after every shard, how many games are done."""
        with self._claimed():
            found = set()
            for number in self._tallied():
                count = self._found(number)
                if count is not None:
                    found.add(number)
                    self._add(number, count)
            self.kept = self.done
            if self.kept:
                yield self.done
            yield from self._play(executor, (n for n in range(self.plan.shards) if n not in found))

    def _play(self, executor: Executor, left: Iterable[int]) -> Iterator[int]:
        folder = None if is_remote(executor) else self.folder
        tasks = (Task(self.plan, number, self.logs, folder) for number in left)
        for shard in spread(executor, play_shard, tasks):
            if self.folder is not None and folder is None:
                keep(self.plan, shard, self.logs, self.folder)
            self._add(shard.number, shard.count)
            yield self.done

    def _add(self, number: int, count: Count) -> None:
        self.count.add(count)
        self.done += len(self.plan.games_of(number))

    @contextmanager
    def _claimed(self) -> Iterator[None]:
        """Have the folder for this run alone; refused if another one is kept there."""
        if self.folder is None:
            yield
            return
        plan = self._told()
        text = msgspec.json.format(msgspec.json.encode(plan), indent=2) + b"\n"
        path = os.path.join(self.folder, "run.json")
        if not os.path.exists(path) and _is_used(self.folder):
            raise Conflict(f"{self.folder} holds other files, and no run to go on with")
        claim = log.Claim(path, text)
        try:
            _compare(claim.data, plan, self.folder)
            yield
        finally:
            claim.release()

    def _told(self) -> dict[str, Any]:
        """What `run.json` tells."""
        return {**msgspec.to_builtins(self.plan), "logs": self.logs}

    def in_folder(self) -> int:
        """How many games of this run the folder holds by now, as far as the names of its tallies tell."""
        with suppress(Conflict, DamagedLog):
            if self.folder is not None:
                there = log.read_whole(os.path.join(self.folder, "run.json"))
                _compare(there, self._told(), self.folder)
                return sum(len(self.plan.games_of(number)) for number in self._tallied())
        return 0

    def _tallied(self) -> Iterator[int]:
        """The shards that have a tally in the folder."""
        if self.folder is None:
            return
        for start in range(0, self.plan.shards, FOLDER_SIZE):
            numbers = range(start, min(start + FOLDER_SIZE, self.plan.shards))
            if os.path.isdir(os.path.dirname(_file(self.folder, "tallies", start, "json"))):
                yield from (n for n in numbers if os.path.exists(_file(self.folder, "tallies", n, "json")))

    def _found(self, number: int) -> Count | None:
        """What a shard counted; a tally that was not written whole counts for nothing."""
        path = _file(self.folder or "", "tallies", number, "json")
        with suppress(DamagedLog, msgspec.DecodeError, UnicodeDecodeError):
            return msgspec.json.decode(log.read_whole(path), type=Count)
        return None

    def summary(self) -> Summary:
        """What came out of the games that are done."""
        return summarized(self.plan, self.count, self.done)


def _is_used(folder: str) -> bool:
    """Whether there is a folder that holds anything, but for what a killed program left of a draft."""
    try:
        return os.path.isdir(folder) and not all(map(log.is_draft, os.listdir(folder)))
    except OSError as error:
        raise unlisted(folder, error) from None


def _compare(there: bytes, plan: dict[str, Any], folder: str) -> None:
    """The run that a folder holds must be the one that is asked for."""
    try:
        other = msgspec.json.decode(there, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Conflict(f"{folder} can't be used: its run.json is none of ours") from None
    for key in [*plan, *other]:
        wanted, found = (msgspec.json.encode(run.get(key)).decode() for run in (plan, other))
        if wanted != found:
            raise Conflict(f"{folder} holds another run: {key} {found[:80]} there, {wanted[:80]} here")


# -- The summary -----------------------------------------------------------------------------


def _merged(tallies: Sequence[Tally]) -> Tally:
    merged = Tally()
    for tally in tallies:
        merged.add(tally)
    return merged


def summarized(plan: Plan, count: Count, done: int) -> Summary:
    """The summary of what was counted."""
    numbers = range(1, plan.players + 1)
    by_seat = [_merged([one.tally for one in count.seats if one.seat == seat]) for seat in numbers]
    by_bot = {
        bot: _merged([one.tally for one in count.seats if one.bot == bot]) for bot in sorted(set(plan.bots))
    }
    return Summary(
        rules=plan.rules,
        options=plan.options,
        players=plan.players,
        bots=plan.bots,
        rotate=plan.rotate,
        seed=plan.seed,
        max_rounds=plan.max_rounds,
        games=plan.games,
        done=done,
        finished=count.games.games,
        seats=[group_of(tally) for tally in by_seat],
        by_bot={bot: group_of(tally) for bot, tally in by_bot.items()},
        score=distribution(_merged(by_seat).scores),
        rounds=distribution(count.games.rounds),
        turns=distribution(count.games.turns),
    )


def simulate(
    rules: str = "sintra",
    games: int = 100,
    *,
    players: int | None = None,
    bots: str | Bot | Sequence[str | Bot] = "random",
    rotate: bool = False,
    seed: int | None = None,
    max_rounds: int = MANY_ROUNDS,
    components: Mapping[str, Any] | None = None,
    jobs: int | None = 1,
    executor: Executor | str | None = None,
    out: str | PathLike[str] | None = None,
    logs: str | None = None,
    progress: Callable[[int], object] | None = None,
    **options: OptionValue,
) -> Summary:
    """Let computer players play many games, and sum up what came out.

    `bots` is one for all seats, or one a seat, as a list or as a text with commas: `random`, `greedy`, or one
    of your own, as `module:function` or as the function itself (see `sintra.bots`). `jobs` is how many
    processes play (None: one a core); `executor` is any `concurrent.futures.Executor`, or the address of a
    cluster. With `out`, the run is kept in a folder, and goes on from where it was stopped; `logs` is
    `games`, `shards` or `none`. `progress` is called with the number of games done. The rule-set's options
    go by their names.
    """
    plan = planned(
        rules,
        games,
        players=players,
        bots=bots,
        rotate=rotate,
        seed=seed_kept(out) if seed is None else seed,
        max_rounds=max_rounds,
        components=components,
        options=options,
    )
    run = Run(plan, out, logs)
    with given(executor, jobs) as used:
        for done in run.play(used):
            if progress is not None:
                progress(done)
    return run.summary()
