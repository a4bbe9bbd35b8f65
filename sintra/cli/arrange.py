"""`sintra arrange`."""

from __future__ import annotations

from typing import Annotated

from sintra.cli.advance import advance, check_input_free, typed
from sintra.cli.new import own_values
from sintra.cli.options import (
    Argument,
    ComponentsOption,
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
from sintra.rules.state import ARRANGE
from sintra.table import check_awaited, laid, record


def arrange(
    log_: LogArgument,
    words: Annotated[
        list[str] | None,
        Argument(metavar="WORDS", help="The arrangement; `-` reads it from standard input."),
    ] = None,
    components: ComponentsOption = None,
    expect: ExpectOption = None,
    wait: WaitOption = False,
    sync: SyncOption = True,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Enter how the boards were laid out at a real table.

    Sintra: `indicator` with the six colors, round I first, and for every player P `strips P` with
    the eight strips, leftmost first: a letter for each space of the side that is up (* is a joker),
    or of both sides as UP/DOWN. Azul and Crystal Mosaic have nothing to arrange.

    \b
    indicator copbyc
    strips 1 oypoy cpoco ocooy bpbyp pocyp ycyyc ypcyp cbccb
    strips 2 pocyp yybyo pbypy ycyyc oypoy opoop cpoco pcppy

    \b
    sintra new --rules azul --table -o table.log
    sintra arrange table.log
    """
    said = words or []
    if said == ["-"]:
        check_input_free(log_, "the arrangement")
        check_awaited(read_log(log_), ARRANGE)  # before anybody types
        said = typed("the arrangement")

    def enter(game: Game) -> None:
        check_awaited(game, ARRANGE)
        try:
            record(game, laid(game, " ".join(said).split(), own or {}))
        except UsageError as error:
            if not said and log_ != "-":
                error.add_note("Type the arrangement after LOG, or - to read it from standard input.")
            raise

    with own_values(components) as own:
        advance(log_, enter, expect, wait, sync, quiet, json)
