"""Bots that fail in every way, alone, among four, and at the last move: each ends in time and leaves nothing.

Processes are counted by a mark in their environment, which also what runs in the background inherits.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from scripts.torture import badbot
from sintra import catalog
from sintra.api import loads
from sintra.bots.process import GRACE, MARGIN, Limits
from sintra.bots.referee import Played, Programs, referee, seated
from sintra.game import Game
from sintra.text import has_controls

MARK = "SINTRA_BAD_BOT"
LIMITS = Limits(move_time=0.4, init_time=2.0, memory=48, processes=64)
PLAYING = 4
"""Processes of a run in which a bot plays: itself, a worker, a keeper and the bot."""
EXTRA = 3.0
"""Seconds that starting, playing on, and cleaning up may take besides, on a busy machine."""
TRIES = 3
"""How often a game is played whose time was too long."""
RUNS = 20
ROUNDS = 10
FAULTS = {
    "silent": {"too-slow", "not-ready"},
    "ends": {"ended"},
    "garbage": {"not-understood"},
    "escapes": {"not-understood"},
    "floods": {"too-long"},
    "floods-errors": {"too-slow", "not-ready"},
    "keeps": {"too-slow", "not-ready"},
    "child": {"ended"},
    "daemon": {"ended"},
    "stubborn": {"too-slow", "not-ready"},
    "memory": {"ended"},
    "ahead": {"unasked"},
    "illegal": {"illegal"},
    "slow": {"too-slow"},
    "loop": {"too-slow", "not-ready"},
}
"""The faults that each kind may be named for: before the first answer, slowness has another name."""


def command(kind: str, after: int = 0) -> str:
    """Return the command of a bot that fails after so many answers."""
    return f"{sys.executable} -I -S {badbot.__file__} {kind} {after}"


def marked(mark: str) -> list[int]:
    """Return the processes that carry a mark; ones that have ended, but that nobody asked about, count."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                if f"{MARK}={mark}\0".encode() in (folder / "environ").read_bytes():
                    found.append(int(folder.name))
    return found


def left_after(mark: str, seconds: float) -> int:
    """Return how many processes with a mark are left after at most this time."""
    end = time.monotonic() + seconds
    while (left := marked(mark)) and time.monotonic() < end:
        time.sleep(0.01)
    for pid in left:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    return len(left)


@contextmanager
def mark(text: str) -> Iterator[str]:
    """Mark everything that is started meanwhile."""
    before = os.environ.get(MARK, "")
    os.environ[MARK] = own = f"{os.getpid()}-{text}"
    try:
        yield own
    finally:
        os.environ[MARK] = before


class Seen(NamedTuple):
    """What came of a game with bad bots."""

    game: Game
    played: Played
    words: list[str]
    seconds: float
    left: int


def watch(bots: list[str], seed: int, *, rules: str = "azul", limits: Limits = LIMITS) -> Seen:
    """Let bots play a game."""
    game = Game.new(catalog.find(rules), len(bots), seed=seed)
    with mark(f"{seed}-{'-'.join(bots)[:80]}") as own:
        start = time.monotonic()
        with Programs(limits) as programs:
            seats = seated(bots, game, programs)
            played = referee(game, seats, rounds=ROUNDS)
        seconds = time.monotonic() - start
        return Seen(game, played, [seat.words() for seat in seats], seconds, left_after(own, 0))


def checked(kind: str, seat: int, bots: list[str], seed: int) -> Seen:
    """Let bots play a game, and check it; play again if only its time was too long.

    The machine may be busy, or have paused this program, but hardly every time.
    """
    for _ in range(TRIES):
        seen = watch(bots, seed)
        check(kind, seen, seat)
        if seen.seconds < longest(seen):
            return seen
    raise AssertionError(f"{kind}: {seen.seconds:.1f} s, in {TRIES} tries")


def longest(seen: Seen) -> float:
    """Return how many seconds a game may take."""
    return len(seen.played.forfeits) * (LIMITS.init_time + MARGIN + GRACE) + EXTRA


def check(kind: str, seen: Seen, seat: int) -> None:
    """Hold what was seen to what is promised."""
    faults = [forfeit for forfeit in seen.played.forfeits if forfeit.seat == seat]
    assert len(faults) == 1, f"{kind}: {seen.played.forfeits}"
    assert faults[0].fault in FAULTS[kind], f"{kind}: {faults[0]}"
    assert seen.left == 0, f"{kind}: {seen.left} processes are left"
    log = seen.game.dumps()
    assert not any(map(has_controls, log.splitlines()))
    assert f"forfeits: {faults[0].fault}" in log
    assert loads(log).dumps() == log
    over = seen.game.over or seen.played.reason in ("forfeit", "rounds")
    assert over, f"{kind}: the game is not over"


def last_answer(seed: int) -> int:
    """Return how many answers a good bot in seat 1 gives before its last one."""
    return watch([f"cmd:{command('good')}", "greedy"], seed).played.choices[0] - 1


def killed(kind: str, number: int) -> int:
    """Kill or stop a run while its bots play; return how many processes are left."""
    bots = f"bad=cmd:{command(kind, number % 3)},good=cmd:{command('good')}"
    words = [sys.executable, "-m", "sintra", "simulate", "1000", "--rules", "azul", "--bots", bots, "-j", "2"]
    with mark(f"killed-{kind}-{number}") as own:
        run = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + 10
        while len(marked(own)) < PLAYING and run.poll() is None and time.monotonic() < until:
            time.sleep(0.005)
        time.sleep(0.05 + number % 10 * 0.03)
        run.send_signal(signal.SIGKILL if number % 2 else signal.SIGINT)
        run.wait(30)
        return left_after(own, 3.0)


def run(scale: float, scratch: Path) -> dict[str, int | str]:  # noqa: ARG001 - nothing is written
    """Let every kind of bad bot play; figures of it."""
    runs = max(1, round(RUNS * scale))
    figures = Counter[str]()
    last = last_answer(1)
    named = Counter[str]()
    slowest = 0.0
    for kind in FAULTS:
        for number in range(runs):
            after = 30 if kind == "slow" else 0
            field = ["greedy", f"cmd:{command(kind, 3)}", "random", f"cmd:{command('good')}"]
            games = [
                checked(kind, 1, [f"cmd:{command(kind, after)}", "greedy"], number),
                checked(kind, 2, field, number),
            ]
            if kind != "ahead":  # what follows the last answer is nobody's any more
                games.append(checked(kind, 1, [f"cmd:{command(kind, last)}", "greedy"], 1))
            named.update(forfeit.fault for seen in games for forfeit in seen.played.forfeits)
            slowest = max(slowest, *(seen.seconds for seen in games))
            figures["games with a bot that fails, each named for it"] += len(games)
            left = killed(kind, number)
            assert left == 0, f"{kind}: {left} processes outlive a run that was killed"
            figures["runs killed or stopped, with nothing left"] += 1
    return {
        "ways to fail": len(FAULTS),
        **figures,
        "processes left": 0,
        "faults": ", ".join(f"{name} {count}" for name, count in sorted(named.items())),
        "slowest game": f"{slowest:.1f} s",
    }
