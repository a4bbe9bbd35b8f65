"""Checking a bot that is a program, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sintra import catalog
from sintra.batch.results import Check, CheckStep
from sintra.bots.faults import Fault
from sintra.bots.process import Limits, Program
from sintra.bots.referee import Programs, referee, seated
from sintra.errors import UsageError
from sintra.game import Game

ROUNDS = 10
"""Rounds after which a game of a check stops."""
SEED = 2024


class _Failed(Exception):
    """A step failed: the problem, and the bot's standard error."""

    def __init__(self, message: str, wrote: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.wrote = wrote


class Checker:
    """The steps of a check, in order; a failed one ends it."""

    def __init__(self, command: str, limits: Limits) -> None:
        self.command = command
        self.limits = limits
        self.programs = Programs(limits)

    def steps(self) -> Iterator[CheckStep]:
        """Try the steps one by one, and yield each."""
        try:
            for name, step in self._steps():
                try:
                    step()
                except _Failed as failure:
                    yield CheckStep(name, False, failure.message, failure.wrote)
                    return
                yield CheckStep(name, True)
        finally:
            self.programs.close()

    def _steps(self) -> Iterator[tuple[str, Callable[[], object]]]:
        yield "starts", self._starts
        yield "prints nothing unasked", self._quiet
        yield "answers in time", lambda: self._game("azul", 2, SEED)
        yield "plays a second game in the same process", self._second
        for rules in catalog.installed()[0]:
            for players in rules.players:
                yield f"plays {rules.name} with {players} players", self._playing(rules.name, players)
        yield "plays the same game again with the same seed", self._same
        yield "ends at the end of its input", self._ends

    def _playing(self, rules: str, players: int) -> Callable[[], object]:
        return lambda: self._game(rules, players, SEED + players)

    def _starts(self) -> None:
        try:
            self.programs.give_back(self.programs.take(self.command))
        except Fault as fault:
            raise _Failed(fault.what) from None

    def _quiet(self) -> None:
        """Wait a moment before asking anything."""
        program = self.programs.take(self.command)
        try:
            program.hear_nothing(0.3)
        except Fault as fault:
            program.kill()
            raise _Failed(f"{fault.name}: {fault.what}", program.last_words) from None
        self.programs.give_back(program)

    def _game(self, rules: str, players: int, seed: int) -> str:
        """Let the bot play all seats of a game; return the log."""
        game = Game.new(catalog.find(rules), players, seed=seed)
        seats = seated([f"cmd:{self.command}"] * players, game, self.programs)
        played = referee(game, seats, rounds=ROUNDS)
        for forfeit in played.forfeits:
            seat = seats[forfeit.seat - 1]
            where = f"seat {forfeit.seat} of {players}, event {forfeit.event}"
            raise _Failed(f"{forfeit.fault}: {forfeit.message} ({where})", seat.words())
        return game.dumps()

    def _second(self) -> None:
        """Let the processes of the first game play another one; nothing may be left over from it."""
        self._game("azul", 2, SEED + 1)

    def _same(self) -> None:
        used = self._game("azul", 2, SEED)
        self.programs.close()
        if self._game("azul", 2, SEED) != used:
            raise _Failed("a new process played another game; draw only from the seed of hello")

    def _ends(self) -> None:
        program = Program(self.command, self.limits)
        if not program.close():
            raise _Failed("it was still running a second after its input ended", program.last_words)


def check_bot(
    command: str, limits: Limits | None = None, each: Callable[[CheckStep], object] | None = None
) -> Check:
    """Check a bot, given by its command; `each` is called with each step as it finishes."""
    if not command.strip():
        raise UsageError("name the command of a bot: './mybot --fast'")
    steps: list[CheckStep] = []
    for step in Checker(command, limits or Limits()).steps():
        steps.append(step)
        if each is not None:
            each(step)
    return Check(command, all(step.ok for step in steps), steps)
