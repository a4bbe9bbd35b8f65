"""`sintra diff`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec

from sintra.cli.answers import DiffAnswer, Difference
from sintra.cli.options import Argument, JsonOption, QuietOption
from sintra.cli.output import say, say_json
from sintra.errors import SintraError, Unreadable, UsageError
from sintra.fold import Fold
from sintra.game import Game
from sintra.log import files
from sintra.log.events import Event
from sintra.reader import read_game
from sintra.text import plural


def diff(
    first: Annotated[str, Argument(metavar="LOG", help="A log, or - for standard input.")],
    second: Annotated[str, Argument(metavar="OTHER", help="Another log.")],
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
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
        return 0 if alike else 1
    if alike:
        if json:
            say_json(DiffAnswer(True, same, None, None, []))
        else:
            say(f"the same {plural(same, 'event')}")
        return 0
    events = [game.events[same] if same < len(game.events) else None for game in (one, two)]
    found = _differences(*(_state_after(game, same + 1) for game in (one, two)))
    if json:
        say_json(DiffAnswer(False, same, events[0], events[1], found))
    else:
        _tell_difference(first, second, same, events, found)
    return 1


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
        return read_game(files.read(path))
    except Unreadable:  # it names the file
        raise
    except SintraError as error:
        raise _OneOfTwo(path, error) from None


def _state_after(game: Game, count: int) -> Any:
    """The state after the first events, as plain values."""
    fold = Fold(game.rules, game.created)
    for event in game.events[1:count]:
        fold.take(event)
    return msgspec.to_builtins(fold.rules.snapshot(fold.state))


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
    from sintra.text import safe, safe_json

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
