"""The commands and their manners, through the installed program run as a process."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pty
import re
import select
import signal
import subprocess
import termios
import time
import unicodedata
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import sintra
from sintra import catalog
from sintra.cli.commands import COMMANDS
from tests.kit.program import PATIENCE, SINTRA, clean, environment, fresh, played, run, shell, write_games
from tests.kit.serving import serving

pytestmark = pytest.mark.process

ESC = "\x1b"
RUDE = "Eve\x1b[31m\x07\x9b2J\u202e"
"""A name that would color, ring, clear and reverse a terminal."""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A new game of seed 42, three events."""
    path = tmp_path / "game.log"
    path.write_bytes(fresh())
    return path


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """A game that is over."""
    path = tmp_path / "whole.log"
    path.write_bytes(played())
    return path


def events(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def named(data: bytes, names: Sequence[str]) -> bytes:
    """The same game with other names."""
    first, rest = data.split(b"\n", 1)
    return json.dumps({**json.loads(first), "players": names}).encode() + b"\n" + rest


# -- The program itself ----------------------------------------------------------------------


def test_the_four_lines(tmp_path: Path) -> None:
    ran = shell(
        """set -e
        sintra new --seed 42 > game.log
        sintra move game.log pick 3 orange
        sintra move game.log place 2
        sintra show game.log""",
        cwd=tmp_path,
    )
    assert "Player 2 may:" in ran.out
    assert ran.err == ""
    assert [event["type"] for event in events(tmp_path / "game.log")[3:]] == ["picked", "placed"]


def test_version() -> None:
    assert run("--version").out == f"sintra {sintra.__version__} ({catalog.build()})\n"


def test_no_arguments_show_the_help() -> None:
    bare = run()
    assert bare.out == run("--help").out == run("-h").out
    assert "Usage: sintra" in bare.out
    assert len(bare.lines) <= 16
    groups = bare.out.split("\n\n")[2]
    named = [name for line in groups.splitlines() for name in line[14:].split(", ")]
    assert named == list(COMMANDS)


def test_the_program_answers_by_itself_what_it_answers_through_typer() -> None:
    for words in (["--help"], ["--version"]):
        assert run(*words, env={"_SINTRA_COMPLETE": ""}).out == run(*words).out


def test_unknown_commands_and_options_get_a_suggestion(log: Path) -> None:
    assert "move" in run("mvoe", log, code=2).err
    assert "--seed" in run("new", "--sede", "1", code=2).err


def examples(help_text: str) -> list[str]:
    text = help_text.split("\nOptions:")[0].split("\n", 1)[1]
    return re.findall(r"^\s*(sintra (?:.*\\\n)*.*)$", text, re.MULTILINE)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_help_has_examples_that_run(command: str, tmp_path: Path) -> None:
    ran = run(*command.split(), "--help")
    assert max(map(len, ran.lines)) <= 82
    found = examples(ran.out)
    assert found
    write_games(tmp_path / "games", 3)
    (tmp_path / "game.log").write_bytes(
        played() if command in ("draw", "export", "position", "show", "replay", "undo") else fresh()
    )
    if command == "analyze":  # a whole game would take long
        with sintra.open(tmp_path / "game.log") as game:
            game.play("pick 3 orange place 2")
    if command == "ratings":
        sintra.tournament(tmp_path / "league", ["greedy", "random"], deals=2, seed=1)
    for line in found:
        if "--parquet" in line and find_spec("pyarrow") is None:
            continue  # the extra `data` is not installed
        if line.startswith("sintra new") and "game.log" in line:
            (tmp_path / "game.log").unlink()
        if command == "serve":
            with serving(tmp_path, *line.split()[2:]) as server:
                assert server.ask("/api/menu").status == 200
        else:
            shell(line, cwd=tmp_path)


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_to_be_typed_has_a_name(command: str) -> None:
    """Not one that Python would give it."""
    told = run(command, "--help").out
    assert not re.search(r"\{|<[a-z]|--\S+ TEXT|INTEGER", told)


def test_the_list_of_commands_has_each_in_a_whole_sentence() -> None:
    told = [line for line in run("help").lines if line.startswith("  ")]
    assert [line.split()[0] for line in told] == list(COMMANDS)
    assert all(line.endswith(".") and not line.endswith("...") and len(line) <= 80 for line in told)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("verify -j 0 game.log", "--jobs must be a whole number from 1 to 1,024, not '0'"),
        ("replay --delay 4000 game.log", "--delay must be a number from 0 to 3,600, not '4000'"),
        ("verify -j x game.log", "--jobs must be a whole number from 1 to 1,024, not 'x'"),
        ("new --seed=x", "--seed must be a whole number, not 'x'"),
        ("replay --delay x game.log", "--delay must be a number from 0 to 3,600, not 'x'"),
        ("show --color red game.log", "--color must be auto, always or never, not 'red'"),
        ("simulate 0", "GAMES must be a whole number from 1 to 1,000,000,000"),
    ],
)
def test_numbers_are_refused_in_words(words: str, said: str) -> None:
    assert f": {said}\n" in run(*words.split(), code=2).err


