"""Analysis: luck and skill add up, the best turn loses nothing, and an analysis is kept beside its log."""

from __future__ import annotations

import functools
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

import sintra
from scripts.study import played
from sintra.batch.workers import Here
from sintra.cli.analyze import analyze as command
from sintra.errors import Conflict, DamagedLog, UnknownFormat, UsageError
from sintra.game import Game
from sintra.rules.chance import Chance
from sintra.share.position import from_position, position
from sintra.study import kept
from sintra.study.analysis import Job, Run, analyze, judge_stop, mark_of
from sintra.study.judge import Judge, differences, mean
from sintra.study.results import Analysis, Budget, DealJudged, TurnJudged, tenths
from sintra.study.walk import stops, turn_of
from tests.kit.program import SINTRA, environment, run
from tests.rules.test_plugins import plug_harbor

quick = functools.partial(analyze, nodes=40, deals=2)
TABLES = [("azul", "colored", 2), ("azul", "gray", 2), ("sintra", "A", 2), ("azul", "colored", 3)]


@functools.cache
def game_of(rules: str = "azul", side: str = "colored", players: int = 2) -> Game:
    return played(rules, side, ["greedy", *["random"] * (players - 1)], 3)


@functools.cache
def judged(rules: str = "azul", side: str = "colored", players: int = 2) -> Analysis:
    return quick(game_of(rules, side, players))


def cut(game: Game, events: int) -> Game:
    return sintra.loads("".join(game.dumps().splitlines(keepends=True)[:events]))


# -- Luck and skill --


@pytest.mark.parametrize("table", TABLES)
def test_luck_and_skill_add_up_to_the_result(table: tuple[str, str, int]) -> None:
    game, found = game_of(*table), judged(*table)
    for seat, one in enumerate(found.totals):
        others = [score for at, score in enumerate(game.scores) if at != seat]
        assert one.result == game.scores[seat] - max(others)
        assert one.result == tenths(one.luck + one.skill)
        assert one.skill == tenths(one.others - one.lost)
        assert one.chance == (100 / len(game.winners) if seat + 1 in game.winners else 0)
        assert one.chance == pytest.approx(one.even + one.chance_luck + one.chance_skill)
        assert one.luck == tenths(sum(part.luck.lead[seat] for part in found.rounds))
        assert one.skill == tenths(sum(part.skill.lead[seat] for part in found.rounds))
    if len(game.players) == 2:
        assert found.totals[0].luck == -found.totals[1].luck


@pytest.mark.parametrize("table", TABLES)
def test_every_turn_and_deal_is_judged(table: tuple[str, str, int]) -> None:
    game, found = game_of(*table), judged(*table)
    choices = {number for number, event in enumerate(game.events, 1) if hasattr(event, "player")}
    assert {number for turn in found.turns() for number in turn.events} == choices
    assert found.done == found.stops == len(found.judged)
    assert [one.round for one in found.judged if isinstance(one, DealJudged)] == list(
        range(1, game.round + 1)
    )
    assert [one.round for one in found.rounds] == list(range(game.round + 1))


def test_what_was_played_is_what_the_log_says() -> None:
    game = game_of()
    for turn in judged().turns()[:9]:
        trial = cut(game, turn.events[0] - 1)
        assert trial.player == turn.player
        trial.play(*turn.played)
        assert trial.events[: turn.events[-1]] == game.events[: turn.events[-1]]
        best = cut(game, turn.events[0] - 1)
        best.play(*turn.best)
        assert turn.loss > 0 or turn.best == turn.played


def test_luck_averages_to_0_over_deals() -> None:
    deal = next(stop for stop in stops(game_of()) if stop.kind == "deal" and stop.round == 2)
    judge = Judge(deal.before, 400, 1)
    before = mean(judge.samples(deal.before, 60))
    found = []
    for seed in range(60):
        again = deal.before.copy()
        again.deal_from(Chance(seed).stream("again"))
        found.append(judge.outcome(again))
    over = mean([[one - middle for one, middle in zip(luck, before.mean, strict=True)] for luck in found])
    assert abs(over.mean[0]) < 2.5 * (over.error[0] ** 2 + before.error[0] ** 2) ** 0.5 + 0.05


# -- Losses and marks --


def test_the_best_turn_loses_nothing() -> None:
    game = sintra.new("azul", seed=4)
    for _ in range(6):
        game.play(*sintra.hint(game, 1, nodes=400).lines[0].steps)
    found = analyze(game, nodes=400, deals=2)
    assert [turn.loss for turn in found.turns()] == [0.0] * 6
    assert all(turn.best == turn.played for turn in found.turns())


