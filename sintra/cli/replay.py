"""`sintra replay`."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from sintra.cli.answers import ReplayLine
from sintra.cli.options import (
    AsciiOption,
    Color,
    ColorOption,
    JsonOption,
    LogArgument,
    Option,
    PlainOption,
    QuietOption,
    Theme,
    ThemeOption,
)
from sintra.cli.output import hung_up, remark, say, say_json, style, write_bytes
from sintra.errors import UsageError
from sintra.log import files
from sintra.reader import Reader
from sintra.text import listed, plural, safe

if TYPE_CHECKING:
    from sintra.view.style import Style


GLANCE = 0.1
"""Time between checks of a followed log, in seconds."""


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
    html: Annotated[
        str | None,
        Option(help="Write the game as a web page; for a folder of logs, a folder of pages.", metavar="FILE"),
    ] = None,
    analysis: Annotated[
        str | None,
        Option(help="With --html: file of an analysis (default: the one next to the log).", metavar="FILE"),
    ] = None,
    plain: PlainOption = False,
    theme: ThemeOption = Theme.auto,
    color: ColorOption = Color.auto,
    ascii: AsciiOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
    """Replay a game, event by event.

    Every event is checked against the rules. On a terminal, the table fills the screen (needs the extra
    `tui`): keys move by event, turn or round, space runs the game, and --delay runs it from the start.
    --plain prints a line per event, or redraws the table in place with --delay or --step. With --json, each
    line has the number of an event, the event, its effects under the rules, and the scores. --follow shows
    events as others play them; q or Ctrl-C quits.

    --html writes the game as one HTML file that works offline, with the table, the story, a graph of the
    points, the analysis if there is one, and the log itself. An older page is replaced, any other file is
    not. A folder of logs, or a file of many games (.logs), becomes a folder of pages with an index.

    \b
    sintra replay game.log
    sintra replay game.log --from 10 --to 20 --tables
    sintra replay game.log --follow
    sintra replay game.log --html game.html
    sintra replay games --html site
    """
    if html is not None or analysis is not None:
        others = {"--from": start != 1, "--to": end is not None, "--delay": delay, "--step": step}
        others |= {"--tables": tables, "--follow": follow, "--plain": plain, "--json": json}
        return _write_pages(log_, html, analysis, [name for name, given in others.items() if given], quiet)
    from sintra.cli import animate

    if end is not None and end < start:
        raise UsageError(f"no events from {start} to {end}: --to is before --from")
    if delay != delay:  # not a number, which no comparison notices
        raise UsageError("--delay takes seconds from 0 to 3600")
    if follow and (delay or step):
        raise UsageError("--follow can't be combined with --delay or --step")
    how = style(color, ascii, theme)
    if not (quiet or json or tables or log_ == "-"):
        from sintra.cli.play import fills_screen

        if fills_screen(plain):
            _watch(log_, start, end, delay, follow, how)
            return 0

    def more() -> bool:
        return not (reader.line and reader.fold.over) and _waited()

    reader = Reader(files.read(log_, more if follow else None), log_, watch=not quiet)
    if quiet:
        for _ in reader:
            if reader.line == end:
                break
    elif (delay or step) and not (json or tables or log_ == "-") and animate.possible():
        screen = style(color, ascii, theme, whole=False)
        animate.animate(animate.filmed(reader, screen, start, end), delay or None, screen)
    else:
        _replay(reader, how, start, end, delay, tables, follow, json)
    if reader.line < start:
        raise UsageError(f"no event {start}: {files.named(log_)} has {plural(reader.line, 'event')}")
    return 0


def _write_pages(
    log_: str, html: str | None, analysis: str | None, others: Sequence[str], quiet: bool
) -> int:
    """Write the page of a log, or those of a folder; return the exit code."""
    from sintra.batch.logs import MANY, Entry
    from sintra.web.site import pictured, write_page

    if html is None:
        raise UsageError("--analysis goes with --html; to read one: sintra log --analysis")
    if others:
        raise UsageError(f"--html can't be combined with {listed(others)}")
    if os.path.isdir(log_) or log_.endswith(MANY):
        if analysis is not None or html == "-":
            what = "standard output" if html == "-" else "one analysis"
            raise UsageError(f"{files.shown(log_)} has many games; {what} is for one")
        return _write_site(log_, html, quiet)
    found = pictured(Entry(log_), analysis)
    if found.remark:
        remark(f"sintra: {safe(found.remark)}")
    if html == "-":
        write_bytes(found.text.encode())
    else:
        write_page(html, found)
    return 0


def _write_site(source: str, folder: str, quiet: bool) -> int:
    """Write the pages of a folder, and print a summary; return the exit code."""
    from sintra.cli.progress import Progress
    from sintra.cli.verify import line_of
    from sintra.web.site import INDEX, write_site

    good = bad = worst = 0
    with Progress(None) as progress:
        for row in write_site(source, folder):
            progress.step()
            worst = max(worst, row.verdict.exit_code)
            good, bad = good + row.verdict.ok, bad + (not row.verdict.ok)
            said = row.remark if row.verdict.ok else line_of(row.verdict)
            if said:
                progress.clear()
                remark(f"sintra: {safe(said)}")
    if not quiet:
        faults = f", {plural(bad, 'log')} with faults" if bad else ""
        say(safe(f"{files.shown(os.path.join(folder, INDEX))}: {plural(good, 'game')}{faults}"))
    return worst


def _watch(log_: str, start: int, end: int | None, delay: float, follow: bool, how: Style) -> None:
    """Show a log on the full screen."""
    from sintra.cli.screen.app import run
    from sintra.cli.screen.replay import ReplayScreen

    screen = ReplayScreen(log_, start, end, delay, follow)
    if len(screen.history) < start and not follow:
        raise UsageError(f"no event {start}: {files.named(log_)} has {plural(len(screen.history), 'event')}")
    run(screen, how)


def _waited() -> bool:
    """Wait before checking a followed log again; return False if nobody reads the output any more."""
    return not hung_up(1, GLANCE)


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
    from msgspec.structs import replace

    from sintra.view import sentence_of, view_of
    from sintra.view.trail import Trail

    trail = Trail()
    for moment in reader:
        fold, number = reader.fold, moment.number
        if tables:
            trail.see(fold, moment.event)
        if number < start:
            continue
        if json:
            effects = [{"effect": e.name, "player": e.player, **e.numbers} for e in moment.effects]
            say_json(ReplayLine(number, moment.event, effects, fold.state.scores()))
        else:
            say(f"{how.faint(f'{number:>4}')}  {sentence_of(fold, moment)}")
            if tables:
                drawn = view_of(fold.rules).table(fold, replace(how, since=trail.since(fold)))
                say("\n".join(["", *drawn, ""]))
        if number == end:
            break
        if delay or follow:
            sys.stdout.flush()
            time.sleep(delay)
