"""A running tutorial: its lessons, their positions, and what the learner does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from sintra import api
from sintra.bots.simple import greedy
from sintra.errors import UsageError
from sintra.log.events import Ended, Event, RoundEnded
from sintra.rules.chance import Chance
from sintra.rules.lessons import Attempt, Lesson, Page, Task

if TYPE_CHECKING:
    from sintra.fold import Fold
    from sintra.game import Game
    from sintra.rules.effects import Happening, Moment
    from sintra.rules.ruleset import RuleSet

LEARNER = 1
PLAYERS = ("You", "Mira")
"""The learner, and who plays against them."""
_VERBS = re.compile(r"You (pick|place|drop|tile|keep|win)s\b")
ENDS: dict[str, type[Event]] = {"round": RoundEnded, "game": Ended}
"""The events that end tasks of many steps."""


class Reply(Struct, frozen=True):
    """The result of a step: if it was accepted, what happened, and what to say about it."""

    accepted: bool
    story: list[str]
    remark: str


def addressed(text: str) -> str:
    """Return a sentence of the story, addressed to the learner."""
    return _VERBS.sub(r"You \1", text).replace("You's ", "Your ")


class Tutorial:
    """The lessons of a game, one after the other."""

    def __init__(self, rules: RuleSet, lessons: Sequence[Lesson]) -> None:
        self.rules = rules
        self.lessons = lessons
        self.at = 0
        """The index of the lesson."""
        self.done = 0
        """Number of tasks done in it."""
        self.game: Game = self._prepared(lessons[0])

    @property
    def lesson(self) -> Lesson:
        """The lesson under way."""
        return self.lessons[self.at]

    @property
    def task(self) -> Task | None:
        """The task to do; None if the lesson is done."""
        tasks = self.lesson.tasks
        return tasks[self.done] if self.done < len(tasks) else None

    def begin(self, at: int) -> None:
        """Go to a lesson, counted from 0, and prepare its position."""
        if not 0 <= at < len(self.lessons):
            raise UsageError(f"no lesson {at + 1}: there are {len(self.lessons)}")
        first = at
        while self.lessons[first].seed is None and first > 0:
            first -= 1
        if first == at or self.at != at - 1 or self.task is not None:
            self.game = self._prepared(self.lessons[first])
            for lesson in self.lessons[first:at]:
                for task in lesson.tasks:
                    self._do(task)
        self.at = at
        self.done = 0

    def _prepared(self, lesson: Lesson) -> Game:
        """Return a game at the position where a lesson begins."""
        options: dict[str, Any] = dict(lesson.options)
        game = api.new(self.rules.name, list(PLAYERS), seed=lesson.seed or 0, **options)
        game.settle()
        for _ in range(lesson.turns):
            _take_turn(game)
        if lesson.steps:
            game.play(lesson.steps)
        return game

    # -- Doing a task --

    def play(self, words: str) -> Reply:
        """Play one step for the learner, and take it back if the task asks for something else.

        Raise UsageError or IllegalStep, with the reason, for a step that can't be played.
        """
        task = self.task
        if task is None:
            raise UsageError("this lesson is done")
        trial, attempt, story = self._tried(words)
        if not task.done(attempt):
            return Reply(False, story, task.otherwise)
        ended = self._accept(trial, task, story)
        return Reply(True, story, task.then if ended else "")

    def _tried(self, words: str) -> tuple[Game, Attempt, list[str]]:
        """Return a game with the learner's step played, the step, and its story."""
        from sintra.view import sentence_of

        trial = self.game.copy()
        story: list[str] = []
        effects: list[Happening] = []

        def see(fold: Fold, moment: Moment) -> None:
            story.append(addressed(sentence_of(fold, moment)))
            effects.extend(effect for effect in moment.effects if effect.player in (LEARNER, None))

        trial.watch(see)
        before = trial.state
        trial.play(words)
        return trial, Attempt(words, effects, before, trial.state), story

    def _accept(self, trial: Game, task: Task, story: list[str]) -> bool:
        """Continue with a game after a step; return True if the task is done."""
        from sintra.view import sentence_of

        seen = len(self.game.events)
        trial.watch(lambda fold, moment: story.append(addressed(sentence_of(fold, moment))))
        last = self.done + 1 == len(self.lesson.tasks)
        end = ENDS.get(task.until)

        def ended() -> bool:
            return end is None or any(isinstance(event, end) for event in trial.events[seen:])

        while not trial.over and trial.player != LEARNER and not (last and ended()):
            _take_turn(trial)
        trial.watch(None)
        done = ended()
        self.game = trial
        self.done += done
        return done

    def example(self) -> str:
        """Return a step that does the task, in words: the best one that a simple player sees."""
        if self.task is None:
            raise UsageError("this lesson is done")
        wanted = str(self.game.rules.steps[_choice(self.game)])
        for step in [wanted, *map(str, self.game.legal())]:
            if self.task.done(self._tried(step)[1]):
                return step
        raise UsageError("no step does that here")

    def _do(self, task: Task) -> None:
        """Do a task by following the example."""
        done = self.done
        while self.task is task and self.done == done:
            self.play(self.example())


def _choice(game: Game) -> int:
    """Return what a simple player would do, as a code; always the same in the same position."""
    return greedy(game.live, Chance(0).stream("lesson"))


def _take_turn(game: Game) -> None:
    """Let a simple player take the turn of the player to move."""
    player = game.player
    while game.player == player and player is not None:
        game.play(game.rules.steps[_choice(game)])
        if any(str(step).startswith("pick ") for step in game.legal()):  # a turn begins
            break


# -- What a rule-set teaches -----------------------------------------------------------------


def learn(rules: str = "sintra") -> Tutorial:
    """Return the tutorial of a game, at its first lesson."""
    from sintra import catalog

    found = catalog.find(rules)
    if not found.lessons:
        raise UsageError(f"{found.title} has no lessons; `sintra rules {found.name}` describes it")
    return Tutorial(found, import_module(found.lessons).LESSONS)


def how_to_play(rules: RuleSet) -> Page:
    """Return the rules of a game on a page; for one that has none, its steps and rulings."""
    if rules.lessons:
        page: Page = import_module(rules.lessons).HOW_TO_PLAY
        return page
    steps = tuple((form, f"{meaning[:1].upper()}{meaning[1:]}.") for form, meaning in rules.guide)
    return (*steps, ("Rulings", " ".join(ruling.text for ruling in rules.rulings)))
