"""Rule-sets by name: the built-in ones, and those that other packages plug in.

A package plugs a rule-set in by an entry point of the group `sintra.rules`: its name is the rule-set's
name, its value an object that answers the questions of `sintra.rules.RuleSet`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from sintra.errors import UnknownRules
from sintra.rules import RuleSet

BUILT_IN = {
    "sintra": "sintra.rules.sintra:RULES",
    "azul": "sintra.rules.azul:AZUL_RULES",
    "crystal": "sintra.rules.azul:CRYSTAL_RULES",
}


@cache
def find(name: str) -> RuleSet:
    """The rule-set of this name."""
    if name in BUILT_IN:
        module, attribute = BUILT_IN[name].split(":")
        rules: RuleSet = getattr(import_module(module), attribute)
        return rules
    from importlib.metadata import entry_points  # slow to import, and seldom needed

    for point in entry_points(group="sintra.rules"):
        if point.name == name:
            plugged: RuleSet = point.load()
            return plugged
    raise UnknownRules(f"no rules named {name[:80]!r} are installed; there are: {', '.join(names())}")


def names() -> list[str]:
    """The names of all rule-sets that are installed."""
    from importlib.metadata import entry_points

    plugged = {point.name for point in entry_points(group="sintra.rules")}
    return [*BUILT_IN, *sorted(plugged - BUILT_IN.keys())]
