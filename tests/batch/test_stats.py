"""Statistics over many logs."""

from __future__ import annotations

import csv
import io
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

import sintra
from sintra.batch import report, stats, tallies
from sintra.batch.columns import Group, Results, cells, columns, heads
from sintra.batch.report import stats_lines
from sintra.batch.simulation import simulate
from sintra.errors import UsageError
from sintra.view.style import Style
from tests.batch.test_simulate import turns_of
from tests.cli.test_schema import answers
from tests.kit.program import fresh, played, run, shell, write_games


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Two runs, logs that are not over, and faulty ones."""
    simulate("azul", 6, bots=["greedy", "random"], rotate=True, seed=1, out=tmp_path / "runs" / "azul")
    simulate("sintra", 8, players=3, seed=2, out=tmp_path / "runs" / "sintra", logs="shards", side="B")
    (tmp_path / "runs" / "open.log").write_bytes(played(left=3))
    (tmp_path / "runs" / "torn.log").write_bytes(played()[:-4])
    return tmp_path


# -- The library -----------------------------------------------------------------------------


def test_results_are_those_of_the_games(tmp_path: Path) -> None:
    games = [sintra.load(path) for path in write_games(tmp_path, 6)]
    found = sintra.stats(tmp_path, by=["players", "seat"])
    assert (found.logs, found.games, found.unfinished, found.faulty) == (6, 6, 0, 0)
    assert [tuple(group.group.values()) for group in found.groups] == [
        (players, seat) for players in (2, 3, 4) for seat in range(1, players + 1)
    ]
    for group in found.groups:
        players, seat = int(group.group["players"]), int(group.group["seat"])
        mine = [game for game in games if len(game.players) == players]
        scores = sorted(game.scores[seat - 1] for game in mine)
        assert (group.score.min, group.score.max) == (scores[0], scores[-1])
        assert group.score.mean == sum(scores) / len(scores)
        assert group.wins == sum(seat in game.winners for game in mine)
        assert sum(group.points.values()) == pytest.approx(group.score.mean)
        assert group.rounds.mean == 6
        assert group.turns.count == group.games == len(mine)


def test_groups_count_a_game_once(tmp_path: Path) -> None:
    write_games(tmp_path, 3)
    (whole,) = sintra.stats(tmp_path, by=["rules"]).groups
    assert (whole.games, whole.results, whole.rounds.count) == (3, 9, 3)
    assert whole.share == pytest.approx(3 / 9, abs=1e-4)


def test_whoever_counts_the_result_is_the_same(runs: Path) -> None:
    alone = sintra.stats(runs)
    assert sintra.stats(runs, jobs=2) == alone
    with ThreadPoolExecutor(3) as threads:
        assert sintra.stats(runs, executor=threads) == alone
    assert sintra.stats(f"{runs}/**/*.log", runs / "runs" / "sintra") != sintra.stats(f"{runs}/**/*.log")
    assert (alone.logs, alone.games, alone.unfinished, alone.faulty) == (16, 14, 1, 1)


@pytest.mark.parametrize(
    ("by", "keys"),
    [
        (["rules"], [("azul",), ("sintra",)]),
        (["side", "players"], [("A", 2), ("B", 3), ("colored", 2)]),
        (["bot"], [("",), ("greedy",), ("random",)]),
        (
            ["options"],
            [("side A, floor_at_zero false",), ("side B, floor_at_zero false",), ("side colored",)],
        ),
        (["rules", "player"], None),
    ],
)
def test_results_are_grouped(by: list[str], keys: list[Any] | None, runs: Path) -> None:
    found = sintra.stats(runs, by=by)
    told = [tuple(group.group.values()) for group in found.groups]
    assert told == sorted(told)
    assert keys is None or told == keys


def test_what_is_grouped_by_may_be_one_text(runs: Path) -> None:
    assert sintra.stats(runs, by="rules, bot") == sintra.stats(runs, by=["rules", "bot"])


@pytest.mark.parametrize("by", ["color", ["color"], ["rules", "rules"], [""]])
def test_groups_that_are_none(by: list[str]) -> None:
    with pytest.raises(UsageError, match=r"can.t group results by|a key is listed twice"):
        sintra.stats("x", by=by)


def test_the_bot_is_known_by_its_name_and_seat() -> None:
    names = ["greedy 1", "random 3", "random", "clever 4"]
    assert [tallies.bot_of(names, seat) for seat in (1, 2, 3, 4)] == ["greedy", "", "", ""]


def test_what_was_taken_back_is_no_turn() -> None:
    game = sintra.new("sintra", 2, seed=1)
    for _ in range(8):
        game.play(game.legal()[0])
    before = turns_of(game)
    assert before > 1
    game.undo(5)
    assert turns_of(game) < before
    game.note("once more")
    for _ in range(5):
        game.play(game.legal()[0])
    assert turns_of(game) == before


def test_only_the_first_faults_are_named(tmp_path: Path) -> None:
    for number in range(stats.NAMED + 5):
        (tmp_path / f"{number:02}.log").write_bytes(b"{}\n")
        (tmp_path / f"{number:02}-open.log").write_bytes(fresh())
    found = sintra.stats(tmp_path)
    assert (found.faulty, found.unfinished) == (stats.NAMED + 5, stats.NAMED + 5)
    assert len(found.faults) == len(found.open) == stats.NAMED
    assert "faulty: and 5 more" in run("stats", tmp_path).err


def test_every_field_of_results_is_a_column_that_a_tally_has() -> None:
    tally = tallies.Tally()
    for kind, known in ((Group, []), (Results, ["group"])):
        assert [*known, *(column.name for column in columns(kind))] == list(kind.__struct_fields__)
    empty = tallies.results(Results, tally, group={})
    assert len(cells(empty)) == len(heads(Results))
    assert len(cells(empty, single=False)) == len(heads(Results, single=False)) == len(heads(Results)) - 2


# -- The command -----------------------------------------------------------------------------


@pytest.mark.process
def test_the_tables(runs: Path) -> None:
    ran = run("stats", "runs", cwd=runs)
    assert ran.lines[0] == "16 logs, 14 games counted, 1 unfinished, 1 faulty"
    assert max(map(len, ran.lines)) <= 100
    heads = "rules side players seat bot games win % mean sd min med max margin rounds turns"
    assert ran.lines[2].split() == heads.split()
    unfinished, faulty = ran.err.splitlines()
    assert unfinished == "sintra: unfinished: runs/open.log: in round 6"
    assert faulty.startswith("sintra: faulty: runs/torn.log: line ")
    alone = run("stats", "runs/sintra", "--by", "rules,players", "--ascii", cwd=runs)
    assert alone.lines[1] == "rules sintra"
    assert "win %" not in alone.out
    assert run("stats", "-q", "runs", cwd=runs).err == faulty + "\n"
    assert run("stats", "-q", "runs", cwd=runs).raw == b""


def test_the_widest_usual_table_fits(tmp_path: Path) -> None:
    for rules, side in (("azul", "colored"), ("crystal", "1"), ("sintra", "B")):
        simulate(rules, 4, players=4, bots="greedy", seed=1, out=tmp_path / rules, side=side)
    simulate("azul", 2, seed=1, out=tmp_path / "two")
    found = sintra.stats(tmp_path)
    many = [msgspec.structs.replace(group, games=10**6) for group in found.groups]
    lines = stats_lines(msgspec.structs.replace(found, groups=many), Style(False, False, 80))
    assert max(map(len, lines)) <= 100
    assert len({len(line) for line in lines if " 1000000 " in line}) == 1


def test_options_are_told_in_full(tmp_path: Path) -> None:
    for floor in (True, False):
        simulate("sintra", 1, seed=1, out=tmp_path / str(floor), floor_at_zero=floor)
    lines = stats_lines(sintra.stats(tmp_path, by="options"), Style(False, False, 80))
    for told in ("true", "false"):
        assert any(line.startswith(f"side A, floor_at_zero {told} ") for line in lines)


@pytest.mark.process
def test_json_fits_its_schema_and_is_the_same_for_any_jobs(runs: Path) -> None:
    (one,) = answers("stats", "stats", "runs", "-j", "1", cwd=runs)
    (two,) = answers("stats", "stats", "runs", "-j", "2", cwd=runs)
    assert one == two
    assert one["faults"][0]["log"] == "runs/torn.log"
    assert one["open"] == [{"log": "runs/open.log", "round": 6}]
    answers("simulate", "simulate", "3", cwd=runs)


@pytest.mark.process
def test_csv_has_a_row_for_each_group(runs: Path) -> None:
    found = run("stats", "runs", "--csv", "--by", "rules,bot", cwd=runs)
    rows = list(csv.DictReader(io.StringIO(found.out)))
    told = run("stats", "runs", "--json", "--by", "rules,bot", cwd=runs).json["groups"]
    assert [(row["rules"], row["bot"]) for row in rows] == [tuple(one["group"].values()) for one in told]
    for row, one in zip(rows, told, strict=True):
        assert json.loads(row["points"]) == one["points"]
        assert row["score_mean"] == ("" if one["score"]["mean"] is None else str(one["score"]["mean"]))
        assert int(row["games"]) == one["games"]
    other = run("stats", "runs/azul", "--csv", "--by", "rules,bot", cwd=runs)
    assert other.lines[0] == found.lines[0]
    assert "use only one of --csv and --json" in run("stats", "runs", "--csv", "--json", cwd=runs, code=2).err


@pytest.mark.process
def test_exit_codes(runs: Path) -> None:
    assert run("stats", "runs", "--strict", cwd=runs, code=1).out
    assert run("stats", "runs/azul", "--strict", cwd=runs).out
    run("stats", "none.log", cwd=runs, code=4)
    run("stats", "runs/torn.log", cwd=runs, code=1)
    run("stats", "runs/open.log", cwd=runs)
    assert "group results by 'color'" in run("stats", "runs", "--by", "color", cwd=runs, code=2).err


@pytest.mark.process
def test_standard_input_may_hold_many_games(runs: Path) -> None:
    stream = shell("cat runs/azul/logs/*/*.log | sintra stats - --by bot --json", cwd=runs).json
    assert stream["groups"] == run("stats", "runs/azul", "--by", "bot", "--json", cwd=runs).json["groups"]


@pytest.mark.process
def test_names_from_logs_are_shown_not_sent(tmp_path: Path) -> None:
    log = played().replace(b'"Player 1"', b'"\\u001b[31mAda"')
    (tmp_path / "odd.log").write_bytes(log)
    for form in ("--ascii", "--csv", "--json"):
        assert "\x1b" not in run("stats", "odd.log", "--by", "player", form, cwd=tmp_path).out
    assert os.listdir(tmp_path) == ["odd.log"]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1"])
def test_no_cell_is_a_formula(name: str) -> None:
    assert report.csv_cell(name).startswith("'")
    assert report.csv_cell("Ada = 1") == "Ada = 1"
