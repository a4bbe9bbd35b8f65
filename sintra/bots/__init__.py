"""Computer players: the simple ones (`simple`), and `strong` with its levels (`strong`, `search`, `weights`).

`spec` parses the names of bots, and `names` finds the bots.
"""

from sintra.bots.names import BOTS, choose, find, is_custom, look_here, name_of
from sintra.bots.simple import Bot, greedy, random

__all__ = ["BOTS", "Bot", "choose", "find", "greedy", "is_custom", "look_here", "name_of", "random"]
