"""Finding and reading many logs: files, folders, patterns and streams, one by one, however many.

A folder is searched for files that end in `.log`, which hold one game each, and in `.logs`, which hold many,
one after the other: each begins with its `created` line. Names come in order, and are never all in memory.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from heapq import merge, nsmallest
from itertools import chain, islice
from typing import TYPE_CHECKING

from msgspec import DecodeError, Struct
from msgspec.json import Decoder

from sintra.batch.results import Fault, Verdict
from sintra.catalog import blaming
from sintra.errors import DamagedLog, SintraError, Unreadable
from sintra.fold import Fold
from sintra.log import files, limits
from sintra.log.events import Event
from sintra.log.lines import is_json, split, too_long
from sintra.reader import Reader
from sintra.text import reason

if TYPE_CHECKING:
    from concurrent.futures import Executor

FEW = 4
"""Number of logs that can be read before a second process has even started."""
ONE = ".log"
MANY = ".logs"
"""The suffixes of files of one game, and of many games."""
PAGE = 1 << 16
"""Maximum number of a folder's names in memory."""
MAX_GAME = limits.MAX_LOG_BYTES
"""Maximum length of a game in a stream, or sent to a worker on another machine, in bytes."""
BATCH = 64
BATCH_BYTES = 1 << 20
"""Maximum number of logs, and about that of their bytes, that a worker gets at once."""


class Entry(Struct, frozen=True):
    """A log: a file's name and, if the worker can't read the file, its bytes.

    In a file of many games, `game` is its number there, `line` its first line, and `before` the number of
    bytes before it. `error` is the reason if there is no log, and `judged` a verdict that is already known.
    """

    name: str
    game: int | None = None
    line: int = 1
    before: int = 0
    data: bytes | None = None
    error: SintraError | None = None
    judged: Verdict | None = None

    def blocks(self) -> Iterator[bytes]:
        """Return the log in blocks of whole lines; raise `error` if there is one."""
        if self.error is not None:
            raise self.error
        return files.read(self.name) if self.data is None else split(self.data, self.before)


@contextmanager
def reading(
    arguments: Iterable[str],
    many: bool,
    jobs: int | None,
    executor: Executor | str | None,
    *,
    piped: bool = False,
) -> Iterator[tuple[Iterator[Entry], Executor | None]]:
    """Yield logs, and the workers to read them; None if they are best read in this process.

    `piped` says that standard input may hold many games.
    """
    remote = False
    if executor is not None or jobs not in (None, 1):
        from sintra.batch.workers import check, is_remote

        check(jobs, executor)
        remote = executor is not None and is_remote(executor)
    found = entries(arguments, many=many, piped=piped, fetch=remote)
    first = list(islice(found, FEW + 1))
    if executor is None and (jobs == 1 or len(first) <= FEW):
        yield chain(first, found), None
        return
    from sintra.batch.workers import cores, given

    jobs = jobs or cores()
    first += islice(found, max(0, jobs - len(first)))
    with given(executor, min(jobs, len(first))) as used:
        yield chain(first, found), used


def entries(
    arguments: Iterable[str], *, many: bool = False, piped: bool = False, fetch: bool = False
) -> Iterator[Entry]:
    """Yield all logs that the arguments stand for: files, folders, patterns, or `-`.

    `many` reads each file as one of many games, `piped` standard input; `fetch` reads files here, for workers
    on other machines.
    """
    for argument in arguments:
        for entry in _found(argument):
            if entry.error is not None:
                yield entry
            elif many or entry.name.endswith(MANY) or (piped and entry.name == "-"):
                yield from games_in(entry.name)
            else:
                yield _fetched(entry) if fetch and entry.name != "-" else entry


