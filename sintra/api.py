"""The functions of the library: the commands are their twins."""

from __future__ import annotations

import copyreg
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta, Struct

from sintra import catalog
from sintra.errors import Conflict, DamagedLog
from sintra.fold import Fold
from sintra.game import Game, Watcher
from sintra.log import files, limits
from sintra.log.codec import decode_created, encode_lines
from sintra.log.events import Ended, Event, OptionValue, RoundEnded
from sintra.log.lines import begins, split, too_long
from sintra.reader import naming, read_game, read_log
from sintra.rules.chance import new_seed
from sintra.rules.created import create
from sintra.rules.ruleset import RuleSet
from sintra.text import plural

if TYPE_CHECKING:
    from os import PathLike

# -- Making and reading games ----------------------------------------------------------------


def new(
    rules: str = "sintra",
    players: int | Sequence[str] = 2,
    *,
    seed: int | None = None,
    chance: str = "seeded",
    components: Mapping[str, Any] | None = None,
    **options: OptionValue,
) -> Game:
    """Return a new game; without a seed, one is drawn and recorded.

    `players` is their number or a list of names. `chance` is `seeded`, `system` (system randomness, not
    reproducible) or `table` (typed in from a real table). `components` are printed values of your own box.
    The rule-set's options go by their names: `sintra.new("sintra", ["Ada", "Ben"], seed=42, side="B")`.
    """
    found = catalog.find(rules)
    if chance == "seeded" and seed is None:
        seed = new_seed()
    created = create(found, players, options, chance, seed, catalog.engine_of(rules))
    return Game.start(found, created, components)


def loads(text: str | bytes) -> Game:
    """Return the game of a log, given as text."""
    return read_game(split(_bytes(text)))


def loads_as(rules: RuleSet, text: str | bytes) -> Game:
    """Return the game of a log, given as text, under a rule-set that need not be installed."""
    return read_game(split(_bytes(text)), rules=rules)


def _bytes(text: str | bytes) -> bytes:
    """Return a log's text as its file has it; text that is not UTF-8 is refused later, with its line."""
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text


def load(path: str | PathLike[str]) -> Game:
    """Return the game of a log file."""
    return read_log(file_named(path))


def file_named(path: str | PathLike[str]) -> str:
    """Return the path of a file, also of one named `-`: only commands read standard input by that name."""
    return os.path.join(os.curdir, "-") if os.fspath(path) == "-" else os.fspath(path)


def convert(path: str | PathLike[str]) -> Game:
    """Return the game of a log file of an older format, or written by an older version of its rule-set."""
    return read_log(file_named(path), convert=True)


# -- Continuing a game in its file -----------------------------------------------------------


@contextmanager
def open(
    path: str | PathLike[str],
    *,
    expect: int | None = None,
    wait: bool = False,
    sync: bool = True,
    watch: Watcher | None = None,
) -> Iterator[Game]:
    """Continue the game of a log file: `with sintra.open("game.log") as game: game.play("pick 3 orange")`.

    The file is locked for the block, and what was played is appended in one write at its end; nothing is
    written if the block raises. `expect` is the number of events that the log must have, `wait` waits for the
    lock, `sync=False` does not flush to disk, `watch` is called with each event that is added.
    """
    from sintra.log.writing import Appender

    path = file_named(path)
    with Appender(path, sync=sync, wait=wait) as file:
        game = read_game(file.read(), path)
        check_length(game, expect, path)
        written = len(game.events)
        game.watch(watch)
        if game.created.chance == "system":  # what the system draws is written at once: nobody draws it twice
            game.settle()
            file.append(encode_lines(game.events[written:]))
            written = len(game.events)
        yield game
        file.append(encode_lines(game.events[written:]))


def check_length(game: Game, expect: int | None, path: str | PathLike[str]) -> None:
    """Raise Conflict unless a log has as many events as expected."""
    events = len(game.events)
    if expect is not None and expect != events:
        raise Conflict(f"{files.named(path)} has {plural(events, 'event')}, not {expect}")


# -- Scores ----------------------------------------------------------------------------------


class RoundPoints(Struct, frozen=True, forbid_unknown_fields=True):
    """Points of one round, or of the final scoring (round null), for each player by where they came from."""

    round: int | None
    points: list[dict[str, int]]


class Scores(Struct, frozen=True, forbid_unknown_fields=True):
    """`score`: where every point came from; the last of `rounds` may be the final scoring (round null)."""

    players: tuple[str, ...]
    rounds: list[RoundPoints]
    total: list[int]
    over: bool
    winners: list[int]


def score(game: Game | str | PathLike[str]) -> Scores:
    """Return where every point of a game, or of a log file, came from."""
    game = _game(game)
    return Scores(game.players, list(_points_by_round(game)), game.scores, game.over, game.winners)


