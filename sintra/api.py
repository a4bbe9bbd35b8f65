"""The functions of the library, on which the commands are built."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta, Struct

from sintra import catalog
from sintra.errors import Conflict, DamagedLog, IllegalStep, UsageError
from sintra.fold import Fold
from sintra.game import Game, Watcher
from sintra.log import files, limits
from sintra.log.codec import decode_created, encode_lines
from sintra.log.events import Choice, Created, Dealt, Ended, Event, OptionValue, RoundEnded
from sintra.log.lines import begins, is_json, split, too_long
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
    """Return a new game; without `seed`, one is drawn and recorded.

    `players` is the number of players or a list of names. `chance` is `seeded`, `system` (system
    randomness, not reproducible) or `table` (typed in from a real table). `components` are printed values
    of your own box. Pass options of the rule-set by name:
    `sintra.new("sintra", ["Ada", "Ben"], seed=42, side="B")`.
    """
    found = catalog.find(rules)
    if chance == "seeded" and seed is None:
        seed = new_seed()
    created = create(found, players, options, chance, seed, catalog.engine_of(rules))
    return Game.start(found, created, components)


def loads(text: str | bytes) -> Game:
    """Return the game from the text of a log."""
    return read_game(split(_bytes(text)))


def loads_as(rules: RuleSet, text: str | bytes) -> Game:
    """Return the game of a log, given as text, under a rule-set that need not be installed."""
    return read_game(split(_bytes(text)), rules=rules)


def _bytes(text: str | bytes) -> bytes:
    """Return the text of a log as bytes; text that is not UTF-8 is rejected later, with its line number."""
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text


def load(path: str | PathLike[str]) -> Game:
    """Return the game from a log file."""
    return read_log(file_named(path))


def file_named(path: str | PathLike[str]) -> str:
    """Return a path to the file, even one named `-`: only commands take that for standard input."""
    return os.path.join(os.curdir, "-") if os.fspath(path) == "-" else os.fspath(path)


def convert(path: str | PathLike[str]) -> Game:
    """Return the game of a log file in an older format, or written by an older version of its rule-set."""
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

    The file is locked during the block. At the end of the block, everything played is appended in one
    write; if the block raises, nothing is written. `expect` is the number of events that the log must have,
    `wait` waits for the lock, `sync=False` skips flushing to disk, and `watch` is called with each event
    that is added.
    """
    from sintra.log.writing import Appender

    path = file_named(path)
    with Appender(path, sync=sync, wait=wait) as file:
        game = read_game(file.read(), path)
        check_length(game, expect, path)
        written = len(game.events)
        game.watch(watch)
        if game.created.chance == "system":  # written at once, so that nobody can draw again
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


# -- Slips -----------------------------------------------------------------------------------


