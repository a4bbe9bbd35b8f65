"""Logs as training examples: what each player saw, what they chose, and how the game ended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod
from os import PathLike, fspath
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from sintra.api import file_named
from sintra.batch.logs import entries, read
from sintra.batch.rows import choices_of, shares_of
from sintra.errors import UsageError
from sintra.fold import Fold
from sintra.game import Game
from sintra.rl.extras import needed
from sintra.rl.kind import planes_of
from sintra.rl.vectors import viewed
from sintra.rules.observer import Observer, clear, small_numbers
from sintra.rules.planes import Planes


class Examples(Struct, frozen=True):
    """Training examples: each array has a row for every choice of every game."""

    planes: NDArray[np.uint8]
    """What the player saw: choices x planes x rows x columns."""
    masks: NDArray[np.bool_]
    """True for each code that was legal."""
    codes: NDArray[np.int64]
    """The code that was chosen."""
    seats: NDArray[np.uint8]
    """Who chose, from 0."""
    shares: NDArray[np.float64]
    """The player's final share of the victory; NaN if the game is not over."""
    games: NDArray[np.int64]
    """The number of the game, from 0, in the order of the logs."""
    names: list[str]
    """The name of every plane."""


class Maker:
    """Turns games of one kind into examples."""

    def __init__(self, fold: Fold) -> None:
        """The game of a fold determines the kind."""
        self.rules = fold.rules
        self.players = len(fold.created.players)
        planes = planes_of(fold.rules)
        if planes is None:
            raise UsageError(f"{fold.rules.name} has no planes")
        self.planes: Planes = planes
        self.shape = planes.shape(self.players)
        self.width = len(fold.rules.steps)
        self.observer: Observer = needed(planes.observer).OBSERVER
        self._cells = small_numbers(prod(self.shape))
        self._mask = small_numbers(self.width)
        self._seen = viewed(self._cells, np.uint8).reshape(self.shape)
        self._legal = viewed(self._mask, np.bool_)

    def check(self, fold: Fold, name: str) -> None:
        """Raise UsageError if a game is of another kind than the first."""
        kind = (fold.rules.name, len(fold.created.players))
        if kind != (self.rules.name, self.players):
            raise UsageError(
                f"{name} is a game of {kind[0]} for {kind[1]} players; the first one is of "
                f"{self.rules.name} for {self.players}, and planes of both don't fit together"
            )

    def seen(self, fold: Fold) -> Iterator[tuple[Any, Any, int, int]]:
        """Yield planes, mask, code and seat of every choice of a game; the arrays change with each."""
        for number, (state, code) in enumerate(choices_of(fold)):
            if number == 0:
                self.observer.lay_out(state, self._cells, 0)
            self.observer.paint(state, state.player, self._cells, 0)
            clear(self._mask, 0, self.width)
            self.observer.mark(state, self._mask, 0)
            yield self._seen, self._legal, code, state.player


def examples(*logs: str | PathLike[str] | Game, many: bool = False) -> Examples:
    """Return all choices of some games: of logs (files, folders, patterns) or of games in memory.

    All must be of one rule-set and number of players; the boards may differ. `many` reads each file as one of
    many games.
    """
    maker: Maker | None = None
    found: list[list[Any]] = [[], [], [], [], [], []]
    for number, (name, fold) in enumerate(_folds(logs, many)):
        maker = maker or Maker(fold)
        maker.check(fold, name)
        shares = shares_of(fold)
        for planes, mask, code, seat in maker.seen(fold):
            share = shares[seat]
            row = (planes.copy(), mask.copy(), code, seat, np.nan if share is None else share, number)
            for column, value in zip(found, row, strict=True):
                column.append(value)
    if maker is None:
        raise UsageError("no logs were given")
    kinds = (np.uint8, np.bool_, np.int64, np.uint8, np.float64, np.int64)
    shapes = (maker.shape, (maker.width,), (), (), (), ())
    arrays: list[Any] = [
        np.array(column, kind).reshape(len(column), *shape)
        for column, kind, shape in zip(found, kinds, shapes, strict=True)
    ]
    planes, masks, codes, seats, won, games = arrays
    names = maker.planes.names(maker.players)
    return Examples(planes, masks, codes, seats, won, games, names)


def _folds(logs: Iterable[str | PathLike[str] | Game], many: bool) -> Iterator[tuple[str, Fold]]:
    """Yield the games with their names; a faulty log raises its error."""
    for one in logs:
        if isinstance(one, Game):
            yield "a game", one.fold
            continue
        for entry in entries([file_named(fspath(one))], many=many):
            yield entry.name, read(entry).fold
