"""A sitting: people and bots at one log, which is read once; each step is appended to it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence

from sintra.batch.results import MANY_ROUNDS
from sintra.bots.process import Limits
from sintra.bots.seats import Seats
from sintra.cli.shorthand import first_step
from sintra.errors import Conflict, IllegalStep, UsageError
from sintra.game import Game, Watcher
from sintra.log import files, writing
from sintra.log.codec import encode_lines
from sintra.log.events import Choice, Event
from sintra.log.lines import split
from sintra.reader import Reader, naming
from sintra.rules.steps import Step


class Sitting:
    """A game that is being played, and the bots in its seats."""

    def __init__(
        self,
        path: str,
        seats: Callable[[Game], Mapping[int, str]],
        limits: Limits,
        watch: Watcher | None = None,
    ) -> None:
        """Read a log; `seats` returns the bots of its game by seat, `watch` gets every event."""
        self.path = path
        with naming(path):
            self.data = b"".join(files.read(path))
        """The content of the file."""
        reader = Reader(split(self.data), path, watch=watch is not None)
        events: list[Event] = []
        for moment in reader:
            events.append(moment.event)
            if watch is not None:
                watch(reader.fold, moment)
        self.game = Game(reader.fold, events)
        self._seats = Seats(seats(self.game), limits)
        self.bots = self._seats.bots
        self.game.watch(watch)

    # -- Steps --

    def append(self, events: Sequence[Event]) -> None:
        """Append events to the log; raise Conflict if another program has changed it."""
        if not events:
            return
        lines = encode_lines(events)
        with writing.Appender(self.path) as file:
            if b"".join(file.read()) != self.data:
                raise Conflict(f"{self.path} was changed by another program; your last step was not saved")
            file.append(lines)
        self.data += lines

    def settle(self) -> None:
        """Append whatever happens automatically, if the log was cut before that."""
        self.append(self.game.settle())

    def step(self, step: Step) -> None:
        """Play a legal step."""
        self.append(self.game.play(step))

    def play(self, text: str) -> None:
        """Play all steps of a typed line, or none."""
        trial = self.game.copy()
        tokens = text.lower().split()
        said: list[str] = []
        while tokens:
            if trial.player is None or trial.player in self.bots:
                raise UsageError(f"`{' '.join(tokens)}` is too early: it will not be your turn yet")
            words, used = first_step(trial, tokens)
            trial.play(words)
            said.append(words)
            tokens = tokens[used:]
        self.append(self.game.play(*said))

    def undo(self) -> int:
        """Take back the last step of a person and everything after it; return the number of steps."""
        steps = 0
        for event in reversed(self.game.counting):
            steps += isinstance(event, Choice)
            if isinstance(event, Choice) and event.player not in self.bots:
                self.append(self.game.undo(steps))
                return steps
        raise IllegalStep("you have no step to take back")

    # -- Bots --

    def bot_choice(self) -> Step | None:
        """Return the step of the bot to move; None if a person has to move, or nobody.

        Raise UsageError if the game waits for a real table, or bots play on and on among themselves.
        """
        game = self.game
        seat = game.player
        if seat in self.bots:
            if len(self.bots) == len(game.players) and game.round > MANY_ROUNDS:
                raise UsageError(f"the bots have played {MANY_ROUNDS} rounds without finishing (R6)")
            return self._seats.choice(game)
        if seat is None and not game.over:
            raise UsageError(f"{game.awaits}; {self.at_table}")
        return None

    def close(self) -> None:
        """End the programs that play."""
        self._seats.close(self.game)

    # -- Words --

    def name(self, seat: int) -> str:
        """Return the name of a player."""
        return self.game.players[seat - 1]

    def command(self, name: str) -> str:
        """Return a command that continues this game, quoted for a shell."""
        from sintra.text import safe

        bots = [f"--bot {seat}={shlex.quote(bot)}" for seat, bot in self.bots.items()]
        return safe(" ".join(["sintra", name, shlex.quote(self.path), *(bots if name == "play" else [])]))

    @property
    def at_table(self) -> str:
        """How to continue a game at a real table."""
        from sintra.text import safe

        return safe(f"continue with `sintra play {shlex.quote(self.path)} --table`")

    @property
    def farewell(self) -> str:
        """How to resume the game."""
        return f"The game is saved. Resume it with: {self.command('play')}"
