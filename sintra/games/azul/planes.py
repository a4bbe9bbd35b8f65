"""What learning programs see of Azul and Crystal Mosaic: the planes, the same for every board."""

from __future__ import annotations

from sintra.games.azul.colors import COLORS
from sintra.rules.planes import Plane, Planes

PLANES = Planes(
    rows=5,
    columns=5,
    cells="row = pattern line, or row of the wall; column = color (blue, yellow, red, black, teal), "
    "or column of the wall",
    table=(
        Plane("offer 1", "cell n, row by row: the pieces that the pick with code n takes"),
        Plane("offer 2", "the same for the codes 25 + n"),
        Plane("starting tile", "1 while it lies in the center"),
        Plane("hand", "the pieces picked and not placed yet, by color; all rows alike"),
        Plane("bag", "the pieces in the bag, by color; all rows alike"),
        Plane("lid", "the pieces in the lid, by color; all rows alike"),
        Plane("placing", "1 while the player to move has to place what is in hand"),
        Plane("tiling", "1 in the row that the player to move has to tile"),
        Plane("round", "the number of the round"),
        *(Plane(f"printed {color}", f"1 where the wall takes {color}: printed or free") for color in COLORS),
        Plane("multiplier", "what the points of a tile on this space of the wall are multiplied by"),
    ),
    player=(
        Plane("to move", "1 if this player has to choose"),
        Plane("starts", "1 if this player starts the next round, as it stands"),
        Plane("lines", "the pieces on each pattern line, by color"),
        *(Plane(f"wall {color}", f"1 where a {color} tile is on the wall") for color in COLORS),
        Plane("floor", "the pieces on the floor line, by color; all rows alike"),
        Plane("floor spaces", "the number of spaces of the floor line that are taken"),
        Plane("floor loss", "the points that the floor line costs, as it stands"),
        Plane("score", "the points"),
    ),
    observer="sintra.games.azul.observer",
)
