"""Plain calls are read without typer, and mean what they mean to typer."""

from __future__ import annotations

import functools
import sys
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st

from sintra.cli import app, plain
from sintra.cli.commands import COMMANDS, load
from sintra.cli.options import Argument
from tests.kit.program import fresh, run, run_any

Values = dict[str, Any]
REFUSALS: Any = typer.BadParameter.__mro__[1]
SEEN: list[Values] = []
"""What typer called commands with."""


@functools.cache
def recorder(name: str) -> Any:
    """A command as typer has it, that only notes how it is called."""
    command = functools.wraps(load(name))(lambda **given: SEEN.append(given))
    with patch("sintra.cli.commands.load", return_value=command):
        group: Any = typer.main.get_command(app.program([name]))
    return group


def typer_values(name: str, words: Sequence[str]) -> Values | None:
    """What typer reads from words; None if it refuses them, or prints help."""
    SEEN.clear()
    try:
        recorder(name).main([name, *words], prog_name="sintra", standalone_mode=False)
    except REFUSALS:
        return None
    return SEEN[0] if SEEN else None


def plain_values(name: str, words: Sequence[str]) -> Values | None:
    """What is read from a plain call, with the defaults of all else; None if it is not plain."""
    command: Any = load(name)
    try:
        found = plain.values(command, words)
    except plain.NotPlain:
        return None
    names = [known.name for known in plain.described(command)]
    defaults = command.__defaults__ or ()
    return {**dict(zip(names[len(names) - len(defaults) :], defaults, strict=True)), **found}


def same(name: str, words: Sequence[str]) -> None:
    """A call that is read as plain means the same to typer; an empty list is as good as none."""
    found = plain_values(name, words)
    if found is not None:
        expected = typer_values(name, words)
        assert expected is not None, words
        assert {key: value or None for key, value in found.items()} == {
            key: value or None for key, value in expected.items()
        }
        assert {key: type(value) for key, value in found.items() if value} == {
            key: type(value) for key, value in expected.items() if value
        }


# -- The same values -------------------------------------------------------------------------


def fitting(known: plain.Known) -> list[str]:
    """Words that a parameter takes."""
    if issubclass(known.kind, Enum):
        return [member.value for member in known.kind]
    low, high = known.about.min, known.about.max
    if known.kind is int:
        return [str(int(low or 0)), "7", str(int(high) if high is not None else 10**17)]
    return ["0.5"] if known.kind is float else ["word", "-", "naïve", "a=b", "two words"]


def required(name: str) -> list[str]:
    """The fewest words that a command needs."""
    return [fitting(known)[0] for known in plain.described(load(name)) if known.required]


OPTIONS = [
    (name, known.name)
    for name in COMMANDS
    for known in plain.described(load(name))
    if not isinstance(known.about, Argument)
]


@pytest.mark.parametrize(("name", "option"), OPTIONS)
def test_every_spelling_and_value_of_an_option_means_the_same(name: str, option: str) -> None:
    known = next(known for known in plain.described(load(name)) if known.name == option)
    needed = required(name)
    for spelling, value in plain.spellings(known):
        for words in [[spelling]] if value is not None else [[spelling, word] for word in fitting(known)]:
            for call in ([*words, *needed], [*needed, *words]):
                assert (plain_values(name, call) is None) == (known.kind is float), call
                same(name, call)
    declared = next(p for p in recorder(name).commands[name].params if p.name == option)
    spelled = {spelling for spelling, _ in plain.spellings(known)}
    assert spelled == {*declared.opts, *declared.secondary_opts}


@pytest.mark.parametrize("name", COMMANDS)
def test_arguments_mean_the_same(name: str) -> None:
    needed = required(name)
    assert plain_values(name, needed) is not None
    for words in (needed, needed[:-1], [*needed, "1"], [*needed, "1", "2", "3"], [*needed, "--", "x"]):
        same(name, words)


ODD = [
    *("--", "--help", "-h", "", "-", "-1", "-x", "--json=1", "--jso", "-qn"),
    *("1_0", " 1", "٣", "1e3", "9" * 30),
]


@pytest.mark.parametrize("name", COMMANDS)
@settings(deadline=None)
@given(data=st.data())
def test_random_calls_mean_the_same(name: str, data: st.DataObject) -> None:
    parameters = plain.described(load(name))
    spelled = [spelling for known in parameters for spelling, _ in plain.spellings(known)]
    fit = [word for known in parameters for word in fitting(known)]
    words = data.draw(
        st.lists(st.sampled_from([*spelled, *fit, *fit, *ODD]) | st.text(max_size=4), max_size=6)
    )
    same(name, [*required(name), *words])
    same(name, words)


# -- The same answers ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        "legal game.log",
        "legal game.log --json",
        "legal game.log -q",
        "legal missing.log --json",
        "show game.log --json",
        "show game.log --at 2 --color always",
        "show game.log --at 99",
        "move game.log pick 3 orange",
        "move game.log pick 3 orange --json",
        "move game.log pick 9 pink",
        "move game.log pick 9 pink --json",
        "move game.log --expect 1 pick 3 orange",
        "verify game.log",
        "diff game.log game.log -q",
    ],
)
def test_a_plain_call_does_what_it_does_through_typer(words: str, tmp_path: Path) -> None:
    ran = []
    for more in ({}, {"_SINTRA_COMPLETE": ""}):
        log = tmp_path / "game.log"
        log.write_bytes(fresh())
        ran.append((run(*words.split(), cwd=tmp_path, env=more, code=None), log.read_bytes()))
    assert ran[0] == ran[1]


# -- What is loaded --------------------------------------------------------------------------


HEAVY = {"typer", "shutil", "subprocess", "json", "importlib.metadata", "dataclasses", "argparse", "random"}


def loaded(*words: str | Path) -> set[str]:
    """The modules that are loaded when a call ends."""
    script = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
    script += f"sys.argv = ['sintra', *{[str(word) for word in words]}]\nfrom sintra.cli import main; main()"
    return {*run_any([sys.executable, "-c", script], cwd=None).err.split()}


@pytest.mark.parametrize(
    "words", ["legal", "legal --json", "show", "show --json", "move pick 3 orange", "move -q pick 3 orange"]
)
def test_hot_commands_load_little(words: str, tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    log.write_bytes(fresh())
    name, *rest = words.split()
    assert not HEAVY & loaded(name, log, *rest)


def test_the_help_and_the_version_load_no_command() -> None:
    for word in ("--help", "--version"):
        assert not {f"sintra.cli.{name}" for name in COMMANDS} & loaded(word)
    assert "msgspec" not in loaded("--help")
