"""What can go wrong, told apart by who is at fault.

    SintraError                  exit code
    ├── UsageError               2   the call: an unknown option, a seed out of range, a bot that fails
    ├── IllegalStep              3   the player: a step that the rules do not allow here
    ├── DamagedLog               4   the file: torn, or not a game that the rules allow
    │   └── Unreadable           4   the file can't be opened, read or written at all
    ├── WorkersLost              4   the machine: processes that did the work are gone
    ├── Conflict                 5   another writer: the log changed, is locked, or exists already
    └── Unknown                  6   the future: a format or a rule-set that is not known here
        ├── UnknownFormat
        └── UnknownRules

Exit code 1 is no error: it is the answer "no" of `verify` and its like.
"""

from __future__ import annotations

from collections.abc import Sequence


class SintraError(Exception):
    """Anything that a user, a file or another program can cause."""

    exit_code = 1
    kind = "error"

    def details(self) -> dict[str, object]:
        """The error as the JSON object that `--json` prints."""
        return {"error": self.kind, "message": str(self)}


class UsageError(SintraError):
    """The call itself is wrong: it asks for what can't be."""

    exit_code = 2
    kind = "usage"


class IllegalStep(SintraError):
    """A step that the rules do not allow here, with the steps that they do allow."""

    exit_code = 3
    kind = "illegal"

    def __init__(self, message: str, legal: Sequence[str] = (), line: int | None = None) -> None:
        super().__init__(message)
        self.legal = tuple(legal)
        self.line = line
        """The line that the step would have had; `legal` are the steps that would do there."""

    def details(self) -> dict[str, object]:
        """The error with its line, and the steps that would do there."""
        place = {} if self.line is None else {"line": self.line}
        return {**super().details(), **place, "legal": list(self.legal)}


class DamagedLog(SintraError):
    """A log that can't be read, or that is not a game; says at which line and field."""

    exit_code = 4
    kind = "damaged"

    def __init__(self, message: str, line: int | None = None, field: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.field = field

    def __str__(self) -> str:
        place = "" if self.line is None else f"line {self.line}"
        if self.field is not None:
            place += f"{', ' if place else ''}field {self.field}"
        return f"{place}: {self.message}" if place else self.message

    def details(self) -> dict[str, object]:
        """The error with its line and field, where they are known."""
        found = super().details()
        if self.line is not None:
            found["line"] = self.line
        if self.field is not None:
            found["field"] = self.field
        return found


class Unreadable(DamagedLog):
    """A file that the system does not let us open, read or write."""

    kind = "unreadable"


class WorkersLost(SintraError):
    """The processes or machines that did the work are gone; the work is not done."""

    exit_code = 4
    kind = "workers"


class Conflict(SintraError):
    """Somebody else was there first: nothing was written."""

    exit_code = 5
    kind = "conflict"


class Unknown(SintraError):
    """A log that another version or another package can read, but not this one."""

    exit_code = 6
    kind = "unknown"


class UnknownFormat(Unknown):
    """The log's `format` is not one that this version reads."""


class UnknownRules(Unknown):
    """The log's `rules` are not installed here."""
