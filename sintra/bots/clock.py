"""The clock, for bots that think for a given time: nothing else in the engine depends on it."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter, thread_time

Clock = Callable[[], float]
"""Returns seconds since some moment."""


def clock(cpu: bool) -> Clock:
    """Return the clock on the wall, or that of the processor, which stands still while others use it."""
    return thread_time if cpu else perf_counter
