"""Rule-sets of other packages: found, listed, played, and missed when they are gone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

import sintra
from scripts.fixtures import FIXTURES
from sintra.rules.ruleset import QUESTIONS, RuleSet
from sintra.version import VERSION

HARBOR = FIXTURES / "harbor"


def run(python: Path | str, *arguments: str, extra: Path | None = None) -> subprocess.CompletedProcess[str]:
    """`sintra` under some Python, with a folder of further packages."""
    env = {**os.environ, **({"PYTHONPATH": str(extra)} if extra else {})}
    return subprocess.run(
        [str(python), "-m", "sintra", *arguments], capture_output=True, text=True, env=env, check=False
    )


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment that has sintra, and where the example package is installed with pip."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    where = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    site = Path(subprocess.run(where, capture_output=True, text=True, check=True).stdout.strip())
    root = str(HARBOR.parent.parent)
    (site / "sintra-here.pth").write_text(f"{root}\n{sysconfig.get_path('purelib')}\n")
    install = [
        str(python),
        "-m",
        "pip",
        "install",
        "-q",
        "--no-deps",
        "--disable-pip-version-check",
        str(HARBOR),
    ]
    subprocess.run(install, check=True, capture_output=True)
    return python


def test_the_example_is_installed_listed_played_verified_and_missed(fresh: Path, tmp_path: Path) -> None:
    assert "harbor   Harbor (ships 3|4|5)  [sintra-harbor 1.0]" in run(fresh, "rules").stdout
    assert run(fresh, "rules", "--test", "harbor").stdout.startswith("harbor: ok, ")
    log = str(tmp_path / "game.log")
    new = ("new", "--rules", "harbor", "--option", "ships=3", "--seed", "5", "-q", "-o", log)
    assert run(fresh, *new).returncode == 0
    bot = Path(__file__).parents[2] / "scripts" / "examples" / "random.sh"
    played = subprocess.run(
        ["sh", bot, log, "12"],
        env={**os.environ, "SINTRA": f"{fresh} -m sintra"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert played.stderr == ""
    assert json.loads(run(fresh, "verify", "--json", log).stdout)["ok"]
    many = ("--rules", "harbor", "--seed", "5", "--jobs", "1", "--out", str(tmp_path / "run"))
    assert run(fresh, "simulate", "3", *many).returncode == 0
    verdicts = run(fresh, "verify", "--json", str(tmp_path / "run")).stdout.splitlines()
    assert [(json.loads(line)["ok"], json.loads(line)["over"]) for line in verdicts] == [(True, True)] * 3
    shown = run(fresh, "show", log).stdout
    assert "berths:" in shown
    assert f'"engine":"{VERSION} sintra-harbor 1.0"' in Path(log).read_text()
    told = [json.loads(line) for line in run(fresh, "replay", "--json", log).stdout.splitlines()]
    assert told[3]["effects"][0]["effect"] == "took"

    subprocess.run(
        [fresh, "-m", "pip", "uninstall", "-q", "-y", "sintra-harbor"], check=True, capture_output=True
    )
    missed = run(fresh, "show", log)
    assert missed.returncode == 6
    assert "no rules named 'harbor' are installed" in missed.stderr
    assert "written with the package 'sintra-harbor 1.0'" in missed.stderr
    assert run(fresh, "verify", log).returncode == 6


ALMOST = """
from sintra.log.events import Noted as Old, Event
from sintra.games.sintra import SINTRA as GIVEN, SintraRules
class Noted(Event, frozen=True, tag="noted"): pass
class RULES(SintraRules):
    name = "broken"
