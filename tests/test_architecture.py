"""The shape of the code: imports point down, only `log` opens files, only `cli` prints, no clock."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import sintra

ROOT = Path(sintra.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))

LAYERS = [
    {"__main__"},
    {"cli"},
    {"rules.testing"},
    {"view"},
    {""},
    {"simulation", "survey"},
    {"folders"},
    {"loading"},
    {"catalog"},
    {"selfplay", "tallies"},
    {"game", "bots", "typed", "conversion"},
    {"rules", "log"},
    {"offer"},
    {"components", "steps", "chance", "rulings"},
    {"reports", "parallel"},
    {"events"},
    {"values", "errors", "version", "words", "native", "pure"},
]
"""From the top down; a module imports what is below its layer, or its own package."""


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def layer(module: str) -> int:
    for depth, names in enumerate(LAYERS):
        if module in names:
            return depth
    parent = module.rpartition(".")[0]
    assert parent, f"{module} is in no layer"
    return layer(parent)


def imports(path: Path) -> Iterator[str]:
    """The modules of the package that a module imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path.name}: imports are absolute"
            inside = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [
                n if (ROOT / Path(*n.split(".")[1:])).with_suffix(".py").exists() else node.module
                for n in inside
            ]
        else:
            continue
        yield from (n.removeprefix("sintra").lstrip(".") for n in names if n.split(".")[0] == "sintra")


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_point_down(path: Path) -> None:
    module = name_of(path)
    for imported in imports(path):
        same_package = module.split(".")[0] == imported.split(".")[0] and module != ""
        assert layer(imported) > layer(module) or same_package, f"{module or 'sintra'} imports {imported}"


@pytest.mark.parametrize("path", [p for p in MODULES if p.parent.name == "rules"], ids=name_of)
def test_rule_sets_do_not_import_each_other(path: Path) -> None:
    others = {name for name in imports(path) if name.startswith("rules.")}
    assert others <= ({"rules.state"} if path.stem == "__init__" else set())


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
    if module != "log":
        assert not used & {"open", "os.open", "os.read", "os.write", "io.open", "Path"}
    if module.split(".")[0] != "cli":
        assert not used & {"print", "input", "sys.stdout", "sys.stderr", "sys.exit", "typer.echo"}


@pytest.mark.parametrize("path", [p for p in MODULES if "cli" not in p.parts], ids=name_of)
def test_no_clock_and_no_global_generator(path: Path) -> None:
    tree = ast.parse(path.read_text())
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not names & {"random", "time", "datetime", "secrets", "uuid"}
    if name_of(path) != "chance":
        assert "os.urandom" not in calls(path)
