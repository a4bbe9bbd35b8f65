"""What is printed on the boards, as data, each table with its source."""

from __future__ import annotations

from msgspec import Struct


class Printed(Struct, frozen=True):
    """A printed table: its name, its value, how sure we are of it, and a note.

    `source` is *rulebook* (read in a rulebook), *public* (independent public sources agree), *inferred* (fits
    everything known) or *stand-in* (unknown: our own choice, replaced with `sintra new --components FILE` by
    anyone who has the box).
    """

    name: str
    value: object
    source: str
    note: str = ""
