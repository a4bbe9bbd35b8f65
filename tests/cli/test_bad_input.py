"""Bad input, through the installed program: a clear message, the right exit code, and nothing written.

Logs with one fault each are in fixtures/broken, with what is to be said of them in expected.json.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import sintra
from sintra.batch.logs import Entry
from sintra.batch.verify import verdict
from sintra.games.sintra.boards import BROKEN, STRIPS
from tests.kit.program import NO_CACHES, Ran, fresh, played, run, shell

pytestmark = pytest.mark.process

FOLDER = Path(__file__).parents[2] / "fixtures" / "broken"
CASES: dict[str, dict[str, Any]] = json.loads((FOLDER / "expected.json").read_text())
LINES = fresh().splitlines(keepends=True)
READERS = ["legal", "show", "replay", "verify", "move"]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A new game of seed 42, three events."""
    path = tmp_path / "game.log"
    path.write_bytes(fresh())
    return path


def told(ran: Ran, *parts: str) -> None:
    """The program said no more than an error, with these parts."""
    assert ran.raw == b""
    assert ran.err.startswith("sintra: ")
    for part in parts:
        assert part in ran.err


def read(command: str, path: str | Path, *, code: int, stdin: bytes = b"", cwd: Path | None = None) -> Ran:
    """Have a command read a log; `move` also tries a step."""
    steps = ["pick", "1", "blue"] if command == "move" else []
    return run(command, path, *steps, code=code, stdin=stdin, cwd=cwd)


# -- Logs with one fault each ----------------------------------------------------------------


def test_every_broken_log_is_named_by_verify() -> None:
    """One process has a look at all of them; the exit code is that of the worst."""
    ran = run("verify", "--json", *(FOLDER / f"{name}.log" for name in CASES), code=6)
    assert ran.err == ""
    verdicts = [json.loads(line) for line in ran.lines]
    assert [Path(found["log"]).stem for found in verdicts] == list(CASES)
    for found, case in zip(verdicts, CASES.values(), strict=True):
        assert not found["ok"]
        assert found.get("line") == case["line"], found
        assert case["message"] in found["message"]


@pytest.mark.parametrize("name", CASES)
def test_broken_log(name: str) -> None:
    case = CASES[name]
    log = FOLDER / f"{name}.log"
    assert verdict(Entry(str(log))).exit_code == case["verify"]
    shown = run("show", log, code=case["show"])
    told(shown, case["message"], f"line {case['line']}" if case["line"] else "")
    assert len(shown.err) < 400


@pytest.mark.parametrize(
    "name",
    [
        *("empty", "torn-last-line", "no-end-of-line", "blank-last-line", "not-utf8-later", "not-json-later"),
        *("format-2", "rules-unknown", "wrong-round-score", "wrong-winner", "pick-after-end", "undo-between"),
    ],
)
def test_nothing_is_added_to_a_broken_log(name: str, tmp_path: Path) -> None:
    log = tmp_path / "broken.log"
    data = (FOLDER / f"{name}.log").read_bytes()
    log.write_bytes(data)
    told(read("move", log, code=CASES[name]["show"]), CASES[name]["message"])
    told(read("move", "-", code=CASES[name]["show"], stdin=data), CASES[name]["message"])
    assert log.read_bytes() == data


def test_every_broken_log_is_described() -> None:
    assert sorted(CASES) == sorted(path.stem for path in FOLDER.glob("*.log"))
    assert all(case.keys() == {"wrong", "verify", "show", "line", "message"} for case in CASES.values())


def test_all_broken_logs_at_once() -> None:
    paths = [str(FOLDER / f"{name}.log") for name in CASES]
    ran = run("verify", "--json", *paths, code=max(case["verify"] for case in CASES.values()))
    answers = [json.loads(line) for line in ran.lines]
    assert [answer["log"] for answer in answers] == paths
    assert [answer.get("line") for answer in answers] == [case["line"] for case in CASES.values()]
    assert not any(answer["ok"] for answer in answers)


