"""Many logs: folders, patterns, and files of many games, checked one by one."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import pty
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

import sintra
from sintra.batch import logs
from sintra.batch.logs import Entry, batches, entries, games_in
from sintra.cli import progress
from sintra.cli.progress import Progress, lasting
from sintra.errors import DamagedLog, UsageError
from tests.cli.test_strangers import said as program_said
from tests.kit.program import PATIENCE, SINTRA, environment, fresh, played, run, shell, write_games


def names(*arguments: str, many: bool = False) -> list[str]:
    return [entry.name for entry in entries(arguments, many=many)]


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of logs, one below, a file of two games, and what is no log; it is below the current one."""
    write_games(tmp_path / "games", 3)
    write_games(tmp_path / "games" / "more", 1)
    (tmp_path / "games" / "pair.logs").write_bytes(played() + played(3))
    (tmp_path / "games" / "notes.txt").write_text("no log")
    monkeypatch.chdir(tmp_path)
    return tmp_path


# -- Draws and their seed --------------------------------------------------------------------


def twisted(text: str, line: int) -> str:
    """A log with the first two pieces of a draw exchanged."""
    lines = text.splitlines(keepends=True)
    event = json.loads(lines[line - 1])
    row = event["displays"][0] if "displays" in event else event["indicator"]
    row[1], row[2] = row[2], row[1]
    return "".join([*lines[: line - 1], json.dumps(event) + "\n", *lines[line:]])


def on_draws(path: Path, text: str) -> sintra.Verdict:
    path.write_text(text)
    (found,) = sintra.verify(path, deals=True)
    return found


@pytest.mark.parametrize(("line", "field"), [(2, "indicator[1]"), (3, "displays[0][1]")])
def test_draws_are_held_to_their_seed_if_asked(tmp_path: Path, line: int, field: str) -> None:
    path, text = tmp_path / "game.log", played().decode()
    assert on_draws(path, text).draws == text.count('"dealt"') + 1
    other = on_draws(path, twisted(fresh(seed=7).decode(), line))
    assert (other.ok, other.line, other.field) == (False, line, field)
    assert "the seed gives" in str(other.message)
    (careless,) = sintra.verify(path)
    assert careless.ok
    assert careless.draws is msgspec.UNSET


def test_strips_of_ones_own_are_held_to_the_seed_too(tmp_path: Path) -> None:
    box = sintra.new(seed=1).events[1].strips[0]  # type: ignore[attr-defined]
    own = [{"up": list(strip.down), "down": list(strip.up)} for strip in box if "joker" not in strip.down]
    own += [{"up": list(strip.up), "down": list(strip.down)} for strip in box if "joker" in strip.down]
    own[0]["up"] = ["blue"] * 5
    game = sintra.new("sintra", 3, seed=9, components={"strips": own})
    assert on_draws(tmp_path / "own.log", game.dumps()).draws == 2
    lines = game.dumps().splitlines()
    event = json.loads(lines[1])
    event["strips"][2].reverse()
    found = on_draws(tmp_path / "own.log", "\n".join([lines[0], json.dumps(event), *lines[2:], ""]))
    assert str(found.field).startswith("strips[2][0]")


def test_a_fork_says_from_which_event_on_its_seed_counts(tmp_path: Path) -> None:
    game = sintra.loads(played(left=60))
    fork = game.fork(at=20, seed=99)
    assert fork.events[20] == sintra.loads(fork.dumps()).events[20]
    while not fork.over and fork.round < 3:
        fork.play(fork.legal()[0])
    found = on_draws(tmp_path / "fork.log", fork.dumps())
    assert (found.ok, found.draws_from, found.draws) == (True, 22, fork.round - 1)
    assert on_draws(tmp_path / "fork.log", twisted(fork.dumps(), 3)).ok
    early = fork.fork(at=10)  # its seed did not count yet: it says so, too
    assert on_draws(tmp_path / "early.log", early.dumps()).draws_from == 12
    assert on_draws(tmp_path / "whole.log", fork.fork(at=1, seed=5).dumps()).draws_from == 1


def test_a_remark_elsewhere_excuses_no_draw(tmp_path: Path) -> None:
    game = sintra.loads(twisted(fresh(seed=7).decode(), 3))
    game.note("seed counts from event 3")
    assert on_draws(tmp_path / "game.log", game.dumps()).line == 3


