"""The parts that all views share: heading, boards, choices, and sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from sintra.fold import Fold
from sintra.log.events import Created, Dealt, Ended, Event, Noted, Picked, RoundEnded, Undone
from sintra.rules.effects import Happening
from sintra.rules.snapshot import Snapshot
from sintra.rules.state import CHOICE
from sintra.text import columns, fitted, listed, padded, pieces, plural, safe, wrapped
from sintra.view import view_of

if TYPE_CHECKING:
    from sintra.view.layout import Board
    from sintra.view.style import Style

FEW_LINES = 3
"""Number of lines for choices on a low screen."""


class Started(Snapshot, Protocol):
    """A snapshot that says who starts the next round."""

    @property
    def starter(self) -> int:
        """The player who starts the next round, from 1."""


# -- The table -------------------------------------------------------------------------------


def heading(title: str, turn: str, stock: Sequence[tuple[str, Mapping[str, int]]], style: Style) -> str:
    """Return the first line: the game, the round, and the number of pieces in bag and tower."""
    waiting = "   ".join(f"{name} {sum(counts.values())}" for name, counts in stock)
    gap = " " * max(3, style.width - len(title + turn + waiting) - 3)
    return f"{style.strong(title)}   {turn}{gap}{waiting}"


def board_of(
    name: str,
    score: int,
    lines: Sequence[str],
    style: Style,
    value: Started,
    number: int,
    small: Sequence[str] = (),
    cells: Sequence[int] = (),
) -> Board:
    """Return a player's board; its heading has the name, the starting tile if they have it, and the score."""
    from sintra.view.layout import Board, starting_tile

    tile = starting_tile(style) if holder(value) == number else ""
    before = style.since.players[number - 1].score if style.since is not None else score
    gained = f" ({score - before:+d})" if score != before else ""
    points = f"{plural(score, 'point')}{gained}"
    return Board(style.name(name), points, lines, small, tile=tile, mover=value.player == number, cells=cells)


def holder(value: Started) -> int | None:
    """Return who has the starting tile: the last to take it, until it is in the center again."""
    return value.starter if value.round and not value.starting_tile else None


def legend_lines(fold: Fold, style: Style) -> list[str]:
    """Return the legend of a table's signs."""
    from sintra.view.layout import starting_tile

    style = style.of(fold.rules)
    names = fold.rules.colors
    pieces = wrapped([f"{style.piece(name)} {name}" for name in names], style.width - 9, gap="   ")
    spaces = wrapped([f"{style.space(name)} {name}" for name in names], style.width - 9, gap="   ")
    signs = [
        f"{style.piece(names[0], new=True)} new since the last turn",
        f"{starting_tile(style)} starts the next round",
        f"{style.either('▶', '>')} has to choose",
        *(f"{style.either(*sign)} {meaning}" for sign, meaning in view_signs(fold)),
    ]
    rows = (("pieces", pieces), ("spaces", spaces), ("signs", wrapped(signs, style.width - 9, gap="   ")))
    return [
        f"{'' if number else label:<9}{line}".rstrip()
        for label, lines in rows
        for number, line in enumerate(lines)
    ]


def view_signs(fold: Fold) -> Sequence[tuple[tuple[str, str], str]]:
    """Return the signs that only this game uses, in Unicode and in ASCII, with their meaning."""
    signs = getattr(view_of(fold.rules), "signs", None)
    return signs(fold) if signs else ()


def closing_lines(fold: Fold, value: Snapshot, style: Style) -> list[str]:
    """Return what is in hand and what comes next: choices, the result, or what the game waits for."""
    hand = [f"{count} {style.loose(color)}" for color, count in value.hand.items()]
    lines = [f"hand   {'  '.join(hand)}"] if hand else []
    if not style.choices:
        return lines + (result_lines(fold, style) if fold.over else [])
    if fold.state.phase >= CHOICE:
        return lines + choice_lines(fold, style)
    if fold.over:
        return lines + result_lines(fold, style)
    missing = fold.awaits()
    return [*lines, f"{missing[0].upper()}{missing[1:]}."]


