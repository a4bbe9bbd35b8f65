"""Planes: what learning programs see of a game, as a list of named grids of small numbers.

A rule-set that has planes names a module with `PLANES` of this kind. All grids of a game have the same size.
First come the planes of the table, then a block of planes for each player: the observing player (usually the
one to move) first, then the others in turn order. Numbers are 0 to 255; larger ones count as 255.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from msgspec import Struct

SEATS = ("mover", "second", "third", "fourth")
"""Players in turn order, beginning with the observing one."""


class Plane(Struct, frozen=True):
    """A plane: its name, and what its cells hold."""

    name: str
    meaning: str


class Planes(Struct, frozen=True):
    """The planes of a game."""

    rows: int
    columns: int
    cells: str
    """What rows and columns stand for."""
    table: tuple[Plane, ...]
    """The planes that all players share."""
    player: tuple[Plane, ...]
    """The planes of one player."""
    observer: str
    """The module whose `OBSERVER` fills them."""

    def names(self, players: int) -> list[str]:
        """Return the name of every plane of a game, in order."""
        own = [f"{seat} {plane.name}" for seat in SEATS[:players] for plane in self.player]
        return [plane.name for plane in self.table] + own

    def shape(self, players: int) -> tuple[int, int, int]:
        """Return the number of planes, their rows and their columns."""
        return len(self.table) + players * len(self.player), self.rows, self.columns


def listing(rules: Any) -> dict[str, Any]:
    """Return all planes and codes of a rule-set that has planes, in words."""
    planes: Planes = import_module(rules.planes).PLANES
    named = {
        kind: [{"name": plane.name, "meaning": plane.meaning} for plane in getattr(planes, kind)]
        for kind in ("table", "player")
    }
    return {
        "rows": planes.rows,
        "columns": planes.columns,
        "cells": planes.cells,
        **named,
        "names": {str(players): planes.names(players) for players in rules.players},
        "codes": [step.words for step in rules.steps],
    }
