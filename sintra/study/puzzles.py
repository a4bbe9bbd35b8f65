"""Puzzles: positions from played games with one clearly best turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from sintra.api import file_named, loads
from sintra.batch.logs import Entry, entries
from sintra.bots.search import Line, play_turn, steps_of
from sintra.errors import DamagedLog, SintraError, UnknownFormat, UsageError
from sintra.game import Game
from sintra.log import files, writing
from sintra.log.codec import encode_lines, in_words
from sintra.log.lines import check_size
from sintra.reader import read_game
from sintra.rules.state import CHOICE, State
from sintra.study.judge import Judge, differences, mean
from sintra.study.results import FORMAT, Puzzle, PuzzleSet
from sintra.study.walk import Stop, stops, turn_of

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from os import PathLike

COUNT = 10
MAX_COUNT = 10_000
NODES = 4000
DEALS = 8
GAP = 2.0
"""Minimum lead of a puzzle's best turn over any other, in points."""
CHOICES = 6
"""Minimum number of different turns in a puzzle."""
EACH = 3
"""Maximum number of puzzles from one game."""


class Task(Struct, frozen=True):
    """A game to search for puzzles, for a worker."""

    entry: Entry
    nodes: int


class Answer(Struct, frozen=True):
    """The verdict on an answer to a puzzle: right or not, and the points that it loses."""

    right: bool
    loss: float


# -- Finding them --


def puzzles(
    *logs: str | PathLike[str],
    count: int = COUNT,
    nodes: int = NODES,
    jobs: int | None = 1,
    executor: Executor | str | None = None,
) -> list[Puzzle]:
    """Return puzzles from logs: files, folders, and patterns such as `games/*.log`."""
    from sintra.batch.workers import given

    check(count, nodes)
    with given(executor, jobs) as used:
        found = [puzzle for part in search(map(file_named, logs), nodes, used, count) for puzzle in part]
    return found[:count]


def check(count: int, nodes: int) -> None:
    """Raise UsageError for an impossible number of puzzles or nodes."""
    if type(count) is not int or not 1 <= count <= MAX_COUNT:
        raise UsageError(f"the number of puzzles must be from 1 to {MAX_COUNT}, not {count!r}")
    if type(nodes) is not int or not 1 <= nodes <= 10**9:
        raise UsageError(f"nodes must be a whole number from 1 to {10**9}, not {nodes!r}")


def search(logs: Iterable[str], nodes: int, executor: Executor, count: int) -> Iterator[list[Puzzle]]:
    """Yield the puzzles of each game, in order, until there are enough."""
    from sintra.batch.workers import spread

    tasks = (Task(entry, nodes) for entry in entries(logs))
    found = 0
    for part in spread(executor, puzzles_in, tasks):
        found += len(part)
        yield part
        if found >= count:
            return


def puzzles_in(task: Task) -> list[Puzzle]:
    """Return the puzzles of a game, the clearest ones first; raise an error for a faulty log."""
    game = read_game(task.entry.blocks(), task.entry.name)
    found = []
    for stop in stops(game):
        if stop.kind == "turn" and stop.before.phase == CHOICE:
            puzzle = _puzzle(game, stop.numbers[0], stop.before, task)
            if puzzle is not None:
                found.append(puzzle)
    return sorted(found, key=lambda puzzle: -puzzle.gap)[:EACH]


def _puzzle(game: Game, number: int, state: State, task: Task) -> Puzzle | None:
    """Return a position as a puzzle, if its best turn is clearly better than any other."""
    judge = Judge(state, task.nodes, 1)
    if not judge.learned or len(state.turns()) < CHOICES:
        return None
    first, second = _two_best(state, judge)
    if second is None or first.value - second.value < round(GAP * 100):
        return None
    seat = int(state.player)
    paired = differences(*(judge.samples(_played(state, line.turn), DEALS) for line in (first, second)))
    gaps, errors = mean(paired)
    if gaps[seat] - 2 * errors[seat] < GAP:
        return None
    words = [step.words for step in game.rules.steps]
    return Puzzle(
        title=f"{files.shown(task.entry.name)}, event {number}",
        rules=game.rules.name,
        player=seat + 1,
        best=[words[code] for code in steps_of(first.turn)],
        second=[words[code] for code in steps_of(second.turn)],
        gap=gaps[seat],
        error=round(errors[seat], 2),
        log=encode_lines(game.events[: number - 1]).decode(),
    )


def _two_best(state: State, judge: Judge) -> tuple[Line, Line | None]:
    """Return the best turn, and the best one that leads to a different position."""
    first, *others = judge.lines(state, judge.nodes, 2)
    there = _played(state, first.turn).key()
    return first, next((line for line in others if _played(state, line.turn).key() != there), None)


def _played(state: State, turn: int) -> State:
    after = state.copy()
    play_turn(after, turn)
    return after


# -- Solving them --


def position(puzzle: Puzzle) -> Game:
    """Return the game of a puzzle, at the position to solve."""
    return loads(puzzle.log)


def solve(puzzle: Puzzle, steps: str | Sequence[str], nodes: int = NODES) -> Answer:
    """Judge an answer; raise IllegalStep or UsageError if it is not a turn."""
    game = position(puzzle)
    best = _turn(game, puzzle.best)
    own = _turn(game, [steps] if isinstance(steps, str) else steps)
    if turn_of(own) == turn_of(best) or own.after.key() == best.after.key():
        return Answer(True, 0.0)
    judge = Judge(own.before, nodes, 1)
    paired = differences(*(judge.samples(stop.after, DEALS) for stop in (best, own)))
    return Answer(False, max(0.0, mean(paired).mean[own.before.player]))


def _turn(game: Game, steps: Sequence[str]) -> Stop:
    """Return these steps as a turn; raise UsageError if they are less or more than one."""
    trial = game.copy()
    trial.play(*steps)
    played = [stop for stop in stops(trial) if stop.numbers and stop.numbers[0] > len(game.events)]
    turns = [stop for stop in played if stop.kind == "turn"]
    if not turns:
        due = " or ".join(str(step) for step in trial.legal()[:3])
        raise UsageError(f"the turn is not finished; continue, for example with {due}")
    if len(turns) > 1:
        raise UsageError("that is more than one turn")
    return turns[0]


# -- Keeping them --


def save(path: str | PathLike[str], found: Sequence[Puzzle]) -> None:
    """Write puzzles to a new file; never overwrite one."""
    data = msgspec.json.format(msgspec.json.encode(PuzzleSet(FORMAT, list(found))), indent=1) + b"\n"
    check_size(len(data))
    writing.create(path, data)


def read(path: str | PathLike[str]) -> list[Puzzle]:
    """Read the puzzles of a file; raise an error if it is damaged."""
    name = files.shown(path)
    try:
        found = msgspec.json.decode(files.read_whole(path), type=PuzzleSet)
    except (msgspec.DecodeError, RecursionError) as error:
        raise DamagedLog(f"{name}: not a file of puzzles: {in_words(error)}") from None
    if found.format != FORMAT:
        raise UnknownFormat(f"{name}: puzzles of format {found.format}; this version reads format {FORMAT}")
    for number, puzzle in enumerate(found.puzzles, 1):
        try:
            position(puzzle).copy().play(*puzzle.best)
        except SintraError as error:
            raise DamagedLog(f"{name}: puzzle {number}: {error}") from None
    return found.puzzles
