"""The files that a run keeps for its shards, and the checks on them and on the answers of workers.

A tally is accepted if it names its shard, has the right checksum over the plan and its counts, and its counts
fit the games of the shard.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from hashlib import sha256

import msgspec
from msgspec import Struct

from sintra.batch.plan import Plan
from sintra.batch.tallies import SHARES, Tally
from sintra.errors import Conflict, DamagedLog, WorkersLost
from sintra.log import files, writing

FOLDER_SIZE = 1000
"""Maximum number of files in a folder."""


class Seat(Struct):
    """The tally of one bot in one seat, from 1."""

    seat: int
    bot: str
    tally: Tally


class Count(Struct):
    """The tallies of a shard or of a run."""

    games: Tally
    """Games without players: how many, and how long."""
    seats: list[Seat]

    def of(self, seat: int, bot: str) -> Tally:
        """Return the tally of a bot in a seat."""
        for known in self.seats:
            if known.seat == seat and known.bot == bot:
                return known.tally
        self.seats.append(Seat(seat, bot, Tally()))
        return self.seats[-1].tally

    def add(self, other: Count) -> None:
        """Add another count."""
        self.games.add(other.games)
        for known in other.seats:
            self.of(known.seat, known.bot).add(known.tally)


class Shard(Struct):
    """A shard that was played; `logs` are those that its worker could not save itself."""

    number: int
    count: Count
    logs: list[bytes]


class Kept(Struct, forbid_unknown_fields=True):
    """The file of a shard's tally."""

    shard: int
    """From 0."""
    checksum: str
    count: Count


def file_of(folder: str, kind: str, number: int, ending: str) -> str:
    """Return the file of a game or a shard; files are counted from 1, their folders from 0."""
    return os.path.join(folder, kind, f"{number // FOLDER_SIZE:03}", f"{number + 1:06}.{ending}")


def keep(plan: Plan, shard: Shard, kind: str, folder: str) -> None:
    """Write a shard's logs, then its tally, which marks it as finished.

    The logs are flushed to disk before the tally gets its name: if there is a tally, its logs are there, even
    after a power cut. Existing files are left alone. If the tally exists, some logs were lost, and only those
    are written. Raise Conflict if replayed games have different results.
    """
    paths = logs_of(plan, shard.number, kind, folder)
    texts = [b"".join(shard.logs)] if kind == "shards" else shard.logs
    tally = file_of(folder, "tallies", shard.number, "json")
    counted = Kept(shard.number, _checksum(plan, shard.number, shard.count), shard.count)
    known = found(plan, shard.number, folder) if os.path.lexists(tally) else None
    gone = paths if known is None else lost(plan, shard.number, kind, folder)
    if known is not None and known != shard.count and gone:
        raise Conflict(
            f"{files.shown(gone[0])} is missing, and its games, replayed, have other results than "
            f"{files.shown(tally)} counts; restore the log, or name another folder"
        )
    for path, text in zip(paths, texts, strict=True):
        if path in gone:
            writing.keep(path, text, folder)
    writing.sync(gone, folder)
    writing.keep(tally, msgspec.json.encode(counted), folder)


def logs_of(plan: Plan, number: int, kind: str, folder: str) -> list[str]:
    """Return the files that hold the logs of a shard."""
    if kind == "games":
        return [file_of(folder, "logs", game, "log") for game in plan.games_of(number)]
    return [file_of(folder, "logs", number, "logs")] if kind == "shards" else []


def lost(plan: Plan, number: int, kind: str, folder: str) -> list[str]:
    """Return the logs of a finished shard that are missing."""
    return [path for path in logs_of(plan, number, kind, folder) if not os.path.exists(path)]


def found(plan: Plan, number: int, folder: str) -> Count | None:
    """Return the counts of a shard; None if a power cut left only a part. Raise DamagedLog if it is wrong."""
    path = file_of(folder, "tallies", number, "json")
    data = files.read_owned(path, folder).rstrip(b"\0")
    try:
        kept = msgspec.json.decode(data, type=Kept)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        if not data or "truncated" in str(error):
            return None
        reason = "it was not written by sintra"
    else:
        if kept.shard != number or kept.checksum != _checksum(plan, number, kept.count):
            reason = "it is another shard's, or was changed"
        else:
            reason = fault(plan, number, kept.count)
    if reason:
        raise DamagedLog(f"can't use {files.shown(path)}: {reason}; delete it to play its games again")
    return kept.count