def test_json_is_an_option_only_where_options_are(tmp_path: Path) -> None:
    words = "undo none.log -- --json"
    assert run(*words.split(), cwd=tmp_path, code=2).err.startswith("sintra: ")
    assert run("undo", "none.log", "--json", "--", "x", cwd=tmp_path, code=2).error["error"] == "usage"


# -- new -------------------------------------------------------------------------------------


def test_new_is_a_log_that_the_seed_decides(tmp_path: Path) -> None:
    first = run("new", "--seed", "7")
    assert first.raw == run("new", "--seed", "7", env={"PYTHONHASHSEED": "5", "LC_ALL": "C"}).raw
    assert first.err == ""
    assert [json.loads(line)["type"] for line in first.lines] == ["created", "arranged", "dealt"]
    assert first.raw.startswith(b'{"type":"created","format":1,"rules":"sintra","options":{"side":"A",')


def test_new_without_a_seed_draws_one_and_records_it() -> None:
    one, two = run("new"), run("new")
    assert one.raw != two.raw
    seed = json.loads(one.lines[0])["seed"]
    assert run("new", "--seed", str(seed)).raw == one.raw


@pytest.mark.parametrize(
    ("option", "chance", "count"), [("--unseeded", "system", 3), ("--table", "table", 1)]
)
def test_new_with_other_chance(option: str, chance: str, count: int) -> None:
    ran = run("new", option)
    assert len(ran.lines) == count
    assert json.loads(ran.lines[0])["chance"] == chance
    assert json.loads(ran.lines[0])["seed"] is None
    assert run("verify", "-", stdin=ran.raw).out.startswith("-: ok")


