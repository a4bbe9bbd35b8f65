"""Rule-sets by name: the built-in ones, and those that other packages plug in.

A package plugs a rule-set in by an entry point of the group `sintra.rules`: its name is the rule-set's
name, its value an object that answers the questions of `sintra.rules.RuleSet`. A plug-in is loaded only
when its rules are asked for; one that does not load harms no other.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from sintra.errors import SintraError, UnknownRules
from sintra.rules import QUESTIONS, RuleSet

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "sintra.rules"
BUILT_IN = {
    "sintra": "sintra.rules.sintra:RULES",
    "azul": "sintra.rules.azul:AZUL_RULES",
    "crystal": "sintra.rules.azul:CRYSTAL_RULES",
}


@cache
def find(name: str, engine: str = "") -> RuleSet:
    """The rule-set of this name; `engine` is what a log says it was written by, for the error message."""
    if name in BUILT_IN:
        module, attribute = BUILT_IN[name].split(":")
        rules: RuleSet = getattr(import_module(module), attribute)
        return rules
    points = [point for point in _plugged() if point.name == name]
    if not points:
        written = f"; the log was written by sintra {engine}" if engine else ""
        raise UnknownRules(f"no rules named {name!r} are installed{written}; there are: {', '.join(names())}")
    if len(points) > 1:
        raise UnknownRules(f"rules named {name!r} come from {' and '.join(map(package, points))}: remove one")
    return _load(points[0])


def names() -> list[str]:
    """The names of all rule-sets that are installed, whether they load or not."""
    return [*BUILT_IN, *sorted({point.name for point in _plugged()} - BUILT_IN.keys())]


def installed() -> tuple[list[RuleSet], list[SintraError]]:
    """All rule-sets that load, and what is wrong with those that do not."""
    found: list[RuleSet] = []
    broken: list[SintraError] = []
    for name in names():
        try:
            found.append(find(name))
        except UnknownRules as error:
            broken.append(error)
    return found, broken


def package(point: EntryPoint) -> str:
    """The package that an entry point comes from, with its version."""
    return f"{point.dist.name} {point.dist.version}" if point.dist else point.value


def _plugged() -> list[EntryPoint]:
    from importlib.metadata import entry_points  # slow to import, and seldom needed

    return list(entry_points(group=GROUP))


def _load(point: EntryPoint) -> RuleSet:
    """The rule-set behind an entry point; whatever goes wrong in it is its package's fault, and told so."""
    try:
        rules: RuleSet = point.load()
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
    else:
        missing = [question for question in QUESTIONS if not hasattr(rules, question)]
        if not missing and rules.name == point.name:
            return rules
        reason = f"it has no {', '.join(missing)}" if missing else f"it calls itself {rules.name!r}"
    raise UnknownRules(f"the plug-in for rules {point.name!r} ({package(point)}) does not work: {reason}")
