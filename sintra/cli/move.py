"""`sintra move`."""

from __future__ import annotations

from typing import Annotated, Any

from sintra.cli.advance import advance, check_input_free, typed
from sintra.cli.options import (
    Argument,
    ExpectOption,
    JsonOption,
    LogArgument,
    Option,
    QuietOption,
    SyncOption,
    WaitOption,
)
from sintra.errors import UsageError
from sintra.game import Game
from sintra.log import files
from sintra.log.events import Event


def complete_steps(ctx: Any, incomplete: str) -> list[str]:
    """The words of legal steps, for the shell."""
    from sintra.cli.complete import steps

    return steps(ctx, incomplete)


def move(
    log_: LogArgument,
    steps: Annotated[
        list[str] | None,
        Argument(
            metavar="STEPS",
            help="The steps; without any, they are read from standard input.",
            completion=complete_steps,
        ),
    ] = None,
    auto: Annotated[bool, Option("--auto", help="Also play every step that is forced.")] = False,
    expect: ExpectOption = None,
    wait: WaitOption = False,
    sync: SyncOption = True,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Play steps: all of them, or none if one is not legal.

    \b
    pick SOURCE COLOR   all pieces of a color, from display 1 to 9 or from center
    place N [jokers K]  on strip N (Azul: on line N, or place floor)
    keep COLOR          the piece of a completed strip that goes to the window
    return              the glazier walks back to the leftmost strip
    tile ROW COLUMN     where the piece of a full line goes, on free walls

    Colors may be cut short; black goes by k, too, as `show` draws it. The log - is read from
    standard input, and the whole new log is written to standard output.

    \b
    sintra move game.log pick 3 orange
    sintra move game.log place 2
    """
    if not steps and not auto:
        check_input_free(log_, "steps are")
    said = steps or []
    if not said and log_ != "-" and (not auto or files.input_is_piped()):  # --auto needs no steps
        said = typed("steps")
    if not said and not auto:
        raise UsageError("steps are not on the command line, and not on standard input")

    def play(game: Game) -> list[Event]:
        events = game.play(" ".join(said)) if said else game.settle()
        while auto and len(forced := game.legal()) == 1:
            events += game.play(forced[0])
        return events

    advance(log_, play, expect, wait, sync, quiet, json)
