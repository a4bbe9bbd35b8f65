"""The command line: thin commands over the library, one module each."""

from __future__ import annotations

import errno
import gc
import io
import signal
import sys
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sintra.errors import SintraError

FEW = 8
"""Maximum number of legal steps listed with a refusal."""


def main() -> None:
    """Run `sintra`; turn every error that a user can cause into a message and an exit code."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # quiet on closed pipes, like any Unix tool
    if sys.stderr is None:
        sys.stderr = io.StringIO()  # standard error is closed
    if answers := signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # nothing is open yet
    sys.stdout = _buffered(sys.stdout)
    arguments = sys.argv[1:] or ["--help"]
    gc.disable()  # what is loaded never becomes garbage, and collection would take a tenth of a short run
    try:
        code = _run(arguments, answers)
    except KeyboardInterrupt:
        code = 130
    gc.freeze()
    sys.exit(code)


def _again(lost: Any) -> None:
    """Send Ctrl-C again if Python would lose it: where it can't raise errors, as in parts of an import."""
    if lost.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(lost)
        return
    from threading import Timer

    Timer(0.01, signal.raise_signal, [signal.SIGINT]).start()


def _buffered(stream: Any) -> Any:
    """Return standard output with a buffer: without one (PYTHONUNBUFFERED), a write may stop halfway."""
    if not isinstance(getattr(stream, "buffer", None), io.RawIOBase):
        return stream
    whole = io.BufferedWriter(io.FileIO(stream.fileno(), "w", closefd=False))
    return io.TextIOWrapper(whole, stream.encoding, stream.errors, line_buffering=True)


def _run(arguments: list[str], answers: bool = False) -> int:
    """Run a call and return its exit code; `answers` is True if we handle Ctrl-C."""
    from sintra.cli import plain
    from sintra.errors import SintraError, Unreadable

    as_json = "--json" in takewhile(lambda word: word != "--", arguments)
    try:
        if sys.stdout is None:
            raise Unreadable("can't write the answer: standard output is closed")
        call = plain.read(arguments)
        if call is None:
            from sintra.cli.app import run

            call = partial(run, arguments)
        gc.freeze()
        gc.enable()
        if answers:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            sys.unraisablehook = _again
        code = call()
        sys.stdout.flush()
        return code or 0
    except OSError as error:  # `log` handles the errors of files: this is standard output
        from sintra.log import files
        from sintra.text import reason

        files.discard(1)  # the rest of its buffer is lost, quietly
        if error.errno == errno.EPIPE:
            return 1
        said = "; ".join([reason(error), *getattr(error, "__notes__", ())])
        complain(Unreadable(f"can't write the answer: {said}"), as_json)
        return Unreadable.exit_code
    except SintraError as error:
        complain(error, as_json)
        return error.exit_code
    except Exception as error:
        from sintra.catalog import blamed

        failure = blamed(error)
        if failure is None:
            raise
        complain(failure, as_json)
        return failure.exit_code


def complain(error: SintraError, as_json: bool) -> None:
    """Print an error on standard error: as a line and its notes, or as a JSON object."""
    from sintra.cli.output import remark, with_ruling
    from sintra.text import safe, safe_json

    if as_json:
        remark(safe_json(error.details()))
        return
    said = _in_words(error)
    if sys.stderr is not None and sys.stderr.isatty():
        said = with_ruling(said)
    for line in (f"sintra: {said}", *getattr(error, "__notes__", ())):
        remark(safe(line))


def _in_words(error: SintraError) -> str:
    """Return an error's message; for a refused step, with the legal ones of its kind, if there are few."""
    from sintra.errors import IllegalStep
    from sintra.text import listed

    text = str(error)
    if not isinstance(error, IllegalStep) or "; " in text:  # the message says it
        return text
    verb = text.split(" ")[0]
    alike = [step.removeprefix(f"{verb} ") for step in error.legal if step.startswith(f"{verb} ")]
    return f"{text}; legal: {verb} {listed(alike, 'or')}" if 0 < len(alike) <= FEW else text
