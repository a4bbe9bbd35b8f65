"""The commands that tell, take back, copy and mend logs, and those for a real table, run as processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import sintra
from scripts.fixtures import FIXTURES
from sintra import catalog
from sintra.errors import DamagedLog, UnknownFormat
from sintra.games.sintra.events import SintraArranged
from sintra.log import formats, writing
from sintra.log.events import Choice, Dealt
from sintra.log.lines import split
from sintra.rules.typed import dealt
from tests.kit.program import NO_CACHES, SINTRA, environment, played, run, run_any, shell
from tests.rules.test_plugins import plug, plug_harbor

GOLDEN = FIXTURES / "games" / "sintra-a-2.log"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A game of two steps."""
    path = tmp_path / "game.log"
    game = sintra.new("sintra", ["Ada", "Ben"], seed=42)
    game.play("pick 3 orange place 2")
    game.save(path)
    return path


# -- undo, note, fork --


def test_undo_takes_steps_back_as_an_event(log: Path) -> None:
    before = log.read_text()
    said = run("undo", log)
    assert said.lines == ["1 event taken back.", "Ada has to place."]
    assert log.read_text() == before + '{"type":"undone","events":1}\n'
    answer = run("undo", log, "--json").json
    assert answer["events"] == [{"type": "undone", "events": 1}]
    assert answer["player"] == 1
    assert "the game has 0" in run("undo", log, code=2).err


def test_undo_of_several_steps(log: Path) -> None:
    run("undo", "-n", "2", "-q", log)
    assert sintra.load(log).state == sintra.new("sintra", ["Ada", "Ben"], seed=42).state


def test_a_note_is_added_and_shown_safely(log: Path) -> None:
    run("note", log, "what", "a\x1b[31m move")
    assert log.read_text().splitlines()[-1] == r'{"type":"noted","text":"what a\u001b[31m move"}'
    assert r"Note: what a\x1b[31m move" in run("log", log).out
    assert run("note", log, "", code=2).err
    assert run("note", log, "x" * 10_001, code=2).err


def test_commands_that_add_to_a_log_pass_it_on(log: Path) -> None:
    data = log.read_bytes()
    assert run("undo", "-", stdin=data).raw == data + b'{"type":"undone","events":1}\n'
    assert run("note", "-", "hm", stdin=data).raw == data + b'{"type":"noted","text":"hm"}\n'
    assert log.read_bytes() == data


def test_expect_guards_every_command_that_adds(log: Path) -> None:
    data = log.read_bytes()
    for words in (["undo"], ["note", "hm"], ["move", "return"]):
        said = run(words[0], log, *words[1:], "--expect", "4", code=5)
        assert "game.log has 5 events, not 4" in said.err
    assert log.read_bytes() == data
    run("note", log, "hm", "--expect", "5")


def test_expect_guards_a_log_from_standard_input(log: Path) -> None:
    said = run("note", "-", "x", "--expect", "99", stdin=log.read_bytes(), code=5)
    assert "standard input has 5 events, not 99" in said.err
    assert said.raw == b""


def test_fork_goes_on_from_an_event(log: Path, tmp_path: Path) -> None:
    same = run("fork", log).raw
    assert same == log.read_bytes()
    other = run("fork", log, "--at", "3", "--seed", "7").out.splitlines()
    assert json.loads(other[0])["seed"] == 7
    assert other[1:3] == log.read_text().splitlines()[1:3]
    assert other[3:] == ['{"type":"noted","text":"seed counts from event 5"}']
    made = run("fork", log, "--at", "1", "--seed", "7", "-o", tmp_path / "f.log", "--json").json
    assert made["seed"] == 7
    assert sintra.load(tmp_path / "f.log").dumps() == sintra.new("sintra", ["Ada", "Ben"], seed=7).dumps()
    run("fork", log, "-o", tmp_path / "f.log", code=5)
    assert f"no event 6: {log} has 5 events" in run("fork", log, "--at", "6", code=2).err


# -- log, score, diff --


def test_log_tells_turns_without_what_was_taken_back(log: Path) -> None:
    run("move", "-q", log, "pick", "1", "blue")
    run("undo", "-q", log)
    run("move", "-q", log, "pick", "center", "pink", "place", "3")
    told = " ".join(run("log", log).out.split())
    assert told.endswith(
        "ybbb. Ada picks 2 orange from display 3; 2 pieces to the center. Places 2 pieces on strip 2. "
        "Ben picks pink from the center, with the starting tile. Places 1 piece on strip 3."
    )
    turns = [json.loads(line) for line in run("log", log, "--json").lines]
    assert turns[-1]["events"] == [8, 9]
    assert (turns[-1]["player"], turns[-1]["round"]) == (2, 1)


