"""Tournaments: bots play each other on the same deals, and every finished game is kept at once.

**A folder** keeps a tournament: `plan.json` has the plan, `journal.jsonl` a line for each finished game, and
`logs/` the games. The same call resumes one that stopped for any reason, and extends it by more deals or
bots.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from sintra.batch import journal
from sintra.batch.folders import is_used
from sintra.batch.journal import JOURNAL, Journal, Result
from sintra.batch.matches import Ended, Match, play_match
from sintra.batch.plan import Setting, named_bots
from sintra.batch.results import Decision, Standings
from sintra.batch.schedule import Fixture, TournamentPlan, grown, planned_tournament
from sintra.batch.sprt import Sprt, judge
from sintra.batch.sprt import parse as parse_sprt
from sintra.batch.standings import standings
from sintra.batch.workers import check_objects, gathered, given, is_remote
from sintra.bots.process import Limits
from sintra.bots.referee import close_kept
from sintra.bots.simple import Bot
from sintra.errors import Conflict, UsageError
from sintra.log import files, writing
from sintra.log.events import OptionValue
from sintra.text import plural

if TYPE_CHECKING:
    from os import PathLike

PLAN = "plan.json"
LOCK = "lock"
LOGS = "logs"


class Pairs:
    """The pairs of games on each deal of a match of two, which may decide its test."""

    def __init__(self, test: Sprt) -> None:
        self._test = test
        self._first: dict[int, int] = {}
        self.counts = [0] * 5

    def add(self, fixture: Fixture, result: Result) -> None:
        """Add a game: a pair counts once both its games are there."""
        mine, other = (result.places[fixture.seats.index(bot)] for bot in (0, 1))
        halves = 1 + (mine < other) - (mine > other)
        if fixture.deal in self._first:
            self.counts[self._first.pop(fixture.deal) + halves] += 1
        else:
            self._first[fixture.deal] = halves

    def decision(self) -> Decision:
        """Return the state of the test."""
        return judge(self._test, self.counts)


class Tournament:
    """A tournament in a folder: plays the games that its journal lacks."""

    def __init__(self, plan: TournamentPlan, folder: str, objects: dict[str, object] | None = None) -> None:
        self.plan = plan
        self.folder = folder
        self.objects = objects or {}
        self.journal = Journal({})
        self.kept = 0
        """The number of games that were found in the folder."""
        self.stopping = False
        """Set it to finish the games under way, and no others."""
        self._pairs = None if plan.sprt is None else Pairs(plan.sprt)

    @property
    def done(self) -> int:
        """The number of finished games."""
        return len(self.journal.results)

    @property
    def decision(self) -> Decision | None:
        """The state of the test, if there is one."""
        return None if self._pairs is None else self._pairs.decision()

    @property
    def decided(self) -> bool:
        """True if a test has ended the match."""
        decision = self.decision
        return decision is not None and decision.accepted is not None

    def play(self, executor: Executor) -> Iterator[int]:
        """Play; yield the number of finished games whenever more of them are on disk."""
        check_objects(self.objects, executor)
        with self._claimed():
            self.journal = journal.read(self.folder, self.plan)
            journal.prepare(self.folder, self.journal.torn)
            self.kept = self.done
            self._follow(self.journal.results.items())
            yield self.done
            try:
                yield from self._play(executor)
            finally:
                close_kept()

    def _play(self, executor: Executor) -> Iterator[int]:
        left = (fixture for fixture in self.plan.fixtures() if fixture not in self.journal.results)
        remote = is_remote(executor)
        common = msgspec.convert(
            {name: getattr(self.plan, name) for name in Setting.__struct_fields__}, Setting
        )
        matches = (self._match(common, fixture, remote) for fixture in left if not self.decided)
        for group in gathered(executor, play_match, matches, lambda: self.stopping or self.decided):
            if kept := self._counting(group):
                self._keep(kept)
                yield self.done

    def _match(self, common: Setting, fixture: Fixture, remote: bool) -> Match:
        bots = tuple(self.plan.bots[bot] for bot in fixture.seats)
        return Match(common, fixture, bots, self.objects, remote)

    def _counting(self, group: Sequence[Ended]) -> list[Ended]:
        """Return the games that still count: none after the game that decides the test."""
        kept = []
        for ended in group:
            if self.decided:
                break
            self._follow([(ended.fixture, ended.result)])
            kept.append(ended)
        return kept

    def _follow(self, results: Iterable[tuple[Fixture, Result]]) -> None:
        if self._pairs is not None:
            for fixture, result in results:
                self._pairs.add(fixture, result)

    def _keep(self, group: Sequence[Ended]) -> None:
        """Write the logs of finished games, then their lines: once the line is there, the game counts."""
        paths = [os.path.join(self.folder, ended.result.log) for ended in group]
        for path, ended in zip(paths, group, strict=True):
            writing.replace(path, ended.log)
        writing.sync(paths, self.folder)
        journal.append(self.folder, [ended.result for ended in group])
        self.journal.results.update((ended.fixture, ended.result) for ended in group)

    @contextmanager
    def _claimed(self) -> Iterator[None]:
        """Claim the folder for this program, and save the plan there."""
        if not os.path.exists(os.path.join(self.folder, PLAN)) and is_used(self.folder, (LOCK, JOURNAL)):
            raise Conflict(f"{self.folder} has other files and no tournament; name another folder")
        claim = writing.Claim(os.path.join(self.folder, LOCK), b"a tournament of sintra\n")
        try:
            kept = kept_plan(self.folder)
            if kept is not None:
                self.plan = grown(kept, {**_given(self.plan), "objects": self.objects}, self.folder)
            if kept != self.plan:
                text = msgspec.json.format(msgspec.json.encode(self.plan), indent=2) + b"\n"
                writing.replace(os.path.join(self.folder, PLAN), text)
                writing.sync([os.path.join(self.folder, PLAN)], self.folder)
            writing.remove_drafts(self.folder)
            yield
        finally:
            claim.release()

    def standings(self, *, intervals: bool = True) -> Standings:
        """Return the standings."""
        missing = journal.missing(self.folder, list(self.journal.results.values())) if intervals else []
        return standings(self.plan, self.journal.results, self.decision, missing, intervals=intervals)

    def ended(self) -> str:
        """Say why the tournament ended."""
        decision = self.decision
        if decision is not None and decision.accepted is not None:
            elo = getattr(decision, decision.accepted)
            said = f"{elo:+g} rather than {decision.elo0 + decision.elo1 - elo:+g}"
            return f"the test is decided after {plural(self.done, 'game')}: the difference in Elo is {said}"
        if self.done >= self.plan.games:
            more = ", and the test is not decided" if decision is not None else ""
            return f"all {plural(self.plan.games, 'game')} are played{more}"
        return f"{self.done} of {plural(self.plan.games, 'game')} are played"


def _given(plan: TournamentPlan) -> dict[str, Any]:
    return {name: getattr(plan, name) for name in plan.__struct_fields__ if name != "engine"}


# -- Folders ---------------------------------------------------------------------------------


def kept_plan(folder: str) -> TournamentPlan | None:
    """Return the plan that a folder holds; None if there is none."""
    path = os.path.join(folder, PLAN)
    if not os.path.exists(path):
        return None
    try:
        return msgspec.json.decode(files.read_whole(path), type=TournamentPlan)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Conflict(f"can't use {folder}: its {PLAN} is not that of a tournament: {error}") from None


def opened(folder: str, given: Mapping[str, Any], objects: dict[str, object] | None = None) -> Tournament:
    """Return the tournament of a folder, updated with what is given; None means not given."""
    if not folder:
        raise UsageError("the folder of a tournament has no name")
    kept = kept_plan(folder)
    if kept is not None:
        plan = grown(kept, {**given, "objects": objects}, folder)
    elif given.get("bots"):
        plan = planned_tournament(
            **{name: value for name, value in given.items() if value is not None}, objects=objects
        )
    else:
        raise UsageError(f"{folder} has no tournament to resume: name the bots of a new one")
    return Tournament(plan, folder, objects)


def standings_of(folder: str) -> tuple[Standings, list[str]]:
    """Return the standings of a tournament's folder, and remarks about its files."""
    kept = kept_plan(folder)
    if kept is None:
        raise UsageError(f"{folder} has no tournament: there is no {PLAN}")
    found = Tournament(kept, folder)
    found.journal = journal.read(folder, kept)
    found._follow(found.journal.results.items())
    return found.standings(), found.journal.remarks()


