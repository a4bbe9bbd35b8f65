"""The command line: thin commands over the library, one module a family of commands."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from sintra.errors import SintraError


def main() -> None:
    """Run `sintra`; every error that a user can cause ends in a message and an exit code."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # be quiet on closed pipes, as Unix tools are
    try:
        code = _run(sys.argv[1:] or ["--help"])
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = 130
    except OSError as error:  # standard output is full or gone
        sys.stderr.write(f"sintra: can't write the answer: {error.strerror}\n")
        code = 1
    sys.exit(code)


def _run(arguments: list[str]) -> int:
    import typer

    from sintra.cli.app import program
    from sintra.errors import SintraError, UsageError

    usage_error = cast(type[Exception], typer.BadParameter.__mro__[1])
    as_json = "--json" in arguments
    try:
        command = typer.main.get_command(program(arguments))
        code = command.main(arguments, prog_name="sintra", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except SintraError as error:
        _complain(error, as_json)
        return error.exit_code
    except usage_error as error:
        slip = cast(Any, error)
        context = slip.ctx
        _complain(UsageError(slip.format_message()), as_json)
        if context is not None and not as_json:
            sys.stderr.write(f"Try `{context.command_path} --help`.\n")
        return 2
    except typer.Abort:
        return 130


def _complain(error: SintraError, as_json: bool) -> None:
    """Tell an error on standard error, as a line or as a JSON object."""
    from sintra.view import safe

    if as_json:
        import msgspec

        text = msgspec.json.encode(error.details()).decode()
    else:
        text = "\n".join(safe(line) for line in f"sintra: {error}".splitlines())
    sys.stderr.write(text + "\n")
