"""The installed program, run as a process the way a shell runs it.

Whatever is run here must never show a traceback: every run is checked for that.
"""

from __future__ import annotations

import functools
import json
import os
import random
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

import sintra

BIN = Path(sys.executable).parent
SINTRA = str(BIN / "sintra")
PATIENCE = int(os.environ.get("SINTRA_PATIENCE", "120"))
"""Seconds after which a run counts as hanging: many, for a busy machine and for coverage."""

NO_CACHES = {"PYTHONDONTWRITEBYTECODE": "1", "COVERAGE_PROCESS_CONFIG": ""}
"""For programs whose files are limited: Python, and coverage, would keep a part of theirs."""

_OURS = ("COLUMNS", "FORCE_COLOR", "LC_ALL", "NO_COLOR", "TERM")
_PYTHONS = ("PYTHONDONTWRITEBYTECODE", "PYTHONIOENCODING", "PYTHONUNBUFFERED", "PYTHONUTF8")


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """What a user's plain session has in its environment, and `more`."""
    plain = {key: value for key, value in os.environ.items() if key not in _OURS + _PYTHONS}
    plain |= {"PATH": f"{BIN}{os.pathsep}{plain.get('PATH', os.defpath)}", "LANG": "C.UTF-8"}
    return plain | dict(more or {})


class Ran(NamedTuple):
    """How a run ended, and what it said."""

    code: int
    raw: bytes
    err: str

    @property
    def out(self) -> str:
        """Standard output as text."""
        return self.raw.decode()

    @property
    def lines(self) -> list[str]:
        """The lines of standard output."""
        return self.out.splitlines()

    @property
    def json(self) -> dict[str, Any]:
        """Standard output as the one JSON object that it is."""
        value = json.loads(self.raw)
        assert isinstance(value, dict)
        return value

    @property
    def error(self) -> dict[str, Any]:
        """Standard error as the one JSON object that it is."""
        value = json.loads(self.err)
        assert isinstance(value, dict)
        return value


def run(
    *words: str | Path,
    cwd: Path | None = None,
    stdin: bytes | str = b"",
    env: Mapping[str, str] | None = None,
    code: int | None = 0,
    stdout: int | IO[bytes] = subprocess.PIPE,
) -> Ran:
    """Run `sintra`; it has to end with this exit code (None: with any)."""
    return run_any([SINTRA, *map(str, words)], cwd=cwd, stdin=stdin, env=env, code=code, stdout=stdout)


def shell(script: str, *, cwd: Path, code: int | None = 0, env: Mapping[str, str] | None = None) -> Ran:
    """Run a script of the shell."""
    return run_any(["sh", "-c", script], cwd=cwd, code=code, env=env)


def run_any(
    command: list[str],
    *,
    cwd: Path | None,
    stdin: bytes | str = b"",
    env: Mapping[str, str] | None = None,
    code: int | None = 0,
    stdout: int | IO[bytes] = subprocess.PIPE,
) -> Ran:
    """Run any program."""
    done = subprocess.run(
        command,
        cwd=cwd,
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        stdout=stdout,
        stderr=subprocess.PIPE,
        env=environment(env),
        timeout=PATIENCE,
        check=False,
    )
    ran = Ran(done.returncode, done.stdout or b"", done.stderr.decode())
    clean(ran.err)
    assert code is None or ran.code == code, f"exit code {ran.code}, not {code}: {ran.err or ran.out[-500:]}"
    return ran


def clean(err: str) -> None:
    """Standard error has nothing of Python's own."""
    assert "Traceback" not in err, err
    assert "Exception ignored" not in err, err


@functools.cache
def played(players: int = 2, seed: int = 42, left: int = 0) -> bytes:
    """The log of a game that was played at random to its end, or until so many steps before it."""
    game = sintra.new("sintra", players, seed=seed)
    dice = random.Random(seed)
    marks = []
    while not game.over:
        marks.append(len(game.events))
        game.play(dice.choice(game.legal()))
    marks.append(len(game.events))
    return b"".join(game.dumps().encode().splitlines(keepends=True)[: marks[-1 - left]])


def fresh(seed: int = 42) -> bytes:
    """The log of a game that nobody has moved in."""
    return sintra.new("sintra", 2, seed=seed).dumps().encode()


def write_games(folder: Path, count: int) -> list[Path]:
    """So many finished games of two, three and four players in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{number:02}.log" for number in range(1, count + 1)]
    for number, path in enumerate(paths):
        path.write_bytes(played(2 + number % 3, seed=number))
    return paths
