"""A log as a film: the changes of the scene at every event, and what happened."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from gzip import compress
from typing import TYPE_CHECKING

from msgspec import Struct

from sintra.errors import DamagedLog, SintraError
from sintra.fold import Fold
from sintra.game import Game
from sintra.log.events import Choice, Created, Dealt, Event, Noted, Undone
from sintra.log.lines import split
from sintra.reader import Reader
from sintra.rules.effects import Moment
from sintra.rules.ruleset import RuleSet
from sintra.share.code import code, left_out
from sintra.text import safe
from sintra.view import scene_of, sentence_of
from sintra.view.scene import Scene, changes
from sintra.view.trail import begins
from sintra.web.layer import Layer
from sintra.web.skeleton import Skeleton, skeleton

if TYPE_CHECKING:
    from sintra.study.results import Analysis


class Line(Struct):
    """An event in the story; `counts` is False if it was undone later."""

    number: int
    round: int
    player: int | None
    sentence: str
    counts: bool = True


class Data(Struct, omit_defaults=True):
    """The data for the script of a page; slots, texts, things and sayings are given by number.

    `steps` has for each event the slots that changed, each followed by the thing in it (0: none); `words` the
    texts that changed, each followed by its new saying. `turns` and `rounds` are the events that begin one.
    """

    skeleton: Skeleton
    name: str
    log: bytes
    """Compressed by gzip; in JSON, it is base64."""
    things: list[str]
    sayings: list[str]
    steps: list[list[int]]
    words: list[list[int]]
    turns: list[int]
    rounds: list[int]
    best: dict[str, list[str]] = {}
    """The places of better turns, by the first event of the turn."""
    chances: list[list[float]] = []
    """An event, and every player's chance of winning after it."""
    codes: list[str] = []
    """The codes of the game, without names and with them."""


class Film(Struct):
    """A whole game: the fold after its last event, its title, its story, and the data of its page."""

    fold: Fold
    title: str
    lines: list[Line]
    data: Data


def filmed(
    log: bytes, path: str, rules: RuleSet | None = None, analysis: Analysis | None = None, first: int = 1
) -> Film:
    """Read a log, given as text, to its end; raise an error with its path and line if it is damaged.

    `first` is the number of its first line in the file.
    """
    reader = Reader(split(log), path, watch=True, rules=rules)
    camera = _Camera()
    layer = Layer(analysis)
    story = _Story()
    events: list[Event] = []
    try:
        for moment in reader:
            events.append(moment.event)
            scene = scene_of(reader.fold)
            camera.see(scene, moment)
            layer.see(reader.fold, scene, moment.number)
            story.see(reader.fold, moment)
    except DamagedLog as error:
        if error.line is not None:
            error.line += first - 1
        raise
    name = safe(os.path.basename(path)) if path != "-" else "game.log"
    data = Data(
        skeleton(scene),
        name,
        compress(log, mtime=0),
        list(camera.things),
        list(camera.sayings),
        camera.steps,
        camera.words,
        camera.turns,
        camera.rounds,
        layer.best,
        layer.chances(),
        codes(Game(reader.fold, events)),
    )
    return Film(reader.fold, scene.panels[0].label, story.lines, data)


def codes(game: Game) -> list[str]:
    """Return the codes of a game, without names and with them; none if it does not fit a code."""
    with suppress(SintraError):
        return [code(game), *([code(game, names=True)] if left_out(game) else [])]
    return []


class _Story:
    """Collects what happened, event by event."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._counting: list[Line] = []

    def see(self, fold: Fold, moment: Moment) -> None:
        """Add an event that the fold has taken; undo strikes out the events that it takes back."""
        event = moment.event
        player = event.player if isinstance(event, Choice) else None
        line = Line(moment.number, fold.state.round, player, sentence_of(fold, moment))
        self.lines.append(line)
        if isinstance(event, Undone):
            for other in self._counting[-event.events :]:
                other.counts = False
            del self._counting[-event.events :]
        elif not isinstance(event, Noted | Created):
            self._counting.append(line)


class _Camera:
    """Collects the changes from scene to scene, as numbers."""

    def __init__(self) -> None:
        self.things, self.sayings = {"": 0}, {"": 0}
        self.steps: list[list[int]] = []
        self.words: list[list[int]] = []
        self.turns: list[int] = []
        self.rounds: list[int] = []
        self._before: Scene | None = None
        self._slots: dict[str, int] = {}
        self._texts: dict[str, int] = {}

    def see(self, scene: Scene, moment: Moment) -> None:
        """Add the scene after an event."""
        if self._before is None:
            self._slots = _numbered(name for panel in scene.panels for name in panel.slots)
            self._texts = _numbered(name for panel in scene.panels for name in panel.texts)
        change = changes(self._before, scene)
        self.steps.append(_coded(change.things, self._slots, self.things))
        self.words.append(_coded(change.texts, self._texts, self.sayings))
        self._before = scene
        if isinstance(moment.event, Choice) and begins(moment.event):
            self.turns.append(moment.number)
        elif isinstance(moment.event, Dealt):
            self.rounds.append(moment.number)


def _coded(change: Mapping[str, str], places: Mapping[str, int], values: dict[str, int]) -> list[int]:
    """Return changes as numbers: a place, then its new contents; new values get the next number."""
    found: list[int] = []
    for name, value in change.items():
        found += [places[name], values.setdefault(value, len(values))]
    return found


def _numbered(names: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}