@pytest.mark.parametrize("path", sorted((FIXTURES / "games").glob("*.log")), ids=lambda path: path.stem)
def test_the_points_add_up(path: Path) -> None:
    answer = run("score", "--json", path).json
    game = sintra.load(path)
    assert answer["total"] == game.scores
    for seat, total in enumerate(answer["total"]):
        assert sum(sum(row["points"][seat].values()) for row in answer["rounds"]) == total
    assert [row["round"] for row in answer["rounds"]] == [*range(1, game.round + 1), None]
    shown = run("score", path).lines
    totals = [int(line.split()[-1]) for line in shown if line.startswith("  in all")]
    assert totals == game.scores
    assert max(map(len, shown)) <= 80


def test_the_score_of_a_game_under_way(log: Path) -> None:
    answer = run("score", "--json", "-", stdin=log.read_bytes()).json
    assert [row["round"] for row in answer["rounds"]] == [1]
    assert answer["winners"] == []


def test_diff_finds_where_logs_part_ways(log: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.log"
    other.write_bytes(log.read_bytes())
    assert run("diff", log, other).out == "identical: 5 events\n"
    run("move", "-q", other, "pick", "1", "blue")
    said = run("diff", log, other, code=1)
    assert "identical up to event 5" in said.out
    assert "ends here" in said.out
    run("move", "-q", log, "pick", "1", "pink")
    answer = run("diff", "--json", log, other, code=1).json
    assert answer["events"] == 5
    assert (answer["first"]["color"], answer["second"]["color"]) == ("pink", "blue")
    paths = {row["path"]: (row["first"], row["second"]) for row in answer["differences"]}
    assert paths[".hand.pink"] == (1, None)
    assert paths[".hand.blue"] == (None, 2)
    assert run("diff", "-q", log, other, code=1).out == ""


def test_diff_says_which_log_is_damaged(log: Path, tmp_path: Path) -> None:
    data = log.read_bytes()
    (tmp_path / "bad.log").write_bytes(data.replace(b'"round":1', b'"round":7'))
    complaint = "bad.log, line 3, field round: the next deal is round 1, not 7"
    for pair in (("game.log", "bad.log"), ("bad.log", "game.log")):
        assert run("diff", *pair, cwd=tmp_path, code=4).err == f"sintra: {complaint}\n"
        error = run("diff", *pair, "--json", cwd=tmp_path, code=4).error
        assert error == {"error": "damaged", "message": complaint, "line": 3, "field": "round"}
    assert "standard input: the log is empty" in run("diff", "-", log, code=4).err
    (tmp_path / "new.log").write_bytes(data.replace(b'"format":1', b'"format":2'))
    assert "new.log: the log has format 2" in run("diff", log, "new.log", cwd=tmp_path, code=6).err
    assert run("diff", log, "none.log", code=4).err.count("none.log") == 1


def test_diff_reads_one_log_from_standard_input(log: Path) -> None:
    assert run("diff", "-", log, stdin=log.read_bytes()).out == "identical: 5 events\n"
    assert (
        "only one of the two logs can come from standard input"
        in run("diff", "-", "-", stdin=log.read_bytes(), code=2).err
    )


def test_no_empty_line_is_at_an_edge(log: Path) -> None:
    for command in ("log", "score"):
        lines = run(command, log).lines
        assert lines[0]
        assert lines[-1]
        assert "" in lines


# -- A real table --


def test_a_game_recorded_at_a_real_table_has_the_same_scores(tmp_path: Path) -> None:
    """The arrangement, deals and steps of a golden game, typed in."""
    model = sintra.load(GOLDEN)
    letter = model.rules.palette.letter
    path = tmp_path / "table.log"
    run("new", "--table", "--player", "Ada", "--player", "Ben", "-q", "-o", path)
    words = model._fold.words
    steps: list[str] = []

    def play() -> None:
        if steps:
            run("move", "-q", path, stdin="\n".join(steps))
        steps.clear()

    for event in model.events:
        if isinstance(event, SintraArranged):
            said = ["indicator", "".join(map(letter, event.indicator))]
            for number, row in enumerate(event.strips, 1):
                sides = ["".join(map(letter, side)) for strip in row for side in (strip.up, strip.down)]
                both = [f"{up}/{down}" for up, down in zip(sides[::2], sides[1::2], strict=True)]
                said += ["strips", str(number), *(both if number == 1 else sides[::2])]
            run("arrange", "-q", path, *said)
        elif isinstance(event, Dealt):
            play()
            run(
                "deal",
                "-q",
                path,
                *("".join(map(letter, display)) or "-" for display in event.displays),
            )
        elif isinstance(event, Choice):
            steps.append(str(words.steps[words.codes[event.player - 1][event]]))
    play()
    typed = sintra.load(path)
    assert typed.over
    assert typed.scores == model.scores
    assert typed.events[1:] == model.events[1:]


def test_deals_in_letters_and_in_words() -> None:
    colors, azul = catalog.find("sintra").palette, catalog.find("azul").palette
    expected = Dealt(2, (("blue", "blue", "orange", "yellow"), ("pink", "pink", "clear", "orange"), ()))
    for text in ("bboy ppco -", "BLUE blu ora yellow PPCO -", "blue,blue,orange,yellow pink pink clear or -"):
        assert dealt(colors, 2, text) == expected
    assert dealt(azul, 1, "bykr") == Dealt(1, (("blue", "yellow", "black", "red"),))
    with pytest.raises(sintra.UsageError, match="no color has the letter 'x'"):
        dealt(colors, 1, "bxbb")
    with pytest.raises(sintra.UsageError, match="`bl` is ambiguous: blue or black"):
        dealt(azul, 1, "bl bl bl bl")
    with pytest.raises(sintra.UsageError, match="before `ppco` there are 1"):
        dealt(colors, 1, "blue ppco")


def test_impossible_input_at_a_table_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    run("new", "--table", "-q", "-o", path)
    assert "not arranged yet" in run("deal", path, "bbbb", "bbbb", "bbbb", "bbbb", "bbbb", code=3).err
    strips = ["oypoy", "cpoco", "ocooy", "bpbyp", "pocyp", "ycyyc", "ypcyp", "cbccb"]
    for words, complaint in (
        (["indicator", "copbyc"], "`strips 1` is missing"),
        (["strips", "1"], "`indicator` is missing"),
        (["copbyc"], "expected `indicator` or `strips P` before `copbyc`"),
        (
            ["indicator", "copbyx", "strips", "1", *strips, "strips", "2", *strips],
            "no color has the letter",
        ),
        (["indicator", "copbyc", "strips", "1", *strips, "strips", "1"], "`strips 1` is given twice"),
        (["indicator", "copbyc", "strips", "1", "bbbbb"], "`strips 1` needs 8 strips, not 1"),
        (["indicator", "copbyc", "strips", "1", *strips], "`strips 2` is missing"),
        (
            ["indicator", "copbyc", "strips", "1", *["bbbbb"] * 8, "strips", "2", *strips],
            "no strip of the set",
        ),
        (
            ["indicator", "copbyc", "strips", "1", *strips, "strips", "3"],
            "unknown section `strips 3`; expected indicator, strips 1, strips 2",
        ),
        (
            ["indicator", "copbyc", "strips", "1", *strips[:7], "strips", "2", *strips],
            "`strips 1` needs 8 strips, not 7",
        ),
    ):
        assert complaint in run("arrange", path, *words, code=2).err
    assert run("arrange", path, code=2).err.splitlines() == [
        "sintra: `indicator` is missing",
        "Type the arrangement after LOG, or - to read it from standard input.",
    ]
    laid = ["strips", "1", *strips, "strips", "2", *strips]
    assert "must show each color once" in run("arrange", path, "indicator", "cccccc", *laid, code=3).err
    run("arrange", path, "-", stdin="indicator copbyc  # as it lies\n" + " ".join(laid))
    data = path.read_bytes()
    assert "no orange left in the bag" in run("deal", path, *["oooo"] * 5, code=3).err
    assert "5 displays are filled, not 4" in run("deal", path, *["bopc"] * 4, code=3).err
    assert path.read_bytes() == data
    assert "only games started with `new --table` take typed draws" in run("deal", GOLDEN, "bbbb", code=2).err


@pytest.mark.parametrize(
    "words", [["deal", "xx"], ["deal"], ["arrange", "xx"], ["arrange", "-"], ["arrange"]]
)
def test_only_a_real_table_takes_what_is_typed_in(words: list[str]) -> None:
    said = run(words[0], GOLDEN, *words[1:], stdin="", code=2).err
    assert said == "sintra: only games started with `new --table` take typed draws\n"


def test_at_a_real_table_the_log_says_what_comes_next(tmp_path: Path) -> None:
    """Before a word of what was typed is looked at."""
    path = tmp_path / "azul.log"
    run("new", "--rules", "azul", "--table", "-q", "-o", path)
    for words in (["xx"], []):
        said = run("deal", path, *words, code=3).err
        assert said == "sintra: nothing to deal now: the table is not arranged yet\n"
    run("arrange", "-q", path)
    for words in (["xx"], ["-"], []):
        said = run("arrange", path, *words, code=3).err
        assert said == "sintra: nothing to arrange now: round 1 has to be dealt first\n"
    run("deal", "-q", path, "brky", "ytbk", "kkkk", "rrbb", "tttt")
    said = run("deal", path, "xx", code=3).err
    assert said == "sintra: nothing to deal now: player 1 has to choose\n"


def test_what_is_typed_in_is_refused_without_the_names_of_the_log(tmp_path: Path) -> None:
    path = tmp_path / "azul.log"
    run("new", "--rules", "azul", "--table", "-q", "-o", path)
    run("arrange", "-q", path)
    assert run("deal", path, "brky", code=3).err == "sintra: 5 displays are filled, not 1 (R1)\n"
    assert run("deal", path, code=2).err == ("sintra: no deal on the command line or on standard input\n")


def test_a_log_from_standard_input_leaves_no_room_for_what_is_typed_in() -> None:
    table = run("new", "--rules", "azul", "--table").raw
    for words in (["deal", "-"], ["arrange", "-", "-"]):
        said = run(*words, stdin=table, code=2).err
        assert said.startswith("sintra: standard input is the log: give the ")
        assert said.endswith(" on the command line\n")
    assert run("arrange", "-", stdin=table).raw.count(b"\n") == 2


def test_azul_has_nothing_to_lay_out(tmp_path: Path) -> None:
    path = tmp_path / "azul.log"
    run("new", "--rules", "azul", "--table", "-q", "-o", path)
    assert "nothing to lay out" in run("arrange", path, "wall", code=2).err
    assert run("arrange", path, "-", stdin="\n").lines[-1] == "Round 1 has to be dealt first."
    run("undo", "-q", path)
    assert run("arrange", path).lines[-1] == "Round 1 has to be dealt first."
    run("deal", path, "brky", "ytbk", "kkkk", "rrbb", "tttt")
    assert sintra.load(path).player == 1


# -- convert, repair --


def test_convert_writes_todays_format_compactly(log: Path) -> None:
    loose = log.read_text().replace(":", ": ").replace(",", ", ")
    assert run("convert", "-", stdin=loose).raw == log.read_bytes()


def test_convert_writes_a_file_as_new_does(log: Path, tmp_path: Path) -> None:
    told = run("convert", log, "-o", "told.log", cwd=tmp_path)
    assert told.raw == b""
    assert told.err == "told.log: Stained Glass of Sintra, 2 players, seed 42\n"
    assert (tmp_path / "told.log").read_bytes() == log.read_bytes()
    answer = run("convert", log, "-o", "json.log", "--json", cwd=tmp_path).json
    assert (answer["log"], answer["seed"]) == ("json.log", 42)
    assert run("convert", log, "-o", "told.log", "-q", cwd=tmp_path, code=5).err


def test_convert_takes_no_log_that_verify_refuses(log: Path, tmp_path: Path) -> None:
    """Another program may see another of two fields of one name."""
    for line in ('{"type":"undone","type":"noted","text":"x"}', '{"type":"noted","text":7,"text":"x"}'):
        path = tmp_path / "twice.log"
        path.write_text(log.read_text() + line + "\n")
        assert "line 6, field" in run("verify", path, code=1).out
        assert "line 6, field" in run("convert", path, code=4).err


def test_convert_brings_the_keys_back_in_order(log: Path) -> None:
    """As after `jq -S`; so does `fork` with the options."""
    lines = [json.dumps(json.loads(line), sort_keys=True) for line in log.read_text().splitlines()]
    mixed = "".join(f"{line}\n" for line in lines)
    assert mixed.startswith('{"chance": ')
    assert run("convert", "-", stdin=mixed).raw == log.read_bytes()
    assert run("fork", "-", stdin=mixed).raw.splitlines()[0] == log.read_bytes().splitlines()[0]


def test_a_pretend_format_0_is_converted(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In format 0, say, a pick had a `from` in the place of `source`."""
    old = log.read_bytes().replace(b'"format":1', b'"format":0').replace(b'"source"', b'"from"')
    with pytest.raises(UnknownFormat, match="no conversion from format 0"):
        b"".join(formats.converted(split(old)))

    def from_0(lines: object) -> object:
        for line in lines:  # type: ignore[attr-defined]
            yield {("source" if key == "from" else key): value for key, value in line.items()} | (
                {"format": 1} if "format" in line else {}
            )

    monkeypatch.setitem(formats.CONVERSIONS, 0, from_0)
    again = sintra.loads(b"".join(formats.converted(split(old))))
    assert again.state == sintra.load(log).state
    with pytest.raises(DamagedLog, match="starts with `created`"):
        b"".join(formats.converted(split(b"{}\n")))


def test_repair_cuts_a_torn_line_off_and_keeps_a_backup(log: Path) -> None:
    whole = log.read_bytes()
    assert run("repair", log).out == f"{log}: no line is torn\n"
    for number in ("", "1"):
        log.write_bytes(whole + b'{"type":"pick')
        assert "`sintra repair` removes it" in run("show", log, code=4).err
        assert "without a newline" in run("move", log, "pick", "1", "blue", code=4).err
        answer = run("repair", "--json", log).json
        assert (answer["torn"], answer["bytes"], answer["backup"]) == (True, 13, f"{log}.bak{number}")
        assert log.read_bytes() == whole
        assert Path(f"{log}.bak{number}").read_bytes() == whole + b'{"type":"pick'
    assert "repair needs a file" in run("repair", "-", code=2).err


def test_one_byte_is_one_byte(log: Path) -> None:
    log.write_bytes(log.read_bytes() + b"{")
    assert f"{log}: cut off 1 byte of a torn line; the original is {log}.bak" in run("repair", log).out


def test_repair_of_a_log_that_is_torn_in_its_first_line(tmp_path: Path) -> None:
    path = tmp_path / "torn.log"
    path.write_bytes(b'{"type":"crea')
    assert "`sintra repair` removes it" in run("show", path, code=4).err
    assert run("repair", "--json", path).json["bytes"] == 13
    assert path.read_bytes() == b""
    path.write_bytes(b'{"type":"crea')
    assert run("repair", path).out.endswith(".bak1; nothing is left of the log\n")


@pytest.mark.parametrize(
    "data",
    [
        b"hello\nworld",
        b"#!/bin/sh\nexit 0",
        b"hello",
        b'{"name":"x","version":1}',
        b'{"name":"x","vers',
        '{"type":"created"}\n{"ty'.encode("utf-16"),
        b'{"type":"created"}\r{"type":"arranged"}\r',
        b'{"type":"created","format":2.0}\n{"ty',
        b'{"type":"noted","text":"x"}\n{"ty',
        b"{" + b" " * 70_000,
    ],
)
def test_what_is_no_log_is_not_repaired(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(data)
    assert "line 1" in run("repair", path, code=4).err
    assert "repair" not in run("show", path, code=4).err  # which would not do it
    assert [path.read_bytes()] == [data]
    assert os.listdir(tmp_path) == ["notes.txt"]


@pytest.mark.parametrize(("mode", "mask"), [(0o600, "022"), (0o644, "077")])
def test_a_backup_is_for_those_who_may_read_the_log(mode: int, mask: str, log: Path, tmp_path: Path) -> None:
    log.write_bytes(log.read_bytes() + b"{")
    log.chmod(mode)
    shell(f"umask {mask}; sintra repair {log}", cwd=tmp_path)
    assert Path(f"{log}.bak").stat().st_mode & 0o777 == mode


@pytest.mark.parametrize("mode", [0o640, 0o664, 0o600])
def test_a_backup_belongs_to_those_whom_the_log_belongs_to(mode: int, log: Path) -> None:
    """Where the system lets nobody give a file away, the group is left out rather than another put in."""
    log.chmod(mode)
    status = log.stat()
    strange = os.stat_result((status.st_mode, *status[1:4], 65534, 65533, *status[6:]))
    backup = log.with_suffix(".bak")
    writing.create(backup, b"x\n", strange)
    found = backup.stat()
    if os.geteuid() == 0:
        assert (found.st_uid, found.st_gid, found.st_mode) == (65534, 65533, status.st_mode)
    else:
        assert (found.st_uid, found.st_mode) == (os.geteuid(), status.st_mode & ~0o070)


def test_a_log_of_the_future_without_its_last_newline_is_not_repaired(log: Path) -> None:
    future = log.read_bytes().splitlines()[0].replace(b'"format":1', b'"format":9')
    log.write_bytes(future)
    assert "format 9" in run("repair", log, code=6).err
    assert (log.read_bytes(), os.listdir(log.parent)) == (future, [log.name])


def test_a_refused_length_changes_nothing_where_the_system_draws(tmp_path: Path) -> None:
    """Also in a log that was cut before a deal."""
    path = tmp_path / "system.log"
    lines = run("new", "--rules", "azul", "--unseeded").raw.splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:2]))
    for words in ("move pick 1 blue", "note x", "undo"):
        command, *rest = words.split()
        assert "system.log has 2 events, not 99" in run(command, path, *rest, "--expect", "99", code=5).err
        assert path.read_bytes() == b"".join(lines[:2])


def test_legal_does_not_tell_what_the_system_would_draw(tmp_path: Path) -> None:
    path = tmp_path / "system.log"
    lines = run("new", "--rules", "azul", "--unseeded").raw.splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:2]))
    said = run("legal", path, code=3)
    assert "`sintra move --auto` continues this log" in said.err
    assert said.raw == b""
    assert path.read_bytes() == b"".join(lines[:2])


def test_exit_codes_do_not_depend_on_standard_error(log: Path, tmp_path: Path) -> None:
    new = log.read_text().replace('"format":1', '"format":2')
    (tmp_path / "new.log").write_text(new)
    for script, code in (
        ("sintra show none.log", 4),
        (f"sintra note --expect 99 {log} x", 5),
        ("sintra show new.log", 6),
        ("sintra new --seed 1 -o other.log", 0),
        ("sintra new --players 9", 2),
    ):
        shell(f"{script} 2>/dev/full", cwd=tmp_path, code=code)
    assert (tmp_path / "other.log").exists()


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("script", ["sintra new", "sintra fork long.log", "sintra note - x < long.log"])
def test_a_log_that_is_cut_short_on_its_way_out_is_told(script: str, unbuffered: str, tmp_path: Path) -> None:
    """Also where Python is told to keep no buffer, and writes what the system takes."""
    (tmp_path / "long.log").write_bytes(played())
    python = {"PYTHONUNBUFFERED": unbuffered, **NO_CACHES}
    told = shell(f"ulimit -f 1; {script} > out.log", cwd=tmp_path, env=python, code=4).err
    assert told == "sintra: can't write the answer: file too large\n"


def test_an_answer_that_cannot_be_written_tells_what_was_done(log: Path, tmp_path: Path) -> None:
    for script, done in (
        (f"sintra move {log} pick 1 blue", "the log has the new events"),
        (f"sintra note {log} x", "the log has the new events"),
        (
            f"printf x >> {log}; sintra repair {log}",
            f"cut off 1 byte of a torn line; the original is {log}.bak",
        ),
    ):
        told = shell(f"{script} > /dev/full", cwd=tmp_path, code=4).err
        assert told == f"sintra: can't write the answer: no space left on device; {done}\n"
    assert log.read_bytes().count(b"\n") == 7
    told = shell("sintra new -o other.log --json > /dev/full", cwd=tmp_path, code=4).error["message"]
    assert told == "can't write the answer: no space left on device; other.log is written"
    assert "device\n" in shell(f"sintra show {log} > /dev/full", cwd=tmp_path, code=4).err


def test_forced_steps_need_no_standard_input(log: Path, tmp_path: Path) -> None:
    assert "has to pick" in shell(f"sintra move --auto {log} <&-", cwd=tmp_path).out


def test_a_keyboard_that_cannot_be_read_is_told(log: Path, tmp_path: Path) -> None:
    told = shell(f"sintra play {log} 0>/dev/null", cwd=tmp_path, code=4).err
    assert told == "sintra: can't read standard input: bad file descriptor\n"


def test_little_is_imported_before_ctrl_c_is_caught() -> None:
    """Until then Python ends with a traceback of its own: so the way there is short."""
    script = "import sys; before = {*sys.modules}; import sintra.cli; print(*{*sys.modules} - before)"
    loaded = run_any([sys.executable, "-c", script], cwd=None).out.split()
    ours = {name for name in loaded if name.partition(".")[0] == "sintra"}
    assert ours == {"sintra", "sintra.version", "sintra.cli"}
    assert not {"msgspec", "typer"} & {*loaded}


# -- help, completion, waiting --


def test_help_explains_steps_and_commands() -> None:
    assert "take all pieces of a color" in run("help", "pick").out
    assert "Azul" not in run("help", "place", "--rules", "sintra").out
    assert "Usage: sintra move" in run("help", "move").out
    assert "steps are pick, place, keep, return, tile" in run("help", "xyz", code=2).err
    assert "did you mean 'pick'?" in run("help", "pik", code=2).err
    assert run("help", "MOVE").out == run("help", "move").out
    assert run("help", "Pick").out == run("help", "pick").out


def test_help_promises_what_is_so() -> None:
    assert "standard input" not in run("repair", "--help").out  # which has nothing that could be repaired
    assert "Keep events 1 to N" in run("fork", "--help").out


def test_help_tells_the_steps_of_a_rule_set() -> None:
    told = run("help", "--rules", "Azul").out
    assert [line.split()[0] for line in told.splitlines() if line and line[0] != " "] == [
        *("pick", "place", "place", "tile")
    ]
    assert run("help", "tile", "--rules", "azul").out in told
    assert "no rules named 'nope'" in run("help", "--rules", "nope", code=6).err
    said = run("help", "move", "--rules", "azul", code=2).err
    assert said == "sintra: 'move' is not a step or ruling of Azul; the steps are pick, place, tile\n"


def test_help_knows_the_steps_of_plug_ins(tmp_path: Path) -> None:
    """Broken ones harm nobody, and nobody waits for them who asks for a step of a game that is built in."""
    plug_harbor(tmp_path)
    plug(tmp_path, "brokenpack", "broken", "1 / 0\n")
    env = {"PYTHONPATH": str(tmp_path)}
    found = run("help", "moor", env=env)
    assert found.out == "moor N   (Harbor)\n    moor the picked pieces at berth N\n\n"
    assert "brokenpack 2.5" in found.err
    assert "steps are pick, place, keep, return, tile, moor" in run("help", "xyz", env=env, code=2).err
    assert run("help", "pick", env=env) == run("help", "pick")


def test_rules_refuses_what_it_would_not_use() -> None:
    assert run("rules", "crystal", "--games", "3", code=2).err == "sintra: --games needs --test\n"
    assert "needs the NAME" in run("rules", "--test", code=2).err
    assert run("rules", "azul", "--test", "--games", "1").out.startswith("azul: ok, ")


def test_quiet_leaves_what_rules_do_wrong(tmp_path: Path) -> None:
    plug_harbor(tmp_path, ("def census", "def census_"))
    env = {"PYTHONPATH": str(tmp_path)}
    loud = run("rules", "harbor", "--test", env=env, code=1)
    line = (tmp_path / "harbor" / "rules.py").read_text().split("class HarborState")[0].count("\n") + 1
    assert loud.out == f"harbor: HarborState has no method `census` (harbor/rules.py, line {line})\n"
    assert loud.err.startswith('{"type":"created","format":1,"rules":"harbor"')
    told = run("rules", "harbor", "--test", "-q", env=env, code=1)
    assert told.raw == b""
    assert told.err == f"sintra: {loud.out}{loud.err}"
    told = run("rules", "harbor", "--test", "-q", "--json", env=env, code=1)
    assert told.raw == b""
    assert not told.error["ok"]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("sintra mo", ["move"]),
        ("sintra move game.log ", ["pick"]),
        ("sintra move game.log pick 2 ", ["blue", "clear", "orange", "pink"]),
        ("sintra move game.log pick 2 o", ["orange"]),
        ("sintra move game.log pick 2 orange ", ["place"]),
        ("sintra move game.log pick 2 orange place ", ["1", "2", "5", "6", "7"]),
        ("sintra move none.log ", []),
        ("sintra move - ", []),
        ("sintra move - pick ", []),
    ],
)
def test_the_shell_completes_legal_steps(line: str, offered: list[str], log: Path) -> None:
    words = line.split(" ")
    asked = {"_SINTRA_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    found = run_any([SINTRA], cwd=log.parent, env=asked, stdin=log.read_bytes(), code=None)
    assert found.out.split() == offered


@pytest.mark.parametrize("command", ["simulate 10", "tournament league"])
@pytest.mark.parametrize(
    ("begun", "offered"),
    [
        ("--rules cr", ["crystal"]),
        ("--rules azul --side ", ["colored", "gray"]),
        ("--rules azul --option ", ["side=colored", "side=gray"]),
        ("--bots greedy,str", ["greedy,strong"]),
    ],
)
def test_the_shell_completes_what_runs_and_tournaments_take(
    command: str, begun: str, offered: list[str]
) -> None:
    line = f"sintra {command} {begun}"
    place = str(line.count(" "))
    asked = {"_SINTRA_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": place}
    assert run_any([SINTRA], cwd=None, env=asked, code=None).out.split() == offered


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_there_for_every_shell(shell: str, tmp_path: Path) -> None:
    """The shell is named here; a person's is found by itself."""
    sign = {"bash": "complete -o", "zsh": "#compdef", "fish": "complete --command"}[shell]
    shown = run("--show-completion", shell).out
    assert "_SINTRA_COMPLETE" in shown
    assert sign in shown
    assert run(f"--show-completion={shell}").out == shown
    said = run("--install-completion", shell, env={"HOME": str(tmp_path)}).out
    assert said.startswith(f"{shell} completion installed in {tmp_path}")
    assert any(shown.strip() in path.read_text() for path in tmp_path.rglob("*sintra*") if path.is_file())


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("schema sho", "sintra: no schema 'sho'; did you mean 'show'?"),
        ("schema log-sintr", "sintra: no schema 'log-sintr'; did you mean 'log-sintra'?"),
        ("help a9 --rules azul", "the rulings are R1, R2, R3, R4, R5, R6, A1, A2, A3, A4, A5, A6"),
        ("help S99", "'S99' is not a step, a ruling or a command; the rulings are R1, R2"),
    ],
)
def test_an_unknown_name_is_answered_with_what_there_is(words: str, hint: str) -> None:
    assert hint in run(*words.split(), code=2).err


