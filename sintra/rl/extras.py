"""Packages that only the learning interfaces need: if one is missing, the error says how to get it."""

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
"""The extra that installs each package."""


def needed(module: str) -> Any:
    """Import a module; raise UsageError if it needs an extra that is not installed."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in EXTRAS:
            raise
        raise UsageError(f"this needs {missing}: pip install 'sintra[{EXTRAS[missing]}]'") from None
