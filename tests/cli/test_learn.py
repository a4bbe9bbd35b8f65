"""`learn`, the rules on a page, and what helps people to find words."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path

import pytest

import sintra
from sintra.cli.complete import matching
from sintra.cli.learn import Course
from sintra.text import columns
from sintra.tutorial import learn
from sintra.view.style import Style
from tests.kit.program import run

pytestmark = pytest.mark.process


class Context:
    """What a shell has been told already."""

    def __init__(self, **params: str) -> None:
        self.params = params


def test_a_lesson_at_the_keyboard() -> None:
    said = run("learn", "azul", "--lesson", "7", stdin="place 3\nhint\n?\n1\n\nback\nquit\n").out
    assert "Lesson 7 of 10: A color once in each row" in said
    assert "place 3: row 3" in said or "red" in said
    assert "You could place" in said
    assert "suggest a step" in said
    assert "Press Enter for the next lesson." in said
    assert "Lesson 8 of 10" in said
    assert said.rstrip().endswith("Continue with: sintra learn azul --lesson 7")


def test_what_was_said_stays_and_refusals_speak_plainly() -> None:
    said = run("learn", "azul", "--lesson", "2", stdin="3x\n3b 3b\n\n4t 2\n").out
    assert "unknown color 'x'; display 3 has blue and black" in said
    picked = "You pick 3 blue from display 3"
    assert said.index(picked) < said.index("this lesson is done")
    said = run("learn", "azul", "--lesson", "7", stdin="3\n4t 2\n").out
    assert "row 3 of the wall already holds red\n" in said  # no number of a ruling
    assert "the red in hand must be placed first\n" in said
    said = run("learn", "sintra", "--lesson", "6", stdin="5\n\n").out
    assert (
        said.count("The other four go to the tower.") == 2
    )  # Enter draws the table again, with what was said


@pytest.mark.parametrize("rules", ["sintra", "azul", "crystal"])
def test_every_lesson_fits_on_a_low_screen(
    rules: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Text, table, task and prompt are on 80x24 together."""
    monkeypatch.setattr("sintra.cli.learn.screen_size", lambda: os.terminal_size((80, 24)))
    course = Course(learn(rules), Style())
    course._clears = True
    for number, lesson in enumerate(course.tutorial.lessons):
        course.tutorial.begin(number)
        while True:
            course.show(["• You do something."])
            lines = capsys.readouterr().out.removeprefix("\x1b[H\x1b[2J").splitlines()
            assert len(lines) <= 23
            assert max(map(columns, lines)) <= 80
            shown = " ".join(" ".join(lines).split())
            assert lesson.text.split()[-1] in shown
            assert "You do something" in shown
            if course.tutorial.task is None:
                break
            assert course.tutorial.task.text in shown
            course.tutorial.play(course.tutorial.example())


def test_an_answer_leaves_the_table_on_the_screen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """However many answers there were; the other board and the keys are shown as well, if asked for."""
    monkeypatch.setattr("sintra.cli.learn.screen_size", lambda: os.terminal_size((80, 24)))
    course = Course(learn("sintra"), Style())
    course._clears = True
    course.show([], fresh=True)
    assert "? for help" in capsys.readouterr().out
    for typed, shown in (
        ("", "pick all pieces"),
        ("3p", "You pick 2 pink from display 3"),
        ("", "Lesson 3 of 10"),
        ("hint", "You could place"),
        ("1", "strip 1 has no empty space for pink"),
        ("hint", "You could place"),
        ("table", "╭ Mira ──────────"),
    ):
        course.answer(typed)
        out = capsys.readouterr().out
        screen = out.rpartition("\x1b[2J")[2].splitlines()
        assert any(shown in line for line in screen), (typed, out)
        assert len(screen) <= 23
        assert any(line.startswith("rounds") for line in screen)


