"""Rule-sets by name: the built-in ones, and those that other packages plug in.

A package plugs in a rule-set with an entry point in the group `sintra.rules`: its name is the rule-set's
name, its value a `sintra.rules.RuleSet`. A plug-in is imported only when its rules are needed, and one that
can't be imported does not affect the others.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

from sintra.errors import SintraError, UnknownRules
from sintra.log.codec import line_decoder
from sintra.log.events import MAX_NAME_CHARACTERS
from sintra.rules import chance
from sintra.rules.colors import MAX_COLORS
from sintra.rules.effects import Effect
from sintra.rules.ruleset import QUESTIONS, Option, RuleSet
from sintra.rules.steps import Step
from sintra.text import place
from sintra.version import VERSION

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "sintra.rules"
BUILT_IN = {
    "sintra": "sintra.games.sintra:SINTRA",
    "azul": "sintra.games.azul:AZUL",
    "crystal": "sintra.games.azul:CRYSTAL",
}


def build() -> str:
    """Return how the rules run: `compiled` or `interpreted`."""
    return "interpreted" if str(chance.__file__).endswith(".py") else "compiled"


@lru_cache(maxsize=64)  # names come from logs, too: bounded, so that they can't fill the memory
def find(name: str, engine: str = "") -> RuleSet:
    """Return the rule-set of this name; `engine` is what wrote the log, for the error."""
    if name in BUILT_IN:
        module, attribute = BUILT_IN[name].split(":")
        rules: RuleSet = getattr(import_module(module), attribute)
        return rules
    points = [point for point in _plugged() if point.name == name]
    if not points:
        package = engine.partition(" ")[2]
        needed = f"; the log was written with the package {package!r}" if package else ""
        raise UnknownRules(f"no rules named {name!r} are installed{needed}; available: {', '.join(names())}")
    if len(points) > 1:
        raise UnknownRules(
            f"rules named {name!r} come from {' and '.join(map(_package, points))}: remove one"
        )
    return _load(points[0])


def package_of(name: str) -> str:
    """Return the package of a rule-set, with its version; empty for built-in ones."""
    if name in BUILT_IN:
        return ""
    return " ".join(_package(point) for point in _plugged() if point.name == name)


def engine_of(name: str) -> str:
    """Return the `engine` of new logs: this version, and the package of the rule-set."""
    return f"{VERSION} {package_of(name)}"[:MAX_NAME_CHARACTERS].rstrip()


def names() -> list[str]:
    """Return the names of all installed rule-sets, including those that can't be imported."""
    return [*BUILT_IN, *sorted({point.name for point in _plugged()} - BUILT_IN.keys())]


def installed() -> tuple[list[RuleSet], list[SintraError]]:
    """Return all rule-sets that work, and an error for each that does not."""
    found: list[RuleSet] = []
    broken: list[SintraError] = []
    for name in names():
        try:
            found.append(find(name))
        except UnknownRules as error:
            broken.append(error)
    return found, broken


def _package(point: EntryPoint) -> str:
    """Return the package of an entry point, with its version."""
    return f"{point.dist.name} {point.dist.version}" if point.dist else point.value


def _plugged() -> tuple[EntryPoint, ...]:
    """Return the entry points of all plug-ins; folders are only searched again after a change."""
    return _searched(tuple((folder, _changed(folder or ".")) for folder in sys.path))


def _changed(folder: str) -> int:
    """Return when a folder, or an archive, last changed."""
    try:
        return os.stat(folder).st_mtime_ns
    except (OSError, ValueError):
        return 0


@lru_cache(maxsize=4)
def _searched(_: tuple[tuple[str, int], ...]) -> tuple[EntryPoint, ...]:
    from importlib.metadata import entry_points  # slow to import, rarely needed

    return tuple(entry_points(group=GROUP))


def _load(point: EntryPoint) -> RuleSet:
    """Return the rule-set of an entry point; raise UnknownRules, naming its package, if it does not work."""
    try:
        rules: RuleSet = point.load()
        reason = fault(rules, point.name)
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {error}{place(error)}"
    if reason:
        raise _broken(point, reason)
    for module in (point.value, type(rules).__module__):
        _packages.setdefault(re.split("[.:]", module)[0], point)
    _packages.pop("sintra", None)  # other boards for our own rules
    return rules


_packages: dict[str, EntryPoint] = {}
"""The plug-ins that were loaded, by the top-level names of their modules."""


def _broken(point: EntryPoint, reason: str) -> UnknownRules:
    return UnknownRules(f"the plug-in for rules {point.name!r} ({_package(point)}) does not work: {reason}")


def blamed(error: Exception) -> UnknownRules | None:
    """Return an error that blames a plug-in, with file and line; None if no plug-in is at fault."""
    step = error.__traceback__ if _packages else None
    point: EntryPoint | None = None
    while step is not None:
        name = str(step.tb_frame.f_globals.get("__name__", ""))
        point = _packages.get(name.partition(".")[0], point)
        step = step.tb_next
    if point is None:
        return None
    return _broken(point, f"{type(error).__name__}: {error}{place(error)}")


@contextmanager
def blaming() -> Iterator[None]:
    """Raise errors of plug-ins as such, with file and line; let all others pass."""
    try:
        yield
    except SintraError:
        raise
    except Exception as error:
        failure = blamed(error)
        if failure is None:
            raise
        raise failure from error


def fault(rules: RuleSet, name: str) -> str:
    """Return what is wrong with an object that should be a rule-set; empty if nothing is."""
    missing = [question for question in QUESTIONS if not hasattr(rules, question)]
    if missing:
        return f"it has no {', '.join(missing)}"
    if rules.name != name:
        return f"it calls itself {rules.name!r}"
    for question, kind in (("options", Option), ("steps", Step), ("effects", Effect), ("players", int)):
        things = getattr(rules, question)
        if not isinstance(things, tuple) or not all(isinstance(thing, kind) for thing in things):
            return f"its {question} are not a tuple of {kind.__name__}"
    if not rules.players or not rules.steps or not 1 <= len(rules.colors) <= MAX_COLORS:
        return f"it needs players, steps, and 1 to {MAX_COLORS} colors"
    line_decoder(rules.lines)  # raises TypeError if two kinds of lines have the same tag
    return ""
