"""Which logs there are: files, folders, patterns and streams, one by one, however many they are.

A folder is walked down for files that end in `.log`, which hold one game each, and `.logs`, which hold many,
one after the other: the line `created` begins the next. Names come in order, and are never all kept at once.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase
from heapq import nsmallest
from typing import Any

from msgspec import DecodeError, Struct
from msgspec.json import Decoder

from sintra.batch.results import Fault
from sintra.errors import DamagedLog, SintraError, Unreadable
from sintra.fold import Fold
from sintra.log import files, limits
from sintra.log.events import Event
from sintra.log.lines import split, too_long
from sintra.reader import Reader
from sintra.text import reason

ONE = ".log"
MANY = ".logs"
"""How files of one game, and of many games, end."""
PAGE = 1 << 16
"""So many names of a folder are kept at once."""
MAX_GAME = limits.MAX_LOG_BYTES
"""A game in a stream, or for a worker that has not our files, has at most so many bytes."""
BATCH = 64
BATCH_BYTES = 1 << 20


class Entry(Struct, frozen=True):
    """A log: a file's name and, where it is not for the worker to read, its bytes.

    In a file of many games, `game` is its number there, `line` its first line, and `before` how many bytes
    come before it. `error` is why there is no log after all, and `judged` what is known of it already.
    """

    name: str
    game: int | None = None
    line: int = 1
    before: int = 0
    data: bytes | None = None
    error: SintraError | None = None
    judged: Any = None

    def blocks(self) -> Iterator[bytes]:
        """The lines of the log, in blocks; raises what is wrong with it."""
        if self.error is not None:
            raise self.error
        return files.read(self.name) if self.data is None else split(self.data, self.before)


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
    """A log, read to its end and checked; an error names the line in its file.

    `follow` is shown the game after every event.
    """
    reader = Reader(entry.blocks())
    try:
        if follow is None:
            for _ in reader.run():
                pass
        else:
            for event in reader:
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
    for entry in _matched(argument) if pattern else _below(argument):
        empty = False
        yield entry
    if empty:
        why = "no file matches" if pattern else f"is a directory without logs (*{ONE}, *{MANY})"
        yield Entry(argument, error=Unreadable(f"can't open {argument}: {why}"))


def _is_pattern(argument: str) -> bool:
    return _has_signs(argument) and not os.path.lexists(argument)


def _has_signs(text: str) -> bool:
    return any(sign in text for sign in "*?[")


def _below(folder: str) -> Iterator[Entry]:
    """The logs in a folder and below it, however deep; links to folders are not followed."""
    open_folders = [(folder, _names(folder))]
    while open_folders:
        folder, names = open_folders[-1]
        try:
            name, is_folder = next(names, ("", False))
        except OSError as error:
            yield Entry(folder, error=unlisted(folder, error))
            name = ""
        path = os.path.join(folder, name)
        if not name:
            open_folders.pop()
        elif is_folder and not os.path.islink(path):
            open_folders.append((path, _names(path)))
        elif not is_folder and name.endswith((ONE, MANY)) and not _is_strange(path):
            yield Entry(path)


def unlisted(folder: str, error: OSError) -> Unreadable:
    """What is told of a folder that the system does not let us list."""
    return Unreadable(f"can't open {folder or '.'}: {reason(error)}")


def _names(folder: str) -> Iterator[tuple[str, bool]]:
    """The names in a folder in order, and which are folders; a big folder is read page by page."""
    last = ""
    while True:
        with os.scandir(folder or ".") as found:
            page = nsmallest(PAGE, ((one.name, _is_folder(one)) for one in found if one.name > last))
        yield from page
        if len(page) < PAGE:
            return
        last = page[-1][0]


def _is_folder(one: os.DirEntry[str]) -> bool:
    """Whether a name is a folder's; a link that leads nowhere, or around in a circle, is none."""
    try:
        return one.is_dir()
    except OSError:
        return False


def _is_strange(path: str) -> bool:
    """Whether a name is that of a FIFO, a device or the like: those are read only when they are named."""
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)
    except OSError:  # that is told when it is opened
        return False


# -- Patterns --------------------------------------------------------------------------------


def _matched(pattern: str) -> Iterator[Entry]:
    """The files that match a pattern, and the logs in folders that do: none of these twice."""
    walked: set[str] = set()
    for entry in _matching(pattern):
        if walked and _is_inside(entry.name, walked):
            continue
        if entry.error is None and not os.path.isdir(entry.name or "."):
            if not _is_strange(entry.name):
                yield entry
            continue
        walked.add(entry.name)
        yield from [entry] if entry.error is not None else _below(entry.name)


def _is_inside(path: str, folders: set[str]) -> bool:
    """Whether a path is one of these folders, or below one."""
    while path not in folders:
        above = os.path.dirname(path)
        if above == path:
            return False
        path = above
    return True


def _matching(pattern: str) -> Iterator[Entry]:
    """The paths that match a pattern, as the shell has it; `**` stands for any number of folders.

    At its end, `**` stands for the folder before it, with all logs below.
    """
    root, rest = ("/", pattern.lstrip("/")) if pattern.startswith("/") else ("", pattern)
    parts = [part for part in rest.split("/") if part]
    parts = [part for at, part in enumerate(parts) if part != "**" or parts[at - 1 : at] != ["**"]]
    places = [iter([(Entry(root), parts)])]
    while places:
        entry, left = next(places[-1], (None, []))
        if entry is None:
            places.pop()
        elif left:
            places.append(_places(entry.name, left))
        else:
            yield entry


def _places(base: str, parts: list[str]) -> Iterator[tuple[Entry, list[str]]]:
    """Where a pattern leads from a folder, and what is left of it there."""
    head, rest = parts[0], parts[1:]
    if not _has_signs(head):
        path = os.path.join(base, head)
        if os.path.lexists(path):
            yield Entry(path), rest
        return
    if not os.path.isdir(base or "."):
        return
    if head == "**":
        yield Entry(base), rest
    try:
        for name, is_folder in _names(base) if rest or head != "**" else ():
            path = os.path.join(base, name)
            if name.startswith(".") and not head.startswith("."):
                continue
            if head == "**":
                if is_folder and not os.path.islink(path):
                    yield Entry(path), parts
            elif fnmatchcase(name, head) and (is_folder or not rest):
                yield Entry(path), rest
    except OSError as error:
        yield Entry(base, error=unlisted(base, error)), []


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
    before = size = 0
    try:
        for chunk in files.raw(name):
            whole = (rest + chunk).split(b"\n")
            rest = whole.pop()
            for text in whole:
                if lines and _begins(text):
                    yield Entry(name, game, first, before, b"\n".join([*lines, b""]))
                    game, first, lines, before, size = game + 1, line, [], before + size, 0
                lines.append(text)
                line += 1
                size += len(text) + 1  # its end, too: blank lines are lines
            if len(rest) > limits.MAX_LINE_BYTES:
                raise too_long(line)
            if size > MAX_GAME:
                raise _too_big()
    except DamagedLog as error:
        yield Entry(name, game, first, before, error=error)
        return
    if lines or rest or game == 1:
        yield Entry(name, game, first, before, b"\n".join([*lines, rest]))