@pytest.mark.parametrize("option", ["--show-completion", "--install-completion"])
@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["nosh"], "must be bash, zsh or fish, not 'nosh'"),
        ([""], "must be bash, zsh or fish, not ''"),
        (["bash", "zsh"], "too many arguments: zsh"),
    ],
)
def test_other_shells_are_refused(option: str, words: list[str], complaint: str, tmp_path: Path) -> None:
    said = run(option, *words, env={"HOME": str(tmp_path)}, code=2)
    assert complaint in said.err
    assert said.out == ""
    assert not [*tmp_path.iterdir()]


def test_wait_waits_for_the_lock(log: Path) -> None:
    import fcntl

    with log.open("rb") as holder:
        fcntl.flock(holder, fcntl.LOCK_EX)
        waiting = subprocess.Popen([SINTRA, "note", "--wait", "-q", str(log), "later"], env=environment())
        time.sleep(0.7)
        assert waiting.poll() is None
        fcntl.flock(holder, fcntl.LOCK_UN)
        assert waiting.wait(timeout=20) == 0
    assert log.read_text().endswith('"later"}\n')


@pytest.mark.parametrize("command", ["legal", "show", "replay", "log", "score", "verify"])
def test_quiet_is_silent_but_for_errors(command: str, log: Path) -> None:
    assert run(command, "-q", log).out == ""
    log.write_bytes(log.read_bytes() + b"{}\n")
    said = run(command, "-q", log, code=1 if command == "verify" else 4)
    assert said.out == ""
    assert "line 6" in said.err


