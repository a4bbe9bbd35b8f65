"""Locks on open files: one writer at a time, and readers that wait for a half-written line."""

from __future__ import annotations

import fcntl
from contextlib import suppress

from sintra.errors import Conflict, Unreadable
from sintra.text import reason


def lock(fd: int, name: str, why: str, *, wait: bool = False) -> None:
    """Lock a file for writing; if another program holds the lock, wait or raise Conflict with the reason."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Conflict(f"{name} is locked: {why}") from None
    except OSError as error:
        raise Unreadable(f"can't lock {name}: {reason(error)}") from None


def wait_for_writer(fd: int) -> None:
    """Wait until nobody is writing to a file; on a file system without locks, go on at once."""
    with suppress(OSError):
        fcntl.flock(fd, fcntl.LOCK_SH)


def unlock(fd: int) -> None:
    """Release the lock on a file; closing it would, too."""
    with suppress(OSError):
        fcntl.flock(fd, fcntl.LOCK_UN)
