"""The tutorials, played to their ends in different ways."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

import sintra
from sintra.errors import IllegalStep, UsageError
from sintra.tutorial import Tutorial, addressed, how_to_play, learn

GAMES = ("sintra", "azul", "crystal")
MAX_STEPS = 80
"""More than any lesson takes."""


def accepted(tutorial: Tutorial) -> list[str]:
    """Every step that the task accepts, tried on copies."""
    found = []
    before, done, game = tutorial.at, tutorial.done, tutorial.game
    for step in map(str, game.legal()):
        if tutorial.play(step).accepted:
            found.append(step)
        tutorial.at, tutorial.done, tutorial.game = before, done, game
    return found


def finish(tutorial: Tutorial, choose: Callable[[Sequence[str]], str]) -> int:
    """Do every task of a lesson; the number of steps that it took."""
    steps = 0
    while tutorial.task is not None:
        assert tutorial.play(choose(accepted(tutorial))).accepted
        steps += 1
        assert steps < MAX_STEPS
    return steps


@pytest.mark.parametrize("way", [0, -1], ids=["first", "last"])
@pytest.mark.parametrize("rules", GAMES)
def test_a_tutorial_can_be_played_to_its_end_in_two_ways(rules: str, way: int) -> None:
    tutorial = learn(rules)
    assert len(tutorial.lessons) == 10
    steps = 0
    for number in range(len(tutorial.lessons)):
        tutorial.begin(number)
        steps += finish(tutorial, lambda ways: ways[way])
    assert steps > 20
    assert sintra.loads(tutorial.game.dumps()).scores == tutorial.game.scores


@pytest.mark.parametrize("rules", GAMES)
def test_the_example_does_the_task_in_every_lesson(rules: str) -> None:
    tutorial = learn(rules)
    for number in range(len(tutorial.lessons)):
        tutorial.begin(number)
        while tutorial.task is not None:
            assert tutorial.play(tutorial.example()).accepted


@pytest.mark.parametrize("rules", GAMES)
def test_a_lesson_can_be_begun_without_those_before_it(rules: str) -> None:
    in_order = learn(rules)
    for number in range(len(in_order.lessons)):
        in_order.begin(number)
        alone = learn(rules)
        alone.begin(number)
        if in_order.lesson.seed is not None:
            assert alone.game.events == in_order.game.events
        assert alone.task == in_order.lesson.tasks[0] if in_order.lesson.tasks else alone.task is None
        finish(in_order, lambda ways: ways[0])


def test_a_legal_step_that_is_not_asked_for_is_taken_back() -> None:
    tutorial = learn("azul")
    tutorial.begin(3)
    before = tutorial.game.events
    reply = tutorial.play("pick 3 blue")
    assert (reply.accepted, reply.remark) == (False, "That is a display. Pick from the center.")
    assert tutorial.game.events == before
    assert tutorial.done == 0


def test_a_refused_step_is_explained() -> None:
    tutorial = learn("azul")
    tutorial.begin(6)
    with pytest.raises(IllegalStep, match="red"):
        tutorial.play("place 3")
    assert tutorial.play("place 1").accepted
    with pytest.raises(UsageError, match="this lesson is done"):
        tutorial.play("place 1")
    with pytest.raises(UsageError, match="this lesson is done"):
        tutorial.example()


def test_lessons_that_do_not_exist() -> None:
    with pytest.raises(UsageError, match="no lesson 11: there are 10"):
        learn("azul").begin(10)
    with pytest.raises(sintra.UnknownRules):
        learn("nothing")


@pytest.mark.parametrize("rules", GAMES)
def test_the_page_names_every_kind_of_scoring(rules: str) -> None:
    page = " ".join(text for _, text in how_to_play(learn(rules).rules))
    for word in ("starting tile", "center", "score", "A tie goes to"):
        assert word in page


def test_the_learner_is_addressed_in_plain_english() -> None:
    bold = "\x1b[1mYou wins.\x1b[0m"
    assert addressed("You picks 2 blue. Mira picks red. You's glazier walks.") == (
        "You pick 2 blue. Mira picks red. Your glazier walks."
    )
    assert addressed(bold) == "\x1b[1mYou win.\x1b[0m"
