"""A vector whose games are divided among worker processes; the arrays are in shared memory."""

from __future__ import annotations

import os
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.shared_memory import SharedMemory
from typing import Any

import numpy as np

from sintra.batch.arrays import Episode
from sintra.batch.workers import attend, context
from sintra.bots.names import looked_in
from sintra.errors import WorkersLost
from sintra.rl.kind import Kind, seed_given
from sintra.rl.vectors import ARRAYS, Vector, shape_of
from sintra.rules.observer import words_of


class ParallelVector(Vector):
    """Games played side by side in several processes: the same games as in one."""

    def __init__(
        self, kind: Kind, games: int, seed: int | None, planes: bool, keep: bool, processes: int
    ) -> None:
        self._shares = [games * number // processes for number in range(processes + 1)]
        """Where the games of each process begin."""
        self._pipes: list[Connection] = []
        self._workers: list[Any] = []
        super().__init__(kind, games, seed, planes, keep)

    def _open(self) -> None:
        """Make the arrays in shared memory, and start the processes."""
        self._memory = SharedMemory(create=True, size=sum(size for _, size in self._layout().values()))
        for name, array in laid_out(self._memory, self._layout()).items():
            if name == "codes":
                self._codes = array
            else:
                array.flags.writeable = False
                setattr(self, name, array)
        how = context()
        for first, end in zip(self._shares, self._shares[1:], strict=False):
            pipe, other = how.Pipe()
            share = (first, end, len(self._shape) > 2, self.keep)
            call = (other, self.kind, share, self._memory.name, self._layout())
            start = (os.getpid(), looked_in())
            worker = how.Process(target=serve, args=(*call, *start), daemon=True)
            worker.start()
            other.close()
            self._pipes.append(pipe)
            self._workers.append(worker)

    def _layout(self) -> Layout:
        """Return the shape and size of each array."""
        found: Layout = {"codes": ((self.games,), 8 * self.games)}
        for name, kind in sorted(ARRAYS.items(), key=lambda one: -np.dtype(one[1]).itemsize):
            shape = self._shape if name == "planes" else shape_of(self, name)
            found[name] = (shape, int(np.prod(shape)) * np.dtype(kind).itemsize)
        return found

    def _ask(self, *question: Any) -> list[Any]:
        """Return the answer of every process."""
        try:
            for pipe in self._pipes:
                pipe.send(question)
            return [pipe.recv() for pipe in self._pipes]
        except (EOFError, OSError):
            self.close()
            raise WorkersLost("a worker process ended; the games are lost") from None

    def reset(self, seed: int | None = None) -> None:
        """Restart all games; without a seed, one is drawn."""
        self._ask("reset", seed_given(seed))

    def step(self, codes: Any) -> Any:
        """Take a step in every game, as `Vector.step` does."""
        self._codes[:] = self._checked(codes)
        illegal = [number for number in self._ask("check") if number >= 0]
        if not illegal:
            self._ask("step")
        return self._played(min(illegal, default=-1), codes)

    def _under_way(self, number: int) -> tuple[int, list[int]]:
        (found,) = [answer for answer in self._ask("under_way", number) if answer is not None]
        seed, codes = found
        return seed, codes

    def _ended(self) -> list[Episode]:
        return [episode for answer in self._ask("taken_off") for episode in answer]

    def close(self) -> None:
        """End the worker processes."""
        for pipe in self._pipes:
            with suppress(OSError):  # it may have ended
                pipe.send(None)
            pipe.close()
        for worker in self._workers:
            worker.join()
        self._pipes, self._workers = [], []
        for name in (*ARRAYS, "_codes"):  # no view of the memory may remain
            setattr(self, name, np.array(getattr(self, name)))
        self._memory.close()
        self._memory.unlink()
        self.__class__ = Vector  # type: ignore[assignment]  # closing twice does nothing


Layout = dict[str, tuple[tuple[int, ...], int]]
"""The shape of each array and its size in bytes, in the order in which they lie in memory."""


def laid_out(memory: SharedMemory, layout: Layout) -> dict[str, Any]:
    """Return the arrays that lie in shared memory."""
    found: dict[str, Any] = {}
    at = 0
    for name, (shape, size) in layout.items():
        kind: Any = np.int64 if name == "codes" else ARRAYS[name]
        found[name] = np.ndarray(shape, kind, memory.buf, at)
        at += size
    return found


def serve(
    pipe: Connection, kind: Kind, share: Any, name: str, layout: Layout, parent: int, folders: list[str]
) -> None:
    """Play a share of the games, in a worker, until the connection is closed."""
    attend(parent, folders, None)
    first, end, planes, keep = share
    batch = kind.batch(end - first, planes, keep, first)
    memory = SharedMemory(name)
    arrays = {name: array[first:end] for name, array in laid_out(memory, layout).items()}
    while (asked := pipe.recv()) is not None:
        question, *rest = asked
        pipe.send(answer(batch, arrays, first, question, rest))
    arrays.clear()
    memory.close()


def answer(batch: Any, arrays: dict[str, Any], first: int, question: str, rest: list[Any]) -> Any:
    """Answer a request to a worker."""
    if question == "under_way":
        at = rest[0] - first
        return batch.under_way(at) if 0 <= at < batch.games else None
    if question == "check":
        illegal = batch.illegal(words_of(np.ascontiguousarray(arrays["codes"])))
        return illegal if illegal < 0 else first + illegal
    if question == "taken_off":
        return batch.taken_off()
    if question == "reset":
        batch.reset(rest[0])
    else:
        batch.step(words_of(np.ascontiguousarray(arrays["codes"])))
    for name, kind in ARRAYS.items():
        array = arrays[name]
        if array.size:
            array[:] = np.frombuffer(getattr(batch, name), kind).reshape(array.shape)
    return None
