"""A bot's process: started by its keeper, asked for lines within a time limit, ended with all it started."""

from __future__ import annotations

import os
import select
import shlex
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from typing import IO

from msgspec import Struct

from sintra.bots import keeper
from sintra.bots.faults import Fault
from sintra.errors import UsageError
from sintra.text import reason

MAX_LINE_BYTES = 65_536
"""Maximum length of an answer, in bytes."""
MAX_WORDS_BYTES = 8_192
"""Maximum amount of a bot's standard error that is kept, in bytes: the end of it."""
MARGIN = 0.1
"""Seconds that an answer may be late, to allow for the pipe."""
GRACE = 1.0
"""Seconds that a bot may take to exit at the end of its input."""
PATIENCE = 10.0
"""Seconds that a keeper may take to start a bot, or to end it."""
MIB = 1 << 20


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """What a bot's process may use."""

    move_time: float = 1.0
    """Seconds for an answer."""
    init_time: float = 15.0
    """Seconds for the first answer of a process, which may have a lot to load."""
    memory: int = 2048
    """Memory, in MiB."""
    processes: int = 256
    """Processes and threads."""
    file: int = 64
    """Maximum size of a file that it writes, in MiB."""

    def __post_init__(self) -> None:
        for name in ("move_time", "init_time"):
            seconds = getattr(self, name)
            if not 0.001 <= seconds <= 86_400:
                raise UsageError(f"{name} must be from 0.001 to 86400 seconds, not {seconds:g}")
        if not 16 <= self.memory <= 1 << 20:
            raise UsageError(f"memory must be from 16 to {1 << 20} MiB, not {self.memory}")


