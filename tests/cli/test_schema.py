"""What commands answer with `--json` is what `sintra schema` publishes."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
import typer

import sintra
from sintra import catalog
from sintra.cli.app import program
from sintra.cli.commands import COMMANDS
from sintra.cli.reports import ANSWERS
from sintra.study.puzzles import save
from sintra.study.results import Puzzle
from tests.kit.program import fresh, played, run

pytestmark = pytest.mark.process

FIXTURES = Path(__file__).parents[2] / "fixtures"
GAMES = sorted((FIXTURES / "games").glob("*.log"))
RULES = {path: path.name.split("-")[0] for path in GAMES}
ONE_EACH = [FIXTURES / "games" / f"{name}.log" for name in ("sintra-b-2", "azul-gray-2", "crystal-1-2")]


@functools.cache
def published(name: str) -> Any:
    """The check for a schema, as a script gets it from the program; the schema itself is a good one."""
    schema = run("schema", name).json
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == jsonschema.Draft202012Validator.META_SCHEMA["$id"]
    return jsonschema.Draft202012Validator(schema)


def fits(name: str, value: object) -> None:
    """Fails with what is wrong about a value."""
    published(name).validate(value)


def answers(name: str, *words: str | Path, cwd: Path, code: int = 0) -> list[Any]:
    """The JSON lines that a command answers; each one fits."""
    ran = run(*words, "--json", cwd=cwd, code=code)
    assert ran.err == ""
    lines = [json.loads(line) for line in ran.lines]
    assert lines
    for line in lines:
        fits(name, line)
    return lines


def test_descriptions_have_no_indentation_of_the_source() -> None:
    """Python 3.13 takes it off docstrings, older ones leave it: a schema is the same under all of them."""
    assert "\\n " not in run("schema").out


# -- Answers ---------------------------------------------------------------------------------


def test_every_command_that_answers_in_json_has_a_schema() -> None:
    group: Any = typer.main.get_command(program([]))
    with_json = {
        name
        for name in COMMANDS
        if any("--json" in parameter.opts for parameter in group.commands[name].params)
    }
    assert with_json == {name.partition("-")[0] for name in ANSWERS} - {"error"}


CALLS = {
    "new": "new --seed 1 -o new.log",
    "fork": "fork game.log --seed 1 -o new.log",
    "convert": "convert game.log -o new.log",
    "code": "code game.log",
    "decode": "decode 139HOptRnLNJvUl72gB88LwpypQ1EJZaYG9xeTuqX7dX -o new.log",
    "position": "position game.log",
    "move": "move game.log pick 3 orange",
    "undo": "undo moved.log",
    "note": "note game.log well",
    "arrange": "arrange table.log",
    "deal": "deal laid.log bbry ttkk bbyy yyrr rrkt",
    "legal": "legal game.log",
    "show": "show game.log",
    "replay": "replay game.log",
    "log": "log game.log",
    "score": "score game.log",
    "diff": "diff game.log game.log",
    "verify": "verify game.log moved.log",
    "simulate": "simulate 2 --seed 1",
    "stats": "stats game.log moved.log",
    "export": "export game.log --csv new.csv",
    "export-turn": "export moved.log",
    "export-game": "export moved.log --per game",
    "tournament": "tournament league",
    "ratings": "ratings league",
    "repair": "repair torn.log",
    "rules": "rules azul",
    "rules-list": "rules",
    "rules-test": "rules azul --test --games 1",
    "rules-how-to-play": "rules azul --how-to-play",
    "bot-check": "bot check true",
    "hint": "hint game.log --nodes 200",
    "analyze": "analyze moved.log --nodes 50 --deals 2",
    "puzzle": "puzzle set.json",
}
"""A call of every command that answers, by the name of its schema."""
NEGATIVE = {"bot-check"}
"""Those whose answer is no."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the logs that the calls need."""
    game = sintra.loads(fresh())
    game.save(tmp_path / "game.log")
    game.play("pick 3 orange place 2")
    game.save(tmp_path / "moved.log")
    (tmp_path / "torn.log").write_bytes(fresh() + b"{")
    sintra.tournament(tmp_path / "league", "random,greedy", rules="azul", deals=1, max_rounds=1, seed=1)
    table = sintra.new("azul", chance="table")
    table.save(tmp_path / "table.log")
    table.record(table.rules.lay(table.created.options, 2, {}, []))
    table.save(tmp_path / "laid.log")
    steps = ["pick 3 orange", "place 2"]
    save(tmp_path / "set.json", [Puzzle("one", "sintra", 1, steps, steps, 2.5, 0.1, fresh().decode())])
    return tmp_path


def test_every_answer_is_tried() -> None:
    assert CALLS.keys() == ANSWERS.keys() - {"error"}


