"""Where work is done: in this process, in processes of this machine, or by workers on many machines.

Everything that runs in parallel goes through a `concurrent.futures.Executor`, so that any engine that has one
can carry it. `workers` gives one for a number of jobs, or for the address of a cluster; `spread` hands
work to it, piece by piece.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, TypeVar
from weakref import WeakSet

from sintra.errors import UsageError, WorkersLost
from sintra.text import reason
from sintra.version import VERSION

T = TypeVar("T")
R = TypeVar("R")

DASK = "dask://"
PATIENCE = 10
"""Seconds to wait for a cluster to answer."""
AHEAD = 4
"""So many pieces of work for each worker are handed out and not collected yet, at most."""


class Here(Executor):
    """Does the work at once, in this process."""

    def submit(self, fn: Callable[..., R], /, *args: Any, **kwargs: Any) -> Future[R]:
        """The work, done."""
        future: Future[R] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def cores() -> int:
    """How many processes can run at once on this machine."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


@contextmanager
def workers(jobs: int | None = None, address: str | None = None) -> Iterator[Executor]:
    """An executor: so many processes (default: one a core), or the workers of a cluster.

    When the block is left by an error or by Ctrl-C, what is under way is given up at once.
    """
    _check(jobs, address)
    if address is not None:
        with _dask(address) as executor:
            yield executor
    elif (jobs or cores()) == 1:
        yield Here()
    else:
        with _processes(jobs or cores()) as executor:
            yield executor


def _check(jobs: object, address: object) -> None:
    """UsageError if there can't be such workers."""
    if jobs is not None and (type(jobs) is not int or jobs < 1):
        raise UsageError("jobs: a number of processes, at least 1")
    if address is not None and not isinstance(address, str):
        raise UsageError(
            f"an executor is a concurrent.futures.Executor, or dask://HOST:PORT, not {address!r}"
        )


@contextmanager
def given(executor: Executor | str | None, jobs: int | None) -> Iterator[Executor]:
    """The executor that was handed in, which is left as it is, or one of our own."""
    if isinstance(executor, Executor):
        yield executor
        return
    with workers(jobs, executor) as own:
        yield own


def is_remote(executor: Executor) -> bool:
    """Whether the workers may be on other machines, which do not have our files."""
    return type(executor).__module__.partition(".")[0] not in ("sintra", "concurrent")


def width(executor: Executor) -> int:
    """How many pieces of work an executor does at once, as far as it tells."""
    if isinstance(executor, Here):
        return 1
    told = getattr(executor, "_max_workers", None) or getattr(executor, "sintra_width", None)
    return told if isinstance(told, int) else cores()


_LOST = "a worker ended unexpectedly; its system may be out of memory, or somebody ended it"


def spread(executor: Executor, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
    """The results for all items, in their order.

    Items are taken only as fast as results are collected, so there may be any number of them.
    """
    ahead = 1 if isinstance(executor, Here) else AHEAD * width(executor)
    waiting: deque[Future[R]] = deque()
    try:
        for item in items:
            waiting.append(executor.submit(function, item))
            if len(waiting) >= ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except (BrokenExecutor, CancelledError):
        raise WorkersLost(_LOST) from None
    except Exception as error:
        if type(error).__module__.partition(".")[0] != "distributed":
            raise
        raise WorkersLost(f"{_LOST} ({type(error).__name__})") from None
    finally:
        if executor not in _OURS:  # those are given up as a whole, and do not like both
            for future in waiting:
                future.cancel()


# -- Processes of this machine ---------------------------------------------------------------


_OURS: WeakSet[Executor] = WeakSet()
"""Pools of processes that were started here."""


@contextmanager
def _processes(jobs: int) -> Iterator[Executor]:
    """Processes of this machine; on an error they are ended, and nothing is left behind."""
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
        with suppress(RuntimeError):  # a thread that never started can't be waited for
            pool.shutdown(wait=True, cancel_futures=True)


def _pool(jobs: int) -> Executor:
    from concurrent.futures import ProcessPoolExecutor

    try:
        return ProcessPoolExecutor(jobs, mp_context=_context(), initializer=_serve, initargs=(os.getpid(),))
    except OSError as error:
        failure = _not_started(error)
    raise failure  # out here, where what was opened for it is closed


def _start(pool: Executor) -> None:
    """Start the pool's threads and processes, out of the way of signals.

    A thread that hands out work to a process that is gone must not end the whole program, as a closed pipe
    does elsewhere; and a process that has just started must not answer Ctrl-C.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPIPE, signal.SIGINT})
    try:
        pool.submit(cores)
    except (OSError, RuntimeError) as error:  # no process, or no thread
        raise _not_started(error) from None
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _not_started(error: Exception) -> WorkersLost:
    """The system gives no more processes, threads, files or memory."""
    return WorkersLost(f"can't start worker processes: {reason(error)}; a single job needs none")


def _context() -> Any:
    """How processes start: as copies of this one where that is safe, for they start at once, else anew."""
    import multiprocessing
    import sys
    import threading

    safe = sys.platform == "linux" and threading.active_count() == 1
    return multiprocessing.get_context("fork" if safe else "spawn")


def _serve(parent: int) -> None:
    """Ctrl-C reaches all processes of a terminal: only the first one answers it, and ends the others."""
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGPIPE, signal.SIGINT})
    Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    """End when the first process is gone, however it ended: nobody collects the results any more."""
    from threading import Event

    never = Event()
    while os.getppid() == parent:
        never.wait(0.5)
    os._exit(1)


# -- Many machines ---------------------------------------------------------------------------


@contextmanager
def _dask(address: str) -> Iterator[Executor]:
    """The workers of a Dask cluster, by the address of its scheduler: `dask://HOST:PORT`."""
    if not address.startswith(DASK) or not address.removeprefix(DASK):
        raise UsageError(f"an executor is dask://HOST:PORT, not {address!r}")
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise UsageError("dask:// needs the package distributed: pip install 'sintra[dask]'") from None
    scheduler = f"tcp://{address.removeprefix(DASK)}"
    with _quiet("distributed"):
        try:
            client = distributed.Client(scheduler, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            said = str(error).splitlines()[0] if str(error) else "no answer"
            raise UsageError(f"no Dask scheduler answers at {address}: {said}") from None
        try:
            executor = client.get_executor(pure=False)
            executor.sintra_width = _members(client, address)
            yield executor
        finally:
            with suppress(Exception):  # the answer is there, or an error is told already
                client.close(timeout=PATIENCE)


def _members(client: Any, address: str) -> int:
    """How many pieces of work a cluster does at once; its workers must have what is here."""
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
        versions = set(client.run(version).values())
    except TimeoutError:
        raise UsageError(f"the Dask scheduler at {address} has no workers") from None
    except (ImportError, AttributeError) as error:
        raise UsageError(f"the workers at {address} need sintra {VERSION}, too: {error}") from None
    if versions != {VERSION}:
        raise UsageError(f"the workers at {address} have sintra {', '.join(versions)}; here it is {VERSION}")
    return sum(client.nthreads().values())


def version() -> str:
    """The version that a worker has."""
    return VERSION


@contextmanager
def _quiet(name: str) -> Iterator[None]:
    """Let a package say nothing of its own: what matters is told as an error of ours."""
    import logging

    logger = logging.getLogger(name)
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(before)
