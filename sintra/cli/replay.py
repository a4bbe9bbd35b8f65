"""`sintra replay`."""

from __future__ import annotations

import os
import select
import stat
import sys
import time
from typing import TYPE_CHECKING, Annotated

from sintra.cli.answers import ReplayLine
from sintra.cli.options import AsciiOption, Color, ColorOption, JsonOption, LogArgument, Option, QuietOption
from sintra.cli.output import say, say_json, style
from sintra.errors import UsageError
from sintra.log import files
from sintra.reader import Reader
from sintra.text import plural

if TYPE_CHECKING:
    from sintra.view.style import Style


GLANCE = 0.1
"""Time between two looks at a followed log, in seconds."""


def replay(
    log_: LogArgument,
    start: Annotated[int, Option("--from", help="Start with event N.", metavar="N", min=1)] = 1,
    end: Annotated[int | None, Option("--to", help="Stop after event N.", metavar="N", min=1)] = None,
    delay: Annotated[
        float, Option(help="Wait S seconds after each event.", min=0, max=3600, metavar="S")
    ] = 0,
    step: Annotated[bool, Option("--step", help="On a terminal: advance one event per key.")] = False,
    tables: Annotated[bool, Option("--tables", help="Draw the table after each event.")] = False,
    follow: Annotated[bool, Option("--follow", help="Wait for new events until the game is over.")] = False,
    color: ColorOption = Color.auto,
    ascii: AsciiOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Replay a game, event by event.

    Every event is checked against the rules. With --delay or --step on a terminal, the table is
    redrawn in place, with keys to pause, step forward and back, and quit. With --json, each event
    is a line with its number, the event, what followed by the rules (effects), and the scores.
    With --follow, events are printed as others play them; Ctrl-C quits.

    \b
    sintra replay game.log
    sintra replay game.log --from 10 --to 20 --tables
    sintra replay game.log --follow
    """
    from sintra.cli import animate

    if end is not None and end < start:
        raise UsageError(f"no events from {start} to {end}: --to is before --from")
    if delay != delay:  # not a number, which no comparison notices
        raise UsageError("--delay takes seconds from 0 to 3600")
    if follow and (delay or step):
        raise UsageError("--follow can't be combined with --delay or --step")
    how = style(color, ascii)

    def more() -> bool:
        return not (reader.line and reader.fold.over) and _waited()

    reader = Reader(files.read(log_, more if follow else None), log_, watch=not quiet)
    if quiet:
        for _ in reader:
            if reader.line == end:
                break
    elif (delay or step) and not (json or tables or log_ == "-") and animate.possible():
        animate.animate(animate.filmed(reader, how, start, end), delay or None, how)
    else:
        _replay(reader, how, start, end, delay, tables, follow, json)
    if reader.line < start:
        raise UsageError(f"no event {start}: {files.named(log_)} has {plural(reader.line, 'event')}")


def _waited() -> bool:
    """Wait before another look at a followed log; return False if nobody reads the output any more."""
    kind = os.fstat(1).st_mode
    if not (stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind)):
        time.sleep(GLANCE)
        return True
    other_end = select.poll()
    other_end.register(1, 0)  # only a hang-up is reported
    return not other_end.poll(1000 * GLANCE)


def _replay(
    reader: Reader,
    how: Style,
    start: int,
    end: int | None,
    delay: float,
    tables: bool,
    follow: bool,
    json: bool,
) -> None:
    """Print one event after the other, a line each."""
    from sintra.view import sentence_of, view_of

    for moment in reader:
        fold, number = reader.fold, moment.number
        if number < start:
            continue
        if json:
            effects = [{"effect": e.name, "player": e.player, **e.numbers} for e in moment.effects]
            say_json(ReplayLine(number, moment.event, effects, fold.state.scores()))
        else:
            say(f"{how.faint(f'{number:>4}')}  {sentence_of(fold, moment)}")
            if tables:
                say("\n".join(["", *view_of(fold.rules).table(fold, how), ""]))
        if number == end:
            break
        if delay or follow:
            sys.stdout.flush()
            time.sleep(delay)
