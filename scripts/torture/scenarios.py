"""The commands that write, each with the files that it finds: what crashes and errors are tried on."""

from __future__ import annotations

import functools
import random
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sintra as library
import sintra.rules.chance as generator
from scripts.torture.layer import Call, Ended, Hook, Trace, sintra
from sintra.errors import SintraError
from sintra.game import Game
from sintra.log import files, writing
from sintra.reader import Reader

LOG = "game.log"
chance: Any = generator


@dataclass(frozen=True)
class Scenario:
    """A command, the log that it works on, and how often it may write to it."""

    name: str
    words: tuple[str, ...]
    files: dict[str, bytes] = field(default_factory=dict)
    """What is in the folder before."""
    appends: int = 1
    """Every append is one write: the log may be seen so many times changed."""
    stdin: bytes = b""
    link: str = ""
    """Another name of the log, a symbolic link."""
    creates: bool = False
    """The command makes the log."""
    synced: bool = True
    """The disk has it when the command ends."""

    @property
    def torn(self) -> bool:
        """Whether the log is torn before."""
        return not self.creates and not self.files[LOG].endswith(b"\n")

    def lay(self, folder: Path) -> None:
        """Make the folder as the command finds it."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name, data in self.files.items():
            (folder / name).write_bytes(data)
        if self.link:
            (folder / self.link).symlink_to(LOG)

    def run(self, folder: Path, hook: Hook | None = None) -> Ended:
        """Run the command; what the system draws is the same every time."""
        return sintra(*self.words, cwd=folder, hook=hook, stdin=self.stdin, before=draw_the_same)


class Dry:
    """A run of a scenario that nothing disturbed: its calls, and how the log looked between them."""

    def __init__(self, scenario: Scenario, folder: Path, through: Hook = Call.go) -> None:
        scenario.lay(folder)
        trace = Trace(folder.parent / "calls.txt", through)
        self.stages: list[bytes | None] = [content(folder)]
        ended = scenario.run(folder, _Snapshots(trace, folder))
        assert ended.code == 0, f"{scenario.name}: {ended}"
        self.calls = trace.calls()
        for number in range(1, len(self.calls) + 1):
            seen = folder / f"{number}.seen"
            data = seen.read_bytes() if seen.exists() else None
            if data != self.stages[-1]:
                self.stages.append(data)
        assert content(folder) == self.stages[-1]
        self.changes = len(self.stages) - 1
        """How often the log was seen changed; between its stages it may not be."""
        if self.changes > scenario.appends == 1:
            self.stages = [self.stages[0], self.stages[-1]]


class _Snapshots:
    """A hook that keeps the log as it is after every call."""

    def __init__(self, trace: Trace, folder: Path) -> None:
        self._trace, self._folder = trace, folder

    def __call__(self, call: Call) -> Any:
        try:
            return self._trace(call)
        finally:
            data = content(self._folder)
            if data is not None:
                (self._folder / f"{call.number}.seen").write_bytes(data)


def content(folder: Path) -> bytes | None:
    """The log of a folder, or None if there is none."""
    try:
        return (folder / LOG).read_bytes()
    except FileNotFoundError:
        return None


def whole_lines(data: bytes) -> bytes:
    """The lines that have an end."""
    return data[: data.rfind(b"\n") + 1]


def draw_the_same() -> None:
    """What the system draws, in this process, is the same in every run."""
    dice = random.Random(7)

    class Fixed:
        urandom = staticmethod(dice.randbytes)

    chance.os = Fixed


def fault(path: Path) -> SintraError | None:
    """What is wrong with a log, by the reader that `verify` uses."""
    try:
        for _ in Reader(files.read(path)):
            pass
    except SintraError as error:
        return error
    return None


def next_step(path: Path) -> tuple[str, ...]:
    """The words of a command that goes on with a log."""
    game = library.load(path)
    legal = game.legal()
    return ("move", LOG, *str(legal[0]).split()) if legal else ("note", LOG, "and on")


# -- Which there are -------------------------------------------------------------------------


@functools.cache
def scenarios() -> dict[str, Scenario]:
    """All of them, by name."""
    return {scenario.name: scenario for scenario in _all()}


def _all() -> Iterable[Scenario]:
    fresh = _bytes(library.new(seed=42))
    both = ("pick", "3", "orange", "place", "2")
    yield Scenario("move", ("move", LOG, "pick", "3", "orange"), {LOG: fresh})
    yield Scenario("move steps", ("move", LOG, *both), {LOG: fresh})
    yield Scenario("move --no-sync", ("move", "--no-sync", LOG, *both), {LOG: fresh}, synced=False)
    yield Scenario("move --wait", ("move", "--wait", "--json", LOG, *both), {LOG: fresh})
    yield Scenario("move by a link", ("move", "link.log", *both), {LOG: fresh}, link="link.log")
    game, words = _before("sintra", lambda events: "round_ended" in events)
    yield Scenario("move, a round ends", ("move", LOG, *words), {LOG: game})
    game, words = _before("azul", lambda events: "ended" in events)
    yield Scenario("move, the game ends", ("move", LOG, *words), {LOG: game})
    yield Scenario("move, the system draws", *_undrawn(), appends=2)
    yield Scenario("note", ("note", LOG, "schön ☕"), {LOG: fresh})
    played = library.new(seed=42)
    played.play("pick 3 orange place 2 pick center pink")
    yield Scenario("undo", ("undo", LOG), {LOG: _bytes(played)})
    yield Scenario("undo -n 2", ("undo", "-n", "2", LOG), {LOG: _bytes(played)})
    table = library.new("azul", chance="table")
    yield Scenario("arrange", ("arrange", LOG), {LOG: _bytes(table)})
    yield Scenario(
        "deal",
        ("deal", LOG, "brky", "ytbk", "kkkk", "rrbb", "tttt"),
        {LOG: _bytes(table) + _arranged(table)},
    )
    yield Scenario("play", ("play", LOG), {LOG: fresh}, appends=2, stdin=b"pick 3 orange\nplace 2\nquit\n")
    yield Scenario("repair", ("repair", LOG), {LOG: fresh + b'{"type":"picked","player":1,"so'})
    yield Scenario("new", ("new", "--seed", "42", "-o", LOG), creates=True)
    yield Scenario("fork", ("fork", "old.log", "-o", LOG), {"old.log": _bytes(played)}, creates=True)
    yield Scenario("convert", ("convert", "old.log", "-o", LOG), {"old.log": fresh}, creates=True)


def _bytes(game: Game) -> bytes:
    return game.dumps().encode()


def _before(rules: str, wanted: Callable[[set[str]], bool]) -> tuple[bytes, tuple[str, ...]]:
    """A game just before a step after which something happens, and the step."""
    game = library.new(rules, seed=42)
    dice = random.Random(42)
    while True:
        before = _bytes(game)
        step = dice.choice(game.legal())
        kinds = {_kind(line) for line in _lines(game.play(step))}
        if wanted(kinds):
            return before, tuple(str(step).split())


def _lines(events: Iterable[object]) -> list[bytes]:
    from sintra.log.codec import encode_line

    return [encode_line(event) for event in events]  # type: ignore[arg-type]


def _kind(line: bytes) -> str:
    import json

    return str(json.loads(line)["type"])


def _undrawn() -> tuple[tuple[str, ...], dict[str, bytes]]:
    """A game in which the system draws, cut before a deal; one command then draws and moves."""
    kept = chance.os
    draw_the_same()
    try:
        game = library.new("azul", chance="system")
        lines = _bytes(game).splitlines(keepends=True)
        cut = b"".join(lines[:2])
        draw_the_same()
        whole = library.loads(cut)
        whole.settle()
        return ("move", LOG, *str(whole.legal()[0]).split()), {LOG: cut}
    finally:
        chance.os = kept


def _arranged(table: Game) -> bytes:
    game = table.copy()
    created = game.created
    arranged = game.rules.lay(created.options, len(created.players), {}, [])
    return b"".join(_lines(game.record(arranged)))


# -- A run of many games ---------------------------------------------------------------------

RUN = ("simulate", "2", "--rules", "azul", "--seed", "3", "--jobs", "1", "--out", "run", "--json")
"""It keeps a folder; stopped at any place, it goes on from there."""

Files = dict[str, bytes]
Calls = list[tuple[str, str, int]]


def lay_run(folder: Path) -> None:
    """An empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


