"""Executors: work is spread in order and in bounds, here, in processes, and on a real cluster."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from scripts.torture import cluster as hostile
from sintra.batch import workers as room
from sintra.batch.workers import Here, cores, given, is_remote, spread, width, workers
from sintra.errors import UsageError, WorkersLost
from tests.kit.program import PATIENCE, SINTRA, environment, run, shell, write_games

needs_dask = pytest.mark.skipif(
    find_spec("distributed") is None, reason="the extra is not installed: pip install 'sintra[dask]'"
)


def square(number: int) -> int:
    return number * number


def die(number: int) -> int:
    os._exit(number)


# -- Here and in processes -------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_the_order_of_the_items(jobs: int) -> None:
    with workers(jobs) as executor:
        assert list(spread(executor, square, range(50))) == [n * n for n in range(50)]


def test_any_executor_will_do() -> None:
    with ThreadPoolExecutor(3) as threads:
        assert width(threads) == 3
        assert not is_remote(threads)
        with given(threads, None) as same:
            assert same is threads
            assert list(spread(same, square, range(50))) == [n * n for n in range(50)]


def test_items_are_taken_only_as_results_are_collected() -> None:
    taken = 0

    def items() -> Iterator[int]:
        nonlocal taken
        for number in range(1000):
            taken = number + 1
            yield number

    with ThreadPoolExecutor(2) as threads:
        results = spread(threads, square, items())
        assert next(results) == 0
        assert taken <= room.AHEAD * 2
        results.close()  # type: ignore[attr-defined]
    assert taken <= room.AHEAD * 2
    results = spread(Here(), square, items())
    assert (next(results), taken) == (0, 1)


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_of_the_work_is_an_error_here(jobs: int) -> None:
    with pytest.raises(ZeroDivisionError), workers(jobs) as executor:
        list(spread(executor, (1).__truediv__, [1, 0, 1]))


def test_a_worker_that_ends_is_told() -> None:
    with pytest.raises(WorkersLost, match="a worker process died"), workers(2) as executor:
        list(spread(executor, die, [1, 2, 3]))


class Killed(Exception):
    """What a cluster says of a worker that is gone."""

    __module__ = "distributed.scheduler"


def killed(_: int) -> int:
    raise Killed


def test_a_cluster_that_loses_a_worker_is_told() -> None:
    with pytest.raises(WorkersLost, match=r"worker process died.*\(Killed\)"):
        list(spread(Here(), killed, [1]))


def test_workers_that_cannot_be_started_are_told(tmp_path: Path) -> None:
    """The system has no more files for them; one process does without."""
    paths = write_games(tmp_path, 6)
    words = " ".join(map(str, paths))
    told = shell(f"ulimit -n 9; sintra verify -j 2 {words}", cwd=tmp_path, code=4).err
    assert told.startswith("sintra: can't start worker processes: too many open files; ")
    assert len(shell(f"ulimit -n 9; sintra verify -j 1 {words}", cwd=tmp_path).lines) == 6


def test_a_thread_that_cannot_be_started_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = Mock(side_effect=RuntimeError("can't start new thread"))
    monkeypatch.setattr(threading.Thread, "start", refused)
    with pytest.raises(WorkersLost, match="worker processes: can't start new thread"), workers(2):
        pass


def test_lost_workers_are_no_answer() -> None:
    assert WorkersLost.exit_code == 4


@pytest.mark.parametrize("jobs", [0, -1, 1.5, "2", True])
def test_jobs_that_are_none(jobs: Any) -> None:
    with pytest.raises(UsageError, match="jobs must be a whole number from 1 to 1,024"), given(None, jobs):
        pass


@pytest.mark.parametrize("jobs", [1025, 2**31, 2**63, 10**30])
def test_too_many_jobs(jobs: int) -> None:
    with pytest.raises(UsageError, match="jobs must be a whole number from 1 to 1,024"):
        room.check(jobs, None)


@pytest.mark.parametrize("executor", [5, square, b"dask://127.0.0.1:1"])
def test_executors_that_are_none(executor: Any) -> None:
    with (
        pytest.raises(UsageError, match=r"executor must be a concurrent\.futures\.Executor"),
        given(executor, 1),
    ):
        pass


def test_one_job_needs_no_process() -> None:
    with workers(1) as executor:
        assert isinstance(executor, Here)
    assert cores() >= 1
    assert width(Here()) == 1


@pytest.mark.process
def test_workers_end_with_the_program_that_started_them(tmp_path: Path) -> None:
    command = [SINTRA, "simulate", "100000", "--bots", "greedy", "-j", "2"]
    process = subprocess.Popen(command, env=environment(), start_new_session=True)
    try:
        time.sleep(1)
        process.kill()
        process.wait()
        for _ in range(PATIENCE * 10):
            os.killpg(process.pid, 0)  # raises when nobody is left
            time.sleep(0.1)
        raise AssertionError("workers are left")
    except ProcessLookupError:
        pass
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


# -- A cluster -------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["spark://127.0.0.1:1", "127.0.0.1:8786", "dask://", ""])
def test_an_address_that_is_none(address: str) -> None:
    with pytest.raises(UsageError, match="dask://HOST:PORT"), workers(None, address):
        pass


def test_a_missing_extra_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(UsageError, match=r"pip install 'sintra\[dask\]'"),
        workers(None, "dask://127.0.0.1:1"),
    ):
        pass


CLUSTER = """
import sys
from distributed import LocalCluster

if __name__ == "__main__":
    with LocalCluster(
        n_workers=int(sys.argv[1]), threads_per_worker=1, host="127.0.0.1", dashboard_address=None
    ) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""


