"""Logs as flat rows for other programs: one row per turn, or one per game, with scores and results.

A turn is a pick with its placing and keeping. Tiling on a wall with free spaces belongs to the turn before if
the same player tiles; otherwise it is a separate row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from sintra.batch.logs import Entry, fault, read
from sintra.batch.results import Fault
from sintra.batch.rewards import shares
from sintra.batch.tallies import Turns, bot_of
from sintra.errors import SintraError
from sintra.fold import Fold
from sintra.log.events import Choice
from sintra.rules.state import CHOICE, State
from sintra.text import spelled

SEATS = (1, 2, 3, 4)
"""The seats that have columns, whether taken or not."""

LOG = (
    ("log", str),
    ("game", int),
    ("rules", str),
    ("side", str),
    ("options", str),
    ("chance", str),
    ("seed", int),
    ("players", int),
    ("over", bool),
    ("rounds", int),
    ("turns", int),
)
"""The columns of a log, with their types; `game` is its number in a file of many."""


def _by_seat(name: str, kind: type) -> tuple[tuple[str, type], ...]:
    return tuple((f"{name}_{seat}", kind) for seat in SEATS)


GAME = (
    *LOG,
    *_by_seat("player", str),
    *_by_seat("bot", str),
    *_by_seat("score", int),
    *_by_seat("share", float),
)
"""The columns of a game."""

TURN = (
    *LOG,
    ("turn", int),
    ("round", int),
    ("seat", int),
    ("player", str),
    ("bot", str),
    ("steps", str),
    ("codes", str),
    ("choices", int),
    ("score_before", int),
    ("score_after", int),
    *_by_seat("score", int),
    *_by_seat("final", int),
    ("share", float),
)
"""The columns of a turn: `choices` is the number of legal first steps, `score_N` the score of seat N after
the turn, `final_N` at the end of the log; `share` is the player's of the victory."""

COLUMNS = {"turn": TURN, "game": GAME}

Row = tuple[Any, ...]


class Rows(Struct):
    """The rows of some logs."""

    logs: int
    rows: list[Row]
    unfinished: int
    faults: list[Fault]
    worst: int
    """The exit code of the worst fault."""


class Job(Struct, frozen=True):
    """Logs to read, and the kind of row."""

    per: str
    logs: list[Entry]


def rows(job: Job) -> Rows:
    """Read some logs, in a worker."""
    found = Rows(len(job.logs), [], 0, [], 0)
    make: Callable[[Entry, Fold, int], Iterable[Row]] = turn_rows if job.per == "turn" else game_rows
    for entry in job.logs:
        turns = Turns()
        try:
            fold = read(entry, turns.follow).fold
        except SintraError as error:
            found.faults.append(fault(entry, error))
            found.worst = max(found.worst, found.faults[-1].exit_code)
            continue
        found.unfinished += not fold.over
        found.rows += make(entry, fold, turns.count)
    return found


def _padded(values: Sequence[Any]) -> list[Any]:
    """Return a value for each seat that has columns."""
    return [*values, *[None] * (len(SEATS) - len(values))]


def _log(entry: Entry, fold: Fold, turns: int) -> list[Any]:
    """Return the columns of a log."""
    created = fold.created
    return [
        entry.name,
        entry.game,
        created.rules,
        spelled(created.options.get("side", "")),
        msgspec.json.encode(created.options).decode(),
        created.chance,
        created.seed,
        len(created.players),
        fold.over,
        fold.state.round,
        turns,
    ]


def shares_of(fold: Fold) -> list[float | None]:
    """Return everybody's share of the victory; None if the game is not over."""
    return [*shares(fold.state)] if fold.over else [None] * len(fold.created.players)


def game_rows(entry: Entry, fold: Fold, turns: int) -> list[Row]:
    """Return the one row of a game."""
    names = fold.created.players
    row = _log(entry, fold, turns)
    row += _padded(names)
    row += _padded([bot_of(names, seat) for seat in range(1, len(names) + 1)])
    row += _padded(fold.state.scores())
    return [(*row, *_padded(shares_of(fold)))]


def choices_of(fold: Fold) -> Iterator[tuple[State, int]]:
    """Replay a game; yield each choice that still counts: the state before it, and the code."""
    again = Fold(fold.rules, fold.created)
    for event in fold.history:
        if isinstance(event, Choice):
            yield again.state, again.words.codes[event.player - 1][event]
        again.take(event)


class Turn(Struct):
    """A turn: its round, the seat from 0, the scores before it, the number of choices, and its codes."""

    round: int
    seat: int
    scores: list[int]
    choices: int
    codes: list[int]


def turns_of(fold: Fold) -> list[Turn]:
    """Return the turns of a game."""
    turns: list[Turn] = []
    for state, code in choices_of(fold):
        if state.phase == CHOICE or not turns or turns[-1].seat != state.player:
            turns.append(Turn(state.round, state.player, state.scores(), len(state.legal()), []))
        turns[-1].codes.append(code)
    return turns


def turn_rows(entry: Entry, fold: Fold, count: int) -> Iterator[Row]:
    """Yield a row for each turn of a game; what follows automatically counts towards the turn before it."""
    log = _log(entry, fold, count)
    names = fold.created.players
    won = shares_of(fold)
    final = fold.state.scores()
    turns = turns_of(fold)
    after = [*(turn.scores for turn in turns[1:]), final]
    for number, (turn, scores) in enumerate(zip(turns, after, strict=False), 1):
        seat = turn.seat
        yield (
            *log,
            *(number, turn.round, seat + 1, names[seat], bot_of(names, seat + 1)),
            ", ".join(fold.rules.steps[code].words for code in turn.codes),
            " ".join(map(str, turn.codes)),
            *(turn.choices, turn.scores[seat], scores[seat]),
            *_padded(scores),
            *_padded(final),
            won[seat],
        )
