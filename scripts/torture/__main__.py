"""Run the campaigns: `python -m scripts.torture [--only NAME ...] [--scale S] [--jobs N] [--json] [--write]`.

With more than one job, each campaign is a process of its own.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from textwrap import wrap

CAMPAIGNS = {
    "crash": "scripts.torture.crash",
    "cut": "scripts.torture.cut",
    "faults": "scripts.torture.faults",
    "race": "scripts.torture.race",
    "protections": "scripts.torture.taken_out",
    "edits": "scripts.torture.edits",
    "limits": "scripts.torture.limits",
    "mutants": "scripts.torture.mutants",
    "values": "scripts.torture.values",
    "draws": "scripts.torture.draws",
    "forms": "scripts.torture.forms",
    "numbers": "scripts.torture.numbers",
    "environments": "scripts.torture.environments",
    "cluster": "scripts.torture.cluster",
    "programs": "scripts.torture.programs",
    "folders": "scripts.torture.folders",
    "stops": "scripts.torture.stops",
    "league": "scripts.torture.league",
    "codes": "scripts.torture.codes",
    "fuzz": "scripts.torture.fuzz",
}
"""Every campaign with its module, which has `run(scale, scratch)`: figures, or an AssertionError."""

MEMORY = "/dev/shm"
"""Used if it exists: a kill loses nothing that the system holds, so nothing has to wait for a disk."""

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "campaigns.md"
HEADING = "## Figures of a run"
KEPT = ROOT / "build" / "torture"
"""A file for each campaign: the figures of its last full form that passed, and the commit."""

LONG = ("programs", "fuzz", "race", "stops", "mutants", "codes")
"""The campaigns that take longest."""

MAX_SHOWN = 25
"""Characters that stand beside what they are about."""

Figures = dict[str, int | str]


def main() -> int:
    """Run the requested campaigns, and print the figures."""
    wanted = _arguments()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell makes background processes ignore it
    start = time.monotonic()
    found: dict[str, Figures] = {}
    for name, figures in _beside(wanted) if wanted.jobs > 1 else _in_turn(wanted):
        found[name] = figures
        if wanted.scale >= 1 and "failed" not in figures and not wanted.json:
            _keep(name, figures)
        if not wanted.json:
            _tell(name, figures)
    failed = [name for name, figures in found.items() if "failed" in figures]
    if wanted.write and not failed and wanted.scale >= 1:
        _write(None if wanted.only else round(time.monotonic() - start))
    if wanted.json:
        print(json.dumps(found))
    else:
        print(f"\n{'failed: ' + ', '.join(failed) if failed else 'all campaigns passed'}")
    return 1 if failed else 0


def _in_turn(wanted: argparse.Namespace) -> Iterator[tuple[str, Figures]]:
    """Yield the figures of one campaign after the other."""
    for name in wanted.only or CAMPAIGNS:
        place = MEMORY if os.path.isdir(MEMORY) else None
        scratch = Path(tempfile.mkdtemp(prefix=f"sintra-torture-{name}-", dir=place))
        start = time.monotonic()
        try:
            figures = dict(importlib.import_module(CAMPAIGNS[name]).run(wanted.scale, scratch))
        except Exception as error:  # a broken one must not stop the others
            if not isinstance(error, AssertionError):
                traceback.print_exc()
            reason = str(error) if isinstance(error, AssertionError) else repr(error)
            figures = {"failed": reason, "what it left": str(scratch)}
        else:
            shutil.rmtree(scratch, ignore_errors=True)
        yield name, {**figures, "seconds": round(time.monotonic() - start)}


def _beside(wanted: argparse.Namespace) -> Iterator[tuple[str, Figures]]:
    """Yield the figures of campaigns that run in parallel, as they end; the longest start first."""
    names = sorted(wanted.only or CAMPAIGNS, key=lambda name: (name not in LONG, [*CAMPAIGNS].index(name)))
    with ThreadPoolExecutor(wanted.jobs) as pool:
        running = {pool.submit(_apart, name, wanted.scale): name for name in names}
        for done in as_completed(running):
            yield running[done], done.result()


def _apart(name: str, scale: float) -> Figures:
    """Return the figures of a campaign that runs in a separate process."""
    words = [sys.executable, "-m", "scripts.torture", "--only", name, "--scale", str(scale), "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    try:
        figures: Figures = json.loads(done.stdout)[name]
    except (ValueError, KeyError):
        return {"failed": f"exit code {done.returncode}: {(done.stdout + done.stderr)[-2000:]}", "seconds": 0}
    return figures


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m scripts.torture", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=CAMPAIGNS, metavar="NAME", help=", ".join(CAMPAIGNS))
    parser.add_argument("--scale", type=float, default=1.0, help="1 is the full form, less is shorter")
    parser.add_argument("--jobs", type=int, default=1, help="campaigns that run beside each other")
    parser.add_argument("--json", action="store_true", help="print the figures as one JSON object")
    parser.add_argument(
        "--write", action="store_true", help=f"put the kept figures into {PAGE.name} if nothing failed"
    )
    return parser.parse_args()


def _keep(name: str, figures: Figures) -> None:
    """Save the figures of a campaign that passed."""
    words = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    KEPT.mkdir(parents=True, exist_ok=True)
    (KEPT / f"{name}.json").write_text(json.dumps({"commit": commit or "unknown", "figures": figures}))


def _write(took: int | None) -> None:
    """Rewrite the table on the page of campaigns from the saved figures; `took` if all were in one run."""
    files = {name: KEPT / f"{name}.json" for name in CAMPAIGNS}
    kept = {name: json.loads(file.read_text()) for name, file in files.items() if file.exists()}
    commits = list(dict.fromkeys(one["commit"] for one in kept.values()))
    at = f"at commit {commits[0]}" if len(commits) == 1 else "each at the commit beside it"
    how = f"{took // 60} min, in one run of `make torture`" if took is not None else "campaign by campaign"
    lines = [
        HEADING,
        "",
        f"CPython {platform.python_version()}, {platform.system()}, {os.cpu_count()} CPUs; {how}, {at}.",
        "",
        "| campaign | what | figure |",
        "|---|---|---|",
    ]
    for name, one in kept.items():
        head = name if len(commits) == 1 else f"{name} ({one['commit']})"
        for what, value in one["figures"].items():
            if not what.startswith("  without "):  # those are told below
                shown = f"{value:,}" if isinstance(value, int) else value
                lines.append(f"| {head} | {what} | {shown} |")
                head = ""
    before, _, rest = PAGE.read_text().partition(HEADING)
    after = rest[rest.index("\n## ") + 1 :]
    PAGE.write_text(before + "\n".join([*lines, "", ""]) + after)


def _tell(name: str, figures: Figures) -> None:
    """Return a campaign's part of the table; long texts go below."""
    for row, (what, value) in enumerate(figures.items()):
        shown = f"{value:,}" if isinstance(value, int) else value
        head = f"{name if row == 0 else '':12} {what:52}"
        if len(shown) > MAX_SHOWN:
            print(head.rstrip(), *wrap(shown, 76), sep=f"\n{'':17}", flush=True)
        else:
            print(f"{head} {shown:>9}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
