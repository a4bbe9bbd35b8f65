"""Answers with `--json` about many games or an analysis, and the list of all answers."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType, defstruct

from sintra.api import Diff, Repair, Scores
from sintra.batch.results import Check, Fault, Standings, Stats, Summary, Verdict
from sintra.batch.rows import COLUMNS
from sintra.cli.answers import (
    Answer,
    CodeAnswer,
    LegalAnswer,
    MoveAnswer,
    NewAnswer,
    PageAnswer,
    PositionAnswer,
    ReplayLine,
    RulesAnswer,
    ShowAnswer,
    TestAnswer,
)
from sintra.rl.export import Exported
from sintra.study.results import Analysis, Hint, Puzzle, Totals, TurnJudged


class TurnLine(Answer, frozen=True):
    """`log`, one line per turn (free walls: also per tile): its events by number, and its text.

    With `--analysis`, turns that were judged have a verdict.
    """

    round: int
    player: int | None
    events: list[int]
    text: str
    analysis: TurnJudged | UnsetType = UNSET


class ScoreAnswer(Scores, frozen=True):
    """`score`: where every point came from; the last of `rounds` may be the final scoring (round null).

    With `--analysis`, every player's luck and skill.
    """

    analysis: list[Totals] | UnsetType = UNSET


class Timing(Struct, frozen=True, forbid_unknown_fields=True):
    """How long it took: `games` were played this time, `kept` ones were there already."""

    seconds: float
    games: int
    kept: int
    games_per_second: float


class SimulateAnswer(Summary, frozen=True):
    """`simulate`: what came out of the games; all but `timing` is the same for the same call.

    `games` were requested, `done` are played, `finished` of them to the end; only these are counted.
    """

    timing: Timing


class TournamentAnswer(Standings, frozen=True):
    """`tournament`: how it stands, why it ended, and how long it took."""

    ended: str
    timing: Timing


class StatsAnswer(Stats, frozen=True):
    """`stats`: how many logs there are, the results in groups, and what is not counted.

    `open` and `faults` name the first 20 logs that are not over, and that are faulty.
    """


class ErrorAnswer(Answer, frozen=True):
    """Any error, on standard error; of `export`, with the first 20 faulty logs."""

    error: str
    message: str
    line: int | UnsetType = UNSET
    field: str | UnsetType = UNSET
    legal: list[str] | UnsetType = UNSET
    faults: list[Fault] | UnsetType = UNSET


ROWS = {
    per: defstruct(
        f"{per.capitalize()}Row", [(name, kind | None) for name, kind in columns], forbid_unknown_fields=True
    )
    for per, columns in COLUMNS.items()
}
"""`export --json`, one line per turn or game: a value for each column, null where there is none."""

ANSWERS: dict[str, Any] = {
    "new": NewAnswer,
    "fork": NewAnswer,
    "move": MoveAnswer,
    "undo": MoveAnswer,
    "note": MoveAnswer,
    "deal": MoveAnswer,
    "arrange": MoveAnswer,
    "legal": LegalAnswer,
    "show": ShowAnswer,
    "code": CodeAnswer,
    "decode": NewAnswer,
    "position": PositionAnswer,
    "replay": ReplayLine,
    "log": TurnLine,
    "score": ScoreAnswer,
    "diff": Diff,
    "hint": Hint,
    "analyze": Analysis,
    "puzzle": Puzzle,
    "verify": Verdict,
    "simulate": SimulateAnswer,
    "stats": StatsAnswer,
    "export": Exported,
    "export-turn": ROWS["turn"],
    "export-game": ROWS["game"],
    "tournament": TournamentAnswer,
    "ratings": Standings,
    "convert": NewAnswer,
    "repair": Repair,
    "rules": RulesAnswer,
    "rules-list": list[RulesAnswer],
    "rules-test": TestAnswer,
    "rules-how-to-play": PageAnswer,
    "bot-check": Check,
    "error": ErrorAnswer,
}
"""The type of each command's answer, by the name of the command."""
