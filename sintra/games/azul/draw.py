"""Azul and Crystal Mosaic on the screen."""

from __future__ import annotations

from collections.abc import Sequence

from sintra.fold import Fold
from sintra.games.azul.events import AzulArranged, PlacedInLine, Tiled
from sintra.games.azul.player import SIZE
from sintra.games.azul.snapshot import AzulSnapshot, BoardSnapshot, LineSnapshot
from sintra.log.events import Choice, Ended, Event, Picked, RoundEnded
from sintra.rules.effects import Happening
from sintra.text import plural, safe
from sintra.view import plain
from sintra.view.common import (
    Numbers,
    board_heading,
    closing_lines,
    common_sentence,
    heading,
    holder,
    offer_lines,
    picked_sentence,
    side_by_side,
    starting_tile,
    summed,
)
from sintra.view.style import Style

# -- The table -------------------------------------------------------------------------------


def table(fold: Fold, style: Style, *, backs: bool = False) -> list[str]:  # noqa: ARG001 - strips have backs
    """Return the whole table: round, offer, boards, and what the player to move may do."""
    style = style.of(fold.rules)
    value: AzulSnapshot = fold.rules.snapshot(fold.state)  # type: ignore[assignment]
    title = f"{fold.rules.title}, side {fold.created.options['side']}"
    turn = f"round {value.round}" if value.round else "before the first round"
    lines = [
        heading(title, turn, (("bag", value.bag), ("lid", value.lid)), style),
        "",
        *offer_lines(value, style),
        "",
    ]
    names = [style.name(name) for name in fold.created.players]
    boards = [
        [
            board_heading(name, board.score, value.player == number, style, starts=holder(value) == number),
            *_board(board, value, style),
        ]
        for number, (name, board) in enumerate(zip(names, value.players, strict=True), 1)
    ]
    lines += side_by_side(boards, style)
    lines += closing_lines(fold, value, style)
    return [line.rstrip() for line in lines]


def _board(board: BoardSnapshot, value: AzulSnapshot, style: Style) -> list[str]:
    """Return one player's board: pattern lines, the wall beside them, the floor line below."""
    columns = "".join(f"{column:>3}" for column in range(1, SIZE + 1))
    lines = [" " * 19 + style.faint(columns)]
    arrow = style.either("▸", ">")
    for row, line in enumerate(board.lines):
        wall = [
            _space(piece, printed, value.multiplier, style)
            for piece, printed in zip(
                board.wall[row], value.wall[row] if value.wall else (None,) * SIZE, strict=True
            )
        ]
        lines.append(
            f"{style.faint(str(row + 1))}  {_line(line, style)} {style.faint(arrow)} {' '.join(wall)}"
        )
    lines.append("floor " + " ".join(style.faint(f"{loss:>3}") for loss in value.floor))
    tile = style.either("  ", "") + starting_tile(style)
    held = [tile if thing == "starting tile" else " " + _piece(thing, style) for thing in board.floor]
    lines.append("      " + " ".join(held))
    return lines


def _line(line: LineSnapshot, style: Style) -> str:
    """Return a pattern line, filled from the right, each space two columns wide."""
    cells = ["  "] * (SIZE - line.spaces) + [" " + _free(style)] * (line.spaces - line.pieces)
    if line.color is not None:
        cells += [_piece(line.color, style)] * line.pieces
    return " ".join(cells)


def _space(piece: str | None, printed: str | None, multiplier: int, style: Style) -> str:
    """Return a space of the wall, two columns wide: a piece, a printed color, or a free space."""
    if piece is not None:
        return _piece(piece, style)
    if printed is None:
        return " " + _free(style)
    if multiplier > 1:
        return style.faint(style.either("×", "x") + style.palette.letter(printed))
    return style.space(printed)


def _piece(color: str, style: Style) -> str:
    """Return a piece, two columns wide."""
    return style.either("", " ") + style.piece(color)


def _free(style: Style) -> str:
    """Return an empty space that takes any color."""
    return style.faint(style.either("·", "."))


# -- The story -------------------------------------------------------------------------------


def sentence(fold: Fold, event: Event, effects: Sequence[Happening]) -> str:
    """Describe an event in a sentence or two."""
    numbers = summed(effects)
    names = [safe(name) for name in fold.created.players]
    if isinstance(event, AzulArranged):
        free = sum(color is None for row in event.wall for color in row)
        return f"The boards are chosen: a wall with {free or 'no'} free spaces."
    if isinstance(event, RoundEnded | Ended):
        return " ".join([*_tilings(names, effects), common_sentence(fold, event, numbers)])
    if not isinstance(event, Choice):
        return common_sentence(fold, event, numbers)
    name = names[event.player - 1]
    if isinstance(event, Picked):
        return name + picked_sentence(event, numbers)
    if isinstance(event, PlacedInLine):
        own = name + _placed(event, numbers)
    elif isinstance(event, Tiled):
        points = plural(effects[0].numbers["points"], "point")
        own = f"{name} tiles row {event.row}, column {event.column}: {points}."
        effects = effects[1:]
    else:
        return plain.sentence(fold, event, effects)
    return " ".join([own, *_tilings(names, effects)])


def _placed(event: PlacedInLine, numbers: Numbers) -> str:
    filled = numbers.get("filled", {}).get("pieces", 0)
    fell = numbers.get("fell", {}).get("pieces", 0) + numbers.get("discarded", {}).get("pieces", 0)
    fell -= numbers.get("untiled", {}).get("pieces", 0)
    if not event.line:
        return f" drops {plural(fell, 'piece')} to the floor."
    text = f" places {plural(filled, 'piece')} on line {event.line}"
    return f"{text}; {plural(fell, 'piece')} to the floor." if fell else f"{text}."


def _tilings(names: Sequence[str], effects: Sequence[Happening]) -> list[str]:
    """Return what was tiled, lost and scored by itself, a sentence for each player."""
    said: dict[int, list[str]] = {}
    for happening in effects:
        text = _phrase(happening.name, happening.numbers)
        if text and happening.player is not None:
            said.setdefault(happening.player, []).append(text)
    return [f"{names[player - 1]}: {', '.join(parts)}." for player, parts in said.items()]


def _phrase(name: str, numbers: dict[str, int]) -> str:
    """Return a few words on one effect, or nothing."""
    match name:
        case "tiled":
            return f"row {numbers['row']} for {numbers['points']}"
        case "untiled":
            return f"line {numbers['line']} fits nowhere and falls"
        case "floor_lost":
            return f"floor {-numbers['points']}"
        case "rows_scored" | "columns_scored" | "colors_scored" if numbers["points"]:
            return f"{name.removesuffix('_scored')} +{numbers['points']}"
        case _:
            return ""
