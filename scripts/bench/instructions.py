"""Instructions by callgrind, which repeat exactly on a noisy machine.

Two runs of different length are compared, so that start-up and the making of games cancel out.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence

from scripts.bench import engine, yardsticks
from scripts.bench.engine import Unmeasured
from scripts.bench.rounds import Build, Result, script

SHORT, LONG = 20, 120
"""How often the work is done in the two runs."""

COUNTED = {
    "instructions-turn": (("playouts", "azul", "2"), "a turn of random playouts, azul, 2 players", 1900.0),
    "instructions-copy": (("copies", "azul", "2"), "state.copy(), azul, 2 players", None),
    "instructions-successor": (
        ("successors", "azul", "2"),
        "state.become() and play(), azul, 2 players, from a loop in Python",
        None,
    ),
    "instructions-inside": (
        ("successors", "azul", "2"),
        "the same inside of the two, arguments and all, without Python's own loop",
        None,
    ),
    "instructions-chess": (("chess_copies",), "python-chess, Board.copy(stack=False)", None),
}
"""What is counted: the work, in words, and at most how many instructions."""
INSIDE = {
    "instructions-inside": [f"CPyPy_azul___rules___AzulState___{name}" for name in ("become", "play")],
}
"""Functions of which only the inside is counted, by their names in the compiled engine."""


def counted(name: str, builds: Iterable[Build]) -> list[Result]:
    """Count the instructions of one kind of work, compiled."""
    work, _, target = COUNTED[name]
    aim = f"<= {target:g}" if target else ""
    results = []
    for build in builds:
        if build.kind != "compiled":
            continue
        try:
            value = _each(work, build.environment(), INSIDE.get(name, ()))
        except Unmeasured as error:
            results.append(Result(name, build.name, aim, why_not=str(error)))
            continue
        met = value <= target if target else None
        results.append(Result(name, build.name, aim, met, value, "instr."))
    return results


def _each(work: Sequence[str], environment: dict[str, str], inside: Sequence[str]) -> float:
    """Return the instructions of one unit of work, or only those inside some functions."""
    if not shutil.which("valgrind"):
        raise Unmeasured("valgrind is not installed")
    (fewer, less), (many, more) = (_run(work, times, environment, inside) for times in (SHORT, LONG))
    return (more - less) / (many - fewer)


def _run(
    work: Sequence[str], times: int, environment: dict[str, str], inside: Sequence[str]
) -> tuple[int, int]:
    """Return how much was done in a run, and its instructions."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    command += [f"--toggle-collect={name}" for name in inside]
    command += [*script("instructions"), *work, str(times)]
    fixed = {**environment, "PYTHONHASHSEED": "0", "PYTHONMALLOC": "pymalloc"}
    done = subprocess.run(command, env=fixed, capture_output=True, text=True, check=False)
    found = re.search(r"refs: *([\d,]+)", done.stderr)
    if done.returncode or not found:
        lines = done.stderr.strip().splitlines()
        raise Unmeasured(lines[-1] if lines else "callgrind failed")
    return int(done.stdout), int(found[1].replace(",", ""))


def main() -> None:
    """Do some work this often, and print how much that was."""
    name, *given, times = sys.argv[1:]
    make = getattr(engine if given else yardsticks, name)
    work = make(*(int(word) if word.isdigit() else word for word in given))
    print(sum(work() for _ in range(int(times))))


if __name__ == "__main__":
    main()
