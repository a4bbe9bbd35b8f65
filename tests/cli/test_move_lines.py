"""`move --lines`: one process plays line after line, each whole or not at all, and answers as it goes."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

import sintra
from sintra.log.writing import Appender
from tests.kit.program import PATIENCE, SINTRA, environment, fresh, run

pytestmark = pytest.mark.process


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A game that nobody has moved in."""
    path = tmp_path / "game.log"
    path.write_bytes(fresh())
    return path


class Session:
    """A process that is asked a line at a time."""

    def __init__(self, log: Path, *words: str) -> None:
        self.process = subprocess.Popen(
            [SINTRA, "move", str(log), "--lines", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
            text=True,
            bufsize=1,
        )

    def send(self, line: str) -> None:
        """Type a line."""
        assert self.process.stdin
        print(line, file=self.process.stdin, flush=True)

    def ask(self, line: str) -> dict[str, Any]:
        """Type a line, and wait for its answer."""
        self.send(line)
        assert self.process.stdout
        answer = json.loads(self.process.stdout.readline())
        assert isinstance(answer, dict)
        return answer

    def end(self) -> tuple[int, str, str]:
        """Close standard input; return the exit code and what was printed since."""
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err


def test_each_line_is_in_the_log_when_its_answer_comes(log: Path) -> None:
    session = Session(log, "--json")
    first = session.ask("pick 3 orange place 2")
    assert [event["type"] for event in first["events"]] == ["picked", "placed"]
    assert sintra.load(log).player == first["player"] == 2
    game = sintra.load(log)
    for _ in range(12):
        answer = session.ask(str(game.legal()[0]))
        game = sintra.load(log)
        assert answer["legal"] == [str(step) for step in game.legal()]
    assert session.end() == (0, "", "")


def test_answers_are_those_of_move(log: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.log"
    other.write_bytes(fresh())
    steps = ["pick 3 orange", "place 2"]
    for more in ([], ["--json"]):
        one_by_one = "".join(run("move", other, *step.split(), *more).out for step in steps)
        ran = run("move", log, "--lines", *more, stdin="# a comment\n\n" + "\n".join(steps))
        assert ran.out == one_by_one
        assert log.read_bytes() == other.read_bytes()
        steps = [str(step) for step in sintra.load(log).legal()[:1]]


def test_a_refused_line_changes_nothing_and_the_next_one_counts(log: Path) -> None:
    session = Session(log, "--json")
    before = log.read_bytes()
    assert session.ask("pick 3 orange place 4")["error"] == "illegal"
    assert session.ask("dance")["error"] == "usage"
    assert log.read_bytes() == before
    assert "events" in session.ask("pick 3 orange")
    assert session.end() == (3, "", "")


def test_without_json_refusals_go_to_standard_error(log: Path) -> None:
    ran = run("move", log, "--lines", stdin="dance\npick 3 orange\n", code=2)
    assert ran.err.startswith("sintra: ")
    assert "dance" in ran.err
    assert "orange" in ran.out
    assert run("move", log, "--lines", "-q", "--no-sync", stdin="place 2\n").out == ""


def test_other_programs_may_write_in_between(log: Path) -> None:
    session = Session(log, "--json")
    session.ask("pick 3 orange")
    run("undo", log)
    assert "events" in session.ask("pick 3 orange")
    with Appender(log):
        assert session.ask("place 2")["error"] == "conflict"
    assert "events" in session.ask("place 2")
    assert session.end()[0] == 5


def test_forced_steps_are_played_as_well(log: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.log"
    other.write_bytes(fresh())
    step = str(sintra.load(log).legal()[0])
    run("move", other, "--auto", *step.split())
    run("move", log, "--auto", "--lines", stdin=step)
    assert log.read_bytes() == other.read_bytes()


def test_a_damaged_log_ends_it(log: Path) -> None:
    with log.open("ab") as file:
        file.write(b"x\n")
    assert run("move", log, "--lines", stdin="pick 3 orange\nplace 2\n", code=4).err.count("sintra:") == 1


def test_ctrl_c_ends_it_quietly(log: Path) -> None:
    session = Session(log, "--json")
    session.ask("pick 3 orange")
    session.process.send_signal(signal.SIGINT)
    assert session.end() == (130, "", "")


@pytest.mark.parametrize("words", [["game.log", "pick", "1", "blue"], ["-"], ["game.log", "--expect", "3"]])
def test_what_goes_with_lines(words: list[str], log: Path, tmp_path: Path) -> None:
    assert "--lines needs a log file" in run("move", "--lines", *words, cwd=tmp_path, code=2).err


def test_a_line_has_a_bound(log: Path) -> None:
    from sintra.log.limits import MAX_STEPS_BYTES

    assert (
        "bytes in a line" in run("move", log, "--lines", stdin=b"x" * (MAX_STEPS_BYTES + 70_000), code=2).err
    )