def test_equal_displays_are_the_same_turn() -> None:
    for seed in range(40):
        game = sintra.new("azul", seed=seed)
        piles = game.live.offer.sources()
        if len(set(piles)) < len(piles):
            break
    twin = max(at for at in range(1, 6) if piles[at] in piles[1:at])
    first = piles.index(piles[twin])
    color = next(iter(game.state.displays[twin - 1]))
    turns = []
    for display in (first, twin):
        trial = game.copy()
        trial.play(f"pick {display} {color} place 5")
        turns.append(next(turn_of(stop) for stop in stops(trial) if stop.kind == "turn"))
    assert turns[0] == turns[1]


def test_random_makes_mistakes_and_strong_few() -> None:
    shares = []
    for bot in ("random", "strong:nodes=500"):
        game = cut(played("azul", "colored", [bot] * 2, 5), 24)
        turns = analyze(game, nodes=500, deals=4).turns()
        shares.append(sum(bool(turn.mark) for turn in turns) / len(turns))
    assert shares[0] > 0.5
    assert shares[1] < 0.2


@pytest.mark.parametrize(
    ("loss", "error", "mark"),
    [(0, 0, ""), (0.4, 0, ""), (0.5, 0, "?!"), (2.5, 1, "?"), (5, 1, "??"), (5, 2.5, ""), (9, 4.4, "??")],
)
def test_a_mark_needs_twice_the_error(loss: float, error: float, mark: str) -> None:
    assert mark_of(loss, error) == mark


def test_differences_are_paired_and_a_result_stands_for_all() -> None:
    assert differences([[3.0], [5.0]], [[1.0], [1.0]]) == [[2.0], [4.0]]
    assert differences([[3.0]], [[1.0], [2.0]]) == [[2.0], [1.0]]
    assert mean([[3.0], [5.0]]) == ([4.0], [1.0])


# -- The same everywhere --


def test_the_same_numbers_give_the_same_analysis() -> None:
    game = cut(game_of(), 30)
    one = quick(game)
    assert one == quick(game, jobs=2)
    assert one != analyze(game, nodes=40, deals=2, seed=2)


def test_a_log_that_is_not_over_is_judged_where_it_stands() -> None:
    game = game_of()
    for events in (5, 6, 7, 26):  # in a turn, after one, before a deal
        found = quick(cut(game, events))
        assert not found.over
        assert all(one.result == tenths(one.luck + one.skill) for one in found.totals)


def test_a_log_that_waits_for_a_deal_is_judged() -> None:
    game = game_of()
    deal = [number for number, event in enumerate(game.events, 1) if type(event).__name__ == "Dealt"][1]
    found = quick(cut(game, deal - 1))
    assert [one.round for one in found.rounds] == [0, 1]


@pytest.mark.parametrize("apart", [0, 1, 2])
def test_a_game_that_begins_within_a_round_is_judged_from_there(apart: int) -> None:
    """Before a deal, before a turn and within one; two turns, and into the next round."""
    deal = [number for number, event in enumerate(game_of().events, 1) if type(event).__name__ == "Dealt"][1]
    game = from_position(position(cut(game_of(), deal - 1 + apart)))
    first = game.round
    for steps in (4, 40):
        for _ in range(steps):
            game.play(game.legal()[0])
        found = quick(game)
        assert [one.round for one in found.rounds] == [0, *range(first, game.round + 1)]
        for seat, one in enumerate(found.totals):
            assert one.result == tenths(one.luck + one.skill)
            assert one.luck == tenths(sum(part.luck.lead[seat] for part in found.rounds))
            assert one.skill == tenths(sum(part.skill.lead[seat] for part in found.rounds))
    assert len(found.rounds) > 2


def test_undone_turns_do_not_count() -> None:
    game = sintra.new("azul", seed=4)
    game.play("pick 1 " + next(iter(game.state.displays[0])), "place 5")
    game.undo(2)
    game.play(game.legal()[0])
    game.play(game.legal()[0])
    (turn,) = quick(game).turns()
    assert turn.events == [len(game.events) - 1, len(game.events)]


