"""`sintra show`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from sintra.cli.options import (
    AsciiOption,
    Color,
    ColorOption,
    JsonOption,
    LogArgument,
    Option,
    QuietOption,
    Theme,
    ThemeOption,
)
from sintra.cli.output import say, say_json, style
from sintra.errors import UsageError
from sintra.log import files
from sintra.reader import Reader
from sintra.text import plural

if TYPE_CHECKING:
    from sintra.fold import Fold
    from sintra.log.events import Event


def show(
    log_: LogArgument,
    at: Annotated[int | None, Option(help="Show the table after event N.", metavar="N")] = None,
    backs: Annotated[bool, Option("--backs", help="Draw the other side of each strip.")] = False,
    code: Annotated[bool, Option("--code", help="Also print the game as a code.")] = False,
    legend: Annotated[bool, Option("--legend", help="Print a legend below the table.")] = False,
    theme: ThemeOption = Theme.auto,
    color: ColorOption = Color.auto,
    ascii: AsciiOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Show the table, whose turn it is, and the possible steps.

    A capital letter is a piece, a small letter an empty space for that color; what the last turn changed is
    marked. On a short terminal, only the board of the player to move is drawn in full.

    \b
    sintra show game.log
    sintra show game.log --at 20 --json
    sintra show game.log --code
    """
    events: list[Event] = []
    reader, since = _read(log_, at, not (quiet or json), events if code else None)
    if at is not None and not 1 <= at <= reader.line:
        raise UsageError(f"no event {at}: {files.named(log_)} has {plural(reader.line, 'event')}")
    fold = reader.fold
    if quiet:
        return
    if json:
        from msgspec import UNSET

        from sintra.cli.answers import ShowAnswer

        created, state = fold.created, fold.state
        say_json(
            ShowAnswer(
                rules=created.rules,
                options=created.options,
                players=created.players,
                events=reader.line,
                over=fold.over,
                scores=state.scores(),
                winners=[player + 1 for player in state.winners()] if fold.over else [],
                legal=[str(fold.words.steps[code]) for code in state.legal()],
                state=fold.rules.snapshot(state),
                code=_code(fold, events) if code else UNSET,
            )
        )
        return
    from msgspec.structs import replace

    from sintra.view import view_of

    how = replace(style(color, ascii, theme, whole=legend), since=since)
    lines = view_of(fold.rules).table(fold, how, backs=backs)
    if legend:
        from sintra.view.common import legend_lines

        lines += ["", *legend_lines(fold, how)]
    if code:
        lines += ["", _code(fold, events)]
    say("\n".join(lines))


def _code(fold: Fold, events: list[Event]) -> str:
    """Return a game as a code."""
    from sintra.game import Game
    from sintra.share.code import code

    return code(Game(fold, events))


def _read(log_: str, at: int | None, marks: bool, events: list[Event] | None) -> tuple[Reader, object]:
    """Return the reader of a log up to event `at`, and, to mark changes, the table before the last turn.

    Its events are appended to `events`, if that is given.
    """
    if not marks:
        reader = Reader(files.read(log_), log_)
        for moment in reader:
            if events is not None:
                events.append(moment.event)
            if reader.line == at:
                break
        return reader, None
    from sintra.view.trail import ENOUGH, Trail

    lines = 0

    def counted() -> Iterator[bytes]:
        nonlocal lines
        for block in files.read(log_):
            lines += block.count(b"\n")
            yield block

    reader, trail = Reader(counted(), log_), Trail()
    for moment in reader:
        if reader.line >= (lines if at is None else min(at, lines)) - ENOUGH:
            trail.see(reader.fold, moment.event)
        if events is not None:
            events.append(moment.event)
        if reader.line == at:
            break
    return reader, trail.since(reader.fold)
