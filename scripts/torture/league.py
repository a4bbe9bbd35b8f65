"""A tournament that is killed at random moments: resumed, it is the same as one that was never stopped.

Four seats, and two of the bots fail; the runner is killed with SIGKILL, or one of its workers. Each time, the
same command goes on. At the end, the journal (but for times), the ratings and all logs are compared.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from scripts.torture.programs import command

KILLS = 50
DEALS = 4
WORDS = ["--players", "4", "--seed", "5", "--rules", "azul", "--max-rounds", "3"]


def run(scale: float, scratch: Path) -> dict[str, int | str]:
    """Kill a tournament at many moments, and compare; figures of it."""
    kills = max(2, round(KILLS * scale))
    deals = max(1, round(DEALS * scale))
    plain, other, killed = (scratch / name for name in ("plain", "other", "killed"))
    start = time.monotonic()
    _sintra(plain, deals, "--jobs", "1").wait()
    lasted = time.monotonic() - start
    _sintra(other, deals, "--jobs", "2").wait()
    done = _killed(killed, deals, kills, lasted)
    first = state(plain)
    for folder in (other, killed):
        found = state(folder)
        for what, value in first.items():
            assert found[what] == value, f"{folder} has other {what}"
    checked = subprocess.run([*SINTRA, "verify", "-q", killed / "logs"], check=False)
    assert checked.returncode == 0, "a log does not verify"
    return {"kills": done, "games": len(first["journal"]), "logs": len(first["logs"])}


SINTRA = [sys.executable, "-m", "sintra"]


def _sintra(folder: Path, deals: int, *words: str) -> subprocess.Popen[bytes]:
    """Start the tournament, or let it go on."""
    bots = [f"ends=cmd:{command('ends', 3)}", f"illegal=cmd:{command('illegal', 9)}", "greedy", "random"]
    bots.append("hasty=greedy:depth=1")
    plan = [*WORDS, "--deals", str(deals), "--bots", ",".join(bots)]
    return subprocess.Popen(
        [*SINTRA, "tournament", str(folder), *plan, "-q", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _killed(folder: Path, deals: int, kills: int, lasted: float) -> int:
    """Play with kills: of the runner, and of its workers. Return how many there were."""
    choose = random.Random(7)
    done = 0
    fresh = folder.with_suffix(".fresh")
    while done < kills:
        jobs = choose.choice((1, 2))
        process = _sintra(folder, deals, "--jobs", str(jobs))
        time.sleep(choose.uniform(0.1, max(0.6, 1.5 * lasted / kills)))
        if process.poll() is not None:  # finished: begin anew, so that all moments are hit
            shutil.rmtree(fresh, ignore_errors=True)
            folder.rename(fresh)
            continue
        below = descendants(process.pid)
        workers = children(process.pid) if jobs > 1 else []
        target = choose.choice([process.pid, *workers])
        with suppress(ProcessLookupError):
            os.kill(target, signal.SIGKILL)
            done += 1
        process.wait()  # a lost worker stops it, too
        deadline = time.monotonic() + 10
        while any(map(alive, below)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not any(map(alive, below)), "a killed tournament left processes behind"
    _sintra(folder, deals, "--jobs", "2").wait()
    return done


def children(pid: int) -> list[int]:
    """Return the processes that one has started."""
    found: list[int] = []
    with suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            found += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text().split())
    return found


def descendants(pid: int) -> list[int]:
    """Return all processes below one."""
    below = children(pid)
    return below + [one for child in below for one in descendants(child)]


def alive(pid: int) -> bool:
    """Return whether a process still runs."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def state(folder: Path) -> dict[str, Any]:
    """Return all that has to be the same: the journal without times, the ratings, and the logs."""
    lines = (folder / "journal.jsonl").read_text().splitlines()
    games = [{**json.loads(line), "times": None} for line in lines]
    ratings = subprocess.run([*SINTRA, "ratings", "--json", str(folder)], capture_output=True, check=True)
    found = json.loads(ratings.stdout)
    for one in found["standings"]:
        del one["time"]
    logs = {str(path.relative_to(folder)): path.read_bytes() for path in (folder / "logs").rglob("*.*")}
    return {"journal": games, "ratings": found, "logs": logs}


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as scratch:
        print(run(float(sys.argv[1]) if sys.argv[1:] else 1, Path(scratch)))
