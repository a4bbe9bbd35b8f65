"""How things of the rules are pickled and deep-copied, compiled or not."""

from __future__ import annotations

from typing import Any


def reduced(thing: object, *given: object) -> tuple[Any, ...]:
    """Return what `__reduce__` has to: a call of the class with what is given, and all attributes."""
    named = getattr(type(thing), "__mypyc_attrs__", ())
    own = {name: getattr(thing, name) for name in named if name != "__dict__" and hasattr(thing, name)}
    return type(thing), given, own | getattr(thing, "__dict__", {})
