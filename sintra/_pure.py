"""Imports the Python source of every module, even if a compiled one lies beside it: `SINTRA_PURE=1`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import FileFinder, ModuleSpec, SourceFileLoader
from types import ModuleType


class SourceFinder:
    """Finds only the Python sources of this package's modules."""

    @staticmethod
    def find_spec(
        name: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,  # noqa: ARG004 - the import system passes it
    ) -> ModuleSpec | None:
        """Return the spec of the source of one of our modules; None for any other."""
        if not name.startswith("sintra.") or path is None:
            return None
        for folder in path:
            spec = FileFinder(folder, (SourceFileLoader, [".py"])).find_spec(name)
            if spec is not None:
                return spec
        return None


def prefer_source() -> None:
    """Import Python sources from now on."""
    sys.meta_path.insert(0, SourceFinder)
