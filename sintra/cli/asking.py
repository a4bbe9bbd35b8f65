"""Asking a person at the keyboard, or a script on standard input."""

from __future__ import annotations

import sys

from sintra.cli.output import say
from sintra.errors import Unreadable, UsageError
from sintra.text import reason

MAX_TYPED = 10_000
"""Maximum length of a typed line, in characters."""


def ask(prompt: str) -> str | None:
    """Return a typed line; None at the end.

    From a pipe, the line is printed after the prompt, so that the output reads as if it had been typed.
    """
    from sintra.text import safe

    sys.stdout.flush()
    if sys.stdin is not None and sys.stdin.isatty():
        try:
            return input(prompt).strip()
        except EOFError:
            say("")
            return None
    try:
        line = sys.stdin.readline(MAX_TYPED + 1) if sys.stdin is not None else ""
    except OSError as error:
        raise Unreadable(f"can't read standard input: {reason(error)}") from None
    if len(line) > MAX_TYPED:
        raise UsageError(f"line too long: at most {MAX_TYPED} characters")
    say(safe(prompt + line.strip()))
    return line.strip() if line else None
