"""A layer between `sintra.log` and the system, and the program run as a forked process above it.

`sintra.log` is the only module that opens files, and it reaches the system by `os` and `fcntl` alone.
`watch` puts stand-ins in their place: every call is numbered, from 1, and handed to a hook, which may let
it through, kill the process before or after it, let a write be cut short, or raise an error.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import gc
import io
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import typer

from sintra import cli
from sintra.cli import app, commands
from sintra.log import files, lines, locking, writing

CALLS = (
    *("open", "close", "read", "pread", "write", "fsync", "fstat", "stat", "ftruncate"),
    *("link", "replace", "unlink", "fchmod", "fchown"),
)
"""What `sintra.log` calls in `os`; a test checks that it opens and writes by nothing else."""


class Call(NamedTuple):
    """A call to the system on its way."""

    number: int
    name: str
    args: tuple[Any, ...]
    through: Callable[..., Any]
    """The call itself."""

    def go(self) -> Any:
        """Let it through as it is."""
        return self.through(*self.args)

    def part(self, count: int) -> Any:
        """Of a write, let only the first bytes through."""
        fd, data = self.args
        return self.through(fd, bytes(data)[:count])


Hook = Callable[[Call], Any]


class _StandIn:
    """A module, some of whose functions go through a hook."""

    def __init__(self, real: Any, names: tuple[str, ...], hook: Hook, numbers: Iterator[int]) -> None:
        self._real = real
        for name in names:
            setattr(self, name, self._wrapped(name, getattr(real, name), hook, numbers))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    @staticmethod
    def _wrapped(name: str, real: Any, hook: Hook, numbers: Iterator[int]) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            return hook(Call(next(numbers), name, args, real))

        return call


class _Room:
    """The modules of `sintra.log` that reach the system, as if they were one."""

    def __init__(self, *modules: Any) -> None:
        self.__dict__["modules"] = modules

    def __getattr__(self, name: str) -> Any:
        return next(getattr(module, name) for module in self.modules if hasattr(module, name))

    def __setattr__(self, name: str, value: Any) -> None:
        for module in self.modules:
            if hasattr(module, name):
                setattr(module, name, value)


LOG: Any = _Room(writing, files, lines, locking)


def watch(hook: Hook) -> None:
    """Route all calls of `sintra.log` through a hook, in this process, from now on."""
    numbers = iter(range(1, 1 << 30))
    LOG.os = _StandIn(os, CALLS, hook, numbers)
    LOG.fcntl = _StandIn(fcntl, ("flock",), hook, numbers)


@contextlib.contextmanager
def watched(hook: Hook) -> Iterator[None]:
    """Do the same for the length of a block."""
    watch(hook)
    try:
        yield
    finally:
        unwatch()


def unwatch() -> None:
    """Route calls straight to the system again."""
    LOG.os, LOG.fcntl = os, fcntl


def die() -> NoReturn:
    """End at once, as if by a power switch: no handlers, no clean-up."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("a process survived SIGKILL")


# -- The program -----------------------------------------------------------------------------


class Ended(NamedTuple):
    """How a run of the program ended; a negative code is the signal that killed it."""

    code: int
    out: bytes
    err: str

    def __str__(self) -> str:
        said = (self.err or self.out.decode(errors="replace")).strip()
        return f"exit code {self.code}" + (f" ({said.splitlines()[-1][:120]})" if said else "")


def sintra(
    *words: str,
    cwd: Path,
    hook: Hook | None = None,
    stdin: bytes = b"",
    before: Callable[[], None] | None = None,
) -> Ended:
    """Run `sintra WORDS` in a forked process, with a hook on its calls."""
    warm()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as typed:
        typed.write(stdin)
        typed.seek(0)
        pid = os.fork()
        if pid == 0:
            _child(words, cwd, hook, before, (typed.fileno(), out.fileno(), err.fileno()))
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        out.seek(0)
        err.seek(0)
        ended = Ended(code, out.read(), err.read().decode())
    assert "Traceback" not in ended.err, f"sintra {' '.join(words)}: {ended.err}"
    return ended


def _child(
    words: tuple[str, ...],
    cwd: Path,
    hook: Hook | None,
    before: Callable[[], None] | None,
    streams: tuple[int, int, int],
) -> NoReturn:
    code = 99
    try:
        for number, fd in enumerate(streams):
            os.dup2(fd, number)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.chdir(cwd)
        if before is not None:
            before()
        unwatch()  # a process that forks at a call is watched itself
        if hook is not None:
            watch(hook)
        code = main(words, streams=True)
    except BaseException:
        import traceback

        os.write(2, traceback.format_exc().encode())
    finally:
        os._exit(code)


def main(words: tuple[str, ...], streams: bool = False) -> int:
    """Run the program's own entry in this process; `streams` makes new ones of the open files 0, 1 and 2."""
    if streams:
        sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False), encoding="utf-8")
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(io.FileIO(1, "w", closefd=False)), encoding="utf-8", write_through=False
        )
        sys.stderr = io.TextIOWrapper(
            io.BufferedWriter(io.FileIO(2, "w", closefd=False)), encoding="utf-8", write_through=True
        )
    sys.argv = ["sintra", *words]
    try:
        cli.main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


def calmly(*words: str, cwd: Path) -> Ended:
    """Run `sintra WORDS` in this process, which is faster, if nothing is meant to go wrong."""
    kept = sys.stdin, sys.stdout, sys.stderr, sys.argv
    at_closed_pipes = signal.getsignal(signal.SIGPIPE)
    out, err = io.BytesIO(), io.BytesIO()
    sys.stdin = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(out, encoding="utf-8")
    sys.stderr = io.TextIOWrapper(err, encoding="utf-8")
    try:
        with contextlib.chdir(cwd):
            code = main(words)
        return Ended(code, out.getvalue(), err.getvalue().decode())
    finally:
        sys.stdin, sys.stdout, sys.stderr, sys.argv = kept
        signal.signal(signal.SIGPIPE, at_closed_pipes)  # of which the program dies, but no campaign


@functools.cache
def warm() -> None:
    """Create every command's parser once, so that forked processes have it."""
    main_module: Any = typer.main
    app_module: Any = app
    main_module.get_command = functools.cache(typer.main.get_command)
    program = app.program
    made = functools.cache(lambda name: program([name]))
    app_module.program = lambda words: (
        made(words[0]) if words and words[0] in commands.COMMANDS else program(words)
    )
    for name in commands.COMMANDS:
        main_module.get_command(app_module.program([name]))
    gc.freeze()  # forks are cheaper


class Trace:
    """A hook that lets everything through, and writes down what was called, in a file."""

    def __init__(self, path: Path, through: Hook = Call.go) -> None:
        self.path, self._through = path, through
        path.write_text("")
        self._names: dict[int, str] = {}

    def __call__(self, call: Call) -> Any:
        first = call.args[0]
        what = self._names.get(first, "?") if isinstance(first, int) else str(first)
        size = len(call.args[1]) if call.name == "write" else 0
        with self.path.open("a") as file:
            file.write(f"{call.name}\t{what}\t{size}\n")
        result = self._through(call)
        if call.name == "open":
            self._names[result] = what
        return result

    def calls(self) -> list[tuple[str, str, int]]:
        """Name, file and size of every call."""
        rows = [line.split("\t") for line in self.path.read_text().splitlines()]
        return [(name, what, int(size)) for name, what, size in rows]
