"""The source of every module, also where a compiled one lies beside it: `SINTRA_PURE=1`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import FileFinder, ModuleSpec, SourceFileLoader
from types import ModuleType


class SourceFinder:
    """Finds modules of this package by their source alone."""

    @staticmethod
    def find_spec(
        name: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,  # noqa: ARG004 - the import system passes it
    ) -> ModuleSpec | None:
        """The source of a module of this package; None leaves it to others."""
        if not name.startswith("sintra.") or path is None:
            return None
        for folder in path:
            spec = FileFinder(folder, (SourceFileLoader, [".py"])).find_spec(name)
            if spec is not None:
                return spec
        return None


def prefer_source() -> None:
    """From now on, import the source."""
    sys.meta_path.insert(0, SourceFinder)