def test_workers_get_the_log_without_remarks_and_what_was_taken_back() -> None:
    """A log may be remarks for the most part; its events keep their numbers in the analysis."""
    game = sintra.new("azul", seed=3)
    game.note("x" * 1000)
    for step in ("pick", "place"):
        game.play(next(one for one in game.legal() if str(one).startswith(step)))
    got: list[bytes] = []

    class Spy(Here):
        def submit(self, function: Any, /, *jobs: Any, **more: Any) -> Any:
            got.extend(job.log for job in jobs if isinstance(job, Job))
            return super().submit(function, *jobs, **more)

    run = Run(game, Budget(10, 2, 1))
    assert [*run.work(Spy())][-1] == run.total
    turn = next(one for one in run.judged if isinstance(one, TurnJudged))
    assert turn.events == [5, 6]
    assert got
    assert all(b"noted" not in log for log in got)


@pytest.mark.parametrize(
    ("budget", "said"),
    [
        ({"nodes": 0}, "nodes must be"),
        ({"nodes": -5}, "nodes must be"),
        ({"deals": 1}, "deals must be"),
        ({"seed": -1}, "seed must be"),
    ],
)
def test_budgets_that_make_no_sense(budget: dict[str, int], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        Run(game_of(), Budget(**budget))


def test_there_has_to_be_a_turn() -> None:
    with pytest.raises(UsageError, match="no turn to analyze"):
        analyze(sintra.new("azul", seed=1))


# -- The file --


def test_an_analysis_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = str(tmp_path / "game.analysis.json")
    kept.write(path, judged())
    assert kept.read(path, game_of()) == judged()
    assert kept.beside("x/game.log") == "x/game.analysis.json"


def test_an_analysis_of_another_log_is_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "game.analysis.json")
    kept.write(path, judged())
    for other in (game_of("azul", "gray"), cut(game_of(), 20)):
        with pytest.raises(Conflict, match="another log"):
            kept.read(path, other, grown=True)
    short = quick(cut(game_of(), 20))
    kept.write(path, short)
    assert kept.read(path, game_of(), grown=True) == short
    with pytest.raises(Conflict, match="analyze it again"):
        kept.read(path, game_of())


@pytest.mark.parametrize("change", [{"done": 3}, {"stops": 3}, {"events": "x"}, {"format": 2, "new": 1}])
def test_a_damaged_analysis_is_refused(change: dict[str, object], tmp_path: Path) -> None:
    path = tmp_path / "game.analysis.json"
    path.write_bytes(msgspec.json.encode(msgspec.to_builtins(judged()) | change))
    with pytest.raises(UnknownFormat if "format" in change else DamagedLog, match=r"analysis\.json"):
        kept.read(path, game_of())
    path.write_bytes(b"[" * 10000)
    with pytest.raises(DamagedLog, match="damaged analysis"):
        kept.read(path, game_of())


def test_a_run_takes_over_what_is_judged() -> None:
    game = cut(game_of(), 30)
    run = Run(game, Budget(40, 2, 1))
    run.resume(judged())
    assert run.done == run.total - 1  # where it stands now
    again = Run(game_of(), Budget(40, 2, 1))
    again.resume(quick(game))
    assert 0 < again.done < again.total
    turn = next(one for one in again.judged if isinstance(one, TurnJudged))
    stop = next(stop for stop in stops(game) if stop.kind == "turn")
    words = [step.words for step in game.rules.steps]
    assert judge_stop(stop, again.budget, words) == turn


# -- The command --


@pytest.mark.process
def test_the_command_keeps_its_analysis(tmp_path: Path) -> None:
    game = cut(game_of(), 24)
    game.save(tmp_path / "game.log")
    words = ("analyze", "game.log", "--nodes", "40", "--deals", "2")
    ran = run(*words, cwd=tmp_path)
    assert "= luck + skill" in ran.out
    file = tmp_path / "game.analysis.json"
    data = file.read_bytes()
    assert run("analyze", "game.log", "--json", "--jobs", "1", cwd=tmp_path).json["totals"]
    assert file.read_bytes() == data
    story = run("log", "game.log", "--analysis", cwd=tmp_path).out
    assert " best: pick " in story
    assert run("score", "game.log", "-a", "--json", cwd=tmp_path).json["analysis"][0]["turns"] > 0
    assert "= luck + skill" in run("score", "game.log", "-a", cwd=tmp_path).out
    assert "--again replaces it" in run("analyze", "game.log", "--nodes", "50", cwd=tmp_path, code=2).err
    assert run("analyze", "game.log", "--nodes", "50", "--again", "-q", cwd=tmp_path).out == ""
    with sintra.open(tmp_path / "game.log") as more:
        more.settle()
    assert "analyze it again" in run("log", "game.log", "-a", cwd=tmp_path, code=5).err
    piped = run("analyze", "-", "--nodes", "20", "--json", cwd=tmp_path, stdin=game.dumps()).json
    assert piped["done"] == piped["stops"]
    assert "standard input" in run("log", "-", "-a", stdin=game.dumps(), code=4).err


