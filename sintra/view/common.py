"""The parts that all views share: heading, offer, boards side by side, choices, and sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from sintra.fold import Fold
from sintra.log.events import Created, Dealt, Ended, Event, Noted, Picked, RoundEnded, Undone
from sintra.rules.effects import Happening
from sintra.rules.snapshot import Snapshot
from sintra.rules.state import CHOICE
from sintra.text import columns, fitted, listed, padded, pieces, plural, safe, spelled, wrapped
from sintra.view.style import Style

BLOCK = 38
"""The width of a player's board in columns; two fit side by side in 80."""


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


def offer_lines(value: Snapshot, style: Style) -> list[str]:
    """Return the displays, up to five to a line, each with its number and its pieces; then the center."""
    cells = []
    wide = len(style.either("●B", "B")) + 1
    size = max(4, *(sum(counts.values()) for counts in value.displays))
    abreast = max(1, min(5, (style.width - 5) // (wide * size + 3)))
    for number, counts in enumerate(value.displays, 1):
        drawn = [style.piece(color) for color, count in counts.items() for _ in range(count)]
        shown = " ".join(drawn or [style.faint(style.either("– ", "-"))])
        cells.append(f"{style.strong(str(number))} {shown}{' ' * wide * (size - max(len(drawn), 1))}")
    rows = [cells[at : at + abreast] for at in range(0, len(cells), abreast)]
    lines = [f"{'' if number else 'offer':<7}{'  '.join(row)}" for number, row in enumerate(rows)]
    parts = [f"{starting_tile(style)} starting tile"] if value.starting_tile else []
    parts += [f"{count} {style.piece(color)}" for color, count in value.center.items()]
    return [*lines, f"center {'   '.join(parts) or style.faint('empty')}"]


def starting_tile(style: Style) -> str:
    """Return the starting tile."""
    return style.strong(style.either("①", "(1)"))


def board_heading(name: str, score: int, mover: bool, style: Style, *, starts: bool = False) -> str:
    """Return the first line of a board: the player, the starting tile if they have it, and the score.

    An arrow marks the player to move.
    """
    points = plural(score, "point")
    tile = f" {starting_tile(style)}" if starts else ""
    room = BLOCK - 2 - len(points)
    shown = fitted(name, room - columns(tile) - 1)
    shown = padded((style.strong(shown) if mover else shown) + tile, room)
    return f"{style.either('▶ ', '> ') if mover else '  '}{shown}{points}"


def holder(value: Started) -> int | None:
    """Return who has the starting tile: the last to take it, until it is in the center again."""
    return value.starter if value.round and not value.starting_tile else None


def side_by_side(blocks: Sequence[Sequence[str]], style: Style) -> list[str]:
    """Return boards side by side, as many as fit, with an empty line below."""
    wide = max([BLOCK, *(columns(line) for block in blocks for line in block)])
    abreast = max(1, (style.width + 3) // (wide + 3))
    lines = []
    for at in range(0, len(blocks), abreast):
        row = [[padded(line, wide) for line in block] for block in blocks[at : at + abreast]]
        lines += ["   ".join(parts) for parts in zip(*row, strict=True)]
        lines.append("")
    return lines


def closing_lines(fold: Fold, value: Snapshot, style: Style) -> list[str]:
    """Return what is in hand and what comes next: choices, the result, or what the game waits for."""
    hand = [f"{count} {style.piece(color)}" for color, count in value.hand.items()]
    lines = [f"hand   {'  '.join(hand)}"] if hand else []
    if fold.state.phase >= CHOICE:
        return lines + choice_lines(fold, style)
    if fold.over:
        return lines + result_lines(fold, style)
    missing = fold.awaits()
    return [*lines, f"{missing[0].upper()}{missing[1:]}."]


def choice_lines(fold: Fold, style: Style) -> list[str]:
    """Return the player to move and the legal steps; those that begin alike are on one line."""
    groups: dict[str, list[str]] = {}
    for code in fold.state.legal():
        words = fold.words.steps[code].words
        head, _, tail = words.rpartition(" ")
        groups.setdefault(head or tail, []).extend([tail] if head else [])
    name = style.name(fold.created.players[fold.state.player])
    spelled = [f"{head} {'|'.join(tails)}" if tails else head for head, tails in groups.items()]
    lines = wrapped(spelled, style.width - 4, gap="   ")
    return [style.strong(f"{fitted(name, style.width - 5)} may:"), *(f"    {line}" for line in lines)]


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
"""The numbers of effects by name; those of effects that came more than once are added up."""


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
            parts = [f"{key} {spelled(value)}" for key, value in event.options.items()]
            parts.append(f"seed {event.seed}" if event.chance == "seeded" else f"chance: {event.chance}")
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