def test_what_other_tools_rewrite_is_read() -> None:
    spaced = [json.dumps(dict(reversed(json.loads(line).items())), indent=None) for line in LINES]
    for log in ("\r\n".join([*spaced, ""]), "\t\n ".join([*spaced, ""])[:-1]):
        assert run("verify", "--json", "-", stdin=log).json["events"] == 3


# -- Logs that are no files, or no files for us ----------------------------------------------


@pytest.mark.parametrize("command", READERS)
def test_a_log_that_can_not_be_opened(command: str, tmp_path: Path) -> None:
    (tmp_path / "folder.log").mkdir()
    for path, said in (
        ("none.log", "no such file"),
        ("folder.log", "a directory"),
        ("none/x.log", "no such"),
    ):
        ran = read(command, path, code=4, cwd=tmp_path)
        assert said in (ran.out if command == "verify" else ran.err)
        assert path in (ran.out if command == "verify" else ran.err)
    assert os.listdir(tmp_path) == ["folder.log"]


def test_a_step_can_not_be_added_to_a_device() -> None:
    told(run("move", "/dev/null", "pick", "1", "blue", code=4), "/dev/null", "not a regular file")


def forbid(path: Path, mode: int) -> None:
    """Take rights away, where the system lets anybody do so."""
    path.chmod(mode)
    if os.access(path, os.W_OK):
        pytest.skip("root may do everything")


def test_a_log_that_is_read_only(log: Path) -> None:
    forbid(log, 0o444)
    told(run("move", log, "pick", "3", "orange", code=4), "game.log", "permission denied")
    assert "may:" in run("show", log).out
    forbid(log, 0)
    told(run("show", log, code=4), "game.log", "permission denied")


