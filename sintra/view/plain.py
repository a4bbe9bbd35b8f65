"""Any game on the screen: the offer, and what lies in front of the players in words.

This is the view of rule-sets without their own; it draws any `sintra.rules.Snapshot`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from sintra.fold import Fold
from sintra.log.events import Choice, Event
from sintra.rules.effects import Happening
from sintra.text import safe
from sintra.view.common import board_of, closing_lines, common_sentence, heading, summed

if TYPE_CHECKING:
    from sintra.view.style import Style


def table(fold: Fold, style: Style, *, backs: bool = False) -> list[str]:  # noqa: ARG001 - only strips have backs
    """Return the whole table, as lines."""
    import textwrap

    from sintra.view.layout import BLOCK, composed

    style = style.of(fold.rules)
    value: Any = fold.rules.snapshot(fold.state)
    stock = [(name, getattr(value, name)) for name in ("bag", "tower", "lid") if hasattr(value, name)]
    turn = f"round {value.round}" if value.round else "before the first round"
    boards = []
    for number, (name, player) in enumerate(zip(fold.created.players, value.players, strict=True), 1):
        lines: list[str] = []
        for key, thing in msgspec.to_builtins(player).items():
            if key != "score":
                lines += textwrap.wrap(f"{key}: {in_words(thing)}", BLOCK - 4, subsequent_indent="  ")
        boards.append(board_of(name, player.score, lines, style, value, number))
    head = [heading(fold.rules.title, turn, stock, style)]
    return composed(head, value, boards, closing_lines(fold, value, style), style)


def in_words(thing: object) -> str:
    """Return a value in words, on one line."""
    match thing:
        case dict():
            return ", ".join(f"{key} {in_words(value)}" for key, value in thing.items()) or "-"
        case list() | tuple():
            return " | ".join(in_words(value) for value in thing) or "-"
        case None:
            return "-"
        case _:
            return safe(str(thing))


def sentence(fold: Fold, event: Event, effects: Sequence[Happening]) -> str:
    """Return an event in the words of its step, with its effects."""
    if not isinstance(event, Choice):
        return common_sentence(fold, event, summed(effects))
    words = fold.words
    step = words.steps[words.codes[event.player - 1][event]]
    did = [" ".join([h.name.replace("_", " "), *map(str, h.numbers.values())]) for h in effects]
    effect = f" ({', '.join(did)})" if did else ""
    return f"{safe(fold.created.players[event.player - 1])}: {step}{effect}."
