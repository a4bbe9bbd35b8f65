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
from sintra.cli.options import Color, Theme


def say(text: str) -> None:
    """Print a line on standard output; escape characters that it can't encode."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


@contextmanager
def answering(done: str) -> Iterator[None]:
    """Print an answer after a change; if that fails, say in the error what was changed."""
    try:
        yield
        sys.stdout.flush()
    except OSError as error:
        error.add_note(done)
        raise


def remark(text: str) -> None:
    """Print a line on standard error, if that is open."""
    try:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
    except OSError:
        discard(2)


def with_ruling(text: str) -> str:
    """Return a refusal with how to look up the ruling that it cites, if it cites one."""
    import re

    return re.sub(r"\(([A-Z]\d+)\)(?=$|; )", r"(\1: see `sintra help \1`)", text)


def hung_up(fd: int, seconds: float) -> bool:
    """Wait for some seconds; return True as soon as the other end, a pipe or a terminal, is gone."""
    import select
    import time

    other_end = select.poll()
    other_end.register(fd, 0)  # only a hang-up is reported
    found = other_end.poll(1000 * seconds)
    if any(what & (select.POLLHUP | select.POLLERR) for _, what in found):
        return True
    if found:  # there is no other end, as some systems report at once
        time.sleep(seconds)
    return False


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
    """Write raw bytes."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def screen_size() -> os.terminal_size:
    """Return the size from COLUMNS and LINES, or the terminal's: like `shutil`, which is slow to load."""
    said = [os.environ.get(name, "") for name in ("COLUMNS", "LINES")]
    wide, high = [int(word) if word.isdecimal() and len(word) <= 10 else 0 for word in said]
    try:
        found = os.get_terminal_size(1)
    except OSError:  # standard output is no terminal
        found = os.terminal_size((0, 0))
    return os.terminal_size((wide or found.columns or 80, high or found.lines or 24))


MAX_WIDTH = 1000
"""Maximum number of columns to draw in."""


def style(color: Color, ascii: bool, theme: Theme = Theme.auto, *, whole: bool = True) -> Style:
    """Return the style for the options, the environment and the terminal.

    If not `whole`, the table has to fit on the screen, if there is one.
    """
    from sintra.view.style import Style
    from sintra.view.theme import themed

    colored = color is Color.always
    screen = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    if color is Color.auto:
        colored = (bool(os.environ.get("FORCE_COLOR")) or screen) and not os.environ.get("NO_COLOR")
    if ascii or "ascii" in (theme, theme == "auto" and os.environ.get("SINTRA_THEME")):
        sys.stdout.reconfigure(encoding="ascii", errors="backslashreplace")  # type: ignore[union-attr]
        ascii = True
        colored = colored and color is Color.always
    unicode = not ascii and (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    size = screen_size()  # COLUMNS may be anything
    width = min(max(80, size.columns), MAX_WIDTH)
    found = Style(colored, unicode, width, theme=themed(theme, os.environ))
    return found if whole or not screen else _fitting(found, size.lines)


def _fitting(found: Style, lines: int) -> Style:
    """Return a style that leaves a line for the shell's prompt."""
    from msgspec.structs import replace

    return replace(found, height=lines - 1)
