"""`sintra export`: rows that other programs read, and examples to learn from."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import sintra
from scripts.fixtures import FIXTURES
from sintra.errors import Conflict, DamagedLog, UsageError
from tests.kit.program import run

GOLDENS = FIXTURES / "games"
LOGS = sorted(GOLDENS.glob("*.log"))


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def exported(tmp_path: Path, *logs: Path, per: str = "turn") -> list[dict[str, str]]:
    sintra.export(*logs, csv=tmp_path / "out.csv", per=per)
    return rows_of((tmp_path / "out.csv").read_text())


@pytest.mark.parametrize("path", LOGS[::4], ids=lambda path: path.stem)
def test_a_row_per_turn_tells_the_whole_game(path: Path, tmp_path: Path) -> None:
    game = sintra.load(path)
    rows = exported(tmp_path, path)
    created = game.created
    again = sintra.Game.new(game.rules, game.players, seed=created.seed, options=created.options)
    for row in rows:
        assert again.player == int(row["seat"])
        assert again.round == int(row["round"])
        assert len(again.legal()) == int(row["choices"])
        assert str(again.scores[int(row["seat"]) - 1]) == row["score_before"]
        again.play(*row["steps"].split(", "))
        words = [again.rules.steps[int(code)].words for code in row["codes"].split()]
        assert ", ".join(words) == row["steps"]
        assert [row[f"score_{seat}"] for seat in range(1, len(again.players) + 1)] == list(
            map(str, again.scores)
        )
    assert again.over
    last = rows[-1]
    assert [last[f"final_{seat}"] for seat in range(1, len(game.players) + 1)] == list(map(str, game.scores))
    for row in rows:
        assert float(row["share"]) == (1 / len(game.winners) if int(row["seat"]) in game.winners else 0)


def test_a_row_per_game_has_the_results(tmp_path: Path) -> None:
    rows = exported(tmp_path, GOLDENS, per="game")
    assert [row["log"] for row in rows] == [str(path) for path in LOGS]
    for row, path in zip(rows, LOGS, strict=True):
        game = sintra.load(path)
        assert row["over"] == "true"
        for seat, (name, score) in enumerate(zip(game.players, game.scores, strict=True), 1):
            assert (row[f"player_{seat}"], row[f"score_{seat}"]) == (name, str(score))
        assert sum(float(row[f"share_{seat}"] or 0) for seat in range(1, 5)) == pytest.approx(1)


def test_what_was_undone_is_left_out_and_unfinished_games_have_no_result(tmp_path: Path) -> None:
    game = sintra.new("azul", ["Ada", "=Ben"], seed=1)
    game.play(game.legal()[0])
    game.undo()
    game.play(game.legal()[1])
    game.save(tmp_path / "game.log")
    (row,) = exported(tmp_path, tmp_path / "game.log")
    assert len(row["codes"].split()) == 1
    assert (row["over"], row["share"], row["player"]) == ("false", "", "Ada")


def test_faulty_logs_are_counted_and_left_out(tmp_path: Path) -> None:
    (tmp_path / "bad.log").write_text("no log\n")
    done = sintra.export(LOGS[0], tmp_path / "bad.log", csv=tmp_path / "a.csv")
    assert (done.logs, done.faulty, done.faults[0].log) == (2, 1, str(tmp_path / "bad.log"))
    with pytest.raises(Conflict, match="already exists"):
        sintra.export(LOGS[0], csv=tmp_path / "a.csv")
    with pytest.raises(DamagedLog, match="nothing was written"):
        sintra.export(tmp_path / "bad.log", csv=tmp_path / "b.csv")
    assert not (tmp_path / "b.csv").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "bad.log"]
    with pytest.raises(UsageError, match="give one file"):
        sintra.export(LOGS[0])
    with pytest.raises(UsageError, match="no rows per 'step'"):
        sintra.export(LOGS[0], csv=tmp_path / "c.csv", per="step")


def test_any_number_of_jobs_writes_the_same_file(tmp_path: Path) -> None:
    for jobs in (1, 2):
        sintra.export(GOLDENS, csv=tmp_path / f"{jobs}.csv", jobs=jobs)
    assert (tmp_path / "1.csv").read_bytes() == (tmp_path / "2.csv").read_bytes()


@pytest.mark.process
def test_the_command_prints_csv_and_names_what_is_faulty(tmp_path: Path) -> None:
    (tmp_path / "bad.log").write_text("no log\n")
    done = run("export", str(LOGS[0]), str(tmp_path / "bad.log"), "--per", "game")
    assert done.code == 0
    assert len(rows_of(done.out)) == 1
    assert "faulty" in done.err
    assert run("export", str(LOGS[0]), str(tmp_path / "bad.log"), "--strict", code=1).out.count("\n") > 1
    assert "nothing was written" in run("export", str(tmp_path / "none"), code=4).err
    assert "only one of" in run("export", str(LOGS[0]), "--csv", "a", "--planes", "b", code=2).err


@pytest.mark.process
@pytest.mark.parametrize("command", ["export", "stats"])
def test_a_missing_file_is_named_once(command: str, tmp_path: Path) -> None:
    said = run(command, "none.log", cwd=tmp_path, code=4).err.splitlines()[0]
    assert said == "sintra: faulty: none.log: can't open: no such file or directory"


@pytest.mark.process
@pytest.mark.parametrize("words", [[], ["--csv", "turns.csv"]])
def test_an_error_in_json_is_one_object_with_the_faults(words: list[str], tmp_path: Path) -> None:
    ran = run("export", "none.log", "other.log", "--json", *words, cwd=tmp_path, code=4)
    said = json.loads(ran.err)
    assert said["error"] == "damaged"
    assert [fault["log"] for fault in said["faults"]] == ["none.log", "other.log"]
    assert ran.out == ""


def test_parquet_has_the_same_rows(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    rows = exported(tmp_path, GOLDENS)
    sintra.export(GOLDENS, parquet=tmp_path / "out.parquet")
    found = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert len(found) == len(rows)
    for row, other in zip(rows, found, strict=True):
        texts = {name: "" if value is None else str(value) for name, value in other.items()}
        assert {**texts, "over": texts["over"].lower()} == row


def test_planes_of_logs_are_examples_to_learn_from(tmp_path: Path) -> None:
    np = pytest.importorskip("numpy")
    rl = pytest.importorskip("sintra.rl.dataset")
    games = sorted(GOLDENS.glob("azul*2*.log"))
    done = sintra.export(*games, planes=tmp_path / "out.npz")
    data = np.load(tmp_path / "out.npz")
    made = rl.examples(*games)
    for name in ("planes", "masks", "codes", "seats", "shares", "games"):
        assert np.array_equal(data[name], getattr(made, name), equal_nan=name == "shares")
    assert data["names"].tolist() == made.names
    assert done.rows == len(made.codes)
    assert made.masks[np.arange(len(made.codes)), made.codes].all()
    with pytest.raises(UsageError, match="don't fit together"):
        rl.examples(*sorted(GOLDENS.glob("azul*.log")))


def test_games_in_memory_are_examples_too() -> None:
    pytest.importorskip("numpy")
    rl = pytest.importorskip("sintra.rl.dataset")
    game = sintra.new("sintra", seed=1)
    game.play(game.legal()[0])
    made = rl.examples(game)
    assert made.planes.shape == (1, 46, 8, 5)
    assert made.shares.tolist() != made.shares.tolist()  # not a number: the game is not over
    with pytest.raises(UsageError, match="no logs"):
        rl.examples()