def _game(game: Game | str | PathLike[str]) -> Game:
    return game if isinstance(game, Game) else load(game)


def _points_by_round(game: Game) -> Iterator[RoundPoints]:
    """Yield the points of each round that is played or under way, and of the final scoring."""
    fold = Fold(game.rules, game.created)
    before = fold.state.breakdown()
    last: Event | None = None
    for event in game.counting:
        fold.take(event)
        last = event
        if isinstance(event, RoundEnded | Ended):
            now = fold.state.breakdown()
            yield RoundPoints(event.round if isinstance(event, RoundEnded) else None, _gained(before, now))
            before = now
    if not isinstance(last, RoundEnded | Ended):
        yield RoundPoints(max(fold.state.round, 1), _gained(before, fold.state.breakdown()))


def _gained(before: Sequence[dict[str, int]], now: Sequence[dict[str, int]]) -> list[dict[str, int]]:
    return [{key: new[key] - old[key] for key in new} for old, new in zip(before, now, strict=True)]


# -- Differences -----------------------------------------------------------------------------

EventOrNone = Annotated[
    Any,
    Meta(
        description="An event as its line of the log has it, or null where the log has ended.",
        extra_json_schema={
            "type": ["object", "null"],
            "properties": {"type": {"type": "string"}},
            "required": ["type"],
        },
    ),
]


class Difference(Struct, frozen=True, forbid_unknown_fields=True):
    """A place where two states differ."""

    path: str
    first: Any
    second: Any


class Diff(Struct, frozen=True, forbid_unknown_fields=True):
    """`diff`: how many events are the same, the first ones that differ, and the states after them."""

    same: bool
    events: int
    first: EventOrNone
    second: EventOrNone
    differences: list[Difference]


def diff(first: Game | str | PathLike[str], second: Game | str | PathLike[str]) -> Diff:
    """Return where two games, or log files, part ways, and how their states differ there."""
    games = _game(first), _game(second)
    one, two = (game.events for game in games)
    same = 0
    while same < min(len(one), len(two)) and one[same] == two[same]:
        same += 1
    if same == len(one) == len(two):
        return Diff(True, same, None, None, [])
    first_event, second_event = (events[same] if same < len(events) else None for events in (one, two))
    states = (_state_after(game, same + 1) for game in games)
    return Diff(False, same, first_event, second_event, _differences(*states))


def _state_after(game: Game, count: int) -> Any:
    """Return the state after the first events, as plain values."""
    fold = Fold(game.rules, game.created)
    for event in game.events[1:count]:
        fold.take(event)
    return msgspec.to_builtins(fold.rules.snapshot(fold.state))


def _differences(first: Any, second: Any, path: str = "") -> list[Difference]:
    """Return the places where two values differ, by their paths as `jq` writes them."""
    if first == second:
        return []
    if isinstance(first, dict) and isinstance(second, dict):
        keys = [*first, *(key for key in second if key not in first)]
        return [d for key in keys for d in _differences(first.get(key), second.get(key), f"{path}.{key}")]
    if isinstance(first, list | tuple) and isinstance(second, list | tuple) and len(first) == len(second):
        pairs = enumerate(zip(first, second, strict=True))
        return [d for at, (a, b) in pairs for d in _differences(a, b, f"{path}[{at}]")]
    return [Difference(path or ".", first, second)]


# -- Repairs ---------------------------------------------------------------------------------


class Repair(Struct, frozen=True, forbid_unknown_fields=True):
    """`repair`: whether a torn line was cut off, how many bytes it had, and where the backup is."""

    log: str
    torn: bool
    bytes: int
    backup: str | None


def repair(path: str | PathLike[str]) -> Repair:
    """Cut a torn last line off a log file, and keep the whole file as a backup beside it.

    Every other damage is left alone. Raise DamagedLog for a file that is not a log.
    """
    from sintra.log import writing

    path = file_named(path)
    with naming(path):
        _check_first_line(path)
    torn, backup = writing.repair(path)
    return Repair(path, torn > 0, torn, backup)


def _check_first_line(path: str) -> None:
    """Raise an error unless a file begins as a log of today's format, as far as its first line is there."""
    if not os.path.isfile(path):  # nothing else is repaired, or waited for
        return
    first, end, _ = next(files.raw(path), b"").partition(b"\n")
    if len(first) > limits.MAX_LINE_BYTES:
        raise too_long(1)
    if end or _is_json(first):
        decode_created(first)
    elif not begins(first):
        raise DamagedLog("not a sintra log; left alone", 1)


def _is_json(line: bytes) -> bool:
    """Return whether a line without an end is a whole value all the same."""
    try:
        msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


# A game goes to other processes, and is copied, as its log: compiled classes have no other way.

copyreg.pickle(Game, lambda game: (loads, (game.dumps(),)))
