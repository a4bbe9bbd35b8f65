"""`sintra move`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from sintra.cli import complain
from sintra.cli.advance import Act, advance, check_input_free, typed_lines
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
from sintra.cli.output import hint, say_json
from sintra.errors import Conflict, IllegalStep, UsageError
from sintra.game import Game
from sintra.log import files


def complete_steps(ctx: Any, incomplete: str) -> list[str]:
    """Return the words of legal steps, for shell completion."""
    from sintra.cli.complete import steps

    return steps(ctx, incomplete)


def move(
    log_: LogArgument,
    steps: Annotated[
        list[str] | None,
        Argument(
            metavar="STEPS",
            help="Steps to play (default: read from standard input).",
            completion=complete_steps,
        ),
    ] = None,
    auto: Annotated[bool, Option("--auto", help="Also play every forced step.")] = False,
    lines: Annotated[
        bool, Option("--lines", help="Play and answer each line of standard input as it arrives.")
    ] = False,
    expect: ExpectOption = None,
    wait: WaitOption = False,
    sync: SyncOption = True,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
    """Play steps: all of them, or none if one is illegal.

    \b
    pick SOURCE COLOR   all pieces of a color, from display 1 to 9 or from center
    place N [jokers K]  on strip N (Azul: on line N, or place floor)
    keep COLOR          the piece of a completed strip that goes to the window
    return              the glazier walks back to the leftmost strip
    tile ROW COLUMN     where the piece of a full line goes, on free walls

    Colors can be abbreviated, down to the letter that `show` draws: b is blue, k is black. Short
    forms work as in `play`: 3o picks orange from display 3, and 2 places on strip 2. With - as LOG,
    the log is read from standard input and the whole new log goes to standard output.

    With --lines, one process plays each line of standard input as it arrives: completely or not at all, and
    on disk before it is answered. The log is unlocked between lines. A refused line does not stop the rest;
    the exit code is the highest of all lines. With --json, each line gets one answer on standard output, an
    error object if it was refused.

    \b
    sintra move game.log pick 3 orange
    sintra move game.log place 2
    sintra legal game.log | head -n 1 | sintra move game.log --lines
    """
    if lines:
        if steps or log_ == "-" or expect is not None:
            raise UsageError("--lines needs a log file, and can't be combined with steps or --expect")
        return _play_lines(log_, auto, wait, sync, quiet, json)
    if not steps and not auto:
        check_input_free(log_, "steps")
    said = steps or []
    if not said and log_ != "-" and (not auto or files.input_is_piped()):  # --auto needs no steps
        said = typed_lines("steps")
    if not any(said) and not auto:
        raise UsageError("no steps on the command line or on standard input")

    advance(log_, _playing(said, auto, lines=not steps), expect, wait, sync, quiet, json)
    return 0


def _playing(said: Sequence[str], auto: bool, lines: bool = False) -> Act:
    """Return a function that plays steps; if they are lines, an error names the line at fault."""

    def play(game: Game) -> None:
        if any(said):
            try:
                _play(game, " ".join(said))
            except (UsageError, IllegalStep) as error:
                if lines and len(said) > 1:
                    error.args = (f"line {_line_at_fault(game, said)}: {error}", *error.args[1:])
                raise
        else:
            game.settle()
        while auto and len(forced := game.legal()) == 1:
            game.play(forced[0])

    return play


def _play(game: Game, words: str) -> None:
    """Play steps by their words, or in the short forms of `play`."""
    try:
        game.play(words)
    except UsageError:
        from sintra.cli.shorthand import in_full

        full = in_full(game, words.lower().split())
        if full is None:
            raise
        game.play(full)


def _line_at_fault(game: Game, said: Sequence[str]) -> int:
    """Return the number of the first line that can't be played after the lines before it."""
    for count, line in enumerate(said, 1):
        try:
            if line:
                _play(game.copy(), " ".join(said[:count]))
        except (UsageError, IllegalStep):
            return count
    return len(said)


def _play_lines(log_: str, auto: bool, wait: bool, sync: bool, quiet: bool, json: bool) -> int:
    """Play and answer the lines of standard input as they arrive; return the highest exit code."""
    worst = 0
    hint("steps")
    for line in files.step_lines():
        words = line.split("#", 1)[0].strip()
        if not words:
            continue
        try:
            advance(log_, _playing([words], auto), None, wait, sync, quiet, json)
        except (UsageError, IllegalStep, Conflict) as error:
            worst = max(worst, error.exit_code)
            if json:
                say_json(error.details())
            else:
                complain(error, as_json=False)
    return worst
