"""`sintra score`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sintra.cli.answers import RoundPoints, ScoreAnswer
from sintra.cli.options import AsciiOption, Color, ColorOption, JsonOption, LogArgument, QuietOption
from sintra.cli.output import say, say_json, style
from sintra.fold import Fold
from sintra.game import Game
from sintra.log import files
from sintra.log.events import Ended, Event, RoundEnded
from sintra.reader import read_game


def score(
    path: LogArgument,
    color: ColorOption = Color.auto,
    ascii: AsciiOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Where every point came from, for each player and round.

    \b
    sintra score game.log
    cat game.log | sintra score - --json
    """
    game = read_game(files.read(path))
    rounds = list(points_by_round(game))
    if quiet:
        return
    if json:
        say_json(ScoreAnswer(game.players, rounds, game.scores, game.over, game.winners))
        return
    from sintra.text import fitted, padded

    how = style(color, ascii)
    sources = list(rounds[0].points[0])
    widths = [max(len(source), 5) + 2 for source in sources]
    for number, name in enumerate(game.players):
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


def points_by_round(game: Game) -> Iterator[RoundPoints]:
    """The points of each round that is played or under way, and of the final scoring."""
    fold = Fold(game.rules, game.created)
    before = fold.state.breakdown()
    last: Event | None = None
    for event in game.counting:
        fold.take(event)
        last = event
        if isinstance(event, RoundEnded | Ended):
            now = fold.state.breakdown()
            yield RoundPoints(event.round if isinstance(event, RoundEnded) else None, _gained(before, now))
            before = now
    if not isinstance(last, RoundEnded | Ended):
        yield RoundPoints(max(fold.state.round, 1), _gained(before, fold.state.breakdown()))


def _gained(before: Sequence[dict[str, int]], now: Sequence[dict[str, int]]) -> list[dict[str, int]]:
    return [{key: new[key] - old[key] for key in new} for old, new in zip(before, now, strict=True)]
