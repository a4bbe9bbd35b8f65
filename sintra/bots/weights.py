"""Learned weights: data files in the package, one for each board and number of players.

They are made by `scripts/train.py`. A file says where its weights come from and how strong they are; each
line is a row of a table, in the order of the features (`sintra.games.*.estimate`).
"""

from __future__ import annotations

import os
from functools import lru_cache

import msgspec
from msgspec import Struct

from sintra.errors import UsageError
from sintra.games.azul import estimate as azul
from sintra.games.sintra import estimate as sintra
from sintra.log import files
from sintra.log.codec import in_words
from sintra.rules.estimates import FeatureTable

FORMAT = 1
FOLDER = os.path.join(os.path.dirname(__file__), "learned")
"""Where the files are."""
SIMILAR = {"crystal-2": "crystal-1", "sintra-b": "sintra-a"}
"""Boards that may use the weights of another one."""
MAX_WEIGHT = 100_000
"""The largest plausible weight: a thousand points."""


class Weights(Struct, forbid_unknown_fields=True):
    """A file of weights, in hundredths of a point."""

    format: int
    board: str
    players: int
    source: str
    worth: str
    tables: dict[str, list[list[int]]]

    def flat(self) -> list[int]:
        """Return all weights by the number of their feature; raise ValueError if some are missing."""
        weights: list[int] = []
        tables = tables_of(self.board)
        if list(self.tables) != [table.name for table in tables]:
            raise ValueError(f"tables: expected {', '.join(table.name for table in tables)}")
        for table in tables:
            rows = self.tables[table.name]
            if len(rows) != table.rows or any(len(row) != table.width for row in rows):
                raise ValueError(f"{table.name}: expected {table.rows} rows of {table.width} numbers")
            weights += [weight for row in rows for weight in row]
        if max(map(abs, weights)) > MAX_WEIGHT:
            raise ValueError(f"no weight is beyond {MAX_WEIGHT}")
        return weights


def tables_of(board: str) -> tuple[FeatureTable, ...]:
    """Return the tables of a board's features."""
    return sintra.TABLES if board.startswith("sintra") else azul.TABLES


@lru_cache(maxsize=32)
def weights_for(board: str, players: int) -> list[int]:
    """Return the weights of a board; none for a board that has none.

    If there are none for three players, those for four are used, which fit better than those for two; if
    there are none for four, those for fewer. After that, those of a similar board.
    """
    numbers = (2,) if players == 2 else (players, 4, 3, 2)
    for name in (board, SIMILAR.get(board, "")):
        for number in numbers:
            path = os.path.join(FOLDER, f"{name}-{number}.json")
            if os.path.exists(path):
                return read(path, name).flat()
    return []


def read(path: str, board: str) -> Weights:
    """Read a file of weights; raise UsageError if it is damaged, or not for this version or board."""
    try:
        found = msgspec.json.decode(files.read_whole(path), type=Weights)
        if found.format != FORMAT:
            raise UsageError(f"{path}: weights of format {found.format}; this version reads format {FORMAT}")
        if found.board != board:
            raise ValueError(f"weights of {found.board}, not of {board}")
        found.flat()
    except (msgspec.DecodeError, ValueError) as error:
        raise UsageError(f"{path}: damaged weights: {in_words(error)}") from None
    return found


def encoded(board: str, players: int, source: str, worth: str, weights: list[int]) -> bytes:
    """Return a file of weights, a row of a table on each line."""
    parts = []
    for table in tables_of(board):
        starts = range(table.first, table.first + table.rows * table.width, table.width)
        rows = [str(weights[start : start + table.width]) for start in starts]
        parts.append(f'    "{table.name}": [\n      ' + ",\n      ".join(rows) + "\n    ]")
    head = {"format": FORMAT, "board": board, "players": players, "source": source, "worth": worth}
    lines = [f'  "{name}": {msgspec.json.encode(value).decode()}' for name, value in head.items()]
    return ("{\n" + ",\n".join(lines) + ',\n  "tables": {\n' + ",\n".join(parts) + "\n  }\n}\n").encode()
