"""Azul and Crystal Mosaic as a scene: pattern lines and wall side by side, the floor line below."""

from __future__ import annotations

from functools import lru_cache

from sintra.fold import Fold
from sintra.games.azul.colors import COLORS, PALETTE
from sintra.games.azul.player import FLOOR_SPACES, SIZE
from sintra.games.azul.snapshot import AzulSnapshot, BoardSnapshot
from sintra.rules.offer import DISPLAY_SIZE
from sintra.view.scene import TILE, Offer, Panel, Scene, common_texts, offer_panel, offer_things, player_sheet

STEP = 40
"""The distance between spaces on a board."""
LINES, WALL, TOP, FLOOR = 40, 278, 78, 320
"""Where the first space of lines and wall is, the first row, and the floor line."""
SPACE = 36
HEIGHT = 358


def scene(fold: Fold) -> Scene:
    """Return the table as a scene."""
    value: AzulSnapshot = fold.rules.snapshot(fold.state)  # type: ignore[assignment]
    title = f"{fold.rules.title}, side {fold.created.options['side']}"
    panels = _panels(title, fold.created.players)
    things, texts = offer_things(panels[0], value, (value.bag, value.lid))
    for number, board in enumerate(value.players, 1):
        _lie(things, number, board, value)
        for space, loss in enumerate(value.floor, 1):
            texts[f"{number}/floor/{space}"] = str(loss)
    common_texts(fold, value, things, texts)
    return Scene(panels, things, texts, PALETTE)


def _lie(things: dict[str, str], number: int, board: BoardSnapshot, value: AzulSnapshot) -> None:
    """Put what lies in front of one player into its slots."""
    for row, line in enumerate(board.lines, 1):
        for place in range(1, line.spaces + 1):
            full = place <= line.pieces
            things[f"{number}/line/{row}/{place}"] = line.color if full and line.color else "empty"
    for row, spaces in enumerate(board.wall, 1):
        for column, piece in enumerate(spaces, 1):
            printed = value.wall[row - 1][column - 1] if value.wall else None
            name = f"{number}/wall/{row}/{column}"
            things[name] = piece or (f"{printed} space" if printed else "empty")
            if value.multiplier > 1 and printed:
                things[f"{number}/double/{row}/{column}"] = "double"
    for place in range(1, FLOOR_SPACES + 1):
        held = board.floor[place - 1] if place <= len(board.floor) else ""
        things[f"{number}/floor/{place}"] = TILE if held == TILE else held or "empty"


@lru_cache(maxsize=64)
def _panels(title: str, players: tuple[str, ...]) -> tuple[Panel, ...]:
    """Return the skeleton."""
    displays = 2 * len(players) + 1
    offer = Offer(title, displays, DISPLAY_SIZE, COLORS, ("bag", "lid"), 20)
    boards = (_board(number, name) for number, name in enumerate(players, 1))
    return (offer_panel(offer), *boards)


def _board(number: int, name: str) -> Panel:
    sheet = player_sheet(number, name, HEIGHT)
    for row in range(1, SIZE + 1):
        y = TOP + STEP * (row - 1)
        left = LINES + STEP * (SIZE - row)
        sheet.zone(f"{number}/line/{row}", f"line {row}", (left - 20, y - 19, STEP * row, 38))
        sheet.words(left - 26, y + 4, str(row), "tiny")
        sheet.art.append(f'<path class="line" d="M232 {y - 5}l7 5-7 5"/>')
        for place in range(1, row + 1):  # filled from the right
            sheet.slot(f"{number}/line/{row}/{place}", LINES + STEP * (SIZE - place), y, SPACE)
        for column in range(1, SIZE + 1):
            x = WALL + STEP * (column - 1)
            slot = f"{number}/wall/{row}/{column}"
            sheet.zone(slot, f"row {row}, column {column}", (x - 20, y - 20, STEP, STEP))
            sheet.slot(slot, x, y, SPACE)
            sheet.slot(f"{number}/double/{row}/{column}", x, y, SPACE)
    for column in range(1, SIZE + 1):
        sheet.words(WALL + STEP * (column - 1), TOP + STEP * 5 - 10, str(column), "tiny")
    sheet.zone(f"{number}/floor", "floor", (LINES - 20, FLOOR - 20, STEP * FLOOR_SPACES, STEP))
    for place in range(1, FLOOR_SPACES + 1):
        x = LINES + STEP * (place - 1)
        sheet.text(f"{number}/floor/{place}", x, FLOOR - 27, "tiny")
        sheet.slot(f"{number}/floor/{place}", x, FLOOR, SPACE)
    sheet.words(LINES + STEP * FLOOR_SPACES, FLOOR + 4, "floor", "small", "start")
    return sheet.done()


def places(fold: Fold) -> dict[str, tuple[str, ...]]:
    """Return where on the scene a person points to take each step, by its words, except for picks."""
    player = fold.state.player + 1
    found: dict[str, tuple[str, ...]] = {"place floor": (f"{player}/floor",)}
    for row in range(1, SIZE + 1):
        found[f"place {row}"] = (f"{player}/line/{row}",)
        for column in range(1, SIZE + 1):
            found[f"tile {row} {column}"] = (f"{player}/wall/{row}/{column}",)
    return found
