"""Reads a log: decodes its lines, checks each event against the rules, and yields it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING

from sintra import catalog
from sintra.errors import DamagedLog, Unknown, Unreadable, UsageError
from sintra.fold import Fold, decoder_of
from sintra.game import Game
from sintra.log import files, limits
from sintra.log.codec import decode_created, decode_line
from sintra.log.events import Created, Event
from sintra.log.lines import too_long
from sintra.rules.effects import Moment
from sintra.rules.ruleset import RuleSet
from sintra.text import plural

if TYPE_CHECKING:
    from os import PathLike

    from msgspec.json import Decoder

    from sintra.log.formats import Conversion, Line


def read_log(path: str | PathLike[str], at: int | None = None, *, convert: bool = False) -> Game:
    """Return the game of a log file, or of standard input (`-`); with `convert`, also from older formats.

    Raise UsageError if it has no event `at`.
    """
    blocks = files.read(path)
    if convert:
        from sintra.log.formats import converted

        blocks = converted(blocks, _conversion)
    game = read_game(blocks, path)
    if at is not None and not 1 <= at <= len(game.events):
        raise UsageError(f"no event {at}: {files.named(path)} has {plural(len(game.events), 'event')}")
    return game


def _conversion(created: Line) -> Conversion | None:
    """Return the rule-set's conversion of its older logs, if it has one."""
    rules = catalog.find(str(created.get("rules")), str(created.get("engine")))
    return None if type(rules).convert is RuleSet.convert else rules.convert


def read_game(
    blocks: Iterable[bytes], path: str | PathLike[str] | None = None, rules: RuleSet | None = None
) -> Game:
    """Return the game of a log, given as blocks of whole lines, with all its events.

    Errors name the log's path, if it has one. `rules` need not be installed; by default, the log names them.
    """
    reader = Reader(blocks, path, rules=rules)
    events = list(chain.from_iterable(reader.run()))
    return Game(reader.fold, events)


@contextmanager
def naming(path: str | PathLike[str] | None) -> Iterator[None]:
    """Name the file in errors about the contents of a log."""
    try:
        yield
    except (DamagedLog, Unknown) as error:
        if path is not None and not isinstance(error, Unreadable):  # that error names it
            error.path = files.named(path)
        raise


class Reader:
    """Reads a log event by event; errors name the file, if it has a name, and the line.

    `fold` is the game as far as it was read, `line` the number of the last line.
    """

    fold: Fold

    def __init__(
        self,
        blocks: Iterable[bytes],
        path: str | PathLike[str] | None = None,
        *,
        watch: bool = False,
        rules: RuleSet | None = None,
    ) -> None:
        """Read blocks of whole lines; with `watch`, moments have the effects of their events."""
        self._blocks = blocks
        self._path = path
        self._rules = rules
        self._watch = watch
        self.line = 0

    def __iter__(self) -> Iterator[Moment]:
        """Yield each event once the fold has taken it."""
        with naming(self._path):
            for started, decoder, lines, _ in self._parts():
                for event in started:
                    yield Moment(1, event, ())
                for line in lines:
                    event = self._take(decoder, line)
                    yield self.fold.moment(self.line, event) if self._watch else Moment(self.line, event, ())

    def run(self) -> Iterator[list[Event]]:
        """Yield the same events in batches: faster, if nobody looks at the game in between."""
        with naming(self._path):
            for events, decoder, lines, size in self._parts():
                first = len(events)
                try:
                    if size <= limits.MAX_LINE_BYTES or max(map(len, lines)) <= limits.MAX_LINE_BYTES:
                        self.fold.take_lines(lines, decoder.decode, events)
                except (DamagedLog, ValueError, RecursionError):
                    pass  # raised again below, with line and field
                taken = len(events) - first
                self.line += taken
                events += [self._take(decoder, line) for line in lines[taken:]]
                yield events

    def _parts(self) -> Iterator[tuple[list[Event], Decoder[Event], list[bytes], int]]:
        """Yield the log in parts: the first event if the part has it, the lines to take, and their size."""
        for block in self._blocks:
            lines = block.split(b"\n")
            lines.pop()
            started: list[Event] = [self._start(lines.pop(0))] if self.line == 0 else []
            yield started, decoder_of(self.fold.rules), lines, len(block)

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
