"""Estimates: what a position will come to, as a sum of learned weights.

A rule-set numbers its features: facts about a position such as "two of four spaces of line 4 are taken". An
estimate is the sum of the weights of those that hold, in hundredths of a point. The same code that adds up
the weights lists the features for training, so that the two can't differ.
"""

from __future__ import annotations

from typing import Final

from sintra._mypyc import i64, mypyc_attr

KNOWN: Final = 8191
"""Number of remembered boards, less 1: a mask."""


class FeatureTable:
    """Features that belong together: `rows` rows of `width` numbers, from feature `first` on."""

    def __init__(self, name: str, first: int, rows: int, width: int) -> None:
        self.name = name
        self.first = first
        self.rows = rows
        self.width = width


@mypyc_attr(acyclic=True)
class Known:
    """What is known of one player's board, whatever is on offer."""

    key: i64 = 0
    points: i64 = 0
    """The points of its full lines."""
    bonus: i64 = 0
    """The points that the end of the game adds."""
    total: i64 = 0
    """The sum of the weights."""
    lines: i64 = 0
    """The lines that what is on offer matters to."""


@mypyc_attr(acyclic=True)
class Estimate:
    """The weights of a board by feature, and the sum so far."""

    weights: list[int]
    total: i64
    found: list[int] | None
    """The features that were counted, for callers that want them: those of each player begin with -1."""
    _known: list[Known]

    def __init__(self, weights: list[int], found: list[int] | None = None) -> None:
        self.weights = weights
        self.total = 0
        self.found = found
        self._known = []

    def known(self, key: i64) -> Known:
        """Return what is known of a board; if its `key` differs, the caller has to compute and store it.

        Nothing is known while `found` collects features.
        """
        if self.found is not None:
            return Known()
        if not self._known:
            self._known = [Known() for _ in range(KNOWN + 1)]
        return self._known[key & KNOWN]

    def begin(self) -> None:
        """Begin the sum of the next player."""
        self.total = 0
        if self.found is not None:
            self.found.append(-1)

    def count(self, feature: i64) -> None:
        """Add the weight of a feature."""
        self.total += self.weights[feature]
        if self.found is not None:
            self.found.append(feature)
