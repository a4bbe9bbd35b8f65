"""README and the pages in docs/ do what they show: every code block is run."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from scripts import pages
from tests.kit.program import environment

ROOT = Path(__file__).parent.parent
PAGES = {path.relative_to(ROOT).as_posix(): path.read_text() for path in pages.pages()}
BLOCKS = {
    name: list(pages.blocks(ROOT / name))
    for name in PAGES
    if name != "docs/commands.md"  # generated; the tests of the help run its examples
}
ELSEWHERE = ("docs/league.md",)
"""Pages that a test of their own runs, and looks at what comes of it."""
RUNNABLE = [
    name
    for name, found in BLOCKS.items()
    if name not in ELSEWHERE and any(block.language in pages.RUN for block in found)
]
FENCED = re.compile(r"^ *```(\S*)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
ADAPTERS = ("docs/learning.md",)
"""Pages with code for other libraries, which the tests of the adapters run where these are installed."""
MAX_COLUMNS = 120
"""Maximum length of a line of prose, in characters."""
MAX_NOT_RUN = 4
"""How many blocks may be left out, each with its reason."""
MISSING = (
    "is not installed",
    "needs the extra",
    "pip install 'sintra[",
    "ModuleNotFoundError: No module named",
)
"""How the program says that an extra is missing: a page that needs one is run where it is there."""


@pytest.mark.process
@pytest.mark.parametrize("page", RUNNABLE)
def test_every_block_of_a_page_runs(page: str, tmp_path: Path) -> None:
    for block in BLOCKS[page]:
        if "from" in block.about or "not run" in block.about:
            continue
        try:
            pages.run(block, tmp_path, environment())
        except AssertionError as error:
            if any(words in str(error) for words in MISSING):
                pytest.skip(f"{page}: {str(error).splitlines()[-1]}")
            raise


def test_there_is_something_to_run() -> None:
    found = [block for name in RUNNABLE for block in BLOCKS[name]]
    assert sum(block.language == "console" for block in found) >= 1
    assert sum(block.language == "python" for block in found) >= 8
    assert sum(block.language == "sh" for block in found) >= 25
    assert {"README.md", "docs/shell.md", "docs/real-table.md", "docs/bots.md"} <= {*RUNNABLE}


def test_few_blocks_are_left_out_and_each_says_why() -> None:
    left_out = [block for found in BLOCKS.values() for block in found if "not run" in block.about]
    assert all(len(block.about["not run"]) > 20 for block in left_out)
    assert len(left_out) <= MAX_NOT_RUN, [f"{block.page}:{block.line}" for block in left_out]


@pytest.mark.parametrize("page", BLOCKS)
def test_no_code_hides_in_a_block_of_text(page: str) -> None:
    for block in BLOCKS[page]:
        if block.language in pages.RUN or {"from", "file"} & {*block.about} or page in ADAPTERS:
            continue
        where = f"{page}:{block.line} is not run: say that it is sh, console or python"
        assert not re.search(r"^\$ |^sintra [a-z]", block.text, re.MULTILINE), where
        assert not is_python(block.text), where


def is_python(text: str) -> bool:
    """Whether a text is a program, and not only words that parse as one."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return False
    kinds = (ast.Call, ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
    return any(isinstance(node, kinds) for node in ast.walk(tree))


QUOTES = [block for found in BLOCKS.values() for block in found if "from" in block.about]


@pytest.mark.parametrize("quote", QUOTES, ids=lambda block: f"{block.page}:{block.line}")
def test_a_quote_is_in_the_file_that_it_is_from(quote: pages.Block) -> None:
    file = re.sub(r"\n+", "\n", (ROOT / quote.about["from"]).read_text())
    at = 0
    for part in re.split(r"^ *\.\.\.\n", re.sub(r"\n+", "\n", quote.text + "\n"), flags=re.MULTILINE):
        assert part in file[at:], f"{quote.about['from']} does not say:\n{part}"
        at = file.index(part, at) + len(part)
    assert len(QUOTES) >= 4


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", PAGES[page]):
        assert target.startswith("https://") or (ROOT / page).parent.joinpath(target).exists(), target


@pytest.mark.parametrize(
    "page", sorted({*PAGES, "CHANGELOG.md", "fixtures/README.md"} - {"docs/benchmarks.md"})
)
def test_prose_is_of_a_width_that_diffs_well(page: str) -> None:
    prose = [
        line
        for line in FENCED.sub("", (ROOT / page).read_text()).splitlines()
        if not line.startswith(("|", "    ", "<!-- "))
    ]
    assert [line for line in prose if len(line) > MAX_COLUMNS] == []


def test_readme_links_to_every_page() -> None:
    linked = set(re.findall(r"\]\((docs/[\w-]+\.md)\)", PAGES["README.md"]))
    assert linked >= {page for page in PAGES if page.startswith("docs/")}


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("one\ntwo", "one\ntwo\n", True),
        ("one", "one\ntwo\n", False),
        ("one\n...", "one\ntwo\nthree\n", True),
        ("one\n...\nfour", "one\ntwo\nthree\nfour\n", True),
        ("one\n...\nfour", "one\ntwo\nthree\n", False),
        ("", "", True),
        ("wrong\n(exit code 1)", "wrong\n", True),
    ],
)
def test_dots_stand_for_any_lines(shown: str, printed: str, same: bool) -> None:
    assert pages.matches(shown, printed) == same
