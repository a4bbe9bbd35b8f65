"""`sintra tournament` and `sintra ratings` as a shell runs them: stopped, killed, watched, and guided."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.batch.test_tournament import logs, timeless
from tests.kit.program import SINTRA, environment, run, shell

pytestmark = pytest.mark.process

GUIDE = (Path(__file__).parents[2] / "docs" / "league.md").read_text()
BOTS = ["--bots", "greedy,random", "--rules", "azul", "--seed", "1"]
SLOW = """
import time

def bot(state, stream):
    time.sleep(0.004)
    return state.legal()[0]
"""


def start(folder: Path, *words: str) -> subprocess.Popen[str]:
    """Start a tournament of slow bots, of a second or so per game; wait for its first finished game."""
    (folder / "slow.py").write_text(SLOW)
    process = subprocess.Popen(
        [SINTRA, "tournament", "league", "--bots", "slow:bot,random", "--deals", "3", "--seed", "1", *words],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    journal = folder / "league" / "journal.jsonl"
    deadline = time.monotonic() + 60
    while not (journal.exists() and journal.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.02)
    return process


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_once_finishes_and_says_how_to_go_on(jobs: str, tmp_path: Path) -> None:
    process = start(tmp_path, "--jobs", jobs)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "finishing the games under way; Ctrl-C again stops immediately" in err
    done = re.search(
        r"stopped: (\d) of 6 games are saved in league; to resume: sintra tournament league", err
    )
    assert done, err
    assert int(done[1]) == len(timeless(tmp_path / "league")) == len(logs(tmp_path / "league"))
    went_on = run("tournament", "league", "--jobs", "1", cwd=tmp_path)
    assert f"{done[1]} of 6 games are saved in league" in went_on.err
    assert "all 6 games are played; for more: sintra tournament league --deals 6" in went_on.err
    assert len(timeless(tmp_path / "league")) == 6


def test_ctrl_c_twice_stops_at_once(tmp_path: Path) -> None:
    process = start(tmp_path, "--jobs", "2", "-q")
    process.send_signal(signal.SIGINT)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    run("tournament", "league", "-q", cwd=tmp_path)
    assert len(timeless(tmp_path / "league")) == 6


def test_a_killed_bot_loses_its_game_only(tmp_path: Path) -> None:
    """The bot kills itself, as anybody could, at its tenth question."""
    (tmp_path / "dies.py").write_text(
        "import json, os, sys\n"
        "count = 0\n"
        "for line in sys.stdin:\n"
        "    question = json.loads(line)\n"
        "    if question['type'] == 'choose':\n"
        "        count += 1\n"
        "        if count == 10:\n"
        "            os.kill(os.getpid(), 9)\n"
        "        print(question['legal'][0], flush=True)\n"
    )
    words = ["--bots", f"dies=cmd:{sys.executable} dies.py,random", "--deals", "2", "--seed", "1", "--json"]
    found = run("tournament", "league", *words, cwd=tmp_path).json
    (dies,) = [one for one in found["standings"] if one["bot"] == "dies"]
    assert (dies["faults"], dies["wins"], found["done"]) == ({"ended": 4}, 0, 4)
    assert found["ended"] == "all 4 games are played"


def test_jobs_change_nothing(tmp_path: Path) -> None:
    for jobs in ("1", "2"):
        run("tournament", f"league{jobs}", *BOTS, "--deals", "2", "--jobs", jobs, "-q", cwd=tmp_path)
    assert timeless(tmp_path / "league1") == timeless(tmp_path / "league2")
    assert logs(tmp_path / "league1") == logs(tmp_path / "league2")
    first, second = (run("ratings", f"league{jobs}", "--json", cwd=tmp_path).json for jobs in ("1", "2"))
    for found in (first, second):
        for one in found["standings"]:
            del one["time"]
    assert first == second


def test_errors_have_their_exit_codes(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "mine.txt").write_text("")
    assert "no tournament to resume" in run("tournament", "new", cwd=tmp_path, code=2).err
    assert not (tmp_path / "new").exists()
    assert (
        "two bots are called a"
        in run("tournament", "n", "--bots", "a=greedy,a=random", cwd=tmp_path, code=2).err
    )
    assert "other files" in run("tournament", "files", *BOTS, cwd=tmp_path, code=5).err
    assert "sprt must be" in run("tournament", "n", *BOTS, "--sprt", "5", cwd=tmp_path, code=2).err
    assert "only one of" in run("ratings", "n", "--csv", "--json", cwd=tmp_path, code=2).err
    run("tournament", "league", *BOTS, "--deals", "1", "-q", cwd=tmp_path)
    assert (
        "it was begun with seed=1, not 3"
        in run("tournament", "league", "--seed", "3", cwd=tmp_path, code=5).err
    )
    with (tmp_path / "league" / "journal.jsonl").open("a") as file:
        file.write("{}\n")
    for words in (["ratings", "league"], ["tournament", "league"]):
        error = run(*words, "--json", cwd=tmp_path, code=4).error
        assert (error["error"], error["line"]) == ("damaged", 3)


def test_a_terminal_shows_a_table_that_goes_away(tmp_path: Path) -> None:
    """A real terminal: the live table is drawn, and erased; the answer is at the end."""
    import pty

    (tmp_path / "slow.py").write_text(SLOW)
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [
            SINTRA,
            "tournament",
            "league",
            "--bots",
            "slow:bot,random",
            "--deals",
            "2",
            "--seed",
            "1",
            "-j",
            "1",
        ],
        cwd=tmp_path,
        env=environment({"TERM": "xterm", "COLUMNS": "100"}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=follower,
    )
    os.close(follower)
    seen = b""
    try:
        while data := os.read(leader, 65536):
            seen += data
    except OSError:  # the other side is closed
        pass
    os.close(leader)
    assert process.stdout is not None
    answer = process.stdout.read().decode()
    process.stdout.close()
    assert process.wait(timeout=60) == 0
    shown = seen.decode()
    assert "of 4 games" in shown
    assert "rating" in shown
    assert "\x1b[2K" in shown  # lines are erased
    assert "4 of 4 games played" in answer


def test_the_guide_runs_from_an_empty_folder(tmp_path: Path) -> None:
    commands = re.findall(r"^    (sintra .*)$", GUIDE, re.MULTILINE)
    assert len(commands) == 10
    answers = [shell(command, cwd=tmp_path).out for command in commands]
    (shown,) = re.findall(r"```text\n(.*?)```", GUIDE, re.DOTALL)
    timeless_rows = [[*row[:-2], row[-1]] for row in map(str.split, shown.splitlines()[1:])]
    printed = map(str.split, answers[4].splitlines()[4:7])
    assert [[*row[:-2], row[-1]] for row in printed] == timeless_rows
    found = json.loads(shell("sintra ratings league --json", cwd=tmp_path).out)
    assert (found["done"], found["games"]) == (36, 36)
    assert {one["bot"] for one in found["standings"]} == {"ada", "ben", "greedy", "late"}
    assert [one["faults"] for one in found["standings"]] == [{}] * 4
    assert "greedy" in (tmp_path / "league" / "index.html").read_text()
