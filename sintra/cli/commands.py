"""The commands in groups, and the overview."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from sintra.version import VERSION

Command = Callable[..., int | None]
"""A command: returns its exit code, None for 0."""

GROUPS = {
    "Play": ("play", "serve", "learn", "rules", "help"),
    "Script": ("new", "move", "legal", "show", "undo", "fork", "note", "arrange", "deal"),
    "Study": ("log", "replay", "draw", "score", "diff", "hint", "analyze", "puzzle"),
    "Many games": ("simulate", "stats", "verify", "export", "bot", "tournament", "ratings"),
    "Files": ("code", "decode", "position", "convert", "repair", "schema"),
}
COMMANDS = tuple(name for names in GROUPS.values() for name in names)
"""Every command, in the order of the help; each is in the module of its name."""

ABOUT = """Play, script, replay and verify games of the Azul family, stored as plain logs.

\b
sintra new --seed 42 > game.log
sintra move game.log pick 3 orange
sintra show game.log
"""

REST = """\
Options: --version, --help, --install-completion, --show-completion.
`sintra help` lists every command, `sintra COMMAND --help` explains one."""


def load(name: str) -> Command:
    """Import a command."""
    command: Any = getattr(import_module(f"sintra.cli.{name}"), name)
    return command  # type: ignore[no-any-return]


def overview() -> str:
    """Return the program's help: the names of the commands by group, and examples."""
    summary, examples = ABOUT.rstrip().split("\n\n\b\n")
    names = [f"  {group:<12}{', '.join(names)}" for group, names in GROUPS.items()]
    first = [f"  {line}" for line in examples.splitlines()]
    return "\n".join(["Usage: sintra COMMAND [ARGS]...", "", summary, "", *names, "", *first, "", REST])


def listing() -> str:
    """Return every command with its summary, by group."""
    lines: list[str] = []
    for group, names in GROUPS.items():
        lines += ["", f"{group}:"] if lines else [f"{group}:"]
        lines += [f"  {name:<11}{(load(name).__doc__ or ' ').splitlines()[0]}" for name in names]
    return "\n".join(lines)


def version() -> str:
    """Return the version, and how the rules run."""
    from sintra.catalog import build

    return f"sintra {VERSION} ({build()})"
