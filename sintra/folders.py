"""Which logs there are: files, folders, patterns and streams, one by one, however many they are.

A folder is walked down for files that end in `.log`, which hold one game each, and `.logs`, which hold many,
one after the other: the line `created` begins the next. Names come in order, and are never all kept at once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase
from heapq import nsmallest
from typing import Any

from msgspec import DecodeError, Struct
from msgspec.json import Decoder

from sintra import log
from sintra.errors import DamagedLog, SintraError, Unreadable
from sintra.events import Event
from sintra.game import Fold
from sintra.loading import Reader
from sintra.reports import Fault

ONE = ".log"
MANY = ".logs"
"""How files of one game, and of many games, end."""
PAGE = 1 << 16
"""So many names of a folder are kept at once."""
MAX_GAME = log.MAX_LOG
"""A game in a stream, or for a worker that has not our files, has at most so many bytes."""
BATCH = 64
BATCH_BYTES = 1 << 20


class Entry(Struct, frozen=True):
    """A log: a file's name and, where it is not for the worker to read, its bytes.

    In a file of many games, `game` is its number there, and `line` its first line. `error` is why there is no
    log after all, and `judged` what is known of it already.
    """

    name: str
    game: int | None = None
    line: int = 1
    data: bytes | None = None
    error: SintraError | None = None
    judged: Any = None

    def blocks(self) -> Iterator[bytes]:
        """The lines of the log, in blocks; raises what is wrong with it."""
        if self.error is not None:
            raise self.error
        return log.read(self.name) if self.data is None else log.split(self.data)


def entries(arguments: Iterable[str], *, many: bool = False, fetch: bool = False) -> Iterator[Entry]:
    """All logs that are meant: files, folders, patterns, or `-`.

    `many` reads every file as one of many games; `fetch` reads all files here, for workers that can't.
    """
    for argument in arguments:
        for entry in _found(argument):
            if entry.error is not None:
                yield entry
            elif many or entry.name.endswith(MANY):
                yield from games_in(entry.name)
            else:
                yield _fetched(entry) if fetch and entry.name != "-" else entry


def batches(found: Iterable[Entry], width: int) -> Iterator[list[Entry]]:
    """Logs in batches that are worth sending to so many workers: small ones at first, so that all begin."""
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
    """A log with its bytes."""
    data = b""
    try:
        for chunk in log.raw(entry.name):
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
    """A log, read to its end and checked; an error names the line in its file.

    `follow` is shown the game after every event.
    """
    reader = Reader(entry.blocks())
    try:
        for event in reader:
            if follow is not None:
                follow(reader.fold, event)
    except DamagedLog as error:
        if error.line is not None:
            error.line += entry.line - 1
        raise
    return reader


def fault(entry: Entry, error: SintraError) -> Fault:
    """What is told of a log that is faulty."""
    place: dict[str, int | str] = {} if entry.game is None else {"game": entry.game}
    details = {key: value for key, value in error.details().items() if key != "legal"}
    return Fault(log=entry.name, **place, **details)  # type: ignore[arg-type]


def exit_code(error: SintraError) -> int:
    """1 for a faulty log; what can't be read, and what is unknown, have codes of their own."""
    return 1 if isinstance(error, DamagedLog) and not isinstance(error, Unreadable) else error.exit_code


# -- Names -----------------------------------------------------------------------------------


def _found(argument: str) -> Iterator[Entry]:
    """The files that a person means by an argument."""
    if argument == "-" or not (os.path.isdir(argument) or _is_pattern(argument)):
        yield Entry(argument)
        return
    empty = True
    pattern = not os.path.lexists(argument)
    for path in _matching(argument) if pattern else [argument]:
        for entry in _below(path) if os.path.isdir(path) else [Entry(path)]:
            empty = False
            yield entry
    if empty:
        why = "no file matches" if pattern else f"is a directory without logs (*{ONE}, *{MANY})"
        yield Entry(argument, error=Unreadable(f"can't open {argument}: {why}"))


def _is_pattern(argument: str) -> bool:
    return any(sign in argument for sign in "*?[") and not os.path.lexists(argument)


def _below(folder: str) -> Iterator[Entry]:
    """The logs in a folder and below it; links to folders are not followed."""
    try:
        for name, is_folder in _names(folder):
            path = os.path.join(folder, name)
            if is_folder and not os.path.islink(path):
                yield from _below(path)
            elif not is_folder and name.endswith((ONE, MANY)):
                yield Entry(path)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        yield Entry(folder, error=Unreadable(f"can't open {folder}: {reason}"))


def _names(folder: str) -> Iterator[tuple[str, bool]]:
    """The names in a folder in order, and which are folders; a big folder is read page by page."""
    last = ""
    while True:
        with os.scandir(folder or ".") as found:
            page = nsmallest(PAGE, ((one.name, one.is_dir()) for one in found if one.name > last))
        yield from page
        if len(page) < PAGE:
            return
        last = page[-1][0]


def _matching(pattern: str) -> Iterator[str]:
    """The paths that match a pattern, as the shell has it; `**` stands for any number of folders."""
    root, parts = ("/", pattern.lstrip("/")) if pattern.startswith("/") else ("", pattern)
    return _matching_parts(root, [part for part in parts.split("/") if part])


def _matching_parts(base: str, parts: list[str]) -> Iterator[str]:
    if not parts:
        yield base
        return
    head, rest = parts[0], parts[1:]
    if not any(sign in head for sign in "*?["):
        path = os.path.join(base, head)
        if os.path.lexists(path):
            yield from _matching_parts(path, rest)
        return
    if head == "**":
        yield from _matching_parts(base, rest or ["*"])
    if not os.path.isdir(base or "."):
        return
    for name, is_folder in _names(base):
        path = os.path.join(base, name)
        if name.startswith(".") and not head.startswith("."):
            continue
        if head == "**":
            if is_folder and not os.path.islink(path):
                yield from _matching_parts(path, parts)
        elif fnmatchcase(name, head) and (is_folder or not rest):
            yield from _matching_parts(path, rest)


# -- Streams ---------------------------------------------------------------------------------


class _Head(Struct):
    type: str


_head = Decoder(_Head)


def _begins(line: bytes) -> bool:
    """Whether a line is the first of a log."""
    try:
        return b'"created"' in line and _head.decode(line).type == "created"
    except (DecodeError, UnicodeDecodeError, RecursionError):
        return False


def games_in(name: str) -> Iterator[Entry]:
    """The games of a file that holds many, one after the other; `-` is standard input."""
    game = first = line = 1
    lines: list[bytes] = []
    rest = b""
    size = 0
    try:
        for chunk in log.raw(name):
            whole = (rest + chunk).split(b"\n")
            rest = whole.pop()
            for text in whole:
                if lines and _begins(text):
                    yield Entry(name, game, first, b"\n".join([*lines, b""]))
                    game, first, lines, size = game + 1, line, [], 0
                lines.append(text)
                line += 1
                size += len(text) + 1  # its end, too: blank lines are lines
            if len(rest) > log.MAX_LINE:
                raise log.too_long(line)
            if size > MAX_GAME:
                raise _too_big()
    except DamagedLog as error:
        yield Entry(name, game, first, error=error)
        return
    if lines or rest or game == 1:
        yield Entry(name, game, first, b"\n".join([*lines, rest]))
