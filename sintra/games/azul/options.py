"""The options of Azul and of Crystal Mosaic."""

from __future__ import annotations

from sintra.games.azul import boards
from sintra.rules.ruleset import Option

AZUL = (
    Option(
        "side",
        tuple(boards.AZUL),
        "colored",
        "the side of the boards: colored has one place for every tile, on gray players choose",
    ),
)
CRYSTAL = (
    Option(
        "side",
        tuple(boards.CRYSTAL),
        "1",
        "the side of the boards: on 1 printed spaces score double, 2 has other bonuses",
    ),
)