@pytest.mark.parametrize("rules", ["sintra", "azul", "crystal"])
def test_what_the_learner_did_is_on_a_low_screen(
    rules: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """However much followed from it, also at the end of a round."""
    monkeypatch.setattr("sintra.cli.learn.screen_size", lambda: os.terminal_size((80, 24)))
    course = Course(learn(rules), Style())
    course._clears = True
    for number in range(10):
        course._go(number)
        while course.tutorial.task is not None:
            course.answer(course.tutorial.example())
            screen = capsys.readouterr().out.rpartition("\x1b[2J")[2]
            assert "• You" in screen or "\n    You  " in screen, (number + 1, screen)  # or the final scores
            assert len(screen.splitlines()) <= 23
    assert "Type ? for help" not in screen  # after the last lesson


def test_a_lesson_can_be_gone_to() -> None:
    said = run("learn", "crystal", stdin="lesson 8\nlesson 11\nquit\n").out
    assert "type `lesson 8`" in said
    assert "Lesson 8 of 10: Choosing a column" in said
    assert "no lesson 11: there are 10" in said
    assert said.endswith("Continue with: sintra learn crystal --lesson 8\n")


def test_lessons_are_listed_and_others_refused() -> None:
    lines = run("learn", "--list").out.splitlines()
    assert len(lines) == 10
    assert lines[0] == " 1  The goal"
    assert "no lesson 30" in run("learn", "azul", "--lesson", "30", code=2).err


def test_h_is_a_hint_as_in_a_game_and_next_says_where_it_ends() -> None:
    said = run("learn", "azul", "--lesson", "10", stdin="h\nnext\n").out
    assert said.count("You could pick") == 1
    assert said.endswith("That was the last lesson.\n")


def test_the_whole_tutorial_by_hints(tmp_path: Path) -> None:
    """Whoever types what `hint` says, and Enter after each lesson, comes to the end."""
    tutorial, typed = learn("azul"), list[str]()
    for number in range(10):
        tutorial.begin(number)
        while tutorial.task is not None:
            typed.append(tutorial.example())
            tutorial.play(typed[-1])
        typed.append("")
    said = run("learn", "azul", stdin="\n".join(typed) + "\n").out
    assert "That was the last lesson." in said


@pytest.mark.parametrize("rules", ["sintra", "azul", "crystal"])
def test_the_rules_on_a_page(rules: str) -> None:
    text = run("rules", rules, "--how-to-play").out
    assert text.startswith("How to play ")
    assert all(len(line) <= 80 for line in text.splitlines())
    answer = json.loads(run("rules", rules, "--how-to-play", "--json").out)
    assert next(part["heading"] for part in answer["page"]) == "The goal"
    assert "needs the NAME" in run("rules", "--how-to-play", code=2).err
    assert "use only one of" in run("rules", rules, "--how-to-play", "--test", code=2).err


@pytest.mark.parametrize("rules", ["sintra", "azul", "crystal"])
def test_the_template_gives_the_same_game(rules: str, tmp_path: Path) -> None:
    box = tmp_path / "box.toml"
    box.write_text(run("rules", rules, "--template").out)
    assert tomllib.loads(box.read_text())
    own = run("new", "--rules", rules, "--seed", "5", "--components", str(box)).out
    assert own == run("new", "--rules", rules, "--seed", "5").out


@pytest.mark.parametrize(
    ("rules", "values", "why"),
    [
        ("sintra", 'strips = ["pbypy"]', "is not two sides of five letters"),
        ("sintra", 'strips = ["pbypx bpbyp"]', "no color 'x' in 'pbypx bpbyp'"),
        ("azul", 'wall = ["byrkx"]', "no color 'x' in 'byrkx'"),
    ],
)
def test_letters_that_are_no_colors(rules: str, values: str, why: str, tmp_path: Path) -> None:
    box = tmp_path / "box.toml"
    box.write_text(values)
    assert why in run("new", "--rules", rules, "--components", str(box), code=2).err


def test_help_explains_a_ruling() -> None:
    assert run("help", "s3").out.startswith("S3   (Stained Glass of Sintra)\n    The glazier reaches")
    assert "(Stained Glass of Sintra, Azul and Crystal Mosaic)" in run("help", "R1").out
    assert "not a step or ruling of Azul" in run("help", "S3", "--rules", "azul", code=2).err


def test_steps_of_a_log_are_what_move_takes(tmp_path: Path) -> None:
    for rules, side in (("sintra", "B"), ("azul", "gray")):
        game = sintra.new(rules, 3, seed=9, side=side)
        for turn in range(60):
            game.play(game.legal()[turn % len(game.legal())])
        game.undo(2)
        log, again = tmp_path / f"{rules}.log", tmp_path / f"{rules}-again.log"
        game.save(log)
        sintra.new(rules, 3, seed=9, side=side).save(again)
        steps = run("log", str(log), "--steps").out
        run("move", str(again), stdin=steps)
        assert sintra.load(again).state == game.state
    assert run("log", str(log), "--steps", "--json", code=2).err


def test_short_forms_work_in_move(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    sintra.new(seed=42).save(log)
    run("move", str(log), "3o", "2", "1", "y")
    assert run("log", str(log), "--steps").out.splitlines()[1:] == ["pick 3 orange place 2", "pick 1 yellow"]
    assert "unknown color 'x'" in run("move", str(log), "1x", code=2).err


def test_a_short_turn_with_pieces_in_hand_is_refused_for_its_pick(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    sintra.new(seed=42).save(log)
    run("move", str(log), "3o")
    assert "pick 1 blue: the 2 orange in hand must be placed" in run("move", str(log), "1b", "2", code=3).err


def test_an_error_names_the_line_of_standard_input(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    sintra.new(seed=42).save(log)
    lines = "# the first turn\npick 3 orange\nplace 2\n\npick 7 blue\n"
    assert run("move", str(log), stdin=lines, code=3).err.startswith("sintra: line 5: pick 7 blue:")
    assert len(sintra.load(log).events) == 3


def test_forks_with_another_seed_are_compared_further() -> None:
    game = sintra.new("azul", seed=1)
    other = sintra.new("azul", seed=2)
    found = sintra.diff(game, other)
    assert [place.path for place in found.created] == [".seed"]
    assert found.events == 2
    assert not found.same
    fork = game.fork(seed=7)
    found = sintra.diff(game, fork)
    assert (found.events, found.first) == (len(game.events), None)
    assert sintra.diff(game, sintra.new("azul", 3, seed=1)).created == []


@pytest.mark.parametrize(
    ("kind", "typed", "params", "found"),
    [
        ("rules", "a", {}, ["azul"]),
        ("side", "", {"rules": "azul"}, ["colored", "gray"]),
        ("side", "b", {}, ["B"]),
        ("option", "side=", {"rules": "crystal"}, ["side=1", "side=2"]),
        ("bots", "random,gr", {}, ["random,greedy"]),
        ("by", "ru", {}, ["rules"]),
        ("help", "S1", {}, ["S1", "S10", "S11", "sintra"][:3]),
        ("schema", "log-a", {}, ["log-azul"]),
    ],
)
def test_values_are_completed(kind: str, typed: str, params: dict[str, str], found: list[str]) -> None:
    assert matching(kind, Context(**params), typed) == found
