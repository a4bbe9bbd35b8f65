"""The shape of the code: imports point down, only `log` opens files, only `cli` prints, no clock."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from scripts.rooms import PACKAGE, ROOMS, imports, name_of, room_of, upward

MODULES = sorted(PACKAGE.rglob("*.py"))


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
    if module not in ("log.files", "log.writing"):
        assert not used & {"open", "os.open", "os.read", "os.write", "io.open", "Path"}
    if module.split(".")[0] != "cli":
        assert not used & {"print", "input", "sys.stdout", "sys.stderr", "sys.exit", "typer.echo"}


@pytest.mark.parametrize("path", [p for p in MODULES if "cli" not in p.parts], ids=name_of)
def test_no_clock_and_no_global_generator(path: Path) -> None:
    tree = ast.parse(path.read_text())
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not names & {"random", "time", "datetime", "secrets", "uuid"}
    if name_of(path) != "rules.chance":
        assert "os.urandom" not in calls(path)
