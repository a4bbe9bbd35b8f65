"""`sintra diff`."""

from __future__ import annotations

from typing import Annotated

from sintra import api
from sintra.cli.options import Argument, JsonOption, QuietOption
from sintra.cli.output import say, say_json
from sintra.errors import UsageError
from sintra.reader import read_log
from sintra.text import plural

MAX_LINES = 40
"""Maximum number of differences that are printed."""


def diff(
    first: Annotated[str, Argument(metavar="LOG", help="A log, or - for standard input.")],
    second: Annotated[str, Argument(metavar="OTHER", help="Another log.")],
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
    """Show where two logs diverge, and how the states differ there.

    The exit code is 1 if they differ.

    \b
    sintra diff game.log game.log
    """
    if first == second == "-":
        raise UsageError("only one of the two logs can come from standard input")
    found = api.diff(read_log(first), read_log(second))
    if json and not quiet:
        say_json(found)
    elif not quiet:
        _print(first, second, found)
    return 0 if found.same else 1


def _print(first: str, second: str, found: api.Diff) -> None:
    from sintra.text import safe, safe_json

    if found.same:
        say(f"identical: {plural(found.events, 'event')}")
        return
    for place in found.created:
        say(f"event 1{place.path}: {safe_json(place.first)} / {safe_json(place.second)}")
    if found.created and found.first is found.second is None:
        say(f"otherwise identical: {plural(found.events, 'event')}")
        return
    apart = "otherwise identical" if found.created else "identical"
    say(f"{apart} up to event {found.events}" if found.events else "different from the first event")
    for path, event in ((first, found.first), (second, found.second)):
        line = safe_json(event) if event is not None else "ends here"
        say(f"  {safe(path)}: {line if len(line) <= 300 else line[:300] + ' …'}")
    count = len(found.differences)
    if count:
        say(f"{plural(count, 'difference')} after that:")
    for place in found.differences[:MAX_LINES]:
        say(f"  {place.path}: {safe_json(place.first)} / {safe_json(place.second)}")
    if count > MAX_LINES:
        say(f"  and {count - MAX_LINES} more; --json has them all")
