"""The packages: a wheel has everything that the program needs. `make dist-check` is the long form."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import msgspec
import pytest

from scripts import dist
from tests.kit.program import environment

ROOT = Path(__file__).parent.parent


@pytest.mark.process
def test_a_pure_wheel_has_every_file_and_runs_from_there(tmp_path: Path) -> None:
    source = tmp_path / "source"
    for name in (
        "pyproject.toml",
        "setup.py",
        "README.md",
        "LICENSE",
        "MANIFEST.in",
        "docs",
        "completions",
        "sintra",
    ):
        source.mkdir(exist_ok=True)
        subprocess.run(["cp", "-r", str(ROOT / name), str(source)], check=True)
    code = f"from setuptools import build_meta; build_meta.build_wheel({str(tmp_path)!r})"
    subprocess.run(
        [sys.executable, "-c", code],
        cwd=source,
        env=environment({"SINTRA_PURE": "1"}),
        capture_output=True,
        check=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    held = dist.contents(wheel)
    assert dist.wanted() - held == set()
    data = wheel.name.partition("-py3")[0] + ".data/data/"
    assert {f"{data}{path}" for path in dist.SHARED} <= held
    zipfile.ZipFile(wheel).extractall(tmp_path / "there")
    (metadata,) = (tmp_path / "there").glob("*.dist-info/METADATA")
    assert "License-Expression: MIT\n" in metadata.read_text()
    done = subprocess.run(
        [sys.executable, "-m", "sintra", "new", "--seed", "1"],
        cwd=tmp_path / "there",
        env=environment({"SINTRA_PURE": "1"}),
        capture_output=True,
        check=True,
    )
    assert done.stdout.startswith(b'{"type":"created"')


@pytest.mark.process
def test_the_rules_compile_where_only_what_setup_asks_for_is_installed(tmp_path: Path) -> None:
    """As pip builds them, in an environment of its own: without numpy, which is imported elsewhere."""
    setup = {
        ast.unparse(node.targets[0]): ast.literal_eval(node.value)
        for node in ast.parse((ROOT / "setup.py").read_text()).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in ("COMPILED", "OPTIONS")
    }
    (tmp_path / "msgspec").symlink_to(Path(msgspec.__file__).parent)
    words = ["--no-site-packages", "--cache-dir", str(tmp_path / "cache"), *setup["OPTIONS"]]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *words, *setup["COMPILED"]],
        cwd=ROOT,
        env=environment({"MYPYPATH": str(tmp_path)}),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_what_is_said_of_pythons_agrees() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    classified = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', text)
    built = re.findall(r"cp3(\d+)-\*", text)
    tested = re.findall(
        r'"(3\.\d+)"', (ROOT / ".github/workflows/tests.yml").read_text().split("python:")[1].split("\n")[0]
    )
    assert classified == [f"3.{minor}" for minor in built] == tested
    assert f'requires-python = ">={classified[0]}"' in text
    assert all(f"python{version}" in (ROOT / "scripts/pythons.sh").read_text() for version in classified)


def test_completions_ask_the_program() -> None:
    for name in ("sintra", "_sintra", "sintra.fish"):
        assert "_SINTRA_COMPLETE=complete_" in (ROOT / "completions" / name).read_text()
