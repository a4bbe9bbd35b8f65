"""Folders of runs: checks if one can be used, and for which plan."""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import Any

import msgspec

from sintra.batch.logs import unlisted
from sintra.errors import Conflict
from sintra.log import writing


def is_used(folder: str, own: Collection[str] = ()) -> bool:
    """Return True for a folder that holds anything but `own` files, and drafts left by a killed program."""
    try:
        return os.path.isdir(folder) and not all(
            name in own or writing.is_draft(name) for name in os.listdir(folder)
        )
    except OSError as error:
        raise unlisted(folder, error) from None


def compare(there: bytes, plan: dict[str, Any], folder: str) -> None:
    """Raise Conflict unless a folder holds the requested run."""
    try:
        other = msgspec.json.decode(there, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Conflict(f"can't use {folder}: its run.json was not written by sintra") from None
    for key in [*plan, *other]:
        wanted, found = (_encoded(run.get(key)) for run in (plan, other))
        if wanted != found:
            raise another("run", folder, key, found, wanted)


def another(kind: str, folder: str, name: str, found: str, wanted: str) -> Conflict:
    """Return the error for a folder that was begun with another value than requested; both are JSON."""
    return Conflict(
        f"{folder} holds another {kind}: it was begun with {name}={found[:80]}, not {wanted[:80]}"
    )


def _encoded(value: object) -> str:
    try:
        return msgspec.json.encode(value).decode()
    except OverflowError:  # no plan has a number like this
        return repr(value)
