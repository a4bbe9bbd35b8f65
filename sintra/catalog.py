"""Rule-sets by name: the built-in ones, and those that other packages plug in.

A package plugs a rule-set in by an entry point of the group `sintra.rules`: its name is the rule-set's
name, its value an object that answers the questions of `sintra.rules.RuleSet`. A plug-in is loaded only
when its rules are asked for; one that does not load harms no other.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

from sintra.errors import SintraError, UnknownRules
from sintra.log.codec import line_decoder
from sintra.log.events import MAX_NAME_CHARACTERS
from sintra.rules import chance
from sintra.rules.effects import Effect
from sintra.rules.offer import COLORS
from sintra.rules.ruleset import QUESTIONS, Option, RuleSet
from sintra.rules.steps import Step
from sintra.version import VERSION

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "sintra.rules"
BUILT_IN = {
    "sintra": "sintra.games.sintra:SINTRA",
    "azul": "sintra.games.azul.rules:AZUL_RULES",
    "crystal": "sintra.games.azul.rules:CRYSTAL_RULES",
}


def build() -> str:
    """How the rules run here: `compiled`, or `interpreted`."""
    return "interpreted" if str(chance.__file__).endswith(".py") else "compiled"


@lru_cache(maxsize=64)  # by what logs say, too: strange ones must not fill the memory
def find(name: str, engine: str = "") -> RuleSet:
    """The rule-set of this name; `engine` is what a log says it was written by, for the error message."""
    if name in BUILT_IN:
        module, attribute = BUILT_IN[name].split(":")
        rules: RuleSet = getattr(import_module(module), attribute)
        return rules
    points = [point for point in _plugged() if point.name == name]
    if not points:
        package = engine.partition(" ")[2]
        needed = f"; the log was written with the package {package!r}" if package else ""
        raise UnknownRules(f"no rules named {name!r} are installed{needed}; there are: {', '.join(names())}")
    if len(points) > 1:
        raise UnknownRules(
            f"rules named {name!r} come from {' and '.join(map(_package, points))}: remove one"
        )
    return _load(points[0])


def package_of(name: str) -> str:
    """The package that brings a rule-set, with its version; nothing for built-in ones."""
    if name in BUILT_IN:
        return ""
    return " ".join(_package(point) for point in _plugged() if point.name == name)


def engine_of(name: str) -> str:
    """What a new log says it was written by: this version, and the package that brings the rule-set."""
    return f"{VERSION} {package_of(name)}"[:MAX_NAME_CHARACTERS].rstrip()


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


def _package(point: EntryPoint) -> str:
    """The package that an entry point comes from, with its version."""
    return f"{point.dist.name} {point.dist.version}" if point.dist else point.value


def _plugged() -> list[EntryPoint]:
    from importlib.metadata import entry_points  # slow to import, and seldom needed

    return list(entry_points(group=GROUP))


def _load(point: EntryPoint) -> RuleSet:
    """The rule-set behind an entry point; whatever goes wrong in it is its package's fault, and told so."""
    try:
        rules: RuleSet = point.load()
        reason = _wrong(rules, point.name)
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {error}"
    if reason:
        raise UnknownRules(
            f"the plug-in for rules {point.name!r} ({_package(point)}) does not work: {reason}"
        )
    return rules


def _wrong(rules: RuleSet, name: str) -> str:
    """What is wrong with an object that should be a rule-set; nothing where all is well."""
    missing = [question for question in QUESTIONS if not hasattr(rules, question)]
    if missing:
        return f"it has no {', '.join(missing)}"
    if rules.name != name:
        return f"it calls itself {rules.name!r}"
    for question, kind in (("options", Option), ("steps", Step), ("effects", Effect), ("players", int)):
        things = getattr(rules, question)
        if not isinstance(things, tuple) or not all(isinstance(thing, kind) for thing in things):
            return f"its {question} are no tuple of {kind.__name__}"
    if not rules.players or not rules.steps or len(rules.colors) != COLORS:
        return f"it needs players, steps, and {COLORS} colors"
    line_decoder(rules.lines)  # complains of lines that can't be told apart
    return ""
