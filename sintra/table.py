"""A real table: checks what people enter."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sintra.errors import IllegalStep, UsageError
from sintra.game import Game
from sintra.log.events import Dealt, Event
from sintra.rules.state import DEAL


def check_awaited(game: Game, phase: int) -> None:
    """Raise an error unless a real table's arrangement, or deal, comes next."""
    if game.created.chance != "table":
        raise UsageError("only games started with `new --table` take typed draws")
    game.settle()
    if game.live.phase != phase:
        raise IllegalStep(f"nothing to {'deal' if phase == DEAL else 'arrange'} now: {game.awaits}")


def record(game: Game, event: Event) -> None:
    """Append what was entered; refusals do not use field names of the log."""
    try:
        game.record(event)
    except IllegalStep as error:
        raise IllegalStep(str(error).removeprefix("field ").removeprefix("displays: ")) from None


def laid(game: Game, words: Sequence[str], components: Mapping[str, Any] | None = None) -> Event:
    """Return the arrangement that was typed; raise UsageError if it is not one."""
    created = game.created
    return game.rules.lay(created.options, len(created.players), components or {}, words)


def wrong_deal(game: Game, displays: Sequence[Sequence[str]]) -> str:
    """Return what is wrong with the first displays of a deal, if anything; more may follow."""
    count = game.live.offer.displays
    rest: list[tuple[str, ...]] = [()] * (count - len(displays))
    event = Dealt(game.round + 1, (*(tuple(display) for display in displays), *rest))
    try:
        record(game.copy(), event)
    except IllegalStep as error:
        found = re.match(r"display (\d+)", str(error))
        later = found is not None and int(found[1]) > len(displays)
        return "" if later else str(error)
    return ""


def wrong_arrangement(
    game: Game, answers: Sequence[Sequence[str]], components: Mapping[str, Any] | None = None
) -> str:
    """Return what is wrong with the answers to the first questions of an arrangement, if anything."""
    questions = game.rules.questions(game.players)
    following = questions[len(answers)][0] if len(answers) < len(questions) else None
    words: list[str] = []
    for (heading, _), answer in zip(questions, answers, strict=False):
        words += [*heading.split(), *answer]
    try:
        event = laid(game, words, components)
        record(game.copy(), event)
    except (UsageError, IllegalStep) as error:
        return "" if str(error) == f"`{following}` is missing" else str(error)
    return ""
