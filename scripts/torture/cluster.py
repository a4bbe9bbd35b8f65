"""A hostile cluster on loopback: servers that are no scheduler, workers and schedulers that die.

Every command ends within 30 seconds, with exit code 4 and a message, without a traceback.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

from sintra import api

SECONDS = 30
"""Within which a command ends."""
SINTRA = str(Path(sys.executable).parent / "sintra")
BUSY = "import time\n\ndef bot(state, stream):\n    time.sleep(0.05)\n    return state.legal()[0]\n"
COMMANDS = (
    ("simulate", "200", "--rules", "azul", "--bots", "busy:bot", "--seed", "1", "--out", "run"),
    ("verify", *["game.log"] * 9),
    ("tournament", "league", "--bots", "busy:bot,random", "--deals", "50", "--rules", "azul", "--seed", "1"),
)


def _forever(line: socket.socket, data: bytes, pause: float) -> None:
    while True:
        line.sendall(data)
        time.sleep(pause)


def _echo(line: socket.socket) -> None:
    while data := line.recv(65536):
        line.sendall(data)


SERVERS: dict[str, Callable[[socket.socket], object]] = {
    "silent": lambda _: None,
    "closes at once": lambda line: line.close(),
    "garbage": lambda line: _forever(line, os.urandom(4096), 0.01),
    "drips": lambda line: _forever(line, b"\x01", 1),
    "zeros": lambda line: line.sendall(b"\0" * 100_000),
    "huge lengths": lambda line: line.sendall(b"\xff" * 8 + b"\x7f" * 64),
    "speaks HTTP": lambda line: line.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n"),
    "echo": _echo,
}
"""What a server does with everybody who connects."""


def run(scale: float, scratch: Path) -> dict[str, int | str]:
    """Meet all servers, and let workers and schedulers die."""
    if find_spec("distributed") is None:
        return {"hostile clusters": "skipped: no distributed"}
    servers = list(SERVERS)[: None if scale >= 1 else 1]
    commands = COMMANDS if scale >= 1 else COMMANDS[:1]
    cases = [(name, words) for name in servers for words in commands]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda case: met(scratch / f"{case[0]} {case[1][0]}", *case), cases))
    figures: dict[str, int | str] = {"meetings with a server that is no scheduler": len(cases)}
    if scale >= 1:
        for what, victim in (("the last worker dies", "worker"), ("the scheduler dies", "scheduler")):
            for words in (COMMANDS[0], COMMANDS[2]):
                died(scratch / f"{what} {words[0]}", words, victim)
            figures[f"runs in which {what}"] = 2
    return {**figures, "seconds until the end, at most": SECONDS}


def met(folder: Path, name: str, words: tuple[str, ...]) -> None:
    """Have a command meet a server."""
    _laid(folder)
    with socket.create_server(("127.0.0.1", 0)) as server:
        kept: list[socket.socket] = []

        def serve(line: socket.socket) -> None:
            with contextlib.suppress(OSError):
                SERVERS[name](line)

        def accept() -> None:
            with contextlib.suppress(OSError):
                while True:
                    kept.append(server.accept()[0])
                    threading.Thread(target=serve, args=(kept[-1],), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        process = _started(folder, words, server.getsockname()[1])
        _check(process, f"{name}, {words[0]}")
        for line in kept:
            line.close()


def died(folder: Path, words: tuple[str, ...], victim: str) -> None:
    """Kill the last worker, or the scheduler, while a command works."""
    _laid(folder)
    with _cluster(folder) as (port, members):
        process = _started(folder, words, port)
        time.sleep(8)  # connected and at work, also on a busy machine
        assert process.poll() is None, process.communicate()
        members[victim].kill()
        _check(process, f"{victim}, {words[0]}")


def _laid(folder: Path) -> None:
    folder.mkdir()
    api.new("azul", seed=1).save(folder / "game.log")
    (folder / "busy.py").write_text(BUSY)


def _started(folder: Path, words: tuple[str, ...], port: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [SINTRA, *words, "--executor", f"dask://127.0.0.1:{port}"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def _check(process: subprocess.Popen[str], what: str) -> None:
    """Check how a command ends."""
    try:
        _, said = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise AssertionError(f"{what}: no end after {SECONDS} seconds") from None
    assert process.returncode == 4, f"{what}: exit code {process.returncode}: {said[-800:]}"
    assert "Traceback" not in said, f"{what}: {said[-800:]}"
    assert "sintra: " in said, f"{what}: {said[-800:]}"


@contextlib.contextmanager
def _cluster(folder: Path) -> Iterator[tuple[int, dict[str, subprocess.Popen[bytes]]]]:
    """A real scheduler with one worker, which nobody starts again."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    here = f"tcp://127.0.0.1:{port}"
    commands = {
        "scheduler": ["dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"],
        "worker": [
            "dask_worker",
            here,
            "--no-nanny",
            "--no-dashboard",
            "--nthreads",
            "1",
            "--death-timeout",
            "60",
        ],
    }
    members: dict[str, subprocess.Popen[bytes]] = {}
    try:
        for name, (module, *words) in commands.items():
            call = [sys.executable, "-m", f"distributed.cli.{module}", *words]
            environment = {**os.environ, "PYTHONPATH": str(folder)}
            members[name] = subprocess.Popen(
                call, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
        yield port, members
    finally:
        for member in members.values():
            member.kill()
            member.wait()