@pytest.mark.parametrize("name", CALLS)
def test_every_answer_fits_its_schema(name: str, folder: Path) -> None:
    answers(name, *CALLS[name].split(), cwd=folder, code=name in NEGATIVE)


@pytest.mark.parametrize("form", ["-q", "-q --json"])
@pytest.mark.parametrize("name", CALLS)
def test_quiet_is_silent_also_with_json(name: str, form: str, folder: Path) -> None:
    ran = run(*CALLS[name].split(), *form.split(), cwd=folder, code=name in NEGATIVE)
    assert (ran.raw, ran.err) == (b"", "")


def test_quiet_leaves_errors_which_are_json_objects(folder: Path) -> None:
    words = ("game.log", "torn.log", "none.log", "-q", "--json")
    told = run("verify", *words, cwd=folder, code=4)
    assert told.raw == b""
    faulty = [json.loads(line) for line in told.err.splitlines()]
    assert [(one["log"], one["error"]) for one in faulty] == [
        ("torn.log", "damaged"),
        ("none.log", "unreadable"),
    ]
    for one in faulty:
        fits("verify", one)
    told = run("stats", *words, cwd=folder)
    assert told.raw == b""
    assert [json.loads(line)["log"] for line in told.err.splitlines()] == ["torn.log", "none.log"]
    assert run("diff", "game.log", "moved.log", "-q", "--json", cwd=folder, code=1).raw == b""
    assert run("move", "game.log", "place", "1", "-q", "--json", cwd=folder, code=3).error["legal"]