def test_a_folder_that_is_read_only(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    forbid(folder, 0o555)
    told(run("new", "-o", folder / "new.log", code=4), "new.log", "permission denied")


# -- Logs that want too much -----------------------------------------------------------------


LEAN = "ulimit -v 600000; timeout 20 "
"""A shell that gives little memory and little time."""


@pytest.mark.parametrize(
    "words",
    ["show /dev/zero", "move - pick 1 blue < /dev/zero", "legal - < /dev/zero", "new --components /dev/zero"],
)
def test_an_endless_line_is_not_read_to_its_end(words: str, tmp_path: Path) -> None:
    ran = shell(f"{LEAN} sintra {words}", cwd=tmp_path, code=None)
    assert ran.code in (2, 4)
    told(ran, "bytes")
    verdict = shell(f"{LEAN} sintra verify /dev/zero", cwd=tmp_path, code=1)
    assert "longer than" in verdict.out


def test_endless_steps_are_not_read_to_their_end(log: Path, tmp_path: Path) -> None:
    ran = shell(f"{LEAN} sintra move game.log < /dev/zero", cwd=tmp_path, code=None)
    assert ran.code in (2, 4)
    told(ran)
    assert log.read_bytes() == fresh()


@pytest.mark.parametrize(
    "line",
    [b'{"type":"noted","text":"%s"}' % (b"x" * 70_000), b'{"type":"noted",%s"text":""}' % (b" " * 70_000)],
    ids=["text", "spaces"],
)
def test_a_line_is_too_long_wherever_it_comes_from(line: bytes, tmp_path: Path) -> None:
    data = fresh() + line + b"\n" + LINES[2]
    log = tmp_path / "long.log"
    log.write_bytes(data)
    from_file, from_pipe = run("show", log, code=None), run("show", "-", stdin=data, code=None)
    assert from_file.code == from_pipe.code == 4
    told(from_file, f"{log}, line 4: the line is longer than 65536 bytes")
    told(from_pipe, "standard input, line 4: the line is longer than 65536 bytes")


def deep(opening: str, closing: str) -> str:
    return opening * 10_000 + closing * 10_000


@pytest.mark.parametrize(
    "line",
    [
        deep("[", "]"),
        deep('{"a":', "}").replace(":}", ":1}"),
        '{"type":"noted","text":' + deep("[", "]") + "}",
        '{"text":' + deep("[", "]") + ',"type":"noted"}',
        '{"format":1,"x":' + deep("[", "]") + ',"type":"created"}',
    ],
    ids=["arrays", "objects", "field", "field-first", "unknown-field"],
)
def test_deep_json(line: str) -> None:
    told(run("show", "-", stdin=f"{line}\n", code=4), "line 1")
    told(run("show", "-", stdin=fresh() + line.encode() + b"\n", code=4), "line 4")


@pytest.mark.parametrize(
    "number", ["1e400", "-1e400", "9" * 5000, "-" + "9" * 5000, "0." + "3" * 5000, "1e-400"]
)
@pytest.mark.parametrize("field", ["format", "seed"])
def test_huge_numbers(field: str, number: str) -> None:
    first = (
        LINES[0].decode().replace('"format":1' if field == "format" else '"seed":42', f'"{field}":{number}')
    )
    told(run("show", "-", stdin=first, code=4), "line 1", f"field {field}")


# -- new -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--players 1", "2 to 4 players, not 1"),
        ("--players 5", "2 to 4 players, not 5"),
        ("--players -2", "2 to 4 players, not -2"),
        ("--players two", "'two'"),
        ("--player Ada", "2 to 4 players, not 1"),
        ("--player A --player B --player C --player D --player E", "2 to 4 players, not 5"),
        ("--players 3 --player Ada --player Ben", "--players is 3, but 2 names are given"),
        ("--players 2 --player Ada", "--players is 2, but 1 name is given"),
        ("--player Ada --player Ada", "same name"),
        (f"--player {'x' * 81} --player Ben", "80 characters"),
        (
            "--player \x1b[31mEve --player Ben",
            "name '\\x1b[31mEve' has a character that can't be printed",
        ),
        ("--player \udcff --player Ben", "can't be printed"),
        ("--side C", "side can't be C; choose from: A, B"),
        ("--side", "--side"),
        ("--option sides=A", "no option 'sides'; it has: side, floor_at_zero"),
        ("--option side", "KEY=VALUE"),
        ("--option =A", "no option ''"),
        ("--option floor_at_zero=maybe", "floor_at_zero can't be maybe; choose from: false, true"),
        ("--side A --option side=B", "side"),
        ("--seed -1", "from 0 to 9007199254740991, not -1"),
        ("--seed 9007199254740992", "from 0 to 9007199254740991, not 9007199254740992"),
        (f"--seed {'9' * 5000}", "seed"),
        ("--seed many", "'many'"),
        ("--seed 1.5", "'1.5'"),
        ("--seed 1 --unseeded", "use only one of --seed, --unseeded and --table"),
        ("--unseeded --table", "use only one of --seed, --unseeded and --table"),
        ("--colour red", "--colour"),
        ("game.log", "game.log"),
    ],
)
def test_new_refuses(words: str, said: str) -> None:
    told(run("new", *words.split(" "), code=2), said)


def test_new_refuses_unknown_rules() -> None:
    told(run("new", "--rules", "chess", code=6), "'chess'", "available: sintra")


def test_new_refuses_a_blank_name() -> None:
    for name in ("", " ", "\t"):
        told(run("new", "--player", name, "--player", "Ben", code=2), "name")


@pytest.mark.parametrize(
    ("path", "code", "said"),
    [
        ("there.log", 5, "there.log already exists; it was left alone"),
        (".", 5, "already exists"),
        ("link.log", 5, "a dangling symbolic link"),
        ("none/new.log", 4, "can't create none/new.log: no such file or directory"),
        ("there.log/new.log", 4, "not a directory"),
        ("", 4, "can't create"),
        ("n" * 300, 4, "name too long"),
    ],
)
def test_new_never_overwrites(path: str, code: int, said: str, tmp_path: Path) -> None:
    (tmp_path / "there.log").write_text("mine")
    (tmp_path / "link.log").symlink_to("nowhere.log")
    ran = run("new", "-o", path, cwd=tmp_path, code=code)
    assert said in ran.err
    assert sorted(os.listdir(tmp_path)) == ["link.log", "there.log"]
    assert (tmp_path / "there.log").read_text() == "mine"


# -- new --components ------------------------------------------------------------------------