def run_whole(folder: Path) -> tuple[Calls, Files]:
    """The calls of a run that nothing disturbed, and the files that it kept."""
    lay_run(folder)
    trace = Trace(folder.parent / "calls.txt")
    ended = sintra(*RUN, cwd=folder, hook=trace)
    assert ended.code == 0, f"simulate: {ended}"
    return trace.calls(), _kept(folder)


def check_run(folder: Path, whole: Files, place: str) -> None:
    """What a disturbed run has counted is there; the same command then leaves what it leaves undisturbed."""
    found = _kept(folder)
    for name in found:
        if name.startswith("run/tallies/"):
            game = name.replace("tallies", "logs").replace(".json", ".log")
            assert found.get(game) == whole[game], f"{place}: counted, and {game} is not what was played"
    ended = sintra(*RUN, cwd=folder)
    assert ended.code == 0, f"{place}: it does not go on: {ended}"
    assert _kept(folder) == whole, f"{place}: it went on to something else"


def _kept(folder: Path) -> Files:
    """All files but drafts, which a kill may leave."""
    paths = (path for path in folder.rglob("*") if path.is_file() and not writing.is_draft(path.name))
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def sampled(calls: Calls, scale: float) -> Iterable[tuple[int, tuple[str, str, int]]]:
    """All calls with their numbers, or some of them at a smaller scale."""
    return list(enumerate(calls, 1))[:: 1 if scale >= 1 else 7]
