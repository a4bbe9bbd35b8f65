"""Limits: of a line, a name, a remark, a log; and that whatever is too large costs bounded memory and bytes.

`make torture` gives every command every endless stream, at full length.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import pytest

import sintra
from scripts.torture import limits
from sintra import catalog
from sintra.cli import replay
from sintra.cli.animate import MAX_FRAMES, Frame, animate
from sintra.cli.output import write_log
from sintra.errors import Conflict, DamagedLog, SintraError, Unreadable, UsageError
from sintra.fold import Fold
from sintra.log import files, formats, writing
from sintra.log import limits as bounds
from sintra.log.events import MAX_NAME_CHARACTERS, MAX_NOTE_CHARACTERS, Picked, Undone
from sintra.log.lines import split, whole_lines
from sintra.reader import Reader
from sintra.view.story import turns
from sintra.view.style import Style
from tests.cli.test_strangers import said as program_said
from tests.kit.program import SINTRA, environment, fresh, run
from tests.log.test_mutants import interpreted

NOTE = b'{"type":"noted","text":"%s"}\n'
SLACK = 1 << 16
"""Bytes that ten times as long a log may take more: those of a buffer."""
PAIR = limits.taken_back()


def read(blocks: Any) -> Reader:
    reader = Reader(blocks)
    for _ in reader:
        pass
    return reader


# -- What is documented holds, to the byte ---------------------------------------------------


def test_the_documented_limits_are_those_of_the_program() -> None:
    text = (Path(__file__).parents[2] / "docs" / "log.md").read_text()
    for told in (
        f"a line has at most {bounds.MAX_LINE_BYTES:,} bytes",
        f"a name {MAX_NAME_CHARACTERS} characters",
        f"a remark {MAX_NOTE_CHARACTERS:,}",
        f"a log {bounds.MAX_LOG_BYTES:,} bytes",
        f"handle at most {MAX_FRAMES:,} events",
    ):
        assert told in text.lower()


def test_a_line() -> None:
    def padded(size: int) -> bytes:
        return fresh() + b" " * (size - len(NOTE % b"x") + 1) + NOTE % b"x"

    assert read(split(padded(bounds.MAX_LINE_BYTES))).line == 4
    with pytest.raises(DamagedLog, match="line 4: the line is longer than 65536 bytes"):
        read(split(padded(bounds.MAX_LINE_BYTES + 1)))


def too_long(line: int) -> bytes:
    """A log with blanks before one of its four lines: nothing but its length is wrong with that."""
    lines = [*fresh().splitlines(keepends=True), NOTE % b"x"]
    lines[line - 1] = b" " * bounds.MAX_LINE_BYTES + lines[line - 1]
    return b"".join(lines)


@pytest.mark.parametrize("line", [1, 4])
def test_a_line_is_no_longer_for_those_who_read_many_at_once(line: int) -> None:
    with pytest.raises(DamagedLog, match=f"^line {line}: the line is longer than 65536 bytes"):
        sintra.loads(too_long(line))


@pytest.mark.parametrize("line", [1, 4])
def test_a_line_of_an_older_format(line: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the number of the format has changed since."""

    def to_1(lines: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for one in lines:
            yield one | ({"format": 1} if "format" in one else {})

    def converted(data: bytes) -> bytes:
        return b"".join(formats.converted(split(data.replace(b'"format":1', b'"format":0'))))

    monkeypatch.setitem(formats.CONVERSIONS, 0, to_1)
    assert converted(fresh()) == fresh()
    with pytest.raises(DamagedLog, match=f"^line {line}: the line is longer than 65536 bytes"):
        converted(too_long(line))


def test_a_name_and_a_remark() -> None:
    def named(size: int) -> bytes:
        return fresh().replace(b"Player 1", "é".encode() * size)

    assert sintra.loads(named(80)).players[0] == "é" * 80
    with pytest.raises(DamagedLog, match="line 1, field players"):
        sintra.loads(named(81))
    assert sintra.loads(fresh() + NOTE % (b"x" * MAX_NOTE_CHARACTERS))
    with pytest.raises(DamagedLog, match="line 4, field text"):
        sintra.loads(fresh() + NOTE % (b"x" * (MAX_NOTE_CHARACTERS + 1)))
    with pytest.raises(UsageError, match="1 to 10000"):
        sintra.new(seed=1).note("x" * (MAX_NOTE_CHARACTERS + 1))


def test_a_log(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One byte more than it may have is refused when it is read, and is not written in the first place."""
    data = fresh() + NOTE % b"x"
    monkeypatch.setattr(bounds, "MAX_LOG_BYTES", len(data))
    path = tmp_path / "game.log"
    path.write_bytes(data)
    assert read(files.read(path)).line == 4
    with writing.Appender(path) as file, pytest.raises(Unreadable, match=r"at most .* nothing was written"):
        file.append(NOTE % b"")
    assert path.read_bytes() == data
    path.write_bytes(data[:-1] + b" \n")
    with pytest.raises(DamagedLog, match="the log is longer"):
        read(files.read(path))
    with pytest.raises(DamagedLog, match="the log is longer"):
        sintra.loads(data[:-1] + b" \n")
    with pytest.raises(Unreadable, match="at most"), writing.Appender(path):
        pass
    with pytest.raises(DamagedLog, match="line 4: the log is longer"):  # the line that goes beyond it
        sintra.loads(fresh() + NOTE % b"xy" + NOTE % b"z")
    new = tmp_path / "new.log"
    with pytest.raises(Unreadable, match=r"at most .* nothing was written"):
        sintra.loads(data).fork(seed=2**53 - 1).save(new)
    assert os.listdir(tmp_path) == ["game.log"]


def test_a_log_on_standard_output(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr(bounds, "MAX_LOG_BYTES", len(fresh()))
    write_log(fresh())
    assert capsysbinary.readouterr().out == fresh()
    with pytest.raises(Unreadable, match=r"at most .* nothing was written"):
        write_log(fresh() + b"\n")
    assert capsysbinary.readouterr().out == b""


def test_engines_that_strange_logs_name_do_not_fill_the_memory() -> None:
    for number in range(200):
        catalog.find("sintra", f"{number}")
    assert catalog.find.cache_info().currsize <= 64


def test_what_a_fork_says_of_its_engine_fits() -> None:
    package = fresh().replace(f'"engine":"{sintra.__version__}"'.encode(), b'"engine":"x ' + b"b" * 78 + b'"')
    forked = sintra.loads(package).fork()
    assert len(forked.created.engine) == 80
    assert sintra.loads(forked.dumps()).created == forked.created


def test_a_component_file_whose_keys_have_many_parts(tmp_path: Path) -> None:
    """Reading it would take the square of their number, in time and memory."""
    path = tmp_path / "box.toml"
    path.write_text(".".join(["a"] * 102) + " = 1\n")
    assert "line 1 has more than 100 dots" in run("new", "--components", path, code=2).err


@pytest.mark.process
def test_a_line_without_an_end_that_is_typed(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    path.write_bytes(fresh())
    spent = limits.spend(["play", str(path)], tmp_path, limits.STREAMS["zeros"]())
    assert (spent.code, "at most 10000 characters" in spent.said) == (2, True)
    assert spent.taken < bounds.MAX_STEPS_BYTES


@pytest.mark.process
def test_what_nobody_named_is_not_waited_for(tmp_path: Path) -> None:
    """A FIFO in a folder; and one that a game is to be played on."""
    folder = tmp_path / "games"
    folder.mkdir()
    os.mkfifo(folder / "fifo.log")
    assert "without logs" in run("verify", folder, code=4).err + run("verify", folder, code=4).out
    (folder / "game.log").write_bytes(fresh())
    assert len(run("verify", folder).lines) == len(run("verify", f"{folder}/*").lines) == 1
    assert "not a regular file" in run("play", folder / "fifo.log", code=4).err


def test_a_seat_has_one_digit(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    path.write_bytes(fresh())
    assert "with a seat from 1 to 2" in run("play", path, "--bot", "9" * 5000 + "=random", code=2).err


# -- Streams without an end ------------------------------------------------------------------


def guarded(blocks: Iterator[bytes], most: int) -> Iterator[bytes]:
    """A stream that complains when it is read on and on."""
    taken = 0
    for block in blocks:
        taken += len(block)
        assert taken <= most, "it is read for ever"
        yield block


@pytest.mark.parametrize("name", limits.STREAMS)
def test_an_endless_stream_is_not_read_to_its_end(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MAX_LOG_BYTES", 1 << 19)
    with pytest.raises(DamagedLog) as caught:
        read(whole_lines(guarded(limits.STREAMS[name](), 1 << 20)))
    assert (caught.value.message == "the log is longer than 524288 bytes") == (name in limits.LONG)


@pytest.mark.parametrize("name", ["a line without an end", "remarks for ever"])
def test_without_the_limits_it_would_be(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The protection taken out."""
    monkeypatch.setattr(bounds, "MAX_LOG_BYTES", 1 << 60)
    monkeypatch.setattr(bounds, "MAX_LINE_BYTES", 1 << 60)
    with pytest.raises(AssertionError, match="for ever"):
        read(whole_lines(guarded(limits.STREAMS[name](), 1 << 20)))


@pytest.mark.process
def test_commands_on_what_is_too_large(tmp_path: Path) -> None:
    """Some of what `make torture` does with all commands."""
    least = limits.small("verify", tmp_path)
    for name, stream in (("verify", "zeros"), ("show", "a line without an end"), ("legal", "games for ever")):
        limits.endless(name, stream, tmp_path, least)
    for name in ("verify", "replay", "convert", "move", "repair"):
        limits.two_gigabytes(name, limits.beginning(), tmp_path, least)


def test_the_commands_that_take_a_log_are_known() -> None:
    known = {
        "move",
        "legal",
        "show",
        "log",
        "score",
        "replay",
        "play",
        "verify",
        "diff",
        "undo",
        "fork",
        "note",
    }
    assert set(limits.takers()) >= known | {"arrange", "deal", "convert", "repair"}
    assert not set(limits.takers()) & {"new", "rules", "help", "schema"}


def test_a_process_that_takes_too_much_is_noticed(tmp_path: Path) -> None:
    """The measure is one: more memory than allowed, an exit code of success, too many bytes."""
    least = limits.Spent(0, 1000, 0, "")
    limits.bounded("verify", limits.Spent(4, 1000 + limits.STEADY, 0, ""), least)
    for spent in (limits.Spent(4, 1001 + limits.STEADY, 0, ""), limits.Spent(0, 1000, 0, "")):
        with pytest.raises(AssertionError, match="verify"):
            limits.bounded("verify", spent, least)


@pytest.mark.process
def test_the_memory_of_a_process_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    least = limits.small("verify", tmp_path)
    eater = "held = bytearray(b'x' * (64 << 20))\n"
    monkeypatch.setattr(limits, "MAIN", eater + limits.MAIN)
    assert limits.small("verify", tmp_path).peak > least.peak + (60 << 10)


# -- Memory does not grow with the log, nor time faster than it ------------------------------


def peak(act: Callable[[], object]) -> int:
    """The most memory that something takes, in bytes."""
    tracemalloc.start()
    try:
        act()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def repeated(line: bytes, times: int) -> Callable[[], Iterator[bytes]]:
    """A log with the same lines again and again, in blocks of one size."""
    return lambda: chain([fresh()], repeat(line * 20, times))


def replayed(blocks: Callable[[], Iterator[bytes]], **how: Any) -> Callable[[], None]:
    """`replay` of a log that is no file."""

    def act() -> None:
        with pytest.MonkeyPatch.context() as patch, open(os.devnull, "w") as nowhere:
            patch.setattr(files, "read", lambda *_: blocks())
            with contextlib.redirect_stdout(nowhere):
                replay.replay("some.log", **how)

    return act


@pytest.mark.parametrize("line", [PAIR, NOTE % b"a remark"], ids=["taken back", "remarks"])
@pytest.mark.parametrize("how", ["verify", "replay", "replay -q", "replay --json"])
def test_memory_does_not_grow_with_the_log(how: str, line: bytes) -> None:
    def once(times: int) -> int:
        blocks = repeated(line, times)
        options = {"quiet": how.endswith("-q"), "json": how.endswith("json")}
        return peak((lambda: read(blocks())) if how == "verify" else replayed(blocks, **options))

    once(1)  # what is kept for good is made now
    assert once(80) < once(8) + SLACK


def test_memory_that_grows_would_be_noticed() -> None:
    """The protection taken out: a reader that keeps the events, and one whose effects nobody takes away."""

    def kept(times: int) -> None:
        list(Reader(repeated(PAIR, times)()))

    assert peak(lambda: kept(80)) > peak(lambda: kept(8)) + SLACK

    def watched(times: int) -> None:
        for _ in Reader(repeated(PAIR, times)(), watch=True).run():
            pass

    assert peak(lambda: watched(80)) > peak(lambda: watched(8)) + SLACK


TAKEN: Counter[str] = Counter()
"""How many events a counting fold took."""


def counting() -> type[Fold]:
    """A fold that counts the events that it takes; of a compiled one there can't be any."""

    class Counting(Fold):
        def take(self, event: Any) -> None:
            TAKEN["events"] += 1
            super().take(event)

    TAKEN.clear()
    return Counting


class Copied(list[Any]):
    """A list that counts what is copied out of it."""

    copied = 0

    def __getitem__(self, at: Any) -> Any:
        found = super().__getitem__(at)
        Copied.copied += len(found) if isinstance(at, slice) else 0
        return found


@interpreted
def test_taking_back_costs_in_proportion(monkeypatch: pytest.MonkeyPatch) -> None:
    """In events taken, whatever the clock says: ten times as many moves taken back are ten times the work."""
    cost = []
    for times in (50, 500):
        monkeypatch.setattr("sintra.reader.Fold", counting())
        read(repeated(PAIR, times)())
        cost.append(TAKEN["events"])
    assert cost[0] >= 1000
    assert cost[1] < 10.5 * cost[0]


@interpreted
@pytest.mark.parametrize("back", [2, 100, 700])
def test_taking_back_in_a_long_game_costs_what_is_taken_back(back: int) -> None:
    """A game of Azul that nobody ends: neither its history nor a state for every deal is copied.

    The first time costs the whole game, once; the second is measured.
    """
    game = sintra.load(Path(__file__).parents[2] / "fixtures" / "format-1" / "forty-rounds.log")
    history = list(game.counting)
    assert len(history) > 1000
    keep = next(at for at in range(len(history) - back, 2, -1) if isinstance(history[at], Picked))
    fold = counting()(game.rules, game.created)
    for event in [*history, Undone(len(history) - keep), *history[keep:]]:
        fold.take(event)
    assert len(fold.checkpoints.marks) < 35
    fold.history = Copied(fold.history)
    TAKEN.clear()
    Copied.copied = 0
    fold.take(Undone(len(history) - keep))
    of_two_rounds = 90
    assert TAKEN["events"] <= back + of_two_rounds
    assert Copied.copied <= 4 * (back + of_two_rounds)


def test_a_story_of_moves_taken_back_is_told_in_proportion() -> None:
    """What was taken back is found from the end, past any number of remarks."""
    pick, back = PAIR.splitlines(keepends=True)
    data = fresh() + NOTE % b"hm" * 3 + pick + NOTE % b"so" + back + pick
    told = turns(Reader(split(data), watch=True))
    assert [turn.numbers for turn in told] == [[1], [2], [3], [4], [5], [6], [8], [10]]


def test_an_animation_has_an_end() -> None:
    with pytest.raises(UsageError, match=r"more than 10000 events .* --from and --to"):
        animate(endless_frames(), 1.0, Style())


def endless_frames() -> Iterator[Frame]:
    """Frames for ever; who takes more than needed to know that fails."""
    yield from repeat(Frame(1, "again", []), MAX_FRAMES + 1)
    raise AssertionError("frames are collected for ever")


# -- JSON that wants too much ----------------------------------------------------------------


@pytest.mark.parametrize(
    "number", ["1e400", "-1e400", "9" * 5000, "1" + "0" * 60_000, "1e-400", "NaN", "Infinity"]
)
@pytest.mark.parametrize("field", ["player", "source", "round", "events", "displays", "scores"])
def test_huge_numbers(field: str, number: str) -> None:
    kinds = {"round": "dealt", "displays": "dealt", "events": "undone", "scores": "ended"}
    line = f'{{"type":"{kinds.get(field, "picked")}","{field}":{number}}}\n'
    with pytest.raises(DamagedLog) as caught:
        sintra.loads(fresh() + line.encode())
    assert caught.value.line == 4
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("text", ["[" * 60_000, '{"a":' * 10_000, '{"type":"noted","text":' + "[" * 30_000])
def test_deep_json(text: str) -> None:
    for data in (text.encode() + b"\n", fresh() + text.encode() + b"\n"):
        with pytest.raises(DamagedLog) as caught:
            sintra.loads(data)
        assert caught.value.line == data.count(b"\n")


@pytest.mark.parametrize("place", ["field", "type", "value", "option", "rules"])
def test_an_error_quotes_little_of_a_long_line(place: str) -> None:
    long = "x" * 60_000
    value: dict[str, object] = json.loads(fresh().splitlines()[0])
    changes: dict[str, dict[str, object]] = {
        "field": {long: 1},
        "type": {"type": long},
        "value": {"chance": long},
        "option": {"options": {long: 1}},
    }
    value |= changes.get(place, {"rules": long})
    with pytest.raises(SintraError) as caught:
        sintra.loads(json.dumps(value) + "\n")
    assert len(str(caught.value)) < 400


# -- Not a regular file ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/dev/zero", "longer than 65536 bytes"),
        ("/dev/full", "longer than 65536 bytes"),
        ("/dev/null", "the log is empty"),
        ("/proc/self/status", "not JSON"),
        ("/proc/self/mem", "can't read"),
        ("/proc/self/fd", "is a directory"),
        ("/", "is a directory"),
    ],
)
def test_devices_and_folders(path: str, said: str) -> None:
    for words in (["show", path], ["replay", path], ["move", path, "pick", "1", "blue"], ["undo", path]):
        found = program_said(*words)
        assert found.code == 4
        assert said in found.err or words[0] in ("move", "undo")
    with pytest.raises(Conflict, match="already exists"):
        writing.create(path, fresh())
    if path.startswith("/dev"):
        with pytest.raises(Unreadable, match="not a regular file"), writing.Appender(path):
            pass


@pytest.mark.process
def test_a_fifo_is_read_as_standard_input_is_and_nothing_is_added_to_it(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    for words in ("move FIFO pick 1 blue", "note FIFO x", "repair FIFO"):  # nobody waits for nobody
        assert "not a regular file" in run(*words.replace("FIFO", str(fifo)).split(), code=4).err
    process = subprocess.Popen([SINTRA, "legal", fifo], stdout=subprocess.PIPE, env=environment())
    with open(fifo, "wb", buffering=0) as writer:  # waits for the reader, as the reader does for the writer
        writer.write(fresh())
    assert process.communicate()[0] == run("legal", "-", stdin=fresh()).raw
    assert process.returncode == 0
