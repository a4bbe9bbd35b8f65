"""What was decided where a rulebook is silent or can be read two ways.

Each ruling has a number that errors and tests cite.
"""

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
        "The bag is emptied before it is refilled from the tower, if need be in the middle of a "
        "deal. When both are empty, the displays still to fill stay short or empty.",
    ),
    Ruling(
        "R3",
        "If nobody takes the starting tile in a round, whoever started it starts the next one too.",
    ),
    Ruling("R4", "The pieces of one pick go to one strip or line; they are never split over two."),
    Ruling("R5", "Player 1 starts the first round; the order of the names settles who that is."),
    Ruling(
        "R6",
        "The rules alone may never end a game, so programs that play by themselves need a round limit.",
    ),
)

SINTRA = (
    Ruling("S1", "A score may drop below zero, unless the option floor_at_zero says otherwise."),
    Ruling(
        "S2",
        "A broken piece is one step on the track, and so is the starting tile, before pieces are "
        "placed. The last space costs its 18 points at once and leads back to 0; steps that are "
        "left go on there.",
    ),
    Ruling(
        "S3",
        "The glazier reaches the strip beneath it and all to its right. While one of them has "
        "room for the color, the pieces must go to such a strip; the player chooses which.",
    ),
    Ruling(
        "S4",
        "As many pieces as fit are placed, the rest breaks. Spaces of the color fill before "
        "jokers, unless the player names a larger number of jokers.",
    ),
    Ruling("S5", "When no strip in reach has room, all picked pieces break and the glazier stays."),
    Ruling(
        "S6",
        "A complete strip: color bonus, one piece kept and four to the tower, the window "
        "furnished, the strip flipped or removed, then the window and the furnished ones to its "
        "right score.",
    ),
    Ruling(
        "S7",
        "Returning leads to the leftmost strip that is left, be it to the right. It is not "
        "allowed from above that strip, nor when no strip is left.",
    ),
    Ruling(
        "S8",
        "The last turn of a round is played to its end; then the round's indicator piece goes to the tower.",
    ),
    Ruling(
        "S9",
        "Final scoring: a point for every three pieces left on strips, the loss at the marker, "
        "then the side; side B counts the best color by itself.",
    ),
    Ruling(
        "S10",
        "A tie goes to the player who lost fewer points on the broken glass track, every loss in "
        "full; otherwise the victory is shared.",
    ),
    Ruling(
        "S11",
        "Ornaments of side A stand between windows 1-2, 3-4, 5-6 and 7-8, four frame spaces around each.",
    ),
)

AZUL = (
    Ruling(
        "A1",
        "All pieces of a pick go to one pattern line, or all to the floor. What a line can't take falls "
        "to the floor line, left to right, and past its last space into the lid.",
    ),
    Ruling(
        "A2",
        "The starting tile takes the leftmost free floor space before the pieces do. On a full floor line "
        "it takes none and costs nothing; its taker still starts the next round.",
    ),
    Ruling(
        "A3",
        "A line takes no color that its row of the wall holds. A color that fits no column any more may "
        "still be placed in a line.",
    ),
    Ruling(
        "A4",
        "Tiling goes from the top line down. Where spaces are free, a full line is tiled if any column is "
        "legal: empty, free or printed with the color, and the color nowhere else in row and column. If "
        "none is, all its pieces fall to the floor line, before the floor is counted.",
    ),
    Ruling(
        "A5",
        "A tile scores its horizontal and its vertical run, each if longer than one, or 1 if neither is. "
        "Counting the floor takes a score down to 0 at most.",
    ),
    Ruling(
        "A6",
        "The game ends after a round in which a row was completed, or when no piece is left to deal. "
        "Bonuses for rows, columns and colors follow. A tie goes to more complete rows, else it is shared.",
    ),
)

CRYSTAL = (
    Ruling(
        "C1",
        "A printed space takes its own color only, the others are free under A4. A color may go to another "
        "legal space of its row, even if its printed space can then never be filled.",
    ),
    Ruling("C2", "Side 1: a tile on a printed space scores double. Bonuses 2, 7 and 10."),
    Ruling("C3", "Side 2: nothing is doubled. Bonuses 3, 10 and 12."),
)
