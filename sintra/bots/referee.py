"""The referee: lets bots of all kinds play a game, and records the faults of those that fail."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from sintra.bots.faults import Fault
from sintra.bots.names import maker
from sintra.bots.process import Limits, Program
from sintra.bots.protocol import PROTOCOL, Choose, Hello, Over, code_of, event_line, line
from sintra.bots.simple import Bot, greedy
from sintra.bots.spec import parsed
from sintra.game import Game
from sintra.log.events import MAX_NOTE_CHARACTERS
from sintra.rules.chance import bot_seed, bot_stream, new_seed
from sintra.text import safe

MAX_IDLE = 32
"""Maximum number of processes that wait for their next game."""


class Seat(Protocol):
    """A bot in a seat of one game."""

    def choose(self, game: Game) -> int:
        """Return the code of a legal step; raise Fault."""

    def leave(self, game: Game, reason: str) -> None:
        """Be informed that the game is over; never fails."""

    def words(self) -> str:
        """Return what the bot wrote to standard error."""


class FunctionSeat:
    """A Python bot in a seat, from 1."""

    def __init__(self, bot: Bot, game: Game, seat: int) -> None:
        self._bot = bot
        self._stream = bot_stream(game.created.seed, seat)

    def choose(self, game: Game) -> int:
        """Return its choice."""
        return self._bot(game.live, self._stream)

    def leave(self, game: Game, reason: str) -> None:
        """Do nothing."""

    def words(self) -> str:
        """Return nothing: it shares the program's standard error."""
        return ""


class Programs:
    """The processes of bots: kept from one game to the next, and ended together."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._idle: dict[str, list[Program]] = {}

    def take(self, command: str) -> Program:
        """Return an idle process of this command, or a new one; raise Fault."""
        idle = self._idle.get(command)
        return idle.pop() if idle else Program(command, self.limits)

    def give_back(self, program: Program) -> None:
        """Keep a process for the next game; end the one that has waited longest if there are many."""
        idle = self._idle.pop(program.command, [])
        self._idle[program.command] = [*idle, program]
        if sum(map(len, self._idle.values())) > MAX_IDLE:
            command, waiting = next(iter(self._idle.items()))
            waiting.pop(0).close()
            if not waiting:
                del self._idle[command]

    def close(self) -> None:
        """End all idle processes."""
        while self._idle:
            for program in self._idle.popitem()[1]:
                program.close()

    def __enter__(self) -> Programs:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_KEPT: dict[Limits, Programs] = {}
"""Processes of bots that this process keeps from one task to the next."""


def kept(limits: Limits) -> Programs:
    """Return the processes of bots, kept until `close_kept` or until this process ends."""
    if limits not in _KEPT:
        from multiprocessing.util import Finalize  # workers end without cleaning up

        Finalize(None, close_kept, exitpriority=10)
        _KEPT[limits] = Programs(limits)
    return _KEPT[limits]


def close_kept() -> None:
    """End all processes that were kept."""
    while _KEPT:
        _KEPT.popitem()[1].close()


class ProgramSeat:
    """A bot's process in a seat, from 1."""

    def __init__(self, command: str, programs: Programs, game: Game, seat: int) -> None:
        self._programs = programs
        self._command = command
        self._sent = 0
        self._program: Program | None = None
        self._words = ""
        limits = programs.limits
        created = game.created
        seed = bot_seed(created.seed, seat)
        self._hello = Hello(
            protocol=PROTOCOL,
            rules=created.rules,
            options=dict(created.options),
            players=created.players,
            seat=seat,
            seed=new_seed() if seed is None else seed,
            move_time=limits.move_time,
            init_time=limits.init_time,
        )

    def choose(self, game: Game) -> int:
        """Ask the bot; end its process if it fails."""
        try:
            program = self._program or self._begin()
            self._tell_news(program, game)
            legal = [step.words for step in game.legal()]
            question = line(Choose(self._sent + 1, legal, self._programs.limits.move_time))
            return code_of(game, program.ask(question))
        except BaseException:  # it may still be thinking
            self.drop()
            raise

    def _begin(self) -> Program:
        self._program = program = self._programs.take(self._command)
        program.forget_words()
        program.tell(line(self._hello))
        return program

    def _tell_news(self, program: Program, game: Game) -> None:
        events = game.events
        program.tell(b"".join(map(event_line, events[self._sent :])))
        self._sent = len(events)

    def leave(self, game: Game, reason: str) -> None:
        """Send the rest of the game, and keep the process for the next game."""
        if self._program is None:
            return
        self._tell_news(self._program, game)
        self._program.tell(line(Over(game.scores, game.winners, reason)))
        self._program.flush()
        try:
            self._program.hear_nothing(0)
        except Fault:  # whatever happens here, the next game must not get this process
            self.drop()
            return
        self._words = self._program.last_words
        self._programs.give_back(self._program)
        self._program = None

    def drop(self) -> None:
        """End the process."""
        if self._program is not None:
            self._program.kill()
            self._words = self._program.last_words
            self._program = None

    def words(self) -> str:
        """Return what the bot wrote to standard error."""
        return self._words


