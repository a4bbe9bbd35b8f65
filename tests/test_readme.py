"""README and the pages in docs/ do what they show."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.kit.program import environment

ROOT = Path(__file__).parent.parent
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text()
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
    if path.name != "commands.md"  # generated, and held by test_docs
}
FENCED = re.compile(r"^ *```(\w*)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
FILES = {"docs/bots.md": "hasty.py", "docs/real-table.md": "box.toml"}
"""Pages whose fenced block is a file that the commands on the page use."""
MAX_COLUMNS = 120
"""Maximum length of a line of prose, in characters."""


def indented(page: str) -> list[str]:
    """The indented blocks of a page, without their indentation."""
    found = re.findall(r"(?:\n    .*|\n(?=\n    ))+", FENCED.sub("", PAGES[page]))
    return [block.replace("\n    ", "\n").strip("\n") for block in found]


def python_of(page: str) -> list[str]:
    return [block for kind, block in FENCED.findall(PAGES[page]) if kind == "python"]


SHELL = [(page, block) for page in PAGES for block in indented(page) if block.lstrip().startswith("sintra ")]
PYTHON = [(page, block) for page in PAGES for block in python_of(page)]
SESSIONS = [(page, block) for page in PAGES for block in indented(page) if block.lstrip().startswith("$ ")]


def shell(script: str, folder: Path) -> str:
    done = subprocess.run(
        ["sh", "-c", f"set -e\n{script}"],
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.process
@pytest.mark.parametrize(("page", "session"), SESSIONS)
def test_a_session_prints_what_it_shows(page: str, session: str, tmp_path: Path) -> None:
    parts = re.split(r"^\s*\$ (.*)\n?", session, flags=re.M)[1:]
    assert len(parts) >= 6
    for command, shown in zip(parts[::2], parts[1::2], strict=True):
        printed = shell(command, tmp_path)
        assert [line.strip() for line in printed.splitlines()] == [
            line.strip() for line in shown.strip("\n").splitlines()
        ]


@pytest.mark.process
@pytest.mark.parametrize(
    ("page", "script"), SHELL, ids=lambda text: text.strip().splitlines()[0].replace("/", " ")
)
def test_the_shell_lines_run(page: str, script: str, tmp_path: Path) -> None:
    if name := FILES.get(page):
        ((_, text),) = FENCED.findall(PAGES[page])
        (tmp_path / name).write_text(text)
    script = script.replace("while s=", "n=0; while [ $n -lt 12 ] && n=$((n+1)) && s=")  # enough of the game
    shell(script, tmp_path)


@pytest.mark.parametrize(("page", "code"), PYTHON)
def test_the_python_lines_run(page: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(code, {})


def test_there_is_something_to_run() -> None:
    assert len(SESSIONS) >= 1
    assert {page for page, _ in SHELL} >= {"README.md", "docs/shell.md", *FILES}
    assert {page for page, _ in PYTHON} >= {"README.md", "docs/library.md", "docs/bots.md"}


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", PAGES[page]):
        assert target.startswith("https://") or (ROOT / page).parent.joinpath(target).exists(), target


@pytest.mark.parametrize("page", [page for page in PAGES if page != "docs/benchmarks.md"])
def test_prose_is_of_a_width_that_diffs_well(page: str) -> None:
    prose = [line for line in FENCED.sub("", PAGES[page]).splitlines() if not line.startswith(("|", "    "))]
    assert [line for line in prose if len(line) > MAX_COLUMNS] == []


def test_readme_links_to_every_page() -> None:
    linked = set(re.findall(r"\]\((docs/[\w-]+\.md)\)", PAGES["README.md"]))
    assert linked == {page for page in PAGES if page.startswith("docs/")} | {"docs/commands.md"}
