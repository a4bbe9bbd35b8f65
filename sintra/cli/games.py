"""Games of a folder, and new games: the contents of the menu of `play`."""

from __future__ import annotations

import os

from msgspec import Struct

from sintra import catalog
from sintra.batch.shelf import boards, free_name, logs_of
from sintra.bots.names import BOTS
from sintra.bots.seats import remember, remembered
from sintra.cli.new import made
from sintra.errors import SintraError, UsageError
from sintra.game import Game
from sintra.log import files
from sintra.reader import read_game
from sintra.text import listed, safe

PERSON = "person"
LEVELS = ("easy", "medium", "hard")
"""The bots that are offered first."""


class Found(Struct, frozen=True):
    """A game of a folder: its log, its title, and the bots that played in it."""

    path: str
    about: str
    bots: dict[int, str]


def games_here(folder: str = ".") -> list[Found]:
    """Return the games of a folder that can be continued, the last played first."""
    found = []
    for path in logs_of(folder):
        try:
            game = read_game(files.read(path), path)
        except SintraError:
            continue
        if game.player is not None or (not game.over and game.created.chance != "table"):
            found.append(Found(path, _about(game), remembered(path, game)))
    return found


def _about(game: Game) -> str:
    names = listed([safe(name) for name in game.players])
    return f"{game.rules.title}, round {game.round}: {names}"


def courses() -> dict[str, str]:
    """Return the rule-sets that can be learned, with their titles."""
    titles = {}
    for board in boards():
        rules = catalog.find(board.rules)
        if rules.lessons:
            titles[rules.name] = rules.title
    return titles


# -- A new game ------------------------------------------------------------------------------


class Field(Struct):
    """A field of a form: a text to type, a value to choose, or both."""

    label: str
    text: str | None = None
    value: str | None = None
    hint: str = ""
    """What an empty value means."""


class NewGame:
    """The settings of a new game: everything has a default."""

    def __init__(self, folder: str = ".") -> None:
        self._folder = folder
        self.boards = list(boards())
        self.board = 0
        self.players = 2
        self.names = [f"Player {seat}" for seat in range(1, 5)]
        self.kinds = [PERSON, *[LEVELS[0]] * 3]
        self.seed = ""
        self.path = free_name(folder)

    def fields(self) -> list[Field]:
        """Return the fields from top to bottom."""
        title = self.boards[self.board].title
        seats = [
            Field(f"Seat {seat + 1}", self.names[seat], self.kinds[seat]) for seat in range(self.players)
        ]
        return [
            Field("Board", value=title),
            Field("Players", value=str(self.players)),
            *seats,
            Field("Seed", text=self.seed, hint="(random)"),
            Field("Log", text=self.path),
        ]

    def change(self, row: int, by: int) -> None:
        """Choose the next value of a field, or the one before."""
        if row == 0:
            self.board = (self.board + by) % len(self.boards)
            self.players = min(max(self.players, self._counts[0]), self._counts[-1])
        elif row == 1:
            at = self._counts.index(self.players)
            self.players = self._counts[(at + by) % len(self._counts)]
        elif row < 2 + self.players:
            kinds = [PERSON, *LEVELS, *(name for name in BOTS if name not in LEVELS)]
            seat = row - 2
            self.kinds[seat] = kinds[(kinds.index(self.kinds[seat]) + by) % len(kinds)]

    def type(self, row: int, character: str | None) -> bool:
        """Add a character to a text field, or erase one; return True if it is a text field."""
        fields = self.fields()
        if row >= len(fields) or fields[row].text is None:
            return False
        text = str(fields[row].text)
        text = text[:-1] if character is None else text + character
        if row < 2 + self.players:
            self.names[row - 2] = text
        elif row == 2 + self.players:
            self.seed = text if text.isdecimal() and text.isascii() else "" if not text else self.seed
        else:
            self.path = text
        return True

    @property
    def _counts(self) -> tuple[int, ...]:
        return self.boards[self.board].players

    def start(self) -> tuple[str, dict[int, str]]:
        """Create the log; return its name, and the bots by seat."""
        board = self.boards[self.board]
        if not self.path.strip():
            raise UsageError("the log needs a name")
        names = self.names[: self.players]
        game = made(board.rules, board.side, None, names, [], None, int(self.seed) if self.seed else None)
        path = self.path if self._folder == "." else os.path.join(self._folder, self.path)
        game.save(path)
        bots = {seat: kind for seat, kind in enumerate(self.kinds[: self.players], 1) if kind != PERSON}
        remember(path, bots)
        return path, bots
