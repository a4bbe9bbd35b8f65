"""Formats: 1 is frozen by the logs in fixtures/format-1, newer ones are refused, older ones are converted."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import sintra
from scripts.fixtures import FIXTURES
from scripts.torture.limits import call, takers
from scripts.torture.mutants import agree
from sintra import api
from sintra.cli import convert, repair
from sintra.errors import DamagedLog, UnknownFormat
from sintra.fold import Fold
from sintra.log import formats
from sintra.log.codec import encode_lines
from sintra.log.events import Choice, Noted, Undone
from sintra.log.lines import split
from tests.cli.test_strangers import said
from tests.kit.program import fresh, run

FOLDER = FIXTURES / "format-1"
MANIFEST = "cc5e71dd601810f4cee3d0f82751fdf9158b84ffb7c307921063065acf46d05b"
"""The digest of the list of digests, which freezes the corpus. It changes only when a log is added."""
EXPECTED: dict[str, dict[str, Any]] = json.loads((FOLDER / "expected.json").read_text())
SEEDED = [name for name in EXPECTED if not name.startswith(("system", "table", "own", "fork", "rewritten"))]
"""Those that can be rebuilt byte for byte from their seed and choices."""
GOLDEN = "dd4f604cf84d7040f08804b41c54d20422a492c6e33cdc314e30d8f27db9a4a4"
"""The digest of the digests of the golden games, which never change either."""


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def manifest(folder: Path) -> str:
    """The list of digests that a folder should have."""
    listed = sorted(path for path in folder.iterdir() if not path.name.startswith((".", "MANIFEST")))
    return "".join(f"{digest(path)}  {path.name}\n" for path in listed)


# -- Frozen ----------------------------------------------------------------------------------


def test_nobody_has_changed_the_corpus() -> None:
    assert (FOLDER / "MANIFEST.sha256").read_text() == manifest(FOLDER)
    assert digest(FOLDER / "MANIFEST.sha256") == MANIFEST
    assert sorted(EXPECTED) == sorted(path.stem for path in FOLDER.glob("*.log"))


def test_nobody_has_changed_the_golden_games() -> None:
    logs = sorted((FIXTURES / "games").glob("*.log"))
    listed = "".join(f"{digest(path)}  {path.name}\n" for path in logs)
    assert hashlib.sha256(listed.encode()).hexdigest() == GOLDEN


def test_a_changed_byte_of_the_corpus_is_noticed(tmp_path: Path) -> None:
    """The protection taken out: a byte of a log, and a log that is gone."""
    folder = Path(shutil.copytree(FOLDER, tmp_path / "corpus"))
    log = folder / "azul-gray-2.log"
    log.write_bytes(log.read_bytes().replace(b'"source":1', b'"source":2', 1))
    assert manifest(folder) != (FOLDER / "MANIFEST.sha256").read_text()
    log.unlink()
    assert len(manifest(folder).splitlines()) == len(manifest(FOLDER).splitlines()) - 1


def test_every_board_and_number_of_players_is_in_the_corpus() -> None:
    games = [sintra.load(path) for path in FOLDER.glob("*.log")]
    found = {
        (game.rules.name, *game.created.options.values(), len(game.players)) for game in games if game.over
    }
    palaces = {("sintra", side, zero, n) for side in "AB" for zero in (False, True) for n in (2, 3, 4)}
    walls = {("azul", "colored"), ("azul", "gray"), ("crystal", "1"), ("crystal", "2")}
    assert found == palaces | {(*wall, n) for wall in walls for n in (2, 3, 4)}
    kinds = {event.__struct_config__.tag for game in games for event in game.events}
    assert kinds >= {"undone", "noted", "tiled", "returned", "kept", "ended"}
    assert {game.created.chance for game in games} == {"seeded", "system", "table"}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_frozen_log_replays_to_what_it_was(name: str) -> None:
    expected = EXPECTED[name]
    data = (FOLDER / f"{name}.log").read_bytes()
    game = sintra.loads(data)
    legal = "\n".join(str(step) for step in game.legal())
    found = {
        "rules": game.rules.name,
        "players": len(game.players),
        "events": len(game.events),
        "counting": len(game.counting),
        "round": game.round,
        "over": game.over,
        "player": game.player,
        "scores": game.scores,
        "winners": game.winners,
        "breakdown": game._fold.state.breakdown(),
        "legal": hashlib.sha256(legal.encode()).hexdigest() if legal else None,
        "written_by_us": game.dumps().encode() == data,
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    assert found == expected


@pytest.mark.parametrize("name", EXPECTED)
def test_the_judge_agrees_with_a_frozen_log(name: str) -> None:
    agree([line + b"\n" for line in (FOLDER / f"{name}.log").read_bytes().split(b"\n")[:-1]])


@pytest.mark.parametrize("name", SEEDED)
def test_a_seed_and_the_choices_give_a_frozen_log_again(name: str) -> None:
    """What is drawn and what is computed comes anew: only choices and remarks are taken over."""
    old = sintra.load(FOLDER / f"{name}.log")
    again = sintra.Game(Fold(old.rules, old.created), [old.created])
    for event in old.events[1:]:
        if isinstance(event, (Choice, Undone, Noted)):
            again.take(event)
        else:
            again.take(again._fold.copy().go_on(again._chance))
    assert again.dumps() == old.dumps()


# -- The future ------------------------------------------------------------------------------


def future(tmp_path: Path, tail: bytes = b"") -> Path:
    """A log of a format that nobody knows yet, with lines that mean nothing today."""
    log = tmp_path / "future.log"
    first, rest = fresh().split(b"\n", 1)
    log.write_bytes(first.replace(b'"format":1', b'"format":2') + b"\n" + rest + b'{"type":"new"}\n' + tail)
    return log


def untouched(log: Path, data: bytes) -> None:
    assert log.read_bytes() == data, "something was written"
    assert os.listdir(log.parent) == [log.name]


@pytest.mark.parametrize("name", takers())
def test_a_newer_format_is_refused_before_anything_is_written(name: str, tmp_path: Path) -> None:
    log = future(tmp_path)
    data = log.read_bytes()
    found = said(*call(name, log))
    assert found.code == 6
    reads = "this version reads format 1, and format 2 if a log begins with a position; update sintra"
    assert f"format 2; {reads}" in found.err + found.out
    untouched(log, data)


@pytest.mark.process
@pytest.mark.parametrize(
    "words", ["fork LOG -o new.log", "convert LOG -o new.log", "move LOG --auto", "repair LOG"]
)
def test_nothing_comes_of_a_newer_format(words: str, tmp_path: Path) -> None:
    """Not in another file, and not where the last line is torn, either."""
    log = future(tmp_path, b'{"type":"pi' if words.startswith("repair") else b"")
    data = log.read_bytes()
    run(*words.replace("LOG", str(log)).split(), cwd=tmp_path, code=6)
    untouched(log, data)


def test_without_the_look_at_the_format_a_log_of_the_future_would_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The protection taken out: `repair` would cut a log of which nothing is known."""
    log = future(tmp_path, b'{"type":"pi')
    data = log.read_bytes()
    with pytest.raises(UnknownFormat):
        repair.repair(str(log), quiet=True)
    untouched(log, data)
    monkeypatch.setattr(api, "_check_first_line", lambda path: None)
    repair.repair(str(log), quiet=True)
    with pytest.raises(AssertionError, match="something was written"):
        untouched(log, data)


