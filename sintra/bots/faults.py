"""What can be wrong with a bot, by name."""

from __future__ import annotations

from typing import Any

from sintra.errors import UsageError

FAULTS = {
    "not-started": "the program can't be started",
    "not-ready": "no first answer within `--init-time`",
    "too-slow": "no answer within `--move-time`",
    "illegal": "the answer is a step that is not legal here",
    "not-understood": "the answer is not a step",
    "too-long": "the answer is longer than a line may be",
    "unasked": "the program printed something without being asked",
    "ended": "the program exited, or closed its output",
    "failed": "a Python bot raised an exception",
}
"""Every fault, and what it means."""
LAST_LINES = 10
"""Number of lines of a bot's standard error to show."""


class Fault(UsageError):
    """A bot failed to play: the name of its fault, and what happened."""

    def __init__(self, name: str, what: str, message: str = "") -> None:
        super().__init__(message or what)
        assert name in FAULTS
        self.name = name
        self.what = what

    def __reduce__(self) -> tuple[Any, ...]:
        return Fault, (self.name, self.what, str(self)), self.__dict__

    def of(self, bot: str, words: str) -> Fault:
        """Return this fault with the bot's name, and the end of its standard error as a note."""
        found = Fault(self.name, self.what, f"the bot {bot} failed: {self.name}: {self.what}")
        for line in words.splitlines()[-LAST_LINES:]:
            found.add_note(f"{bot} wrote: {line}")
        return found
