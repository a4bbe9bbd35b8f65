"""Tampered folders of runs: a run that is resumed gives the right result, or an error that names the file.

Nothing is overwritten that the run did not write, and nothing outside the folder changes.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sintra.batch.simulation import simulate
from sintra.errors import SintraError

GAMES = 130
"""Three games a shard, but for the last one."""
PATIENCE = 30
"""Seconds after which a resumed run counts as hanging."""
DEEP = "[" * 100_000
ESCAPES = "\x1b]0;owned\x07\x9b31m\u202e"

Tampering = Callable[[Path], object]


def run(scale: float, scratch: Path) -> dict[str, int | str]:
    """Tamper with a finished and with a half-finished run, in every way."""
    figures = {"right results": 0, "errors that name the file": 0}
    ways = TAMPERINGS if scale >= 1 else _some(TAMPERINGS)
    for kind in ("games", "shards", "none") if scale >= 1 else ("games",):
        whole = laid(scratch / f"{kind}-whole", kind)
        for half in (False, True):
            for number, (name, way) in enumerate(ways.items()):
                folder = scratch / f"{kind}-{half}-{number}" / "run"
                laid(folder, kind, half)
                try:
                    found = resumed(name, way, folder, kind)
                except FileNotFoundError:  # there is no such file in this kind of run
                    continue
                assert found in (None, whole), f"{name}: another result; {folder}"
                figures["right results" if found else "errors that name the file"] += 1
                shutil.rmtree(folder.parent)
    return {"ways to tamper with the folder of a run": len(ways), **figures}


def _some(ways: dict[str, Tampering]) -> dict[str, Tampering]:
    """Return the ways of the short form: all power cuts, and one of four of the others."""
    return {name: way for at, (name, way) in enumerate(ways.items()) if at % 4 == 0 or name.startswith("cut")}


def laid(folder: Path, kind: str, half: bool = False) -> Any:
    """Lay out the folder of a run; half of it is still to be played."""
    summary = simulate("azul", GAMES, seed=7, max_rounds=1, bots="random", out=folder, logs=kind)
    if half:
        for number in range(1, 45, 2):
            _tally(folder, number).unlink(missing_ok=True)
    return summary


def resumed(name: str, way: Tampering, folder: Path, kind: str) -> Any:
    """Tamper and resume; return the result, or None for an error that names what was tampered with."""
    way(folder)
    before = _files(folder.parent)
    signal.signal(signal.SIGALRM, _hangs)
    signal.alarm(PATIENCE)
    try:
        return simulate("azul", GAMES, seed=7, max_rounds=1, bots="random", out=folder, logs=kind)
    except SintraError as error:
        _check(name, error)
        return None
    finally:
        signal.alarm(0)
        after = _files(folder.parent)
        lost = {path for path, data in before.items() if after.get(path) != data and not _torn(name)}
        assert not lost, f"{name}: changed {lost}; {folder}"


def _check(name: str, error: SintraError) -> None:
    assert error.exit_code in (4, 5), f"{name}: {error!r}"
    assert "run" in str(error), f"{name}: the error names no file: {error}"


def _hangs(*_: object) -> None:
    raise AssertionError(f"no end after {PATIENCE} seconds")


def _torn(name: str) -> bool:
    """Whether files were left as by a power cut, and are written again."""
    return name.startswith("cut")


def _files(folder: Path) -> dict[str, object]:
    return {
        str(path): os.readlink(path) if path.is_symlink() else path.is_file() and path.read_bytes()
        for path in folder.rglob("*")
        if not path.is_dir() or path.is_symlink()
    }


# -- Ways to tamper --------------------------------------------------------------------------


def _tally(folder: Path, number: int = 2) -> Path:
    return folder / "tallies" / "000" / f"{number:06}.json"


def _log(folder: Path) -> Path:
    """A kept log of the first shard, whose tally is lost."""
    _tally(folder, 1).unlink(missing_ok=True)
    found = sorted((folder / "logs" / "000").iterdir())
    return found[0]


def _json(change: Callable[[Any], object], of: Callable[[Path], Path] = _tally) -> Tampering:
    def way(folder: Path) -> None:
        data = json.loads(of(folder).read_bytes())
        change(data)
        of(folder).write_text(json.dumps(data))

    return way


def _text(text: str | bytes, of: Callable[[Path], Path] = _tally) -> Tampering:
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    return lambda folder: of(folder).write_bytes(data)


def _run(folder: Path) -> Path:
    return folder / "run.json"


def _instead(make: Callable[[Path], object], of: Callable[[Path], Path] = _tally) -> Tampering:
    """Put something else in the place of a file."""

    def way(folder: Path) -> None:
        path = of(folder)
        path.unlink(missing_ok=True)
        make(path)

    return way


def _link_out(path: Path) -> None:
    target = path.parents[len(path.parents) - 1 - path.parts.index("run")] / "outside"
    target.write_bytes(b"mine\n")
    path.symlink_to(target)


def _folder_out(name: str) -> Tampering:
    def way(folder: Path) -> None:
        outside = folder.parent / "outside"
        if (folder / name).is_dir():
            (folder / name).rename(outside)
        else:
            raise FileNotFoundError(name)
        (folder / name).symlink_to(outside)
        _remove_one(outside)

    return way


def _remove_one(folder: Path) -> None:
    for path in sorted(folder.rglob("000001.*")):
        path.unlink()


def _set(*keys: Any, to: Any) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        for key in keys[:-1]:
            data = data[key]
        data[keys[-1]] = to

    return change


TAMPERINGS: dict[str, Tampering] = {
    "a tally of another shard": lambda folder: shutil.copy(_tally(folder, 4), _tally(folder)),
    "a tally with another number": _json(_set("shard", to=7)),
    "a tally without a checksum": _json(lambda data: data.pop("checksum")),
    "a tally with another checksum": _json(_set("checksum", to="0" * 32)),
    "a tally with one game more": _json(_set("count", "games", "unfinished", to=4)),
    "negative games": _json(_set("count", "games", "games", to=-1)),
    "negative results": _json(lambda data: data["count"]["games"].update(unfinished=-3)),
    "huge counts": _json(_set("count", "games", "games", to=10**30)),
    "a fraction of a game": _json(_set("count", "games", "games", to=1.5)),
    "true games": _json(_set("count", "games", "games", to=True)),
    "null games": _json(_set("count", "games", "games", to=None)),
    "no seats, but results": _json(_set("count", "seats", to=[{"seat": 9, "bot": "random", "tally": {}}])),
    "a seat of nobody": _json(_set("count", "seats", to=[{"seat": 1, "bot": ESCAPES, "tally": {}}])),
    "seats that are no list": _json(_set("count", "seats", to="random")),
    "a key too many": _json(_set("more", to=1)),
    "no count": _json(lambda data: data.pop("count")),
    "a list for a tally": _text("[]"),
    "a number for a tally": _text("5"),
    "deep JSON for a tally": _text(DEEP),
    "deep JSON in a tally": _text('{"shard":' + DEEP),
    "escapes in a tally": _text(json.dumps({ESCAPES: ESCAPES})),
    "bytes that are no text": _text(b'{"shard":"\xff\xfe"}'),
    "another file for a tally": _text("my diary\n"),
    "a tally cut short by somebody": _text('{"shard":1} and more'),
    "cut: an empty tally": _text(""),
    "cut: a tally of zeros": _text(b"\0" * 400),
    "cut: half a tally": lambda folder: os.truncate(_tally(folder), _tally(folder).stat().st_size // 2),
    "a FIFO for a tally": _instead(os.mkfifo),
    "a folder for a tally": _instead(os.mkdir),
    "a link for a tally": _instead(_link_out),
    "a dangling link for a tally": _instead(lambda path: path.symlink_to("/nowhere/at/all")),
    "a link to itself for a tally": _instead(lambda path: path.symlink_to(path)),
    "tallies behind a link": _folder_out("tallies"),
    "logs behind a link": _folder_out("logs"),
    "an annotated log": lambda folder: _append(_log(folder), b'{"type":"noted","text":"mine"}\n'),
    "another file for a log": lambda folder: _log(folder).write_bytes(b"my diary\n"),
    "a FIFO for a log": _instead(os.mkfifo, _log),
    "a link for a log": _instead(_link_out, _log),
    "cut: an empty log": lambda folder: os.truncate(_log(folder), 0),
    "a FIFO for the plan": _instead(os.mkfifo, _run),
    "deep JSON for the plan": _text(DEEP, _run),
    "a huge seed in the plan": _json(_set("seed", to=10**30), _run),
    "escapes in the plan": _json(_set("engine", to=ESCAPES), _run),
    "a lone surrogate in the plan": _text('{"engine":"\\ud800"}', _run),
}


def _append(path: Path, data: bytes) -> None:
    path.write_bytes(path.read_bytes() + data)
