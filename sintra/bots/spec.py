"""How bots are named: `[LABEL=]NAME[:KEY=VALUE]...`.

`greedy`, `greedy:depth=1`, `module:function`, `deep=module:function:depth=3:width=2`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from math import isfinite
from typing import Any

from msgspec import Struct

from sintra.errors import UsageError
from sintra.text import listed

_LABEL = re.compile(r"([A-Za-z][\w.-]*)=(.*)", re.DOTALL)
_COMMA = re.compile(r"(?<!\\),")

COMMAND = "cmd:"
"""The prefix of a program's name: `cmd:./mybot --fast`."""

Value = bool | int | float | str
"""The value of a parameter."""


class Spec(Struct, frozen=True):
    """A bot's name, parsed; `given` are its parameters as typed."""

    text: str
    label: str
    """Its name in logs and tables; empty if that is `name`."""
    name: str
    """`greedy`, `module:function` or `cmd:PROGRAM ARGUMENTS`."""
    given: dict[str, str]

    @property
    def command(self) -> str:
        """The command of a program that plays, empty for any other bot."""
        return self.name.removeprefix(COMMAND).strip() if self.name.startswith(COMMAND) else ""

    @property
    def is_custom(self) -> bool:
        """True for a name of the form `module:function`."""
        module, _, function = self.name.partition(":")
        return module != "cmd" and all(word.isidentifier() for word in [*module.split("."), function])


def parsed(text: str) -> Spec:
    """Return a bot's name, parsed; raise UsageError if a parameter is given twice."""
    matched = _LABEL.fullmatch(text)
    label, rest = matched.groups() if matched else ("", text)
    if rest.startswith(COMMAND):
        if not rest.removeprefix(COMMAND).strip():
            raise UsageError(f"{text}: name the program: cmd:PROGRAM ARGUMENTS")
        return Spec(text, label, rest, {})
    parts = rest.split(":")
    size = next((at for at, part in enumerate(parts) if "=" in part), len(parts))
    given: dict[str, str] = {}
    for part in parts[size:]:
        key, equals, value = part.partition("=")
        if not equals or not key.isidentifier():
            raise UsageError(f"{text}: parameters go as NAME:KEY=VALUE:KEY=VALUE, not {part!r}")
        if key in given:
            raise UsageError(f"{text}: {key} is given twice")
        given[key] = value
    return Spec(text, label, ":".join(parts[:size]), given)


def command_in(text: str) -> str:
    """Return the command of a program, which may be given with or without `cmd:` and a label."""
    matched = _LABEL.fullmatch(text)
    named = matched[2] if matched and matched[2].startswith(COMMAND) else text
    return named.removeprefix(COMMAND).strip()


def names_in(text: str) -> list[str]:
    r"""Return the names in a comma-separated text such as `greedy, random`; `\,` is a comma within a name."""
    return [name.strip().replace("\\,", ",") for name in _COMMA.split(text)]


def label_of(text: str) -> str:
    """Return a bot's name in logs and tables: its label, or else its name."""
    return parsed(text).label or text


# -- Parameters ------------------------------------------------------------------------------

_KINDS: dict[type, tuple[str, Callable[[str], Value]]] = {
    bool: ("true or false", {"true": True, "false": False}.__getitem__),
    int: ("a whole number", int),
    float: ("a number", float),
    str: ("a text", str),
}
"""The name of each type of parameter, and how to read a value."""


def values(spec: Spec, defaults: Mapping[str, Value]) -> dict[str, Value]:
    """Return the parameters of a bot, whose defaults give their names and types."""
    return _values(spec, {key: type(value) for key, value in defaults.items()})


def values_for(spec: Spec, custom: Callable[..., Any]) -> dict[str, Value]:
    """Return the parameters of a custom bot: a function of a state, a stream and these, or a class."""
    from inspect import Parameter, signature

    try:
        known = list(signature(custom).parameters.values())
    except (TypeError, ValueError):  # written in C: no signature
        return _values(spec, dict.fromkeys(spec.given))
    own = known if isinstance(custom, type) else known[2:]
    types = {one.name: _type_of(one.annotation) for one in own if one.kind is not Parameter.VAR_KEYWORD}
    if len(types) < len(own):
        types = {**dict.fromkeys(spec.given), **types}
    return _values(spec, types)


def _type_of(annotation: object) -> type | None:
    """Return the type of a parameter, whose annotation may be a string; None if it can be anything."""
    return next((kind for kind in _KINDS if annotation in (kind, kind.__name__)), None)


def _values(spec: Spec, types: Mapping[str, type | None]) -> dict[str, Value]:
    for key in spec.given:
        if key not in types:
            takes = f"it takes {listed(list(types))}" if types else "it takes none"
            raise UsageError(f"{spec.text}: unknown parameter {key!r}; {takes}")
    return {key: _value(spec, key, types[key]) for key in spec.given}


def _value(spec: Spec, key: str, kind: type | None) -> Value:
    text = spec.given[key]
    if kind is None:
        return _guessed(text)
    called, read = _KINDS[kind]
    try:
        value = read(text)
    except (ValueError, KeyError):
        raise UsageError(f"{spec.text}: {key} must be {called}, not {text!r}") from None
    if isinstance(value, float) and not isfinite(value):
        raise UsageError(f"{spec.text}: {key} must be finite")
    return value


def _guessed(text: str) -> Value:
    """Return a value as the first type that it can be read as."""
    for _, read in _KINDS.values():
        with suppress(ValueError, KeyError):
            return read(text)
    raise AssertionError("any text is a text")
