"""Workers: this process, processes on this machine, or a cluster.

All parallel work goes through a `concurrent.futures.Executor`, so any engine that offers one will do.
`workers` makes one for a number of jobs or the address of a cluster; `spread` hands work to it, item by item.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary, WeakSet

from sintra.bots.names import look_in, looked_in
from sintra.bots.timed import limit, limit_choices
from sintra.catalog import blaming
from sintra.errors import UsageError, WorkersLost
from sintra.text import reason
from sintra.version import VERSION

T = TypeVar("T")
R = TypeVar("R")

DASK = "dask://"
PATIENCE = 10
"""Maximum time for a cluster to answer, in seconds."""
MAX_JOBS = 1024
"""Maximum number of worker processes."""
POLL = 0.25
"""Seconds between checks for a reason to stop."""
AHEAD = 4
"""Maximum number of items per worker that are handed out and not yet collected."""


class Here(Executor):
    """An executor that does the work immediately, in this process."""

    def submit(self, fn: Callable[..., R], /, *args: Any, **kwargs: Any) -> Future[R]:
        """Do the work; return a finished future."""
        future: Future[R] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def cores() -> int:
    """Return the number of processes that this machine can run at the same time."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


@contextmanager
def workers(
    jobs: int | None = None, address: str | None = None, *, apart: bool = False
) -> Iterator[Executor]:
    """Yield an executor: a number of processes (default: one per core), or the workers of a cluster.

    With `apart`, even a single job gets a separate process, so that Ctrl-C can stop work that never returns.
    An error in the block, or Ctrl-C, abandons the current work at once.
    """
    check(jobs, address)
    if address is not None:
        with _dask(address) as executor:
            yield executor
    elif (jobs or cores()) == 1 and not apart:
        yield Here()
    else:
        with _processes(jobs or cores()) as executor:
            yield executor


def check(jobs: object, executor: object) -> None:
    """Raise UsageError if no such workers are possible."""
    if jobs is not None and (type(jobs) is not int or not 1 <= jobs <= MAX_JOBS):
        raise UsageError(f"jobs must be a whole number from 1 to {MAX_JOBS:,}, not {jobs!r}")
    if executor is not None and not isinstance(executor, str | Executor):
        raise UsageError(
            f"executor must be a concurrent.futures.Executor or dask://HOST:PORT, not {executor!r}"
        )


@contextmanager
def given(executor: Executor | str | None, jobs: int | None) -> Iterator[Executor]:
    """Yield the given executor, which is left open, or a new one."""
    if isinstance(executor, Executor):
        yield executor
        return
    with workers(jobs, executor) as own:
        yield own


def is_remote(executor: Executor | str) -> bool:
    """Return True if the workers may be on other machines, without access to our files."""
    return type(executor).__module__.partition(".")[0] not in ("sintra", "concurrent")


def check_objects(objects: Mapping[str, object], executor: Executor) -> None:
    """Raise UsageError if bots given as objects can't be sent to the workers."""
    import pickle

    for name, bot in objects.items() if not isinstance(executor, Here) else ():
        try:
            pickle.dumps(bot)
        except Exception as error:
            raise UsageError(f"{name} can't be sent to other processes ({error}); use one job") from None


def width(executor: Executor) -> int:
    """Return the number of items that an executor works on at the same time, as far as known."""
    if isinstance(executor, Here):
        return 1
    known = getattr(executor, "_max_workers", None) or getattr(executor, "sintra_width", None)
    return known if isinstance(known, int) else cores()


_NONE: Any = object()
_LOST = "a worker process died; its machine may be out of memory, or somebody killed it"


