"""sintra: an event-sourced engine for the Azul family of board games.

>>> import sintra
>>> game = sintra.new("sintra", players=["Ada", "Ben"], seed=42)
>>> events = game.play("pick 3 orange place 2")
>>> game.player
2
>>> sintra.loads(game.dumps()).scores
[0, 0]
"""

from sintra.errors import (
    Conflict,
    DamagedLog,
    IllegalStep,
    SintraError,
    Unknown,
    UnknownFormat,
    UnknownRules,
    UsageError,
)
from sintra.game import Game
from sintra.loading import load, loads, new
from sintra.steps import Step
from sintra.version import VERSION

__version__ = VERSION

__all__ = [
    "Conflict",
    "DamagedLog",
    "Game",
    "IllegalStep",
    "SintraError",
    "Step",
    "Unknown",
    "UnknownFormat",
    "UnknownRules",
    "UsageError",
    "__version__",
    "load",
    "loads",
    "new",
]
