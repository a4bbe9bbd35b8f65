"""Azul and Crystal Mosaic on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sintra.fold import Fold
from sintra.games.azul.events import AzulArranged, PlacedInLine, Tiled
from sintra.games.azul.player import SIZE, tile_points
from sintra.games.azul.rules import AzulState
from sintra.games.azul.snapshot import AzulSnapshot, BoardSnapshot, LineSnapshot
from sintra.log.events import Choice, Ended, Event, Picked, RoundEnded
from sintra.rules.effects import Happening
from sintra.text import columns, padded, plural, safe
from sintra.view import plain
from sintra.view.common import (
    Numbers,
    board_of,
    closing_lines,
    common_sentence,
    heading,
    picked_sentence,
    summed,
)

if TYPE_CHECKING:
    from sintra.view.style import Style

FREE = ((" · ", " . "), "free space")
DOUBLE = (("×b ", "xb "), "printed space that counts double")
"""Signs that only these games draw, in Unicode and in ASCII, with their meaning."""

CELLS = (1, 2, 3, 4, 5, 7)
"""The indexes of lines with pieces and spaces: pattern lines and wall, and the floor line."""

# -- The table -------------------------------------------------------------------------------


def signs(fold: Fold) -> Sequence[tuple[tuple[str, str], str]]:
    """Return the signs on these boards: only one side of Crystal Mosaic has spaces that count double."""
    value: AzulSnapshot = fold.rules.snapshot(fold.state)  # type: ignore[assignment]
    return (FREE, DOUBLE) if value.multiplier > 1 else (FREE,)


def table(fold: Fold, style: Style, *, backs: bool = False) -> list[str]:  # noqa: ARG001 - strips have backs
    """Return the whole table: round, offer, boards, and what the player to move may do."""
    from sintra.view.layout import composed

    style = style.of(fold.rules)
    value: AzulSnapshot = fold.rules.snapshot(fold.state)  # type: ignore[assignment]
    title = f"{fold.rules.title}, side {fold.created.options['side']}"
    turn = f"round {value.round}" if value.round else "before the first round"
    boards = []
    for number, (name, board) in enumerate(zip(fold.created.players, value.players, strict=True), 1):
        spots = style if value.player == number else replace(style, spots=None)
        old = style.since.players[number - 1] if style.since is not None else board
        lines, small = _board(board, old, value, spots), _small(board, old, value, style)
        boards.append(board_of(name, board.score, lines, style, value, number, small, CELLS))
    head = [heading(title, turn, (("bag", value.bag), ("lid", value.lid)), style)]
    return composed(head, value, boards, closing_lines(fold, value, style), style)


Wall = tuple[tuple[str | None, ...], ...]


def _printed(value: AzulSnapshot) -> Wall:
    """Return the colors printed on the wall; nothing before the boards are chosen."""
    return value.wall or ((None,) * SIZE,) * SIZE


def _board(board: BoardSnapshot, old: BoardSnapshot, value: AzulSnapshot, style: Style) -> list[str]:
    """Return one player's board: pattern lines, the wall beside them, the floor line below."""
    lines = [" " * 22 + style.faint("".join(f" {column} " for column in range(1, SIZE + 1)))]
    arrow = style.faint(style.either("▸", ">"))
    for row, printed in enumerate(_printed(value)):
        wall = [
            style.spot(
                f"tile {row + 1} {column + 1}",
                _space(piece, printed[column], value.multiplier, style, piece != old.wall[row][column]),
            )
            for column, piece in enumerate(board.wall[row])
        ]
        line = style.spot(f"place {row + 1}", f"{row + 1}  {_line(board.lines[row], old.lines[row], style)}")
        lines.append(f" {line} {arrow} {''.join(wall)}")
    floor = " ".join(style.faint(f"{loss:>3}") for loss in value.floor)
    lines.append(style.spot("place floor", f" floor {floor}"))
    new = range(len(old.floor), len(board.floor))
    held = [_dropped(thing, style, at in new) for at, thing in enumerate(board.floor)]
    return [*lines, style.spot("place floor", padded("       " + " ".join(held), columns(lines[-1])))]


def _dropped(thing: str, style: Style, new: bool) -> str:
    """Return what lies on the floor line, three columns wide."""
    from sintra.view.layout import starting_tile

    if thing == "starting tile":
        return style.either(" ", "") + starting_tile(style) + style.either(" ", "")
    return style.piece(thing, new)


