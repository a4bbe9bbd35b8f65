"""`python -m scripts.bench`; what it does is in the package's docstring."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
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
    parser.add_argument("--check", action="store_true", help="exit code 1 if a target is missed")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    given = parser.parse_args()
    for name in given.only:
        if not chosen([name]) and not any(known.startswith(name) for known in COUNTED):
            parser.error(f"no figure begins with {name}")
    return given


def results(given: argparse.Namespace, plan: Plan) -> Iterator[Result]:
    """Measure one figure after the other."""
    trees = [ROOT, *([given.against.resolve()] if given.against else [])]
    builds = [Build(tree, kind) for kind in BUILDS if given.build in (None, kind) for tree in trees]
    for figure in chosen(given.only):
        yield from measured(figure, builds, plan)
    for name in COUNTED:
        if not given.only or name.startswith(tuple(given.only)):
            yield from counted(name, builds)


def main() -> int:
    """Measure, print, and report missed targets by the exit code."""
    given = arguments()
    plan = QUICK if given.quick else FULL
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
        (ROOT / "docs" / "benchmarks.md").write_text(page(found, plan))
    return 1 if given.check and any(result.met is False for result in found) else 0


if __name__ == "__main__":
    sys.exit(main())