def batches(found: Iterable[Entry], width: int) -> Iterator[list[Entry]]:
    """Yield logs in batches for a number of workers: small ones at first, so that all start soon."""
    batch: list[Entry] = []
    weight = 0
    for seen, entry in enumerate(found, 1):
        batch.append(entry)
        weight += len(entry.data or b"")
        if len(batch) > min(BATCH - 1, seen // (4 * width)) or weight > BATCH_BYTES:
            yield batch
            batch = []
            weight = 0
    if batch:
        yield batch


def _fetched(entry: Entry) -> Entry:
    """Return a log with its bytes."""
    data = b""
    try:
        for chunk in files.raw(entry.name):
            data += chunk
            if len(data) > MAX_GAME:
                raise _too_big()
    except DamagedLog as error:
        return Entry(entry.name, error=error)
    return Entry(entry.name, data=data)


def _too_big() -> DamagedLog:
    return DamagedLog(f"the game is longer than {MAX_GAME} bytes")


# -- Reading them ----------------------------------------------------------------------------


def read(entry: Entry, follow: Callable[[Fold, Event], object] | None = None) -> Reader:
    """Read a log to its end and check it; an error names the line in the file.

    `follow` is called with the game after each event.
    """
    reader = Reader(entry.blocks())
    try:
        with blaming():
            if follow is None:
                for _ in reader.run():
                    pass
            else:
                for moment in reader:
                    follow(reader.fold, moment.event)
    except DamagedLog as error:
        if error.line is not None:
            error.line += entry.line - 1
        raise
    return reader


def fault(entry: Entry, error: SintraError) -> Fault:
    """Return what is wrong with a log, and where."""
    place: dict[str, int | str] = {} if entry.game is None else {"game": entry.game}
    details = {key: value for key, value in error.details().items() if key != "legal"}
    return Fault(log=entry.name, **place, **details)  # type: ignore[arg-type]


# -- Names -----------------------------------------------------------------------------------

ALL = frozenset[int]()
"""Stands for the rest of a pattern that a whole folder matches: all logs below match, too."""


def _found(argument: str) -> Iterator[Entry]:
    """Yield the files that an argument stands for."""
    pattern = _has_signs(argument) and not os.path.lexists(argument)
    if argument == "-" or not (pattern or os.path.isdir(argument)):
        yield Entry(argument)
        return
    empty = True
    for entry in _matching(argument) if pattern else _walked(argument, (), ALL):
        empty = False
        yield entry
    if empty:
        why = "no file matches" if pattern else f"is a directory without logs (*{ONE}, *{MANY})"
        yield Entry(argument, error=Unreadable(f"can't open {argument}: {why}"))


def _has_signs(text: str) -> bool:
    return any(sign in text for sign in "*?[")


def _matching(pattern: str) -> Iterator[Entry]:
    """Yield the files that match a shell pattern, and the logs below folders that match.

    `**` stands for any number of folders. The standard `glob` is not used: it follows links, hides folders
    that can't be listed, lists each folder as a whole, and fails on very deep ones.
    """
    parts = [part for part in pattern.split("/") if part]
    plain = next(at for at, part in enumerate(parts) if _has_signs(part))
    folder = ("/" if pattern.startswith("/") else "") + "/".join(parts[:plain])
    if os.path.isdir(folder or "."):
        yield from _walked(folder, parts[plain:], _skipped(parts[plain:], {0}))


def _skipped(parts: Sequence[str], places: set[int]) -> frozenset[int]:
    """Return places in a pattern, and those after a `**` that stands for nothing; ALL if one is its end."""
    found = set(places)
    for at, part in enumerate(parts):
        if part == "**" and at in found:
            found.add(at + 1)
    return ALL if len(parts) in found else frozenset(found)


def _walked(folder: str, parts: Sequence[str], places: frozenset[int]) -> Iterator[Entry]:
    """Yield what matches the parts of a pattern in a folder and below, starting at any of these places in it.

    Every folder is listed once, and folders may be as deep as the system allows. Links to folders are only
    followed if a part of the pattern matches their name.
    """
    open_folders = [(folder, places, _names(folder))]
    while open_folders:
        folder, places, names = open_folders[-1]
        try:
            name, is_folder = next(names, ("", False))
        except OSError as error:
            yield Entry(folder or ".", error=unlisted(folder, error))
            name = ""
        if not name:
            open_folders.pop()
            continue
        path = os.path.join(folder, name)
        left = _after(name, is_folder, path, parts, places)
        if left is None:
            continue
        if is_folder:
            open_folders.append((path, left, _names(path)))
        elif not _is_strange(path):
            yield Entry(path)


def _after(
    name: str, is_folder: bool, path: str, parts: Sequence[str], places: frozenset[int]
) -> frozenset[int] | None:
    """Return the places in a pattern after a name; None if it does not match."""
    if places == ALL:
        wanted = not os.path.islink(path) if is_folder else name.endswith((ONE, MANY))
        return ALL if wanted else None
    found = set()
    for at in places:
        part = parts[at]
        if name.startswith(".") and not part.startswith("."):
            continue
        if part == "**":
            if is_folder and not os.path.islink(path):
                found.add(at)
        elif fnmatchcase(name, part):
            found.add(at + 1)
    if not is_folder:
        return ALL if len(parts) in found else None
    return _skipped(parts, found) if found else None


def unlisted(folder: str, error: OSError) -> Unreadable:
    """Return the error for a folder that can't be listed."""
    return Unreadable(f"can't open {folder or '.'}: {reason(error)}")


def _names(folder: str) -> Iterator[tuple[str, bool]]:
    """Yield the names in a folder in order, with True for folders; read big folders page by page."""
    last = ""
    while True:
        with os.scandir(folder or ".") as found:
            page = nsmallest(PAGE, ((one.name, _is_folder(one)) for one in found if one.name > last))
        yield from page
        if len(page) < PAGE:
            return
        last = page[-1][0]


def _is_folder(one: os.DirEntry[str]) -> bool:
    """Return True for a folder, or an unbroken link to one."""
    try:
        return one.is_dir()
    except OSError:
        return False


def _is_strange(path: str) -> bool:
    """Return True for a FIFO, a device or the like: those are only read if named."""
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)
    except OSError:  # reported when opened
        return False


