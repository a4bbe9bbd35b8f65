"""Any game on the screen: the offer, and what lies in front of the players in words.

This is the view of rule-sets that bring none; it draws any `sintra.rules.Snapshot`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

import msgspec

from sintra.fold import Fold
from sintra.log.events import Choice, Event
from sintra.rules.effects import Happening
from sintra.text import safe
from sintra.view.common import board_heading, closing_lines, common_sentence, heading, offer_lines, summed
from sintra.view.style import Style


def table(fold: Fold, style: Style, *, backs: bool = False) -> list[str]:  # noqa: ARG001 - only strips have backs
    """Return the whole table, as lines."""
    style = style.of(fold.rules)
    value: Any = fold.rules.snapshot(fold.state)
    stock = [(name, getattr(value, name)) for name in ("bag", "tower", "lid") if hasattr(value, name)]
    turn = f"round {value.round}" if value.round else "before the first round"
    lines = [heading(fold.rules.title, turn, stock, style), "", *offer_lines(value, style), ""]
    for number, (name, player) in enumerate(zip(fold.created.players, value.players, strict=True), 1):
        lines.append(board_heading(style.name(name), player.score, value.player == number, style))
        for key, thing in msgspec.to_builtins(player).items():
            if key != "score":
                lines += textwrap.wrap(
                    f"{key}: {_words(thing)}", style.width - 2, initial_indent="  ", subsequent_indent="    "
                )
        lines.append("")
    return [line.rstrip() for line in [*lines, *closing_lines(fold, value, style)]]


def _words(thing: object) -> str:
    """Return a value in words, on one line."""
    match thing:
        case dict():
            return ", ".join(f"{key} {_words(value)}" for key, value in thing.items()) or "-"
        case list() | tuple():
            return " | ".join(_words(value) for value in thing) or "-"
        case None:
            return "-"
        case _:
            return safe(str(thing))


def sentence(fold: Fold, event: Event, effects: Sequence[Happening]) -> str:
    """Return an event in the words of its step, with what the rules did."""
    if not isinstance(event, Choice):
        return common_sentence(fold, event, summed(effects))
    words = fold.words
    step = words.steps[words.codes[event.player - 1][event]]
    did = [" ".join([h.name.replace("_", " "), *map(str, h.numbers.values())]) for h in effects]
    effect = f" ({', '.join(did)})" if did else ""
    return f"{safe(fold.created.players[event.player - 1])}: {step}{effect}."
