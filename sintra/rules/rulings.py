"""Rulings: decisions where a rulebook is silent or ambiguous."""

from __future__ import annotations

from msgspec import Struct


class Ruling(Struct, frozen=True):
    """One decision, with its number."""

    number: str
    text: str


EVERY_GAME = (
    Ruling("R1", "5, 7 or 9 displays for 2, 3 or 4 players, four pieces each."),
    Ruling(
        "R2",
        "The bag is refilled from the tower only when it is empty, even in the middle of a deal. "
        "When both are empty, the remaining displays stay short or empty.",
    ),
    Ruling(
        "R3", "If nobody takes the starting tile in a round, the player who started it starts the next one."
    ),
    Ruling("R4", "The pieces of one pick go to one strip or line; they are never split."),
    Ruling("R5", "Player 1 starts the first round; the order of the names decides who that is."),
    Ruling(
        "R6", "A game may go on forever under the rules, so programs that play on their own limit the rounds."
    ),
)
"""The rulings of the draft, which all games share."""