def spread(executor: Executor, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
    """Yield the results for all items, in order.

    Items are only taken as fast as results are collected, so there may be any number of them.
    """
    for group in gathered(executor, function, items):
        yield from group


def gathered(
    executor: Executor,
    function: Callable[[T], R],
    items: Iterable[T],
    stopping: Callable[[], bool] | None = None,
) -> Iterator[list[R]]:
    """Yield the results for all items, in order, in groups of those that are ready.

    Once `stopping` returns True, only the current work is finished; so little more is handed out than is
    being done.
    """
    room = 1 if isinstance(executor, Here) else AHEAD * width(executor)
    under_way = room if stopping is None else width(executor) + 1
    pulse = _PULSES.get(executor)
    left = iter(items)
    waiting: deque[Future[R]] = deque()
    try:
        while True:
            if stopping is None or not stopping():
                while len(waiting) < room and sum(not one.done() for one in waiting) < under_way:
                    item = next(left, _NONE)
                    if item is _NONE:
                        break
                    waiting.append(executor.submit(_done, function, item))
            else:
                while waiting and waiting[-1].cancel():
                    waiting.pop()
            if not waiting:
                return
            if not waiting[0].done():
                wait(
                    [one for one in waiting if not one.done()],
                    timeout=None if stopping is None and pulse is None else POLL,
                    return_when=FIRST_COMPLETED,
                )
                if pulse is not None:
                    pulse.check()
            if group := _finished(waiting):
                yield group
    except (BrokenExecutor, CancelledError):
        slow = "" if limit() is None else "; or a bot took too long and never returned to Python"
        raise WorkersLost(_LOST + slow) from None
    except Exception as error:
        if type(error).__module__.partition(".")[0] != "distributed":
            raise
        raise WorkersLost(f"{_LOST} ({type(error).__name__})") from None
    finally:
        if executor not in _OURS:  # our own pools are abandoned as a whole, and cope badly with cancelling
            for future in waiting:
                future.cancel()


def _done(function: Callable[[T], R], item: T) -> R:
    """Do the work for an item; blame a plug-in's errors here, where file and line are known."""
    with blaming():
        return function(item)


def _finished(waiting: deque[Future[R]]) -> list[R]:
    """Return the finished results at the head of the queue; raise an error only if it comes first."""
    group: list[R] = []
    while waiting and waiting[0].done() and not (group and _failed(waiting[0])):
        group.append(waiting.popleft().result())
    return group


def _failed(future: Future[Any]) -> bool:
    return future.cancelled() or future.exception() is not None


# -- Processes on this machine ---------------------------------------------------------------


_OURS: WeakSet[Executor] = WeakSet()
"""The pools of processes that this module started."""


@contextmanager
def _processes(jobs: int) -> Iterator[Executor]:
    """Yield a pool of processes on this machine; kill them on an error, so that none is left behind."""
    pool = _pool(jobs)
    _OURS.add(pool)
    try:
        _start(pool)
        yield pool
    except BaseException:
        for process in list((getattr(pool, "_processes", None) or {}).values()):
            process.kill()
        raise
    finally:
        with suppress(RuntimeError):  # a thread that never started can't be joined
            pool.shutdown(wait=True, cancel_futures=True)


def _pool(jobs: int) -> Executor:
    from concurrent.futures import ProcessPoolExecutor

    try:
        return ProcessPoolExecutor(
            jobs, mp_context=context(), initializer=attend, initargs=(os.getpid(), looked_in(), limit())
        )
    except OSError as error:
        failure = _not_started(error)
    raise failure  # out here, where the pool's open files are closed


def _start(pool: Executor) -> None:
    """Start the pool's threads and processes with signals blocked.

    A thread that writes to a dead process must not end the program, as a closed pipe does elsewhere; and a
    process that has just started must not react to Ctrl-C.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPIPE, signal.SIGINT})
    try:
        pool.submit(cores)
    except (OSError, RuntimeError, AssertionError) as error:  # no process, no thread, or a daemon
        raise _not_started(error) from None
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _not_started(error: Exception) -> WorkersLost:
    """Return the error for a system that is out of processes, threads, files or memory."""
    return WorkersLost(f"can't start worker processes: {reason(error)}; one job needs none")


def context() -> Any:
    """Return how processes start: by forking where that is safe, which is instant, or else by spawning."""
    import multiprocessing
    import sys
    import threading

    safe = sys.platform == "linux" and threading.active_count() == 1
    return multiprocessing.get_context("fork" if safe else "spawn")


def attend(parent: int, folders: list[str], seconds: float | None) -> None:
    """Ignore Ctrl-C, which reaches all processes of a terminal: the parent handles it, and kills workers."""
    from threading import Thread

    look_in(folders)
    limit_choices(seconds, worker=True)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGPIPE, signal.SIGINT})
    _die_with_parent()
    Thread(target=_end_with, args=(parent,), daemon=True).start()


def _die_with_parent() -> None:
    """Let Linux kill this process with its parent, even while native code never returns."""
    import sys

    if sys.platform == "linux":
        from ctypes import CDLL

        with suppress(OSError, AttributeError):  # another C library
            CDLL(None).prctl(1, int(signal.SIGKILL), 0, 0, 0)  # PR_SET_PDEATHSIG


def _end_with(parent: int) -> None:
    """Exit when the parent is gone, however it ended: nobody will collect the results."""
    from threading import Event

    never = Event()
    while os.getppid() == parent:
        never.wait(0.5)
    os._exit(1)


# -- Many machines ---------------------------------------------------------------------------


@contextmanager
def _dask(address: str) -> Iterator[Executor]:
    """Yield the workers of a Dask cluster, by the address of its scheduler: `dask://HOST:PORT`."""
    if not address.startswith(DASK) or not address.removeprefix(DASK):
        raise UsageError(f"executor must be dask://HOST:PORT, not {address!r}")
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise UsageError("dask:// needs the package distributed: pip install 'sintra[dask]'") from None
    with _quiet("distributed"):
        client = _within(PATIENCE, lambda: _client(distributed, address), address)
        try:
            executor = _within(PATIENCE, lambda: _executor(client, address), address)
            _PULSES[executor] = _Pulse(client)
            yield executor
        finally:
            with suppress(WorkersLost):  # the answer is there, or an error was already raised
                _within(PATIENCE, lambda: client.close(timeout=PATIENCE), address)


def _client(distributed: Any, address: str) -> Any:
    """Connect to a scheduler."""

    class Client(distributed.Client):  # type: ignore[misc]
        """A client that is not closed when abandoned: closing would block, and print errors."""

        def __del__(self) -> None:
            pass

    return Client(f"tcp://{address.removeprefix(DASK)}", timeout=PATIENCE, set_as_default=False)


def _executor(client: Any, address: str) -> Executor:
    """Return the workers of a cluster, once they have answered with their version."""
    client.wait_for_workers(1, timeout=PATIENCE)
    try:
        versions = set(client.run(version).values())
    except (ImportError, AttributeError) as error:
        raise UsageError(f"the workers at {address} need sintra {VERSION}: {error}") from None
    if versions != {VERSION}:
        raise UsageError(
            f"the workers at {address} have sintra {', '.join(map(str, versions))}; this is {VERSION}"
        )
    executor: Any = client.get_executor(pure=False)
    executor.sintra_width = sum(client.nthreads().values())
    return cast(Executor, executor)


def _within(seconds: float, call: Callable[[], R], address: str) -> R:
    """Return the result of a call, within a time limit: a cluster may be silent, or not a cluster at all.

    The call is made in a thread, which is abandoned if it takes longer.
    """
    from threading import Thread

    done: Future[R] = Future()

    def work() -> None:
        try:
            done.set_result(call())
        except BaseException as error:
            done.set_exception(error)

    Thread(target=work, daemon=True).start()
    wait([done], timeout=seconds)
    if not done.done():
        raise WorkersLost(f"no Dask cluster answers at {address} within {seconds:g} seconds")
    error = done.exception()
    if error is None or isinstance(error, UsageError):
        return done.result()
    if isinstance(error, TimeoutError) and "orker" in str(error):
        raise WorkersLost(f"the Dask scheduler at {address} has no workers")
    said = ": ".join([type(error).__name__, *str(error).splitlines()[:1]])
    raise WorkersLost(f"no Dask scheduler answers at {address} ({said})")


class _Pulse:
    """Counts how many checks in a row found no sign of life of any worker of a cluster."""

    def __init__(self, client: Any) -> None:
        from threading import Thread

        self.client = client
        self.missed = 0
        Thread(target=self._feel, daemon=True).start()

    def _feel(self) -> None:
        """Keep asking the scheduler for its workers; a dead one does not answer, or raises."""
        from threading import Event

        never = Event()
        while self.client.status not in ("closed", "closing"):
            with suppress(Exception):
                if self.client.nthreads():
                    self.missed = 0
            never.wait(POLL)

    def check(self) -> None:
        """Check once more; raise WorkersLost if nobody has answered for too long."""
        self.missed += 1
        if self.missed * POLL > PATIENCE:
            raise WorkersLost(f"no worker of the cluster answered for {PATIENCE} seconds")


_PULSES: WeakKeyDictionary[Executor, _Pulse] = WeakKeyDictionary()
"""The clusters that this module connected to."""


def version() -> str:
    """Return the version of sintra that a worker has."""
    return VERSION


@contextmanager
def _quiet(name: str) -> Iterator[None]:
    """Silence the logging of a package and its modules: whatever matters is raised as an error."""
    import logging

    known = [one for one in logging.root.manager.loggerDict if one.startswith(f"{name}.")]
    before = {one: one.level for one in map(logging.getLogger, [name, *known])}
    for logger in before:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in before.items():
            logger.setLevel(level)
