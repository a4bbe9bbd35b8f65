"""What the commands have in common: their options, and how they answer."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from sintra.log import check_size, discard, input_is_a_terminal
from sintra.words import printable

if TYPE_CHECKING:
    from sintra.rules import RuleSet
    from sintra.view import Style


class Color(StrEnum):
    """When to use colors."""

    auto = "auto"
    always = "always"
    never = "never"


LogArgument = Annotated[str, typer.Argument(metavar="LOG", help="The log file, or - for standard input.")]
FileArgument = Annotated[str, typer.Argument(metavar="LOG", help="The log file.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Answer in JSON; errors are JSON objects, too.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]
ColorOption = Annotated[
    Color,
    typer.Option("--color", help="Use colors: auto, always or never.", show_default=True, metavar="WHEN"),
]
ExpectOption = Annotated[
    int | None, typer.Option("--expect", help="Only if the log has N events (else exit code 5).", metavar="N")
]
WaitOption = Annotated[bool, typer.Option("--wait", help="Wait while another program writes to the log.")]
SyncOption = Annotated[bool, typer.Option("--sync/--no-sync", help="Wait until the disk has it.")]
OutputOption = Annotated[
    str | None, typer.Option("--output", "-o", help="Write to a new file.", metavar="FILE")
]
AsciiOption = Annotated[bool, typer.Option("--ascii", help="Draw in plain ASCII.")]
RuleOption = Annotated[
    list[str] | None, typer.Option("--option", help="An option of the rule-set.", metavar="KEY=VALUE")
]
ComponentsOption = Annotated[
    str | None,
    typer.Option("--components", help="Printed values of your own box, JSON or TOML.", metavar="FILE"),
]
SeedOption = Annotated[
    int | None, typer.Option("--seed", help="Draw from this seed, 0 to 2^53-1.", metavar="N")
]
JobsOption = Annotated[
    int | None,
    typer.Option("--jobs", "-j", help="So many processes (default: one a core).", min=1, metavar="N"),
]
ExecutorOption = Annotated[
    str | None,
    typer.Option(help="Let the workers of a Dask cluster do it: dask://HOST:PORT.", metavar="ADDRESS"),
]
ManyOption = Annotated[bool, typer.Option("--many", help="Every file holds many games, one after the other.")]


def say(text: str) -> None:
    """Answer a line on standard output, whatever characters it can show."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


@contextmanager
def answering(done: str) -> Iterator[None]:
    """Answer after something was done; where that can't be written, the error tells what was done."""
    try:
        yield
        sys.stdout.flush()
    except OSError as error:
        error.add_note(done)
        raise


def remark(text: str) -> None:
    """Tell a line on standard error; where it can't be written, nothing else changes."""
    try:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
    except OSError:
        discard(2)


def hint(what: str) -> None:
    """Tell a person at a terminal that the program waits for typing."""
    if input_is_a_terminal():
        remark(f"sintra: reading {what} from standard input; Ctrl-D ends it")


def say_json(value: object) -> None:
    """Answer a JSON value on a line of its own."""
    from sintra.view import safe_json

    write_bytes(safe_json(value).encode() + b"\n")


def write_log(data: bytes) -> None:
    """Answer the lines of a log: as they are, but for what a terminal might obey."""
    check_size(len(data))
    if sys.stdout.isatty():
        data = printable(data.decode()).encode()
    write_bytes(data)


def write_bytes(data: bytes) -> None:
    """Answer bytes as they are."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def rules_named(name: str) -> RuleSet:
    """The rule-set that a person names, in any case; UnknownRules has a suggestion."""
    from sintra import catalog
    from sintra.errors import UnknownRules
    from sintra.steps import suggestion

    try:
        return catalog.find(name)
    except UnknownRules as error:
        names = catalog.names()
        if name in names:  # it is there, and does not work
            raise
        same = [known for known in names if known.lower() == name.lower()]
        if len(same) == 1:
            return catalog.find(same[0])
        near = suggestion(name.lower(), names)
        raise UnknownRules(f"{error}; did you mean {near!r}?" if near else str(error)) from None


def style(color: Color, ascii: bool) -> Style:
    """How to draw, from the options, the environment and the terminal."""
    from sintra.view import Style

    colored = color is Color.always
    if color is Color.auto:
        forced = bool(os.environ.get("FORCE_COLOR"))
        colored = forced or (sys.stdout.isatty() and os.environ.get("TERM") != "dumb")
        colored = colored and not os.environ.get("NO_COLOR")
    if ascii:
        sys.stdout.reconfigure(encoding="ascii", errors="backslashreplace")  # type: ignore[union-attr]
    unicode = not ascii and (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    return Style(colored, unicode, max(80, shutil.get_terminal_size().columns))
