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
    from sintra.api import convert, diff, draw, load, loads, new, open, repair, score
    from sintra.batch.check import check_bot
    from sintra.batch.results import Standings, Verdict
    from sintra.batch.simulation import simulate
    from sintra.batch.stats import stats
    from sintra.batch.tournament import ratings, tournament
    from sintra.batch.verify import verify
    from sintra.bots.process import Limits
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
    from sintra.rl.export import export
    from sintra.rules.snapshot import Snapshot
    from sintra.rules.steps import Step
    from sintra.share.code import code, decode
    from sintra.share.position import from_position, position
    from sintra.study.analysis import analyze
    from sintra.study.hint import hint
    from sintra.study.puzzles import puzzles
    from sintra.tutorial import learn
    from sintra.web.replay import replay_page

__version__ = VERSION

__all__ = [
    "Conflict",
    "DamagedLog",
    "Game",
    "IllegalStep",
    "Limits",
    "SintraError",
    "Snapshot",
    "Standings",
    "Step",
    "Unknown",
    "UnknownFormat",
    "UnknownRules",
    "Unreadable",
    "UsageError",
    "Verdict",
    "WorkersLost",
    "__version__",
    "analyze",
    "check_bot",
    "code",
    "convert",
    "decode",
    "diff",
    "draw",
    "export",
    "from_position",
    "hint",
    "learn",
    "load",
    "loads",
    "new",
    "open",
    "position",
    "puzzles",
    "ratings",
    "repair",
    "replay_page",
    "score",
    "simulate",
    "stats",
    "tournament",
    "verify",
]

_HOMES = {
    "Game": "game",
    "Step": "rules.steps",
    "Snapshot": "rules.snapshot",
    **dict.fromkeys(("convert", "diff", "draw", "load", "loads", "new", "open", "repair", "score"), "api"),
    "code": "share.code",
    "decode": "share.code",
    "position": "share.position",
    "from_position": "share.position",
    "simulate": "batch.simulation",
    "learn": "tutorial",
    "stats": "batch.stats",
    "tournament": "batch.tournament",
    "ratings": "batch.tournament",
    "Standings": "batch.results",
    "verify": "batch.verify",
    "Verdict": "batch.results",
    "analyze": "study.analysis",
    "hint": "study.hint",
    "puzzles": "study.puzzles",
    "replay_page": "web.replay",
    "check_bot": "batch.check",
    "export": "rl.export",
    "Limits": "bots.process",
}
"""The modules of the public names; every other public name is an error class.

Modules are imported on first use, so the program soon reaches the point after which Ctrl-C ends it quietly.
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
        if error.name != f"sintra.{name}":  # the module exists, but one that it imports does not
            raise
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
