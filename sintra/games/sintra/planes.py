"""What learning programs see of Stained Glass of Sintra: the planes, the same for both sides."""

from __future__ import annotations

from sintra.rules.planes import Plane, Planes

PLANES = Planes(
    rows=8,
    columns=5,
    cells="row = strip, or window; column = color (blue, clear, orange, pink, yellow)",
    table=(
        Plane("offer 1", "cell n, row by row: the pieces that the pick with code n takes"),
        Plane("offer 2", "the same for the codes 40 + n, in the first two rows"),
        Plane("starting tile", "1 while it lies in the center"),
        Plane("hand", "the pieces picked and not placed yet, by color; all rows alike"),
        Plane("bag", "the pieces in the bag, by color; all rows alike"),
        Plane("tower", "the pieces in the tower, by color; all rows alike"),
        Plane("placing", "1 while the player to move has to place what is in hand"),
        Plane("keeping", "1 while the player to move has to choose the piece to keep"),
        Plane("round", "the number of the round"),
        Plane("indicator", "1 for the color of each round; row = round, from the first on"),
        Plane("round color", "1 for the color of the round; all rows alike"),
        Plane("windows", "the points below each window"),
        Plane("side B", "1 on side B of the palace boards, 0 on side A"),
        Plane("floor at zero", "1 if, by the house rule, a score never drops below 0"),
    ),
    player=(
        Plane("to move", "1 if this player has to choose"),
        Plane("starts", "1 if this player starts the next round, as it stands"),
        Plane("empty", "the empty spaces of each strip, by color"),
        Plane("pieces", "the pieces on each strip, by color; those on jokers included"),
        Plane("jokers", "the empty joker spaces of each strip that face up"),
        Plane("back", "the spaces on the other side of each strip, by color, until it is flipped"),
        Plane("back jokers", "the joker spaces on that side"),
        Plane("top", "1 for the color of the piece in the top frame space of each window"),
        Plane("bottom", "1 for the color of the piece in the bottom frame space of each window"),
        Plane("strip", "1 where a strip is left"),
        Plane("glazier", "1 for the strip, or its place, that the glazier is above"),
        Plane("marker", "the space of the broken glass track that the marker is on"),
        Plane("track loss", "the points that this space costs at the end"),
        Plane("lost", "the points lost on the broken glass track so far"),
        Plane("score", "the points; 0 if there are less"),
        Plane("debt", "the points below 0"),
    ),
    observer="sintra.games.sintra.observer",
)
