"""Lessons: how a rule-set teaches its game, on a page and step by step.

A rule-set that teaches names a module (`RuleSet.lessons`) with `HOW_TO_PLAY`, the rules on a page, and
`LESSONS`. Positions are not written down: simple players play a seeded game up to them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase

from msgspec import Struct

from sintra.log.events import OptionValue
from sintra.rules.effects import Happening
from sintra.rules.snapshot import Snapshot

Page = tuple[tuple[str, str], ...]
"""The rules on a page: headings, and the text below each."""


class Attempt(Struct, frozen=True):
    """A legal step that a learner tries: its words, its effects, and the table before and after."""

    words: str
    effects: Sequence[Happening]
    before: Snapshot
    after: Snapshot


Done = Callable[[Attempt], bool]
"""Returns True if a step is what a task asks for."""


class Task(Struct, frozen=True):
    """Something to do in a lesson."""

    text: str
    done: Done
    otherwise: str
    """The reply to a legal step that does something else; it is undone."""
    then: str = ""
    """The reply when it is done."""
    until: str = ""
    """Keep playing, step by step, until `round` or `game` has ended; otherwise one step is enough."""


class Lesson(Struct, frozen=True):
    """A short lesson on a prepared position, or on the last position of the lesson before it."""

    title: str
    text: str
    tasks: tuple[Task, ...] = ()
    seed: int | None = None
    """The seed of the game to prepare; None to continue where the last lesson ended."""
    turns: int = 0
    """Number of turns played before the lesson begins."""
    steps: str = ""
    """The learner's steps since then, in words."""
    options: tuple[tuple[str, OptionValue], ...] = ()


def says(*patterns: str) -> Done:
    """Return a check for the words of a step; `*` stands for anything."""
    return lambda attempt: any(fnmatchcase(attempt.words, pattern) for pattern in patterns)


def causes(*names: str) -> Done:
    """Return a check for an effect that the step must have, by its name."""
    return lambda attempt: any(effect.name in names for effect in attempt.effects)


def anything(_: Attempt) -> bool:
    """Accept every legal step."""
    return True