@pytest.mark.parametrize("found", ["2", "1000000", "9007199254740993", "true", "1.5", '"2"', "null", "[2]"])
def test_any_other_format_is_refused(found: str) -> None:
    data = fresh().replace(b'"format":1', f'"format":{found}'.encode())
    error = UnknownFormat if found.isdigit() else DamagedLog
    with pytest.raises(error, match="format"):
        sintra.loads(data)
    with pytest.raises(error, match="format"):
        b"".join(formats.converted(split(data)))


# -- The past: a pretend format 0, and one before it -----------------------------------------

Line = dict[str, Any]


def to_1(lines: Iterable[Line]) -> Iterator[Line]:
    """In format 0, say, a pick had a `from`, results were no events, and sources were counted from 1."""
    for line in lines:
        if line["type"] == "created":
            line = {**line, "format": 1}
        if line["type"] == "picked":
            line = renamed(line, "from", "source") | {"source": line["from"] - 1}
        if line["type"] == "round":  # one line then, two events now
            yield from line["events"]
        else:
            yield line


def to_0(lines: Iterable[Line]) -> Iterator[Line]:
    """In the format before that, -1, players were called `seats`."""
    for line in lines:
        yield renamed(line, "seats", "players") | ({"format": 0} if "seats" in line else {})