def write_page(folder: str, path: str, found: Standings) -> None:
    """Write the page of a tournament, or a new version of it; no other file is overwritten."""
    from sintra import catalog
    from sintra.batch.page import MARK, page

    kept = kept_plan(folder)
    assert kept is not None
    results = sorted(journal.read(folder, kept).results.items(), key=lambda one: (one[0].deal, one[0].seats))
    way = os.path.relpath(folder, os.path.dirname(os.path.abspath(path)))
    title = catalog.find(found.rules).title
    text = page(found, title, [result for _, result in results], way)
    writing.renew(path, text.encode(), MARK.encode())


# -- The library -----------------------------------------------------------------------------


def ratings(folder: str | PathLike[str]) -> Standings:
    """Return how the tournament of a folder stands: ratings with intervals, results, and a crosstable."""
    return standings_of(os.fspath(folder))[0]


def tournament(
    folder: str | PathLike[str],
    bots: str | Bot | Sequence[str | Bot] | None = None,
    *,
    rules: str | None = None,
    players: int | None = None,
    deals: int | None = None,
    gauntlet: str | None = None,
    sprt: str | None = None,
    seed: int | None = None,
    max_rounds: int | None = None,
    components: Mapping[str, Any] | None = None,
    limits: Limits | None = None,
    jobs: int | None = 1,
    executor: Executor | str | None = None,
    progress: Callable[[int], object] | None = None,
    **options: OptionValue,
) -> Standings:
    """Let bots play a tournament, saved in a folder, or resume one; return the standings.

    `bots` are named as for `simulate`, but each needs a different name. On each of `deals` deals, every set
    of `players` bots plays in every seat; with `gauntlet`, every set that includes that bot. `sprt`, such
    as `"0,20"`, ends a match of two bots as soon as it is decided. Arguments that are left out have the
    value saved in the folder, or the default; more deals or bots than before extend the tournament.
    `progress` is called with the number of finished games. Everything else is as for `simulate`.
    """
    named, objects = (None, {}) if bots is None else named_bots(bots)
    asked = {
        "bots": named,
        "rules": rules,
        "players": players,
        "deals": deals,
        "gauntlet": gauntlet,
        "sprt": None if sprt is None else parse_sprt(sprt),
        "seed": seed,
        "max_rounds": max_rounds,
        "components": components,
        "options": options or None,
        "limits": limits,
    }
    found = opened(os.fspath(folder), asked, objects)
    with given(executor, jobs) as used:
        for done in found.play(used):
            if progress is not None:
                progress(done)
    return found.standings()
