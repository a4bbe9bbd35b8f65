"""The clock, for bots that think for a given time; nothing else in the engine depends on time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from time import perf_counter, thread_time

Clock = Callable[[], float]
"""Returns seconds since a fixed moment."""

MUCH = 1e6
"""A time beyond any deadline, in seconds."""

_latest = [inf]
"""When a referee needs the next answer, in wall-clock time."""


def clock(cpu: bool) -> Clock:
    """Return the wall clock, or the CPU clock, which stops while other processes run."""
    return thread_time if cpu else perf_counter


@contextmanager
def answering_within(seconds: float) -> Iterator[None]:
    """Make bots that watch the clock answer within this many seconds from now."""
    before = _latest[0]
    _latest[0] = perf_counter() + seconds
    try:
        yield
    finally:
        _latest[0] = before


def deadline(seconds: float, cpu: bool) -> tuple[Clock | None, float]:
    """Return the clock for a choice that begins now, and the time when thinking has to end.

    Without `seconds`, the referee's limit applies; without a referee either, there is no clock.
    """
    latest = _latest[0]
    if not seconds:
        return (None, inf) if latest == inf else (perf_counter, latest)
    own = clock(cpu)
    end = own() + seconds
    if latest == inf:
        return own, end
    if not cpu:
        return own, min(end, latest)
    return (lambda: thread_time() if perf_counter() < latest else end + MUCH), end
