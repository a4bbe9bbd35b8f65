"""One side of a figure, in its own process: a round for each line of standard input, its result as a line.

The first line is the unit, or why the side can't be measured.
"""

from __future__ import annotations

import atexit
import compileall
import gc
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median

from scripts.bench import engine, yardsticks
from scripts.bench.engine import Unmeasured, Work

Gauge = Callable[[float], float]
"""Measures once, for about this many seconds."""

MAIN = "import sys; from sintra.cli import main; sys.exit(main())"
"""What the installed program runs."""


def rate(work: Work) -> Gauge:
    """How often a second of CPU time."""

    def gauge(seconds: float) -> float:
        done = 0
        start = time.process_time()
        while (passed := time.process_time() - start) < seconds:
            done += work()
        return done / passed

    return gauge


def nanoseconds(work: Work) -> Gauge:
    """How many nanoseconds of CPU time each."""
    gauge = rate(work)
    return lambda seconds: 1e9 / gauge(seconds)


def held_kib(make: Callable[[], object], again: int = 10) -> Gauge:
    """How much memory a thing holds, without what is shared by all of its kind."""

    def gauge(_: float) -> float:
        make()
        gc.collect()
        tracemalloc.start()
        before, _peak = tracemalloc.get_traced_memory()
        things = [make() for _ in range(again)]
        gc.collect()
        after, _peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return (after - before) / len(things) / 1024

    return gauge


def process_ms(command: Sequence[str], prepare: Callable[[], object] = lambda: None) -> Gauge:
    """CPU milliseconds of a process; `prepare` goes before each and is not counted."""

    def gauge(seconds: float) -> float:
        total, runs = 0.0, 0
        while not runs or total < seconds:
            prepare()
            before = _children()
            _run(command)
            total += _children() - before
            runs += 1
        return total / runs * 1000

    return gauge


def wall_ms(command: Sequence[str]) -> Gauge:
    """Milliseconds by the clock on the wall, for work that several processes share."""

    def gauge(_: float) -> float:
        start = time.perf_counter()
        _run(command)
        return (time.perf_counter() - start) * 1000

    return gauge


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        raise Unmeasured(f"{command[0]} failed: {lines[-1] if lines else done.returncode}")


# -- Commands --------------------------------------------------------------------------------


def program(*words: str) -> list[str]:
    """Return the command line of `sintra WORDS`; its modules are byte-compiled, as pip does on installing."""
    import sintra

    compileall.compile_dir(Path(sintra.__file__).parent, quiet=1)
    return [sys.executable, "-c", MAIN, *words]


def startup(scratch: Path, name: str, *words: str) -> Gauge:
    """A command on the log of a game that lacks one step."""
    log = scratch / "game.log"
    text, step = engine.one_step_left()
    command = program(name, *words, str(log), *(step if name == "move" else ()))
    return process_ms(command, lambda: log.write_text(text))


def itself(_: Path, *words: str) -> Gauge:
    """What the program says about itself."""
    return process_ms(program(*words))


def imports(_: Path) -> Gauge:
    """Loading the libraries that the program is written with."""
    return process_ms([sys.executable, "-c", "import typer, msgspec"])


def verify(scratch: Path) -> Gauge:
    """`sintra verify` of many games in one process, in events a second."""
    path, events = engine.folder_of_logs(scratch, 2000)
    milliseconds = process_ms(program("verify", "-q", "--jobs", "1", str(path)))
    return lambda seconds: events / milliseconds(seconds) * 1000


def replay_page(scratch: Path, events: str) -> Gauge:
    """`sintra replay --html` of a long log."""
    log = scratch / "long.log"
    log.write_text(engine.long_log(int(events)))
    return process_ms(program("replay", str(log), "--html", "-"))


def simulate_jobs(_: Path, games: str, jobs: str) -> Gauge:
    """`sintra simulate` with some processes."""
    return wall_ms(program("simulate", games, "--rules", "azul", "--seed", "1", "-q", "--jobs", jobs))


def verify_jobs(scratch: Path, jobs: str) -> Gauge:
    """`sintra verify` of a folder of logs with some processes."""
    for at, text in enumerate(engine.logs() * 10):
        (scratch / f"{at}.log").write_text(text)
    return wall_ms(program("verify", "-q", "--jobs", jobs, str(scratch)))


# -- Programs that play ----------------------------------------------------------------------


