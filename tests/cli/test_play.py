"""Playing at the keyboard, through the installed program: scripted, and on a terminal."""

from __future__ import annotations

import codecs
import contextlib
import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import sintra
from scripts.fixtures import FIXTURES
from sintra.cli import choosing
from sintra.cli.shorthand import first_step, shorts
from tests.kit import program
from tests.kit.program import PATIENCE, clean, environment, fresh, played, run

pytestmark = pytest.mark.process

CLEAR = "\x1b[H\x1b[2J"


class Terminal:
    """A terminal with a program in it."""

    def __init__(self, command: list[str], env: Mapping[str, str], size: tuple[int, int]) -> None:
        self.ours, theirs = pty.openpty()
        self.resize(*size)
        around = environment({"TERM": "xterm", **env})
        around.pop("LINES", None)  # the terminal itself knows
        self.process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=around,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0) and None,
        )
        os.close(theirs)
        self.shown = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self.ours, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def type(self, text: str) -> None:
        os.write(self.ours, text.encode())

    def wait_for(self, text: str) -> str:
        """All that was shown since the last time, up to and with this text."""
        end = time.monotonic() + PATIENCE
        while text not in self.shown:
            left = end - time.monotonic()
            assert left > 0, f"no {text!r} in {self.shown[-2000:]!r}"
            assert self._read(left), f"it ended without {text!r}: {self.shown[-2000:]!r}"
        before, _, self.shown = self.shown.partition(text)
        return before + text

    def _read(self, patience: float) -> bool:
        """Read what is there; whether the program may still show more."""
        if not select.select([self.ours], [], [], patience)[0]:
            return True
        try:
            data = os.read(self.ours, 65536)
        except OSError:  # the other end is closed
            return False
        self.shown += self._decoder.decode(data)
        return bool(data)

    def end(self) -> tuple[int, str]:
        """The exit code, and what was shown until then."""
        end = time.monotonic() + PATIENCE
        while self._read(1):
            assert time.monotonic() < end, f"it does not end: {self.shown[-2000:]!r}"
        clean(self.shown)
        return self.process.wait(PATIENCE), self.shown


@contextlib.contextmanager
def terminal(
    *command: str | Path, env: Mapping[str, str] | None = None, size: tuple[int, int] = (80, 24)
) -> Iterator[Terminal]:
    """A program on a terminal; nothing of it is left in the end."""
    opened = Terminal(list(map(str, command)), env or {}, size)
    try:
        yield opened
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(opened.process.pid, signal.SIGKILL)
        opened.process.wait(PATIENCE)
        os.close(opened.ours)