def renamed(line: Line, old: str, new: str) -> Line:
    """The same line with another name for a key, in its place."""
    return {(new if key == old else key): value for key, value in line.items()}


def as_format(number: int, data: bytes) -> bytes:
    """A log of today as it might have been."""
    lines = [msgspec.json.decode(line) for line in data.splitlines()]
    found: list[Line] = []
    for line in lines:
        if line["type"] == "created":
            line["format"] = number
            if number < 0:
                line = renamed(line, "players", "seats")
        elif line["type"] == "picked":
            line = renamed(line, "source", "from") | {"from": line["source"] + 1}
        elif line["type"] == "dealt" and found[-1]["type"] == "round_ended":
            line = {"type": "round", "events": [found.pop(), line]}
        found.append(line)
    return b"".join(msgspec.json.encode(line) + b"\n" for line in found)


@pytest.fixture
def past(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(formats.CONVERSIONS, 0, to_1)
    monkeypatch.setitem(formats.CONVERSIONS, -1, to_0)


@pytest.mark.usefixtures("past")
@pytest.mark.parametrize("number", [0, -1])
@pytest.mark.parametrize("name", ["sintra-a-3", "azul-gray-2", "undone-crystal", "strange", "cut-1"])
def test_an_older_format_becomes_todays_to_the_byte(name: str, number: int, tmp_path: Path) -> None:
    """Step by step through every format between, whatever happens to lines on the way; the old file stays."""
    data = (FOLDER / f"{name}.log").read_bytes()
    old = tmp_path / "old.log"
    old.write_bytes(as_format(number, data))
    kept = old.read_bytes()
    with pytest.raises(UnknownFormat, match=f"format {number}; .*try `sintra convert`"):
        sintra.load(old)
    convert.convert(str(old), str(tmp_path / "new.log"))
    assert (tmp_path / "new.log").read_bytes() == data
    assert old.read_bytes() == kept
    assert encode_lines(sintra.load(tmp_path / "new.log").events) == data


def test_without_a_conversion_nothing_is_written(tmp_path: Path) -> None:
    old = tmp_path / "old.log"
    old.write_bytes(as_format(0, fresh()))
    with pytest.raises(UnknownFormat, match="no conversion from format 0"):
        convert.convert(str(old), str(tmp_path / "new.log"))
    assert os.listdir(tmp_path) == ["old.log"]


@pytest.mark.usefixtures("past")
def test_what_is_damaged_is_not_converted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes out is a log by today's rules, or nothing comes out: also where a conversion is at fault."""
    data = (FOLDER / "sintra-a-2.log").read_bytes()
    old = tmp_path / "old.log"
    past = as_format(0, data)
    for bad in (
        past.replace(b'"round":1', b'"round":2', 1),
        past + b" " * 70_000 + b"{}\n",
        past + b"[1]\n",
        past[:-9],
    ):
        old.write_bytes(bad)
        with pytest.raises(DamagedLog):
            convert.convert(str(old), str(tmp_path / "new.log"))
    old.write_bytes(past)
    monkeypatch.setitem(
        formats.CONVERSIONS, 0, lambda lines: iter([*list(to_1(lines))[:-1], {"type": "ended"}])
    )
    with pytest.raises(DamagedLog):
        convert.convert(str(old), str(tmp_path / "new.log"))
    assert os.listdir(tmp_path) == ["old.log"]
