"""What all tables have in common: the displays, the center, the choices, and the common events told."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

from sintra.events import Created, Dealt, Ended, Event, Noted, RoundEnded, Undone
from sintra.game import Fold
from sintra.view import Style, listed, plural, safe


def pieces(counts: Mapping[str, int]) -> str:
    """`2 orange and pink`."""
    return listed([color if count == 1 else f"{count} {color}" for color, count in counts.items()])


def display_lines(displays: Sequence[Mapping[str, int]], style: Style) -> list[str]:
    """The displays, five to a line, each with its number and its pieces."""
    cells = []
    wide = len(style.either("●B", "B")) + 1
    for number, counts in enumerate(displays, 1):
        drawn = [style.piece(color) for color, count in counts.items() for _ in range(count)]
        shown = " ".join(drawn or [style.faint(style.either("– ", "-"))])
        cells.append(f"{style.strong(str(number))} {shown}{' ' * wide * (4 - max(len(drawn), 1))}")
    return ["  ".join(cells[at : at + 5]).rstrip() for at in range(0, len(cells), 5)]


def center_line(center: Mapping[str, int], tile: bool, style: Style) -> str:
    """The center of the table: the starting tile, then the pieces."""
    parts = [style.strong(style.either("①", "(1)")) + " starting tile"] if tile else []
    parts += [f"{count} {style.piece(color)}" for color, count in center.items()]
    return "   ".join(parts) or style.faint("empty")


def choice_lines(fold: Fold, style: Style) -> list[str]:
    """Who has to do what, with the steps that are legal: those that begin alike are told together."""
    steps = fold.words.steps
    groups: dict[str, list[str]] = {}
    for code in fold.state.legal():
        words = steps[code].words
        if "jokers" in words:
            groups[words] = []
            continue
        head, _, tail = words.rpartition(" ")
        groups.setdefault(head or tail, []).extend([tail] if head else [])
    name = safe(fold.created.players[fold.state.player])
    told = [f"{head} {'|'.join(tails)}" if tails else head for head, tails in groups.items()]
    lines = textwrap.wrap(
        "   ".join(text.replace(" ", "\0") for text in told), style.width - 4, break_long_words=False
    )
    return [style.strong(f"{name} may:"), *(f"    {line}".replace("\0", " ") for line in lines)]


def result_lines(fold: Fold, style: Style) -> list[str]:
    """Who has won, with the points by where they came from."""
    state = fold.state
    names = [safe(name) for name in fold.created.players]
    rows = [
        (name, score, {source: points for source, points in parts.items() if points})
        for name, score, parts in zip(names, state.scores(), state.breakdown(), strict=True)
    ]
    width = max(len(name) for name in names)
    lines = [style.strong(outcome(names, [player + 1 for player in state.winners()]))]
    for name, score, parts in rows:
        told = ", ".join(f"{source} {points:+d}" for source, points in parts.items())
        lines.append(f"    {name:<{width}}  {score:>4}  {style.faint(told)}".rstrip())
    return lines


def outcome(names: Sequence[str], winners: Sequence[int]) -> str:
    """Who has won, in a sentence."""
    won = [names[player - 1] for player in winners]
    return f"{won[0]} wins." if len(won) == 1 else f"{listed(won)} share the victory."


def common_sentence(fold: Fold, event: Event) -> str:
    """The events that every game has, told."""
    names = [safe(name) for name in fold.created.players]
    match event:
        case Created():
            options = ", ".join(
                f"{key} {str(value).lower() if isinstance(value, bool) else value}"
                for key, value in event.options.items()
            )
            chance = f"seed {event.seed}" if event.chance == "seeded" else f"chance: {event.chance}"
            return f"{fold.rules.title} ({options}; {chance}): {listed(names)}."
        case Dealt():
            letters = " ".join("".join(color[0] for color in display) or "-" for display in event.displays)
            return f"Round {event.round} is dealt: {letters}."
        case RoundEnded():
            return f"Round {event.round} ends: {scores(names, event.scores)}."
        case Ended():
            return f"The game ends: {scores(names, event.scores)}. {outcome(names, event.winners)}"
        case Undone():
            return f"{plural(event.events, 'event')} taken back."
        case Noted():
            return f"Note: {safe(event.text)}"
        case _:
            return "The table is arranged."


def scores(names: Sequence[str], points: Sequence[int]) -> str:
    """`Ada 7, Ben 4`."""
    return ", ".join(f"{name} {score}" for name, score in zip(names, points, strict=True))
