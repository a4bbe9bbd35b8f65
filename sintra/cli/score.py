"""`sintra score`."""

from __future__ import annotations

from collections.abc import Sequence

from sintra import api
from sintra.cli.options import AsciiOption, Color, ColorOption, JsonOption, LogArgument, QuietOption
from sintra.cli.output import say, say_json, style
from sintra.reader import read_log


def score(
    path: LogArgument,
    color: ColorOption = Color.auto,
    ascii: AsciiOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Show where every point came from, for each player and round.

    \b
    sintra score game.log
    cat game.log | sintra score - --json
    """
    found = api.score(read_log(path))
    if quiet:
        return
    if json:
        say_json(found)
        return
    from sintra.text import fitted, padded

    how = style(color, ascii)
    rounds = found.rounds
    sources = list(rounds[0].points[0])
    widths = [max(len(source), 5) + 2 for source in sources]
    for number, name in enumerate(found.players):
        if number:
            say("")
        heading = padded(fitted(how.name(name), 18), 18)
        titles = "".join(f"{source:>{width}}" for source, width in zip(sources, widths, strict=True))
        say(f"{how.strong(heading)}{how.faint(titles)}  total")
        for row in rounds:
            title = f"  round {row.round}" if row.round else "  final scoring"
            say(f"{title:<18}{_cells(row.points[number], widths)}")
        total = {source: sum(row.points[number][source] for row in rounds) for source in sources}
        say(how.strong(f"{'  in all':<18}{_cells(total, widths)}"))


def _cells(points: dict[str, int], widths: Sequence[int]) -> str:
    cells = [f"{value or '.':>{width}}" for value, width in zip(points.values(), widths, strict=True)]
    return "".join(cells) + f"{sum(points.values()):>7}"