def test_new_takes_players_sides_and_options() -> None:
    words = ["--side", "b", "--option", "floor_at_zero=true", "--seed", "1"]
    created = json.loads(run("new", "--player", "Zoë", "--player", "李", *words).lines[0])
    assert created["players"] == ["Zoë", "李"]
    assert created["options"] == {"side": "B", "floor_at_zero": True}
    for players in "234":
        assert (
            len(json.loads(run("new", "-p", players, "--seed", "1").lines[2])["displays"])
            == 2 * int(players) + 1
        )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("own.json", '{"windows":[9,8,7,6,5,4,3,2]}'),
        ("own.toml", "windows = [9, 8, 7, 6, 5, 4, 3, 2]"),
        ("sides.toml", "[windows]\nA = [9, 8, 7, 6, 5, 4, 3, 2]\nB = [1, 1, 1, 1, 1, 1, 1, 1]"),
    ],
)
def test_new_takes_components(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    ran = run("new", "--components", name, "--seed", "1", cwd=tmp_path)
    assert json.loads(ran.lines[1])["windows"] == [9, 8, 7, 6, 5, 4, 3, 2]


def test_new_writes_a_file(tmp_path: Path) -> None:
    told = run("new", "--seed", "42", "-o", "told.log", cwd=tmp_path)
    assert told.raw == b""
    assert "told.log" in told.err
    assert (tmp_path / "told.log").read_bytes() == fresh()
    answer = run("new", "--seed", "42", "--json", "-o", "json.log", cwd=tmp_path)
    assert answer.json.keys() == {"log", "rules", "options", "players", "chance", "seed"}
    assert answer.json["log"] == "json.log"
    assert answer.err == ""


def test_rules_may_be_named_in_any_case() -> None:
    assert (
        run("new", "--rules", "Azul", "--seed", "1").raw == run("new", "--rules", "azul", "--seed", "1").raw
    )
    assert run("rules", "AZUL").out == run("rules", "azul").out
    assert (
        "available: sintra, azul, crystal; did you mean 'azul'?" in run("new", "--rules", "azull", code=6).err
    )
    assert "did you mean" not in run("new", "--rules", "chess", code=6).err


# -- move ------------------------------------------------------------------------------------


def test_move_tells_what_happened_and_what_comes_next(log: Path) -> None:
    ran = run("move", log, "pick", "3", "orange")
    assert "picks 2 orange from display 3" in ran.lines[0]
    assert "Player 1 has to place" in ran.lines[-1]
    assert ran.err == ""


def test_move_takes_many_steps_at_once(log: Path) -> None:
    run("move", log, "pick", "3", "orange", "place", "2", "pick", "1", "yellow")
    assert [event["type"] for event in events(log)[3:]] == ["picked", "placed", "picked"]


@pytest.mark.parametrize(
    ("steps", "code"),
    [("pick 3 orange place 2 pick 3 pink", 3), ("pick 3 orange place 2 pick 1 green", 2)],
)
def test_move_plays_all_steps_or_none(steps: str, code: int, log: Path) -> None:
    ran = run("move", log, *steps.split(), code=code)
    assert ran.raw == b""
    assert log.read_bytes() == fresh()


def test_move_reads_steps_from_standard_input(log: Path) -> None:
    run("move", "-q", log, stdin="# Ada\npick 3 orange   # from the third\n\n  place 2 pick 1 yellow\n")
    assert [event["type"] for event in events(log)[3:]] == ["picked", "placed", "picked"]
    torn = log.read_bytes()
    ran = run("move", log, stdin="place 3\n# the next one is not legal\npick 3 orange\n", code=3)
    assert "display 3 is empty" in ran.err
    assert log.read_bytes() == torn


@pytest.mark.parametrize("steps", ["pick 3 or", "PICK 3 Orange", "pi 3 o", "pick\t3  ORANGE "])
def test_words_may_be_cut_short_in_any_case(steps: str, log: Path) -> None:
    run("move", log, steps)
    assert events(log)[3] == {"type": "picked", "player": 1, "source": 3, "color": "orange"}


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ("pik 3 orange", "did you mean `pick`?"),
        ("pick 3 ornage", "did you mean `orange`?"),
        ("pick 12 blue", "1 to 5 or center"),
        ("p 3 orange", "is ambiguous: pick or place"),
        ("pick 3", "`pick 3` is incomplete: a color must follow"),
        ("xyzzy", "unknown step 'xyzzy'; the steps are pick, place, keep and return"),
    ],
)
def test_unknown_words_get_a_suggestion(steps: str, said: str, log: Path) -> None:
    assert said in run("move", log, *steps.split(), code=2).err
    assert log.read_bytes() == fresh()


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ("pick 3 blue", "display 3 has no blue; it has clear, 2 orange and pink"),
        ("pick 9 blue", "5 displays"),
        ("pick center blue", "the center is empty"),
        ("place 2", "pick first"),
        ("keep blue", "no strip is complete"),
        ("return", "already above the leftmost strip, 1"),
        ("pick 3 orange place 8", "strip 8 has no empty space for orange"),
        ("pick 3 orange place 2 jokers 2", "no empty joker"),
    ],
)
def test_illegal_steps_are_explained(steps: str, said: str, log: Path) -> None:
    ran = run("move", log, *steps.split(), code=3)
    assert said in ran.err
    assert ran.raw == b""
    assert log.read_bytes() == fresh()


def test_a_refusal_tells_what_would_do_where_that_is_short(log: Path, whole: Path) -> None:
    words = ["move", str(log), "pick", "3", "orange", "place", "4"]
    reason = "place 4: strip 4 has no empty space for orange (S3)"
    assert run(*words, code=3).err == f"sintra: {reason}; legal: place 1, 2, 3 or 5\n"
    assert run(*words, "--json", code=3).error["message"] == reason
    assert "legal:" not in run("move", log, "pick", "9", "blue", code=3).err  # too many are
    assert "legal:" not in run("move", log, "place", "2", code=3).err  # none is
    assert "legal:" not in run("move", whole, "pick", "1", "blue", code=3).err