def choice_lines(fold: Fold, style: Style) -> list[str]:
    """Return the player to move and the legal steps; those that begin alike share a line.

    On a low screen, colors are given by their letters, which may be typed, too.
    """
    groups: dict[str, list[str]] = {}
    for code in fold.state.legal():
        words = fold.words.steps[code].words
        head, _, tail = words.rpartition(" ")
        groups.setdefault(head or tail, []).extend([tail] if head else [])
    name = style.name(fold.created.players[fold.state.player])
    lines = _grouped(groups, style, str)
    if style.height is not None and len(lines) > FEW_LINES:
        lines = _grouped(groups, style, lambda word: word if word.isdecimal() else style.palette.letter(word))
    return [style.strong(f"{fitted(name, style.width - 5)} may:"), *(f"    {line}" for line in lines)]


def _grouped(groups: Mapping[str, Sequence[str]], style: Style, shown: Callable[[str], str]) -> list[str]:
    spelled = [f"{head} {'|'.join(map(shown, tails))}" if tails else head for head, tails in groups.items()]
    return wrapped(spelled, style.width - 4, gap="   ")


def result_lines(fold: Fold, style: Style) -> list[str]:
    """Return who has won, and everybody's points by source."""
    state = fold.state
    names = [fitted(style.name(name), 16) for name in fold.created.players]
    room = max(map(columns, names))
    lines = wrapped(outcome(names, [player + 1 for player in state.winners()]).split(" "), style.width)
    lines = [style.strong(line) for line in lines]
    for name, score, parts in zip(names, state.scores(), state.breakdown(), strict=True):
        head = f"    {padded(name, room)}  {score:>4}  "
        gains = [f"{source} {points:+d}" for source, points in parts.items() if points]
        for number, line in enumerate(wrapped(gains, style.width - columns(head) - 1, gap=", ") or [""]):
            lines.append((" " * columns(head) if number else head) + style.faint(line))
    return lines


# -- The story -------------------------------------------------------------------------------

Numbers = dict[str, dict[str, int]]
"""The numbers of effects by name, summed over repeated effects."""


def summed(effects: Sequence[Happening]) -> Numbers:
    """Return the numbers of effects by name, added up."""
    total: Numbers = {}
    for happening in effects:
        before = total.get(happening.name, {})
        total[happening.name] = {key: n + before.get(key, 0) for key, n in happening.numbers.items()}
    return total


def outcome(names: Sequence[str], winners: Sequence[int]) -> str:
    """Return who has won, in a sentence."""
    won = [names[player - 1] for player in winners]
    return f"{won[0]} wins." if len(won) == 1 else f"{listed(won)} share the victory."


def scores(names: Sequence[str], points: Sequence[int]) -> str:
    """Return scores as `Ada: 7, Ben: 4`."""
    return ", ".join(f"{name}: {score}" for name, score in zip(names, points, strict=True))


def picked_sentence(event: Picked, numbers: Numbers) -> str:
    """Return a pick as ` picks 2 orange from display 3; 2 pieces to the center.`."""
    source = f"display {event.source}" if event.source else "the center"
    text = f" picks {pieces({event.color: numbers['took']['pieces']})} from {source}"
    if "starting_tile" in numbers:
        text += ", with the starting tile"
    moved = numbers.get("centered", {}).get("pieces", 0)
    return text + (f"; {plural(moved, 'piece')} to the center." if moved else ".")


def common_sentence(fold: Fold, event: Event, numbers: Numbers) -> str:
    """Return a sentence for an event that every game has."""
    names = [safe(name) for name in fold.created.players]
    match event:
        case Created():
            parts = [
                key.replace("_", " ") if value is True else f"{key} {value}"
                for key, value in event.options.items()
                if value is not False
            ]
            parts.append(f"seed {event.seed}" if event.chance == "seeded" else f"chance: {event.chance}")
            if isinstance(event.position, str):
                parts.append("from a position")
            return f"{fold.rules.title} ({', '.join(parts)}): {listed(names)}."
        case Dealt():
            letter = fold.rules.palette.letter
            drawn = " ".join("".join(map(letter, display)) or "-" for display in event.displays)
            text = f"Round {event.round} is dealt: {drawn}."
            if "refilled" in numbers:
                text += f" The bag was refilled after {plural(numbers['refilled']['after'], 'piece')}."
            return text
        case RoundEnded():
            return f"Round {event.round} ends. {scores(names, event.scores)}."
        case Ended():
            return f"The game ends. {scores(names, event.scores)}. {outcome(names, event.winners)}"
        case Undone():
            return f"{plural(event.events, 'event')} taken back."
        case Noted():
            return f"Note: {safe(event.text)}"
        case _:
            return "The table is arranged."
