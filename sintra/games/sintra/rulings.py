"""The rulings of Stained Glass of Sintra."""

from __future__ import annotations

from sintra.rules.rulings import Ruling

RULINGS = (
    Ruling("S1", "A score may drop below zero, unless the option floor_at_zero says otherwise."),
    Ruling(
        "S2",
        "A broken piece is one step on the track, and so is the starting tile, before pieces are "
        "placed. The last space costs its 18 points at once and leads back to 0; remaining "
        "steps continue from there.",
    ),
    Ruling(
        "S3",
        "The glazier reaches the strip beneath it and all to its right. While any of them has "
        "room for the color, the pieces must go to one that does; the player chooses which.",
    ),
    Ruling(
        "S4",
        "As many pieces as fit are placed; the rest break. Spaces of the color fill before "
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
        "Returning leads to the leftmost remaining strip, even if that is to the right. It is not "
        "allowed if the glazier is already there, or if no strip remains.",
    ),
    Ruling(
        "S8",
        "The last turn of a round is played to its end; then the round's indicator piece goes to the tower.",
    ),
    Ruling(
        "S9",
        "Final scoring: a point for every three pieces left on strips, the loss at the marker, "
        "then the side; side B counts the best color automatically.",
    ),
    Ruling(
        "S10",
        "A tie goes to the player who lost fewer points on the broken glass track, counting every "
        "loss in full; otherwise the victory is shared.",
    ),
    Ruling(
        "S11",
        "Ornaments of side A stand between windows 1-2, 3-4, 5-6 and 7-8, four frame spaces around each.",
    ),
)
