"""Where the engine's time goes, by pyinstrument.

    python scripts/profile_engine.py simulate            random games as `sintra simulate` plays them
    python scripts/profile_engine.py public              the same by game.legal() and game.play(step)
    python scripts/profile_engine.py verify              logs of complete games, read and checked again
    python scripts/profile_engine.py move                `sintra move -q` on a long log, with its start-up
    python scripts/profile_engine.py verify --flat       functions by their own time
    python scripts/profile_engine.py move --html FILE    as a page to click through

Figures of a profile are for finding places, not for measuring: the profiler makes calls look dearer than
they are. `scripts/bench` measures. Compiled code is one block to it, so profile the source. In `move`,
what the profiler itself has imported comes for free.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from random import Random
from time import perf_counter

from pyinstrument import Profiler
from pyinstrument.renderers import ConsoleRenderer, HTMLRenderer

sys.path.insert(0, str(Path(__file__).parent.parent))  # run as a file, only this folder would be searched

from scripts.bench import engine

ROOT = Path(__file__).parent.parent
Work = Callable[[], object]


def simulate(players: int, seconds: float) -> Work:
    """Games between bots, in this process."""
    import sintra

    return repeated(lambda: sintra.simulate("sintra", 20, players=players, seed=1, jobs=1), seconds)


def public(players: int, seconds: float) -> Work:
    """Random self-play by steps, with a log."""
    import sintra

    starts = cycle([sintra.new(players=players, seed=seed) for seed in range(8)])
    draw = Random(1).random
    return repeated(lambda: engine.played(next(starts).copy(), draw), seconds)


def verify(players: int, seconds: float) -> Work:
    """Complete games, read from their logs again and again."""
    import sintra

    texts = cycle([text for text in engine.logs() if len(sintra.loads(text).players) == players])
    return repeated(lambda: sintra.loads(next(texts)), seconds)


def move(players: int, seconds: float) -> Work:  # noqa: ARG001 - it is done once, as from a shell
    """The command line as a process would run it, from its first import on.

    The log comes from another process, so that nothing of the engine is loaded before the profile begins.
    """
    code = "import json; from scripts.bench import engine; print(json.dumps(engine.one_step_left()))"
    made = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)
    text, step = json.loads(made.stdout)

    def run() -> None:
        with tempfile.TemporaryDirectory() as scratch:
            log = Path(scratch) / "game.log"
            log.write_text(text)
            sys.argv = ["sintra", "move", "-q", str(log), *step]
            try:
                from sintra.cli import main

                main()
            except ImportError as error:
                sys.exit(f"the command line can't be loaded: {error}")
            except SystemExit as done:
                if done.code:
                    raise

    return run


def repeated(work: Work, seconds: float) -> Work:
    """Work done over and over for a while; once before that, for what is only done the first time."""
    work()

    def run() -> None:
        start = perf_counter()
        while perf_counter() - start < seconds:
            work()

    return run


SCENES = {"simulate": simulate, "public": public, "verify": verify, "move": move}


def main() -> None:
    """Profile a scene and print the profile, or write it as a page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("scene", choices=SCENES, nargs="?", default="simulate", help="what to profile")
    parser.add_argument("--players", type=int, choices=(2, 3, 4), default=2)
    parser.add_argument("--seconds", type=float, default=3.0, help="how long to go on (not in `move`)")
    parser.add_argument("--flat", action="store_true", help="functions by their own time, not as a tree")
    parser.add_argument("--all", action="store_true", help="also what other libraries do inside, and trifles")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page instead of printing")
    given = parser.parse_args()

    work = SCENES[given.scene](given.players, given.seconds)
    profiler = Profiler(interval=0.0001)
    with profiler:
        work()
    if given.html:
        given.html.write_text(profiler.output(HTMLRenderer(show_all=given.all)), encoding="utf-8")
    else:
        renderer = ConsoleRenderer(show_all=given.all, flat=given.flat, color=sys.stdout.isatty())
        print(as_text(profiler.output(renderer), given.flat))


def as_text(profile: str, flat: bool) -> str:
    """A printed profile; a flat one counts own time with its function, and not once more as `[self]`."""
    lines = profile.splitlines()
    return "\n".join(line for line in lines if not (flat and "[self]" in line))


if __name__ == "__main__":
    main()