def test_move_auto_plays_what_is_forced(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    for left in range(2, 40):  # a position with two choices or more, then one only
        game = sintra.loads(played(left=left))
        tries = [step for step in game.legal() if len(_after(game, str(step)).legal()) == 1]
        if len(game.legal()) > 1 and tries:
            break
    log.write_bytes(played(left=left))
    run("move", "--auto", log, str(tries[0]))
    after = sintra.load(log)
    assert len(after.legal()) != 1
    assert len(after.events) > len(game.events) + 1
    before = log.read_bytes()
    run("move", "--auto", log)  # nothing is forced any more
    assert log.read_bytes() == before


def _after(game: sintra.Game, step: str) -> sintra.Game:
    twin = game.copy()
    twin.play(step)
    return twin


def test_move_expects_a_number_of_events(log: Path) -> None:
    ran = run("move", log, "--expect", "4", "pick", "3", "orange", code=5)
    assert "3 events, not 4" in ran.err
    assert log.read_bytes() == fresh()
    run("move", log, "--expect", "3", "--no-sync", "pick", "3", "orange")
    assert len(events(log)) == 4


def test_move_finishes_what_a_cut_log_lacks(tmp_path: Path) -> None:
    lines = played().splitlines(keepends=True)
    ended = next(n for n, line in enumerate(lines) if b"round_ended" in line)
    log = tmp_path / "game.log"
    log.write_bytes(b"".join(lines[:ended]))  # cut between a choice and its results
    step = run("legal", log).lines[0]
    run("move", log, step)
    assert log.read_bytes().splitlines(keepends=True)[:-1] == lines[: ended + 2]


def test_move_json(log: Path) -> None:
    answer = run("move", "--json", log, "pick", "3", "orange").json
    assert answer.keys() == {"events", "player", "round", "over", "scores", "winners", "legal"}
    assert answer["events"] == events(log)[3:]
    assert answer["player"] == 1
    assert not answer["over"]
    assert "place 2" in answer["legal"]


# -- legal -----------------------------------------------------------------------------------


@pytest.mark.parametrize("steps", ["", "pick 3 orange"])
def test_every_legal_step_can_be_typed(steps: str, log: Path) -> None:
    if steps:
        run("move", "-q", log, steps)
    ran = run("legal", log, env={"PYTHONHASHSEED": "3"})
    assert ran.raw == run("legal", log, env={"PYTHONHASHSEED": "4"}).raw
    assert ran.lines == [str(step) for step in sintra.load(log).legal()]
    for step in ran.lines:
        assert run("move", "-", *step.split(), stdin=log.read_bytes()).raw.startswith(log.read_bytes())


def test_legal_json(log: Path, whole: Path) -> None:
    answer = run("legal", "--json", log).json
    assert answer.keys() == {"player", "legal"}
    assert answer == {"player": 1, "legal": run("legal", log).lines}
    assert run("legal", whole).raw == b""
    assert run("legal", "--json", whole).json == {"player": None, "legal": []}


def test_a_shell_loop_plays_a_game_to_its_end(tmp_path: Path) -> None:
    """The loop is good for a whole game; it starts a few steps before the end, to be done in seconds."""
    (tmp_path / "game.log").write_bytes(played(left=5))
    shell(
        "for i in $(seq 400); do s=$(sintra legal game.log | shuf -n 1);"
        ' [ -n "$s" ] || break; sintra move -q game.log $s || break; done',
        cwd=tmp_path,
    )
    verdict = run("verify", "--json", "game.log", cwd=tmp_path).json
    assert (verdict["ok"], verdict["over"]) == (True, True)
    assert "the game is over" in run("move", "game.log", "pick", "1", "blue", cwd=tmp_path, code=3).err


# -- show ------------------------------------------------------------------------------------


def test_show_draws_the_table(log: Path, whole: Path) -> None:
    ran = run("show", log)
    assert ran.err == ""
    for part in (
        "round 1 of 6",
        "bag 74",
        "Player 1 may:",
        "pick 3 clear|orange|pink",
        "▲O",
        "starting tile",
    ):
        assert part in ran.out
    end = run("show", whole).out
    assert " may:" not in end
    assert "wins." in end or "share the victory." in end


def test_show_at_is_the_log_as_it_stood_then(whole: Path, tmp_path: Path) -> None:
    lines = played().splitlines(keepends=True)
    for number in (1, 2, 3, 20, len(lines)):
        head = run("show", "-", stdin=b"".join(lines[:number]))
        assert run("show", whole, "--at", str(number)).raw == head.raw
    for number in (0, -1, len(lines) + 1):
        assert (
            f"no event {number}: {whole} has {len(lines)} events"
            in run("show", whole, "--at", str(number), code=2).err
        )


def test_show_json(log: Path, whole: Path) -> None:
    answer = run("show", "--json", log).json
    assert answer.keys() == {
        *("rules", "options", "players", "events", "over", "scores", "winners", "legal", "state")
    }
    assert (answer["events"], answer["over"], answer["winners"]) == (3, False, [])
    assert answer["legal"] == run("legal", log).lines
    end = run("show", "--json", whole).json
    assert (end["over"], end["legal"]) == (True, [])
    assert end["winners"] == events(whole)[-1]["winners"]
    assert end["scores"] == events(whole)[-1]["scores"]


def test_show_backs(log: Path) -> None:
    assert "·*" not in run("show", log).out
    assert run("show", log, "--backs").out.count("·*") == 4  # two jokers for each player, face down at first


@pytest.mark.parametrize("words", [["show"], ["show", "--backs"], ["replay"], ["replay", "--tables"]])
def test_ascii(words: list[str], whole: Path) -> None:
    ran = run(*words, "--ascii", whole)
    assert ran.raw.isascii()
    if words != ["replay"]:
        assert not run(*words, whole).raw.isascii()


# -- replay ----------------------------------------------------------------------------------


def test_replay_tells_every_event(whole: Path) -> None:
    ran = run("replay", whole)
    assert [int(line.split()[0]) for line in ran.lines] == list(range(1, len(events(whole)) + 1))
    assert ran.err == ""


def test_replay_from_to_and_tables(whole: Path) -> None:
    part = run("replay", whole, "--from", "4", "--to", "6")
    assert part.lines == run("replay", whole).lines[3:6]
    drawn = run("replay", whole, "--from", "4", "--to", "5", "--tables").out
    assert drawn.count("round 1 of 6") == 2
    assert run("show", whole, "--at", "5").out in drawn
    assert "no event 999" in run("replay", whole, "--from", "999", code=2).err


@pytest.mark.parametrize("bounds", ["--from 0", "--to 0", "--from 6 --to 4"])
def test_replay_of_no_events_is_refused(bounds: str, whole: Path) -> None:
    ran = run("replay", whole, *bounds.split(), code=2)
    assert ran.raw == b""


def test_replay_json(whole: Path) -> None:
    told = [json.loads(line) for line in run("replay", "--json", whole).lines]
    assert all(line.keys() == {"number", "event", "effects", "scores"} for line in told)
    assert [line["event"] for line in told] == events(whole)
    assert [line["number"] for line in told] == list(range(1, len(told) + 1))
    assert told[-1]["scores"] == events(whole)[-1]["scores"]
    effects = [effect for line in told for effect in line["effects"]]
    assert all({"effect", "player"} <= effect.keys() for effect in effects)
    assert {"took", "filled", "broke"} <= {effect["effect"] for effect in effects}


def test_replay_waits_after_each_event(whole: Path) -> None:
    start = time.monotonic()
    run("replay", whole, "--to", "3", "--delay", "0.4")
    assert 0.8 <= time.monotonic() - start < PATIENCE


# -- verify ----------------------------------------------------------------------------------


def test_verify_good_logs(log: Path, whole: Path) -> None:
    ran = run("verify", log, whole)
    assert [": ok, " in line for line in ran.lines] == [True, True]
    assert ran.lines[0].startswith(f"{log}: ok, 3 events")
    assert ran.err == ""
    answers = [json.loads(line) for line in run("verify", "--json", log, whole).lines]
    for answer in answers:
        assert answer.keys() == {
            *("log", "ok", "rules", "players", "events", "round", "over", "scores", "winners")
        }
    assert [answer["log"] for answer in answers] == [str(log), str(whole)]
    assert [answer["over"] for answer in answers] == [False, True]
    assert answers[1]["scores"] == events(whole)[-1]["scores"]


def test_verify_shows_the_first_faulty_event(tmp_path: Path) -> None:
    lines = played().splitlines(keepends=True)
    number = next(n for n, line in enumerate(lines, 1) if b"round_ended" in line)
    right = json.loads(lines[number - 1])["scores"]
    wrong = [right[0] + 5, *right[1:]]
    lines[number - 1] = lines[number - 1].replace(
        json.dumps(right, separators=(",", ":")).encode(), json.dumps(wrong, separators=(",", ":")).encode()
    )
    log = tmp_path / "faulty.log"
    log.write_bytes(b"".join(lines))
    ran = run("verify", log, code=1)
    assert f"line {number}, field scores: the log says {wrong}, the rules give {right}" in ran.out
    assert ran.out.count("\n") == 1
    assert ran.err == ""
    answer = run("verify", "--json", log, code=1)
    assert answer.json | {"message": ""} == {
        "log": str(log),
        "ok": False,
        "error": "damaged",
        "message": "",
        "line": number,
        "field": "scores",
    }


def test_verify_many_in_parallel_keeps_order_and_exit_code(tmp_path: Path) -> None:
    paths = write_games(tmp_path, 9)
    assert len(run("verify", *paths, "-j", "3").lines) == 9
    paths[4].write_bytes(paths[4].read_bytes()[:-10])
    paths[6].write_bytes(b"")
    one = run("verify", *paths, "-j", "1", code=1)
    many = run("verify", *paths, "-j", "3", code=1)
    assert one.raw == many.raw
    assert [line.split(":")[0] for line in many.lines] == [str(path) for path in paths]
    assert [": ok, " in line for line in many.lines] == [n not in (4, 6) for n in range(9)]


def test_verify_standard_input(tmp_path: Path) -> None:
    assert run("verify", "-", stdin=played()).out.startswith("-: ok, ")
    assert "torn" in run("verify", "-", stdin=played()[:-5], code=1).out


def test_every_line_of_verify_begins_with_the_log(log: Path, tmp_path: Path) -> None:
    (tmp_path / "torn.log").write_bytes(fresh()[:-1])
    for path, code in (("game.log", 0), ("torn.log", 1), ("none.log", 4)):
        assert run("verify", path, cwd=tmp_path, code=code).out.startswith(f"{path}: ")
        if code:
            assert run("verify", "-q", path, cwd=tmp_path, code=code).err.startswith(f"sintra: {path}: ")


def test_verify_standard_input_among_many(tmp_path: Path) -> None:
    paths = write_games(tmp_path, 6)
    ran = run("verify", *paths[:3], "-", *paths[3:], "-j", "2", stdin=played(), code=None)
    assert ran.lines[3].startswith("-: ok, ")
    assert ran.code == 0


# -- Manners: standard streams ---------------------------------------------------------------


def test_a_log_goes_through_a_pipe(tmp_path: Path) -> None:
    ran = shell("sintra new --seed 1 | sintra move - pick 1 blue | sintra show -", cwd=tmp_path)
    assert "hand " in ran.out
    assert ran.err == ""
    assert list(tmp_path.iterdir()) == []


def test_what_is_read_is_passed_on_verbatim() -> None:
    odd = (
        fresh().replace(b'{"type":', b'{ "type" : ').replace(b"}\n", b"}\t\r\n")
        + b'{"text":"\\u00e9","type":"noted"}\n'
    )
    ran = run("move", "-", "pick", "3", "orange", "place", "2", stdin=odd)
    assert ran.raw[: len(odd)] == odd
    assert [json.loads(line)["type"] for line in ran.raw[len(odd) :].splitlines()] == ["picked", "placed"]
    bad = run("move", "-", "pick", "3", "orange", "pick", "3", "orange", stdin=odd, code=3)
    assert bad.raw == b""


def test_a_log_from_standard_input_leaves_no_room_for_steps() -> None:
    assert "on the command line" in run("move", "-", stdin=fresh(), code=2).err


def test_quiet(log: Path, tmp_path: Path) -> None:
    for ran in (
        run("new", "-q", "--seed", "1", "-o", tmp_path / "new.log"),
        run("move", "-q", log, "pick", "3", "orange"),
        run("verify", "-q", log),
    ):
        assert (ran.raw, ran.err) == (b"", "")
    assert run("move", "-q", log, "pick", "3", "orange", code=3).err != ""
    log.write_bytes(log.read_bytes()[:-1])
    ran = run("verify", "-q", log, code=1)
    assert ran.raw == b""
    assert "torn" in ran.err


@pytest.mark.parametrize(
    ("words", "code", "error"),
    [
        ("move game.log pick 3 blue", 3, {"error": "illegal"}),
        ("move game.log pik 3 blue", 2, {"error": "usage"}),
        ("move game.log pick 3 orange --expect 9", 5, {"error": "conflict"}),
        ("new -o game.log", 5, {"error": "conflict"}),
        ("new --bogus", 2, {"error": "usage"}),
        ("new --seed many", 2, {"error": "usage"}),
        ("show", 2, {"error": "usage"}),
        ("show none.log", 4, {"error": "unreadable"}),
        ("legal torn.log", 4, {"error": "damaged", "line": 3}),
        ("replay future.log", 6, {"error": "unknown"}),
    ],
)
def test_json_errors(words: str, code: int, error: dict[str, object], log: Path, tmp_path: Path) -> None:
    (tmp_path / "torn.log").write_bytes(fresh()[:-1])
    (tmp_path / "future.log").write_bytes(fresh().replace(b'"format":1', b'"format":9'))
    ran = run(*words.split(), "--json", cwd=tmp_path, code=code)
    assert ran.raw == b""
    assert ran.err.count("\n") == 1
    assert ran.error.items() >= error.items()
    assert ran.error["message"]
    if code == 3:
        assert ran.error["legal"] == run("legal", log).lines


# -- Manners: the terminal -------------------------------------------------------------------


def on_terminal(*words: str | Path, env: dict[str, str], columns: int = 80) -> str:
    """What the program sends to a terminal."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (50, columns))
    with subprocess.Popen(
        [SINTRA, *map(str, words)], stdin=theirs, stdout=theirs, stderr=theirs, env=environment(env)
    ) as process:
        os.close(theirs)
        data = b""
        while True:
            try:
                block = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not block:
                break
            data += block
        process.wait(PATIENCE)
    os.close(ours)
    return data.decode()


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_wide_terminal_is_used(unbuffered: str, tmp_path: Path) -> None:
    run("new", "--players", "4", "--seed", "1", "-o", "four.log", cwd=tmp_path)
    env = {"TERM": "dumb", "PYTHONUNBUFFERED": unbuffered}
    told = on_terminal("show", tmp_path / "four.log", env=env, columns=160)
    assert max(map(len, told.splitlines())) > 100


@pytest.mark.parametrize(
    ("env", "words", "colored"),
    [
        ({"TERM": "xterm"}, [], True),
        ({"TERM": "dumb"}, [], False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, [], False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, ["--color", "always"], True),
        ({"TERM": "xterm"}, ["--color", "never"], False),
    ],
)
def test_color_on_a_terminal(env: dict[str, str], words: list[str], colored: bool, log: Path) -> None:
    assert (ESC in on_terminal("show", log, *words, env=env)) == colored


@pytest.mark.parametrize(
    ("env", "words", "colored"),
    [
        ({}, [], False),
        ({"FORCE_COLOR": "1"}, [], True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, [], False),
        ({"FORCE_COLOR": "1"}, ["--color", "never"], False),
        ({}, ["--color", "always"], True),
    ],
)
@pytest.mark.parametrize("command", ["show", "replay"])
def test_color_in_a_pipe(
    command: str, env: dict[str, str], words: list[str], colored: bool, log: Path
) -> None:
    ran = run(command, log, *words, env=env)
    assert (ESC in ran.out) == colored
    if colored:  # the same text, and nothing but colors
        plain = re.sub(r"\x1b\[[0-9;]*m", "", ran.out)
        shown = re.sub(r"[●◇▲■★](?=[A-Z])", " ", run(command, log).out)  # a block of color needs no shape
        assert [line.rstrip() for line in plain.splitlines()] == [
            line.rstrip() for line in shown.splitlines()
        ]


@pytest.mark.parametrize(
    "env",
    [
        {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
)
def test_a_terminal_without_unicode(env: dict[str, str], tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    log.write_bytes(named(fresh(), ["Zoë", "李"]))
    for words in ("show game.log", "replay game.log", "verify game.log", "move game.log pick 3 orange"):
        ran = run(*words.split(), cwd=tmp_path, env=env)
        assert ran.raw.isascii()
        assert ran.err == ""
    assert "Zo\\xeb" in run("show", log, env=env).out


def columns(line: str) -> int:
    """How many columns of a terminal a line takes."""
    return sum(
        0 if unicodedata.combining(ch) else 2 if unicodedata.east_asian_width(ch) in "WF" else 1
        for ch in line
    )


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("letter", ["", "x", "李", RUDE[0:6]], ids=["plain", "long", "wide", "rude"])
def test_80_columns_suffice(players: int, letter: str, tmp_path: Path) -> None:
    names = [f"{(letter * 80)[:79]}{n}" if letter else f"Player {n}" for n in range(1, players + 1)]
    for left, words in ((0, ["--ascii"]), (30, ["--backs"])):
        log = tmp_path / f"{left}.log"
        log.write_bytes(named(played(players, left=left), names))
        for line in run("show", *words, log, env={"COLUMNS": "80"}).lines:
            assert columns(line) <= 80, line


@pytest.mark.parametrize("width", ["0", "1", "20", "300", "wide"])
def test_any_width_is_drawn(width: str, log: Path) -> None:
    assert "Player 2" in run("show", log, env={"COLUMNS": width}).out


def test_nothing_of_a_log_reaches_the_terminal_raw(tmp_path: Path) -> None:
    log = tmp_path / "rude\x1b[2J.log"
    note = json.dumps({"type": "noted", "text": f"{RUDE}\nmy\rown\tline"}).encode() + b"\n"
    log.write_bytes(named(played(left=1), [RUDE, "Ben"]) + note)
    runs = [run("show", log), run("replay", log, "--tables"), run("verify", log)]
    runs.append(run("move", log, run("legal", log).lines[0]))
    runs += [run("show", log), run("verify", log), run("replay", log)]
    log.write_bytes(log.read_bytes()[:-1])
    runs += [run("verify", log, code=1), run("show", log, code=4), run("show", f"{log}\x1b", code=4)]
    for ran in runs:
        shown = (ran.out + ran.err).replace("\n", "")
        assert shown.isprintable(), [ch for ch in shown if not ch.isprintable()]
    assert "Eve\\x1b[31m\\x07" in runs[0].out
    assert "\\nmy\\rown\\tline" in runs[1].out


@pytest.mark.parametrize("field", ["a\nsintra: all is well", "a\x1b[2J", "a\r\u2028b"])
def test_an_error_is_one_line_whatever_the_log_says(field: str) -> None:
    note = json.dumps({"type": "noted", "text": "", field: 1}).encode() + b"\n"
    for ran in (
        run("show", "-", stdin=fresh() + note, code=4),
        run("verify", "-", stdin=fresh() + note, code=1),
    ):
        assert (ran.out + ran.err).count("\n") == 1
        assert (ran.out + ran.err).strip("\n").isprintable()


# -- Manners: pipes and signals --------------------------------------------------------------


@pytest.mark.parametrize("command", ["replay", "replay --tables", "replay --json", "show", "verify"])
def test_a_closed_pipe_is_no_news(command: str, whole: Path) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    ran = run(*command.split(), whole, stdout=theirs, code=-signal.SIGPIPE)
    os.close(theirs)
    assert ran.err == ""


@contextlib.contextmanager
def started(*words: str | Path) -> Iterator[subprocess.Popen[bytes]]:
    """A run of the program that goes on meanwhile; nothing of it is left in the end."""
    process = subprocess.Popen(
        [SINTRA, *map(str, words)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):  # it ended, and so did all that it started
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def interrupted(process: subprocess.Popen[bytes]) -> int:
    """Press Ctrl-C, as a terminal does; the exit code."""
    time.sleep(1)  # it waits by now
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=5)
    clean(err.decode())
    return process.returncode


def test_a_delayed_replay_is_seen_as_it_goes(whole: Path) -> None:
    with started("replay", whole, "--delay", "60") as process:
        assert process.stdout is not None
        ready, _, _ = select.select([process.stdout], [], [], 3)
    assert ready


@pytest.mark.parametrize("words", ["replay whole.log --delay 60", "show -", "move -q game.log"])
def test_ctrl_c_is_clean(words: str, whole: Path, log: Path) -> None:
    paths = {"whole.log": str(whole), "game.log": str(log)}
    with started(*(paths.get(word, word) for word in words.split())) as process:
        assert interrupted(process) == 130
    assert log.read_bytes() == fresh()


def test_ctrl_c_is_clean_while_many_logs_are_checked(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.log" for number in range(6)]
    for path in paths:
        os.mkfifo(path)  # nobody writes to it, so whoever reads it waits
    with started("verify", "-j", "2", *paths) as process:
        assert interrupted(process) == 130


# -- Two at once -----------------------------------------------------------------------------


def test_of_two_moves_at_once_one_wins(log: Path) -> None:
    words = ["move", str(log), "--expect", "3", "pick", "3"]
    with started(*words, "orange") as one, started(*words, "pink") as two:
        for process in (one, two):
            _, err = process.communicate(timeout=PATIENCE)
            clean(err.decode())
    assert sorted([one.returncode, two.returncode]) == [0, 5]
    assert run("verify", "--json", log).json["events"] == 4


def test_a_locked_log_can_be_read_and_not_written(log: Path) -> None:
    with log.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        ran = run("move", log, "pick", "3", "orange", code=5)
        assert "locked" in ran.err
        assert log.read_bytes() == fresh()
        assert "Player 1 may" in run("show", log).out
    run("move", log, "pick", "3", "orange")
