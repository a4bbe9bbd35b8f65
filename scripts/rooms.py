"""Print which rooms of the package import which: `python -m scripts.rooms`.

A room is a folder of `sintra/`, or a module beside them. Rooms are listed from the top down, and every arrow
has to point down. Exits with 1 where one does not.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "sintra"

ROOMS = (
    *(
        "__main__",
        "cli",
        "sintra",
        "testing",
        "web",
        "study",
        "rl",
        "batch",
        "tutorial",
        "share",
        "table",
        "api",
        "bots",
        "games",
        "view",
    ),
    *("reader", "game", "fold", "checkpoints", "catalog", "rules", "log"),
    *("frozen", "text", "errors", "version", "_mypyc", "_pure"),
)
"""The rooms from the top down; `sintra` stands for the names that the library exports."""


def name_of(path: Path) -> str:
    """Return the dotted name of a module, without the package's own."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def room_of(module: str) -> str:
    """Return the room that a module is in."""
    return module.partition(".")[0] or "sintra"


def imports(path: Path) -> Iterator[str]:
    """Yield the modules of the package that a module imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if _is_module(name) else node.module for name in inside]
        else:
            continue
        yield from (
            name.removeprefix("sintra").lstrip(".") for name in names if name.split(".")[0] == "sintra"
        )


def _is_module(name: str) -> bool:
    path = PACKAGE / Path(*name.split(".")[1:])
    return path.with_suffix(".py").exists() or path.is_dir()


def arrows() -> dict[str, list[str]]:
    """Return for each room the rooms that it imports, both from the top down."""
    found: dict[str, set[str]] = {room: set() for room in ROOMS}
    for path in PACKAGE.rglob("*.py"):
        room = room_of(name_of(path))
        found[room] |= {room_of(module) for module in imports(path)} - {room}
    return {room: sorted(others, key=ROOMS.index) for room, others in found.items()}


def lines() -> list[str]:
    """Return the graph as text, a line for each room."""
    return [f"{room:<12} -> {', '.join(others) or '-'}" for room, others in arrows().items()]


def upward() -> list[str]:
    """Return the arrows that point up."""
    graph = arrows().items()
    return [f"{a} -> {b}" for a, others in graph for b in others if ROOMS.index(b) <= ROOMS.index(a)]


if __name__ == "__main__":
    print("\n".join(lines()))
    sys.exit("\n".join(["", "pointing up:", *upward()]) if upward() else 0)
