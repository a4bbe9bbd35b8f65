"""Sides that take turns: each is a process that measures on request."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from types import TracebackType

from scripts.bench.engine import Unmeasured
from scripts.bench.figures import Figure, Side

ROOT = Path(__file__).parent.parent.parent


@dataclass(frozen=True)
class Plan:
    """How long to measure."""

    rounds: int
    seconds: float
    """Of one side in one round."""


FULL = Plan(rounds=9, seconds=0.3)
QUICK = Plan(rounds=3, seconds=0.05)


@dataclass(frozen=True)
class Build:
    """A tree of this project, interpreted or compiled."""

    tree: Path
    kind: str

    @property
    def name(self) -> str:
        """Its name in the table."""
        return self.kind if self.tree == ROOT else f"{self.kind}, {self.tree}"

    def environment(self) -> dict[str, str]:
        """Return what a process needs to run this build."""
        place = self.tree if self.kind == "interpreted" else self.tree / "build" / "compiled"
        if self.kind == "compiled" and not [*place.glob("*.so")]:
            raise Unmeasured(f"there is no compiled build in {place}: make compiled")
        plain = {
            name: value for name, value in os.environ.items() if name not in ("SINTRA_PURE", "PYTHONPATH")
        }
        pure = {"SINTRA_PURE": "1"} if self.kind == "interpreted" else {}
        return {**plain, **pure, "PYTHONSAFEPATH": "1", "PYTHONPATH": str(place)}


def script(name: str) -> list[str]:
    """Return the command that runs a script of this folder, even for another tree."""
    code = (
        f"sys.path.insert(0, {str(ROOT)!r}); from scripts.bench.{name} import main; del sys.path[0]; main()"
    )
    return [sys.executable, "-c", f"import sys; {code}"]


class Worker:
    """One side in a process of its own."""

    def __init__(self, side: Side, environment: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            [*script("worker"), *side],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self.unit = str(self._answer()["unit"])

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()

    def measure(self, seconds: float) -> float:
        """Measure once."""
        assert self._process.stdin
        print(seconds, file=self._process.stdin, flush=True)
        return float(self._answer()["value"])

    def _answer(self) -> dict[str, str]:
        assert self._process.stdout
        line = self._process.stdout.readline()
        answer = json.loads(line) if line else {"why_not": "its process ended early"}
        if not isinstance(answer, dict):
            return {"value": str(answer)}
        if "why_not" in answer:
            self._process.communicate()
            raise Unmeasured(str(answer["why_not"]))
        return answer


@dataclass(frozen=True)
class Result:
    """A figure of a build, or why there is none."""

    figure: str
    build: str
    target: str = ""
    met: bool | None = None
    value: float | None = None
    unit: str = ""
    yardstick: float | None = None
    yardstick_unit: str = ""
    ratio: float | None = None
    to_before: float | None = None
    """How many times the figure of the same build of the other tree."""
    why_not: str = ""


def measured(figure: Figure, builds: Iterable[Build], plan: Plan) -> list[Result]:
    """Measure a figure: all builds and the yardstick take turns."""
    missing: list[Result] = []
    with ExitStack() as stack:
        pairs: list[tuple[Build, Worker, Worker]] = []
        shared: Worker | None = None
        for build in builds:
            if build.kind not in figure.builds:
                continue
            try:
                environment = build.environment()
                engine = stack.enter_context(Worker(figure.engine, environment))
                if figure.same_build or shared is None:
                    shared = stack.enter_context(Worker(figure.yardstick, environment))
                pairs.append((build, engine, shared))
            except Unmeasured as error:
                missing.append(Result(figure.name, build.name, figure.target(build.kind), why_not=str(error)))
        workers = list(dict.fromkeys(worker for _, *two in pairs for worker in two))
        try:
            rounds = [{w: w.measure(plan.seconds) for w in workers} for _ in range(plan.rounds)]
        except Unmeasured as error:
            return [*missing, *(Result(figure.name, b.name, why_not=str(error)) for b, _, _ in pairs)]
    return [_result(figure, pair, pairs, rounds) for pair in pairs] + missing


def _result(
    figure: Figure,
    pair: tuple[Build, Worker, Worker],
    pairs: Sequence[tuple[Build, Worker, Worker]],
    rounds: Sequence[dict[Worker, float]],
) -> Result:
    build, engine, yardstick = pair
    ratio = median(round[engine] / round[yardstick] for round in rounds)
    more = median(round[engine] - round[yardstick] for round in rounds)
    before = [w for b, w, _ in pairs if b.kind == build.kind and b.tree != ROOT and build.tree == ROOT]
    ours = build.tree == ROOT
    return Result(
        figure=figure.name,
        build=build.name,
        target=figure.target(build.kind) if ours else "",
        met=figure.met(build.kind, ratio, more) if ours else None,
        value=median(round[engine] for round in rounds),
        unit=engine.unit,
        yardstick=median(round[yardstick] for round in rounds),
        yardstick_unit=yardstick.unit,
        ratio=ratio,
        to_before=median(round[engine] / round[before[0]] for round in rounds) if before else None,
    )
