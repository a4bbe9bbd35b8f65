"""Environments: every command in locales, terminals, encodings and shells of every kind.

A command ends as it does in a plain session, with the same answer where the environment has nothing to do
with it, or with a message; never with a traceback, and the log stays a log.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from sintra import api
from sintra.cli import commands
from sintra.errors import SintraError

PATIENCE = 120
SINTRA = str(Path(sys.executable).parent / "sintra")

COMMANDS: dict[str, str] = {
    "version": "--version",
    "help": "help",
    "help of a command": "simulate --help",
    "a ruling": "help S3",
    "new": "new --rules azul --seed 3 -o new.log",
    "new, on standard output": "new --seed 3",
    "move": "move game.log pick 1 {color}",
    "move, refused": "move game.log place 9",
    "legal": "legal game.log",
    "legal as JSON": "legal game.log --json",
    "show": "show game.log",
    "show as JSON": "show game.log --json",
    "log": "log game.log",
    "log, steps": "log game.log --steps",
    "score": "score game.log",
    "replay": "replay game.log",
    "undo": "undo game.log",
    "fork": "fork game.log --at 4 --seed 5 -o forked.log",
    "note": "note game.log naïve",
    "verify": "verify --deals game.log",
    "verify, many": "verify -j 2 game.log game.log game.log game.log game.log game.log game.log",
    "diff": "diff game.log game.log",
    "stats": "stats game.log --csv",
    "repair": "repair game.log",
    "draw": "draw game.log -o table.svg",
    "rules": "rules",
    "rules of a game": "rules crystal --how-to-play",
    "schema": "schema show",
    "simulate": "simulate 2 --rules azul --seed 1 --max-rounds 1 --jobs 1 --quiet",
    "hint": "hint game.log --nodes 5",
    "play": "play game.log --plain",
    "analyze": "analyze game.log --nodes 1 --deals 2 -j 1 --json",
    "puzzle": "puzzle game.log --nodes 1 -n 1 -j 1",
    "export": "export game.log --json",
    "code": "code game.log",
    "decode": "decode 139HOptRnLNJvUl72gB88LwpypQ1EJZaYG9xeTuqX7dX",
    "position": "position game.log --no-seed",
    "convert": "convert game.log",
    "arrange, at no real table": "arrange game.log bykrt",
    "deal, at no real table": "deal game.log bbbb",
    "serve, a folder that is not there": "serve nothing --port 0",
    "ratings, of nothing": "ratings nothing",
    "learn": "learn azul",
    "bot": "bot new sh mybot.sh",
    "tournament": "tournament league --bots random,greedy --deals 1 --max-rounds 1 --seed 1 -q -j 1",
    "no command": "shwo game.log",
    "no log": "show nothing.log",
}


class Place(NamedTuple):
    """An environment: its variables, whether answers are the same, and what a shell does before."""

    given: dict[str, str]
    same: bool = True
    before: str = ""
    codes: tuple[int, ...] = ()
    """Exit codes that a command may have here, besides its usual one."""


PLACES: dict[str, Place] = {
    **{
        f"LC_ALL={name}": Place({"LC_ALL": name}, False)
        for name in ("C", "POSIX", "de_DE.UTF-8", "nowhere", "")
    },
    "LANG=C, no UTF-8 mode": Place(
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, False, codes=(2,)
    ),
    **{
        f"PYTHONIOENCODING={name}": Place({"PYTHONIOENCODING": name}, False)
        for name in ("ascii", "latin-1", "utf-16", "cp437", "utf-8:strict")
    },
    **{
        f"COLUMNS={value}": Place({"COLUMNS": value}, False)
        for value in ("1", "-1", "10000000000", "wide", "")
    },
    **{f"LINES={value}": Place({"LINES": value}, False) for value in ("0", "999999999")},
    **{f"TERM={value}": Place({"TERM": value}) for value in ("", "dumb", "xterm-256color", "no-such")},
    "NO_COLOR": Place({"NO_COLOR": "1"}),
    "FORCE_COLOR": Place({"FORCE_COLOR": "1"}, False),
    "HOME is nowhere": Place({"HOME": "/nowhere"}),
    "HOME is empty": Place({"HOME": ""}),
    "TMPDIR is nowhere": Place({"TMPDIR": "/nowhere"}),
    "PATH is empty": Place({"PATH": ""}),
    "an odd time zone": Place({"TZ": "Mars/Base"}),
    "PYTHONUNBUFFERED": Place({"PYTHONUNBUFFERED": "1"}),
    "PYTHONOPTIMIZE": Place({"PYTHONOPTIMIZE": "2"}, False),
    "PYTHONHASHSEED": Place({"PYTHONHASHSEED": "4294967295"}),
    "PYTHONSAFEPATH": Place({"PYTHONSAFEPATH": "1"}),
    "PYTHONDEVMODE": Place({"PYTHONDEVMODE": "1"}),
    "PYTHONWARNINGS=error": Place({"PYTHONWARNINGS": "error"}),
    "PYTHONDONTWRITEBYTECODE": Place({"PYTHONDONTWRITEBYTECODE": "1"}),
    "no standard input": Place({}, True, "exec <&-;"),
    "no standard output": Place({}, False, "exec >&-;", (4,)),
    "no standard error": Place({}, True, "exec 2>&-;"),
    "a full disk behind standard output": Place({}, False, "exec >/dev/full;", (4,)),
    "a closed pipe": Place({}, False, "exec > >(true); sleep 0.05;", (1, 141)),
    "few open files": Place({}, False, "ulimit -n 12;", (4,)),
    "a small stack": Place({}, True, "ulimit -s 256;"),
    "no core files": Place({}, True, "ulimit -c 0;"),
    "a strict umask": Place({}, False, "umask 777;", (4, 5)),
    "Ctrl-C ignored": Place({}, True, "trap '' INT;"),
}


assert {words.split()[0] for words in COMMANDS.values()} >= {*commands.COMMANDS}, "a command is missing"


def run(scale: float, scratch: Path) -> dict[str, int | str]:
    """Run every command in every environment."""
    cases = [(place, command) for place in PLACES for command in COMMANDS][:: 1 if scale >= 1 else 97]

    def ran(case: tuple[str, str]) -> tuple[int, bytes]:
        place = PLACES.get(case[0], Place({}))
        return ended(scratch / " ".join(case).replace("/", "_"), COMMANDS[case[1]], place)

    with ThreadPoolExecutor(2) as pool:
        used = dict.fromkeys(command for _, command in cases)
        plain = dict(zip(used, pool.map(lambda command: ran(("plain", command)), used), strict=True))
        found = list(pool.map(ran, cases))
    for (place, command), (code, out) in zip(cases, found, strict=True):
        usual, answer = plain[command]
        assert code in (usual, *PLACES[place].codes), f"{command}, {place}: exit code {code}, not {usual}"
        if PLACES[place].same and code == usual:
            assert out == answer, f"{command}, {place}: another answer: {out[-300:]!r}, not {answer[-300:]!r}"
    return {
        "environments": len(PLACES),
        "commands": len(COMMANDS),
        "runs": len(cases),
        "with the same answer as in a plain one": sum(PLACES[place].same for place, _ in cases),
    }


def ended(folder: Path, words: str, place: Place) -> tuple[int, bytes]:
    """Run a command in a folder of its own; check what it left, and return exit code and answer."""
    folder.mkdir()
    game = api.new("azul", seed=7)
    for _ in range(4):
        game.play(game.legal()[0])
    game.save(folder / "game.log")
    color = str(game.legal()[0]).split()[-1]
    plain = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ} | {"LANG": "C.UTF-8"}
    done = subprocess.run(
        ["/bin/bash", "-c", f"{place.before} exec {SINTRA} {words.format(color=color)}"],
        cwd=folder,
        env={**plain, **place.given},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    said = done.stderr.decode(errors="replace")
    assert "Traceback" not in said, f"{words}, {place}: {said[-600:]}"
    assert "Exception ignored" not in said, f"{words}, {place}: {said[-600:]}"
    assert "Warning" not in said, f"{words}, {place}: {said[-600:]}"
    for log in folder.glob("*.log"):
        _check(log, words, place)
    shutil.rmtree(folder)
    return (done.returncode if done.returncode >= 0 else 128 - done.returncode), done.stdout


def _check(log: Path, words: str, place: Place) -> None:
    """Check that a log is still one."""
    try:
        api.load(log)
    except SintraError as error:
        raise AssertionError(f"{words}, {place}: {error}") from None