@contextlib.contextmanager
def cluster(folder: Path, members: int) -> Iterator[str]:
    """A real scheduler with so many worker processes, for as long as it is needed."""
    script = folder / "cluster.py"
    script.write_text(CLUSTER)
    process = subprocess.Popen(
        [sys.executable, str(script), str(members)],
        cwd=folder,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip().replace("tcp://", "dask://")
        process.stdin.close()
        process.wait(timeout=PATIENCE)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()


@needs_dask
@pytest.mark.process
def test_a_cluster_gives_what_this_machine_gives(tmp_path: Path) -> None:
    with cluster(tmp_path, 2) as address:
        words = ["simulate", "12", "--seed", "1", "--json", "--out"]
        far, near = (
            run(*words, tmp_path / "far", "--executor", address),
            run(*words, tmp_path / "near", "-j", "1"),
        )
        assert {**far.json, "timing": 0} == {**near.json, "timing": 0}
        files = sorted(path.relative_to(tmp_path / "near") for path in (tmp_path / "near").rglob("*.*"))
        assert len(files) == 1 + 12 + 12
        for file in files:
            assert (tmp_path / "far" / file).read_bytes() == (tmp_path / "near" / file).read_bytes()
        (tmp_path / "far" / "faulty.log").write_bytes(b"{}\n")
        for words in (["verify", "far"], ["verify", "--json", "far", "none.log"], ["stats", "--json", "far"]):
            far = run(*words, "--executor", address, cwd=tmp_path, code=None)  # relative names: read here
            near = run(*words, "-j", "1", cwd=tmp_path, code=None)
            assert (far.code, far.raw, far.err) == (near.code, near.raw, near.err)


@needs_dask
@pytest.mark.process
def test_a_cluster_plays_the_same_tournament(tmp_path: Path) -> None:
    words = ["--bots", f"first=cmd:{sys.executable} -m sintra bot serve greedy,random,hasty=greedy:depth=1"]
    words += ["--rules", "azul", "--max-rounds", "3", "--deals", "2", "--seed", "1", "-q"]
    with cluster(tmp_path, 2) as address:
        run("tournament", "far", *words, "--executor", address, cwd=tmp_path)
    run("tournament", "near", *words, "-j", "1", cwd=tmp_path)
    far, near = (
        [
            {**json.loads(line), "times": None}
            for line in (tmp_path / name / "journal.jsonl").read_text().splitlines()
        ]
        for name in ("far", "near")
    )
    assert far == near
    assert len(near) == 12
    for one in near:
        assert (tmp_path / "far" / one["log"]).read_bytes() == (tmp_path / "near" / one["log"]).read_bytes()


@needs_dask
@pytest.mark.process
def test_a_cluster_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "PATIENCE", 1)
    nobody = "dask://127.0.0.1:1"
    with pytest.raises(WorkersLost, match=f"no Dask .* answers at {nobody}"), workers(None, nobody):
        pass
    with (
        cluster(tmp_path, 0) as address,
        pytest.raises(WorkersLost, match=r"no workers|within 1 seconds"),
        workers(None, address),
    ):
        pass


@needs_dask
@pytest.mark.process
@pytest.mark.parametrize("server", ["silent", "garbage"])
def test_a_server_that_is_no_scheduler(server: str, tmp_path: Path) -> None:
    hostile.met(tmp_path / "meeting", server, ("verify", *["game.log"] * 9))


def test_a_call_that_never_returns_is_given_up() -> None:
    gate = threading.Event()
    with pytest.raises(WorkersLost, match=r"no Dask cluster answers at dask://a:1 within 0\.2 seconds"):
        room._within(0.2, lambda: gate.wait(10), "dask://a:1")
    gate.set()
    assert room._within(10, lambda: 5, "dask://a:1") == 5
    with pytest.raises(WorkersLost, match=r"no Dask scheduler answers at dask://a:1 \(MemoryError\)"):
        room._within(10, Mock(side_effect=MemoryError), "dask://a:1")


class Silent(ThreadPoolExecutor):
    """A cluster whose workers never answer."""


def test_a_cluster_without_a_sign_of_life_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pulse of a cluster is its scheduler's answer, with a worker in it."""
    monkeypatch.setattr(room, "PATIENCE", 0.5)
    gate = threading.Event()
    with Silent(1) as silent:
        room._PULSES[silent] = room._Pulse(Mock(status="running", nthreads=Mock(return_value={})))
        with pytest.raises(WorkersLost, match=r"no worker of the cluster answered for 0\.5 seconds"):
            list(spread(silent, lambda _: gate.wait(10), [1]))
        gate.set()


def test_a_cluster_that_lives_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "PATIENCE", 0.5)
    with Silent(1) as slow:
        room._PULSES[slow] = room._Pulse(Mock(status="running", nthreads=Mock(return_value={"a": 1})))
        assert list(spread(slow, lambda seconds: time.sleep(seconds), [1.5])) == [None]


def test_a_cluster_is_silenced_in_all_its_modules(caplog: pytest.LogCaptureFixture) -> None:
    """Dask gives the module of its client a level, which then counts instead of the package's."""
    package, module = logging.getLogger("made_up"), logging.getLogger("made_up.client")
    module.setLevel(logging.WARNING)
    with room._quiet("made_up"):
        module.error("no scheduler")
        package.error("no workers")
    assert caplog.messages == []
    module.error("the scheduler is back")
    assert caplog.messages == ["the scheduler is back"]
    assert (package.level, module.level) == (logging.NOTSET, logging.WARNING)
