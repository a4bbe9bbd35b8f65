"""A state as text, a log as a story: everything meant for people.

Views turn values into lines of text; they never print. Every color also has a letter and a shape, so nothing
depends on color vision, and there is plain ASCII for terminals without Unicode.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from sintra.fold import Fold
    from sintra.log.events import Event
    from sintra.rules.effects import Happening, Moment
    from sintra.rules.ruleset import RuleSet
    from sintra.view.scene import Answer, Scene
    from sintra.view.style import Style


class View(Protocol):
    """The module that draws a rule-set."""

    def table(self, fold: Fold, style: Style, *, backs: bool = False) -> list[str]:
        """Return the whole table, as lines."""

    def sentence(self, fold: Fold, event: Event, effects: Sequence[Happening]) -> str:
        """Describe an event, which the fold has taken already, in a sentence or two."""


def view_of(rules: RuleSet) -> View:
    """Return the view of a rule-set."""
    view: View = import_module(rules.view)
    return view


def sentence_of(fold: Fold, moment: Moment) -> str:
    """Describe what happened at a moment, in a sentence or two; the fold has taken its event already."""
    return view_of(fold.rules).sentence(fold, moment.event, moment.effects)


def places_of(fold: Fold, scene: Scene) -> dict[str, tuple[str, ...]]:
    """Return the zones and slots of a scene where a person points to take each legal step, by its words.

    Picks are the same in all games: one points at the pieces. Steps without a place in the scene are left
    out.
    """
    module = import_module(fold.rules.scene)
    own = module.places(fold) if hasattr(module, "places") else {}
    found = {}
    for code in fold.state.legal():
        words = fold.words.steps[code].words
        verb, *rest = words.split()
        if verb == "pick":
            zone = "center" if rest[0] == "center" else f"display/{rest[0]}"
            lie = (name for name, thing in scene.things.items() if thing == rest[1])
            found[words] = tuple(name for name in lie if name.rpartition("/")[0] == zone)
        elif own.get(words):
            found[words] = own[words]
    return found


def scene_of(fold: Fold) -> Scene:
    """Return the table of a game as pictures describe it."""
    found: Scene = import_module(fold.rules.scene).scene(fold)
    return found


def answers_of(rules: RuleSet, heading: str) -> tuple[int, tuple[Answer, ...]]:
    """Return how many words answer a question about a real table, and the words to choose from.

    By default, questions are answered by typing: 0, and no words.
    """
    module = import_module(rules.scene)
    found: tuple[int, tuple[Answer, ...]] = module.answers(heading) if hasattr(module, "answers") else (0, ())
    return found
