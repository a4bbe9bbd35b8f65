"""The file of an analysis: beside its log, as `game.analysis.json`."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from sintra.errors import Conflict, DamagedLog, UnknownFormat, Unreadable
from sintra.log import files, writing
from sintra.log.codec import encode_lines, in_words
from sintra.study.results import FORMAT, Analysis, DealJudged, TurnJudged, events_of

if TYPE_CHECKING:
    from os import PathLike

    from sintra.game import Game
    from sintra.log.events import Event

ENDING = ".analysis.json"
NOT_PIPED = "a log from standard input has no analysis file"


def beside(log: str | PathLike[str]) -> str:
    """Return the path of a log's analysis."""
    return os.fspath(log).removesuffix(".log") + ENDING


def digest_of(events: Sequence[Event]) -> str:
    """Return the SHA-256 of the lines of some events."""
    return hashlib.sha256(encode_lines(events)).hexdigest()


def read(path: str | PathLike[str], game: Game, *, grown: bool = False) -> Analysis:
    """Read an analysis from its file; raise Conflict if it belongs to another log.

    With `grown`, the log may have been continued since then.
    """
    data = files.read_whole(path)
    name = files.shown(path)
    try:
        found = msgspec.json.decode(data, type=Analysis)
    except (msgspec.DecodeError, RecursionError) as error:
        raise _damage(data, name, error) from None
    events = game.events[: found.events]
    if len(events) < found.events or digest_of(events) != found.digest:
        raise Conflict(f"{name} is the analysis of another log")
    if len(events) < len(game.events) and not grown:
        raise Conflict(f"{name} has {found.events} events, the log {len(game.events)}; analyze it again")
    if found.done != sum(one is not None for one in found.judged) or len(found.judged) != found.stops:
        raise DamagedLog(f"{name}: damaged analysis: the numbers of turns and deals do not fit")
    if not _fits(found, len(game.players)):
        raise DamagedLog(f"{name}: damaged analysis: it has other players or events than the log")
    return found


def _fits(found: Analysis, players: int) -> bool:
    """Return True if everything judged refers to existing events and players."""
    counts = {len(found.players), len(found.totals) or players}
    for one in found.judged:
        if isinstance(one, TurnJudged):
            if not one.events or not 1 <= one.player <= players:
                return False
            values = [one.after]
        elif isinstance(one, DealJudged):
            values = [one.before, one.after]
        else:
            values = [one.value] if one is not None else []
        counts |= {len(each) for value in values for each in (value.lead, value.chance)}
        if not all(1 <= event <= found.events for event in events_of(one)):
            return False
    return counts == {players}


def _damage(data: bytes, name: str, error: Exception) -> DamagedLog | UnknownFormat:
    """Return what is wrong with a file."""
    try:
        form = msgspec.json.decode(data).get("format")
    except (msgspec.DecodeError, AttributeError, RecursionError):
        form = FORMAT
    if form != FORMAT and form is not None:
        return UnknownFormat(f"{name}: an analysis of format {form}; this version reads format {FORMAT}")
    return DamagedLog(f"{name}: damaged analysis: {in_words(error)}")


def exists(path: str) -> bool:
    """Return True if the file exists."""
    return os.path.lexists(path)


def write(path: str, analysis: Analysis) -> None:
    """Write an analysis, replacing an older one of the same log."""
    writing.replace(path, msgspec.json.format(msgspec.json.encode(analysis), indent=1) + b"\n")


def of_log(log: str, game: Game) -> Analysis:
    """Return the analysis beside a log; if there is none, raise an error that says how to make one."""
    path = beside(log)
    if log == "-":
        raise Unreadable(NOT_PIPED)
    if not exists(path):
        raise Unreadable(f"no analysis at {files.shown(path)}; make one with `sintra analyze`")
    found = read(path, game)
    if not found.complete:
        raise Conflict(f"{files.shown(path)} is not complete; `sintra analyze` resumes it")
    return found
