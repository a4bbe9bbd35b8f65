"""Cutting golden logs at every byte: what is left is a log, or it is torn, said to be so, and repaired."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from scripts.torture.crash import mend
from scripts.torture.layer import calmly
from scripts.torture.scenarios import LOG, content, fault, whole_lines
from sintra.errors import DamagedLog
from sintra.log import files, writing
from sintra.reader import Reader
from sintra.text import plural

GAMES = Path(__file__).parents[2] / "fixtures" / "games"
NEWLINE = b"\n"
SEVERAL = 20
"""One cut out of this many is repaired by the commands themselves."""


def run(scale: float, scratch: Path) -> dict[str, int | str]:
    """Cut logs at every byte; figures of it."""
    chosen = ("sintra-a-2", "sintra-b-4", "azul-colored-2", "azul-gray-3", "crystal-1-2", "crystal-2-4")
    names = chosen if scale >= 1 else chosen[:1]
    figures = Counter[str](logs=len(names))
    for name in names:
        data = (GAMES / f"{name}.log").read_bytes()
        if scale < 1:
            data = whole_lines(data[: max(2_500, int(len(data) * scale))])
        figures.update(sweep(data, scratch / name, scale))
    return dict(figures)


def sweep(data: bytes, folder: Path, scale: float = 1) -> Counter[str]:
    """Cut one log at every byte."""
    figures = Counter[str]()
    folder.mkdir(parents=True, exist_ok=True)
    several = 1 if scale >= 1 else max(1, round(1 / scale))
    for end in range(len(data) + 1):
        path = folder / LOG
        path.write_bytes(data[:end])
        place = f"cut after byte {end}; {path}"
        check_cut(path, data[:end], place)
        figures["cuts"] += 1
        if data[end - 1 : end] not in (b"", NEWLINE) and end % several == 0:
            if end % (SEVERAL * several):
                _mend(path, data[:end], place)
            else:
                mend(folder, place)
                figures["by the program's commands"] += 1
            if b"\n" in data[:end] and end % (SEVERAL * several) == 0:
                _goes_on(folder, place)
            for backup in folder.glob("*.bak*"):
                backup.unlink()
            figures["refused by a writer, and repaired with a backup"] += 1
    return figures


def check_cut(path: Path, data: bytes, place: str) -> None:
    """Whole lines are a log; a torn line is named with its line and byte; an empty file is none."""
    whole = data[: data.rfind(b"\n") + 1]
    found = str(fault(path))
    if not data:
        assert "the log is empty" in found, f"{place}: {found}"
    elif data == whole:
        assert found == "None", f"{place}: {found}"
        events = sum(1 for _ in Reader(files.read(path)))
        assert events == data.count(b"\n"), f"{place}: {events} events"
    else:
        size = plural(len(data) - len(whole), "byte")
        torn = f"the last line is torn: {size} from byte {len(whole) + 1} on"
        told = f"line {whole.count(NEWLINE) + 1}: {torn}"
        assert found.startswith(told), f"{place}: {found}, not: {told}"


def _mend(path: Path, data: bytes, place: str) -> None:
    """The same as `crash.mend`, by the functions below the commands."""
    told = ""
    with writing.Appender(path) as file:
        try:
            for _ in file.read():
                pass
        except DamagedLog as error:
            told = str(error)
    assert "torn" in told, f"{place}: a writer reads over a torn line"
    whole = whole_lines(data)
    torn, backup = writing.repair(path)
    assert torn == len(data) - len(whole), f"{place}: {torn} bytes cut off"
    assert path.read_bytes() == whole, f"{place}: repaired to something else than its whole lines"
    assert backup is not None, f"{place}: no backup after repair"
    assert Path(backup).exists(), f"{place}: no backup after repair"
    assert Path(backup).read_bytes() == data, f"{place}: the backup is not what was there"


def _goes_on(folder: Path, place: str) -> None:
    """A log that was repaired can be written to."""
    before = content(folder) or b""
    ended = calmly("note", LOG, "repaired", cwd=folder)
    line = b'{"type":"noted","text":"repaired"}\n'
    after = content(folder) or b""
    assert ended.code == 0, f"{place}: {ended}"
    assert after.startswith(before), f"{place}: {ended}"
    assert after.endswith(line), f"{place}: {ended}"
