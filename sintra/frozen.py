"""Immutable values."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

from msgspec import Struct
from msgspec.structs import force_setattr

K = TypeVar("K")
V = TypeVar("V")


class Fixed(dict[K, V]):
    """An immutable, hashable dictionary."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return Fixed, (dict(self),)

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("this dictionary is immutable; make a copy with dict(...)")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse


class Value(Struct, frozen=True):
    """An immutable struct; dictionaries in it, or in tuples in it, are made immutable, too."""

    def __post_init__(self) -> None:
        for field in self.__struct_fields__:
            value = getattr(self, field)
            if isinstance(value, dict):
                force_setattr(self, field, Fixed(value))
            elif isinstance(value, tuple) and value and isinstance(value[0], dict):
                force_setattr(self, field, tuple(map(Fixed, value)))
