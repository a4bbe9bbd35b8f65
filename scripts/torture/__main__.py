"""Run the campaigns: `python -m scripts.torture [--only NAME ...] [--scale S] [--json]`."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import shutil
import sys
import tempfile
import time
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
    "fuzz": "scripts.torture.fuzz",
}
"""Every campaign with its module, which has `run(scale, scratch)`: figures, or an AssertionError."""

MEMORY = "/dev/shm"
"""Where it is there: a kill loses nothing that the system holds, so nothing has to wait for a disk."""

MAX_SHOWN = 25
"""Characters that stand beside what they are about."""

Figures = dict[str, int | str]


def main() -> int:
    """Run the campaigns that were asked for, and print the figures."""
    wanted = _arguments()
    scratch = Path(tempfile.mkdtemp(prefix="sintra-torture-", dir=MEMORY if os.path.isdir(MEMORY) else None))
    found: dict[str, Figures] = {}
    failed: dict[str, str] = {}
    for name in wanted.only or CAMPAIGNS:
        folder = scratch / name
        folder.mkdir()
        start = time.monotonic()
        try:
            found[name] = dict(importlib.import_module(CAMPAIGNS[name]).run(wanted.scale, folder))
        except AssertionError as error:
            failed[name] = str(error)
            found[name] = {"failed": str(error)}
        else:
            shutil.rmtree(folder, ignore_errors=True)
        found[name]["seconds"] = round(time.monotonic() - start)
        if not wanted.json:
            _tell(name, found[name])
    if not failed:
        shutil.rmtree(scratch, ignore_errors=True)
    if wanted.json:
        print(json.dumps(found))
    else:
        kept = f"; what they left is in {scratch}" if failed else ""
        print(f"\n{'failed: ' + ', '.join(failed) if failed else 'all campaigns passed'}{kept}")
    return 1 if failed else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m scripts.torture", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=CAMPAIGNS, metavar="NAME", help=", ".join(CAMPAIGNS))
    parser.add_argument("--scale", type=float, default=1.0, help="1 is the full form, less is shorter")
    parser.add_argument("--json", action="store_true", help="print the figures as one JSON object")
    return parser.parse_args()


def _tell(name: str, figures: Figures) -> None:
    """A campaign's part of the table; long texts go below."""
    for row, (what, value) in enumerate(figures.items()):
        shown = f"{value:,}" if isinstance(value, int) else value
        head = f"{name if row == 0 else '':12} {what:52}"
        if len(shown) > MAX_SHOWN:
            print(head.rstrip(), *wrap(shown, 76), sep=f"\n{'':17}", flush=True)
        else:
            print(f"{head} {shown:>9}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