def asking(scratch: Path) -> Gauge:
    """Microseconds on the wall for a choice of the sample in C, which answers at once: the median."""
    from sintra.bots.process import Limits
    from sintra.bots.referee import Programs
    from sintra.bots.samples import sample

    (scratch / "bot.c").write_bytes(sample("c"))
    compiler = shutil.which("cc")
    if compiler is None:
        raise Unmeasured("there is no C compiler")
    _run([compiler, "-O2", "-o", str(scratch / "bot"), str(scratch / "bot.c")])
    programs = Programs(Limits())
    atexit.register(programs.close)

    def gauge(seconds: float) -> float:
        taken: list[float] = []
        while sum(taken) < seconds:
            taken += engine.choices(f"cmd:{scratch / 'bot'}", programs)
        return median(taken) * 1e6

    return gauge


def echo(_: Path) -> Gauge:
    """Microseconds on the wall for a line to `cat` and back: the median."""
    cat = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    assert cat.stdin
    assert cat.stdout
    atexit.register(cat.stdin.close)
    there, back = cat.stdin.fileno(), cat.stdout.fileno()

    def gauge(seconds: float) -> float:
        taken: list[float] = []
        end = time.perf_counter() + seconds
        while (start := time.perf_counter()) < end:
            os.write(there, b"pick 1 blue\n")
            os.read(back, 4096)
            taken.append(time.perf_counter() - start)
        return median(taken) * 1e6

    return gauge


# -- Sides -----------------------------------------------------------------------------------


def rated(make: Callable[..., Work], _: Path, *given: str) -> Gauge:
    """A rate, of work that is described by words."""
    return rate(make(*(int(word) if word.isdigit() and len(word) == 1 else word for word in given)))


def timed(make: Callable[..., Work], _: Path, *given: str) -> Gauge:
    """Nanoseconds, of work that is described by words."""
    return nanoseconds(make(*(int(word) if word.isdigit() and len(word) == 1 else word for word in given)))


def milliseconds(make: Callable[[], Work], _: Path) -> Gauge:
    """Milliseconds of CPU time each."""
    gauge = nanoseconds(make())
    return lambda seconds: gauge(seconds) / 1e6


def held_game(_: Path) -> Gauge:
    """A complete game with its events."""
    import sintra

    text = engine.logs()[0]
    return held_kib(lambda: sintra.loads(text))


def held_state(_: Path) -> Gauge:
    """A state of two players."""
    state, _codes = engine.positions("sintra-a", 2)[20]
    return held_kib(lambda: state.copy(), again=100)


SIDES: dict[str, tuple[Callable[..., Gauge], str]] = {
    "playouts": (partial(rated, engine.playouts), "turns/s"),
    "public": (partial(rated, engine.public), "turns/s"),
    "simulating": (partial(rated, engine.simulating), "games/s"),
    "bare": (partial(rated, engine.bare), "games/s"),
    "copies": (partial(timed, engine.copies), "ns"),
    "successors": (partial(timed, engine.successors), "ns"),
    "loading": (partial(rated, engine.loading), "events/s"),
    "decoding": (partial(rated, engine.decoding), "events/s"),
    "verify": (verify, "events/s"),
    "startup": (startup, "ms"),
    "itself": (itself, "ms"),
    "imports": (imports, "ms"),
    "drawing": (partial(milliseconds, engine.drawing), "ms"),
    "snapshots": (partial(milliseconds, engine.snapshots), "ms"),
    "replay-page": (replay_page, "ms"),
    "asking": (asking, "us"),
    "echo": (echo, "us"),
    "simulate-jobs": (simulate_jobs, "ms"),
    "verify-jobs": (verify_jobs, "ms"),
    "game": (held_game, "KiB"),
    "state": (held_state, "KiB"),
    "chess": (partial(rated, yardsticks.chess_playouts), "plies/s"),
    "chess-copies": (partial(timed, yardsticks.chess_copies), "ns"),
    "chess-reading": (partial(rated, yardsticks.chess_reading), "plies/s"),
    "chess-game": (lambda _: held_kib(yardsticks.chess_game()), "KiB"),
    "spiel": (partial(rated, yardsticks.spiel_playouts), "moves/s"),
}
"""What can be measured, by name: how, and in which unit."""


def main() -> None:
    """Make a side ready, and measure it as often as asked."""
    name, *given = sys.argv[1:]
    out = os.fdopen(os.dup(1), "w", buffering=1)
    make, unit = SIDES[name]
    with tempfile.TemporaryDirectory() as scratch:
        try:
            gauge = make(Path(scratch), *given)
            gauge(0.01)  # what is done only once
            print(json.dumps({"unit": unit}), file=out)
            for line in sys.stdin:
                print(gauge(float(line)), file=out)
        except Unmeasured as error:
            print(json.dumps({"why_not": str(error)}), file=out)


if __name__ == "__main__":
    main()
