"""The rulings of Azul and Crystal Mosaic."""

from __future__ import annotations

from sintra.rules.rulings import Ruling

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
        "A line can't take a color that is already in its row of the wall. It may take one that no longer "
        "fits any column.",
    ),
    Ruling(
        "A4",
        "Tiling goes from the top line down. Where spaces are free, a full line is tiled if any column is "
        "legal: empty, free or printed with the color, and the color not yet in that row or column. If "
        "none is, all its pieces fall to the floor line before the floor is counted.",
    ),
    Ruling(
        "A5",
        "A tile scores the length of its horizontal and of its vertical run, if longer than one, or 1 if "
        "neither is. The floor never takes a score below 0.",
    ),
    Ruling(
        "A6",
        "The game ends after a round in which a row was completed, or when no piece is left to deal. "
        "Bonuses for rows, columns and colors follow. A tie goes to the most complete rows, or is shared.",
    ),
)

CRYSTAL = (
    Ruling(
        "C1",
        "A printed space takes only its own color; the others are free under A4. A color may go to another "
        "legal space of its row, even if its printed space can then never be filled.",
    ),
    Ruling("C2", "Side 1: a tile on a printed space scores double. Bonuses 2, 7 and 10."),
    Ruling("C3", "Side 2: nothing is doubled. Bonuses 3, 10 and 12."),
)
