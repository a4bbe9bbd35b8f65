"""A limit of time for choices of bots that are Python functions, where one was asked for."""

from __future__ import annotations

import faulthandler
import os
import signal
import threading
from collections.abc import Callable
from typing import TypeVar

from sintra.bots.faults import Fault

T = TypeVar("T")

MARGIN = 1.0
"""Seconds after which a worker ends whose bot never returns to Python."""

_limit: list[float | None] = [None]
_worker: list[int] = []
"""In a worker: where its last traceback goes, which nobody reads."""


class _TooSlow(BaseException):
    """The time is over; a bot that handles errors does not catch it by mistake."""


def limit_choices(seconds: float | None, worker: bool = False) -> None:
    """Set the time for each choice, in seconds, for this process; a worker may be ended for it."""
    _limit[0] = seconds
    if worker and seconds is not None and not _worker:
        _worker.append(os.pipe()[1])


def limit() -> float | None:
    """Return the time for each choice, in seconds; None if there is no limit."""
    return _limit[0]


def in_time(name: str, call: Callable[[], T]) -> T:
    """Return what a bot chooses; raise Fault if it takes longer than it may."""
    seconds = _limit[0]
    if seconds is None or threading.current_thread() is not threading.main_thread():
        return call()
    if _worker:
        faulthandler.dump_traceback_later(seconds + MARGIN, exit=True, file=_worker[0])
    before = signal.signal(signal.SIGALRM, _over)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        return call()
    except _TooSlow:
        what = f"took longer than {seconds:g} seconds"
        raise Fault("too-slow", f"it {what}", f"the bot {name} {what}") from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if _worker:
            faulthandler.cancel_dump_traceback_later()


def _over(*_: object) -> None:
    raise _TooSlow
