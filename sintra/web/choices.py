"""What a player may do: every legal step, with its places on the table and its points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from sintra.errors import IllegalStep
from sintra.game import Game
from sintra.log.events import Choice
from sintra.rules.state import ARRANGE
from sintra.table import wrong_arrangement, wrong_deal
from sintra.text import safe
from sintra.view import answers_of, places_of, scene_of
from sintra.view.forecast import gain, sentence
from sintra.view.scene import Answer

if TYPE_CHECKING:
    from sintra.study.results import Hint


class Possible(Struct, frozen=True):
    """A legal step: its words, where to point for it, its points, and what it would do."""

    words: str
    places: tuple[str, ...]
    gain: int
    does: str


class Choices(Struct, frozen=True):
    """The legal steps of the player to move, in a log with this many events."""

    events: int
    player: int | None
    steps: list[Possible]


def choices(game: Game) -> Choices:
    """Return what the player to move may do."""
    fold = game.fold
    legal = game.legal()
    if not legal or game.player is None:
        return Choices(len(game.events), None, [])
    places = places_of(fold, scene_of(fold))
    name = safe(game.players[game.player - 1])
    steps = []
    for step in legal:
        code = fold.codes[step.words]
        does = sentence(fold, code).removeprefix(f"{name} ").removeprefix(f"{name}: ")
        steps.append(Possible(step.words, places.get(step.words, ()), gain(fold, code), does))
    return Choices(len(game.events), game.player, steps)


def steps_back(game: Game, seats: Sequence[int], bots: Sequence[int]) -> int:
    """Return how many steps to undo to take back the last one of these seats.

    The steps of bots since then are undone, too. Raise IllegalStep if there is none, or if another person has
    moved.
    """
    steps = 0
    for event in reversed(game.counting):
        if not isinstance(event, Choice):
            continue
        steps += 1
        if event.player in seats and event.player not in bots:
            return steps
        if event.player not in bots:
            name = game.players[event.player - 1]
            raise IllegalStep(f"{name} has moved since then: only {name} can take that step back")
    raise IllegalStep("you have no step to take back")


def suggested(game: Game) -> Hint:
    """Return the best turns; raise IllegalStep if nobody has to choose."""
    from sintra.study.hint import hint

    return hint(game)


# -- A real table ----------------------------------------------------------------------------


class Question(Struct, frozen=True):
    """A question about a real table: its answer has `count` words, from a list if there is one."""

    heading: str
    question: str
    count: int
    answers: tuple[Answer, ...]


class Form(Struct, frozen=True):
    """The form to fill in: questions about the arrangement, or the displays of a deal."""

    events: int
    awaits: str
    questions: list[Question] = []
    round: int = 0
    displays: int = 0
    size: int = 0
    colors: tuple[str, ...] = ()


class Checked(Struct, frozen=True):
    """The result of a check: what is wrong with the entries so far, if anything, and what is missing."""

    wrong: str
    missing: str


def form(game: Game) -> Form:
    """Return the form to fill in at a real table."""
    events = len(game.events)
    if game.live.phase == ARRANGE:
        asked = game.rules.questions(game.players)
        return Form(events, "arrange", [_question(game, heading, text) for heading, text in asked])
    offer = game.live.offer
    return Form(events, "deal", [], game.round + 1, offer.displays, offer.size, game.rules.palette.names)


def _question(game: Game, heading: str, text: str) -> Question:
    """Return a question; how to type an answer, after the last colon, is left out if it can be clicked."""
    count, answers = answers_of(game.rules, heading)
    return Question(heading, safe(text.rpartition(": ")[0] or text if answers else text), count, answers)


def check_answers(game: Game, answers: Sequence[Sequence[str]]) -> Checked:
    """Return what is wrong or missing in an arrangement: only whole answers are checked."""
    questions = form(game).questions
    whole: list[Sequence[str]] = []
    for question, answer in zip(questions, answers, strict=False):
        if len(answer) < max(question.count, 1):
            more = question.count - len(answer)
            said = f"{question.question}: {more} more to choose" if more > 0 else question.question
            return Checked(wrong_arrangement(game, whole) if whole else "", said)
        whole.append(answer)
    return Checked(wrong_arrangement(game, whole), "")


def check_displays(game: Game, displays: Sequence[Sequence[str]]) -> Checked:
    """Return what is wrong or missing in a deal: displays are checked up to the first that is not full."""
    offer = game.live.offer
    full = 0
    while full < len(displays) and len(displays[full]) == offer.size:
        full += 1
    missing = ""
    if full < offer.displays:
        lies = len(displays[full]) if full < len(displays) else 0
        missing = f"Display {full + 1}: {offer.size - lies} more to choose"
    return Checked(wrong_deal(game, displays[:full]) if full else "", missing)
