"""Games as tables for other programs: CSV, JSON lines, Parquet, and arrays to learn from. `sintra.export`."""

from __future__ import annotations

import csv as csv_module
import io
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from os import PathLike, fspath
from typing import Any

from msgspec import Struct

from sintra.api import file_named
from sintra.batch.logs import Entry, batches, fault, read, reading
from sintra.batch.report import csv_cell
from sintra.batch.results import Fault
from sintra.batch.rows import COLUMNS, Job, Row, Rows, rows
from sintra.batch.stats import NAMED
from sintra.batch.workers import Here, spread, width
from sintra.errors import DamagedLog, SintraError, UsageError
from sintra.log import writing
from sintra.rl.extras import needed
from sintra.text import safe_json, spelled

FORMATS = ("csv", "parquet", "planes")


class Exported(Struct, kw_only=True, forbid_unknown_fields=True):
    """The result of an export: the numbers of logs read, rows written, and faulty logs."""

    logs: int = 0
    rows: int = 0
    unfinished: int = 0
    faulty: int = 0
    faults: list[Fault] = []
    """The first of the faulty logs."""


class Export:
    """An export under way."""

    def __init__(self, format: str, per: str = "turn") -> None:
        """`format` is csv, json, parquet or planes; `per` is turn or game: what a row stands for."""
        if per not in COLUMNS:
            raise UsageError(f"no rows per {per!r}; choose {' or '.join(COLUMNS)}")
        if format == "parquet":
            needed("pyarrow.parquet")
        if format == "planes":
            needed("sintra.rl.dataset")
            if per != "turn":
                raise UsageError("planes have a row for every choice: leave out --per")
        self.format = format
        self.per = per
        self.done = Exported()
        self.worst = 0

    def data(self, found: Iterable[Entry], executor: Executor) -> Iterator[bytes]:
        """Yield the file, part by part; raise DamagedLog, and yield nothing, if no log can be read."""
        held: list[bytes] = []
        for part in self._data(found, executor):
            held.append(part)
            if self.done.logs > self.done.faulty:
                yield b"".join(held)
                held.clear()
        if self.done.logs == self.done.faulty:
            error = DamagedLog("no log could be read; nothing was written")
            error.exit_code = self.worst or error.exit_code
            raise error

    def _data(self, found: Iterable[Entry], executor: Executor) -> Iterator[bytes]:
        if self.format == "planes":
            from sintra.rl.arrays import npz

            return npz(self, list(found))
        jobs = (Job(self.per, batch) for batch in batches(found, width(executor)))
        parts = map(self._counted, spread(executor, rows, jobs))
        names = [name for name, _ in COLUMNS[self.per]]
        if self.format == "json":
            return _json(names, parts)
        return _csv(names, parts) if self.format == "csv" else _parquet(COLUMNS[self.per], parts)

    def _counted(self, part: Rows) -> list[Row]:
        """Count the rows of some logs, and return them."""
        self.done.logs += part.logs
        self.done.rows += len(part.rows)
        self.done.unfinished += part.unfinished
        self.add_faults(part.faults, part.worst)
        return part.rows

    def add_faults(self, faults: list[Fault], worst: int) -> None:
        """Count faulty logs, and remember the first ones."""
        self.done.faulty += len(faults)
        self.done.faults += faults[: NAMED - len(self.done.faults)]
        self.worst = max(self.worst, worst)

    def read(self, entry: Entry) -> Any:
        """Return the game of a log; None, and count it, if the log is faulty."""
        try:
            return read(entry).fold
        except SintraError as error:
            found = fault(entry, error)
            self.add_faults([found], found.exit_code)
            return None


def _csv(names: Sequence[str], parts: Iterable[list[Row]]) -> Iterator[bytes]:
    """Yield a CSV file; its first line has the names of the columns."""
    text = io.StringIO()
    writer = csv_module.writer(text, lineterminator="\n")
    writer.writerow(names)
    for part in parts:
        writer.writerows([[_cell(value) for value in row] for row in part])
        yield text.getvalue().encode("utf-8", "backslashreplace")
        text.seek(0)
        text.truncate()
    yield text.getvalue().encode()


def _json(names: Sequence[str], parts: Iterable[list[Row]]) -> Iterator[bytes]:
    """Yield JSON lines: an object per row, whose keys are the names of the columns."""
    for part in parts:
        lines = [safe_json(dict(zip(names, row, strict=True))) + "\n" for row in part]
        yield "".join(lines).encode()


def _cell(value: object) -> object:
    """Return a value as a cell: `true` or `false`, and never text that a spreadsheet would evaluate."""
    if isinstance(value, bool):
        return spelled(value)
    return csv_cell(value) if isinstance(value, str) else value


class Sink:
    """A file that keeps what is written until it is taken."""

    closed = False

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def write(self, data: Any) -> int:
        """Keep some bytes."""
        self._parts.append(bytes(data))
        self._size += len(self._parts[-1])
        return len(self._parts[-1])

    def tell(self) -> int:
        """Return how many bytes were written."""
        return self._size

    def flush(self) -> None:
        """Do nothing: nothing is held back."""

    def close(self) -> None:
        """Do nothing: the bytes may still be taken."""

    def taken(self) -> bytes:
        """Return what was written since the last call."""
        data = b"".join(self._parts)
        self._parts = []
        return data


def _parquet(columns: Sequence[tuple[str, type]], parts: Iterable[list[Row]]) -> Iterator[bytes]:
    """Yield a Parquet file."""
    import pyarrow
    from pyarrow import parquet

    kinds = {str: pyarrow.string(), int: pyarrow.int64(), bool: pyarrow.bool_(), float: pyarrow.float64()}
    schema = pyarrow.schema([(name, kinds[kind]) for name, kind in columns])
    sink = Sink()
    with parquet.ParquetWriter(pyarrow.PythonFile(sink, mode="w"), schema) as writer:
        for part in parts:
            values = [list(column) for column in zip(*part, strict=True)] or [[] for _ in columns]
            writer.write_table(pyarrow.table([_text(column) for column in values], schema=schema))
            yield sink.taken()
    yield sink.taken()


def _text(column: list[Any]) -> list[Any]:
    """Return a column in which every text is valid UTF-8."""
    if any(isinstance(value, str) for value in column):
        return [v if v is None else v.encode("utf-8", "backslashreplace").decode() for v in column]
    return column


def export(
    *logs: str | PathLike[str],
    csv: str | PathLike[str] | None = None,
    parquet: str | PathLike[str] | None = None,
    planes: str | PathLike[str] | None = None,
    per: str = "turn",
    many: bool = False,
    jobs: int | None = 1,
) -> Exported:
    """Write many games to one new file: flat rows as CSV or Parquet, or planes and codes as arrays of numpy.

    `logs` are files, folders, and patterns such as `games/*.log`; `per` is `turn` or `game`; `many` reads
    each file as one of many games; `jobs` is the number of worker processes (None: one per core). Faulty
    logs are counted and left out.
    """
    wanted = [(name, path) for name, path in zip(FORMATS, (csv, parquet, planes), strict=True) if path]
    if len(wanted) != 1:
        raise UsageError("give one file to write: csv, parquet or planes")
    ((format, path),) = wanted
    run = Export(format, per)
    with reading(map(file_named, logs), many, jobs, None) as (found, used):
        writing.create(file_named(fspath(path)), run.data(found, used or Here()))
    return run.done
