"""The functions of the library."""

from __future__ import annotations

import copyreg
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sintra import catalog
from sintra.game import Game, check_seed
from sintra.log import files
from sintra.log.events import OptionValue
from sintra.log.lines import split
from sintra.rules.chance import new_seed
from sintra.rules.ruleset import RuleSet

if TYPE_CHECKING:
    from os import PathLike

from sintra.reader import read_game


def new(
    rules: str = "sintra",
    players: int | Sequence[str] = 2,
    *,
    seed: int | None = None,
    chance: str = "seeded",
    components: Mapping[str, Any] | None = None,
    **options: OptionValue,
) -> Game:
    """A new game; without a seed, one is drawn and recorded.

    `players` is a number or the names, `chance` is `seeded`, `system` (nobody can foresee it) or `table`
    (typed in from a real table), `components` are printed values of one's own, and the rule-set's options
    go by their names: `sintra.new("sintra", players=["Ada", "Ben"], seed=42, side="B")`.
    """
    if chance == "seeded" and seed is None:
        seed = new_seed()
    check_seed(chance, seed)  # here, too: compiled code has made a number of True already
    return Game.new(
        catalog.find(rules),
        players,
        seed=seed,
        chance=chance,
        components=components,
        options=options,
        engine=catalog.engine_of(rules),
    )


def loads(text: str | bytes) -> Game:
    """The game that a log's text tells."""
    return read_game(split(_bytes(text)))


def loads_as(rules: RuleSet, text: str | bytes) -> Game:
    """The game that a log's text tells, under a rule-set that need not be installed."""
    return read_game(split(_bytes(text)), rules)


def _bytes(text: str | bytes) -> bytes:
    """A log's text as its file has it; what is no UTF-8 is left to be found there."""
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text


def load(path: str | PathLike[str]) -> Game:
    """The game that a log file tells."""
    return read_game(files.read(file_named(path)))


def file_named(path: str | PathLike[str]) -> str:
    """The path of a file, whatever its name: `-` is standard input on the command line alone."""
    return os.path.join(os.curdir, "-") if os.fspath(path) == "-" else os.fspath(path)


# A game goes to other processes, and is copied, as its log: compiled classes have no other way.

copyreg.pickle(Game, lambda game: (loads, (game.dumps(),)))
