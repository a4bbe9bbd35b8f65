"""From a name to a new game, and from a log's bytes to a game."""

from __future__ import annotations

import copyreg
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from sintra import catalog, log
from sintra.chance import new_seed
from sintra.errors import DamagedLog
from sintra.events import Created, Event, OptionValue, decode_created, decode_line, line_decoder
from sintra.game import Fold, Game, check_seed
from sintra.rules import RuleSet

if TYPE_CHECKING:
    from os import PathLike

    from msgspec.json import Decoder


def new(
    rules: str = "sintra",
    players: int | Sequence[str] = 2,
    *,
    seed: int | None = None,
    chance: str = "seeded",
    components: Mapping[str, Any] | None = None,
    **options: OptionValue,
) -> Game:
    """A new game; without a seed, one is drawn and recorded.

    `players` is a number or the names, `chance` is `seeded`, `system` (nobody can foresee it) or `table`
    (typed in from a real table), `components` are printed values of one's own, and the rule-set's options
    go by their names: `sintra.new("sintra", players=["Ada", "Ben"], seed=42, side="B")`.
    """
    if chance == "seeded" and seed is None:
        seed = new_seed()
    check_seed(chance, seed)  # here, too: compiled code has made a number of True already
    return Game.new(
        catalog.find(rules),
        players,
        seed=seed,
        chance=chance,
        components=components,
        options=options,
        engine=catalog.engine_of(rules),
    )


def loads(text: str | bytes) -> Game:
    """The game that a log's text tells."""
    return read_game(log.split(_bytes(text)))


def loads_as(rules: RuleSet, text: str | bytes) -> Game:
    """The game that a log's text tells, under a rule-set that need not be installed."""
    return read_game(log.split(_bytes(text)), rules)


def _bytes(text: str | bytes) -> bytes:
    """A log's text as its file has it; what is no UTF-8 is left to be found there."""
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text


def load(path: str | PathLike[str]) -> Game:
    """The game that a log file tells."""
    return read_game(log.read(file_named(path)))


def file_named(path: str | PathLike[str]) -> str:
    """The path of a file, whatever its name: `-` is standard input on the command line alone."""
    return os.path.join(os.curdir, "-") if os.fspath(path) == "-" else os.fspath(path)


def read_game(blocks: Iterable[bytes], rules: RuleSet | None = None) -> Game:
    """The game that a log's blocks of lines tell, with all its events.

    `rules` need not be installed; without them, the log tells its rules.
    """
    reader = Reader(blocks, rules=rules)
    events = list(chain.from_iterable(reader.run()))
    return Game.from_events(reader.fold, events)


# A game goes to other processes, and is copied, as its log: compiled classes have no other way.
copyreg.pickle(Game, lambda game: (loads, (game.dumps(),)))


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
                if max(map(len, lines), default=0) <= log.MAX_LINE:
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
        if len(line) > log.MAX_LINE:
            raise log.too_long(self.line)
        event = decode_line(decoder, line, self.line)
        try:
            self.fold.take(event)
        except DamagedLog as error:
            error.line = self.line
            raise
        return event

    def _start(self, line: bytes) -> Created:
        self.line = 1
        if len(line) > log.MAX_LINE:
            raise log.too_long(1)
        created = decode_created(line)
        try:
            self.fold = Fold(self._rules or catalog.find(created.rules, created.engine), created)
        except DamagedLog as error:
            error.line = 1
            raise
        if self._watch:
            self.fold.state.effects = []
        return self.fold.created
