"""What the README says is what happens."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.kit.program import environment

README = (Path(__file__).parent.parent / "README.md").read_text()
BLOCKS = [
    block.replace("\n    ", "\n").strip("\n") for block in re.findall(r"(?:\n    .*|\n(?=\n    ))+", README)
]
SHELL = [block for block in BLOCKS if block.lstrip().startswith("sintra ")]


def shell(script: str, folder: Path) -> str:
    done = subprocess.run(
        ["sh", "-c", f"set -e\n{script}"],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_session_prints_what_it_shows(tmp_path: Path) -> None:
    (session,) = [block for block in BLOCKS if block.lstrip().startswith("$ sintra new")]
    parts = re.split(r"^\s*\$ (.*)\n?", session, flags=re.M)[1:]
    assert len(parts) == 6
    for command, shown in zip(parts[::2], parts[1::2], strict=True):
        printed = shell(command, tmp_path)
        assert [line.strip() for line in printed.splitlines()] == [
            line.strip() for line in shown.strip("\n").splitlines()
        ]


@pytest.mark.parametrize("script", SHELL, ids=lambda script: script.strip().splitlines()[0])
def test_the_shell_lines_run(script: str, tmp_path: Path) -> None:
    script = script.replace("while s=", "n=0; while [ $n -lt 12 ] && n=$((n+1)) && s=")  # enough of the game
    shell(script, tmp_path)


def test_the_python_lines_run() -> None:
    for code in re.findall(r"```python\n(.*?)```", README, flags=re.S):
        exec(code, {})


def test_the_component_file_is_one(tmp_path: Path) -> None:
    (table,) = re.findall(r"```toml\n(.*?)```", README, flags=re.S)
    (tmp_path / "box.toml").write_text(table)
    (command,) = re.findall(r"`(sintra new --components .*?)`", README)
    shell(command, tmp_path)
    assert (tmp_path / "own.log").exists()


def test_every_command_is_in_the_table() -> None:
    from sintra.cli.app import COMMANDS

    rows = re.findall(r"^\| `(\w+)` \|", README, flags=re.M)
    assert set(COMMANDS) <= set(rows)
