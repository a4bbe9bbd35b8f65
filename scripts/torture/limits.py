"""Limits: whatever a log is, reading it takes bounded memory and bytes, and ends in an answer or an error.

Every command that takes a log is given files and streams that never end or are too large: two gigabytes,
lines without an end, numbers and nesting beyond measure, events for ever. What is measured is a process: the
bytes that it took from an endless stream, and the most memory that it had, beside that of the same command on
a small log. No time is measured; the bytes taken bound it.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import chain, repeat
from pathlib import Path
from typing import Any, NamedTuple

import typer

import sintra
from sintra.cli.app import program
from sintra.cli.commands import COMMANDS
from sintra.log import limits as bounds
from sintra.log.codec import encode_lines

MAIN = """
import sys
from sintra.cli import main
try:
    main()
finally:
    for line in open("/proc/self/status"):
        if line.startswith("VmHWM"):
            print("peak", line.split()[1], file=open(%r, "w"))
"""
"""The program, which tells at its end how much memory it had: the system's own count begins earlier."""
_CAPPED = ("sh", "-c", 'ulimit -v 4000000; exec "$@"', "sh")
"""Kibibytes of addresses that no run may have, so that a failure harms nobody."""
STREAMING = ("verify", "show", "replay")
"""Commands whose memory does not grow with a log."""
STEADY = 24 << 10
"""Kibibytes that a streaming command may have more on an endless log than on a small one."""
ONE_GAME = "one game for ever"
GAME = 72 << 10
"""Kibibytes that it may have more where the log is one endless game, whose events all count."""
LOADED = 512 << 10
"""Kibibytes that any other command may have more: it keeps the events, as many as fit a log."""
PIPE = 1 << 20
"""Bytes that may be under way in a pipe."""
TWO_GIGABYTES = 2 << 30
REFUSED = (1, 2, 3, 4)
"""Exit codes of a command that does not like a log."""


# -- Commands --------------------------------------------------------------------------------


def takers() -> list[str]:
    """The commands that take a log, as the program itself tells."""
    app: Any = typer.main.get_command(program([]))
    return [
        name for name in COMMANDS if any("LOG" in (part.metavar or "") for part in app.commands[name].params)
    ]


def call(name: str, path: str | Path) -> list[str]:
    """The words of a command on a log, with what it needs besides."""
    more = {
        "move": ["pick", "1", "blue"],
        "note": ["a remark"],
        "diff": [str(path)],
        "deal": ["bbbb"],
        "play": ["--bots", "random", "--bot", "1=random"],
        "puzzle": ["--jobs", "1", "--nodes", "50"],
        "hint": ["--nodes", "50"],
        "analyze": ["--nodes", "20", "--deals", "2", "--jobs", "1"],
    }
    return [name, str(path), *more.get(name, [])]


# -- Streams ---------------------------------------------------------------------------------


def beginning() -> bytes:
    """A sound game that nobody has moved in."""
    return sintra.new(seed=42).dumps().encode()


