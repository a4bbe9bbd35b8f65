"""`sintra code`."""

from __future__ import annotations

from typing import Annotated

from sintra.cli.options import JsonOption, LogArgument, Option, QuietOption
from sintra.cli.output import remark, say, say_json
from sintra.reader import read_log

NamesOption = Annotated[bool, Option("--names", help="Include player names and remarks.")]


def code(
    log_: LogArgument, names: NamesOption = False, quiet: QuietOption = False, json: JsonOption = False
) -> None:
    """Print a game as a short code of letters and digits.

    `sintra decode` restores the log byte for byte, except for names and remarks, which --names includes. An
    unfinished game has a code, too, and steps that were taken back stay in it.

    \b
    sintra code game.log
    sintra code game.log --names
    """
    from sintra.share.code import code, left_out

    game = read_log(log_)
    text = code(game, names=names)
    if quiet:
        return
    if json:
        from sintra.cli.answers import CodeAnswer

        say_json(CodeAnswer(text, len(game.events), names))
        return
    say(text)
    missing = "" if names else left_out(game)
    if missing:
        remark(f"sintra: without {missing}: --names carries them along")