@pytest.mark.process
def test_what_the_command_refuses(tmp_path: Path) -> None:
    game_of().save(tmp_path / "game.log")
    game_of("azul", "gray").save(tmp_path / "other.log")
    kept.write(str(tmp_path / "other.analysis.json"), judged())
    assert "another log" in run("analyze", "other.log", cwd=tmp_path, code=5).err
    assert "another log" in run("analyze", "other.log", "--again", "--nodes", "20", cwd=tmp_path, code=5).err
    assert "no analysis" in run("log", "game.log", "-a", cwd=tmp_path, code=4).err
    assert "nodes must be" in run("analyze", "game.log", "--nodes", "0", cwd=tmp_path, code=2).err
    assert not (tmp_path / "game.analysis.json").exists()


@pytest.mark.process
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_keeps_what_is_done_and_the_next_call_resumes(jobs: str, tmp_path: Path) -> None:
    game_of().save(tmp_path / "game.log")
    words = [SINTRA, "analyze", "game.log", "--nodes", "2000", "--deals", "2", "--jobs", jobs]
    program = subprocess.Popen(
        words, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    file = tmp_path / "game.analysis.json"
    for _ in range(600):
        if file.exists():
            break
        time.sleep(0.05)
    os.kill(program.pid, signal.SIGINT)
    out, err = program.communicate(timeout=30)
    assert program.returncode == 130
    assert out == b""
    assert b"the same command resumes" in err
    kept_so_far = kept.read(file, game_of())
    assert 0 < kept_so_far.done < kept_so_far.stops
    assert "is not complete" in run("score", "game.log", "-a", cwd=tmp_path, code=5).err


@pytest.mark.process
def test_again_replaces_what_is_left_of_an_analysis(tmp_path: Path) -> None:
    """But no other file, which -o may name by mistake."""
    game_of().save(tmp_path / "game.log")
    (tmp_path / "game.analysis.json").write_text('{"format":1,')
    few = ["analyze", "game.log", "--nodes", "1", "--deals", "2", "-q"]
    err = run(*few, cwd=tmp_path, code=4).err
    assert err.startswith("sintra: game.analysis.json: damaged analysis: ")
    assert err.endswith("; --again replaces it\n")
    run(*few, "--again", cwd=tmp_path)
    assert kept.read(tmp_path / "game.analysis.json", game_of()).complete
    assert "--again" not in run(*few, "--again", "-o", "game.log", cwd=tmp_path, code=4).err


@pytest.mark.parametrize("again", [False, True])
def test_ctrl_c_before_anything_is_judged_keeps_nothing(
    again: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    game_of().save(tmp_path / "game.log")
    monkeypatch.setattr(Run, "work", stopped)
    assert command(str(tmp_path / "game.log"), again=again) == 130
    assert capsys.readouterr().err == "sintra: stopped before anything was judged\n"
    assert not (tmp_path / "game.analysis.json").exists()


@pytest.mark.process
def test_a_rule_set_without_weights_is_judged(tmp_path: Path) -> None:
    plug_harbor(tmp_path)
    env = {"PYTHONPATH": str(tmp_path)}
    run(
        "simulate",
        "1",
        "--rules",
        "harbor",
        "--seed",
        "1",
        "--out",
        "run",
        "--logs",
        "games",
        cwd=tmp_path,
        env=env,
    )
    (log,) = (tmp_path / "run").rglob("*.log")
    (tmp_path / "cut.log").write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:12]))
    found = run("analyze", "cut.log", "--nodes", "20", "--deals", "2", "--json", cwd=tmp_path, env=env).json
    assert all(one["result"] == tenths(one["luck"] + one["skill"]) for one in found["totals"])
    hint = run("hint", "cut.log", "--nodes", "50", "--json", cwd=tmp_path, env=env).json
    assert not hint["learned"]
    assert hint["lines"][0]["chance"] is None
    shown = run("hint", "cut.log", "--nodes", "50", cwd=tmp_path, env=env)
    assert shown.lines[-1] == "  lead in the rule-set's own scale, and how far behind the best turn"
