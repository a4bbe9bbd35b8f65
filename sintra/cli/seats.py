"""Who sits where, as given on the command line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sintra.bots.names import check, look_here
from sintra.bots.seats import named
from sintra.cli.output import remark
from sintra.game import Game
from sintra.text import safe


def seated(game: Game, pairs: Sequence[str], others: str | None) -> dict[int, str]:
    """Return the names of the bots by seat, from options as people type them."""
    found = named(game, pairs, others)
    check_bots(found.values())
    return found


def check_bots(names: Iterable[str], quiet: bool = False) -> None:
    """Raise UsageError if there is no such bot; say which are imported from the current folder."""
    names = list(names)
    import_from_here(names, quiet)
    for name in names:
        check(name)


def import_from_here(names: Iterable[str], quiet: bool) -> None:
    """Allow imports of these bots from the current folder; unless `quiet`, say which ones are found there."""
    for line in look_here(names):
        if not quiet:
            remark(f"sintra: {safe(line)}")
