"""The documents that are made from the program: up to date, complete, and well formed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from scripts import docs
from sintra import catalog, errors
from sintra.cli.commands import COMMANDS
from tests.kit.program import run

ROOT = Path(__file__).parent.parent
REFERENCE = (ROOT / "docs" / "commands.md").read_text()
MANUAL = (ROOT / "docs" / "sintra.1").read_text()
SVG = "{http://www.w3.org/2000/svg}"


def plain(manual: str) -> str:
    """The manual page without its roff."""
    text = re.sub(r"\\f[BIR]", "", manual)
    for escape, character in (("\\-", "-"), ("\\(aq", "'"), ("\\(dq", '"'), ("\\(ha", "^"), ("\\&", "")):
        text = text.replace(escape, character)
    return re.sub(r"\\\[u([0-9A-F]+)\]", lambda found: chr(int(found[1], 16)), text)


@pytest.mark.process
def test_the_files_are_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "scripts.docs", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_check_tells_what_is_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(docs, "ROOT", tmp_path)
    monkeypatch.setattr(docs, "documents", lambda: {"one.md": "1\n", "two.md": "2\n"})
    assert docs.main(["--check"]) == 1
    assert docs.main([]) == 0
    assert docs.main(["--check"]) == 0
    (tmp_path / "two.md").write_text("old")
    capsys.readouterr()
    assert docs.main(["--check"]) == 1
    assert capsys.readouterr().err == "two.md is out of date: run `make docs`\n"
    assert (tmp_path / "two.md").read_text() == "old"
    assert docs.main(["--chekc"]) == 2


@pytest.mark.process
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_there_with_all_that_its_help_says(command: str) -> None:
    section = REFERENCE.split(f"\n## {command}\n")[1].split("\n## ")[0]
    page = plain(MANUAL).split(f'\n.SS "sintra {command} ')[1].split("\n.S")[0]
    printed = run(command, "--help", env={"COLUMNS": "80"}).out
    options = re.findall(r"^  (?:-\w, )?(--[\w-]+)", printed.split("\nOptions:\n")[1], re.MULTILINE)
    assert "--help" in options
    for option in options:
        assert re.search(rf"^\| `.*{option}\b.*` \|", section, re.MULTILINE), option
        assert option == "--help" or re.search(rf"^.*{option}\b", page, re.MULTILINE), option
    for example in re.findall(r"^  (sintra .*)$", printed, re.MULTILINE):
        assert f"\n{example}\n" in section
        assert f"\n{example}\n" in page


def test_every_step_is_there() -> None:
    for name in catalog.BUILT_IN:
        for form, meaning in catalog.find(name).guide:
            assert f"| `{form}` | {meaning} |" in REFERENCE
            assert f"\n{form}\n{meaning}\n" in plain(MANUAL).split("\n.SH STEPS\n")[1]


def kinds(of: type[errors.SintraError]) -> list[type[errors.SintraError]]:
    return [kind for direct in of.__subclasses__() for kind in [direct, *kinds(direct)]]


def test_every_exit_code_is_there() -> None:
    told = {code for code, _ in docs.EXIT_CODES}
    assert {0, 1, 130} | {kind.exit_code for kind in kinds(errors.SintraError)} == told
    for code, meaning in docs.EXIT_CODES:
        assert f"| {code} | {meaning} |" in REFERENCE
        assert f"| {code} | {meaning} |" in (ROOT / "docs" / "shell.md").read_text()


def test_the_manual_has_its_sections() -> None:
    found = re.findall(r"^\.SH (.*)$", MANUAL, re.MULTILINE)
    wanted = (
        "NAME SYNOPSIS DESCRIPTION OPTIONS COMMANDS STEPS EXIT_STATUS ENVIRONMENT FILES EXAMPLES SEE_ALSO"
    )
    assert found == [title.replace("_", " ") for title in wanted.split()]
    assert MANUAL.isascii()


@pytest.mark.process
@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_groff_warns_of_nothing() -> None:
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", ROOT / "docs" / "sintra.1"], capture_output=True, check=True
    )
    assert done.stderr == b""


@pytest.mark.parametrize("name", ["show.svg", "azul.svg"])
def test_a_picture_is_text_in_cells(name: str) -> None:
    picture = ElementTree.parse(ROOT / "docs" / name).getroot()
    wide, high = float(picture.attrib["width"]), float(picture.attrib["height"])
    texts = list(picture.iter(f"{SVG}text"))
    assert len(texts) > 100
    cells = set()
    for text in texts:
        places = [float(x) for x in text.attrib["x"].split()]
        assert len(places) == len(text.text or "")
        cells |= {(x, text.attrib["y"]) for x in places}
        assert docs.MARGIN <= min(places) <= max(places) <= wide - docs.MARGIN
        assert docs.MARGIN <= float(text.attrib["y"]) <= high - docs.MARGIN
    assert len(cells) == sum(len(text.text or "") for text in texts)  # nothing is drawn over something else
    styled = {word for text in texts for word in text.attrib.get("class", "").split()}
    rules = (picture.findtext(f"{SVG}style") or "").split("}")
    assert styled <= {rule.split("{")[0].lstrip(".") for rule in rules}
    assert len([word for word in styled if word.startswith("c")]) >= 4  # the colors of the pieces


@pytest.mark.parametrize(
    ("codes", "look"),
    [
        ("1", docs.Look(strong=True)),
        ("38;5;75", docs.Look(75)),
        ("1;38;5;16;48;5;75", docs.Look(16, True, 75)),
        ("", docs.Look()),
        ("0", docs.Look()),
    ],
)
def test_escape_sequences_are_understood(codes: str, look: docs.Look) -> None:
    assert docs.Look().after(codes) == look


def test_an_unknown_escape_sequence_is_not_passed_over() -> None:
    with pytest.raises(ValueError, match="unknown escape sequence: 7"):
        docs.Look().after("7")
    assert (docs.rgb(226), docs.rgb(75), docs.rgb(245)) == ("#ffff00", "#5fafff", "#8a8a8a")
