"""Many games between bots, from one seed, on any number of workers.

Every game of a run has its own seed, drawn from the run's seed, so that `sintra new --seed` deals it again.
The number of games alone determines the shards of a run: the workers and their order change nothing.

**A folder** keeps a run: `run.json` has the plan, `tallies/` the counts of each finished shard, and `logs/`
the games, one per file (`.log`) or one shard per file (`.logs`, one game after the other). A shard is
finished when its tally and its logs are there; a resumed run plays the shards that are not.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from itertools import tee
from typing import TYPE_CHECKING, Any

import msgspec

from sintra.batch import kept
from sintra.batch.columns import Group
from sintra.batch.folders import compare, is_used
from sintra.batch.kept import FOLDER_SIZE, Count, file_of
from sintra.batch.plan import Plan, named_bots, planned
from sintra.batch.results import MANY_ROUNDS, Summary
from sintra.batch.shards import Task, play_shard
from sintra.batch.tallies import Tally, distribution, results
from sintra.batch.workers import check, check_objects, cores, given, is_remote, spread
from sintra.bots.process import Limits
from sintra.bots.referee import close_kept
from sintra.bots.simple import Given
from sintra.bots.spec import label_of
from sintra.errors import Conflict, DamagedLog, UsageError
from sintra.log import files, writing
from sintra.log.events import OptionValue

if TYPE_CHECKING:
    from os import PathLike

KINDS = ("games", "shards", "none")
"""The kinds of logs to keep: a file per game, a file per shard, or none."""


def seed_kept(folder: str | PathLike[str] | None) -> int | None:
    """Return the seed of the run in a folder, for a call without a seed; None if there is no run."""
    if not folder:
        return None
    with suppress(DamagedLog, ValueError, RecursionError):
        data = files.read_owned(os.path.join(folder, "run.json"), os.fspath(folder))
        seed = msgspec.json.decode(data, type=dict[str, Any]).get("seed")
        return seed if type(seed) is int else None
    return None


# -- A run -----------------------------------------------------------------------------------


class Run:
    """A run: plays a plan shard by shard; with a folder, it continues where it stopped."""

    def __init__(
        self,
        plan: Plan,
        folder: str | PathLike[str] | None = None,
        logs: str | None = None,
        objects: dict[str, object] | None = None,
    ) -> None:
        if logs is not None and folder is None:
            raise UsageError("logs need a folder: name one with out")
        if logs not in (None, *KINDS):
            raise UsageError(f"logs must be {', '.join(KINDS[:-1])} or {KINDS[-1]}, not {logs!r}")
        if folder is not None and not os.fspath(folder):
            raise UsageError("out is empty: name a folder for the run")
        self.plan = plan
        self.objects = objects or {}
        self.folder = None if folder is None else os.fspath(folder)
        self.logs = "none" if folder is None else logs or "games"
        self.count = Count(Tally(), [])
        self.done = 0
        """The number of games that are played; `kept` of them were found in the folder."""
        self.kept = 0

    def play(self, executor: Executor) -> Iterator[int]:
        """Play; yield the number of games that are done after each shard."""
        with self._claimed():
            found = set()
            for number in self._tallied():
                count = kept.found(self.plan, number, self.folder or "")
                if count is not None and not kept.lost(self.plan, number, self.logs, self.folder or ""):
                    found.add(number)
                    self._add(number, count)
            self.kept = self.done
            if self.kept:
                yield self.done
            yield from self._play(executor, (n for n in range(self.plan.shards) if n not in found))

    def _play(self, executor: Executor, left: Iterable[int]) -> Iterator[int]:
        folder = None if is_remote(executor) else self.folder
        check_objects(self.objects, executor)
        remote = is_remote(executor)
        numbers, asked = tee(left)
        tasks = (Task(self.plan, number, self.logs, folder, self.objects, remote) for number in asked)
        try:
            for number, answer in zip(numbers, spread(executor, play_shard, tasks), strict=True):
                shard = kept.checked(self.plan, number, self.logs, answer) if remote else answer
                if self.folder is not None and folder is None:
                    kept.keep(self.plan, shard, self.logs, self.folder)
                self._add(shard.number, shard.count)
                yield self.done
        finally:
            close_kept()

    def _add(self, number: int, count: Count) -> None:
        self.count.add(count)
        self.done += len(self.plan.games_of(number))

    @contextmanager
    def _claimed(self) -> Iterator[None]:
        """Claim the folder for this run; raise Conflict if it holds another one."""
        if self.folder is None:
            yield
            return
        plan = self._kept_as()
        text = msgspec.json.format(msgspec.json.encode(plan), indent=2) + b"\n"
        path = os.path.join(self.folder, "run.json")
        if not os.path.exists(path) and is_used(self.folder):
            raise Conflict(f"{self.folder} has other files and no run to resume; name another folder")
        claim = writing.Claim(path, text)
        try:
            compare(claim.data, plan, self.folder)
            yield
        finally:
            claim.release()

    def _kept_as(self) -> dict[str, Any]:
        """Return the contents of `run.json`."""
        return {**msgspec.to_builtins(self.plan), "logs": self.logs}

    def in_folder(self) -> int:
        """Return how many games of this run are now in the folder, by the names of its tallies."""
        with suppress(Conflict, DamagedLog):
            if self.folder is not None:
                there = files.read_owned(os.path.join(self.folder, "run.json"), self.folder)
                compare(there, self._kept_as(), self.folder)
                return sum(len(self.plan.games_of(number)) for number in self._tallied())
        return 0

    def _tallied(self) -> Iterator[int]:
        """Yield the shards that have a tally in the folder."""
        if self.folder is None:
            return
        for start in range(0, self.plan.shards, FOLDER_SIZE):
            numbers = range(start, min(start + FOLDER_SIZE, self.plan.shards))
            if os.path.isdir(os.path.dirname(file_of(self.folder, "tallies", start, "json"))):
                yield from (n for n in numbers if os.path.exists(file_of(self.folder, "tallies", n, "json")))

    def summary(self) -> Summary:
        """Return the results of the games that were played."""
        return summarized(self.plan, self.count, self.done)


# -- The summary -----------------------------------------------------------------------------


def _merged(tallies: Sequence[Tally]) -> Tally:
    merged = Tally()
    for tally in tallies:
        merged.add(tally)
    return merged


def summarized(plan: Plan, count: Count, done: int) -> Summary:
    """Return the summary of a count."""
    numbers = range(1, plan.players + 1)
    by_seat = [_merged([one.tally for one in count.seats if one.seat == seat]) for seat in numbers]
    by_bot = {
        label_of(bot): _merged([one.tally for one in count.seats if one.bot == bot])
        for bot in sorted(set(plan.bots))
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
        seats=[results(Group, tally) for tally in by_seat],
        by_bot={bot: results(Group, tally) for bot, tally in by_bot.items()},
        score=distribution(_merged(by_seat).scores),
        rounds=distribution(count.games.rounds),
        turns=distribution(count.games.turns),
    )


def simulate(
    rules: str = "sintra",
    games: int = 100,
    *,
    players: int | None = None,
    bots: Given | Sequence[Given] = "random",
    rotate: bool = False,
    seed: int | None = None,
    max_rounds: int = MANY_ROUNDS,
    components: Mapping[str, Any] | None = None,
    jobs: int | None = 1,
    executor: Executor | str | None = None,
    out: str | PathLike[str] | None = None,
    logs: str | None = None,
    progress: Callable[[int], object] | None = None,
    limits: Limits | None = None,
    **options: OptionValue,
) -> Summary:
    """Let bots play many games; return a summary.

    `bots` is one bot for all seats, or one per seat, as a list or comma-separated text: `random`, `greedy`,
    `module:function`, a function, any other callable, a class (every game gets a new instance), or a
    program, `cmd:./mybot`, run within `limits`. `rotate` rotates seats after each game. `jobs` is the
    number of worker processes (None: one per core); `executor` is any `concurrent.futures.Executor`, or the
    address of a cluster. With `out`, the run is saved in a folder, and resumed if it was stopped; `logs` is
    `games`, `shards` or `none`. `progress` is called with the number of games done. Pass options of the
    rule-set by name.
    """
    named, objects = named_bots(bots)
    plan = planned(
        rules,
        games,
        players=players,
        bots=named,
        rotate=rotate,
        seed=seed_kept(out) if seed is None else seed,
        max_rounds=max_rounds,
        components=components,
        options=options,
        limits=limits,
        objects=objects,
    )
    run = Run(plan, out, logs, objects)
    check(jobs, executor)
    with given(executor, min(jobs or cores(), plan.shards)) as used:
        for done in run.play(used):
            if progress is not None:
                progress(done)
    return run.summary()
