"""The folder that is served: logs by name, and nothing outside it."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection

from msgspec import Struct

from sintra.batch.shelf import ENDING, LARGE, logs_of
from sintra.bots.seats import remembered
from sintra.errors import SintraError, Unreadable, UsageError
from sintra.log import files
from sintra.reader import read_game
from sintra.text import safe

MAX_NAME_BYTES = 200
"""Maximum length of the name of a log, in bytes."""


class Listed(Struct):
    """A game of the folder, for the menu; `error` says why a log can't be shown."""

    log: str
    title: str = ""
    players: list[str] = []
    bots: dict[int, str] = {}
    scores: list[int] = []
    winners: list[int] = []
    round: int = 0
    over: bool = False
    table: bool = False
    error: str = ""


class Folder:
    """A folder of logs, or a single log in it."""

    def __init__(self, path: str, offered: Collection[str] = ()) -> None:
        """Serve a folder, or a single log; raise UsageError if it is neither."""
        self.offered = offered
        """The bots that may be seated besides the built-in ones."""
        if os.path.isdir(path):
            self.root, self.only = os.path.realpath(path), None
        elif os.path.isfile(path):
            real = os.path.realpath(path)
            self.root, self.only = os.path.dirname(real), os.path.basename(real)
        else:
            raise UsageError(f"{files.shown(path)}: no such folder or log; `sintra new -o` makes a log")
        self._known: dict[str, tuple[tuple[int, int], Listed]] = {}

    def path_of(self, name: str) -> str:
        """Return the path of an existing log; raise Unreadable if it is not one of this folder."""
        path = os.path.realpath(self._below(name))
        if os.path.commonpath([self.root, path]) != self.root or path == self.root:
            raise Unreadable(f"{name} leads out of the folder")
        try:
            status = os.stat(path)
        except OSError:
            raise Unreadable(f"{name}: no such log") from None
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable(f"{name} is not a regular file")
        if status.st_size > LARGE:
            raise Unreadable(f"{name} is too long for a browser: more than {LARGE} bytes")
        return path

    def new_path(self, name: str) -> str:
        """Return the path of a log to create, in an existing folder."""
        if self.only is not None:
            raise UsageError("only one log is served here; name a folder to `sintra serve` for new games")
        path = self._below(name)
        above = os.path.realpath(os.path.dirname(path))
        if os.path.commonpath([self.root, above]) != self.root or not os.path.isdir(above):
            raise UsageError(f"{name}: no such folder")
        return os.path.join(above, os.path.basename(path))

    def _below(self, name: str) -> str:
        """Return the path of a name, which must not lead out of the folder."""
        parts = name.split("/")
        wrong = ""
        if not name.endswith(ENDING):
            wrong = f"it must end in {ENDING}"
        elif any(part.startswith(".") or not part for part in parts):
            wrong = "no part of it may be empty or start with a dot"
        elif any(ord(sign) < 32 or sign in '\\"\x7f' for sign in name):
            wrong = "it has a quote, a backslash or a control character"
        elif len(name.encode("utf-8", "replace")) > MAX_NAME_BYTES:
            wrong = f"it has more than {MAX_NAME_BYTES} bytes"
        if wrong:
            raise UsageError(f"{name[:80]!r} can't be the name of a log: {wrong}")
        if self.only is not None and name != self.only:
            raise Unreadable(f"{name}: no such log")
        return os.path.join(self.root, *parts)

    def games(self) -> list[Listed]:
        """Return the games, the last played first."""
        if self.only is not None:
            return [self._listed(self.only)]
        return [self._listed(os.path.relpath(path, self.root)) for path in logs_of(self.root)]

    def _listed(self, name: str) -> Listed:
        try:
            path = self.path_of(name)
            status = os.stat(path)
        except (SintraError, OSError) as error:
            return Listed(name, error=str(error) if isinstance(error, SintraError) else "no such log")
        mark = (status.st_mtime_ns, status.st_size)
        known = self._known.get(name)
        if known is None or known[0] != mark:
            known = self._known[name] = (mark, self._read(name, path))
        return known[1]

    def _read(self, name: str, path: str) -> Listed:
        try:
            game = read_game(files.read(path), name)
        except SintraError as error:
            return Listed(name, error=str(error).replace(path, name))
        side = game.created.options.get("side")
        return Listed(
            name,
            game.rules.title if side is None else f"{game.rules.title}, side {side}",
            [safe(name) for name in game.players],
            remembered(path, game, self.offered),
            game.scores,
            game.winners,
            game.round,
            game.over,
            game.created.chance == "table",
        )