def test_quiet_goes_before_csv(log: Path) -> None:
    assert run("stats", "-q", "--csv", log).out == ""


def test_a_unix_user_gets_what_is_expected(log: Path) -> None:
    for script, expected in (
        ("sintra replay game.log | head -n 3 | wc -l", "3"),
        ("sintra legal game.log | grep -c .", str(len(sintra.load(log).legal()))),
        ("sintra verify *.log | wc -l", "1"),
        ("sintra show --json game.log | head -c 5", '{"rul'),
    ):
        found = subprocess.run(
            ["sh", "-c", script],
            cwd=log.parent,
            env=environment(),
            capture_output=True,
            text=True,
            check=True,
        )
        assert (found.stdout.strip(), found.stderr) == (expected, "")


def test_what_takes_longer_than_a_second_shows_its_progress_on_a_terminal() -> None:
    import os
    import pty

    terminal, stderr = pty.openpty()
    command = [SINTRA, "rules", "--test", "crystal", "--games", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, env=environment()) as program:
        assert program.stdout is not None
        answer = program.stdout.read().decode()
    os.close(stderr)
    shown = os.read(terminal, 1 << 16).decode()
    os.close(terminal)
    assert answer.startswith("crystal: ok, ")
    assert " of 6" in shown
    assert shown.endswith("\r")  # and is taken away again
    assert run("rules", "--test", "azul", "--games", "1").err == ""


@pytest.mark.parametrize("command", ["verify", "stats", "export"])
def test_the_usage_has_three_dots(command: str) -> None:
    assert run(command, "--help").lines[0] == f"Usage: sintra {command} [OPTIONS] LOG..."
