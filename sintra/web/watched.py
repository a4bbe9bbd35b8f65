"""A log for browsers to watch: every event as a sentence and as changes to the table."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator

from msgspec import Struct

from sintra.batch.shelf import LARGE
from sintra.bots.seats import remembered
from sintra.errors import Conflict, SintraError, Unreadable
from sintra.fold import Fold
from sintra.game import Game
from sintra.log import files
from sintra.log.events import Choice, Event
from sintra.reader import Reader, naming
from sintra.rules.effects import Moment
from sintra.rules.state import ARRANGE, CHOICE, DEAL, OVER
from sintra.text import safe
from sintra.view import scene_of, sentence_of
from sintra.view.scene import Changes, Scene, changes
from sintra.web.skeleton import Skeleton, skeleton

PATIENCE = 5
"""How many times a log may be found torn before that is reported: others may be writing to it."""
MAX_FRAMES = 2000
"""Maximum number of missed events to send to a browser."""
MAX_STORY = 1000
"""Maximum number of sentences in the first message to a browser."""


class Turn(Struct, frozen=True):
    """What the game waits for: `awaits` is `choice`, `arrange`, `deal`, `over` or `rules`."""

    awaits: str
    words: str
    player: int | None
    round: int
    scores: list[int]
    winners: list[int]


class Line(Struct, frozen=True):
    """A sentence of the story: the number of its event, the player (None: nobody), and the round."""

    number: int
    player: int | None
    round: int
    text: str


class Frame(Struct, frozen=True):
    """An event: its sentence, its changes to the table, and what the game then waits for."""

    line: Line
    changes: Changes
    turn: Turn


class Opened(Struct, frozen=True):
    """Everything that a page needs to show the current state of a game."""

    log: str
    title: str
    rules: str
    players: list[str]
    bots: dict[int, str]
    table: bool
    events: int
    skeleton: Skeleton
    things: dict[str, str]
    texts: dict[str, str]
    story: list[Line]
    turn: Turn


class Watched:
    """A log that is read on as it grows. Not thread-safe: callers take turns."""

    def __init__(self, path: str, name: str, offered: Collection[str] = ()) -> None:
        """Read a log; raise an error if it can't be shown."""
        self.path, self.name = path, name
        self._data = b""
        self._blocks: list[bytes] = []
        self._reader = Reader(self._blocks, name, watch=True)
        self._events: list[Event] = []
        self.story: list[Line] = []
        self._frames: list[Frame] = []
        self._first = 1
        """The number of the event that the first frame shows."""
        self._scene: Scene | None = None
        self._mark: tuple[int, ...] = ()
        self._torn = 0
        for _ in self._news(self._read()):
            pass
        self._first = len(self._events) + 1
        self.bots = remembered(path, self.game, offered)

    # -- Reading --

    def looks_changed(self) -> bool:
        """Return True if the file has changed since it was last read."""
        try:
            status = os.stat(self.path)
        except OSError:
            return True
        return (status.st_ino, status.st_size, status.st_mtime_ns) != self._mark

    def refresh(self) -> bool:
        """Read what was added; return True if anything was. Raise an error if the log can't be followed."""
        try:
            data = self._read()
        except Unreadable:
            raise
        except SintraError:
            self._torn += 1
            if self._torn >= PATIENCE:
                raise
            self._mark = ()  # look again
            return False
        self._torn = 0
        if not data.startswith(self._data):
            raise Conflict(
                f"{self.name} was changed by another program and no longer begins as it did; "
                "load it again to see what it says now"
            )
        new = list(self._news(data[len(self._data) :])) if len(data) > len(self._data) else []
        self._frames += new
        return bool(new)

    def _read(self) -> bytes:
        """Return the content of the log."""
        try:
            status = os.stat(self.path)
        except FileNotFoundError:
            raise Unreadable(f"{self.name} no longer exists") from None
        except OSError as error:
            raise Unreadable(f"can't read {self.name}: {error.strerror}") from None
        if status.st_size > LARGE:
            raise Unreadable(f"{self.name} is too long for a browser: more than {LARGE} bytes")
        self._mark = (status.st_ino, status.st_size, status.st_mtime_ns)
        with naming(self.name):
            return b"".join(files.read(self.path))

    def _news(self, data: bytes) -> Iterator[Frame]:
        """Take new lines; yield a frame for each that comes after the first reading."""
        opening = not self._data
        self._blocks[:] = [data]
        for moment in self._reader:
            self._events.append(moment.event)
            line = _line(self._reader.fold, moment)
            self.story.append(line)
            if not opening:
                before, self._scene = self.scene, scene_of(self._reader.fold)
                yield Frame(line, changes(before, self._scene), turn_of(self._reader.fold))
        self._data += data

    # -- Asking --

    @property
    def events(self) -> int:
        """The number of events."""
        return len(self._events)

    @property
    def game(self) -> Game:
        """A copy of the current game."""
        return Game(self._reader.fold, self._events).copy()

    @property
    def scene(self) -> Scene:
        """The current table."""
        if self._scene is None:
            self._scene = scene_of(self._reader.fold)
        return self._scene

    def after(self, number: int) -> list[Frame] | None:
        """Return the frames after an event; None if there are too many, or no such event."""
        if number > self.events or self.events - number > MAX_FRAMES:
            return None
        if number + 1 < self._first:
            self._frames = [*self._earlier(number), *self._frames]
            self._first = number + 1
        return self._frames[number + 1 - self._first :]

    def _earlier(self, number: int) -> Iterator[Frame]:
        """Yield the frames after an event, up to the first stored one."""
        reader = Reader([self._data], self.name, watch=True)
        before: Scene | None = None
        for moment in reader:
            if moment.number >= self._first:
                return
            if moment.number < number:
                continue
            scene = scene_of(reader.fold)
            if moment.number > number:
                yield Frame(_line(reader.fold, moment), changes(before, scene), turn_of(reader.fold))
            before = scene

    def opened(self) -> Opened:
        """Return everything that a page needs to start."""
        game, scene = self.game, self.scene
        return Opened(
            self.name,
            scene.panels[0].label,
            game.rules.name,
            [safe(name) for name in game.players],
            self.bots,
            game.created.chance == "table",
            self.events,
            skeleton(scene),
            scene.things,
            scene.texts,
            self.story[-MAX_STORY:],
            turn_of(game.fold),
        )


def _line(fold: Fold, moment: Moment) -> Line:
    event = moment.event
    player = event.player if isinstance(event, Choice) else None
    return Line(moment.number, player, fold.state.round, sentence_of(fold, moment))


AWAITS = {ARRANGE: "arrange", DEAL: "deal", OVER: "over"}


def turn_of(fold: Fold) -> Turn:
    """Return what a game waits for."""
    state = fold.state
    chooses = state.phase >= CHOICE
    awaits = "choice" if chooses else AWAITS.get(state.phase, "rules") if fold.at_rest else "rules"
    return Turn(
        awaits,
        fold.awaits(),
        state.player + 1 if chooses else None,
        state.round,
        state.scores(),
        [player + 1 for player in state.winners()] if fold.over else [],
    )
