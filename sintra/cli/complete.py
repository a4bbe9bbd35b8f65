"""Shell completion: the legal steps of the log that was named."""

from __future__ import annotations

from typing import Any

from sintra.errors import SintraError
from sintra.reader import read_log


def steps(context: Any, incomplete: str) -> list[str]:
    """Return the words that may come next: of the legal steps, after those typed already."""
    path = context.params.get("log_")
    if path in (None, "-"):  # a completing shell has no log on standard input
        return []
    try:
        game = read_log(path)
        typed = list(context.params.get("steps") or [])
        while typed:
            whole = next((n for n in range(len(typed), 0, -1) if _plays(game, typed[:n])), 0)
            if not whole:
                break
            game.play(" ".join(typed[:whole]))
            typed = typed[whole:]
    except SintraError:
        return []
    after = [str(step).split() for step in game.legal()]
    fitting = [words for words in after if len(words) > len(typed) and words[: len(typed)] == typed]
    found = dict.fromkeys(words[len(typed)] for words in fitting)
    return [word for word in found if word.startswith(incomplete)]


def _plays(game: Any, typed: list[str]) -> bool:
    """Return whether these words are steps that can be played."""
    try:
        game.copy().play(" ".join(typed))
    except SintraError:
        return False
    return True
