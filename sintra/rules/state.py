"""One game under way: what every rule-set's own state must answer.

**Phases.** A state waits for one thing at a time: see the constants below. From `CHOICE` on it waits
for a player, and a rule-set numbers its own kinds of choice from there; the first kind begins a turn.
"""

from __future__ import annotations

from typing import Any, Final

from sintra._mypyc import i64, mypyc_attr
from sintra.rules.offer import Offer

ARRANGE: Final = 0
"""Waits for `arranged`."""
DEAL: Final = 1
"""Waits for `dealt`."""
ROUND_END: Final = 2
"""The round was played to its end; `round_ended` follows by itself."""
GAME_END: Final = 3
"""The last round has ended; `ended` follows by itself."""
OVER: Final = 4
"""Nothing follows any more."""
CHOICE: Final = 5
"""From here on: waits for a player."""


@mypyc_attr(allow_interpreted_subclasses=True)
class State:
    """One game under way: what every rule-set's own state must answer."""

    offer: Offer
    phase: i64
    round: i64
    player: i64
    """Who has to choose, counted from 0."""
    effects: list[tuple[int, ...]] | None
    """What the rules did by themselves, for a watcher; None when nobody watches."""

    def __init__(self, players: i64, like: State | None = None) -> None:
        """A game that waits for its arrangement; or the beginnings of a copy of another state."""
        self.effects = None
        if like is None:
            self.offer = Offer(players)
            self.phase = ARRANGE
            self.round = 0
            self.player = 0
        else:
            self.offer = like.offer.copy()
            self.phase = like.phase
            self.round = like.round
            self.player = like.player

    def note(self, kind: int, player: int, *numbers: int) -> None:
        """Tell a watcher what the rules did."""
        if self.effects is not None:
            self.effects.append((kind, player, *numbers))

    def arrange(self, event: Any) -> None:
        """Lay the table out as arranged; Misfit if that can't be."""
        raise NotImplementedError

    def deal(self, displays: list[list[int]]) -> None:
        """Fill the displays and start the round; BadDeal if the bag can't have given this."""
        raise NotImplementedError

    def legal(self) -> list[int]:
        """The codes of all legal steps, ascending; none unless a player has to choose."""
        raise NotImplementedError

    def allows(self, code: i64) -> bool:
        """Whether this code is among the legal ones, without listing them."""
        raise NotImplementedError

    def play(self, code: i64) -> None:
        """Take a legal step."""
        raise NotImplementedError

    def end_round(self) -> None:
        """What happens when a round is over."""
        raise NotImplementedError

    def finish(self) -> None:
        """The final scoring."""
        raise NotImplementedError

    def scores(self) -> list[int]:
        """Every player's points."""
        raise NotImplementedError

    def winners(self) -> list[int]:
        """Who has won, ascending; more than one when the victory is shared."""
        raise NotImplementedError

    def breakdown(self) -> list[dict[str, int]]:
        """For every player, the points by where they came from; they add up to the score."""
        raise NotImplementedError

    def worth(self, player: i64) -> int:
        """What the table is worth to a player: points, and what is under way towards more.

        In a scale of the rule-set's own; more is better. Simple computer players go by it.
        """
        raise NotImplementedError

    def census(self) -> list[int]:
        """All pieces of each color, wherever they are: what must never change."""
        raise NotImplementedError

    def copy(self) -> State:
        """A state of its own, like this one; nobody watches it."""
        raise NotImplementedError
