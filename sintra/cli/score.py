"""`sintra score`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sintra import api
from sintra.cli.options import (
    AnalysisOption,
    AsciiOption,
    Color,
    ColorOption,
    JsonOption,
    LogArgument,
    QuietOption,
)
from sintra.cli.output import say, say_json, style
from sintra.reader import read_log

if TYPE_CHECKING:
    from sintra.game import Game
    from sintra.study.results import Analysis


def score(
    path: LogArgument,
    analysis: AnalysisOption = False,
    color: ColorOption = Color.auto,
    ascii: AsciiOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Show where every point came from, for each player and round.

    With --analysis, also how much of the result was luck and how much skill.

    \b
    sintra score game.log
    cat game.log | sintra score - --json
    """
    game = read_log(path)
    found = api.score(game)
    judged = _judged(path, game) if analysis else None
    if quiet:
        return
    if json:
        say_json(_with(found, judged))
        return
    from sintra.text import fitted, padded

    how = style(color, ascii)
    rounds = found.rounds
    sources = list(rounds[0].points[0])
    before: list[dict[int, int]] = (
        [{}] if rounds[0].round == 0 else []
    )  # of a log that begins with a position
    spared = before + api.spared(game)
    widths = [max(len(source), 5) + 2 for source in sources]
    for number, name in enumerate(found.players):
        if number:
            say("")
        heading = padded(fitted(how.name(name), 18), 18)
        titles = "".join(f"{source:>{width}}" for source, width in zip(sources, widths, strict=True))
        say(f"{how.strong(heading)}{how.faint(titles)}  total")
        for row, less in zip(rounds, spared, strict=False):
            title = {None: "  final scoring", 0: "  before"}.get(row.round, f"  round {row.round}")
            say(f"{title:<18}{_cells(row.points[number], widths, less.get(number + 1, 0))}")
        total = {source: sum(row.points[number][source] for row in rounds) for source in sources}
        say(how.strong(f"{'  in all':<18}{_cells(total, widths)}"))
    if any(spared):
        say("\n" + how.faint("floor 0/-14: 14 points on the floor line, 0 lost; a score stays at 0 (A5)"))
    if judged is not None:
        from sintra.study.report import totals_lines

        say("\n".join(["", *totals_lines(judged, how)]))


def _judged(path: str, game: Game) -> Analysis:
    """Return the analysis beside a log."""
    from sintra.study.kept import of_log

    return of_log(path, game)


def _with(found: api.Scores, judged: Analysis | None) -> object:
    """Return the answer, with the totals of an analysis if there is one."""
    if judged is None:
        return found
    from msgspec import structs

    from sintra.cli.reports import ScoreAnswer

    return ScoreAnswer(**structs.asdict(found), analysis=judged.totals)


def _cells(points: dict[str, int], widths: Sequence[int], spared: int = 0) -> str:
    """Return the cells of a row; a floor line that cost less than is printed shows both numbers."""
    shown = [
        f"{value}/{value - spared}" if spared and source == "floor" else str(value or ".")
        for source, value in points.items()
    ]
    cells = [f"{cell:>{width}}" for cell, width in zip(shown, widths, strict=True)]
    return "".join(cells) + f"{sum(points.values()):>7}"