# -- Streams ---------------------------------------------------------------------------------


class _Head(Struct):
    type: str


_head = Decoder(_Head)
_BEGINNING = re.compile(rb'\{\s*"type"\s*:\s*"created"')
_SIGNS = (b'"created"', b"\\u")
"""Every line that begins a log contains one of these."""


def _begins(line: bytes) -> bool:
    """Return True for the first line of a log, even if it is torn."""
    try:
        return (b'"created"' in line or b"\\u" in line) and _head.decode(line).type == "created"
    except (DecodeError, UnicodeDecodeError, RecursionError):
        return _BEGINNING.match(line) is not None


def _torn_apart(line: bytes) -> list[bytes]:
    """Return a line, split where a torn line is followed by the first line of another game."""
    if b'"created"' not in line or not _BEGINNING.search(line, 1) or is_json(line):
        return [line]
    starts = [found.start() for found in _BEGINNING.finditer(line, 1)]
    return [line[start:end] for start, end in zip([0, *starts], [*starts, None], strict=True)]


def _places(sign: bytes, block: bytes) -> Iterator[int]:
    """Yield the places of signs in a block."""
    at = block.find(sign)
    while at >= 0:
        yield at
        at = block.find(sign, at + 1)


class _Stream:
    """Splits a file of many games into games."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.game = self.first = self.line = 1
        self.parts: list[bytes] = []
        self.before = self.size = 0

    def add(self, block: bytes) -> Iterator[Entry]:
        """Take one more block of whole lines; yield the games that end in it.

        Only lines with signs of a beginning are looked at one by one.
        """
        done = 0
        for sign in merge(*(_places(sign, block) for sign in _SIGNS)):
            if sign >= done:
                start = max(done, block.rfind(b"\n", done, sign) + 1)
                self._keep(block[done:start])
                done = block.index(b"\n", sign) + 1
                yield from self.add_line(block[start : done - 1], b"\n")
        self._keep(block[done:])

    def add_line(self, text: bytes, end: bytes) -> Iterator[Entry]:
        """Take a line that may begin a game, and its end; yield the games that end before it, or in it."""
        *torn, last = _torn_apart(text)
        for part, piece in enumerate([*torn, last + end]):
            if part or (self.parts and _begins(piece)):
                yield self.entry()
                self.before += self.size
                self.game, self.first, self.parts, self.size = self.game + 1, self.line, [], 0
            self._keep(piece)

    def _keep(self, text: bytes) -> None:
        if text:
            self.parts.append(text)
            self.size += len(text)
            self.line += text.count(b"\n")

    def entry(self, error: SintraError | None = None) -> Entry:
        """Return the game collected so far, or why there is none."""
        data = b"".join(self.parts) if error is None else None
        return Entry(self.name, self.game, self.first, self.before, data, error)


def games_in(name: str) -> Iterator[Entry]:
    """Yield the games of a file that holds many, one by one; `-` is standard input."""
    stream = _Stream(name)
    rest = b""
    try:
        for chunk in files.raw(name):
            rest += chunk
            whole = rest.rfind(b"\n") + 1
            yield from stream.add(rest[:whole])
            rest = rest[whole:]
            if len(rest) > limits.MAX_LINE_BYTES:
                raise too_long(stream.line)
            if stream.size > MAX_GAME:
                raise _too_big()
    except DamagedLog as error:
        yield stream.entry(error)
        return
    if rest:
        yield from stream.add_line(rest, b"")
    if stream.parts or stream.game == 1:
        yield stream.entry()
