"""`sintra decode`."""

from __future__ import annotations

from typing import Annotated

from sintra.cli.new import write_new
from sintra.cli.options import Argument, JsonOption, OutputOption, QuietOption
from sintra.cli.output import hint
from sintra.log import files


def decode(
    code: Annotated[
        str, Argument(metavar="CODE", help="Code, a link that contains one, or - for standard input.")
    ],
    output: OutputOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Turn the code of a game into its log.

    Writes to standard output or to a new file. A code is refused if it was mistyped or cut off, or comes
    from another version or other rules.

    \b
    sintra decode 139HOptRnLNJvUl72gB88LwpypQ1EJZaYG9xeTuqX7dX -o decoded.log
    sintra code game.log | sintra decode - | sintra show -
    """
    from sintra.share.code import decode

    if code == "-":
        hint("a code")
        code = files.read_steps()
    write_new(decode(code), output, quiet, json)
