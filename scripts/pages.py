"""The code blocks of README and the pages in docs/, and how they are run.

A block is fenced, with its language, or indented by four. Blocks of `sh` are run, those of `console` must
print what they show, and those of `python` are executed; indented blocks are known by how they begin. A page
is run from top to bottom in one folder. Comments, which no reader sees, say the rest:

    <!-- first: COMMANDS -->            to run before it
    <!-- file: NAME -->                 it is the contents of a file
    <!-- from: PATH -->                 it quotes a file of the repository
    <!-- stopped: REASON -->            it goes on for ever: Ctrl-C, once it has printed something
    <!-- not run: REASON -->            it is not run
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
RUN = ("sh", "console", "python")
"""The languages that are run."""
ABOUT = re.compile(r"<!-- (first|file|from|stopped|not run): (.*?) -->", re.DOTALL)
FENCE = re.compile(r"^( *)```(\S*)$")
INSTALLS = ("pip install ", "pipx ", "uv tool ", "uvx ", "make ", "python -m scripts.", "man ")
"""How lines begin that change the machine, take long, or need the repository: they are not run."""


class Block(NamedTuple):
    """A code block of a page."""

    page: str
    line: int
    language: str
    text: str
    about: dict[str, str]
    """What the comment before it says."""


def pages() -> list[Path]:
    """Return README, the guide for contributors, and all pages in docs/."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(path: Path) -> Iterator[Block]:
    """Yield the code blocks of a page."""
    page = path.name if path.parent == ROOT else f"docs/{path.name}"
    lines = path.read_text(encoding="utf-8").splitlines()
    about: dict[str, str] = {}
    at = 0
    while at < len(lines):
        line = lines[at]
        if fence := FENCE.match(line):
            end = next(n for n in range(at + 1, len(lines)) if lines[n].strip() == "```")
            body = [part.removeprefix(fence[1]) for part in lines[at + 1 : end]]
            yield Block(page, at + 1, fence[2], "\n".join(body), about)
            at, about = end + 1, {}
        elif line.startswith("    ") and (at == 0 or not lines[at - 1].strip()) and not _in_list(lines, at):
            end = at
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            text = "\n".join(part[4:] for part in lines[at:end]).rstrip("\n")
            yield Block(page, at + 1, guessed(text), text, about)
            at, about = end, {}
        else:
            if line.startswith("<!-- "):
                end = next(n for n in range(at, len(lines)) if "-->" in lines[n])
                about |= dict(ABOUT.findall("\n".join(lines[at : end + 1])))
                at = end
            elif line.strip():
                about = {}
            at += 1


def _in_list(lines: list[str], at: int) -> bool:
    """Return whether an indented line goes on with an item of a list."""
    before = next((line for line in reversed(lines[:at]) if line.strip() and not line.startswith(" ")), "")
    return bool(re.match(r"([-*]|\d+\.) ", before))


def guessed(text: str) -> str:
    """Return the language of an indented block."""
    if text.startswith("$ "):
        return "console"
    if text.startswith(("sintra ", "printf ", "cat ", "mkdir ", *INSTALLS)):
        return "sh"
    return ""


# -- Running -------------------------------------------------------------------------------------


def script(block: Block) -> str:
    """Return what a block of the shell runs: without installations, and only part of an endless game."""
    kept = [line for line in block.text.splitlines() if not line.lstrip().startswith(INSTALLS)]
    text = "\n".join([block.about.get("first", ":"), *kept])
    return text.replace("while s=", "n=0; while [ $n -lt 12 ] && n=$((n+1)) && s=")


def run(block: Block, folder: Path, environment: Mapping[str, str] | None = None) -> None:
    """Run a block in a folder; AssertionError says what went wrong."""
    where = f"{block.page}:{block.line}"
    if "file" in block.about:
        (folder / block.about["file"]).write_text(block.text + "\n", encoding="utf-8")
    if "stopped" in block.about:
        _stopped(block, folder, where, environment)
    elif block.language == "sh":
        shell(script(block), folder, where, environment)
    elif block.language == "console":
        _session(block, folder, where, environment)
    elif block.language == "python" and "file" not in block.about:
        if "first" in block.about:
            shell(block.about["first"], folder, where, environment)
        python = (environment or {}).get("SINTRA_PYTHON", sys.executable)
        call([python, "-c", block.text], folder, where, environment)


def _stopped(block: Block, folder: Path, where: str, environment: Mapping[str, str] | None) -> None:
    """Run a server, on any free port and without opening a browser, until it has printed something."""
    shell(block.about.get("first", ":"), folder, where, environment)
    text = re.sub(
        r"^(sintra serve\b)(.*?)(?: --open)?$", r"exec \1 --port 0\2", block.text, flags=re.MULTILINE
    )
    kept = [line for line in text.splitlines() if not line.startswith(INSTALLS)]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
        words = ["sh", "-c", "\n".join(["set -e", *kept])]
        with subprocess.Popen(
            words,
            cwd=folder,
            env=dict(environment or os.environ),
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
        ) as running:
            patience = time.monotonic() + 60
            while running.poll() is None and not os.fstat(said.fileno()).st_size:
                assert time.monotonic() < patience, f"{where}: it says nothing"
                time.sleep(0.05)
            running.send_signal(signal.SIGINT)
            code = running.wait(timeout=30)
        said.seek(0)
        assert code in (0, 130, -signal.SIGINT), f"{where}: exit code {code}: {said.read()}"


def _session(block: Block, folder: Path, where: str, environment: Mapping[str, str] | None) -> None:
    """Run each command of a session, and compare what it prints with what is shown."""
    shell(block.about.get("first", ":"), folder, where, environment)
    parts = re.split(r"^\$ ((?:.*\\\n)*.*)\n?", block.text, flags=re.MULTILINE)[1:]
    for command, shown in zip(parts[::2], parts[1::2], strict=True):
        code = re.search(r"^\(exit code (\d+)\)$", shown, re.MULTILINE)
        printed = shell(f"{{ {command}\n}} 2>&1", folder, where, environment, int(code[1]) if code else 0)
        assert matches(shown, printed), f"{where}: {command}\nshown:\n{shown}\nprinted:\n{printed}"


def matches(shown: str, printed: str) -> bool:
    """Return True if a page shows what was printed; a line `...` stands for any lines."""
    wanted = [line.strip() for line in shown.strip("\n").splitlines()]
    wanted = [line for line in wanted if not line.startswith("(exit")]
    found = "\n".join(line.strip() for line in printed.strip("\n").splitlines())
    pattern = "\n".join("(?:.*\n?)*?" if line == "..." else re.escape(line) for line in wanted)
    return re.fullmatch(pattern.replace("(?:.*\n?)*?\n", "(?:.*\n)*?"), found) is not None


def shell(
    text: str, folder: Path, where: str, environment: Mapping[str, str] | None = None, code: int = 0
) -> str:
    """Run a script of the shell and return what it prints."""
    return call(["sh", "-c", f"set -e\n{text}"], folder, where, environment, code)


def call(
    command: list[str],
    folder: Path,
    where: str,
    environment: Mapping[str, str] | None = None,
    code: int = 0,
) -> str:
    """Run a program, which has to end with this exit code, and return what it prints."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=dict(environment or os.environ),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert "Traceback" not in done.stderr or command[0] != "sh", f"{where}: {done.stderr}"
    said = done.stderr or done.stdout
    assert done.returncode == code, f"{where}: exit code {done.returncode}, not {code}: {said}"
    return done.stdout