def strips(change: str = "") -> list[dict[str, list[str]]]:
    """The printed strips as a component file has them, with a fault."""
    found = [{"up": list[str](up), "down": list[str](down)} for up, down in STRIPS]
    side = next(strip["down"] for strip in found if "joker" in strip["down"])
    match change:
        case "seven":
            found.pop(0)
        case "no jokers":
            side[:] = ["blue" if space == "joker" else space for space in side]
        case "three jokers":
            side[side.index("blue")] = "joker"
        case "short":
            found[0]["up"].pop()
        case "green":
            found[0]["up"][0] = "green"
    return found


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("none.json", None, "no such file"),
        (".", None, "a directory"),
        ("bad.json", "{", "bad.json is not valid"),
        ("empty.json", "", "empty.json is not valid"),
        ("array.json", "[]", "array.json is not valid: expected an object"),
        ("latin.json", b'{"windows":"\xe9"}', "latin.json is not valid"),
        ("deep.json", '{"windows":' + deep("[", "]") + "}", "deep.json is not valid: nested too deeply"),
        ("bad.toml", "windows = [1, 2", "bad.toml is not valid"),
        ("latin.toml", b'windows = "\xe9"', "latin.toml is not valid"),
        ("deep.toml", "windows = " + deep("[", "]"), "deep.toml is not valid: nested too deeply"),
        ("nested.json", '{"windows":' + "[" * 500 + "]" * 500 + "}", "nested.json is not valid: nested too"),
        ("nested.toml", "windows = " + "[" * 150 + "]" * 150, "nested.toml is not valid: nested too deeply"),
        ("date.toml", "windows = 2024-01-01", "components: "),
        ("key.json", '{"window":[1,1,1,1,1,1,1,1]}', "window: unknown field"),
        ("seven-strips.json", json.dumps({"strips": strips("seven")}), "strips"),
        (
            "no-jokers.json",
            json.dumps({"strips": strips("no jokers")}),
            "strips: exactly two jokers are needed",
        ),
        (
            "three-jokers.json",
            json.dumps({"strips": strips("three jokers")}),
            "strips: exactly two jokers are needed",
        ),
        ("short.json", json.dumps({"strips": strips("short")}), "strips[0].up"),
        ("green.json", json.dumps({"strips": strips("green")}), "green"),
        ("windows.json", '{"windows":[-1,1,1,1,1,1,1,1]}', "windows"),
        ("windows.toml", "windows = [1, 1, 1, 1, 1, 1, 1]", "windows: expected a list of length >= 8"),
        ("sides.toml", "[windows]\nB = [1, 1, 1, 1, 1, 1, 1, 1]", "side A is missing"),
        ("rises.json", '{"broken":[0,-2,-1,-18]}', "broken: the track must fall from 0 to -18"),
        ("level.json", '{"broken":[0,-2,-2,-18]}', "broken: the track must fall from 0 to -18"),
        ("short-track.json", '{"broken":[0,-1,-2]}', "broken: the track must fall from 0 to -18"),
        ("empty-track.json", '{"broken":[]}', "broken: expected a list of length >= 2"),
        ("null.json", '{"windows":[null]}', "windows"),
        ("text.json", '{"broken":["0",-18]}', "broken[0]: expected a whole number, got text"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 20 else "",
)
def test_components_that_can_not_be(name: str, text: str | bytes | None, said: str, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / name).write_bytes(text.encode() if isinstance(text, str) else text)
    ran = run("new", "--components", name, "-o", "new.log", cwd=tmp_path, code=2)
    told(ran, "components: ", name, said)
    assert "$" not in ran.err
    assert not (tmp_path / "new.log").exists()


def test_components_of_a_real_table_that_can_not_be(tmp_path: Path) -> None:
    run("new", "--rules", "azul", "--table", "-q", "-o", "table.log", cwd=tmp_path)
    (tmp_path / "own.json").write_text('{"floor":[0]}')
    ran = run("arrange", "table.log", "--components", "own.json", cwd=tmp_path, code=2)
    told(ran, "components: own.json: floor: expected a list of length >= 7")


