"""`python -m scripts.bench`; what it does is in the package's docstring."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import scripts.bench
from scripts.bench.figures import FIGURES, chosen
from scripts.bench.instructions import COUNTED, counted
from scripts.bench.report import HEADER, line, machine, page
from scripts.bench.rounds import FULL, QUICK, ROOT, Build, Plan, Result, measured

BUILDS = ("interpreted", "compiled")


def arguments() -> argparse.Namespace:
    """Return what was asked for."""
    figures = "\n".join(f"  {figure.name:<26}{figure.about}" for figure in FIGURES)
    parser = argparse.ArgumentParser(
        prog="python -m scripts.bench",
        description=scripts.bench.__doc__,
        epilog=f"figures:\n{figures}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="figures that begin so")
    parser.add_argument("--build", choices=BUILDS, help="only this build")
    parser.add_argument("--against", type=Path, metavar="DIR", help="also measure this tree, turn by turn")
    parser.add_argument("--quick", action="store_true", help="short rounds")
    parser.add_argument("--rounds", type=int, default=FULL.rounds, metavar="N", help="rounds for each figure")
    parser.add_argument("--kept", type=Path, metavar="FILE", help="keep figures here; measure missing ones")
    parser.add_argument("--check", action="store_true", help="exit code 1 if a target is missed")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    parser.add_argument("--note", default="", metavar="TEXT", help="what else the page says about the run")
    given = parser.parse_args()
    for name in given.only:
        if not chosen([name]) and not any(known.startswith(name) for known in COUNTED):
            parser.error(f"no figure begins with {name}")
    return given


def kept(path: Path | None) -> dict[str, list[Result]]:
    """Return the figures that a file keeps, by name."""
    found: dict[str, list[Result]] = {}
    if path is not None and path.exists():
        for text in path.read_text().splitlines():
            result = Result(**json.loads(text))
            found.setdefault(result.figure, []).append(result)
    return found


def results(given: argparse.Namespace, plan: Plan) -> Iterator[Result]:
    """Yield all figures asked for: those that are kept, and the others when they are measured."""
    known = kept(given.kept)
    for name, measure in measures(given, plan):
        new = [] if name in known else measure()
        if given.kept is not None:
            with given.kept.open("a") as file:
                file.writelines(json.dumps(vars(result)) + "\n" for result in new)
        yield from known.get(name, new)


def measures(given: argparse.Namespace, plan: Plan) -> Iterator[tuple[str, Callable[[], list[Result]]]]:
    """Yield the names of the figures asked for, and what measures them."""
    trees = [ROOT, *([given.against.resolve()] if given.against else [])]
    builds = [Build(tree, kind) for kind in BUILDS if given.build in (None, kind) for tree in trees]
    for figure in chosen(given.only):
        yield figure.name, partial(measured, figure, builds, plan)
    for name in COUNTED:
        if not given.only or name.startswith(tuple(given.only)):
            yield name, partial(counted, name, builds)


def main() -> int:
    """Measure, print, and report missed targets by the exit code."""
    given = arguments()
    plan = QUICK if given.quick else Plan(given.rounds, FULL.seconds)
    if not given.json:
        print(f"{machine()}\nmedians of {plan.rounds} rounds by CPU time, all sides in turn\n\n{HEADER}")
    found = []
    for result in results(given, plan):
        found.append(result)
        if not given.json:
            print(line(result), flush=True)
    if given.json:
        print(json.dumps({"machine": machine(), "figures": [vars(result) for result in found]}, indent=2))
    if given.write:
        (ROOT / "docs" / "benchmarks.md").write_text(page(found, plan, given.note))
    return 1 if given.check and any(result.met is False for result in found) else 0


if __name__ == "__main__":
    sys.exit(main())
