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
    from sintra._pure import prefer_source

    prefer_source()

from sintra.version import VERSION

if TYPE_CHECKING:
    from sintra.api import convert, diff, load, loads, new, open, repair, score
    from sintra.batch.results import Verdict
    from sintra.batch.simulation import simulate
    from sintra.batch.stats import stats
    from sintra.batch.verify import verify
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
    from sintra.rules.snapshot import Snapshot
    from sintra.rules.steps import Step

__version__ = VERSION

__all__ = [
    "Conflict",
    "DamagedLog",
    "Game",
    "IllegalStep",
    "SintraError",
    "Snapshot",
    "Step",
    "Unknown",
    "UnknownFormat",
    "UnknownRules",
    "Unreadable",
    "UsageError",
    "Verdict",
    "WorkersLost",
    "__version__",
    "convert",
    "diff",
    "load",
    "loads",
    "new",
    "open",
    "repair",
    "score",
    "simulate",
    "stats",
    "verify",
]

_HOMES = {
    "Game": "game",
    "Step": "rules.steps",
    "Snapshot": "rules.snapshot",
    **dict.fromkeys(("convert", "diff", "load", "loads", "new", "open", "repair", "score"), "api"),
    "simulate": "batch.simulation",
    "stats": "batch.stats",
    "verify": "batch.verify",
    "Verdict": "batch.results",
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
