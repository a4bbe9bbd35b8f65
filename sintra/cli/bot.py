"""`sintra bot`: check, start and serve bots that are programs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

from sintra.cli.options import (
    Argument,
    AsciiOption,
    Color,
    ColorOption,
    InitTimeOption,
    JsonOption,
    MemoryOption,
    MoveTimeOption,
    QuietOption,
    limits_of,
)
from sintra.cli.output import say, say_json, style
from sintra.errors import UsageError
from sintra.text import listed

if TYPE_CHECKING:
    from sintra.bots.process import Limits
    from sintra.view.style import Style


ACTIONS = ("check", "new", "serve")


def bot(
    action: Annotated[str, Argument(metavar="ACTION", help="What to do: check, new or serve.")],
    words: Annotated[
        list[str] | None,
        Argument(
            metavar="...", help="check COMMAND; new LANGUAGE FILE (sh, python, js, c, rust); serve NAME."
        ),
    ] = None,
    move_time: MoveTimeOption = None,
    init_time: InitTimeOption = None,
    memory: MemoryOption = None,
    color: ColorOption = Color.auto,
    ascii: AsciiOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
    """Write, check and serve bots that are programs in any language.

    A bot reads JSON lines from standard input and answers each `choose` with a line. `new` writes a small
    one to start from, `check` tests everything a referee expects and says what failed, and `serve` runs a
    built-in bot that speaks the protocol. Quote a command that has arguments: './mybot --fast'. `play`,
    `simulate` and `tournament` take a program as cmd:COMMAND; see docs/bots.md.

    \b
    sintra bot new python mybot.py
    sintra bot check './mybot.py'
    sintra bot serve greedy < /dev/null
    """
    if action not in ACTIONS:
        raise UsageError(f"bot can {listed(ACTIONS, 'or')}, not {action!r}")
    given = words or []
    if action == "new":
        _new(given, quiet)
        return 0
    if len(given) != 1:
        what = "COMMAND, in quotes if it has arguments" if action == "check" else "NAME"
        raise UsageError(f"bot {action} takes one {what}, not {len(given)} words")
    if action == "serve":
        _serve(given[0])
        return 0
    limits = limits_of(move_time, init_time, memory)
    return _check(given[0], limits, style(color, ascii), quiet, json)


def _new(words: list[str], quiet: bool) -> None:
    """Write a sample to a new file."""
    from sintra.bots.samples import how_to_run, sample
    from sintra.log import writing
    from sintra.text import safe

    if len(words) != 2:
        raise UsageError("bot new takes LANGUAGE and FILE: sintra bot new python mybot.py")
    language, path = words
    text = sample(language)
    writing.create(path, text, executable=text.startswith(b"#!"))
    if quiet:
        return
    say(f"{safe(path)} is a bot in {language}. Check it, and let it play:")
    for line in how_to_run(language, path):
        say(f"    {safe(line)}")


def _serve(name: str) -> None:
    """Answer the referee on standard input."""
    from sintra.bots.names import look_here
    from sintra.bots.serve import serve

    look_here([name])

    def answer(text: str) -> None:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()

    serve(name, sys.stdin.buffer if sys.stdin is not None else [], answer)


def _check(command: str, limits: Limits, how: Style, quiet: bool, json: bool) -> int:
    """Check a bot, and print each step; return the exit code."""
    from sintra.batch.check import check_bot
    from sintra.batch.results import CheckStep
    from sintra.bots.faults import LAST_LINES
    from sintra.bots.spec import command_in
    from sintra.text import safe

    command = command_in(command)

    def show(step: CheckStep) -> None:
        mark = how.either("✓", "ok") if step.ok else how.either("✗", "no")
        say(f"{mark} {step.step}" + (f": {safe(step.message)}" if step.message else ""))
        for line in step.wrote.splitlines()[-LAST_LINES:]:
            say(f"    it wrote: {safe(line)}")
        sys.stdout.flush()

    result = check_bot(command, limits, None if json or quiet else show)
    if json and not quiet:
        say_json(result)
    elif result.ok and not quiet:
        say(f"It plays. Name it cmd:{safe(command)} wherever a bot can be named.")
    return 0 if result.ok else 1
