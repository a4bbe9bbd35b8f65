"""Computer players: `random` and `greedy` (`simple`), `strong` and its levels (`strong`), how it thinks
(`search`, `weights`), how bots are named (`spec`), and found (`names`)."""

from sintra.bots.names import BOTS, choose, find, is_custom, look_here, name_of
from sintra.bots.simple import Bot, greedy, random

__all__ = ["BOTS", "Bot", "choose", "find", "greedy", "is_custom", "look_here", "name_of", "random"]
