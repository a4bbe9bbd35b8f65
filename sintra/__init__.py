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

from sintra.version import VERSION

if TYPE_CHECKING:
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
    from sintra.simulation import simulate
    from sintra.steps import Step
    from sintra.survey import stats
    from sintra.values import Table

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

_HOMES = {
    "Game": "game",
    "Step": "steps",
    "Table": "values",
    "load": "loading",
    "loads": "loading",
    "new": "loading",
    "simulate": "simulation",
    "stats": "survey",
}
"""The modules of what is here; all else are errors.

They are imported when they are asked for: so the program soon reaches the line from which on Ctrl-C ends it
quietly.
"""


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in __all__:
        globals()[name] = found = getattr(import_module(f"sintra.{_HOMES.get(name, 'errors')}"), name)
        return found
    try:
        if not name.startswith("_"):
            return import_module(f"sintra.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"sintra.{name}":  # it is there, and needs another
            raise
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
