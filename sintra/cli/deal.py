"""`sintra deal`."""

from __future__ import annotations

from typing import Annotated

from sintra.cli.advance import advance, check_input_free, typed
from sintra.cli.options import (
    Argument,
    ExpectOption,
    JsonOption,
    LogArgument,
    QuietOption,
    SyncOption,
    WaitOption,
)
from sintra.errors import UsageError
from sintra.game import Game
from sintra.reader import read_log
from sintra.rules.state import DEAL
from sintra.table import check_awaited, record


def deal(
    log_: LogArgument,
    displays: Annotated[
        list[str] | None,
        Argument(metavar="DISPLAYS", help="What was drawn (default: read from standard input)."),
    ] = None,
    expect: ExpectOption = None,
    wait: WaitOption = False,
    sync: SyncOption = True,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Enter what was drawn onto each display at a real table.

    Type each display as one word, a letter for each piece (k is black), or as four colors, which
    may be abbreviated; - is an empty display. Impossible draws are rejected.

    \b
    sintra new --rules azul --table -o table.log
    sintra arrange table.log
    sintra deal table.log brky ytbk kkkk rrbb tttt
    sintra undo table.log
    sintra deal table.log blue red bla yel ytbk kkkk rrbb tttt
    """
    from sintra.rules.typed import dealt

    said = displays or []
    if not said:
        check_input_free(log_, "the deal")
        check_awaited(read_log(log_), DEAL)  # before anybody types
        said = typed("the deal")
    if not said:
        raise UsageError("no deal on the command line or on standard input")

    def enter(game: Game) -> None:
        check_awaited(game, DEAL)
        record(game, dealt(game.rules.palette, game.round + 1, " ".join(said), game.live.offer.size))

    advance(log_, enter, expect, wait, sync, quiet, json)
