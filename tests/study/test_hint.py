"""Hints: legal turns, best first, with reasons; nothing for a log in which nobody has to choose."""

from __future__ import annotations

from pathlib import Path

import pytest

import sintra
from sintra.cli.hint import hint_lines
from sintra.errors import IllegalStep, UsageError
from sintra.study.chances import Curve, chances, curves_for
from sintra.study.judge import Judge
from sintra.study.results import Hint, HintLine
from sintra.view.style import Style
from tests.kit.program import played, run
from tests.study.test_analysis import cut, game_of


@pytest.mark.parametrize(("rules", "players"), [("azul", 2), ("azul", 3), ("sintra", 2), ("sintra", 4)])
def test_a_hint_is_playable_and_sorted(rules: str, players: int) -> None:
    game = sintra.new(rules, players, seed=6)
    found = sintra.hint(game, 4, nodes=600)
    assert len(found.lines) == 4
    assert found.player == 1
    assert found.lines[0].behind == 0
    assert [line.behind for line in found.lines] == sorted(line.behind for line in found.lines)
    for line in found.lines:
        assert line.lead == pytest.approx(found.lines[0].lead - line.behind, abs=0.01)
        assert line.chance is not None
        assert 0 <= line.chance <= 100
        game.copy().play(*line.steps)
    assert found == sintra.hint(game, 4, nodes=600)


def test_a_hint_in_the_middle_of_a_turn() -> None:
    game = sintra.new("azul", seed=6)
    game.play("pick 1 " + next(iter(game.state.displays[0])))
    found = sintra.hint(game, 2, nodes=300)
    assert found.lines[0].steps[0].startswith("place ")
    game.play(*found.lines[0].steps)
    assert game.player == 2


def test_the_end_of_the_game_is_certain() -> None:
    game = game_of()
    last = [number for number, event in enumerate(game.events, 1) if hasattr(event, "source")][-2]
    found = sintra.hint(cut(game, last - 1), 1, nodes=20000)
    assert found.certain
    assert found.lines[0].chance in (0, 50, 100)
    assert found.lines[0].lead == int(found.lines[0].lead)


@pytest.mark.parametrize("event", [56, 88, 100])
def test_with_three_players_the_lead_is_over_the_best_of_the_others(event: int) -> None:
    """The search compares with the mean of the others; what a hint says is what an analysis would."""
    game = cut(game_of("azul", "colored", 3), event - 1)
    judge = Judge(game.live, 400, 1)
    line = sintra.hint(game, 1, nodes=300).lines[0]
    assert abs(judge.best_of_others(game.live)) > 700
    assert line.lead == pytest.approx(judge.outcome(game.live.copy())[game.live.player], abs=6)


def test_reasons_are_given() -> None:
    game = sintra.new("azul", ["Ada", "Ben"], seed=6)
    reasons: list[str] = []
    for _ in range(9):
        line = sintra.hint(game, 1, nodes=300).lines[0]
        reasons += line.why
        assert (f"gains {line.now} point" in " ".join(line.why)) == (line.now > 0)
        game.play(*line.steps)
    assert any("wants most" in why for why in reasons)
    assert any("starting tile" in why for why in reasons)


def test_a_pick_that_changes_no_score_has_a_reason_too() -> None:
    lines = sintra.hint(sintra.new("sintra", seed=5), 5, nodes=300).lines
    assert any(line.why == ["takes 2 pieces at no cost"] for line in lines)
    assert all(line.why for line in lines)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"lines": 0}, "number of turns"),
        ({"lines": 1000}, "number of turns"),
        ({"nodes": 0}, "nodes must be"),
        ({"nodes": -3}, "nodes must be"),
        ({"time": 0.0}, "time must be"),
        ({"time": -1.0}, "time must be"),
        ({"nodes": 5, "time": 1.0}, "not both"),
    ],
)
def test_budgets_that_make_no_sense(given: dict[str, float], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        sintra.hint(sintra.new("azul", seed=1), **given)  # type: ignore[arg-type]


def test_nobody_has_to_choose() -> None:
    with pytest.raises(IllegalStep, match="the game is over"):
        sintra.hint(game_of())
    with pytest.raises(IllegalStep, match="not arranged yet"):
        sintra.hint(sintra.new("azul", chance="table"))


@pytest.mark.process
def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    data = sintra.new("azul", ["Ada", "Ben"], seed=6).dumps()
    path.write_text(data.replace("Ada", "Ada\\u001b[31m"))
    ran = run("hint", path, "-n", "2", "--nodes", "300")
    assert ran.lines[0].startswith("Ada\\x1b[31m: the best turns")
    assert ran.lines[1].startswith("  1. pick ")
    assert sum(line.startswith(("  1. ", "  2. ", "  3. ")) for line in ran.lines) == 2
    assert max(map(len, ran.lines)) <= 80, "reasons that do not fit go below"
    assert "\x1b" not in ran.out
    assert run("hint", path, "-q", "--time", "0.01").out == ""
    (tmp_path / "whole.log").write_bytes(played())
    assert "the game is over" in run("hint", tmp_path / "whole.log", code=3).err
    assert "nodes must be" in run("hint", path, "--nodes", "0", code=2).err
    ran = run("play", path, stdin="h\nq\n")
    assert "the best turns" in ran.out


def test_curves_are_even_for_two_and_shares_add_up() -> None:
    curve = Curve(0, 900)
    assert curve.chance(0) == 0.5
    assert curve.chance(10**9) == pytest.approx(1)
    assert chances([300, -300], [curve], 1)[0] == pytest.approx(curve.chance(300))
    assert sum(chances([300, -300, -900], curves_for("sintra-a", 3), 4)) == pytest.approx(1)
    assert curves_for("nowhere", 4)
    for board in ("azul-colored", "azul-gray", "sintra-a"):
        assert all(curve.middle == 0 and curve.width > 0 for curve in curves_for(board, 2))


def test_nothing_has_no_sign_of_its_own() -> None:
    """A lead that rounds to nothing is +0.0 from either side, and no line ends in blanks."""
    turns = [HintLine(["place 1"], 0.02, 50.1, 0.0, 0, []), HintLine(["place 2"], -0.02, 49.9, 0.04, 0, [])]
    lines = hint_lines(Hint(1, turns, 2, 10, learned=True, certain=False), "Ada", Style())
    assert "-0.0" not in " ".join(lines)
    assert lines == [line.rstrip() for line in lines]


def test_turns_that_are_as_good_are_not_behind(tmp_path: Path) -> None:
    (tmp_path / "game.log").write_text(sintra.new("azul", seed=7).dumps())
    shown = run("hint", "game.log", "-n", "3", "--nodes", "20000", cwd=tmp_path).out
    assert [line.behind for line in sintra.hint(sintra.new("azul", seed=7), 3, nodes=20000).lines][1] == 0
    assert " 0.0" in shown
    assert "-0.0" not in shown


def test_lines_of_a_hint_keep_to_the_width_whatever_the_names() -> None:
    """The numbers stand below each other, too."""
    names = ["Bartholomew Longname the Third", "Christopher Robin Hood of the Wood"]
    game = sintra.new("sintra", players=names, seed=3)
    for turn in range(8):
        legal = game.legal()
        game.play(legal[turn * 7 % len(legal)])
    title, *lines = hint_lines(sintra.hint(game, 10, nodes=20), names[0], Style(width=80))
    assert all(len(line) <= 80 for line in (title, *lines))
    assert "Christopher Robin" in " ".join(lines)
    assert lines[0].startswith("   1. ")
    assert any(line.startswith("  10. ") for line in lines)
