"""Errors, by who is at fault.

    SintraError                  exit code
    ├── UsageError               2   the call: an unknown option, a seed out of range, a failing bot
    ├── IllegalStep              3   the player: a step that the rules do not allow
    ├── DamagedLog               4   the file: torn, not a log, or not a legal game
    │   └── Unreadable           4   the file can't be opened, read or written
    ├── WorkersLost              4   the machine: worker processes died
    ├── Conflict                 5   another writer: the log changed, is locked, or already exists
    └── Unknown                  6   the installation: an unknown format or rule-set
        ├── UnknownFormat
        └── UnknownRules

Exit code 1 is not an error but a negative result, e.g. `verify` found a faulty log.
"""

from __future__ import annotations

from collections.abc import Sequence


class SintraError(Exception):
    """An error caused by a user, a file or another program; never a bug."""

    exit_code = 1
    kind = "error"
    path: str | None = None
    """The log that was read, as it is printed; None where the message names the file, or there is none."""
    faults: Sequence[object] = ()
    """The faulty logs that were found before, where they are part of the error."""

    def __str__(self) -> str:
        text = super().__str__()
        return text if self.path is None else f"{self.path}: {text}"

    def details(self) -> dict[str, object]:
        """Return the error as the JSON object that `--json` prints."""
        found: dict[str, object] = {"error": self.kind, "message": str(self)}
        return {**found, "faults": list(self.faults)} if self.faults else found


class UsageError(SintraError):
    """A call that makes no sense: an unknown name, or a value out of range."""

    exit_code = 2
    kind = "usage"


class IllegalStep(SintraError):
    """A step that the rules do not allow, with the legal ones."""

    exit_code = 3
    kind = "illegal"

    def __init__(self, message: str, legal: Sequence[str] = (), line: int | None = None) -> None:
        super().__init__(message)
        self.legal = tuple(legal)
        self.line = line
        """The line that the step would have had in the log."""

    def details(self) -> dict[str, object]:
        """Return the error with its line and the legal steps."""
        place = {} if self.line is None else {"line": self.line}
        return {**super().details(), **place, "legal": list(self.legal)}


class DamagedLog(SintraError):
    """A log that can't be read or is not a legal game, with the line and field at fault."""

    exit_code = 4
    kind = "damaged"

    def __init__(self, message: str, line: int | None = None, field: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.field = field

    def __str__(self) -> str:
        line = None if self.line is None else f"line {self.line}"
        field = None if self.field is None else f"field {self.field}"
        place = ", ".join(part for part in (self.path, line, field) if part is not None)
        return f"{place}: {self.message}" if place else self.message

    def details(self) -> dict[str, object]:
        """Return the error with its line and field, where known."""
        found = super().details()
        if self.line is not None:
            found["line"] = self.line
        if self.field is not None:
            found["field"] = self.field
        return found


class Unreadable(DamagedLog):
    """A file that can't be opened, read or written."""

    kind = "unreadable"


class WorkersLost(SintraError):
    """Worker processes or machines died before the work was done."""

    exit_code = 4
    kind = "workers"


class Conflict(SintraError):
    """Another program was first; nothing was written."""

    exit_code = 5
    kind = "conflict"


class Unknown(SintraError):
    """A log that needs a different version or another package."""

    exit_code = 6
    kind = "unknown"


class UnknownFormat(Unknown):
    """A log of a format that this version does not read."""


class UnknownRules(Unknown):
    """A log of a rule-set that is not installed."""