@pytest.mark.parametrize(
    "command",
    [
        "simulate 2 --jobs 1",
        "tournament league --bots greedy,random",
        "play new.log --bots greedy",
        "play new.log --table",
    ],
)
def test_every_command_names_the_component_file(command: str, tmp_path: Path) -> None:
    (tmp_path / "own.json").write_text('{"floor":[0]}')
    ran = run(*command.split(), "--rules", "azul", "--components", "own.json", cwd=tmp_path, code=2)
    told(ran, "components: own.json: floor: expected a list of length >= 7")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["own.json"]


def test_components_that_can_be(tmp_path: Path) -> None:
    (tmp_path / "own.json").write_text(json.dumps({"strips": strips(), "broken": BROKEN}))
    assert run("new", "--seed", "42", "--components", "own.json", cwd=tmp_path).raw == fresh()


# -- The other commands' options -------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("show --at 0 game.log", "no event 0: game.log has 3 events"),
        ("show --at 4 game.log", "no event 4: game.log has 3 events"),
        ("fork --at 4 game.log", "no event 4: game.log has 3 events"),
        ("position --at 0 game.log", "no event 0: game.log has 3 events"),
        ("draw --at 4 game.log", "no event 4: game.log has 3 events"),
        ("show --at last game.log", "'last'"),
        ("show --color pink game.log", "'pink'"),
        ("show game.log other.log", "other.log"),
        ("show", "LOG"),
        ("verify", "LOG"),
        ("verify -j 0 game.log", "0"),
        ("replay --from 9 game.log", "no event 9: game.log has 3 events"),
        ("replay --delay -1 game.log", "--delay"),
        ("replay --delay nan game.log", "--delay"),
        ("replay --delay inf game.log", "--delay"),
        ("move game.log --expect few pick 3 orange", "'few'"),
        ("move game.log pick 3 -1", "-1"),
        ("move game.log -- pick 3 -1", "unknown color '-1'"),
        ("move game.log \udcff", "unknown step"),
        ("move game.log \x1b[31m", "\\x1b[31m"),
        (f"move game.log {'pick ' * 30_000}", "`pick`"),
        ("move", "LOG"),
        ("legal --all game.log", "--all"),
    ],
)
def test_a_call_that_means_nothing(words: str, said: str, log: Path, tmp_path: Path) -> None:
    told(run(*words.split(" "), cwd=tmp_path, code=2), said)
    assert log.read_bytes() == fresh()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["legal", ""], "can't open '': "),
        (["move", "", "pick", "1", "blue"], "can't open '': "),
        (["new", "-o", ""], "can't create '': "),
        (["new", "--components", ""], "components: can't open '': "),
    ],
)
def test_an_empty_name_of_a_file_is_shown_as_one(words: list[str], said: str, tmp_path: Path) -> None:
    """A script's variable that is not set."""
    told(run(*words, cwd=tmp_path, code=None), said)


@pytest.mark.parametrize("steps", ["", "\n\n", "# nothing\n", b"\xff\xfe\n", b"\0\n"])
def test_steps_from_standard_input_that_are_none(steps: str | bytes, log: Path) -> None:
    told(run("move", log, stdin=steps, code=2))
    assert log.read_bytes() == fresh()


# -- No room, no streams ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        "new --seed 1",
        "show game.log",
        "legal --json game.log",
        "replay game.log",
        "verify game.log",
        "--help",
    ],
)
def test_no_space_left_for_the_answer(words: str, log: Path) -> None:
    with open("/dev/full", "wb") as full:
        ran = run(*words.split(), cwd=log.parent, stdout=full, code=None)
    assert ran.code in range(1, 7)
    message = ran.error["message"] if "--json" in words else ran.err
    assert "no space left on device" in message.lower()
    assert ran.err.count("\n") == 1


def test_no_space_left_for_a_step(tmp_path: Path) -> None:
    """A file may have 4096 bytes here; the log is so long that only half an event still fits."""
    log = tmp_path / "game.log"
    note = b'{"type":"noted","text":"%s"}\n'
    log.write_bytes(fresh() + note % (b"x" * (4096 - 20 - len(fresh() + note) + 2)))
    data = log.read_bytes()
    ran = shell("ulimit -f 8; sintra move game.log pick 3 orange", cwd=tmp_path, code=4, env=NO_CACHES)
    told(ran, "can't write to game.log", "the log is unchanged")
    assert log.read_bytes() == data
    assert len(data) == 4096 - 20


