"""Fuzzing, the short form: every input that was once a fault, and some that hypothesis makes up.

`make torture` tries many more, and has atheris look for more for ten minutes a target.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import deque
from pathlib import Path
from typing import Any

import pytest

from scripts.fixtures import FIXTURES
from scripts.torture import fuzz
from scripts.torture.fuzz import SEEDS, TARGETS
from sintra.errors import DamagedLog, UsageError
from sintra.log.events import Choice
from tests.log.test_mutants import interpreted, lenient

EXAMPLES = 60
KEPT = sorted(path for path in SEEDS.glob("*/*") if not path.name.startswith("."))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_was_found_once_is_mended(path: Path) -> None:
    TARGETS[path.parent.name](path.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_the_inputs_to_begin_with(name: str) -> None:
    found = list(fuzz.seeds(name))
    assert len(found) > 50
    for data in found:
        TARGETS[name](data)


@pytest.mark.parametrize("name", TARGETS)
def test_inputs_that_nobody_foresaw(name: str) -> None:
    assert fuzz.with_hypothesis(name, EXAMPLES) >= EXAMPLES


def test_all_targets_have_kept_inputs() -> None:
    assert {path.parent.name for path in KEPT} == set(TARGETS)


# -- With a protection taken out, a target fails ---------------------------------------------


def raw_decode(decoder: Any, line: bytes, number: int) -> Any:
    """`decode_line` that lets what a decoder raises through."""
    return decoder.decode(line)


def no_line(line: bytes) -> Any:
    """`decode_created` that forgets where it was."""
    raise DamagedLog("something is wrong")


def half(self: Any, *steps: str) -> Any:
    """`Game.play` that plays what it can, step by step."""
    before = len(self.events)
    for words in [words for step in steps for words in self._fold.words.read(step)]:
        self.choose(self._code(words))
        self.settle()
    return list(self.events[before:])


def printed(self: Any, chance: Any, components: Any) -> Any:
    """`Fold.arrange` that lays out what is printed, whatever a file says."""
    return self.rules.arrange(self.created.options, len(self.created.players), {}, chance)


PLANTS: dict[str, tuple[str, str, Any, type[Exception]]] = {
    "a decoder's own errors": ("decoder", "sintra.reader.decode_line", raw_decode, ValueError),
    "the line of an error": ("decoder", "sintra.reader.decode_created", no_line, AssertionError),
    "control characters shown": ("steps", "sintra.text.safe", lambda text: text, AssertionError),
    "control characters in JSON": ("steps", "sintra.text.printable", lambda text: text, AssertionError),
    "text that is no UTF-8": ("steps", "sintra.text.utf8", lambda text: text, UnicodeEncodeError),
    "all steps or none": ("steps", "sintra.game.Game.play", half, AssertionError),
    "the values of a file": ("components", "sintra.fold.Fold.arrange", printed, AssertionError),
    "the checks of the rules": ("verify", "sintra.fold.Fold.take", lenient, Exception),
}


@interpreted
@pytest.mark.parametrize("what", PLANTS)
def test_a_fault_is_found(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each protection taken out: the inputs that are kept, and those to begin with, do not pass."""
    target, place, fault, error = PLANTS[what]
    monkeypatch.setattr(place, fault)
    with pytest.raises(error):
        deque(map(TARGETS[target], fuzz.seeds(target)), 0)


def test_hypothesis_finds_a_fault_that_no_kept_input_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(data: bytes) -> None:
        assert len(data.split()) < 5, "planted"

    monkeypatch.setitem(TARGETS, "steps", faulty)
    with pytest.raises(AssertionError, match="planted"):
        fuzz.with_hypothesis("steps", 500)


# -- The engine for the long form ------------------------------------------------------------


def test_without_atheris_nothing_is_claimed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert fuzz.with_atheris(["steps"], tmp_path, 1) == {"atheris steps": "skipped"}
    assert "pip install" in capsys.readouterr().err


def ended(program: str, tmp_path: Path) -> tuple[int, int]:
    """What is made of a child's end."""
    folder = tmp_path / "fuzz-steps"
    folder.mkdir(exist_ok=True)
    with open(folder / "said.txt", "wb") as said:
        process = subprocess.Popen([sys.executable, "-c", program], stdout=said, cwd=folder)
    return fuzz.outcome("steps", tmp_path, process)


def test_what_a_child_found_fails_and_is_named(tmp_path: Path) -> None:
    count = "print('#99 DONE   cov: 700 ft: 9'); print('stat::number_of_executed_units: 1234')"
    assert ended(count, tmp_path) == (1234, 700)
    with pytest.raises(AssertionError, match="exit code 77"):
        ended(f"{count}; import sys; sys.exit(77)", tmp_path)
    with pytest.raises(AssertionError, match="no count"):
        ended(count.split(";")[0], tmp_path)
    with pytest.raises(AssertionError, match="sees 0 branches"):
        ended(count.replace("cov: 700 ", ""), tmp_path)
    with pytest.raises(AssertionError, match="crash-0123"):
        ended(f"{count}; open('crash-0123', 'w')", tmp_path)


def test_steps_that_are_typed_are_read_as_the_command_does() -> None:
    games = fuzz.positions()
    assert {game.rules.name for game in games} == {"sintra", "azul", "crystal"}
    assert {game.created.chance for game in games} == {"seeded", "table"}
    verbs = {str(step).split()[0] for game in games for step in game.legal()}
    assert verbs == {"pick", "place", "keep", "return", "tile"}
    game = games[0].copy()
    assert isinstance(fuzz._typed(game, f"{game.legal()[0]}  # the first\n")[0], Choice)
    with pytest.raises(UsageError):
        fuzz._typed(game, "# nothing\n")


def test_a_child_starts_with_a_module_that_is_there() -> None:
    (path,) = re.findall(r'"(sintra/\S+\.py)"', fuzz.BOOT)
    assert (FIXTURES.parent / path).is_file()