"""


def plug(folder: Path, name: str, rules: str, code: str) -> None:
    """A package as pip leaves it, made by hand."""
    (folder / f"{name}.py").write_text(code)
    info = folder / f"{name}-2.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 2.5\n")
    (info / "entry_points.txt").write_text(f"[sintra.rules]\n{rules} = {name}:RULES\n")


def plug_harbor(folder: Path, *changes: tuple[str, str]) -> None:
    """Plug in the example as pip would, with changes to its rules."""
    plug(folder, "harborpack", "harbor", "from harbor import RULES as RULES\n")
    shutil.copytree(HARBOR / "harbor", folder / "harbor", ignore=shutil.ignore_patterns("__pycache__"))
    rules = folder / "harbor" / "rules.py"
    code = rules.read_text()
    for old, new in changes:
        assert old in code
        code = code.replace(old, new)
    rules.write_text(code)


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        ("import nothing_like_this\n", "ModuleNotFoundError: No module named 'nothing_like_this'"),
        ("1 / 0\n", "ZeroDivisionError: division by zero (brokenpack.py, line 1)"),
        ("other = 1\n", "AttributeError"),
        ("class RULES: name = 'broken'\n", "it has no title, colors"),
        ("from sintra.games.sintra import SINTRA as RULES\n", "it calls itself 'sintra'"),
        ("raise SystemExit(3)\n", "SystemExit: 3"),
        (ALMOST + "    options = None\n", "its options are not a tuple of Option"),
        (ALMOST + "    steps = ()\n", "it needs players, steps"),
        (ALMOST + "    lines = GIVEN.lines + (Noted,)\n", "Noted"),
        (
            ALMOST + "    @property\n    def title(self): raise RuntimeError('no')\nRULES = RULES()\n",
            "RuntimeError: no",
        ),
    ],
)
def test_a_broken_plug_in_is_named_and_harms_no_other(tmp_path: Path, code: str, complaint: str) -> None:
    plug(tmp_path, "brokenpack", "broken", code)
    listed = run(sys.executable, "rules", extra=tmp_path)
    assert listed.returncode == 0
    assert [line.split()[0] for line in listed.stdout.splitlines()] == ["sintra", "azul", "crystal"]
    assert "warning: the plug-in for rules 'broken' (brokenpack 2.5) does not work" in listed.stderr
    assert complaint in listed.stderr
    assert "Traceback" not in listed.stderr
    asked = run(sys.executable, "new", "--rules", "broken", extra=tmp_path)
    assert asked.returncode == 6
    assert complaint in asked.stderr
    assert run(sys.executable, "new", "--seed", "1", extra=tmp_path).stderr == ""


def test_two_plug_ins_of_one_name_are_both_named(tmp_path: Path) -> None:
    plug(tmp_path, "one", "twice", "RULES = 1\n")
    plug(tmp_path, "two", "twice", "RULES = 2\n")
    found = run(sys.executable, "new", "--rules", "twice", extra=tmp_path)
    assert found.returncode == 6
    assert "one 2.5" in found.stderr
    assert "two 2.5" in found.stderr


def test_a_plug_in_does_not_take_the_place_of_built_in_rules(tmp_path: Path) -> None:
    plug(tmp_path, "taker", "azul", "1 / 0\n")
    found = run(sys.executable, "rules", extra=tmp_path)
    assert found.stderr == ""
    assert run(sys.executable, "new", "--rules", "azul", "--seed", "1", extra=tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("change", "message", "lines"),
    [
        (("def copy(self) -> HarborState", "def twin(self)"), "HarborState has no method `copy` (", 1),
        (("self.sizes = event.berths", "1 / 0"), "ZeroDivisionError: division by zero (", 1),
        (("return self.offer.picks()", "raise KeyError(5)"), "KeyError: 5 (", 3),
        (("pier.ships += 1", "int('many')"), "ValueError: invalid literal for int()", 4),
        (("pier.points[LEFT] +=", "assert not pier.points, 'no' #"), "AssertionError: no (", 40),
    ],
)
def test_what_a_plug_in_does_wrong_is_reported_with_file_line_and_log(
    tmp_path: Path, change: tuple[str, str], message: str, lines: int
) -> None:
    plug_harbor(tmp_path, change)
    code = (tmp_path / "harbor" / "rules.py").read_text()
    there = "class HarborState" if "no method" in message else change[1]
    line = code[: code.index(there)].count("\n") + 1
    ran = run(sys.executable, "rules", "harbor", "--test", "--json", extra=tmp_path)
    answer = json.loads(ran.stdout)
    assert (ran.returncode, ran.stderr) == (1, "")
    assert answer["message"].startswith(message)
    assert answer["message"].endswith(f"(harbor/rules.py, line {line})")
    assert json.loads(answer["log"].splitlines()[0])["rules"] == "harbor"
    assert len(answer["log"].splitlines()) >= lines


def test_an_error_of_a_plug_in_is_told_as_one(tmp_path: Path) -> None:
    """Whatever command meets it: with file and line, and exit code 6; other logs are verified."""
    plug_harbor(tmp_path)
    log = tmp_path / "game.log"
    asked = run(sys.executable, "new", "--rules", "harbor", "--seed", "5", "-o", str(log), extra=tmp_path)
    assert asked.returncode == 0, asked.stderr
    rules = tmp_path / "harbor" / "rules.py"
    code = rules.read_text().replace("return self.offer.picks()", "raise KeyError(5)")
    code = code.replace("def deal(", "def deal_before(").replace("self.sizes = event.berths", "1 / 0")
    rules.write_text(code)
    line = code[: code.index("1 / 0")].count("\n") + 1
    said = (
        "the plug-in for rules 'harbor' (harborpack 2.5) does not work: ZeroDivisionError: division by zero"
    )
    place = f"(harbor/rules.py, line {line})"
    for words in (["show"], ["move", "--wait"], ["log", "--json"], ["verify"]):
        ran = run(
            sys.executable, *words, str(log), *(["pick 1 blue"] if "move" in words else []), extra=tmp_path
        )
        assert (ran.returncode, "Traceback" in ran.stderr) == (6, False), ran.stderr
        assert f"{said} {place}" in ran.stderr + ran.stdout
    ran = run(sys.executable, "simulate", "4", "--rules", "harbor", "--jobs", "2", extra=tmp_path)
    assert ran.returncode == 6
    assert f"{said} {place}" in ran.stderr
    sintra.new("azul", seed=1).save(tmp_path / "other.log")
    ran = run(
        sys.executable, "verify", "--json", *[str(log)] * 9, str(tmp_path / "other.log"), extra=tmp_path
    )
    assert [json.loads(verdict)["ok"] for verdict in ran.stdout.splitlines()] == [False] * 9 + [True]


def test_six_colors_and_displays_of_five_go_through_the_whole_program(tmp_path: Path) -> None:
    """A rule-set with other numbers is checked, played, shown, replayed, verified, simulated, typed in."""
    plug(tmp_path, "quarry", "quarry", (Path(__file__).parents[1] / "kit" / "quarry.py").read_text())

    def ask(*words: str, code: int = 0) -> str:
        ran = run(sys.executable, *words, extra=tmp_path)
        assert ran.returncode == code, ran.stderr
        return ran.stdout if code == 0 else ran.stderr

    assert ask("rules", "--test", "quarry").startswith("quarry: ok, ")
    log, table = str(tmp_path / "game.log"), str(tmp_path / "table.log")
    ask("new", "--rules", "quarry", "--seed", "5", "--players", "3", "-o", log)
    assert len(json.loads(ask("show", "--json", log))["state"]["displays"]) == 7
    assert "unknown color 'mauve'; display 7 has " in ask("move", log, "pick", "7", "mauve", code=2)
    assert "the center is empty" in ask("move", log, "pick", "center", "slate", code=3)
    step = json.loads(ask("legal", "--json", log))["legal"][-1]
    ask("move", log, *step.split())
    assert max(map(len, ask("show", log).splitlines())) <= 80
    assert "picks" in ask("replay", log) or step in ask("replay", log)
    assert json.loads(ask("verify", "--json", log))["ok"]
    assert "rounds" in ask("simulate", "3", "--rules", "quarry", "--seed", "1", "--jobs", "1")

    ask("new", "--rules", "quarry", "--table", "-o", table)
    ask("arrange", table)
    ask("deal", table, "basalt", "granite", "gneiss", "marble", "slate", "bgnms", "aaaaa", "bbbbb", "ggggg")
    ask("move", table, "pick", "3", "a")
    assert json.loads(ask("show", "--json", table))["state"]["players"][0]["score"] == 5


def test_the_tests_of_the_example_pass() -> None:
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
    env = {**os.environ, "PYTHONPATH": f"{HARBOR}{os.pathsep}{HARBOR.parent.parent}"}
    ran = subprocess.run(words, cwd=HARBOR, env=env, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


def test_the_questions_are_those_of_the_protocol() -> None:
    members = {name for name in (*RuleSet.__annotations__, *vars(RuleSet)) if not name.startswith("_")}
    assert members == set(QUESTIONS)
