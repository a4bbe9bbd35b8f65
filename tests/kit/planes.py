"""The planes of a game in a second way: from the words of `game.state` alone, cell by cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sintra.rules.planes import SEATS

Grid = Any


def expected(state: Any, viewer: int) -> dict[str, Grid]:
    """Every plane by its name, as the player in seat `viewer`, from 0, sees the table."""
    azul = hasattr(state, "lid")
    colors = AZUL if azul else SINTRA
    size = (5, 5) if azul else (8, 5)
    found = table(state, colors, size)
    found |= azul_table(state) if azul else sintra_table(state)
    seats = len(state.players)
    for place in range(seats):
        seat = (viewer + place) % seats
        own = azul_player(state, state.players[seat]) if azul else sintra_player(state, state.players[seat])
        own["to move"] = full(size, state.player == seat + 1)
        own["starts"] = full(size, state.starter == seat + 1)
        own["score"] = full(size, max(0, state.players[seat].score))
        found |= {f"{SEATS[place]} {name}": grid for name, grid in own.items()}
    return found


AZUL = ("blue", "yellow", "red", "black", "teal")
SINTRA = ("blue", "clear", "orange", "pink", "yellow")


def full(size: tuple[int, int], value: int) -> Grid:
    return np.full(size, min(value, 255), np.uint8)


def by_color(rows: int, pieces: dict[str, int], colors: Sequence[str]) -> Grid:
    return np.array([[pieces.get(color, 0) for color in colors]] * rows, np.uint8)


def table(state: Any, colors: Sequence[str], size: tuple[int, int]) -> dict[str, Grid]:
    """What all games have on the table."""
    sources = [state.center, *state.displays]
    cells = [source.get(color, 0) for source in sources for color in colors]
    cells += [0] * (2 * size[0] * size[1] - len(cells))
    offer = np.array(cells, np.uint8).reshape(2, *size)
    return {
        "offer 1": offer[0],
        "offer 2": offer[1],
        "starting tile": full(size, state.starting_tile),
        "hand": by_color(size[0], state.hand, colors),
        "bag": by_color(size[0], state.bag, colors),
        "placing": full(size, state.awaits == "place"),
        "round": full(size, state.round),
    }


# -- Azul and Crystal Mosaic --


def azul_table(state: Any) -> dict[str, Grid]:
    found = {"lid": by_color(5, state.lid, AZUL)}
    found["tiling"] = np.array([[state.tiling == row + 1] * 5 for row in range(5)], np.uint8)
    for color in AZUL:
        takes = [[space in (None, color) for space in row] for row in state.wall] or np.zeros((5, 5))
        found[f"printed {color}"] = np.array(takes, np.uint8)
    by = [[1 if space is None else state.multiplier for space in row] for row in state.wall] or np.zeros(
        (5, 5)
    )
    found["multiplier"] = np.array(by, np.uint8)
    return found


def azul_player(state: Any, player: Any) -> dict[str, Grid]:
    lines = [[line.pieces if line.color == color else 0 for color in AZUL] for line in player.lines]
    fallen = {color: player.floor.count(color) for color in AZUL}
    found = {
        "lines": np.array(lines, np.uint8),
        "floor": by_color(5, fallen, AZUL),
        "floor spaces": full((5, 5), len(player.floor)),
        "floor loss": full((5, 5), -sum(state.floor[: len(player.floor)])),
    }
    for color in AZUL:
        found[f"wall {color}"] = np.array([[tile == color for tile in row] for row in player.wall], np.uint8)
    return found


# -- Stained Glass of Sintra --


def sintra_table(state: Any) -> dict[str, Grid]:
    size = (8, 5)
    indicator = np.zeros(size, np.uint8)
    for row, color in enumerate(state.indicator):
        indicator[row, SINTRA.index(color)] = 1
    now = {state.indicator[state.round - 1]: 1} if state.round and state.indicator else {}
    points = [window.points for window in state.players[0].windows] or [0] * 8
    return {
        "tower": by_color(8, state.tower, SINTRA),
        "keeping": full(size, state.awaits == "keep"),
        "indicator": indicator,
        "round color": by_color(8, now, SINTRA),
        "windows": np.array([[point] * 5 for point in points], np.uint8),
        "side B": full(size, state.side == "B"),
        "floor at zero": full(size, 0),
    }


def sintra_player(state: Any, player: Any) -> dict[str, Grid]:
    size = (8, 5)
    names = ("empty", "pieces", "jokers", "back", "back jokers", "top", "bottom", "strip", "glazier")
    found: dict[str, Grid] = {name: np.zeros(size, np.uint8) for name in names}
    for slot, strip in enumerate(player.strips):
        if strip is None:
            continue
        found["strip"][slot] = 1
        for space, piece in zip(strip.spaces, strip.pieces, strict=True):
            if piece is not None:
                found["pieces"][slot, SINTRA.index(piece)] += 1
            elif space == "joker":
                found["jokers"][slot] += 1
            else:
                found["empty"][slot, SINTRA.index(space)] += 1
        for space in strip.back:
            if space == "joker":
                found["back jokers"][slot] += 1
            else:
                found["back"][slot, SINTRA.index(space)] += 1
    for slot, window in enumerate(player.windows):
        for frame, piece in zip(("top", "bottom"), window.pieces, strict=False):
            found[frame][slot, SINTRA.index(piece)] = 1
    found["glazier"][player.glazier - 1] = 1
    found["marker"] = full(size, player.marker)
    found["track loss"] = full(size, -state.broken[player.marker] if state.broken else 0)
    found["lost"] = full(size, player.lost)
    found["debt"] = full(size, max(0, -player.score))
    return found
