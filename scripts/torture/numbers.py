"""Numbers at their ends: every option and argument that takes a number, of every command.

A command ends with an answer or with a message, never with a traceback; what is refused changes no file. A
command that has a lot to do now is stopped by Ctrl-C, at once, and has not taken much memory.
"""

from __future__ import annotations

import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sintra import api
from sintra.cli import commands
from sintra.cli.options import Argument
from sintra.cli.plain import described, spellings

ENDS = (0, -1, 1, 2**31, 2**63, 10**30, -(2**63), "1.5", "nan", "inf", "1e400", "0x10", "")
"""What is given as a number."""
SECONDS = 4
"""After which a command that still works is stopped."""
PATIENCE = 60
MEMORY = 3 << 30
"""Bytes of address space that a command has."""

LOG = "game.log"
BASE: dict[str, tuple[str, ...]] = {
    "new": ("--seed", "1"),
    "move": (LOG, "pick", "3", "pink"),
    "note": (LOG, "a remark"),
    "diff": (LOG, LOG),
    "verify": (LOG, LOG),
    "stats": (LOG, LOG),
    "deal": ("table.log", "x"),
    "arrange": ("table.log", "x"),
    "rules": ("azul", "--test"),
    "help": (),
    "schema": (),
    "learn": ("azul",),
    "play": ("new.log", "--plain"),
    "draw": (LOG, "-o", "table.png"),
    "simulate": ("--bots", "random", "--max-rounds", "2"),
    "tournament": ("league", "--bots", "random,greedy", "--max-rounds", "1", "--deals", "1"),
    "ratings": ("league",),
    "bot": ("check", "cat", "--init-time", "1"),
    "puzzle": (LOG, "--nodes", "1"),
    "analyze": (LOG, "--nodes", "1", "-o", "-"),
}
"""What a command needs to do its work; all others take a log."""


def run(scale: float, scratch: Path) -> dict[str, int | str]:
    """Call every command with every number in every place."""
    cases = list(calls())[:: 1 if scale >= 1 else 40]
    with ThreadPoolExecutor(2) as pool:
        codes = list(pool.map(lambda case: ended(scratch / str(case[0]), case[1]), enumerate(cases)))
    taken = sum(len(number_parameters(name)) for name in commands.COMMANDS)
    return {
        "numbers that commands take": taken,
        "calls with a number at its end": len(cases),
        "of them refused": sum(code == 2 for code in codes),
        "stopped by Ctrl-C, at once": sum(code in (130, -signal.SIGINT) for code in codes),
    }


def number_parameters(name: str) -> list[tuple[str, bool]]:
    """Return how a command names its numbers, and whether each is an argument."""
    return [
        (next(iter(spellings(known)), ("", 0))[0], isinstance(known.about, Argument))
        for known in described(commands.load(name))
        if known.kind in (int, float)
    ]


def calls() -> Iterator[list[str]]:
    """Yield the words of every call."""
    for name in commands.COMMANDS:
        base = BASE.get(name, (LOG,))
        for option, argument in number_parameters(name):
            for end in ENDS:
                yield [name, *base, "--", str(end)] if argument else [name, *base, f"{option}={end}"]


def ended(folder: Path, words: list[str]) -> int:
    """Run a call in a folder of its own; check how it ends, and return its exit code."""
    folder.mkdir()
    game = api.new(seed=1)
    for _ in range(8):
        game.play(game.legal()[0])
    game.save(folder / LOG)
    api.new(chance="table").save(folder / "table.log")
    before = (folder / LOG).read_bytes()
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [str(Path(sys.executable).parent / "sintra"), *words],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=pipe,
        stderr=pipe,
        start_new_session=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
    )
    stopped: tuple[int, ...] = ()
    try:
        _, said = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)  # the first one finishes what is under way
        stopped = (-signal.SIGINT,)  # Python's own answer while it starts, and when it has ended
        try:
            _, said = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            raise AssertionError(f"{words}: deaf to Ctrl-C; {folder}") from None
    text = said.decode(errors="replace")
    assert "Traceback" not in text, f"{words}: {text[-800:]}"
    assert process.returncode in (*range(8), 130, *stopped), f"{words}: {process.returncode}"
    assert process.returncode not in (2, 3, 4) or text, f"{words}: exit code {process.returncode}, in silence"
    if process.returncode == 2:
        assert (folder / LOG).read_bytes() == before, f"{words}: refused, and changed the log"
        assert text.startswith(("sintra: ", "{")), f"{words}: {text[:300]}"
    shutil.rmtree(folder)
    return process.returncode
