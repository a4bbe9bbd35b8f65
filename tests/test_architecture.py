"""The shape of the code: imports point down, only `log` opens files, only `cli` prints, and all is short."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

from scripts.rooms import PACKAGE, ROOMS, imports, lines, name_of, room_of, upward

ROOT = PACKAGE.parent
MODULES = sorted(
    path for path in PACKAGE.rglob("*.py") if path.parent.name != "samples" or path.stem == "__init__"
)
"""Every module; the samples of bots are text."""
CLOCKS = ("bots.clock", "bots.process", "bots.referee")
"""Modules that need a clock: a search that is given a time, and the referee of programs."""
PIPES = ("bots.process", "bots.keeper")
"""Modules that talk with programs; the keeper is one itself."""
MAX_LINES = 450
"""Maximum length of a module, in lines."""
MAX_FUNCTION_LINES = 40
MAX_LONG_FUNCTIONS = 0.02
"""Maximum share of functions over MAX_FUNCTION_LINES lines."""


def test_every_module_is_in_a_room() -> None:
    assert {room_of(name_of(path)) for path in MODULES} <= set(ROOMS)


def test_imports_point_down() -> None:
    assert upward() == []


@pytest.mark.parametrize("path", [p for p in MODULES if "games" in p.parts], ids=name_of)
def test_games_do_not_import_each_other(path: Path) -> None:
    game = name_of(path).split(".")[1:2]
    assert {name.split(".")[1] for name in imports(path) if name.startswith("games.")} <= set(game)


def calls(path: Path) -> set[str]:
    """The names of everything that a module calls, and of every attribute that it uses."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found.add(node.func.id)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found.add(f"{node.value.id}.{node.attr}")
    return found


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_only_log_opens_files_and_only_cli_prints(path: Path) -> None:
    module = name_of(path)
    used = calls(path)
    if module not in ("log.files", "log.writing", *PIPES):
        assert not used & {"open", "os.open", "os.read", "os.write", "os.fdopen", "io.open", "Path"}
    if module.split(".")[0] != "cli" and module != "rl.shown":  # PettingZoo's render mode `human` prints
        assert not used & {"print", "input", "sys.stdout", "sys.stderr", "sys.exit", "typer.echo"}


@pytest.mark.parametrize("path", [p for p in MODULES if "cli" not in p.parts], ids=name_of)
def test_no_clock_and_no_global_generator(path: Path) -> None:
    """Only a bot that is told to think for some time looks at the clock."""
    tree = ast.parse(path.read_text())
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not names & {"random", "datetime", "secrets", "uuid"}
    assert "time" not in names or name_of(path) in CLOCKS
    if name_of(path) != "rules.chance":
        assert "os.urandom" not in calls(path)


# -- Short parts --


def test_modules_are_short() -> None:
    found = {name_of(path): len(path.read_text().splitlines()) for path in MODULES}
    assert {name: count for name, count in found.items() if count > MAX_LINES} == {}


def test_functions_fit_on_a_screen() -> None:
    lengths = {
        f"{name_of(path)}.{node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef)
    }
    long = sorted(name for name, count in lengths.items() if count > MAX_FUNCTION_LINES)
    assert len(long) < MAX_LONG_FUNCTIONS * len(lengths), long


# -- What the pages for developers say --

PAGES = {name: (ROOT / name).read_text() for name in ("docs/architecture.md", "CONTRIBUTING.md")}


def test_the_import_graph_is_the_documented_one() -> None:
    (block,) = re.findall(r"```text\n(.*?)\n```", PAGES["docs/architecture.md"], re.DOTALL)
    assert block.splitlines() == lines(), "run `make docs`"


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_is_named_exists(page: str) -> None:
    named = set(re.findall(r"\b(?:sintra|tests|scripts|fixtures)/[\w./-]*\w", PAGES[page]))
    assert [name for name in sorted(named) if "NAME" not in name and not (ROOT / name).exists()] == []


def resolved(dotted: str) -> object:
    """The function, class or module of a dotted name within the package; AssertionError if there is none."""
    parts = dotted.split(".")
    for count in range(len(parts), 0, -1):
        path = PACKAGE.joinpath(*parts[:count])
        if path.is_dir() or path.with_suffix(".py").exists():
            found: object = import_module(".".join(["sintra", *parts[:count]]))
            for name in parts[count:]:
                assert hasattr(found, name), dotted
                found = getattr(found, name)
            return found
    raise AssertionError(dotted)


def test_every_function_of_the_walks_exists() -> None:
    rooms = "|".join(room for room in ROOMS if room != "sintra")
    named = re.findall(rf"`((?:{rooms})(?:\.\w+)+)[`(]", PAGES["docs/architecture.md"])
    assert len(set(named)) > 20
    for name in named:
        assert resolved(name.removesuffix(".py")) is not None


def test_the_tree_of_rooms_is_whole() -> None:
    tree = PAGES["docs/architecture.md"].split("## Ideas")[0]
    listed = set(re.findall(r"^      (\w+)(?:/|\.py) ", tree, re.MULTILINE))
    private = {"__main__", "_mypyc", "_pure", "sintra"}
    assert listed == {room_of(name_of(path)) for path in MODULES} - private