def seated(
    names: Sequence[str], game: Game, programs: Programs, objects: Mapping[str, object] | None = None
) -> list[Seat]:
    """Return the bots of these names in their seats."""
    seats: list[Seat] = []
    for seat, name in enumerate(names, 1):
        command = parsed(name).command
        seats.append(
            ProgramSeat(command, programs, game, seat)
            if command
            else FunctionSeat(maker(name, objects)(), game, seat)
        )
    return seats


class Forfeit(Struct, frozen=True, forbid_unknown_fields=True):
    """A fault in a game: the seat, from 1, the number of the event that was due, and what was wrong."""

    seat: int
    event: int
    fault: str
    message: str


class Played(Struct):
    """What the referee saw of a game."""

    forfeits: list[Forfeit]
    times: list[float]
    """Seconds that each seat took for all of its choices."""
    choices: list[int]
    """Number of choices that each seat made."""
    turns: int
    reason: str


def referee(
    game: Game,
    seats: Sequence[Seat],
    *,
    rounds: int,
    forfeit: bool = True,
    chosen: list[int] | None = None,
) -> Played:
    """Let bots play a game to its end, or until `rounds` rounds are over.

    A seat whose bot fails forfeits: that is noted in the log, and `greedy` plays on in its place; a game of
    two is over. Without `forfeit`, the fault is raised. Every chosen code is appended to `chosen`.
    """
    count = len(seats)
    played = Played([], [0.0] * count, [0] * count, 0, "ended")
    playing: list[Seat] = list(seats)
    try:
        _play(game, playing, rounds, forfeit, played, [] if chosen is None else chosen)
    except BaseException:
        played.reason = "stopped"
        raise
    finally:
        for seat in playing:
            seat.leave(game, played.reason)
    return played


def _play(
    game: Game, seats: list[Seat], rounds: int, forfeit: bool, played: Played, chosen: list[int]
) -> None:
    while (seat := game.player) is not None:
        played.turns += game.begins_turn
        at = seat - 1
        start = time.perf_counter()
        try:
            code = seats[at].choose(game)
        except Fault as fault:
            if not forfeit:
                raise fault.of(game.players[at], seats[at].words()) from None
            _forfeit(game, seat, fault, played)
            if len(seats) == 2:
                played.reason = "forfeit"
                return
            seats[at] = FunctionSeat(greedy, game, seat)
            continue
        finally:
            played.times[at] += time.perf_counter() - start
        played.choices[at] += 1
        chosen.append(code)
        game.choose(code)
        game.settle(rounds)
    if not game.over:
        played.reason = "rounds"


def _forfeit(game: Game, seat: int, fault: Fault, played: Played) -> None:
    """Record a fault, in the log and in the result."""
    played.forfeits.append(Forfeit(seat, len(game.events) + 1, fault.name, fault.what))
    name = game.players[seat - 1]
    game.note(safe(f"{name} forfeits: {fault.name}: {fault.what}")[:MAX_NOTE_CHARACTERS])
