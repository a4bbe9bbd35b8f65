"""Folders of runs that somebody tampered with, and answers that no worker may give."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from scripts.torture.folders import TAMPERINGS, laid, resumed
from sintra.batch import kept
from sintra.batch.kept import Count, Shard
from sintra.batch.plan import planned
from sintra.batch.shards import Task, play_shard
from sintra.batch.simulation import simulate
from sintra.batch.tallies import Tally
from sintra.errors import Conflict, DamagedLog, WorkersLost


@pytest.fixture(scope="module")
def half(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    folder = tmp_path_factory.mktemp("half") / "run"
    return folder, laid(folder, "games", half=True)


@pytest.mark.parametrize("name", TAMPERINGS)
def test_a_tampered_folder_is_not_trusted(name: str, half: tuple[Path, Any], tmp_path: Path) -> None:
    folder, whole = half
    shutil.copytree(folder, tmp_path / "run")
    found = resumed(name, TAMPERINGS[name], tmp_path / "run", "games")
    assert found in (None, whole)
    assert (found is None) != name.startswith("cut")


def test_counts_that_do_not_fit_are_named_even_with_the_right_checksum(tmp_path: Path) -> None:
    simulate("azul", 3, seed=1, out=tmp_path / "run", logs="none")
    plan = planned("azul", 3, seed=1)
    path = tmp_path / "run" / "tallies" / "000" / "000002.json"
    tally = msgspec.json.decode(path.read_bytes(), type=kept.Kept)
    tally.count.seats[0].tally.wins = 5
    tally.checksum = kept._checksum(plan, 1, tally.count)
    path.write_bytes(msgspec.json.encode(tally))
    with pytest.raises(DamagedLog, match=r"000002\.json: the results in seat 1 do not add up; delete it"):
        simulate("azul", 3, seed=1, out=tmp_path / "run", logs="none")


def test_an_annotated_log_is_left_alone(tmp_path: Path) -> None:
    whole = simulate("azul", 3, seed=1, out=tmp_path / "run")
    log = tmp_path / "run" / "logs" / "000" / "000002.log"
    noted = log.read_bytes() + b'{"type":"noted","text":"well played"}\n'
    log.write_bytes(noted)
    assert simulate("azul", 3, seed=1, out=tmp_path / "run") == whole
    (tmp_path / "run" / "tallies" / "000" / "000002.json").unlink()
    with pytest.raises(
        Conflict, match=r"000002\.log was changed, or does not belong to this run; it was left alone"
    ):
        simulate("azul", 3, seed=1, out=tmp_path / "run")
    assert log.read_bytes() == noted


@pytest.mark.parametrize("logs", ["games", "shards"])
@pytest.mark.parametrize("all_of_them", [False, True])
def test_lost_logs_are_made_again(logs: str, all_of_them: bool, tmp_path: Path) -> None:
    run = tmp_path / "run"
    whole = simulate("azul", 130, seed=1, max_rounds=1, out=run, logs=logs)
    before = {path: path.read_bytes() for path in run.rglob("*.log*") if path.is_file()}
    for path in before if all_of_them else sorted(before)[1:2]:
        path.unlink()
    done: list[int] = []
    again = simulate("azul", 130, seed=1, max_rounds=1, out=run, logs=logs, progress=done.append)
    assert (again, done[-1], len(done) > 1) == (whole, 130, True)
    assert {path: path.read_bytes() for path in run.rglob("*.log*") if path.is_file()} == before


def test_a_lost_log_is_made_again_next_to_an_annotated_one(tmp_path: Path) -> None:
    whole = simulate("azul", 130, seed=1, max_rounds=1, out=tmp_path / "run")
    first, second = (tmp_path / "run" / "logs" / "000" / f"00000{number}.log" for number in (1, 2))
    lost = first.read_bytes()
    first.unlink()
    second.write_bytes(noted := second.read_bytes() + b'{"type":"noted","text":"well played"}\n')
    assert simulate("azul", 130, seed=1, max_rounds=1, out=tmp_path / "run") == whole
    assert (first.read_bytes(), second.read_bytes()) == (lost, noted)


def test_a_run_without_logs_misses_none(tmp_path: Path) -> None:
    done: list[int] = []
    for _ in range(2):
        simulate("azul", 3, seed=1, out=tmp_path / "run", logs="none", progress=done.append)
    assert done == [1, 2, 3, 3]


def test_a_lost_log_that_a_bot_would_not_play_again_is_named(tmp_path: Path) -> None:
    moods = [0, -1]

    def fickle(state: Any, chance: Any) -> int:
        return int(state.legal()[moods[0]])

    simulate("azul", 3, seed=1, bots=fickle, out=tmp_path / "run")
    log = tmp_path / "run" / "logs" / "000" / "000002.log"
    log.unlink()
    moods.reverse()
    with pytest.raises(Conflict, match=r"000002\.log is missing, .*000002\.json counts; restore the log"):
        simulate("azul", 3, seed=1, bots=fickle, out=tmp_path / "run")
    assert not log.exists()


def _answers() -> dict[str, Any]:
    plan = planned("azul", 3, seed=1)
    right = play_shard(Task(plan, 1, "games", None))
    other = play_shard(Task(plan, 2, "games", None))
    return {
        "None": None,
        "a text": "shard",
        "a dict": {"number": 1},
        "another shard": other,
        "counts of none": Shard(1, Count(Tally(), []), right.logs),
        "no logs": Shard(1, right.count, []),
        "a log that is none": Shard(1, right.count, [b"my diary\n"]),
        "the log of another game": Shard(1, right.count, other.logs),
        "a torn log": Shard(1, right.count, [right.logs[0][:-1]]),
        "a number that is none": Shard(True, right.count, right.logs),
        "an object": object(),
    }


@pytest.mark.parametrize("what", _answers())
def test_answers_that_no_worker_may_give(what: str) -> None:
    plan = planned("azul", 3, seed=1)
    with pytest.raises(WorkersLost, match="a worker's answer for shard 2 can't be right"):
        kept.checked(plan, 1, "games", _answers()[what])


def test_a_right_answer_is_taken() -> None:
    plan = planned("azul", 3, seed=1)
    right = play_shard(Task(plan, 1, "games", None))
    assert kept.checked(plan, 1, "games", right) == right
