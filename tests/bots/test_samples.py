"""The samples of bots: short, and good in every language that is at hand."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from sintra.batch.check import check_bot
from sintra.bots.process import Limits
from sintra.bots.samples import LANGUAGES, how_to_run, sample
from sintra.errors import UsageError
from tests.kit.program import run

ROOT = Path(__file__).parents[2]
NEEDS = {"sh": "jq", "python": "python3", "js": "node", "c": "cc", "rust": "rustc"}
ONE_LINE = """jq -r --unbuffered 'select(.type=="choose") | .legal[0]'"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sample_is_short_and_where_the_page_says(language: str) -> None:
    text = sample(language)
    assert len(text.splitlines()) < 60
    assert (ROOT / "scripts" / "examples" / "bots" / LANGUAGES[language]).read_bytes() == text


@pytest.mark.process
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sample_passes_the_check(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which(NEEDS[language]) is None:
        pytest.skip(f"{NEEDS[language]} is not installed")
    monkeypatch.chdir(tmp_path)
    name = f"my_bot{Path(LANGUAGES[language]).suffix}"
    Path(name).write_bytes(sample(language))
    Path(name).chmod(0o755)
    *build, check, play = how_to_run(language, name)
    for line in build:
        subprocess.run(["sh", "-c", line], check=True)
    (command,) = shlex.split(check)[3:]
    result = check_bot(command, Limits(move_time=5))
    assert result.ok, result.steps[-1]
    assert len(result.steps) >= 15
    assert shlex.split(play)[4] == f"mine=cmd:{command},greedy"


@pytest.mark.parametrize(
    ("path", "build"),
    [
        ("bot.c", "cc -O2 -o bot bot.c"),
        ("bot", "cc -O2 -o bot.bin -x c bot"),
        ("../bots/bot", "cc -O2 -o ../bots/bot.bin -x c ../bots/bot"),
        ("my.bots/bot.c", "cc -O2 -o my.bots/bot my.bots/bot.c"),
    ],
)
def test_a_program_is_built_from_a_file_of_any_name(path: str, build: str) -> None:
    assert how_to_run("c", path)[0] == build


@pytest.mark.process
@pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")
def test_one_line_is_a_whole_bot() -> None:
    assert ONE_LINE in (ROOT / "docs" / "bots.md").read_text()
    ran = run("bot", "check", ONE_LINE, "--move-time", "5", "--ascii")
    assert ran.lines[-1] == f"It plays. Name it cmd:{ONE_LINE} wherever a bot can be named."
    played = [line.removeprefix("ok ") for line in ran.lines]
    for rules in ("azul", "crystal", "sintra"):
        for players in (2, 3, 4):
            assert f"plays {rules} with {players} players" in played


def test_there_is_no_sample_in_every_language() -> None:
    with pytest.raises(UsageError, match="no sample in 'cobol'; there are: sh, python, js, c, rust"):
        sample("cobol")
