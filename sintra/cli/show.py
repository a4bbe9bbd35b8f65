"""`sintra show`."""

from __future__ import annotations

from typing import Annotated

from sintra.cli.options import AsciiOption, Color, ColorOption, JsonOption, LogArgument, Option, QuietOption
from sintra.cli.output import say, say_json, style
from sintra.errors import UsageError
from sintra.log import files
from sintra.reader import Reader
from sintra.text import plural


def show(
    log_: LogArgument,
    at: Annotated[int | None, Option(help="Show the table after event N.", metavar="N")] = None,
    backs: Annotated[bool, Option("--backs", help="Draw the other side of each strip.")] = False,
    color: ColorOption = Color.auto,
    ascii: AsciiOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Show the table, whose turn it is, and the possible steps.

    A capital letter with its shape is a piece, a small letter an empty space for that color,
    * an empty joker.

    \b
    sintra show game.log
    sintra show game.log --at 20 --json
    """
    reader = Reader(files.read(log_), log_)
    for _ in reader:
        if reader.line == at:
            break
    if at is not None and not 1 <= at <= reader.line:
        raise UsageError(f"no event {at}: {files.named(log_)} has {plural(reader.line, 'event')}")
    fold = reader.fold
    if quiet:
        return
    if json:
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
            )
        )
        return
    from sintra.view import view_of

    say("\n".join(view_of(fold.rules).table(fold, style(color, ascii), backs=backs)))