@pytest.mark.parametrize("game", ONE_EACH, ids=lambda path: path.stem)
def test_answers_about_a_game(game: Path, tmp_path: Path) -> None:
    half = tmp_path / "half.log"
    lines = game.read_bytes().splitlines(keepends=True)
    half.write_bytes(b"".join(lines[: len(lines) // 2]))
    told = answers("replay", "replay", game, cwd=tmp_path)
    assert [line["event"] for line in told] == [json.loads(line) for line in lines]
    for name in ("show", "score", "log", "legal", "verify"):
        answers(name, name, half, cwd=tmp_path)
    for name in ("show", "score"):
        answers(name, name, game, cwd=tmp_path)
    (parted,) = answers("diff", "diff", game, half, cwd=tmp_path, code=1)
    fits(f"log-{RULES[game]}", parted["first"])
    assert parted["second"] is None


def test_answers_of_an_empty_table(tmp_path: Path) -> None:
    run("new", "--table", "-o", "table.log", cwd=tmp_path)
    for name in ("show", "legal", "score", "log", "verify", "replay"):
        answers(name, name, "table.log", cwd=tmp_path)


def test_answers_that_add_to_a_log(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    log.write_bytes(fresh())
    added = answers("move", "move", log, "pick", "3", "orange", "place", "2", cwd=tmp_path)
    added += answers("note", "note", log, "well", "played", cwd=tmp_path)
    added += answers("undo", "undo", log, cwd=tmp_path)
    assert [event["type"] for answer in added for event in answer["events"]] == [
        *("picked", "placed", "noted", "undone")
    ]
    for answer in added:
        for event in answer["events"]:
            fits("log-sintra", event)
    log.write_bytes(played(left=1))
    (end,) = answers("move", "move", log, *run("legal", log).lines[0].split(), cwd=tmp_path)
    assert end["over"]
    assert end["player"] is None


def test_answers_at_a_real_table(tmp_path: Path) -> None:
    run("new", "--rules", "azul", "--table", "-o", "table.log", cwd=tmp_path)
    laid = answers("arrange", "arrange", "table.log", cwd=tmp_path)
    laid += answers("deal", "deal", "table.log", "bbry", "ttkk", "bbyy", "yyrr", "rrkt", cwd=tmp_path)
    for answer in laid:
        for event in answer["events"]:
            fits("log-azul", event)


def test_answers_that_make_a_log(tmp_path: Path) -> None:
    answers("new", "new", "--seed", "42", "-o", "seeded.log", cwd=tmp_path)
    (made,) = answers("new", "new", "--unseeded", "-o", "unseeded.log", cwd=tmp_path)
    assert made["seed"] is None
    answers("fork", "fork", "seeded.log", "--seed", "7", "-o", "fork.log", cwd=tmp_path)
    log = tmp_path / "seeded.log"
    (whole,) = answers("repair", "repair", "seeded.log", cwd=tmp_path)
    assert whole["backup"] is None
    log.write_bytes(log.read_bytes()[:-5])
    (torn,) = answers("repair", "repair", "seeded.log", cwd=tmp_path)
    assert torn["torn"]


def test_answers_about_the_rules(tmp_path: Path) -> None:
    for name in catalog.BUILT_IN:
        answers("rules", "rules", name, cwd=tmp_path)
    (every,) = answers("rules-list", "rules", cwd=tmp_path)
    assert len(every) >= len(catalog.BUILT_IN)
    for one in every:
        fits("rules", one)
    every[0]["tables"][0]["value"] = 4  # a printed number is a table, too
    fits("rules", every[0])
    (tried,) = answers("rules-test", "rules", "azul", "--test", "--games", "1", cwd=tmp_path)
    assert tried["ok"]


def test_answers_about_faulty_logs(tmp_path: Path) -> None:
    broken = sorted((FIXTURES / "broken").glob("*.log"))
    ran = run("verify", "--json", *broken, tmp_path / "none.log", code=None)
    verdicts = [json.loads(line) for line in ran.lines]
    assert len(verdicts) == len(broken) + 1
    for verdict in verdicts:
        fits("verify", verdict)


# -- Lines of logs ---------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.stem)
def test_lines_of_golden_games(game: Path) -> None:
    for line in game.read_bytes().splitlines():
        fits(f"log-{RULES[game]}", json.loads(line))


def test_lines_that_every_log_may_hold() -> None:
    game = sintra.new("sintra", 2, seed=1)
    game.play(game.legal()[0])
    game.undo()
    game.note("well")
    for rules in catalog.BUILT_IN:
        for line in game.dumps().splitlines()[-2:]:
            fits(f"log-{rules}", json.loads(line))


# -- Errors ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "code", "keys"),
    [
        ("move game.log pick 3 blue", 3, {"legal"}),
        ("move game.log pik 3 blue", 2, set()),
        ("show --bogus", 2, set()),
        ("schema nonsense", 2, None),
        ("show none.log", 4, set()),
        ("show torn.log", 4, {"line"}),
        ("show field.log", 4, {"line", "field"}),
        ("move game.log pick 3 orange --expect 9", 5, set()),
        ("show future.log", 6, set()),
    ],
)
def test_errors(words: str, code: int, keys: set[str] | None, tmp_path: Path) -> None:
    (tmp_path / "game.log").write_bytes(fresh())
    (tmp_path / "torn.log").write_bytes(fresh()[:-1])
    (tmp_path / "field.log").write_bytes(fresh().replace(b'"round":1', b'"round":"I"'))
    (tmp_path / "future.log").write_bytes(fresh().replace(b'"format":1', b'"format":9'))
    if keys is None:
        assert run(*words.split(), cwd=tmp_path, code=code).err
        return
    error = run(*words.split(), "--json", cwd=tmp_path, code=code).error
    fits("error", error)
    assert error.keys() >= {"error", "message"} | keys


# -- The schema itself -----------------------------------------------------------------------


def test_all_schemas_come_at_once() -> None:
    everything = run("schema").json
    jsonschema.Draft202012Validator.check_schema(everything)
    assert everything["$defs"].keys() >= set(ANSWERS) | {f"log-{name}" for name in catalog.BUILT_IN}


SPOILERS: dict[str, Callable[[dict[str, Any]], object]] = {
    "a key too many": lambda answer: answer.update(extra=1),
    "a key missing": lambda answer: answer.pop("scores"),
    "a wrong kind": lambda answer: answer.update(over="no"),
    "a wrong kind inside": lambda answer: answer["scores"].append("many"),
    "an event without a type": lambda answer: answer["events"].append({"player": 1}),
    "an event that is none": lambda answer: answer["events"].append("picked"),
}


@pytest.mark.parametrize("spoil", SPOILERS.values(), ids=SPOILERS)
def test_a_wrong_answer_does_not_fit(spoil: Callable[[dict[str, Any]], object]) -> None:
    answer: dict[str, Any] = {
        "events": [{"type": "noted", "text": ""}],
        "player": 1,
        "round": 1,
        "over": False,
        "scores": [0, 0],
        "winners": [],
        "legal": [],
    }
    fits("move", answer)
    spoil(answer)
    with pytest.raises(jsonschema.ValidationError):
        fits("move", answer)


@pytest.mark.parametrize(
    "line",
    [
        {"type": "picked", "player": 0, "source": 1, "color": "blue"},
        {"type": "picked", "player": 1, "source": 10, "color": "blue"},
        {"type": "picked", "player": 1, "source": 1, "color": "blue", "why": "so"},
        {"type": "placed", "player": 1, "line": 1},
        {"type": "stolen", "player": 1},
        {"player": 1},
        [],
    ],
)
def test_a_wrong_line_does_not_fit(line: object) -> None:
    with pytest.raises(jsonschema.ValidationError):
        fits("log-sintra", line)


@pytest.mark.parametrize("error", [{}, {"error": "usage"}, {"error": "usage", "message": "", "hint": ""}])
def test_a_wrong_error_does_not_fit(error: object) -> None:
    with pytest.raises(jsonschema.ValidationError):
        fits("error", error)
