"""Plain calls, read from a command's own signature: loading typer takes longer than most commands.

A call is plain if it names a command, spells options as they are declared (`--json`, `-q`, `--at 3`), repeats
only those that may be repeated, and gives values of the right type. All others are left to typer, which
accepts more spellings, prints help, and reports errors.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import partial
from types import UnionType
from typing import Any, get_args, get_origin

from sintra.cli.commands import COMMANDS, Command, load, overview, version
from sintra.cli.options import Argument, Parameter

LONGEST_NUMBER = 18
"""Maximum number of digits that are read here."""


class NotPlain(Exception):
    """A call that typer has to read."""


class Known:
    """A parameter of a command, as its signature describes it."""

    __slots__ = ("about", "kind", "many", "name", "required")

    def __init__(self, name: str, hint: Any, required: bool) -> None:
        kind = hint.__origin__
        if isinstance(kind, UnionType):  # X | None
            kind = get_args(kind)[0]
        self.name = name
        self.many = get_origin(kind) is list
        self.kind: type = get_args(kind)[0] if self.many else kind
        self.required = required
        self.about: Parameter = hint.__metadata__[0]


def read(arguments: Sequence[str]) -> Callable[[], int | None] | None:
    """Return what a plain call does, or None if the call is not plain."""
    if "_SINTRA_COMPLETE" in os.environ:  # a shell asks typer for completions
        return None
    if len(arguments) == 1 and arguments[0] in ("--help", "-h", "--version"):
        return partial(_print, version if arguments[0] == "--version" else overview)
    if arguments[0] not in COMMANDS:
        return None
    command = load(arguments[0])
    try:
        return partial(command, **values(command, arguments[1:]))
    except NotPlain:
        return None


def _print(text: Callable[[], str]) -> None:
    sys.stdout.write(text() + "\n")


def values(command: Command, words: Sequence[str]) -> dict[str, Any]:
    """Return the values that words give to a command's parameters; NotPlain if typer has to read them."""
    parameters = described(command)
    spelled = {word: (known, value) for known in parameters for word, value in spellings(known)}
    given: dict[str, Any] = {}
    free: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "-" or not word.startswith("-"):
            free.append(word)
            continue
        known, value = spelled.get(word, (None, None))
        if known is None or (known.name in given and not known.many):
            raise NotPlain
        if value is None:
            value = _value(known, next(rest, ""))
        given[known.name] = [*given.get(known.name, ()), value] if known.many else value
    _place(free, [known for known in parameters if isinstance(known.about, Argument)], given)
    return given


def described(command: Command) -> list[Known]:
    """Return the parameters of a command in their order."""
    code: Any = command
    names = code.__code__.co_varnames[: code.__code__.co_argcount]
    required = len(names) - len(code.__defaults__ or ())
    return [Known(name, _hint(code, name), at < required) for at, name in enumerate(names)]


def _hint(command: Any, name: str) -> Any:
    """Return what the annotation of a parameter says, which is text; most are the name of a shared option."""
    text = command.__annotations__[name]
    return command.__globals__.get(text) or eval(text, command.__globals__)


def spellings(known: Known) -> Iterator[tuple[str, bool | None]]:
    """Yield how an option is spelled, and the value of a flag."""
    if isinstance(known.about, Argument):
        return
    for names in known.about.names or (f"--{known.name.replace('_', '-')}",):
        on, _, off = names.partition("/")
        yield on, True if known.kind is bool else None
        if off:
            yield off, False


def _value(known: Known, word: str) -> Any:
    """Return the value of a word."""
    if not word or (word.startswith("-") and word != "-"):
        raise NotPlain
    if known.kind is str:
        return word
    if issubclass(known.kind, Enum):
        try:
            return known.kind(word)
        except ValueError:
            raise NotPlain from None
    if known.kind is not int or not (word.isascii() and word.isdigit()) or len(word) > LONGEST_NUMBER:
        raise NotPlain
    number, low, high = int(word), known.about.min, known.about.max
    if (low is not None and number < low) or (high is not None and number > high):
        raise NotPlain
    return number


def _place(words: list[str], arguments: Sequence[Known], given: dict[str, Any]) -> None:
    """Give words to the arguments in their order."""
    for known in arguments:
        taken = len(words) if known.many else min(1, len(words))
        if not taken and known.required:
            raise NotPlain
        found = [_value(known, word) for word in words[:taken]]
        if found:
            given[known.name] = found if known.many else found[0]
        del words[:taken]
    if words:
        raise NotPlain
