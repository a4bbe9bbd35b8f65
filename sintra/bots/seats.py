"""Who sits where: the bots of a game by seat, remembered beside its log, and what they choose."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress

from sintra.bots.faults import Fault
from sintra.bots.names import BOTS, check, choose, find
from sintra.bots.process import Limits
from sintra.bots.referee import Programs, ProgramSeat
from sintra.bots.spec import label_of, names_in, parsed
from sintra.errors import SintraError, UsageError
from sintra.game import Game
from sintra.log import files, writing
from sintra.rules.steps import Step

ENDING = ".bots"
"""The suffix of the file beside a log that remembers its bots."""
PEOPLE = "none"
"""The name that seats a person in place of a remembered bot."""


def named(game: Game, pairs: Sequence[str], others: str | None) -> dict[int, str]:
    """Return the names of the bots by seat, from `SEAT=NAME` and the names for all seats but the first."""
    seats: dict[int, str] = {}
    if others is not None:
        seats = _others(len(game.players), names_in(others))
    for pair in pairs:
        seat, _, name = pair.partition("=")
        if seat not in map(str, range(1, len(game.players) + 1)):
            raise UsageError(f"--bot takes SEAT=NAME with a seat from 1 to {len(game.players)}, not {pair!r}")
        seats[int(seat)] = name
    return {seat: name for seat, name in sorted(seats.items()) if name != PEOPLE}


def _others(players: int, names: Sequence[str]) -> dict[int, str]:
    """Return bots for all seats but the first: the same in each, or one for each."""
    if len(names) == 1:
        names = [*names] * (players - 1)
    if len(names) != players - 1:
        raise UsageError(
            f"--bots takes one bot for all seats but the first, or {players - 1} with commas between them; "
            f"{len(names)} were given"
        )
    return dict(enumerate(names, 2))


def remembered(path: str, game: Game, offered: Collection[str] = ()) -> dict[int, str]:
    """Return the bots that played in a log before, if that is known.

    Only built-in ones, and those `offered` by a person: a file that came with a log must not run code. Others
    have to be named again.
    """
    if not os.path.isfile(path + ENDING):
        return {}
    with suppress(SintraError, UnicodeDecodeError):
        pairs = files.read_whole(path + ENDING).decode().splitlines()
        known = [pair for pair in pairs if _is_known(pair.partition("=")[2], offered)]
        found = named(game, known, None)
        for name in found.values():
            check(name)
        return found
    return {}


def _is_known(name: str, offered: Collection[str]) -> bool:
    return name in offered or parsed(name).name in BOTS


def remember(path: str, bots: Mapping[int, str]) -> None:
    """Save the bots of a log beside it, unless already saved; a folder may be read-only."""
    known = os.path.isfile(path + ENDING)
    text = "".join(f"{seat}={name}\n" for seat, name in bots.items())
    with suppress(SintraError):
        if (bots or known) and not (known and files.read_whole(path + ENDING) == text.encode()):
            writing.replace(path + ENDING, text.encode())


class Seats:
    """The bots of one game; programs are started when they first have to choose."""

    def __init__(self, bots: Mapping[int, str], limits: Limits | None = None) -> None:
        self.bots = dict(bots)
        """The names of the bots by seat."""
        self._programs = Programs(limits)
        self._seats: dict[int, ProgramSeat] = {}
        """The programs that play, by seat; each is sent the whole game."""

    def choice(self, game: Game) -> Step:
        """Return the choice of the bot to move; raise Fault if it fails."""
        seat = game.player
        assert seat is not None
        name = self.bots[seat]
        command = parsed(name).command
        if not command:
            return game.rules.steps[choose(find(name), game.live, game.created.seed, len(game.events))]
        if seat not in self._seats:
            self._seats[seat] = ProgramSeat(command, self._programs, game, seat)
        try:
            return game.rules.steps[self._seats[seat].choose(game)]
        except Fault as fault:
            raise fault.of(label_of(name), self._seats[seat].words()) from None

    def close(self, game: Game) -> None:
        """End the programs that play."""
        for seat in self._seats.values():
            seat.leave(game, "ended" if game.over else "stopped")
        self._programs.close()