def _line(line: LineSnapshot, old: LineSnapshot, style: Style) -> str:
    """Return a pattern line, filled from the right, each space three columns wide."""
    cells = ["   "] * (SIZE - line.spaces) + [style.free()] * (line.spaces - line.pieces)
    if line.color is not None:
        new = line.pieces - (old.pieces if old.color == line.color else 0)
        cells += [style.piece(line.color, at < new) for at in range(line.pieces)]
    return "".join(cells)


def _space(piece: str | None, printed: str | None, multiplier: int, style: Style, new: bool) -> str:
    """Return a space of the wall, three columns wide: a piece, a printed color, or a free space."""
    if piece is not None:
        return style.piece(piece, new)
    if printed is None:
        return style.free()
    return style.space(printed, style.either("×", "x") if multiplier > 1 else "")


def _small(board: BoardSnapshot, old: BoardSnapshot, value: AzulSnapshot, style: Style) -> list[str]:
    """Return one player's board with a column for each space."""
    lines = [""]
    for row, printed in enumerate(_printed(value)):
        line, before = board.lines[row], old.lines[row]
        empty = " " * (SIZE - line.spaces) + style.faint(style.either("·", ".") * (line.spaces - line.pieces))
        new = line.pieces - (before.pieces if before.color == line.color else 0)
        held = [style.small_piece(str(line.color), at < new) for at in range(line.pieces)]
        wall = [
            _small_space(piece, printed[column], style, piece != old.wall[row][column])
            for column, piece in enumerate(board.wall[row])
        ]
        lines.append(f"{empty}{''.join(held)} {''.join(wall)}")
    losses = sum(value.floor[: len(board.floor)])
    held = [
        style.either("①", "1") if one == "starting tile" else style.small_piece(one) for one in board.floor
    ]
    return [*lines, style.faint(f"floor {losses}"), "".join(held)]


def _small_space(piece: str | None, printed: str | None, style: Style, new: bool) -> str:
    if piece is not None:
        return style.small_piece(piece, new)
    return style.faint(style.either("·", ".")) if printed is None else style.small_space(printed)


def due(state: AzulState, player: int) -> int:
    """Return the points that a player would get if the round ended now: full lines, less the floor."""
    board, printed = state.boards[player].copy(), state.printed
    points = -int(printed.losses[board.floored])
    for row in range(SIZE):
        if board.pieces_on(row) <= row:
            continue
        color = board.color_of(row)
        columns = board.columns_for(row, color, printed.spaces_for(row, color))
        scores = [
            (printed.multiplied(tile_points(board.across, board.down, row, column), row, column), column)
            for column in range(SIZE)
            if columns >> column & 1
        ]
        if scores:
            best, column = max(scores)
            board.hang(row, column, color)
            points += best
    return points


# -- The story -------------------------------------------------------------------------------


def sentence(fold: Fold, event: Event, effects: Sequence[Happening]) -> str:
    """Describe an event in a sentence or two."""
    numbers = summed(effects)
    names = [safe(name) for name in fold.created.players]
    if isinstance(event, AzulArranged):
        free = sum(color is None for row in event.wall for color in row)
        if free in (0, SIZE * SIZE):
            return f"Every space of the walls {'is free' if free else 'has its color printed on it'}."
        return f"Each wall has {plural(free, 'free space')}."
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
    """Return what was tiled, lost and scored automatically, in a sentence for each player."""
    said: dict[int, list[str]] = {}
    for happening in effects:
        text = _phrase(happening.name, happening.numbers)
        if text and happening.player is not None:
            said.setdefault(happening.player, []).append(text)
    return [f"{names[player - 1]}: {', '.join(parts)}." for player, parts in said.items()]


def _kept_at_zero(numbers: dict[str, int]) -> str:
    """Return a note on a loss that was greater than the score (A5)."""
    if numbers["points"] == numbers["printed"]:
        return ""
    return (
        f" ({-numbers['points']}: the score drops to 0)" if numbers["points"] else " (the score stays at 0)"
    )


def _phrase(name: str, numbers: dict[str, int]) -> str:
    """Return a few words on one effect, or nothing."""
    match name:
        case "tiled":
            return f"row {numbers['row']} for {numbers['points']}"
        case "untiled":
            return f"line {numbers['line']} fits nowhere and falls"
        case "floor_lost":
            return f"floor {-numbers['printed']}{_kept_at_zero(numbers)}"
        case "rows_scored" | "columns_scored" | "colors_scored" if numbers["points"]:
            return f"{name.removesuffix('_scored')} +{numbers['points']}"
        case _:
            return ""
