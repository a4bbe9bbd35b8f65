"""The shelf: the logs of a folder, the boards that a new game can be played on, and a name for its log."""

from __future__ import annotations

import os
from collections.abc import Iterator

from msgspec import Struct

from sintra import catalog
from sintra.errors import SintraError
from sintra.log.limits import MAX_LOG_BYTES

MOST = 50
"""Maximum number of games listed, the last played first."""
LARGE = min(MAX_LOG_BYTES, 2_000_000)
"""Maximum size of a log that is read for a list, in bytes."""
ENDING = ".log"
"""The suffix of logs."""


def logs_of(folder: str) -> Iterator[str]:
    """Yield the logs of a folder, the last changed first."""
    try:
        names = [name for name in os.listdir(folder) if name.endswith(ENDING)]
    except OSError:
        return
    dated = []
    for name in names:
        path = name if folder == "." else os.path.join(folder, name)
        try:
            status = os.stat(path)
        except OSError:
            continue
        if os.path.isfile(path) and status.st_size <= LARGE:
            dated.append((-status.st_mtime, path))
    for _, path in sorted(dated)[:MOST]:
        yield path


class Board(Struct, frozen=True):
    """A board to play on: its title, the rule-set, the side, and the possible numbers of players."""

    title: str
    rules: str
    side: str | None
    players: tuple[int, ...]


def boards() -> Iterator[Board]:
    """Yield the boards of all rule-sets."""
    for name in catalog.names():
        try:
            rules = catalog.find(name)
        except SintraError:  # a plug-in that does not work
            continue
        sides = [option.values for option in rules.options if option.name == "side"]
        for side in sides[0] if sides else (None,):
            title = rules.title if side is None else f"{rules.title}, side {side}"
            yield Board(title, name, None if side is None else str(side), rules.players)


def free_name(folder: str) -> str:
    """Return an unused name for a log."""
    number = 1
    name = f"game{ENDING}"
    while os.path.lexists(os.path.join(folder, name)):
        number += 1
        name = f"game-{number}{ENDING}"
    return name
