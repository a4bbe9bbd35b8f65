"""What is printed on the boards, as data, each table with its source.

A source is one of: *rulebook* (read in the rulebooks), *public* (agreed by independent public
sources), *inferred* (fits all that is known), *stand-in* (not known: a choice of our own, to be
replaced by anyone who has the box, with `sintra new --components FILE`).
"""

from __future__ import annotations

from msgspec import Struct


class Printed(Struct, frozen=True):
    """A printed table: what it is, what it says, and how sure that is."""

    name: str
    value: object
    source: str
    note: str = ""
