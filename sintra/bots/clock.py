"""The clock, for bots that think for a given time: nothing else in the engine depends on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from time import perf_counter, thread_time

Clock = Callable[[], float]
"""Returns seconds since some moment."""

MUCH = 1e6
"""Seconds that are later than any deadline."""

_latest = [inf]
"""When a referee wants the next answer, on the clock on the wall."""


def clock(cpu: bool) -> Clock:
    """Return the clock on the wall, or that of the processor, which stands still while others use it."""
    return thread_time if cpu else perf_counter


@contextmanager
def answering_within(seconds: float) -> Iterator[None]:
    """Let bots that can tell how long they think answer within so many seconds from now."""
    before = _latest[0]
    _latest[0] = perf_counter() + seconds
    try:
        yield
    finally:
        _latest[0] = before


def deadline(seconds: float, cpu: bool) -> tuple[Clock | None, float]:
    """Return the clock for a choice that begins now, and the moment on it when thinking has to end.

    No `seconds` are as many as a referee allows; without a referee, there is no clock.
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
