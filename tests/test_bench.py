"""The benchmarks run: every figure's sides can be made ready, and a table comes out."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.bench.figures import FIGURES
from scripts.bench.instructions import COUNTED
from scripts.bench.report import line, page
from scripts.bench.rounds import QUICK, Result
from scripts.bench.worker import SIDES

ROOT = Path(__file__).parent.parent


def test_every_figure_has_its_sides() -> None:
    assert {name for figure in FIGURES for name, *_ in (figure.engine, figure.yardstick)} <= {*SIDES}
    assert len({figure.name for figure in FIGURES}) == len(FIGURES)


@pytest.mark.parametrize("figure", ["copy-azul-2", "loads", "choice-program"])
def test_a_figure_is_measured_or_says_why_not(figure: str) -> None:
    command = [sys.executable, "-m", "scripts.bench", "--quick", "--json", "--build", "interpreted"]
    done = subprocess.run([*command, "--only", figure], cwd=ROOT, capture_output=True, check=True)
    for result in json.loads(done.stdout)["figures"]:
        assert result["why_not"] or (result["value"] > 0 and result["ratio"] > 0)


def test_figures_that_are_kept_are_not_measured_again(tmp_path: Path) -> None:
    kept = tmp_path / "figures"
    text = json.dumps(vars(Result("copy-azul-2", "interpreted", value=1.0, unit="ns"))) + "\n"
    kept.write_text(text)
    command = [sys.executable, "-m", "scripts.bench", "--json", "--kept", str(kept), "--only", "copy-azul-2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    assert json.loads(done.stdout)["figures"] == [json.loads(text)]
    assert kept.read_text() == text


def test_the_page_has_every_figure_once() -> None:
    results = [
        Result(figure.name, build, "", None, 1234.5, "turns/s", 10.0, "plies/s", 123.45)
        for figure in FIGURES
        for build in figure.builds
    ]
    results += [Result(name, "compiled", value=1800.0, unit="instr.") for name in COUNTED]
    text = page(results, QUICK, "It was noisy.")
    assert "It was noisy.\n" in text
    assert text.count("\n| ") == len(FIGURES) + len(COUNTED) + 2
    assert "1,800" in text
    assert "123" in line(results[0])
    assert "not measured: no chess" in line(Result("loads", "compiled", why_not="no chess"))
