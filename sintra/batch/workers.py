"""Workers: this process, processes of this machine, or a cluster of many.

All parallel work goes through a `concurrent.futures.Executor`, so that any engine that has one can do it.
`workers` gives one for a number of jobs or the address of a cluster; `spread` hands work to it, piece by
piece.
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
"""Maximum time for a cluster to answer, in seconds."""
AHEAD = 4
"""Maximum number of pieces of work per worker that are handed out and not collected."""


class Here(Executor):
    """An executor that works at once, in this process."""

    def submit(self, fn: Callable[..., R], /, *args: Any, **kwargs: Any) -> Future[R]:
        """Do the work, and return it done."""
        future: Future[R] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def cores() -> int:
    """Return the number of processes that this machine can run at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


@contextmanager
def workers(jobs: int | None = None, address: str | None = None) -> Iterator[Executor]:
    """Yield an executor: a number of processes (default: one per core), or the workers of a cluster.

    An error in the block, or Ctrl-C, abandons the work under way at once.
    """
    check(jobs, address)
    if address is not None:
        with _dask(address) as executor:
            yield executor
    elif (jobs or cores()) == 1:
        yield Here()
    else:
        with _processes(jobs or cores()) as executor:
            yield executor


def check(jobs: object, executor: object) -> None:
    """Raise UsageError if there can't be such workers."""
    if jobs is not None and (type(jobs) is not int or jobs < 1):
        raise UsageError(f"jobs must be a whole number of at least 1, not {jobs!r}")
    if executor is not None and not isinstance(executor, str | Executor):
        raise UsageError(
            f"executor must be a concurrent.futures.Executor or dask://HOST:PORT, not {executor!r}"
        )


@contextmanager
def given(executor: Executor | str | None, jobs: int | None) -> Iterator[Executor]:
    """Yield the executor that was passed in, which is left open, or a new one."""
    if isinstance(executor, Executor):
        yield executor
        return
    with workers(jobs, executor) as own:
        yield own


def is_remote(executor: Executor | str) -> bool:
    """Return True if the workers may be on other machines, without the files of this one."""
    return type(executor).__module__.partition(".")[0] not in ("sintra", "concurrent")


def width(executor: Executor) -> int:
    """Return the number of pieces of work that an executor does at once, as far as it is known."""
    if isinstance(executor, Here):
        return 1
    known = getattr(executor, "_max_workers", None) or getattr(executor, "sintra_width", None)
    return known if isinstance(known, int) else cores()


_LOST = "a worker process died; its machine may be out of memory, or somebody killed it"


def spread(executor: Executor, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
    """Yield the results for all items, in order.

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
        if executor not in _OURS:  # those are abandoned as a whole, and cope badly with both
            for future in waiting:
                future.cancel()


# -- Processes of this machine ---------------------------------------------------------------


_OURS: WeakSet[Executor] = WeakSet()
"""Pools of processes that this module started."""


@contextmanager
def _processes(jobs: int) -> Iterator[Executor]:
    """Yield processes of this machine; kill them on an error, so that none is left behind."""
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
        return ProcessPoolExecutor(jobs, mp_context=_context(), initializer=_serve, initargs=(os.getpid(),))
    except OSError as error:
        failure = _not_started(error)
    raise failure  # out here, where the pool's open files are closed


def _start(pool: Executor) -> None:
    """Start the pool's threads and processes with signals blocked.

    A thread that writes to a dead process must not end the program, as a closed pipe does elsewhere; and a
    process that has just started must not answer Ctrl-C.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPIPE, signal.SIGINT})
    try:
        pool.submit(cores)
    except (OSError, RuntimeError) as error:  # no process, or no thread
        raise _not_started(error) from None
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _not_started(error: Exception) -> WorkersLost:
    """Return the error for a system that is out of processes, threads, files or memory."""
    return WorkersLost(f"can't start worker processes: {reason(error)}; one job needs none")


def _context() -> Any:
    """Return how processes start: as forks where that is safe, for they start at once, else anew."""
    import multiprocessing
    import sys
    import threading

    safe = sys.platform == "linux" and threading.active_count() == 1
    return multiprocessing.get_context("fork" if safe else "spawn")


def _serve(parent: int) -> None:
    """Ignore Ctrl-C, which reaches all processes of a terminal: the parent answers it, and kills these."""
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGPIPE, signal.SIGINT})
    Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    """Exit when the parent is gone, however it ended: nobody collects the results any more."""
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
            with suppress(Exception):  # the answer is there, or an error is raised already
                client.close(timeout=PATIENCE)


def _members(client: Any, address: str) -> int:
    """Return the number of pieces of work that a cluster does at once; check that its workers have sintra."""
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
        versions = set(client.run(version).values())
    except TimeoutError:
        raise UsageError(f"the Dask scheduler at {address} has no workers") from None
    except (ImportError, AttributeError) as error:
        raise UsageError(f"the workers at {address} need sintra {VERSION}: {error}") from None
    if versions != {VERSION}:
        raise UsageError(f"the workers at {address} have sintra {', '.join(versions)}; this is {VERSION}")
    return sum(client.nthreads().values())


def version() -> str:
    """Return the version of sintra that a worker has."""
    return VERSION


@contextmanager
def _quiet(name: str) -> Iterator[None]:
    """Silence a package's log: what matters is raised as an error."""
    import logging

    logger = logging.getLogger(name)
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(before)
