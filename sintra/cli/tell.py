"""Telling a game: `log`, `score` and `diff`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import msgspec
import typer

from sintra import loading
from sintra import log as files
from sintra.cli.answers import DiffAnswer, Difference, RoundPoints, ScoreAnswer, TurnLine
from sintra.cli.options import (
    AsciiOption,
    Color,
    ColorOption,
    JsonOption,
    LogArgument,
    QuietOption,
    say,
    say_json,
    style,
)
from sintra.errors import SintraError, Unreadable, UsageError
from sintra.events import Ended, Event, RoundEnded
from sintra.game import Fold, Game
from sintra.words import plural


def log(
    path: LogArgument,
    color: ColorOption = Color.auto,
    ascii: AsciiOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Tell a game turn by turn, as a person would.

    What was taken back is left out; `replay` has every event.

    \b
    sintra log game.log
    """
    from sintra.view import safe
    from sintra.view.story import turns
    from sintra.words import columns, fitted, padded, wrapped

    reader = loading.Reader(files.read(path), watch=True)
    told = turns(reader)
    if quiet:
        return
    if json:
        for turn in told:
            say_json(TurnLine(turn.round, turn.player, turn.numbers, turn.text))
        return
    how = style(color, ascii)
    names = [how.name(safe(name)) for name in reader.fold.created.players]
    room = min(16, max(map(columns, names))) + 2
    for number, turn in enumerate(told):
        if turn.player is None:
            lines = [how.strong(line) for line in wrapped(turn.text.split(" "), how.width)]
            say("\n".join(["", *lines] if number else lines))
            continue
        lines = wrapped(turn.text.split(" "), how.width - room - 2)
        name = padded(fitted(names[turn.player - 1], room - 2), room)
        for at, line in enumerate(lines):
            say(f"  {' ' * room if at else name}{line}")


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
    game = loading.read_game(files.read(path))
    rounds = list(points_by_round(game))
    if quiet:
        return
    if json:
        say_json(ScoreAnswer(game.players, rounds, game.scores, game.over, game.winners))
        return
    from sintra.words import fitted, padded

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


def diff(
    first: Annotated[str, typer.Argument(metavar="LOG", help="A log, or - for standard input.")],
    second: Annotated[str, typer.Argument(metavar="OTHER", help="Another log.")],
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Where two logs part ways, and how the states differ there.

    The exit code is 1 if they differ.

    \b
    sintra diff game.log game.log
    """
    if first == second == "-":
        raise UsageError("standard input holds one log: one of the two is a file")
    one, two = _read(first), _read(second)
    same = 0
    for a, b in zip(one.events, two.events, strict=False):
        if a != b:
            break
        same += 1
    alike = same == len(one.events) == len(two.events)
    if quiet:
        raise typer.Exit(0 if alike else 1)
    if alike:
        if json:
            say_json(DiffAnswer(True, same, None, None, []))
        else:
            say(f"the same {plural(same, 'event')}")
        return
    events = [game.events[same] if same < len(game.events) else None for game in (one, two)]
    found = _differences(*(_state_after(game, same + 1) for game in (one, two)))
    if json:
        say_json(DiffAnswer(False, same, events[0], events[1], found))
    else:
        _tell_difference(first, second, same, events, found)
    raise typer.Exit(1)


class _OneOfTwo(SintraError):
    """What is wrong with one of two logs: it is named first."""

    def __init__(self, path: str, error: SintraError) -> None:
        super().__init__(f"{path}: {error}")
        self.exit_code = error.exit_code
        self.error = error

    def details(self) -> dict[str, object]:
        """The error itself, with its line and field."""
        return {**self.error.details(), "message": str(self)}


def _read(path: str) -> Game:
    """One of two logs."""
    try:
        return loading.read_game(files.read(path))
    except Unreadable:  # it names the file
        raise
    except SintraError as error:
        raise _OneOfTwo(path, error) from None


def _state_after(game: Game, count: int) -> Any:
    """The state after the first events, as plain values."""
    fold = Fold(game.rules, game.created)
    for event in game.events[1:count]:
        fold.take(event)
    return msgspec.to_builtins(fold.state.value())


def _differences(first: Any, second: Any, path: str = "") -> list[Difference]:
    """The places where two values differ, by their paths as `jq` writes them."""
    if first == second:
        return []
    if isinstance(first, dict) and isinstance(second, dict):
        keys = [*first, *(key for key in second if key not in first)]
        return [d for key in keys for d in _differences(first.get(key), second.get(key), f"{path}.{key}")]
    if isinstance(first, list | tuple) and isinstance(second, list | tuple) and len(first) == len(second):
        pairs = enumerate(zip(first, second, strict=True))
        return [d for at, (a, b) in pairs for d in _differences(a, b, f"{path}[{at}]")]
    return [Difference(path or ".", first, second)]


def _tell_difference(
    first: str, second: str, same: int, events: Sequence[Event | None], found: Sequence[Difference]
) -> None:
    from sintra.view import safe, safe_json

    say(f"the same up to event {same}" if same else "different from the first event on")
    for path, event in zip((first, second), events, strict=True):
        told = safe_json(event) if event is not None else "ends here"
        say(f"  {safe(path)}: {told if len(told) <= 300 else told[:300] + ' …'}")
    if found:
        say(f"{plural(len(found), 'difference')} after it:")
    for difference in found[:40]:
        values = [safe_json(value) for value in (difference.first, difference.second)]
        say(f"  {difference.path}: {values[0]} / {values[1]}")
    if len(found) > 40:
        say(f"  and {len(found) - 40} more; --json has them all")
