"""The example scripts, run as a shell runs them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import sintra
from tests.kit.program import Ran, played, run_any, write_games

pytestmark = pytest.mark.process

EXAMPLES = Path(__file__).parents[2] / "scripts" / "examples"
needs_jq = pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")
needs_shellcheck = pytest.mark.skipif(
    shutil.which("shellcheck") is None, reason="shellcheck is not installed"
)


def example(name: str, *words: str | Path, cwd: Path, code: int = 0) -> Ran:
    return run_any([str(EXAMPLES / name), *map(str, words)], cwd=cwd, code=code)


@needs_shellcheck
@pytest.mark.parametrize("name", ["scores.sh", "ci-check.sh"])
def test_shellcheck_finds_nothing(name: str) -> None:
    assert run_any(["shellcheck", str(EXAMPLES / name)], cwd=EXAMPLES).out == ""


def test_random_plays_to_the_end(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    log.write_bytes(played(left=2))
    example("random.sh", log, cwd=tmp_path)
    assert sintra.load(log).over


def test_random_stops_after_so_many_steps(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    log.write_bytes(played(left=10))
    before = len(sintra.load(log).events)
    example("random.sh", log, "2", cwd=tmp_path)
    assert len(sintra.load(log).events) > before
    assert not sintra.load(log).over


@needs_jq
def test_scores_are_those_of_the_games(tmp_path: Path) -> None:
    paths = write_games(tmp_path, 3)
    (tmp_path / "faulty.log").write_bytes(played()[:-9])
    (tmp_path / "unfinished.log").write_bytes(played(left=1))
    ran = example("scores.sh", *sorted(tmp_path.iterdir()), cwd=tmp_path)
    head, *rows = [line.split("\t") for line in ran.lines]
    assert head == ["player", "games", "won", "average", "best"]
    games = [sintra.load(path) for path in paths]
    for name, count, won, average, best in rows:
        scores = [game.scores[game.players.index(name)] for game in games if name in game.players]
        assert int(count) == len(scores)
        assert int(won) == sum(
            game.players.index(name) + 1 in game.winners for game in games if name in game.players
        )
        assert float(average) == pytest.approx(sum(scores) / len(scores), abs=0.051)
        assert int(best) == max(scores)
    assert {row[0] for row in rows} == {name for game in games for name in game.players}
    assert [int(row[2]) for row in rows] == sorted((int(row[2]) for row in rows), reverse=True)


@needs_jq
def test_scores_of_nothing_is_a_slip(tmp_path: Path) -> None:
    assert "usage" in example("scores.sh", cwd=tmp_path, code=2).err


def test_ci_check_names_the_faulty_logs(tmp_path: Path) -> None:
    paths = write_games(tmp_path / "deep er", 2)
    assert "2 logs are good" in example("ci-check.sh", tmp_path, cwd=tmp_path).out
    paths[1].write_bytes(paths[1].read_bytes()[:-9])
    ran = example("ci-check.sh", cwd=tmp_path, code=1)
    assert "02.log: " in ran.err
    assert "torn" in ran.err
    assert "01.log" not in ran.out + ran.err
    assert "good" not in ran.out


def test_ci_check_does_not_pass_where_there_is_nothing_to_check(tmp_path: Path) -> None:
    assert "no logs" in example("ci-check.sh", tmp_path, cwd=tmp_path, code=2).err
