"""sintra: an event-sourced engine for the Azul family of board games.

>>> import sintra
>>> game = sintra.new("sintra", players=["Ada", "Ben"], seed=42)
>>> events = game.play("pick 3 orange place 2")
>>> game.player
2
>>> sintra.loads(game.dumps()).scores
[0, 0]
"""

import os
from typing import TYPE_CHECKING, Any

if os.environ.get("SINTRA_PURE"):
    from sintra.pure import prefer_source

    prefer_source()

from sintra.errors import (
    Conflict,
    DamagedLog,
    IllegalStep,
    SintraError,
    Unknown,
    UnknownFormat,
    UnknownRules,
    Unreadable,
    UsageError,
    WorkersLost,
)
from sintra.game import Game
from sintra.loading import load, loads, new
from sintra.steps import Step
from sintra.values import Table
from sintra.version import VERSION

if TYPE_CHECKING:
    from sintra.simulation import simulate
    from sintra.survey import stats

__version__ = VERSION

__all__ = [
    "Conflict",
    "DamagedLog",
    "Game",
    "IllegalStep",
    "SintraError",
    "Step",
    "Table",
    "Unknown",
    "UnknownFormat",
    "UnknownRules",
    "Unreadable",
    "UsageError",
    "WorkersLost",
    "__version__",
    "load",
    "loads",
    "new",
    "simulate",
    "stats",
]

_LATE = {"simulate": "sintra.simulation", "stats": "sintra.survey"}
"""What is imported when it is asked for: most programs never need it."""


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LATE[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATE})
