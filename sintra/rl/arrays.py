"""Examples as a numpy archive: the planes of many games are large, so they are written in parts."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from sintra.batch.logs import Entry
from sintra.batch.rows import shares_of
from sintra.rl.dataset import Maker

if TYPE_CHECKING:
    from sintra.rl.export import Export

BLOCK = 256
"""Number of choices written at a time."""


def npz(run: Export, found: list[Entry]) -> Iterator[bytes]:
    """Yield a file for `numpy.load` with the arrays of `sintra.rl.Examples`.

    Logs are read twice: for everything small, then to write the planes without holding them in memory.
    """
    from sintra.rl.export import Sink

    maker: Maker | None = None
    good: list[Entry] = []
    small: dict[str, list[Any]] = {name: [] for name in ("masks", "codes", "seats", "shares", "games")}
    for entry in found:
        run.done.logs += 1
        fold = run.read(entry)
        if fold is None:
            continue
        maker = maker or Maker(fold)
        maker.check(fold, entry.name)
        run.done.unfinished += not fold.over
        shares = [np.nan if share is None else share for share in shares_of(fold)]
        for _, mask, code, seat in maker.seen(fold):
            for name, value in zip(
                small, (np.packbits(mask), code, seat, shares[seat], len(good)), strict=True
            ):
                small[name].append(value)
        good.append(entry)
    if maker is None:
        return
    run.done.rows = len(small["codes"])
    sink = Sink()
    with zipfile.ZipFile(sink, "w") as archive:
        for name, array in _arrays(maker, small).items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                np.lib.format.write_array(file, array, allow_pickle=False)
            yield sink.taken()
        with archive.open("planes.npy", "w", force_zip64=True) as file:
            file.write(_header((run.done.rows, *maker.shape)))
            for block in _blocks(maker, (run.read(entry) for entry in good)):
                file.write(block)
                yield sink.taken()
    yield sink.taken()


def _arrays(maker: Maker, small: dict[str, list[Any]]) -> dict[str, Any]:
    """Return all arrays but the planes."""
    masks = np.array(small["masks"], np.uint8).reshape(len(small["masks"]), -(-maker.width // 8))
    return {
        "masks": np.unpackbits(masks, axis=1, count=maker.width).astype(np.bool_),
        "codes": np.array(small["codes"], np.int64),
        "seats": np.array(small["seats"], np.uint8),
        "shares": np.array(small["shares"], np.float64),
        "games": np.array(small["games"], np.int64),
        "names": np.array(maker.planes.names(maker.players)),
    }


def _header(shape: tuple[int, ...]) -> bytes:
    """Return the header of an array of bytes in a file."""
    text = io.BytesIO()
    np.lib.format.write_array_header_1_0(text, {"descr": "|u1", "fortran_order": False, "shape": shape})
    return text.getvalue()


def _blocks(maker: Maker, folds: Iterable[Any]) -> Iterator[bytes]:
    """Yield the planes of all choices, in blocks."""
    block: list[bytes] = []
    for fold in folds:
        for planes, *_ in maker.seen(fold):
            block.append(planes.tobytes())
            if len(block) == BLOCK:
                yield b"".join(block)
                block = []
    yield b"".join(block)
