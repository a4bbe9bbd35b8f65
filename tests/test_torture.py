"""The short form of `make torture`: crashes, cuts, errors, races, and protections that are taken out.

Campaigns fork, so each runs in a process of its own, which has one thread.
"""

from __future__ import annotations

import argparse
import ast
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scripts.torture import __main__ as campaigns
from scripts.torture import draws, edits, taken_out
from scripts.torture.layer import CALLS, calmly
from sintra.log import files, locking, writing

pytestmark = pytest.mark.process

ROOT = Path(__file__).parent.parent


def short(name: str) -> dict[str, Any]:
    """The figures of a campaign in its short form; it has to pass."""
    words = [sys.executable, "-m", "scripts.torture", "--only", name, "--scale", "0.02", "--json"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    figures = json.loads(done.stdout)[name]
    assert isinstance(figures, dict)
    return figures


def test_killed_at_every_call() -> None:
    figures = short("crash")
    assert figures["kills"] > figures["of them inside a write"] > 10
    assert figures["traces with all syncs in place"] >= 18


def test_cut_at_every_byte() -> None:
    figures = short("cut")
    assert figures["cuts"] > 2000
    assert figures["refused by a writer, and repaired with a backup"] > 20


def test_errors_at_every_call() -> None:
    figures = short("faults")
    assert figures["injected errors"] > 100
    assert figures["file-size limits (RLIMIT_FSIZE)"] > 10


def test_races() -> None:
    figures = short("race")
    assert figures["meetings of two commands"] > 20
    assert figures["moves acknowledged"] + figures["undos and notes acknowledged"] == 120
    assert figures["reads meanwhile"] > 0


def test_draws_taken_back_and_forked() -> None:
    figures = short("draws")
    assert figures["deals drawn again after an undo"] > 5
    assert figures["pieces exchanged, and noticed where the seed counts"] >= 10


def test_forms_of_json() -> None:
    figures = short("forms")
    assert figures["forms"] == 57
    assert figures["types of events"] == 12


def test_numbers_at_their_ends() -> None:
    figures = short("numbers")
    assert figures["numbers that commands take"] > 50
    assert figures["of them refused"] > 8


def test_commands_in_odd_environments() -> None:
    figures = short("environments")
    assert figures["environments"] * figures["commands"] > 1400


def test_tampered_folders_of_runs() -> None:
    figures = short("folders")
    assert figures["right results"] > 5


def test_bots_that_fail_leave_nothing_behind() -> None:
    figures = short("programs")
    assert figures["ways to fail"] == 15
    assert figures["games with a bot that fails, each named for it"] == 44
    assert figures["processes left"] == 0


def test_a_tournament_survives_kills() -> None:
    figures = short("league")
    assert figures["kills"] == 2
    assert figures["games"] == figures["logs"] == 20


def test_no_protection_can_be_left_out() -> None:
    assert short("protections")["protections taken out, and missed"] == len(taken_out.SHORT)


def test_no_protection_can_be_edited_out() -> None:
    assert short("edits")["protections edited out, and missed"] == len(edits.SHORT)


def test_edits_are_of_the_source_as_it_is() -> None:
    for edit in edits.EDITS:
        assert edits.place_of(edit)
        module, _, name = edit.test.partition("::")
        assert f"def {name}(" in (ROOT / edits.file_of(module)).read_text(), edit.test


def test_the_page_lists_every_protection() -> None:
    page = (ROOT / "docs" / "campaigns.md").read_text()
    names = [removal.protection for removal in taken_out.REMOVALS] + [edit.protection for edit in edits.EDITS]
    assert [name for name in names if f"| {name} |" not in page] == []


def test_campaigns_in_the_background_can_be_stopped_and_stop_others() -> None:
    """A shell has what it starts in the background ignore Ctrl-C, which would be inherited."""
    code = "import signal, sys; sys.argv[1:] = ['--only', 'draws', '--scale', '0.01', '--json']\n"
    code += (
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\nfrom scripts.torture.__main__ import main\nmain()\n"
    )
    code += "assert signal.getsignal(signal.SIGINT) is signal.default_int_handler"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


def test_a_campaign_that_breaks_is_not_the_end_of_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(scale: float, scratch: Path) -> dict[str, int | str]:
        raise subprocess.TimeoutExpired(f"{scratch.name} at {scale}", 30)

    monkeypatch.setattr(draws, "run", broken)
    wanted = argparse.Namespace(only=["draws", "forms"], scale=0.01)
    found = dict(campaigns._in_turn(wanted))
    assert "TimeoutExpired" in str(found["draws"]["failed"])
    assert found["forms"]["forms"] == 57


def test_figures_are_kept_until_the_table_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "campaigns.md"
    page.write_text(f"# Page\n\n{campaigns.HEADING}\n\n| old | table | 1 |\n\n## Next\n\nmore\n")
    monkeypatch.setattr(campaigns, "PAGE", page)
    monkeypatch.setattr(campaigns, "KEPT", tmp_path / "build" / "torture")
    campaigns._keep("forms", {"forms": 1})
    campaigns._keep("crash", {"kills": 3580, "  without x": "y"})
    campaigns._keep("forms", {"forms": 5700})
    campaigns._write(None)
    text = page.read_text()
    assert "| crash | kills | 3,580 |\n| forms | forms | 5,700 |\n\n## Next\n\nmore\n" in text
    assert "campaign by campaign, at commit " in text
    assert "old" not in text
    assert "without x" not in text


def test_the_program_leaves_nothing_behind_for_the_next_campaign(tmp_path: Path) -> None:
    def kept() -> list[Any]:
        return [signal.getsignal(signal.SIGPIPE), sys.stdin, sys.stdout, sys.stderr, sys.argv, Path.cwd()]

    before = kept()
    assert calmly("new", "--seed", "1", "-o", "game.log", cwd=tmp_path).code == 0
    assert kept() == before


def test_the_layer_stands_before_all_that_touches_a_log() -> None:
    """What appends, repairs, creates and reads reaches the system only by calls that the layer numbers."""
    body = [
        node
        for module in (files, locking, writing)
        for node in ast.parse(Path(str(module.__file__)).read_text()).body
    ]
    touching = {
        "Appender",
        "repair",
        "create",
        "read",
        "raw",
        "_shared",
        "_chunks_for_reading",
        "open_fd",
        "read_fd",
    }
    touching |= {
        "stat_fd",
        "_backup",
        "_open_draft",
        "_publish",
        "_sync_folder",
        "_write_all",
        "lock",
    }
    harmless = {"path", "fspath", "strerror", "getpid", "stat_result"}
    parts = [node for node in body if getattr(node, "name", None) in touching]
    assert len(parts) == len(touching)
    for node in (inner for part in parts for inner in ast.walk(part)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id != "open"
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "os":
            known = node.attr in CALLS or node.attr in harmless or node.attr.startswith("O_")
            assert known, f"os.{node.attr} is not watched"
