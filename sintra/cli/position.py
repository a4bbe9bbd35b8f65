"""`sintra position`."""

from __future__ import annotations

from typing import Annotated

from sintra.cli.options import JsonOption, LogArgument, Option, QuietOption
from sintra.cli.output import say, say_json
from sintra.reader import read_log


def position(
    log_: LogArgument,
    at: Annotated[int | None, Option(help="Position after event N (default: the last).", metavar="N")] = None,
    seed: Annotated[
        bool, Option("--seed/--no-seed", help="Include the kind of chance, and its seed.")
    ] = True,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Print a position, everything on the table, as one line.

    The bag is included. `sintra new --position LINE` starts a game from it, with the same deals, unless
    --no-seed leaves out the seed.

    \b
    sintra position game.log --at 40
    sintra position game.log --at 40 --no-seed | sintra new --position - -o p.log
    """
    from sintra.share.position import position

    line = position(read_log(log_, at), at, seed=seed)
    if quiet:
        return
    if json:
        from sintra.cli.answers import PositionAnswer

        say_json(PositionAnswer(line))
    else:
        say(line)
