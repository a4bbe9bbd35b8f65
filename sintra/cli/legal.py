"""`sintra legal`."""

from __future__ import annotations

from sintra.cli.options import (
    JsonOption,
    LogArgument,
    QuietOption,
)
from sintra.cli.output import say, say_json
from sintra.errors import IllegalStep
from sintra.log import files
from sintra.reader import read_log


def legal(log_: LogArgument, quiet: QuietOption = False, json: JsonOption = False) -> None:
    """List the legal next steps, one per line.

    Steps are printed in the words that `move` takes, in a stable order.

    \b
    sintra legal game.log
    sintra move game.log $(sintra legal game.log | shuf -n 1)
    """
    game = read_log(log_)
    if game.created.chance == "seeded":  # the seed decides how a cut log continues
        game.settle()
    elif game.created.chance == "system" and game.player is None and not game.over:
        raise IllegalStep(f"{files.named(log_)}: {game.awaits}; `sintra move --auto` continues this log")
    steps = [str(step) for step in game.legal()]
    if quiet:
        return
    if json:
        from sintra.cli.answers import LegalAnswer

        say_json(LegalAnswer(game.player, steps))
    elif steps:
        say("\n".join(steps))
