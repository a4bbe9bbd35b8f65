"""The figures: what is measured, against which yardstick, and the target of the ratio."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scripts.bench.engine import BOARDS

PLAYERS = (2, 3, 4)
Side = tuple[str, ...]
"""The name of a side in `worker.SIDES`, and what it is called with."""

CHESS: Side = ("chess",)


@dataclass(frozen=True)
class Figure:
    """The engine next to a yardstick."""

    name: str
    about: str
    engine: Side
    yardstick: Side
    beside: str
    """The yardstick in words."""
    same_build: bool = False
    """True if the yardstick is a part of the engine, or runs in its environment."""
    at_least: Mapping[str, float] = field(default_factory=dict)
    """The ratio that a build should reach."""
    at_most: Mapping[str, float] = field(default_factory=dict)
    at_most_more: float | None = None
    """How much more than the yardstick the engine may take, in their unit."""
    builds: Sequence[str] = ("interpreted", "compiled")

    def met(self, build: str, ratio: float, more: float) -> bool | None:
        """Return True if a ratio or a difference meets the target of a build, None if there is none."""
        if self.at_most_more is not None:
            return more <= self.at_most_more
        if build in self.at_least:
            return ratio >= self.at_least[build]
        return ratio <= self.at_most[build] if build in self.at_most else None

    def target(self, build: str) -> str:
        """Return the target of a build in words."""
        if self.at_most_more is not None:
            return f"<= +{self.at_most_more:.3g}"
        if build in self.at_least:
            return f">= {self.at_least[build]:.3g}"
        return f"<= {self.at_most[build]:.2g}" if build in self.at_most else ""


PLAYOUTS = {
    "azul": 110.0,
    "gray": 95.0,
    "crystal1": 95.0,
    "crystal2": 95.0,
    "sintra-a": 90.0,
    "sintra-b": 90.0,
}
"""Compiled playouts of two players, times python-chess."""


def _playout(board: str, players: int) -> Figure:
    compiled = PLAYOUTS[board] if players == 2 else 80.0
    return Figure(
        f"playout-{board}-{players}",
        f"random playouts, {' '.join(BOARDS[board])}, {players} players",
        ("playouts", board, str(players)),
        CHESS,
        "python-chess, random playouts",
        at_least={"interpreted": 4.0, "compiled": compiled},
    )


def _spiel(name: str) -> Figure:
    return Figure(
        f"spiel-{name.replace('_', '-')}",
        "random playouts, azul colored, 2 players",
        ("playouts", "azul", "2"),
        ("spiel", name),
        f"OpenSpiel, random playouts of {name.replace('_', ' ')}",
    )


def _public(board: str) -> Figure:
    return Figure(
        f"public-{board}",
        f"the same by game.legal() and game.play(), {' '.join(BOARDS[board])}",
        ("public", board),
        CHESS,
        "python-chess, random playouts",
        at_least={"compiled": 16.0},
    )


def _copy(board: str, players: int) -> Figure:
    return Figure(
        f"copy-{board}-{players}",
        f"state.copy(), {' '.join(BOARDS[board])}, {players} players",
        ("copies", board, str(players)),
        ("chess-copies",),
        "python-chess, Board.copy(stack=False)",
        at_most={"compiled": 1 / 11} if players == 2 else {},
    )


def _successor(board: str) -> Figure:
    return Figure(
        f"successor-{board}",
        f"state.become() and play(), {' '.join(BOARDS[board])}, 2 players",
        ("successors", board, "2"),
        ("chess-copies",),
        "python-chess, Board.copy(stack=False)",
        at_most={"compiled": 1 / 22},
    )


def _startup(name: str, *words: str, target: float | None = None) -> Figure:
    side = ("itself", name) if name.startswith("-") else ("startup", name, *words)
    most = {} if target is None else {"interpreted": target, "compiled": target}
    return Figure(
        f"startup-{name.lstrip('-')}",
        f"`sintra {' '.join([name, *words])}`",
        side,
        ("imports",),
        '`python -c "import typer, msgspec"`',
        same_build=True,
        at_most=most,
    )


def _jobs(build: str, games: int) -> Figure:
    return Figure(
        f"simulate-jobs-{build}",
        f"`simulate` of {games:,} games with one process",
        ("simulate-jobs", str(games), "1"),
        ("simulate-jobs", str(games), "2"),
        "two processes",
        same_build=True,
        at_least={build: 1.8},
        builds=(build,),
    )


FIGURES = [
    *(_playout(board, players) for board in BOARDS for players in PLAYERS),
    *(_spiel(name) for name in ("backgammon", "connect_four")),
    *(_public(board) for board in ("sintra-a", "azul", "crystal1")),
    *(_copy(board, players) for board in ("sintra-a", "azul") for players in (2, 4)),
    *(_successor(board) for board in BOARDS),
    Figure(
        "simulate",
        "`simulate` in one process, azul",
        ("simulating",),
        ("bare",),
        "the bare playouts",
        same_build=True,
        at_least={"compiled": 0.8},
    ),
    Figure(
        "choice-program",
        "a choice of a program in C, with the referee",
        ("asking",),
        ("echo",),
        "a line through a bare pipe and back",
        at_most_more=150.0,
    ),
    Figure(
        "loads",
        "sintra.loads of complete games",
        ("loading",),
        ("decoding",),
        "msgspec, decoding the same lines",
        same_build=True,
        at_least={"compiled": 0.55},
    ),
    Figure(
        "loads-chess",
        "sintra.loads of complete games",
        ("loading",),
        ("chess-reading",),
        "python-chess, reading PGN",
    ),
    Figure(
        "verify",
        "`verify` of many games in one process",
        ("verify",),
        ("decoding",),
        "msgspec, decoding the same lines",
        same_build=True,
        at_least={"compiled": 0.4},
    ),
    Figure(
        "memory-game", "a game with its log in memory", ("game",), ("chess-game",), "chess.pgn.Game, 60 plies"
    ),
    Figure(
        "draw",
        "sintra.draw of four players",
        ("drawing",),
        ("snapshots",),
        "the snapshot that it is made from",
        same_build=True,
        at_most_more=2.0,
    ),
    Figure(
        "replay-page",
        "`sintra replay --html` of 300 events, four players",
        ("replay-page", "300"),
        ("itself", "--version"),
        "`sintra --version`",
        same_build=True,
        at_most_more=300.0,
    ),
    _startup("legal", target=0.85),
    _startup("move", "-q", target=0.85),
    _startup("show", "--json", target=0.85),
    _startup("--version"),
    _startup("--help"),
    _jobs("interpreted", 4_000),
    _jobs("compiled", 60_000),
    Figure(
        "verify-jobs",
        "`verify` of 2,000 logs with one process",
        ("verify-jobs", "1"),
        ("verify-jobs", "2"),
        "two processes",
        same_build=True,
    ),
]


def chosen(only: Sequence[str]) -> list[Figure]:
    """Return the figures whose names begin with one of these; all for none."""
    return [figure for figure in FIGURES if not only or figure.name.startswith(tuple(only))]
