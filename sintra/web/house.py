"""The house: all tables where browsers play or watch, and the bots that play along."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

from sintra import api
from sintra.batch.results import MANY_ROUNDS
from sintra.bots.process import Limits
from sintra.bots.seats import Seats
from sintra.errors import Conflict, SintraError, UsageError
from sintra.game import Game
from sintra.web.folder import Folder
from sintra.web.streams import STILL_THERE, message
from sintra.web.watched import Watched

GLANCE = 0.15
"""Time between checks of a watched log, in seconds."""
MAX_STREAMS = 64
"""Maximum number of streams in total."""
MAX_KEPT = 16
"""Maximum number of unwatched tables that are kept."""

Result = TypeVar("Result")


class Table:
    """A log, and everybody who plays or watches it."""

    def __init__(self, watched: Watched, limits: Limits) -> None:
        self.watched = watched
        self.seats = Seats(watched.bots, limits)
        self.lock = asyncio.Lock()
        self.streams = 0
        self.playing = 0
        """Streams of those who play: bots move only while there are any."""
        self.fault = ""
        """Why the log can't be followed any more."""
        self.trouble = ""
        """Why the bots do not go on."""
        self.tasks: list[asyncio.Task[None]] = []
        self._changed = asyncio.Event()

    def tell(self) -> None:
        """Notify everybody that there is news."""
        self._changed.set()
        self._changed = asyncio.Event()

    async def news(self, seconds: float) -> None:
        """Wait for news, up to a time limit."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), seconds)

    async def alone(self, work: Callable[[], Result]) -> Result:
        """Do something in a thread with exclusive use of this table, even if the caller gives up."""

        async def locked() -> Result:
            async with self.lock:
                return await asyncio.to_thread(work)

        return await asyncio.shield(asyncio.ensure_future(locked()))

    async def refresh(self) -> None:
        """Read what others have added to the log; record the fault if it can't be followed."""
        if not self.fault and self.watched.looks_changed() and await self.alone(self._refreshed):
            self.tell()

    def _refreshed(self) -> bool:
        try:
            return not self.fault and self.watched.refresh()
        except SintraError as error:
            self.fault = str(error).replace(self.watched.path, self.watched.name)
            return True


class House:
    """The tables of a folder."""

    def __init__(self, folder: Folder, pace: float, limits: Limits | None = None) -> None:
        self.folder = folder
        self._pace = pace
        self._limits = limits or Limits()
        self._tables: dict[str, Table] = {}
        self._closing = False
        self._opening = asyncio.Lock()
        self.thinking = asyncio.Semaphore(2)
        """Hints and bots that are thought about at the same time."""

    # -- Tables --

    async def table(self, name: str) -> Table:
        """Return the table of a log, up to date; raise an error if the log can't be shown."""
        path = self.folder.path_of(name)
        async with self._opening:
            known = self._tables.get(path)
            if known is not None:
                await known.refresh()
            if known is None or known.fault:
                watched = await asyncio.to_thread(Watched, path, name, self.folder.offered)
                self._clear()
                known = self._tables[path] = Table(watched, self._limits)
            return known

    def _clear(self) -> None:
        """Drop unwatched tables, the oldest first."""
        idle = [path for path, table in self._tables.items() if not table.streams]
        for path in idle[: max(0, len(self._tables) - MAX_KEPT)]:
            del self._tables[path]

    async def look(self, table: Table, ask: Callable[[Game], Result]) -> Result:
        """Compute something from a copy of a game, in parallel to everything else."""
        game = table.watched.game
        async with self.thinking:
            return await asyncio.to_thread(ask, game)

    async def write(self, table: Table, expect: int, act: Callable[[Game], object]) -> int:
        """Change the game and append the events to its log, as commands do; return the number of events.

        Raise Conflict if the log has another number of events than expected.
        """

        def done() -> int:
            with api.open(table.watched.path, expect=expect) as game:
                act(game)
            return len(game.events)

        count = await table.alone(done)
        await table.refresh()
        return count

    # -- Streams --

    @property
    def full(self) -> bool:
        """True if no more streams are possible."""
        return sum(table.streams for table in self._tables.values()) >= MAX_STREAMS

    def join(self, table: Table, plays: bool) -> Callable[[], None]:
        """Count somebody who watches or plays; return a function to call when they leave."""
        table.streams += 1
        table.playing += plays
        if not any(not task.done() for task in table.tasks[:1]):
            table.tasks[:1] = [asyncio.create_task(self._follow(table))]
        if plays and (len(table.tasks) < 2 or table.tasks[1].done()):
            table.trouble = ""
            table.tasks[1:] = [asyncio.create_task(self._drive(table))]

        def leave() -> None:
            table.streams -= 1
            table.playing -= plays
            if not table.streams:
                for task in table.tasks:
                    task.cancel()
            elif not table.playing:
                for task in table.tasks[1:]:
                    task.cancel()

        return leave

    async def messages(self, table: Table, number: int) -> AsyncIterator[bytes]:
        """Yield every event after a number, once and in order, as they come."""
        troubled = ""
        while not self._closing:
            frames = await table.alone(partial(table.watched.after, number))
            if frames is None:
                yield message("fault", {"message": "too much has happened since; load the game again"})
                return
            for frame in frames:
                number = frame.line.number
                yield message("step", frame, number)
            if table.fault:
                yield message("fault", {"message": table.fault})
                return
            if table.trouble != troubled:
                troubled = table.trouble
                yield message("trouble", {"message": troubled})
            if number == table.watched.events and not self._closing:
                await table.news(STILL_THERE)
                if number == table.watched.events:
                    yield b": still here\n\n"

    async def _follow(self, table: Table) -> None:
        """Keep checking the log, as others may write to it."""
        while not table.fault:
            await asyncio.sleep(GLANCE)
            await table.refresh()

    def close(self) -> None:
        """End all streams, and the programs that play."""
        self._closing = True
        for table in self._tables.values():
            for task in table.tasks:
                task.cancel()
            table.tell()

    def end_programs(self) -> None:
        """End the programs that play."""
        for table in self._tables.values():
            table.seats.close(table.watched.game)

    # -- Bots --

    async def _drive(self, table: Table) -> None:
        """Let bots move at a pace that people can follow, and append whatever happens automatically."""
        try:
            while not table.fault:
                game = table.watched.game
                if game.fold.at_rest and game.player not in table.seats.bots:
                    await table.news(STILL_THERE)
                    continue
                await asyncio.sleep(self._pace if game.fold.at_rest else 0)
                try:
                    await self._move(table)
                except Conflict:  # somebody else was faster, or is writing
                    await asyncio.sleep(GLANCE)
        except SintraError as error:
            table.trouble = str(error).replace(table.watched.path, table.watched.name)
            table.tell()

    async def _move(self, table: Table) -> None:
        """Let the bot to move choose and play."""
        await table.refresh()
        game = table.watched.game
        if not game.fold.at_rest:
            await self.write(table, len(game.events), Game.settle)
            return
        if game.player not in table.seats.bots or table.fault:
            return
        if len(table.seats.bots) == len(game.players) and game.round > MANY_ROUNDS:
            raise UsageError(f"the bots have played {MANY_ROUNDS} rounds without finishing (R6)")
        async with self.thinking:
            step = await table.alone(lambda: table.seats.choice(game))
        await self.write(table, len(game.events), lambda game: game.play(step))