def test_draws_without_a_seed_are_said_to_have_none(tmp_path: Path) -> None:
    sintra.new(chance="system").save(tmp_path / "game.log")
    (tmp_path / "two.logs").write_bytes(fresh() + twisted(fresh(seed=7).decode(), 3).encode())
    said = run("verify", "--deals", "game.log", "two.logs", cwd=tmp_path, code=1).lines
    assert said[0].endswith("; the draws have no seed")
    assert said[1].endswith("; 2 draws match the seed")
    run("simulate", "1", "--seed", "1", "--jobs", "1", "--out", "run", "-q", cwd=tmp_path)
    assert run("verify", "--deals", "run", cwd=tmp_path).out.endswith(" wins; 7 draws match the seed\n")
    assert said[2].startswith("two.logs: game 2: line 6, field displays[0][1]: the seed gives ")
    assert run("verify", "--deals", "game.log", "--json", cwd=tmp_path).json["draws_from"] is None


# -- Which logs there are --------------------------------------------------------------------


def test_a_folder_is_walked_down_in_order(games: Path) -> None:
    inside = ["games/01.log", "games/02.log", "games/03.log", "games/more/01.log"]
    assert names("games") == [*inside, "games/pair.logs", "games/pair.logs"]
    assert names("games/01.log", "games/more") == ["games/01.log", "games/more/01.log"]
    (games / "games" / "loop").symlink_to(games / "games")
    assert len(names("games")) == 6


