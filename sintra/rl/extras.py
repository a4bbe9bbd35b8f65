"""Packages that only programs that learn need: where one is missing, a sentence says how to get it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from sintra.errors import UsageError

EXTRAS = {
    "numpy": "rl",
    "librt": "rl",
    "pettingzoo": "rl",
    "gymnasium": "rl",
    "pyspiel": "openspiel",
    "open_spiel": "openspiel",
    "pyarrow": "data",
}
"""The extras by the packages that they install."""


def needed(module: str) -> Any:
    """Import a module; raise UsageError if it needs a package of an extra that is not installed."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in EXTRAS:
            raise
        raise UsageError(f"this needs {missing}: pip install 'sintra[{EXTRAS[missing]}]'") from None
