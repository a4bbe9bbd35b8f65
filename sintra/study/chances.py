"""Chances of winning, by how often the leads that `strong` expected came true in its own games.

After each round, a lead over the best opponent is turned into a chance by a logistic curve, fitted by
`scripts/chances.py` for every board and number of players. The file is data with its source, and small enough
to read.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from math import exp
from typing import NamedTuple

import msgspec
from msgspec import Struct

from sintra.errors import UsageError
from sintra.log import files

PATH = os.path.join(os.path.dirname(__file__), "chances.json")
FLATTEST = 30.0
"""Beyond this argument, the curve counts as flat."""


class Curve(NamedTuple):
    """A logistic curve: the lead, in hundredths of a point, that makes the chances even, and its width."""

    middle: float
    width: float

    def chance(self, lead: float) -> float:
        """Return the chance that a player with this lead wins."""
        at = (lead - self.middle) / self.width
        return 1 / (1 + exp(-max(-FLATTEST, min(FLATTEST, at))))


class Curves(Struct, frozen=True, forbid_unknown_fields=True):
    """The file: curves after round 1, 2, ... by board and number of players (`azul-colored-2`)."""

    source: str
    curves: dict[str, list[Curve]]


UNKNOWN = [Curve(0, 1500), Curve(0, 1200), Curve(0, 900)]
"""The curve of boards without a fit."""


@lru_cache(maxsize=4)
def read(path: str) -> Curves:
    """Read a file of curves; raise UsageError if it is damaged."""
    try:
        return msgspec.json.decode(files.read_whole(path), type=Curves)
    except msgspec.DecodeError as error:
        raise UsageError(f"{path}: damaged curves: {error}") from None


def curves_for(board: str, players: int) -> Sequence[Curve]:
    """Return the curves of a board; if there are none for this many players, those for fewer."""
    known = read(PATH).curves
    for count in range(players, 1, -1):
        if known.get(f"{board}-{count}"):
            return known[f"{board}-{count}"]
    return UNKNOWN


def curve_after(curves: Sequence[Curve], rounds: int) -> Curve:
    """Return the curve for the end of a round."""
    return curves[max(0, min(rounds, len(curves)) - 1)]


def chances(leads: Sequence[float], curves: Sequence[Curve], rounds: int) -> list[float]:
    """Return every player's chance of winning after this many rounds; they add up to 1."""
    curve = curve_after(curves, rounds)
    found = [curve.chance(lead) for lead in leads]
    return [chance / sum(found) for chance in found]
