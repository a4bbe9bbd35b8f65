"""A state as text, a log as a story: everything that a person reads.

Views turn values into lines of text; they never print. Every color has a letter and a shape besides its
color, so that nothing depends on seeing colors, and plain ASCII serves where Unicode does not.
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
    from sintra.view.style import Style


class View(Protocol):
    """The module that draws a rule-set."""

    def table(self, fold: Fold, style: Style, *, backs: bool = False) -> list[str]:
        """The whole table, as lines."""

    def sentence(self, fold: Fold, event: Event, effects: Sequence[Happening]) -> str:
        """What an event was, in a sentence or two; the fold has taken it already."""


def view_of(rules: RuleSet) -> View:
    """The view of a rule-set."""
    view: View = import_module(rules.view)
    return view


def sentence_of(fold: Fold, moment: Moment) -> str:
    """Return what happened at a moment, in a sentence or two; the fold has taken its event."""
    return view_of(fold.rules).sentence(fold, moment.event, moment.effects)
