"""Pickling and deep-copying of states and their parts, compiled or not."""

from __future__ import annotations

from typing import Any


def reduced(thing: object, *given: object) -> tuple[Any, ...]:
    """Return the result of `__reduce__`: a call of the class with these arguments, and all attributes."""
    named = getattr(type(thing), "__mypyc_attrs__", ())
    own = {name: getattr(thing, name) for name in named if name != "__dict__" and hasattr(thing, name)}
    return type(thing), given, own | getattr(thing, "__dict__", {})
