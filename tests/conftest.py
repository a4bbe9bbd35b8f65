"""What all tests need."""

from __future__ import annotations

import importlib
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sintra.rules.ruleset import RuleSet

# Where a shell started the tests in the background, Ctrl-C is ignored, and what they start inherits that.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def harbor() -> Iterator[RuleSet]:
    """The example plug-in, from its folder."""
    folder = str(Path(__file__).parent.parent / "fixtures" / "harbor")
    sys.path.insert(0, folder)
    try:
        yield importlib.import_module("harbor").RULES
    finally:
        sys.path.remove(folder)
