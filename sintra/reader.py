"""Reads a log event by event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from sintra import catalog
from sintra.errors import DamagedLog
from sintra.fold import Fold
from sintra.game import Game
from sintra.log import limits
from sintra.log.codec import decode_created, decode_line, line_decoder
from sintra.log.events import Created, Event
from sintra.log.lines import too_long
from sintra.rules.ruleset import RuleSet

if TYPE_CHECKING:
    from msgspec.json import Decoder


def read_game(blocks: Iterable[bytes], rules: RuleSet | None = None) -> Game:
    """The game that a log's blocks of lines tell, with all its events.

    `rules` need not be installed; without them, the log tells its rules.
    """
    reader = Reader(blocks, rules=rules)
    events = list(chain.from_iterable(reader.run()))
    return Game.from_events(reader.fold, events)


class Reader:
    """Reads a log event by event: decodes, checks against the rules, and hands on.

    `fold` is the game as far as it was read. An error names the line.
    """

    fold: Fold

    def __init__(self, blocks: Iterable[bytes], *, watch: bool = False, rules: RuleSet | None = None) -> None:
        """`watch` collects what the rules do by themselves, in `fold.state.effects`."""
        self._blocks = blocks
        self._rules = rules
        self._watch = watch
        self.line = 0

    def __iter__(self) -> Iterator[Event]:
        for started, decoder, lines in self._parts():
            yield from started
            for line in lines:
                yield self._take(decoder, line)

    def run(self) -> Iterator[list[Event]]:
        """The same events, many at a time and faster: for those who need not see the game between them."""
        for events, decoder, lines in self._parts():
            first = len(events)
            try:
                if max(map(len, lines), default=0) <= limits.MAX_LINE_BYTES:
                    self.fold.take_lines(lines, decoder.decode, events)
            except (DamagedLog, ValueError, RecursionError):
                pass  # told anew, with line and field
            taken = len(events) - first
            self.line += taken
            events += [self._take(decoder, line) for line in lines[taken:]]
            yield events

    def _parts(self) -> Iterator[tuple[list[Event], Decoder[Event], list[bytes]]]:
        """The log in parts: its first event, if it begins there, and the lines to take."""
        for block in self._blocks:
            lines = block.split(b"\n")
            lines.pop()
            started: list[Event] = [self._start(lines.pop(0))] if self.line == 0 else []
            yield started, line_decoder(self.fold.rules.lines), lines

    def _take(self, decoder: Decoder[Event], line: bytes) -> Event:
        """Decode a line and take its event."""
        self.line += 1
        if len(line) > limits.MAX_LINE_BYTES:
            raise too_long(self.line)
        event = decode_line(decoder, line, self.line)
        try:
            self.fold.take(event)
        except DamagedLog as error:
            error.line = self.line
            raise
        return event

    def _start(self, line: bytes) -> Created:
        self.line = 1
        if len(line) > limits.MAX_LINE_BYTES:
            raise too_long(1)
        created = decode_created(line)
        try:
            self.fold = Fold(self._rules or catalog.find(created.rules, created.engine), created)
        except DamagedLog as error:
            error.line = 1
            raise
        if self._watch:
            self.fold.state.effects = []
        return self.fold.created