def play(log: Path, *words: str, **more: Any) -> Any:
    return terminal(program.SINTRA, "play", log, "--plain", *words, **more)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A new game of seed 42."""
    path = tmp_path / "game.log"
    path.write_bytes(fresh())
    return path


def types(path: Path) -> list[str]:
    return [json.loads(line)["type"] for line in path.read_bytes().splitlines()]


# -- A game ----------------------------------------------------------------------------------


def test_a_game_is_started_undone_left_resumed_and_finished(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    with play(log, "--seed", "42", "--bots", "greedy") as screen:
        screen.wait_for("Player 1> ")
        screen.type("3o\n")
        assert "place 2" in screen.wait_for("Player 1> ")
        screen.type("2\n")
        told = screen.wait_for("Player 1> ")
        assert "Player 2: picks" in told
        assert "Places" in told
        assert types(log)[3:] == ["picked", "placed", "picked", "placed"]
        screen.type("undo\n")
        assert "Took back 3 steps." in screen.wait_for("Player 1> ")
        assert types(log)[7:] == ["undone"]
        screen.type("5\n")
        screen.wait_for("Player 1> ")
        screen.type("quit\n")
        code, shown = screen.end()
    assert code == 0
    assert f"sintra play {log} --bot 2=greedy" in shown
    before = log.read_bytes()
    ran = run("play", log, "--bot", "2=greedy", "--bot", "1=greedy")
    assert log.read_bytes().startswith(before)
    assert "wins." in ran.out or "share the victory" in ran.out
    assert run("verify", "--json", log).json["over"]


def test_a_whole_round_against_greedy_in_short_words(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    run("play", log, "--seed", "3", "--bots", "greedy")
    for _ in range(40):
        game = sintra.load(log)
        if game.round == 2:
            break
        step = game.legal()[0]
        short = next(key for key, found in shorts(game.rules, game.legal()).items() if found == step)
        out = run("play", log, "--bots", "greedy", stdin=f"{short}\n").out
        assert f"Player 1> {short}\n" in out
    assert game.round == 2
    assert run("verify", log).code == 0


def test_resumed_games_go_on_as_they_would_have(tmp_path: Path) -> None:
    one, two = tmp_path / "one.log", tmp_path / "two.log"
    run("play", one, "--seed", "9", "--bots", "greedy", stdin="1b 1\n")
    run("play", two, "--seed", "9", "--bots", "greedy")
    run("play", two, "--bots", "greedy", stdin="1b\n")
    run("play", two, "--bots", "greedy", stdin="1\n")
    assert one.read_bytes() == two.read_bytes()


def test_bots_are_named_for_each_seat(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    run("play", log, "-p", "3", "--seed", "4", "--bots", "greedy,random", stdin="q\n")
    assert (tmp_path / "game.log.bots").read_text() == "2=greedy\n3=random\n"


@pytest.mark.parametrize(
    "words",
    ["--rules azul", "--rules azul --side gray -p 3", "--rules crystal --side 1", "--side B -p 4"],
)
def test_bots_alone_finish_any_game(words: str, tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    ran = run("play", log, "--new", "--seed", "4", *words.split(), "--bots", "greedy", "--bot", "1=greedy")
    assert run("verify", "--json", log).json["over"]
    assert "wins." in ran.out or "share the victory" in ran.out
    assert "The game ends." in " ".join(ran.out.split())


def test_a_bot_of_ones_own_is_played_against(tmp_path: Path) -> None:
    last, lost = "def last(state, stream): return state.legal()[-1]", "def lost(state, stream): return None"
    (tmp_path / "own.py").write_text(f"{last}\n{lost}\n")
    words = ["play", "game.log", "--seed", "42", "--bots", "own:last"]
    out = run(*words, cwd=tmp_path, stdin="3o 2\n").out
    assert "Player 2: picks" in out
    assert out.endswith("sintra play game.log --bot 2=own:last\n")
    kept = sintra.load(tmp_path / "game.log")
    ran = run("play", "game.log", "--bot", "1=own:lost", cwd=tmp_path, code=2)
    assert "the bot own:lost returned None, not a legal step" in ran.err
    assert sintra.load(tmp_path / "game.log").events == kept.events


def test_a_game_that_nobody_can_foresee(tmp_path: Path) -> None:
    run("play", tmp_path / "game.log", "--unseeded", "--bots", "greedy", "--bot", "1=random")
    game = sintra.load(tmp_path / "game.log")
    assert (game.created.chance, game.created.seed, game.over) == ("system", None, True)


def test_a_game_that_is_over_is_shown(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    log.write_bytes(played())
    ran = run("play", log)
    assert "sintra replay" in ran.out
    assert log.read_bytes() == played()


def test_a_plug_in_is_played_too(tmp_path: Path) -> None:
    (tmp_path / "harbor-1.dist-info").mkdir()
    (tmp_path / "harbor-1.dist-info" / "METADATA").write_text("Name: sintra-harbor\nVersion: 1\n")
    points = tmp_path / "harbor-1.dist-info" / "entry_points.txt"
    points.write_text("[sintra.rules]\nharbor = harbor:RULES\n")
    shutil.copytree(FIXTURES / "harbor" / "harbor", tmp_path / "harbor")
    env = {"PYTHONPATH": str(tmp_path)}
    words = ["--rules", "harbor", "--seed", "1", "--bots", "greedy"]
    step = sintra_first_pick(tmp_path, env)
    out = run("play", tmp_path / "game.log", *words, stdin=f"{step} 2\n", env=env).out
    assert "Player 2: pick" in out
    assert "Moor 2." in out


def sintra_first_pick(folder: Path, env: dict[str, str]) -> str:
    log = folder / "other.log"
    run("new", "--rules", "harbor", "--seed", "1", "-o", log, env=env)
    _, source, color = run("legal", log, env=env).lines[0].split()
    return f"{source}{color[0]}"


# -- What may be typed -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    ["3o", "3 o", "3 orange", "3 or", "PICK 3 Orange", "pi 3 o", "pick 3 orange place 2", "3o 2", "3 o 2"],
)
def test_a_pick_may_be_typed_short(line: str, log: Path) -> None:
    run("play", log, stdin=f"{line}\n")
    assert json.loads(log.read_text().splitlines()[3]) == {
        "type": "picked",
        "player": 1,
        "source": 3,
        "color": "orange",
    }
    assert len(types(log)) == (5 if "2" in line else 4)


def test_the_center_may_be_typed_short(log: Path) -> None:
    run("play", log, stdin="3o 2\ncp\n")
    assert json.loads(log.read_text().splitlines()[5])["source"] == 0


def test_short_forms_leave_out_what_is_clear() -> None:
    game = sintra.new("azul", 2, seed=5, side="gray")
    while str(game.legal()[0]).startswith(("pick", "place")):
        game.play(game.legal()[-1])
    row = str(game.legal()[0]).split()[1]
    assert first_step(game, ["3"]) == (f"tile {row} 3", 1)
    assert first_step(game, [row, "3"]) == (f"tile {row} 3", 2)
    assert first_step(game, ["tile", row, "3", "2"]) == (f"tile {row} 3", 3)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("3x", "unknown color 'x'"),
        ("3b", "display 3 has no blue; it has clear, 2 orange and pink"),
        ("9b", "5 displays"),
        ("place 2", "pick first"),
        ("pik 3 orange", "did you mean `pick`?"),
        ("r", "unknown step|leftmost strip"),
        ("3o 8", "strip 8 has no empty space for orange"),
        ("3o 2 1b", "not be your turn yet"),
        ("undo", "you have no step to take back"),
        ("\x1b[2J\x00\x07", "x1b"),
        ("\udcff\udcfe", "`pick` takes 1 to 5 or center, not "),
        ("- - -", "`pick` takes 1 to 5 or center, not '-'"),
    ],
)
def test_slips_are_told_and_harm_nothing(line: str, said: str, log: Path) -> None:
    stdin = f"{line}\nquit\n".encode("utf-8", "surrogateescape")
    out = run("play", log, "--bots", "greedy", stdin=stdin).out
    assert re.search(said, out.split("Player 1> ", 1)[1])
    assert out.endswith("--bot 2=greedy\n")
    assert out.replace("\n", "").isprintable()
    assert log.read_bytes() == fresh()


def test_nothing_of_a_line_with_a_slip_is_played(log: Path) -> None:
    """Neither in the log nor on the table: the next step is judged by what is in the log."""
    for line in ("", "2\n"):
        run("play", log, stdin=f"pick 3 orange place 9\n{line}")
        assert log.read_bytes() == fresh()
    run("play", log, stdin="pick 3 orange place 9\n3o 2\n")
    assert types(log)[3:] == ["picked", "placed"]
    run("verify", log)


def test_help_log_and_drawing_again(log: Path) -> None:
    out = run("play", log.name, stdin="?\nhelp\n3o 2\nlog\n\nshow\nq\n", cwd=log.parent).out
    assert out.count("take back your last step") == 2
    assert max(map(len, out.splitlines())) <= 80
    assert "Player 1: picks 2 orange from display 3" in out
    assert out.count("Stained Glass of Sintra, side A") == 4


def test_choices_are_told_with_what_they_do(log: Path) -> None:
    out = run("play", log, stdin="3o\n").out
    assert "Player 1 has to place:" in out
    assert "  2   places 2 pieces on strip 2." in out
    assert "  3   places 2 pieces on strip 3." in out


def test_undo_goes_back_step_by_step(log: Path) -> None:
    run("play", log, stdin="3o 2\n1b\nundo\nundo\nundo\nundo\n")
    game = sintra.load(log)
    assert game.counting == sintra.loads(fresh()).counting
    assert types(log).count("undone") == 3


# -- The call --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["-"], 2, "needs a log file"),
        (["game.log", "--new"], 5, "already exists"),
        (["game.log", "--seed", "1"], 2, "--seed is for new games"),
        (["game.log", "--bot", "2=clever"], 2, "random, greedy"),
        (["game.log", "--bot", "3=greedy"], 2, "a seat from 1 to 2"),
        (["game.log", "--bot", "greedy"], 2, "SEAT=NAME"),
        (["game.log", "--bots", "nobody"], 2, "random, greedy"),
        (["new.log", "--bots", "nobody"], 2, "random, greedy"),
        (["new.log", "-p", "4", "--bots", "greedy,random"], 2, "or 3 with commas between them; 2 were given"),
        (["new.log", "--bots", "no.such:bot"], 2, "No module named 'no'"),
        (["new.log", "--bot", "2=tests.kit.bots:best"], 2, "No module named 'tests"),
        (["new.log", "--seed", "1", "--unseeded"], 2, "use only one of --seed and --unseeded"),
        (["game.log", "--unseeded"], 2, "--unseeded is for new games"),
        (["new.log", "--rules", "chess"], 6, "chess"),
        (["new.log", "-p", "3", "--player", "Ada"], 2, "1 name is given"),
        (["nowhere/new.log"], 4, "can't create"),
        (["table.log"], 2, "`sintra play table.log --table`"),
    ],
)
def test_wrong_calls(words: list[str], code: int, said: str, log: Path) -> None:
    table = sintra.new("sintra", 2, chance="table")
    table.save(log.parent / "table.log")
    ran = run("play", *words, cwd=log.parent, code=code)
    assert said in ran.err
    assert not (log.parent / "new.log").exists()
    assert log.read_bytes() == fresh()


def test_names_and_options_of_a_new_game(tmp_path: Path) -> None:
    words = ["--player", "Zoë", "--player", "李", "--side", "b", "--option", "floor_at_zero=true"]
    out = run("play", tmp_path / "game.log", *words).out
    assert "Zoë> " in out
    game = sintra.load(tmp_path / "game.log")
    assert game.created.options == {"side": "B", "floor_at_zero": True}


# -- The log ---------------------------------------------------------------------------------


def test_another_writer_is_noticed(log: Path) -> None:
    with play(log) as screen:
        screen.wait_for("Player 1> ")
        run("move", log, "pick", "1", "blue")
        meanwhile = log.read_bytes()
        screen.type("3o\nquit\n")
        code, shown = screen.end()
    assert code == 5
    assert "changed by another program" in shown
    assert "sintra play" in shown
    assert log.read_bytes() == meanwhile


def test_another_log_of_the_same_length_is_noticed(log: Path) -> None:
    other = fresh().replace(b"Player 1", b"Player 9")
    with play(log) as screen:
        screen.wait_for("Player 1> ")
        log.write_bytes(other)
        screen.type("3o\nquit\n")
        code, shown = screen.end()
    assert (code, "changed by another program" in shown) == (5, True)
    assert log.read_bytes() == other


def test_a_locked_log_is_left_alone(log: Path) -> None:
    with log.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert "locked" in run("play", log, stdin="3o\n", code=5).err
    assert log.read_bytes() == fresh()


def test_a_cut_log_is_settled_first(tmp_path: Path) -> None:
    lines = played().splitlines(keepends=True)
    ended = next(number for number, line in enumerate(lines) if b"round_ended" in line)
    log = tmp_path / "game.log"
    log.write_bytes(b"".join(lines[:ended]))
    run("play", log)
    assert log.read_bytes().splitlines(keepends=True) == lines[: ended + 2]


def test_every_step_is_in_the_log_at_once(log: Path) -> None:
    with play(log) as screen:
        screen.wait_for("Player 1> ")
        screen.type("3o\n")
        screen.wait_for("Player 1> ")
        os.killpg(screen.process.pid, signal.SIGKILL)
    assert types(log)[3:] == ["picked"]


# -- Manners ---------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_leaving_by_key_tells_how_to_go_on(key: str, log: Path) -> None:
    with play(log, "--bots", "random") as screen:
        screen.wait_for("Player 1> ")
        time.sleep(0.5)  # it waits by now
        screen.type(key)
        code, shown = screen.end()
    assert code == (130 if key == "\x03" else 0)
    assert f"sintra play {log} --bot 2=random" in shown
    assert log.read_bytes() == fresh()


def test_a_terminal_is_cleared_and_a_pipe_is_not(log: Path) -> None:
    with play(log) as screen:
        assert CLEAR in screen.wait_for("Player 1> ")
    with play(log, env={"TERM": "dumb"}) as screen:
        assert "\x1b[2J" not in screen.wait_for("Player 1> ")
    assert "\x1b" not in run("play", log, stdin="3o 2\n").out


def test_colors_and_ascii(log: Path) -> None:
    assert "\x1b[" in run("play", log, "--color", "always").out
    out = run("play", log, "--ascii", stdin="3o\nundo\n?\nlog\n").out
    assert out.isascii()
    with play(log, env={"NO_COLOR": "1"}) as screen:
        assert "\x1b[" not in screen.wait_for("Player 1> ").split(CLEAR)[1].replace("\x1b[?2004h", "")


def test_a_low_terminal_keeps_the_offer_in_sight(log: Path) -> None:
    with play(log, "--bots", "greedy", size=(80, 24)) as screen:
        for line in ("3o", "2", "undo"):
            screen.wait_for("Player 1> ")
            screen.type(f"{line}\n")
            drawn = screen.wait_for("Player 1> ").split(CLEAR)[1]
            assert drawn.count("\n") < 24
            screen.shown = "Player 1> "


def test_names_never_reach_the_terminal_raw(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    first, rest = fresh().split(b"\n", 1)
    rude = ["Eve\x1b[31m\x07\u202e", "Ben"]
    log.write_bytes(json.dumps({**json.loads(first), "players": rude}).encode() + b"\n" + rest)
    out = run("play", log, "--bots", "greedy", stdin="3o\n2\nlog\nq\n").out
    assert out.replace("\n", "").isprintable()
    assert "Eve\\x1b[31m" in out


def test_the_plain_menu_numbers_what_is_long_and_answers_what_it_does_not_know(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names = ["Anne-Marie the First", "Bartholomew Longname", "Christopher Robin", "Dora"]
    sintra.new("azul", players=names, seed=1).save(tmp_path / "a-log-with-quite-a-long-name.log")
    typed = iter(["what", "n", "8", "5", "", "", "hard", "", "crystal.log"])
    asked: list[str] = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        return next(typed)

    monkeypatch.setattr("sintra.cli.choosing.ask", answer)
    assert choosing.asked() == ("log", "crystal.log")
    assert sintra.load("crystal.log").created.options == {"side": "1"}
    said = capsys.readouterr().out.splitlines()
    assert "   5  Crystal Mosaic, side 1" in said
    assert "  type one of the numbers above" in said
    assert sum(line.startswith("A number to continue") for line in said) == 2  # again after `what`
    assert all(len(line) <= 80 for line in said)
    assert asked[2] == "Board [1]: "
    assert asked[6].startswith("Seat 2 (easy, ")
    assert "Seed [random]: " in asked


def test_a_refusal_in_lines_names_the_ruling_within_the_width(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    game = sintra.new("sintra", 2, seed=42)
    game.play("pick 3 orange place 2 pick 1 yellow place 1 pick 2 clear")
    game.save(log)
    said = run("play", log, stdin="1\nquit\n").out
    assert "(S3: see `sintra help S3`)" in " ".join(said.split())
    refusal = said[said.index("  place 1: strip 1") :].splitlines()[:2]
    assert all(len(line) <= 80 for line in refusal)