def test_big_folders_are_read_page_by_page(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = names("games")
    for size in (1, 2, 3, 5):
        monkeypatch.setattr(logs, "PAGE", size)
        assert names("games") == whole


def test_patterns_are_as_the_shell_has_them(games: Path) -> None:
    assert names("games/0[12].log") == ["games/01.log", "games/02.log"]
    assert names("*/*/*.log") == ["games/more/01.log"]
    assert names("games/**/*.log") == [f"games/{n}.log" for n in ("01", "02", "03", "more/01")]
    assert names(f"{games}/games/0?.log") == [f"{games}/games/0{n}.log" for n in (1, 2, 3)]
    assert names("ga*") == names("games")
    (games / "games" / ".hidden.log").write_bytes(fresh())
    assert "games/.hidden.log" not in names("games/*.log")
    (games / "odd[1].log").write_bytes(fresh())
    assert names("odd[1].log") == ["odd[1].log"]


@pytest.mark.parametrize("pattern", ["games/**", "games/**/**", "g*/**", "games/", "**"])
def test_stars_at_the_end_are_all_logs_below_each_once(pattern: str, games: Path) -> None:
    assert names(pattern) == names("games")
    assert names(f"{games}/**") == [f"{games}/{name}" for name in names("games")]
    assert names("games/**/*") == names("games/*")


def test_nothing_is_found_twice(games: Path) -> None:
    (games / "games" / "pair.logs").unlink()
    (games / "games" / "more" / "more").mkdir()
    (games / "games" / "more" / "more" / "01.log").write_bytes(fresh())
    for pattern in ("**/**/*.log", "**/more/**/*.log", "**/?*/**", "games/*/**/more/*"):
        assert len(set(names(pattern))) == len(names(pattern)) > 0
    assert names("**/01.log/**") == ["**/01.log/**"]  # a file is no folder


@pytest.mark.parametrize("pattern", ["games", "games/**", "games/**/*.log", "**/*.log"])
def test_links_to_folders_are_not_followed(pattern: str, games: Path) -> None:
    whole = names(pattern)
    (games / "games" / "more" / "up").symlink_to("..")
    assert names(pattern) == whole


def test_links_that_go_in_circles_are_no_folders(games: Path) -> None:
    whole = names("games")
    for name in ("circle", "nowhere"):
        (games / "games" / name).symlink_to(name)
    (games / "games" / "zero.log").symlink_to("zero.log")
    assert names("games") == [*whole, "games/zero.log"]
    assert names("games/**") == names("games")
    assert names("games/0*.log") == whole[:3]
    ran = run("verify", "games", cwd=games, code=4)
    assert "games/zero.log: can't open: too many levels of symbolic links" in ran.out
    assert ran.out.count(": ok") == 6


@pytest.fixture
def closed(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the same folder, nobody may list the one below."""
    assert (games / "games" / "more").is_dir()
    listed = os.scandir

    def refuse(folder: str) -> Any:
        if folder.endswith("more"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return listed(folder)

    monkeypatch.setattr(os, "scandir", refuse)


@pytest.mark.usefixtures("closed")
def test_a_folder_that_can_not_be_listed_does_not_hide_the_others() -> None:
    for pattern, count in (("games", 6), ("games/**", 6), ("games/**/*.log", 4), ("games/*/*", 1)):
        found = list(entries([pattern]))
        assert len(found) == count
        (faulty,) = (entry for entry in found if entry.error is not None)
        assert str(faulty.error) == "can't open games/more: permission denied"


@pytest.mark.usefixtures("closed")
def test_a_folder_that_can_not_be_listed_is_exit_code_4() -> None:
    checked = program_said("verify", "games", "-j", "1")
    assert checked.code == 4
    assert "games/more: can't open: permission denied\n" in checked.out
    assert checked.out.count(": ok") == 5
    counted = program_said("stats", "games", "-j", "1", "--strict")
    assert counted.code == 4
    assert counted.err.startswith("sintra: faulty: games/more: can't open: permission denied\n")
    assert counted.out.startswith("6 logs, 5 games counted, 1 faulty\n")


def test_folders_may_be_very_deep(tmp_path: Path) -> None:
    deep = ["."]
    for _ in range(sys.getrecursionlimit() + 100):
        deep.append(f"{deep[-1]}/d")
        os.mkdir(deep[-1])
    Path(f"{deep[-1]}/x.log").write_bytes(fresh())
    try:
        for argument in (".", "**", "**/*.log", "d*"):
            (name,) = names(argument)
            assert name.endswith("d/d/d/x.log")
    finally:
        os.unlink(f"{deep[-1]}/x.log")
        for folder in reversed(deep[1:]):  # Python's own way to remove a tree is not for deep ones
            os.rmdir(folder)


def test_what_is_not_there_is_told(games: Path) -> None:
    (games / "empty").mkdir()
    for argument, said in (("empty", "without logs"), ("*.none", "no file matches")):
        (entry,) = entries([argument])
        assert said in str(entry.error)
    assert names("none.log") == ["none.log"]


def test_a_file_of_many_games_is_taken_apart() -> None:
    pieces = [played(), fresh(), played(3)]
    path = Path("many.logs")
    path.write_bytes(b"".join(pieces))
    found = list(games_in("many.logs"))
    path.unlink()
    assert [entry.data for entry in found] == pieces
    assert [entry.game for entry in found] == [1, 2, 3]
    lines = [piece.count(b"\n") for piece in pieces]
    assert [entry.line for entry in found] == [1, 1 + lines[0], 1 + lines[0] + lines[1]]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_what_only_looks_like_a_beginning_is_none() -> None:
    note = b'{"type":"noted","text":"\\"created\\" {\\"type\\":\\"created\\"}"}\n'
    odd = b' { "type" : "created" '
    Path("odd.logs").write_bytes(fresh() + note + b'{ "created"\n' + odd + fresh()[17:])
    assert [entry.line for entry in games_in("odd.logs")] == [1, 6]


@pytest.mark.parametrize("cut", [17, 35, 400, len(fresh()) - 1])
def test_a_torn_game_leaves_the_others_alone(cut: int) -> None:
    torn, whole = fresh()[:cut], played()
    pieces = [whole, torn, torn, whole, fresh(), torn]
    Path("torn.logs").write_bytes(b"".join(pieces))
    found = list(games_in("torn.logs"))
    assert [entry.data for entry in found] == pieces
    before = [b"".join(pieces[:number]) for number in range(6)]
    assert [entry.line for entry in found] == [1 + text.count(b"\n") for text in before]
    assert [entry.before for entry in found] == [len(text) for text in before]
    verdicts = list(sintra.verify("torn.logs"))
    assert [verdict.ok for verdict in verdicts] == [True, False, False, True, True, False]
    at = len(whole) + torn.rfind(b"\n") + 2
    assert f"from byte {at} on" in str(verdicts[1].message)


def test_a_beginning_may_be_written_with_escapes() -> None:
    escaped = fresh().replace(b'"created"', rb'"\u0063reated"')
    Path("two.logs").write_bytes(fresh() + escaped + fresh())
    assert [verdict.ok for verdict in sintra.verify("two.logs")] == [True] * 3
    with pytest.raises(DamagedLog, match="field type: occurs twice"):
        sintra.loads(fresh() + b'{"type":"noted","type":"undone","events":1}\n')


def test_unknown_rules_are_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib import metadata

    looks = []
    real = metadata.entry_points

    def entry_points(**how: Any) -> Any:
        looks.append(how)
        return real(**how)

    monkeypatch.setattr(metadata, "entry_points", entry_points)
    monkeypatch.syspath_prepend(str(Path.cwd() / "first"))  # nobody searched there before
    names = [f'"rules":"chess{number}"'.encode() for number in range(40)]
    Path("odd.logs").write_bytes(b"".join(fresh().replace(b'"rules":"sintra"', name) for name in names))
    found = list(sintra.verify("odd.logs"))
    assert [verdict.error for verdict in found] == ["unknown"] * 40
    assert len(looks) == 1
    monkeypatch.syspath_prepend(str(Path.cwd() / "elsewhere"))  # a plug-in may lie there
    list(sintra.verify("odd.logs"))
    assert len(looks) == 2


def test_streams_that_want_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "MAX_GAME", 1000)
    Path("long.logs").write_bytes(played())
    (entry,) = games_in("long.logs")
    assert "longer than 1000 bytes" in str(entry.error)
    (entry,) = entries(["long.logs"], fetch=True)
    assert "longer than 1000 bytes" in str(entry.error)
    Path("line.logs").write_bytes(b"x" * 70_000)
    (entry,) = games_in("line.logs")
    assert "longer than 65536 bytes" in str(entry.error)
    with pytest.raises(DamagedLog):
        list(entry.blocks())
    (entry,) = entries(["none.log"], fetch=True)
    assert "no such file" in str(entry.error)
    Path("empty.logs").write_bytes(b"")
    assert [(entry.game, entry.data) for entry in games_in("empty.logs")] == [(1, b"")]


def test_batches_are_small_at_first() -> None:
    sizes = [len(batch) for batch in batches((Entry(str(n)) for n in range(5000)), 2)]
    assert sum(sizes) == 5000
    assert sizes[:4] == [1, 1, 1, 1]
    assert max(sizes) == logs.BATCH
    heavy = [Entry("x", data=b"x" * (1 << 20)) for _ in range(100)]
    assert max(len(batch) for batch in batches(heavy, 1)) <= 2


# -- The command -----------------------------------------------------------------------------


@pytest.mark.process
def test_all_logs_of_a_folder_are_checked(games: Path) -> None:
    for words in (["games"], ["games", "-j", "1"], ["games/*.log", "games/more", "games/pair.logs"]):
        ran = run("verify", *words, cwd=games)
        assert [line.split(": ok")[0] for line in ran.lines] == [
            *(f"games/0{n}.log" for n in (1, 2, 3)),
            "games/more/01.log",
            "games/pair.logs: game 1",
            "games/pair.logs: game 2",
        ]
        assert ran.err == ""
    assert run("verify", "-q", "games", cwd=games).raw == b""


@pytest.mark.process
def test_a_fault_is_named_by_its_game_and_its_line_in_the_file(tmp_path: Path) -> None:
    good, bad = played(), played(3).replace(b'"round":2', b'"round":3', 1)
    (tmp_path / "many.logs").write_bytes(good + bad + good + good[:-3])
    ran = run("verify", "many.logs", "--json", cwd=tmp_path, code=1)
    answers = [json.loads(line) for line in ran.lines]
    assert [(answer["game"], answer["ok"]) for answer in answers] == [
        (1, True),
        (2, False),
        (3, True),
        (4, False),
    ]
    lines = (tmp_path / "many.logs").read_bytes().splitlines()
    assert b'"round":3' in lines[answers[1]["line"] - 1]
    assert answers[3]["line"] == len(lines)
    told = run("verify", "many.logs", "-q", cwd=tmp_path, code=1).err.splitlines()
    assert told[0].startswith(f"sintra: many.logs: game 2: line {answers[1]['line']}, field round: ")
    assert "many.logs: game 4: " in told[1]


@pytest.mark.process
def test_a_log_is_one_game_unless_many_are_asked_for(tmp_path: Path) -> None:
    (tmp_path / "two.log").write_bytes(played() + fresh())
    strict = run("verify", "two.log", cwd=tmp_path, code=1)
    assert "created can't come here: the game is over (--many reads a file of many games)" in strict.out
    assert len(run("verify", "--many", "two.log", cwd=tmp_path).lines) == 2
    stream = shell("cat two.log two.log two.log | sintra verify --many - -j 2", cwd=tmp_path)
    assert [line.split(":")[1] for line in stream.lines] == [f" game {n}" for n in range(1, 7)]
    assert "can't come here" in shell("cat two.log | sintra verify -", cwd=tmp_path, code=1).out


@pytest.mark.process
def test_what_can_not_be_found_is_exit_code_4(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    ran = run("verify", "empty", "*.log", cwd=tmp_path, code=4)
    assert ran.lines == [
        "empty: can't open: is a directory without logs (*.log, *.logs)",
        "*.log: can't open: no file matches",
    ]


# -- The library -----------------------------------------------------------------------------


def test_the_library_verifies_as_the_command_does(games: Path) -> None:
    (games / "games" / "bad.log").write_bytes(played().replace(b'"round":2', b'"round":3', 1))
    found = list(sintra.verify("games", games / "none.log", "-"))
    assert all(isinstance(verdict, sintra.Verdict) for verdict in found)
    assert [verdict.ok for verdict in found] == [*[True] * 3, False, *[True] * 3, False, False]
    assert [verdict.exit_code for verdict in found] == [0, 0, 0, 1, 0, 0, 0, 4, 4]
    assert found[-1].log == "./-"  # standard input is the command's alone
    printed = run("verify", "games", games / "none.log", "./-", "--json", cwd=games, code=4)
    assert [msgspec.json.decode(line, type=sintra.Verdict) for line in printed.lines] == found
    assert list(sintra.verify("games", games / "none.log", "-", jobs=2)) == found
    with ThreadPoolExecutor(2) as threads:
        assert list(sintra.verify("games", games / "none.log", "-", executor=threads)) == found
    assert [verdict.game for verdict in sintra.verify("games/pair.logs", many=True)] == [1, 2]


@pytest.mark.parametrize("call", [{"jobs": 0}, {"executor": 5}])
def test_workers_that_can_not_be(call: dict[str, Any]) -> None:
    for function in (sintra.verify, sintra.stats):
        with pytest.raises(UsageError, match=r"jobs must be|executor must be"):
            list(function("x.log", **call))  # type: ignore[arg-type]


def test_a_worker_does_not_import_the_command_line(games: Path) -> None:
    code = """import sintra, sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from sintra.batch.workers import spread

def loaded(_):
    return [name for name in sys.modules if name.startswith("sintra.cli") or name == "typer"]

if __name__ == "__main__":
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert all(verdict.ok for verdict in sintra.verify("games", executor=pool))
        assert [*spread(pool, loaded, [1])] == [[]]
"""
    (games / "script.py").write_text(code)
    subprocess.run([sys.executable, "script.py"], check=True, cwd=games, env=environment())


# -- Progress --------------------------------------------------------------------------------


def test_a_bar_tells_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    bar = Progress(100)
    bar.begin(20)
    bar.step(30)
    assert bar._drawn(10) == "[###############...............] 50 of 100, 17 s left"
    unknown = Progress(None)
    unknown.step(500)
    assert unknown._drawn(2) == "500 done, 250 per second"
    assert [lasting(s) for s in (0.4, 59, 61, 7300)] == ["0 s", "59 s", "1 min 1 s", "2 h 1 min"]
    assert progress.ROOM < 80


@pytest.mark.process
def test_a_stream_shows_its_progress_on_a_terminal(tmp_path: Path) -> None:
    """Games come one by one, until the bar is there."""
    terminal, stderr = pty.openpty()
    os.set_blocking(terminal, False)
    with subprocess.Popen(
        [SINTRA, "verify", "-q", "--many", "-", "-j", "1"],
        stdin=subprocess.PIPE,
        stderr=stderr,
        env=environment(),
    ) as program:
        assert program.stdin is not None
        shown = b""
        for _ in range(PATIENCE * 20):
            program.stdin.write(played())
            program.stdin.flush()
            time.sleep(0.05)
            with contextlib.suppress(BlockingIOError):
                shown += os.read(terminal, 1 << 16)
            if b" done, " in shown:
                break
        program.stdin.close()
    os.close(stderr)
    os.close(terminal)
    assert b" done, " in shown
    assert program.returncode == 0


def test_a_torn_line_in_a_file_of_many_games_is_found_at_its_byte(tmp_path: Path) -> None:
    path = tmp_path / "two.logs"
    path.write_bytes(fresh() + fresh() + b'{"ty')
    assert f"from byte {2 * len(fresh()) + 1} on" in run("verify", path, code=1).out
