"""Printing answers and errors."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sintra.log.files import discard, input_is_a_terminal
from sintra.log.lines import check_size
from sintra.text import printable

if TYPE_CHECKING:
    from sintra.view.style import Style
from sintra.cli.options import Color


def say(text: str) -> None:
    """Print a line on standard output; characters that it can't show are escaped."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


@contextmanager
def answering(done: str) -> Iterator[None]:
    """Print an answer after something was done; if that fails, let the error say what was done."""
    try:
        yield
        sys.stdout.flush()
    except OSError as error:
        error.add_note(done)
        raise


def remark(text: str) -> None:
    """Print a line on standard error; ignore it if nobody can read it."""
    try:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
    except OSError:
        discard(2)


def hint(what: str) -> None:
    """Let a person at a terminal know that the program waits for input."""
    if input_is_a_terminal():
        remark(f"sintra: reading {what} from standard input; end with Ctrl-D")


def say_json(value: object) -> None:
    """Print a JSON value on one line."""
    from sintra.text import safe_json

    write_bytes(safe_json(value).encode() + b"\n")


def write_log(data: bytes) -> None:
    """Write the lines of a log; on a terminal, control characters are escaped."""
    check_size(len(data))
    if sys.stdout.isatty():
        data = printable(data.decode()).encode()
    write_bytes(data)


def write_bytes(data: bytes) -> None:
    """Write bytes as they are."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def style(color: Color, ascii: bool) -> Style:
    """Return how to draw, by the options, the environment and the terminal."""
    import shutil

    from sintra.view.style import Style

    colored = color is Color.always
    if color is Color.auto:
        forced = bool(os.environ.get("FORCE_COLOR"))
        colored = forced or (sys.stdout.isatty() and os.environ.get("TERM") != "dumb")
        colored = colored and not os.environ.get("NO_COLOR")
    if ascii:
        sys.stdout.reconfigure(encoding="ascii", errors="backslashreplace")  # type: ignore[union-attr]
    unicode = not ascii and (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    return Style(colored, unicode, max(80, shutil.get_terminal_size().columns))
