"""The keeper of a bot's process: starts it, and ends it together with everything it started.

It runs as a separate program, by path and without the rest of the package:

    keeper.py PARENT CONTROL MEMORY PROCESSES FILE COMMAND...

The bot gets the keeper's standard streams and its own session. CONTROL is a socket: the keeper reports
`started` or `failed REASON`, and `ended STATUS` when no process is left. On `kill`, or if the socket closes
or the parent is gone, it ends the bot at once. Where the system supports it, the keeper uses a process
descriptor, and reaps whatever the bot leaves behind, however deep.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import socket
import sys
from contextlib import suppress

SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER: orphans below this process become its children."""
PATIENCE = 0.5
"""Seconds between checks that the parent is still alive."""
TERM_TIME = 0.2
"""Seconds between asking a bot to end and ending it."""
ATTEMPTS = 400
"""Number of attempts to find remaining processes, at most 5 ms apart."""


def main(words: list[str]) -> None:
    """Keep one bot."""
    parent, control = int(words[0]), socket.socket(fileno=int(words[1]))
    control.set_inheritable(False)
    limits, command = [int(word) for word in words[2:5]], words[5:]
    _adopt()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    pid, failure = _start(command, limits)
    if failure:
        _report(control, f"failed {failure}")
        return
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):  # the pipes are the bot's alone
        os.dup2(null, fd)
    _report(control, "started")
    status = _wait(pid, parent, control)
    _end_all(pid)
    _report(control, f"ended {status if status is not None else _status(pid)}")


def _adopt() -> None:
    """Become the parent of orphaned descendants, where the system supports that."""
    if sys.platform == "linux":
        with suppress(Exception):  # no libc by this name, no ctypes: the session must suffice
            import ctypes

            ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)


def _report(control: socket.socket, text: str) -> None:
    with suppress(OSError):  # nobody is listening any more
        control.sendall(f"{text}\n".encode())


def _start(command: list[str], limits: list[int]) -> tuple[int, str]:
    """Start the bot; return its process ID, or why it could not be started."""
    seen, said = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGTERM):
                signal.signal(number, signal.SIG_DFL)
            _limit(*limits)
            os.execvp(command[0], command)
        except BaseException as error:
            text = (error.strerror if isinstance(error, OSError) else None) or str(error)
            os.write(said, text.encode("utf-8", "replace"))
        finally:
            os._exit(127)
    os.close(said)
    failure = b"".join(iter(lambda: os.read(seen, 4096), b"")).decode()
    os.close(seen)
    if failure:
        os.waitpid(pid, 0)
    return pid, failure


def _limit(memory: int, processes: int, file: int) -> None:
    """Limit what the bot may use, never above this process's own limits."""
    wanted = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: file,
        resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS: memory,
        resource.RLIMIT_NPROC: processes + _running(),
    }
    for kind, number in wanted.items():
        with suppress(OSError, ValueError):  # a system without this limit
            most = resource.getrlimit(kind)[1]
            number = number if most == resource.RLIM_INFINITY else min(number, most)
            resource.setrlimit(kind, (number, number))


def _running() -> int:
    """Return the number of this user's threads: the system counts them all against the limit."""
    count = 0
    for name in _processes() if os.getuid() else []:  # root has no limit
        with suppress(OSError):
            if os.stat(f"/proc/{name}").st_uid == os.getuid():
                count += len(os.listdir(f"/proc/{name}/task"))
    return count


def _wait(pid: int, parent: int, control: socket.socket) -> int | None:
    """Wait until the bot has ended or has to be ended; return its status if it has ended."""
    poller = select.poll()
    poller.register(control, select.POLLIN)
    pause = 20
    with suppress(OSError, AttributeError):  # without a descriptor, poll
        poller.register(os.pidfd_open(pid), select.POLLIN)
        pause = int(PATIENCE * 1000)
    while os.getppid() == parent:
        for fd, _ in poller.poll(pause):
            if fd == control.fileno():
                if control.recv(64) != b"kill\n":  # the parent has closed it: the bot may say good-bye
                    _terminate(pid)
                return None
        status = _status(pid, os.WNOHANG)
        if status is not None:
            return status
    return None


def _terminate(pid: int) -> None:
    """Ask the bot to end, and give it a moment."""
    with suppress(OSError):
        os.killpg(pid, signal.SIGTERM)
    poller = select.poll()
    with suppress(OSError, AttributeError):
        poller.register(os.pidfd_open(pid), select.POLLIN)
        poller.poll(int(TERM_TIME * 1000))


def _status(pid: int, how: int = 0) -> int | None:
    """Return the exit status of the bot, negative for a signal; None if it still runs."""
    try:
        found, status = os.waitpid(pid, how)
    except ChildProcessError:
        return 0
    return os.waitstatus_to_exitcode(status) if found else None


def _end_all(pid: int) -> None:
    """End the bot and everything that it started; return when nothing is left."""
    for attempt in range(ATTEMPTS):
        with suppress(OSError):
            os.killpg(pid, signal.SIGKILL)
        children = _children()
        for child in children:
            with suppress(OSError):
                os.kill(child, signal.SIGKILL)
        for child in children:
            if child != pid:  # its status is reported
                _status(child, os.WNOHANG)
        if not set(children) - {pid}:
            return
        select.poll().poll(min(attempt, 5))


def _children() -> list[int]:
    """Return the children of this process, orphans included, where the system shows them."""
    try:
        with open("/proc/thread-self/children") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return [int(name) for name in _processes() if _parent(name) == os.getpid()]


def _processes() -> list[str]:
    try:
        return [name for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []


def _parent(name: str) -> int:
    try:
        with open(f"/proc/{name}/stat") as file:
            return int(file.read().rpartition(")")[2].split()[1])
    except OSError:
        return 0


if __name__ == "__main__":
    main(sys.argv[1:])