def test_no_space_left_for_a_new_log(tmp_path: Path) -> None:
    ran = shell("ulimit -f 1; sintra new -o new.log", cwd=tmp_path, code=4, env=NO_CACHES)
    told(ran, "can't write new.log", "no file was created")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    "words",
    [
        *("new --seed 1 >&-", "show game.log >&-", "legal --json game.log >&-", "verify game.log >&-"),
        *("show - <&-", "move game.log <&-", "move - pick 3 orange <&-", "verify - <&-"),
    ],
)
def test_closed_streams(words: str, log: Path) -> None:
    ran = shell(f"sintra {words}", cwd=log.parent, code=None)
    assert ran.code in range(1, 7)
    assert log.read_bytes() == fresh()


def test_a_closed_standard_error_changes_nothing(log: Path) -> None:
    assert shell("sintra show none.log 2>&-", cwd=log.parent, code=4).raw == b""
    assert shell("sintra show game.log 2>&-", cwd=log.parent).raw == run("show", log).raw


def test_a_log_is_cut_anywhere(tmp_path: Path) -> None:
    """Every prefix that ends at a line's end is a log; any other is torn."""
    data = played()
    ends = [at + 1 for at, byte in enumerate(data) if byte == 0x0A]
    good, torn = tmp_path / "good", tmp_path / "torn"
    good.mkdir()
    torn.mkdir()
    for number, end in enumerate(ends):
        (good / f"{number:03}.log").write_bytes(data[:end])
        (torn / f"{number:03}.log").write_bytes(data[: end - 1 - number % 20])
    assert all(": ok, " in line for line in run("verify", *sorted(good.iterdir())).lines)
    lines = run("verify", *sorted(torn.iterdir()), code=1).lines
    assert len(lines) == len(ends)
    assert all(f"line {number}: the last line is torn" in line for number, line in enumerate(lines, 1))


# -- Suggestions -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--jsn", "show", "x"], "options come after the command: sintra show --jsn"),
        (["--seed", "3"], "options come after the command: sintra COMMAND --seed"),
        (["show"], "LOG is missing"),
        (["replay", "--theme", "dark"], "LOG is missing"),
        (["show", "a.log", "b.log", "c.log"], "too many arguments: b.log c.log"),
        (["show", "--html", "x"], "show has no option --html"),
        (["show", "--asci", "x"], "show has no option --asci; did you mean --ascii?"),
        (["simulate", "--job", "2"], "simulate has no option --job; did you mean --jobs?"),
        (["show", "a.log", "--at"], "--at needs a value: --at N"),
        (["new", "-p"], "-p needs a value: -p N"),
        (["show", "a.log", "--ascii=yes"], "--ascii takes no value"),
        (["move", "a.log", "--no-sync=1"], "--no-sync takes no value"),
        (["shwo", "game.log"], "there is no command 'shwo'; did you mean 'show'?"),
        (["--", "tournamet"], "there is no command 'tournamet'; did you mean 'tournament'?"),
        (["xyzzy"], "there is no command 'xyzzy'"),
        ([""], "there is no command ''"),
    ],
)
def test_suggestions_make_sense(words: list[str], said: str) -> None:
    assert run(*words, code=2).err.splitlines()[0] == f"sintra: {said}"


def test_a_floor_line_says_what_was_lost_and_what_was_not(tmp_path: Path) -> None:
    game = sintra.new("azul", seed=5)
    while game.round < 2:
        steps = [step for step in game.legal() if "floor" in str(step)] or game.legal()
        game.play(steps[0])
    game.save(tmp_path / "game.log")
    assert "Player 1: floor -14 (the score stays at 0)" in " ".join(
        run("log", "game.log", cwd=tmp_path).out.split()
    )
    shown = run("score", "game.log", cwd=tmp_path).out
    assert "  round 1               .  0/-14" in shown
    assert "a score stays at 0 (A5)" in shown
