"""A component file to fill in, with the built-in values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from sintra.rules.ruleset import RuleSet
from sintra.text import listed


def toml(rules: RuleSet) -> str:
    """Return a component file in TOML: comments, and every built-in value."""
    letters = [f"{color.letter} {color.name}" for color in rules.palette]
    lines = [
        f"# The printed values of your own box of {rules.title}, for `--components`.",
        "# Change what differs, and delete what does not. Notes such as a date or a place go into the log:",
        "#     sintra note game.log 'Sintra, 12 May'",
        f"# Letters: {listed(letters)}.",
    ]
    last: list[str] = []
    for key, meaning, value in rules.template:
        value = msgspec.to_builtins(value)
        if isinstance(value, Mapping):  # tables come last in TOML
            last += ["", f"# {meaning}", f"[{key}]", *(f"{name} = {_toml(of)}" for name, of in value.items())]
        else:
            lines += ["", f"# {meaning}", f"{key} = {_toml(value)}"]
    return "\n".join(lines + last)


def _toml(value: Any) -> str:
    """Return a value in TOML; texts in a list get a line each."""
    if isinstance(value, list | tuple):
        parts = [_toml(part) for part in value]
        texts = any(isinstance(part, str) for part in value)
        return "[\n" + "".join(f"    {part},\n" for part in parts) + "]" if texts else f"[{', '.join(parts)}]"
    return f'"{value}"' if isinstance(value, str) else str(value)