class Correction(Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a correction: how many later entries were replayed, which were dropped, and why."""

    replayed: int
    left: list[str]
    reason: str


def entries(game: Game) -> list[str]:
    """Return what was entered, in words: steps, and at a real table also the arrangement and deals."""
    return [_entered(game, event) for event in _entries(game)]


def correct(game: Game, number: int, text: str, components: Mapping[str, Any] | None = None) -> Correction:
    """Replace an entry, counted from 1 as in `entries`, and replay the later ones.

    The game goes back by `undo`, so the log still has the original entry. From the first later entry that is
    no longer possible, everything is dropped. Raise UsageError or IllegalStep, and change nothing, if the new
    entry is wrong.
    """
    events = _entries(game)
    if not 1 <= number <= len(events):
        raise UsageError(f"no entry {number}: the game has {plural(len(events), 'entry', 'entries')}")
    old, *later = events[number - 1 :]
    trial = game.copy()
    trial.undo(len(later) + 1)
    _enter(trial, old, text, components or {})
    game.undo(len(later) + 1)
    _enter(game, old, text, components or {})
    for at, event in enumerate(later):
        try:
            if isinstance(event, Choice):
                game.play(_entered(game, event))
            else:
                game.record(event)
        except (UsageError, IllegalStep) as error:
            return Correction(at, [_entered(game, left) for left in later[at:]], str(error))
    return Correction(len(later), [], "")


def _entries(game: Game) -> list[Event]:
    """Return the events that people or programs decided and that still count."""
    typed: tuple[type[Event], ...] = (Choice,)
    if game.created.chance == "table":
        typed = (Choice, Dealt, game.rules.arranged)
    return [event for event in game.counting if isinstance(event, typed)]


def _entered(game: Game, event: Event) -> str:
    """Return an entry as text."""
    if isinstance(event, Choice):
        return str(game.rules.steps[game.fold.words.codes[event.player - 1][event]])
    if isinstance(event, Dealt):
        letter = game.rules.palette.letter
        return f"deal {' '.join(''.join(map(letter, display)) or '-' for display in event.displays)}"
    return "arrange"


def _enter(game: Game, old: Event, text: str, components: Mapping[str, Any]) -> None:
    """Enter a step, a deal or an arrangement, as typed."""
    from sintra.rules.typed import dealt

    words = text.split()
    if isinstance(old, Dealt):
        said = " ".join(words[1:] if words[:1] == ["deal"] else words)
        game.record(dealt(game.rules.palette, old.round, said, game.live.offer.size))
    elif isinstance(old, Choice):
        game.play(text)
    else:
        said_words = words[1:] if words[:1] == ["arrange"] else words
        game.record(game.rules.lay(game.created.options, len(game.players), components, said_words))


# -- Scores ----------------------------------------------------------------------------------


class RoundPoints(Struct, frozen=True, forbid_unknown_fields=True):
    """Points of one round, or of the final scoring (round null), for each player by where they came from.

    Round 0 stands for everything before the position that a log begins with.
    """

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
    game = game_of(game)
    return Scores(game.players, list(_points_by_round(game)), game.scores, game.over, game.winners)


def game_of(game: Game | str | PathLike[str]) -> Game:
    """Return a game, or that of a log file."""
    return game if isinstance(game, Game) else load(game)


def _points_by_round(game: Game) -> Iterator[RoundPoints]:
    """Yield the points of each round so far, and of the final scoring."""
    fold = Fold(game.rules, game.created)
    before = fold.state.breakdown()
    if any(points for player in before for points in player.values()):
        yield RoundPoints(0, before)
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


def spared(game: Game) -> list[dict[int, int]]:
    """Return, by round and player, how many points less than printed a floor line cost.

    A score never drops below 0 (A5).
    """
    fold = Fold(game.rules, game.created)
    found: list[dict[int, int]] = [{}]
    for event in game.counting:
        fold.state.effects = []
        fold.take(event)
        for happening in fold.moment(1, event).effects:
            less = happening.numbers.get("printed", 0) - happening.numbers.get("points", 0)
            if "printed" in happening.numbers and happening.player is not None and less:
                found[-1][happening.player] = less
        if isinstance(event, RoundEnded | Ended):
            found.append({})
    return found


def _gained(before: Sequence[dict[str, int]], now: Sequence[dict[str, int]]) -> list[dict[str, int]]:
    return [{key: new[key] - old[key] for key in new} for old, new in zip(before, now, strict=True)]


# -- Pictures --------------------------------------------------------------------------------


def draw(
    game: Game | str | PathLike[str], *, at: int | None = None, player: int | None = None, dark: bool = False
) -> str:
    """Return the table of a game, or of a log file, as SVG: after event `at`, or only a player's board."""
    from sintra.view.svg import drawn

    game = game_of(game)
    fold = fold_after(game, at)
    if player is not None and not 1 <= player <= len(game.players):
        raise UsageError(f"no player {player}: the game has {len(game.players)} players")
    return drawn(fold, player=player, dark=dark)


# -- Differences -----------------------------------------------------------------------------

EventOrNone = Annotated[
    Any,
    Meta(
        description="An event, as its line in the log, or null where the log has ended.",
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
    """`diff`: how many events are the same, the first ones that differ, and the states after them.

    Games that were created with different seeds or names only are compared further: `created` has the
    differences of their first lines, which then count as the same.
    """

    same: bool
    events: int
    first: EventOrNone
    second: EventOrNone
    differences: list[Difference]
    created: list[Difference] = []


def diff(first: Game | str | PathLike[str], second: Game | str | PathLike[str]) -> Diff:
    """Return where two games, or log files, diverge, and how their states differ there."""
    games = game_of(first), game_of(second)
    one, two = (game.events for game in games)
    created = _created_apart(*(game.created for game in games))
    same = 1 if created else 0
    while same < min(len(one), len(two)) and one[same] == two[same]:
        same += 1
    if same == len(one) == len(two):
        return Diff(not created, same, None, None, [], created)
    first_event, second_event = (events[same] if same < len(events) else None for events in (one, two))
    states = (_state_after(game, same + 1) for game in games)
    return Diff(False, same, first_event, second_event, _differences(*states), created)


def _created_apart(first: Created, second: Created) -> list[Difference]:
    """Return how the first lines of two games differ, if the games can still be compared."""
    games = [(made.rules, made.options, len(made.players), made.chance) for made in (first, second)]
    if games[0] != games[1]:
        return []
    return _differences(msgspec.to_builtins(first), msgspec.to_builtins(second))


def _state_after(game: Game, count: int) -> Any:
    """Return the state after the first events, as plain values."""
    return msgspec.to_builtins(game.rules.snapshot(_fold_after(game, count).state))


def fold_after(game: Game, at: int | None) -> Fold:
    """Return a game as it was after event `at`, or as it is; raise UsageError if there is no such event."""
    events = len(game.events)
    if at is not None and not 1 <= at <= events:
        raise UsageError(f"no event {at}: the log has {plural(events, 'event')}")
    return _fold_after(game, events if at is None else at)


def _fold_after(game: Game, count: int) -> Fold:
    """Return the game as it was after its first events."""
    fold = Fold(game.rules, game.created)
    for event in game.events[1:count]:
        fold.take(event)
    return fold


def _differences(first: Any, second: Any, path: str = "") -> list[Difference]:
    """Return the places where two values differ, as `jq` paths."""
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
    """`repair`: if a torn line was cut off, how many bytes it had, and where the backup is."""

    log: str
    torn: bool
    bytes: int
    backup: str | None


def repair(path: str | PathLike[str]) -> Repair:
    """Cut a torn last line off a log file, and keep a backup of the whole file next to it.

    Any other damage is left alone. Raise DamagedLog for a file that is not a log.
    """
    from sintra.log import writing

    path = file_named(path)
    with naming(path):
        _check_first_line(path)
    torn, backup = writing.repair(path)
    return Repair(path, torn > 0, torn, backup)


def _check_first_line(path: str) -> None:
    """Raise an error unless a file begins like a log in the current format, as far as its first line goes."""
    if not os.path.isfile(path):  # only regular files are repaired; anything else might block
        return
    first, end, _ = next(files.raw(path), b"").partition(b"\n")
    if len(first) > limits.MAX_LINE_BYTES:
        raise too_long(1)
    if end or is_json(first):
        decode_created(first)
    elif not begins(first):
        raise DamagedLog("not a sintra log; left alone", 1)