def _blocks(line: bytes) -> Iterator[bytes]:
    return repeat(line * max(1, (1 << 16) // len(line)))


def taken_back() -> bytes:
    """A choice, and the choice taken back."""
    game = sintra.new(seed=42)
    game.play(game.legal()[0])
    game.undo()
    return b"".join(game.dumps().encode().splitlines(keepends=True)[-2:])


def deals_taken_back() -> Iterator[bytes]:
    """At a real table: a deal that is typed in and taken back, over and over."""
    other = sintra.new("azul", 4, seed=42)
    game = sintra.new("azul", 4, chance="table")
    for event in other.events[1:3]:
        game.record(event)
    game.undo()
    lines = game.dumps().encode().splitlines(keepends=True)
    return chain(lines[:2], _blocks(b"".join(lines[2:])))


@functools.cache
def _long_game() -> tuple[bytes, ...]:
    """One game, in pieces, that is longer than a log may be: nobody ever finishes a row (R6)."""
    game = sintra.new("azul", seed=42)
    pieces, size = [game.dumps().encode()], 0
    while size <= bounds.MAX_LOG_BYTES:
        pieces.append(b"".join(encode_lines(game.play(game.legal()[0])) for _ in range(1000)))
        size += len(pieces[-1])
    return tuple(pieces)


STREAMS: dict[str, Callable[[], Iterator[bytes]]] = {
    "zeros": lambda: _blocks(b"\0"),
    "blank lines": lambda: _blocks(b"\n"),
    "a line without an end": lambda: chain([beginning(), b'{"type":"noted","text":"'], _blocks(b"x")),
    "deep JSON": lambda: chain([beginning()], _blocks(b"[")),
    "a huge number": lambda: chain([beginning(), b'{"type":"undone","events":'], _blocks(b"9")),
    "remarks for ever": lambda: chain([beginning()], _blocks(b'{"type":"noted","text":""}\n')),
    "long remarks for ever": lambda: chain(
        [beginning()], _blocks(b'{"type":"noted","text":"%s\xf0\x9f\x98\x80"}\n' % (b"x" * 9000))
    ),
    "moves taken back for ever": lambda: chain([beginning()], _blocks(taken_back())),
    "deals taken back for ever": deals_taken_back,
    ONE_GAME: lambda: iter(_long_game()),
    "games for ever": lambda: _blocks(beginning()),
}
"""Streams that never end, or not before they are longer than a log may be."""
LONG = (
    "remarks for ever",
    "long remarks for ever",
    "moves taken back for ever",
    "deals taken back for ever",
    ONE_GAME,
)
"""Those that are sound as far as they go: only their length is wrong."""


FITTING = ("remarks for ever", "deals taken back for ever")
"""Those with the most events, and with the largest: as much of them as a log may have is a log."""
FILES_ALONE = ("play", "repair")
"""Commands that take no standard input."""
MANY = ("stats", "export")
"""Commands for which standard input is game after game, each with the limits of a log."""


def _fine(name: str, stream: str) -> bool:
    """Whether nothing is wrong with a stream but that it does not end."""
    return name in MANY and stream == "games for ever"


# -- A process, measured ---------------------------------------------------------------------


class Spent(NamedTuple):
    """How a run ended, the most memory that it had (in KiB), and how many bytes it took from its input."""

    code: int
    peak: int
    taken: int
    said: str


def spend(words: list[str], scratch: Path, feed: Iterable[bytes] = (), most: int = TWO_GIGABYTES) -> Spent:
    """Run the program, with a stream as its standard input: until it ends, or `most` bytes were taken."""
    said = scratch / "said.txt"
    with open(said, "wb") as err:
        process = subprocess.Popen(
            [*_CAPPED, sys.executable, "-c", MAIN % str(scratch / "peak.txt"), *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=err,
            cwd=scratch,
        )
        taken = _fed(process, feed, most)
        code = process.wait()
    text = said.read_text(errors="replace")
    assert "Traceback" not in text, f"{words}: {text[-2000:]}"
    assert code >= 0, f"{words}: ended by signal {-code}: {text[-500:]}"
    return Spent(code, int((scratch / "peak.txt").read_text().split()[1]), taken, text)


def _fed(process: subprocess.Popen[bytes], feed: Iterable[bytes], most: int) -> int:
    """Write a stream to a process until it no longer reads; how many bytes that were."""
    assert process.stdin is not None
    fd = process.stdin.fileno()
    taken = 0
    with suppress(BrokenPipeError):
        for data in feed:
            taken += os.write(fd, data)
            if taken > most:
                break
    process.stdin.close()  # nothing is in its buffer
    return taken


def small(name: str, scratch: Path) -> Spent:
    """A command on a small sound log: what it takes in any case."""
    path = scratch / "small.log"
    path.write_bytes(beginning())
    return spend(call(name, path), scratch)


def bounded(name: str, spent: Spent, least: Spent, stream: str = "") -> None:
    """A run ended in an error, and had no more memory than it may have."""
    assert spent.code in REFUSED, f"{name}: exit code {spent.code}: {spent.said[-500:]}"
    _hold(name, spent, least, stream)


def _hold(name: str, spent: Spent, least: Spent, stream: str) -> None:
    more = LOADED if name not in STREAMING else GAME if stream == ONE_GAME else STEADY
    assert spent.peak <= least.peak + more, f"{name}: {spent.peak} KiB, {least.peak} on a small log"


def endless(name: str, stream: str, scratch: Path, least: Spent) -> Spent:
    """A command on an endless stream."""
    spent = spend(call(name, "-"), scratch, STREAMS[stream](), 4 * bounds.MAX_LOG_BYTES)
    bounded(name, spent, least, stream)
    whole = stream in LONG or name in ("convert", *MANY)  # they look at the events when they have them all
    allowed = (bounds.MAX_LOG_BYTES if whole else bounds.MAX_LINE_BYTES) + 2 * bounds.READ_BYTES + PIPE
    assert spent.taken <= allowed, f"{name}, {stream}: {spent.taken} bytes were read"
    return spent


def fitting(name: str, stream: str, scratch: Path, least: Spent) -> Spent:
    """A command on as much of a stream as a log may have: nothing is wrong with that, however long it is."""
    pieces, size = list[bytes](), 0
    for data in STREAMS[stream]():
        pieces.append(data[: bounds.MAX_LOG_BYTES - size])
        size += len(pieces[-1])
        if size == bounds.MAX_LOG_BYTES:
            break
    whole = b"".join(pieces).rpartition(b"\n")[0] + b"\n"
    spent = spend(call(name, "-"), scratch, [whole])
    assert spent.code in (0, *REFUSED), f"{name}: exit code {spent.code}: {spent.said[-500:]}"
    assert "longer" not in spent.said, f"{name}, {stream}: refused: {spent.said[-500:]}"
    _hold(name, spent, least, stream)
    return spent


def two_gigabytes(name: str, head: bytes, scratch: Path, least: Spent) -> Spent:
    """A command on a file of two gigabytes that begins like this; the file is left as it was."""
    path = scratch / "huge.log"
    path.write_bytes(head)
    os.truncate(path, TWO_GIGABYTES)  # a hole: it takes no room on the disk
    spent = spend(call(name, path), scratch)
    bounded(name, spent, least)
    assert path.stat().st_size == TWO_GIGABYTES, f"{name} has changed the file"
    assert not path.with_suffix(".log.bak").exists(), f"{name} has copied the file"
    path.unlink()
    return spent


# -- The campaign ----------------------------------------------------------------------------


def run(scale: float, scratch: Path) -> dict[str, int | str]:
    """Every command on everything that is too large; at a smaller scale, the streaming ones on some of it."""
    names = takers() if scale >= 1 else list(STREAMING)
    streams = list(STREAMS) if scale >= 1 else [name for name in STREAMS if name not in LONG]
    runs = taken = 0
    more = dict.fromkeys(map(_kind, ("verify", "verify", "note"), ("", ONE_GAME, "")), 0)
    for name in names:
        least = small(name, scratch)
        found = [("", two_gigabytes(name, head, scratch, least)) for head in (b"", beginning())]
        wanted = () if name in FILES_ALONE else (stream for stream in streams if not _fine(name, stream))
        found += [(stream, endless(name, stream, scratch, least)) for stream in wanted]
        if scale >= 1 and name not in FILES_ALONE:
            found += [(stream, fitting(name, stream, scratch, least)) for stream in FITTING]
        for stream, spent in found:
            runs += 1
            taken = max(taken, spent.taken)
            more[_kind(name, stream)] = max(more[_kind(name, stream)], spent.peak - least.peak)
    return {"commands": len(names), "runs": runs, "bytes taken at most": taken, **more}


def _kind(name: str, stream: str) -> str:
    """Which figure the memory of a run belongs to."""
    if name not in STREAMING:
        return "KiB more, other commands"
    return "KiB more, streaming commands" + (" on one endless game" if stream == ONE_GAME else "")