def words_of(command: str) -> list[str]:
    """Return a command as a list of words, split as by a shell; no shell ever runs it."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"can't read the command {command!r}: {reason(error)}") from None
    if not words or not words[0]:
        raise UsageError("the command of a bot is empty: cmd:PROGRAM ARGUMENTS")
    return words


class Program:
    """A bot's process, and its pipes."""

    def __init__(self, command: str, limits: Limits) -> None:
        """Start it; raise Fault if that fails."""
        words = words_of(command)
        self.command = command
        self.limits = limits
        self.games = 0
        """How many games it has begun."""
        self.status: int | None = None
        """Its exit status, once it has ended."""
        self._answered = False
        self._rest = b""
        self._errors = b""
        self._reports = b""
        """What the keeper has reported, and nobody has read yet."""
        self._waiting = bytearray()
        self._launch(words)

    def _launch(self, words: list[str]) -> None:
        """Start the keeper, which starts the bot."""
        ours, theirs = socket.socketpair()
        limits = self.limits
        numbers = [os.getpid(), theirs.fileno(), limits.memory * MIB, limits.processes, limits.file * MIB]
        command = [sys.executable, "-I", "-S", keeper.__file__, *map(str, numbers), *words]
        pipe = subprocess.PIPE
        try:
            process = subprocess.Popen(
                command,
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                bufsize=0,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            ours.close()
            raise Fault("not-started", f"can't start it: {reason(error)}") from None
        finally:
            theirs.close()
        self._control = ours
        self._in, self._out, self._err = map(_pipe, (process.stdin, process.stdout, process.stderr))
        self._keeper = process
        for file in (self._in, self._out, self._err):
            os.set_blocking(file.fileno(), False)
        self._poller = select.poll()
        self._poller.register(self._out, select.POLLIN)
        self._poller.register(self._err, select.POLLIN)
        said = self._report()
        if said != "started":
            self._release()
            failure = said.removeprefix("failed ") or "its keeper failed"
            raise Fault("not-started", f"can't start {words[0]}: {failure[0].lower()}{failure[1:]}")

    def _report(self) -> str:
        """Return the next report of the keeper; empty if there is none."""
        self._control.settimeout(PATIENCE)
        with suppress(OSError):
            while b"\n" not in self._reports and (more := self._control.recv(256)):
                self._reports += more
        line, _, self._reports = self._reports.partition(b"\n")
        return line.decode("utf-8", "replace")

    @property
    def last_words(self) -> str:
        """The end of its standard error in this game."""
        if self._keeper.returncode is None:
            self._listen(0)
        return self._errors.decode("utf-8", "replace")

    def forget_words(self) -> None:
        """Discard what was kept of standard error."""
        self._errors = b""

    # -- Talking --

    def tell(self, lines: bytes) -> None:
        """Send lines no later than the next question, without waiting for the bot to read them."""
        self._waiting += lines

    def flush(self) -> None:
        """Send as much of the waiting data as the bot's pipe has room for."""
        with suppress(OSError):
            del self._waiting[: _write(self._in.fileno(), self._waiting)]

    def ask(self, question: bytes) -> str:
        """Send a question; return the answer. Raise Fault if none arrives in time."""
        self._check_quiet()
        seconds = self.limits.move_time
        if not self._answered:
            seconds = max(seconds, self.limits.init_time)
        end = time.monotonic() + seconds + MARGIN
        self._waiting += question
        self._send(end, seconds)
        line = self._line(end, seconds)
        self._answered = True
        return line

    def hear_nothing(self, seconds: float) -> None:
        """Wait; raise Fault if the bot prints anything, or ends."""
        end = time.monotonic() + seconds
        while not self._listen(left := max(0.0, end - time.monotonic())) and left:
            pass
        self._check_quiet()

    def _check_quiet(self) -> None:
        """Raise Fault if the bot has printed anything without being asked."""
        if not self._rest and self._listen(0):
            with suppress(BlockingIOError):
                self._rest = os.read(self._out.fileno(), MAX_LINE_BYTES)
                if not self._rest:
                    raise self._ended()
        if self._rest:
            text = self._rest.decode("utf-8", "replace")
            raise Fault("unasked", f"it printed {_quoted(text)} without being asked")

    def _send(self, end: float, seconds: float) -> None:
        """Write what is waiting to be sent."""
        fd = self._in.fileno()
        while self._waiting:
            try:
                del self._waiting[: _write(fd, self._waiting)]
            except BlockingIOError:  # the pipe is full
                if time.monotonic() > end:
                    raise self._slow(seconds, "it does not read its input") from None
                self._listen(0)
                ready = select.poll()
                ready.register(fd, select.POLLOUT)
                ready.poll(20)
            except OSError:
                raise self._ended("input") from None

    def _line(self, end: float, seconds: float) -> str:
        """Return the next line that the bot prints."""
        data = b""
        while b"\n" not in data:
            left = end - time.monotonic()
            if left <= 0:
                more = (
                    f"it printed {_quoted(data.decode('utf-8', 'replace'))} without a newline" if data else ""
                )
                raise self._slow(seconds, more)
            if self._listen(left):
                try:
                    more_data = os.read(self._out.fileno(), MAX_LINE_BYTES)
                except BlockingIOError:
                    continue
                if not more_data:
                    raise self._ended()
                data += more_data
            if len(data.partition(b"\n")[0]) > MAX_LINE_BYTES:
                raise Fault("too-long", f"its answer is longer than {MAX_LINE_BYTES} bytes")
        line, _, self._rest = data.partition(b"\n")
        try:
            return line.decode().strip()
        except UnicodeDecodeError:
            raise Fault("not-understood", f"its answer is not UTF-8: {line[:40]!r}") from None

    def _listen(self, seconds: float) -> bool:
        """Wait for output; keep standard error. Return True if there is something on standard output."""
        found = False
        for fd, _ in self._poller.poll(max(0, int(seconds * 1000 + 0.999))):
            if fd == self._out.fileno():
                found = True
            else:
                self._keep_errors()
        return found

    def _keep_errors(self) -> None:
        with suppress(BlockingIOError):
            data = os.read(self._err.fileno(), MAX_LINE_BYTES)
            self._errors = (self._errors + data)[-MAX_WORDS_BYTES:]
            if not data:
                self._poller.unregister(self._err)

    def _slow(self, seconds: float, more: str) -> Fault:
        name, what = ("too-slow", "no answer") if self._answered else ("not-ready", "no first answer")
        text = f"{what} in {seconds:g} s (and {MARGIN:g} s of margin)"
        return Fault(name, f"{text}; {more}" if more else text)

    def _ended(self, closed: str = "output") -> Fault:
        """Return the fault of a bot that has closed a pipe: with its status if it has ended, too."""
        left = self._left(GRACE)
        self.kill()
        status = self.status
        if not left or status is None:
            return Fault("ended", f"it closed its {closed}")
        how = f"signal {-status}" if status < 0 else f"exit code {status}"
        return Fault("ended", f"it ended with {how}")

    # -- Ending --

    def close(self) -> bool:
        """Close the bot's input, then end it; return True if it exited by itself."""
        if self._keeper.returncode is not None:
            return True
        with suppress(Fault):
            self._send(time.monotonic() + MARGIN, 0)
        with suppress(OSError):
            self._in.close()
        left = self._left(GRACE)
        self._finish()
        return left

    def _left(self, seconds: float) -> bool:
        """Return True if the keeper reports in time that the bot has ended; read what it prints meanwhile."""
        if self._reports:
            return True
        end = time.monotonic() + seconds
        poller = select.poll()
        poller.register(self._control, select.POLLIN)
        while (left := end - time.monotonic()) > 0:
            if poller.poll(min(20, int(left * 1000) + 1)):
                return True
            with suppress(BlockingIOError):
                while self._listen(0) and os.read(self._out.fileno(), MAX_LINE_BYTES):
                    pass
        return False

    def kill(self) -> None:
        """End the bot at once, with everything it started."""
        if self._keeper.returncode is None:
            with suppress(OSError):
                self._control.send(b"kill\n", getattr(socket, "MSG_NOSIGNAL", 0))
            self._finish()

    def _finish(self) -> None:
        """Wait until the keeper has ended everything, and release the pipes."""
        with suppress(OSError):
            self._control.shutdown(socket.SHUT_WR)
        said = self._report()
        if said.startswith("ended "):
            self.status = int(said.removeprefix("ended "))
        self._listen(0)
        self._release()

    def _release(self) -> None:
        for file in (self._in, self._out, self._err, self._control):
            with suppress(OSError):
                file.close()
        try:
            self._keeper.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._keeper.kill()
            self._keeper.wait()


def _write(fd: int, data: bytearray) -> int:
    """Write to a pipe; if the reader is gone, that must not end this program."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPIPE})
    try:
        return os.write(fd, data)
    except BrokenPipeError:
        if signal.SIGPIPE not in before and signal.SIGPIPE in signal.sigpending():
            signal.sigwait({signal.SIGPIPE})
        raise
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _pipe(file: IO[bytes] | None) -> IO[bytes]:
    assert file is not None
    return file


def _quoted(text: str) -> str:
    """Return what a bot printed, shortened."""
    return repr(text if len(text) <= 60 else f"{text[:60]}…")
