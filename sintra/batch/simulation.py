"""Many games between computer players, from one seed, on any number of workers.

Every game of a run has its own seed, drawn from the run's seed, so that `sintra new --seed` deals it again. A
run is cut into shards by its number of games alone: who plays them, and in which order, changes nothing.

**A folder** keeps a run: `run.json` has the plan, `tallies/` what each finished shard counted, and `logs/`
the games, one per file (`.log`) or one shard per file (`.logs`, one game after the other). A shard is
finished when its tally is there; a run that was stopped is resumed with the shards that are not.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import msgspec

from sintra.batch.columns import Group
from sintra.batch.logs import unlisted
from sintra.batch.plan import Plan, planned
from sintra.batch.results import MANY_ROUNDS, Summary
from sintra.batch.shards import FOLDER_SIZE, Count, Task, file_of, keep, play_shard
from sintra.batch.tallies import Tally, distribution, results
from sintra.batch.workers import given, is_remote, spread
from sintra.bots.simple import Bot
from sintra.errors import Conflict, DamagedLog, UsageError
from sintra.log import files, writing
from sintra.log.events import OptionValue

if TYPE_CHECKING:
    from os import PathLike

KINDS = ("games", "shards", "none")
"""Which logs are kept: a file for each game, a file for each shard, or none."""


def seed_kept(folder: str | PathLike[str] | None) -> int | None:
    """Return the seed of the run that a folder holds, for a call that names none; None if it holds no run."""
    if not folder:
        return None
    with suppress(DamagedLog, ValueError):
        kept = msgspec.json.decode(files.read_whole(os.path.join(folder, "run.json")), type=dict[str, Any])
        return kept["seed"] if isinstance(kept.get("seed"), int) else None
    return None


# -- A run -----------------------------------------------------------------------------------


class Run:
    """A run: plays a plan shard by shard; with a folder, from where it was stopped."""

    def __init__(
        self, plan: Plan, folder: str | PathLike[str] | None = None, logs: str | None = None
    ) -> None:
        if logs is not None and folder is None:
            raise UsageError("logs need a folder: name one with out")
        if logs not in (None, *KINDS):
            raise UsageError(f"logs must be {', '.join(KINDS[:-1])} or {KINDS[-1]}, not {logs!r}")
        if folder is not None and not os.fspath(folder):
            raise UsageError("out is empty: name a folder for the run")
        self.plan = plan
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
        """Claim the folder for this run alone; raise Conflict if it holds another one."""
        if self.folder is None:
            yield
            return
        plan = self._kept_as()
        text = msgspec.json.format(msgspec.json.encode(plan), indent=2) + b"\n"
        path = os.path.join(self.folder, "run.json")
        if not os.path.exists(path) and _is_used(self.folder):
            raise Conflict(f"{self.folder} has other files and no run to resume; name another folder")
        claim = writing.Claim(path, text)
        try:
            _compare(claim.data, plan, self.folder)
            yield
        finally:
            claim.release()

    def _kept_as(self) -> dict[str, Any]:
        """Return what `run.json` holds."""
        return {**msgspec.to_builtins(self.plan), "logs": self.logs}

    def in_folder(self) -> int:
        """Return how many games of this run the folder holds by now, by the names of its tallies."""
        with suppress(Conflict, DamagedLog):
            if self.folder is not None:
                there = files.read_whole(os.path.join(self.folder, "run.json"))
                _compare(there, self._kept_as(), self.folder)
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

    def _found(self, number: int) -> Count | None:
        """Return what a shard counted; None if its tally is damaged."""
        path = file_of(self.folder or "", "tallies", number, "json")
        with suppress(DamagedLog, msgspec.DecodeError, UnicodeDecodeError):
            return msgspec.json.decode(files.read_whole(path), type=Count)
        return None

    def summary(self) -> Summary:
        """Return the results of the games that are done."""
        return summarized(self.plan, self.count, self.done)


def _is_used(folder: str) -> bool:
    """Return True for a folder that holds anything but drafts that a killed program left."""
    try:
        return os.path.isdir(folder) and not all(map(writing.is_draft, os.listdir(folder)))
    except OSError as error:
        raise unlisted(folder, error) from None


def _compare(there: bytes, plan: dict[str, Any], folder: str) -> None:
    """Raise Conflict unless the run that a folder holds is the one that is asked for."""
    try:
        other = msgspec.json.decode(there, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Conflict(f"can't use {folder}: its run.json was not written by sintra") from None
    for key in [*plan, *other]:
        wanted, found = (msgspec.json.encode(run.get(key)).decode() for run in (plan, other))
        if wanted != found:
            raise Conflict(f"{folder} holds another run: its {key} is {found[:80]}, not {wanted[:80]}")


# -- The summary -----------------------------------------------------------------------------


def _merged(tallies: Sequence[Tally]) -> Tally:
    merged = Tally()
    for tally in tallies:
        merged.add(tally)
    return merged


def summarized(plan: Plan, count: Count, done: int) -> Summary:
    """Return the summary of what was counted."""
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
    """Let computer players play many games; return a summary.

    `bots` is one for all seats, or one per seat, as a list or as a text with commas: `random`, `greedy`, or
    your own, as `module:function` or as the function itself (see `sintra.bots`). `rotate` rotates seats after
    each game. `jobs` is the number of worker processes (None: one per core); `executor` is any
    `concurrent.futures.Executor`, or the address of a cluster. With `out`, the run is kept in a folder, and
    resumed if it was stopped; `logs` is `games`, `shards` or `none`. `progress` is called with the number of
    games done. The rule-set's options go by their names.
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