def _checksum(plan: Plan, number: int, count: Count) -> str:
    """Return the checksum of a shard, its plan and its counts."""
    text = msgspec.json.encode((plan, number, count))
    return sha256(text).hexdigest()[:32]


# -- Do the counts fit? ----------------------------------------------------------------------


def fault(plan: Plan, number: int, count: Count) -> str:
    """Return why these can't be the counts of a shard; empty if they can."""
    games = plan.games_of(number)
    whole = count.games
    if whole.games + whole.unfinished != len(games):
        return f"it counts {whole.games + whole.unfinished} games, not {len(games)}"
    if not _adds_up(whole, whole.games, 0):
        return "its games do not add up"
    playing: dict[tuple[int, str], int] = {}
    for game in games:
        for pair in enumerate(plan.seats(game), 1):
            playing[pair] = playing.get(pair, 0) + 1
    seats = {(one.seat, one.bot): one.tally for one in count.seats}
    if len(seats) != len(count.seats) or not seats.keys() <= playing.keys():
        return "its seats are not those of the run"
    for pair, tally in seats.items():
        if not _adds_up(tally, 0, tally.results) or tally.results > playing[pair]:
            return f"the results in seat {pair[0]} do not add up"
    for seat in range(1, plan.players + 1):
        if sum(tally.results for pair, tally in seats.items() if pair[0] == seat) != whole.games:
            return f"seat {seat} does not have a result of every game"
    if sum(tally.shares for tally in seats.values()) != SHARES * whole.games:
        return "its victories do not add up"
    return ""


def _adds_up(tally: Tally, games: int, results: int) -> bool:
    """Return True if the counts of a tally fit each other, and these numbers."""
    plain = (tally.games, tally.unfinished, tally.results, tally.wins, tally.shared, tally.shares)
    return (
        min(plain) >= 0
        and (tally.games, tally.results) == (games, results)
        and tally.shared <= tally.wins <= results
        and tally.shares <= SHARES * tally.wins
        and all(_counts(counts, games) for counts in (tally.rounds, tally.turns))
        and all(_counts(counts, results) for counts in (tally.scores, tally.margins))
    )


def _counts(counts: Mapping[int, int], total: int) -> bool:
    """Return True if this many numbers were counted."""
    return min(counts.values(), default=1) > 0 and sum(counts.values()) == total


# -- Answers of workers on other machines ----------------------------------------------------


def checked(plan: Plan, number: int, kind: str, answer: object) -> Shard:
    """Return a worker's answer if it can be the requested shard; raise WorkersLost if not."""
    try:
        shard = msgspec.convert(msgspec.to_builtins(answer), Shard)
    except (TypeError, ValueError, RecursionError, OverflowError, UnicodeError):
        raise _wrong(number, "not a shard") from None
    games = plan.games_of(number)
    if shard.number != number:
        raise _wrong(number, f"it is shard {shard.number + 1}")
    if reason := fault(plan, number, shard.count):
        raise _wrong(number, reason)
    if len(shard.logs) != (0 if kind == "none" else len(games)):
        raise _wrong(number, f"it has {len(shard.logs)} logs")
    for game, log in zip(games, shard.logs, strict=False):
        if reason := _log_fault(plan, game, log):
            raise _wrong(number, f"game {game + 1}: {reason}")
    return shard


def _log_fault(plan: Plan, game: int, log: bytes) -> str:
    """Return why a text can't be the log of a game of the plan; empty if it can."""
    from sintra.batch.games import game_seed
    from sintra.errors import SintraError
    from sintra.log.lines import split
    from sintra.reader import read_game
    from sintra.rules.chance import Chance

    try:
        created = read_game(split(log)).created
    except SintraError as error:
        return str(error)
    wanted = (plan.rules, plan.options, plan.players, game_seed(Chance(plan.seed), game))
    if (created.rules, created.options, len(created.players), created.seed) != wanted:
        return "it is another game"
    return ""


def _wrong(number: int, reason: str) -> WorkersLost:
    return WorkersLost(f"a worker's answer for shard {number + 1} can't be right: {reason}")
