"""Python bots that never return: a limit of time for each choice, where one is asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scripts.torture.stops import STUCK
from tests.kit.program import run

pytestmark = pytest.mark.process


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_python_bot_has_its_time_for_a_choice(jobs: str, tmp_path: Path) -> None:
    (tmp_path / "stuck.py").write_text(STUCK)
    words = ("simulate", "4", "--bots", "stuck:in_python", "--move-time", "0.2", "-j", jobs)
    said = run(*words, cwd=tmp_path, code=2).err
    assert said.splitlines()[-1] == "sintra: the bot stuck:in_python took longer than 0.2 seconds"


def test_a_bot_that_never_returns_to_python_ends_its_worker(tmp_path: Path) -> None:
    (tmp_path / "stuck.py").write_text(
        "import hashlib\n\ndef deaf(state, stream):\n    hashlib.pbkdf2_hmac('sha256', b'', b'', 10**9)\n"
    )
    words = ("simulate", "4", "--bots", "stuck:deaf", "--move-time", "0.2", "-j", "1")
    said = run(*words, cwd=tmp_path, code=4).err
    assert "or a bot took too long and never returned to Python" in said


def test_in_a_tournament_it_forfeits(tmp_path: Path) -> None:
    (tmp_path / "stuck.py").write_text(STUCK)
    words = ("tournament", "league", "--bots", "stuck:in_python,random", "--rules", "azul", "--deals", "1")
    run(*words, "--move-time", "0.2", "--max-rounds", "2", "-q", cwd=tmp_path)
    played = [json.loads(line) for line in (tmp_path / "league" / "journal.jsonl").read_text().splitlines()]
    assert [[fault["fault"] for fault in game["faults"]] for game in played] == [["too-slow"]] * 2
