"""The command line: thin commands over the library, one module a family of commands."""

from __future__ import annotations

import io
import signal
import sys
from itertools import takewhile
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from sintra.errors import SintraError

FEW = 8
"""A refusal tells so many steps that would do, and no more."""


def main() -> None:
    """Run `sintra`; every error that a user can cause ends in a message and an exit code."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # be quiet on closed pipes, as Unix tools are
    if sys.stderr is None:
        sys.stderr = io.StringIO()  # it is closed: nobody reads what goes wrong
    sys.stdout = _buffered(sys.stdout)
    arguments = sys.argv[1:] or ["--help"]
    try:
        code = _run(arguments)
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


def _buffered(stream: Any) -> Any:
    """Standard output that writes all, or fails; without a buffer (PYTHONUNBUFFERED), it may write a part."""
    if not isinstance(getattr(stream, "buffer", None), io.RawIOBase):
        return stream
    whole = io.BufferedWriter(io.FileIO(stream.fileno(), "w", closefd=False))
    return io.TextIOWrapper(whole, stream.encoding, stream.errors, line_buffering=True)


def _run(arguments: list[str]) -> int:
    import typer

    from sintra.cli.app import program
    from sintra.cli.output import remark
    from sintra.errors import SintraError, Unreadable, UsageError
    from sintra.log import files
    from sintra.text import reason

    usage_error = cast(type[Exception], typer.BadParameter.__mro__[1])
    as_json = "--json" in takewhile(lambda word: word != "--", arguments)
    try:
        if sys.stdout is None:
            raise Unreadable("can't write the answer: standard output is closed")
        command = typer.main.get_command(program(arguments))
        code = command.main(arguments, prog_name="sintra", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except OSError as error:  # files are the log's affair: this is standard output
        files.discard(1)  # what is left in its buffer is lost, quietly
        told = "; ".join([reason(error), *getattr(error, "__notes__", ())])
        _complain(Unreadable(f"can't write the answer: {told}"), as_json)
        return Unreadable.exit_code
    except SintraError as error:
        _complain(error, as_json)
        return error.exit_code
    except usage_error as error:
        slip = cast(Any, error)
        context = slip.ctx
        _complain(UsageError(_plain(slip.format_message())), as_json)
        if context is not None and not as_json:
            remark(f"Try `{context.command_path} --help`.")
        return 2
    except typer.Abort:
        return 130


def _complain(error: SintraError, as_json: bool) -> None:
    """Tell an error on standard error, as a line or as a JSON object."""
    from sintra.cli.output import remark
    from sintra.text import safe, safe_json

    remark(safe_json(error.details()) if as_json else safe(f"sintra: {_told(error)}"))


def _told(error: SintraError) -> str:
    """An error in words; a refused step comes with what would do in its place, where that is short."""
    from sintra.errors import IllegalStep
    from sintra.text import listed

    text = str(error)
    if not isinstance(error, IllegalStep) or "; " in text:  # it has been said
        return text
    verb = text.split(" ")[0]
    alike = [step.removeprefix(f"{verb} ") for step in error.legal if step.startswith(f"{verb} ")]
    return f"{text}; {verb} {listed(alike, 'or')} would do" if 0 < len(alike) <= FEW else text


def _plain(message: str) -> str:
    """What typer says of a value, without formulas and names of types."""
    import re

    for formula, words in (
        (r"in the range x>=(\S+)\.$", r"\1 or more."),
        (r"in the range (\S+)<=x<=(\S+)\.$", r"from \1 to \2."),
        (r"a valid int\w*( range)?\.$", "a whole number."),
        (r"a valid float( range)?\.$", "a number."),
    ):
        message = re.sub(formula, words, message)
    return message
