"""An optional time limit for the choices of bots that are Python functions."""

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
"""Seconds over the limit after which a worker is ended, if its bot never returns to Python."""

_limit: list[float | None] = [None]
_worker: list[int] = []
"""In a worker: the file for its last traceback, which nobody reads."""


class _TooSlow(BaseException):
    """The time is up; not an Exception, so that bots do not catch it by mistake."""


def limit_choices(seconds: float | None, worker: bool = False) -> None:
    """Set the time limit for each choice in this process, in seconds; a worker that exceeds it may end."""
    _limit[0] = seconds
    if worker and seconds is not None and not _worker:
        _worker.append(os.pipe()[1])


def limit() -> float | None:
    """Return the time limit for each choice, in seconds; None if there is none."""
    return _limit[0]


def in_time(name: str, call: Callable[[], T]) -> T:
    """Return what a bot chooses; raise Fault if it takes too long."""
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
