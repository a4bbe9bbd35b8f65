"""The results as a table: on a terminal, and as docs/benchmarks.md."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from pathlib import Path

from scripts.bench.figures import FIGURES
from scripts.bench.instructions import COUNTED
from scripts.bench.rounds import Plan, Result

HEADER = f"{'figure':<25}{'build':<24}{'engine':>12} {'yardstick':>22} {'ratio':>17}  {'target':<9}met"


def machine() -> str:
    """Return where this was measured, in a line."""
    from sintra.version import VERSION

    parts = [
        f"sintra {VERSION}",
        f"{platform.python_implementation()} {platform.python_version()}",
        f"{platform.system()} {platform.machine()}",
        f"{os.cpu_count()} CPUs",
    ]
    return ", ".join(parts + _processor())


def _processor() -> list[str]:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return [platform.processor()] if platform.processor() else []
    return [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")][:1]


def number(value: float) -> str:
    """Return a figure with a sensible number of digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def ratio(value: float) -> str:
    """Return a ratio with two or three significant digits."""
    return (
        f"{value:.0f}"
        if value >= 100
        else f"{value:.1f}"
        if value >= 10
        else f"{value:.2f}"
        if value >= 0.2
        else f"{value:.3f}"
    )


def line(result: Result) -> str:
    """Return a line of the table."""
    start = f"{result.figure:<25}{result.build:<24}"
    if result.value is None:
        return f"{start}  not measured: {result.why_not}"
    beside = f"{'':>12} {'':<9}{'':>8}"
    if result.yardstick is not None and result.ratio is not None:
        beside = f"{number(result.yardstick):>12} {result.yardstick_unit:<9}{ratio(result.ratio):>8}"
    met = {True: "yes", False: "NO", None: ""}[result.met]
    before = f"  {ratio(result.to_before)} of before" if result.to_before is not None else ""
    value = f"{number(result.value):>12} {result.unit:<9}"
    return f"{start}{value}{beside}  {result.target:<9}{met}{before}".rstrip()


INTRODUCTION = """# Benchmarks

`make bench` measures every figure against a yardstick in the same run, and `python -m scripts.bench
--write` writes this page. Engine and yardstick take turns in short rounds, measured in CPU time, each in
its own process. A figure is the median of {rounds} rounds, a ratio the median of the ratios per round.
Trust the ratios more: the machine is noisy. Each figure is based on at least 200 different games. A turn is
a pick with its placing and keeping, or a return.

{machine}.
"""


def page(results: Sequence[Result], plan: Plan, note: str = "") -> str:
    """Return docs/benchmarks.md, with a note about the run."""
    parts = [INTRODUCTION.format(rounds=plan.rounds, machine=f"{machine()}. {note}".rstrip(" ."))]
    parts.append("| what | interpreted | ratio | compiled | ratio | yardstick |\n|---|--:|--:|--:|--:|---|")
    about = {figure.name: (figure.about, figure.beside) for figure in FIGURES}
    rows = []
    for name in dict.fromkeys(result.figure for result in results if result.figure in about):
        found = {result.build: result for result in results if result.figure == name}
        rows.append(_row(*about[name], found))
    text = "\n".join(["\n".join(parts), *rows]) + "\n"
    counted = [result for result in results if result.figure in COUNTED]
    if counted:
        text += "\nInstructions by callgrind, compiled, which repeat exactly:\n\n"
        text += "| what | instructions |\n|---|--:|\n"
        text += "".join(f"| {COUNTED[one.figure][1]} | {_cell(one)} |\n" for one in counted)
    return text


def _row(about: str, beside: str, found: dict[str, Result]) -> str:
    cells = []
    for build in ("interpreted", "compiled"):
        result = found.get(build)
        if result is None or result.value is None or result.ratio is None:
            cells += ["", ""]
        else:
            cells += [f"{number(result.value)} {result.unit}", ratio(result.ratio)]
    last = next((result for result in reversed(found.values()) if result.yardstick is not None), None)
    value = f"{number(last.yardstick or 0)} {last.yardstick_unit}, " if last else ""
    return f"| {about} | {' | '.join(cells)} | {value}{beside} |"


def _cell(result: Result) -> str:
    return number(result.value) if result.value is not None else f"not measured: {result.why_not}"
