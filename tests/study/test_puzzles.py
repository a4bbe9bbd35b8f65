"""Puzzles: found in games, kept in a file, and solved."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

import sintra
from sintra.batch.logs import Entry
from sintra.errors import Conflict, DamagedLog, IllegalStep, UnknownFormat, UsageError
from sintra.study import puzzles
from sintra.study.results import Puzzle
from tests.kit.program import run
from tests.study.test_analysis import cut, game_of


@functools.cache
def found() -> tuple[Puzzle, ...]:
    """Puzzles out of the beginning of a game."""
    log = cut(game_of(), 70).dumps().encode()
    return tuple(puzzles.puzzles_in(puzzles.Task(Entry("a.log", data=log), 200)))


def test_a_puzzle_has_one_clearly_best_turn() -> None:
    assert 0 < len(found()) <= puzzles.EACH
    for puzzle in found():
        assert puzzle.gap - 2 * puzzle.error >= puzzles.GAP - 0.05
        game = puzzles.position(puzzle)
        assert game.player == puzzle.player
        game.copy().play(*puzzle.best)
        assert puzzles.solve(puzzle, " ".join(puzzle.best), 200) == puzzles.Answer(True, 0.0)
        wrong = puzzles.solve(puzzle, puzzle.second, 200)
        assert not wrong.right
        assert wrong.loss > 0


def test_what_is_no_answer() -> None:
    puzzle = found()[0]
    game = puzzles.position(puzzle)
    with pytest.raises(UsageError, match="not finished"):
        puzzles.solve(puzzle, puzzle.best[0])
    with pytest.raises(UsageError, match="unknown step"):
        puzzles.solve(puzzle, "hop")
    with pytest.raises(IllegalStep):
        puzzles.solve(puzzle, "place floor")
    after = game.copy()
    after.play(*puzzle.best)
    more = [str(after.legal()[0])]
    after.play(more[0])
    with pytest.raises(UsageError, match="more than one turn"):
        puzzles.solve(puzzle, [*puzzle.best, *more, str(after.legal()[0])])


def test_puzzles_are_kept_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    puzzles.save(path, found())
    assert puzzles.read(path) == list(found())
    with pytest.raises(Conflict):
        puzzles.save(path, found())
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"format": 1', b'"format": 9'))
    with pytest.raises(UnknownFormat, match="format 9"):
        puzzles.read(path)
    path.write_bytes(data[:-9])
    with pytest.raises(DamagedLog, match="not a file of puzzles"):
        puzzles.read(path)
    path.write_bytes(data.replace(f'"{found()[0].best[0]}"'.encode(), b'"place floor"'))
    with pytest.raises(DamagedLog, match="puzzle 1"):
        puzzles.read(path)


@pytest.mark.parametrize(("count", "nodes"), [(0, 1), (1, 0), (-1, 1), (10**6, 1)])
def test_numbers_that_make_no_sense(count: int, nodes: int) -> None:
    with pytest.raises(UsageError, match="must be"):
        puzzles.puzzles("nowhere", count=count, nodes=nodes)


def test_puzzles_out_of_a_folder(tmp_path: Path) -> None:
    cut(game_of(), 70).save(tmp_path / "game.log")
    (one,) = sintra.puzzles(tmp_path, count=1, nodes=200)
    assert one.title == f"{tmp_path / 'game.log'}, event {one.title.split()[-1]}"
    assert one.best == found()[0].best
    with pytest.raises(DamagedLog):
        sintra.puzzles(tmp_path / "none.log")


@pytest.mark.process
def test_the_command(tmp_path: Path) -> None:
    puzzles.save(tmp_path / "set.json", found())
    best, second = (" ".join(steps) for steps in (found()[0].best, found()[0].second))
    ran = run("puzzle", "set.json", cwd=tmp_path, stdin=f"hop\n{second}\n")
    assert "unknown step" in ran.out
    assert f"Best is {best}." in ran.out
    assert "solved 0 of 1 puzzle" in ran.out
    ran = run("puzzle", "set.json", "-n", "1", cwd=tmp_path, stdin=f"{best}\n")
    assert "Right: " in ran.out
    assert "solved 1 of 1 puzzle" in ran.out
    assert f"It is {best}" in run("puzzle", "set.json", "-n", "1", cwd=tmp_path, stdin="?\n").out
    (tmp_path / "empty.log").write_bytes(sintra.new("azul", seed=1).dumps().encode())
    assert "no puzzle" in run("puzzle", "empty.log", cwd=tmp_path).out
    assert "nothing was written" in run("puzzle", "empty.log", "-o", "new.json", cwd=tmp_path, code=2).err
    assert "can't open" in run("puzzle", "none.log", cwd=tmp_path, code=4).err
