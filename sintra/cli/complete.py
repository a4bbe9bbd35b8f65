"""Shell completion: the legal steps of the log that was named, and the values of options."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from sintra import catalog
from sintra.errors import SintraError
from sintra.reader import read_log


def steps(context: Any, incomplete: str) -> list[str]:
    """Return the words that may come next, after those already typed, in the legal steps."""
    path = context.params.get("log_")
    if path in (None, "-") or not os.path.isfile(path):  # completion must not wait for a pipe
        return []
    try:
        game = read_log(path)
        typed = list(context.params.get("steps") or [])
        while typed:
            whole = next((n for n in range(len(typed), 0, -1) if _plays(game, typed[:n])), 0)
            if not whole:
                break
            game.play(" ".join(typed[:whole]))
            typed = typed[whole:]
    except SintraError:
        return []
    after = [str(step).split() for step in game.legal()]
    fitting = [words for words in after if len(words) > len(typed) and words[: len(typed)] == typed]
    found = dict.fromkeys(words[len(typed)] for words in fitting)
    return [word for word in found if word.startswith(incomplete)]


def _plays(game: Any, typed: list[str]) -> bool:
    """Return True if these words are steps that can be played."""
    try:
        game.copy().play(" ".join(typed))
    except SintraError:
        return False
    return True


# -- Values ----------------------------------------------------------------------------------


def matching(name: str, context: Any, incomplete: str) -> list[str]:
    """Return the values of this kind that begin with the typed text, in any case."""
    *before, last = incomplete.split(",") if name in LISTS else [incomplete]
    head = "".join(f"{part}," for part in before)
    found = VALUES[name](context)
    return [f"{head}{value}" for value in found if value.lower().startswith(last.lower())]


def _rules(_: Any) -> list[str]:
    return sorted(catalog.names())


def _chosen(context: Any) -> Any:
    """Return the rule-set that was named before, or the default."""
    return catalog.find(context.params.get("rules") or "sintra")


def _sides(context: Any) -> list[str]:
    sides = [option.values for option in _chosen(context).options if option.name == "side"]
    return [str(value) for values in sides for value in values]


def _options(context: Any) -> list[str]:
    from sintra.text import spelled

    options = _chosen(context).options
    return [f"{option.name}={spelled(value)}" for option in options for value in option.values]


def _bots(_: Any) -> list[str]:
    from sintra.bots.names import BOTS

    return list(BOTS)


def _keys(_: Any) -> list[str]:
    from sintra.batch.results import KEYS

    return list(KEYS)


def _topics(_: Any) -> list[str]:
    from sintra.cli.commands import COMMANDS

    games = [catalog.find(name) for name in catalog.BUILT_IN]
    verbs = [form.split()[0] for rules in games for form, _ in rules.guide]
    numbers = [ruling.number for rules in games for ruling in rules.rulings]
    return list(dict.fromkeys([*verbs, *numbers, *COMMANDS]))


def _schemas(_: Any) -> list[str]:
    from sintra.cli.reports import ANSWERS

    return [*ANSWERS, "planes", *(f"log-{name}" for name in _rules(None))]


LISTS = ("bots", "by")
"""The values that are comma-separated lists."""
VALUES: dict[str, Callable[[Any], list[str]]] = {
    "rules": _rules,
    "side": _sides,
    "option": _options,
    "bots": _bots,
    "by": _keys,
    "help": _topics,
    "schema": _schemas,
}
