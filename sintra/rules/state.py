"""One game under way: what every rule-set's state must implement, and what all games share.

**Phases.** A state waits for one thing at a time: see the constants below. From `CHOICE` on it waits for a
player: a rule-set numbers its kinds of choice from there, and the first kind begins a turn.

**Effects** that all games share have the first numbers; a rule-set numbers its own from `OWN_EFFECTS` on.

**For programs that search:** `copy` and `become` make successors, `choose_any` plays at random, `key`
identifies positions. All but `copy` have defaults.
"""

from __future__ import annotations

from typing import Any, Final

from sintra._mypyc import i64, mypyc_attr
from sintra.rules.chance import Stream
from sintra.rules.estimates import Estimate
from sintra.rules.keeping import reduced
from sintra.rules.keys import key_of, mixed
from sintra.rules.offer import COLORS, DISPLAY_SIZE, PER_COLOR, Offer
from sintra.rules.piles import total
from sintra.rules.wide import WideOffer

ARRANGE: Final = 0
"""Waits for `arranged`."""
DEAL: Final = 1
"""Waits for `dealt`."""
ROUND_END: Final = 2
"""The round was played to its end; `round_ended` follows automatically."""
GAME_END: Final = 3
"""The last round has ended; `ended` follows automatically."""
OVER: Final = 4
"""The game is over."""
CHOICE: Final = 5
"""From here on: waits for a player."""

TOOK: Final = 0
CENTERED: Final = 1
TILE_TAKEN: Final = 2
REFILLED: Final = 3
OWN_EFFECTS: Final = 4
"""The first number for a rule-set's own effects."""

TURN_BITS: Final = 20
"""Bits per step when a whole turn is packed into a number: see `State.turns`."""
TURN_STEPS: Final = 3
"""Maximum number of steps packed into a number."""

COMMON: Final = ("offer", "phase", "round", "seats", "player", "starter", "hand", "color", "effects")
"""The attributes of every state."""


@mypyc_attr(allow_interpreted_subclasses=True)
class State:
    """A game in progress. Players are counted from 0."""

    offer: Offer
    phase: i64
    round: i64
    seats: i64
    """The number of players."""
    player: i64
    """Who has to choose."""
    starter: i64
    """Who starts the next round: player 1 at first (R5), then whoever takes the starting tile (R3)."""
    hand: i64
    """Pieces that were picked and are not placed yet."""
    color: i64
    """The color that was picked last."""
    effects: list[tuple[int, ...]] | None
    """What the rules did automatically, for a watcher; None if nobody watches."""

    def __init__(
        self,
        players: i64,
        like: State | None = None,
        *,
        colors: i64 = COLORS,
        pieces: i64 = PER_COLOR,
        size: i64 = DISPLAY_SIZE,
    ) -> None:
        """Start a game that waits for its arrangement; or be the blank for a copy of another state.

        `colors` is the number of colors, `pieces` of pieces of each, `size` of pieces on a display.
        """
        self.effects = None
        self.seats = players
        if like is not None:
            self.phase = like.phase
            self.round = like.round
            self.player = like.player
            self.starter = like.starter
            self.hand = like.hand
            self.color = like.color
            self.offer = like.offer.copy()
            return
        self.phase = ARRANGE
        self.round = 0
        self.player = 0
        self.starter = 0
        self.hand = 0
        self.color = 0
        if colors == COLORS and pieces == PER_COLOR and size == DISPLAY_SIZE:
            self.offer = Offer(players)
        else:
            self.offer = WideOffer(players, colors, pieces, size)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make it again, for pickle and deepcopy."""
        return reduced(self, self.seats)

    def note(self, kind: int, player: int, *numbers: int) -> None:
        """Record an effect, if somebody watches."""
        if self.effects is not None:
            self.effects.append((kind, player, *numbers))

    # -- What all games share --

    def deal(self, displays: list[list[int]]) -> None:
        """Fill the displays and start the round; raise BadDeal if the bag can't have given this."""
        self.begin_round(self.offer.deal(displays))

    def deal_from(self, stream: Stream) -> None:
        """Draw a deal and start the round: the same as `deal(offer.draw(stream))`, only faster."""
        self.begin_round(self.offer.deal_from(stream))

    def begin_round(self, refilled: i64) -> None:
        """Start a round; `refilled` is the number of pieces dealt before the bag was refilled, or -1."""
        if refilled >= 0:
            self.note(REFILLED, -1, refilled)
        self.round += 1
        self.player = self.starter
        self.phase = CHOICE

    def take(self, code: i64) -> None:
        """Pick up all pieces of a color; the rest of the display goes to the center."""
        offer = self.offer
        if self.effects is None:
            self.hand = offer.take(code)
        else:
            before = offer.center
            self.hand = offer.take(code)
            self.note(TOOK, self.player, self.hand)
            if code >= offer.colors:
                self.note(CENTERED, self.player, total(offer.center - before))
        if offer.colors == COLORS:
            self.color = code % COLORS
        else:
            self.color = code % offer.colors

    def take_tile(self, code: i64) -> bool:
        """Take the starting tile if this is the round's first pick from the center; return True if it is."""
        offer = self.offer
        if not offer.tile or code >= offer.colors:
            return False
        offer.tile = False
        self.starter = self.player
        self.note(TILE_TAKEN, self.player)
        return True

    def next_player(self) -> None:
        """Let the next player choose, in the order of the seats."""
        player = self.player + 1
        if player == self.seats:
            player = 0
        self.player = player

    # -- What a rule-set implements --

    def arrange(self, event: Any) -> None:
        """Set up the table as arranged; raise Misfit if that is impossible."""
        raise NotImplementedError

    def legal(self) -> list[int]:
        """Return the codes of all legal steps, ascending; none unless a player has to choose."""
        raise NotImplementedError

    def allows(self, code: i64) -> bool:
        """Return True if this code is legal."""
        return code in self.legal()

    def play(self, code: i64) -> None:
        """Play a legal step."""
        raise NotImplementedError

    def end_round(self) -> None:
        """Apply the rules for the end of a round."""
        raise NotImplementedError

    def finish(self) -> None:
        """Do the final scoring."""
        raise NotImplementedError

    def scores(self) -> list[int]:
        """Return every player's points."""
        raise NotImplementedError

    def winners(self) -> list[int]:
        """Return the winners, ascending; more than one if they share the victory."""
        raise NotImplementedError

    def breakdown(self) -> list[dict[str, int]]:
        """Return every player's points by source; they add up to the score."""
        raise NotImplementedError

    def worth(self, player: i64) -> int:
        """Return what the position is worth to a player: points, and progress towards more.

        The scale is up to the rule-set; higher is better. Simple bots use it.
        """
        raise NotImplementedError

    def census(self) -> list[int]:
        """Return the number of pieces of each color, wherever they are: it must never change."""
        raise NotImplementedError

    # -- For programs that search --

    def copy(self) -> State:
        """Return an independent, unwatched copy."""
        raise NotImplementedError

    def become(self, other: Any) -> None:
        """Become an unwatched copy of another state of the same game, in place.

        Reusing states like this can be faster than `copy`. The default copies the state and takes over its
        attributes.
        """
        twin = other.copy()
        self.offer = twin.offer
        self.seats = twin.seats
        self._assume(twin)
        vars(self).update(vars(twin))

    def _assume(self, other: State) -> None:
        """Take over the numbers that every state has, but for the offer."""
        self.effects = None
        self.phase = other.phase
        self.round = other.round
        self.player = other.player
        self.starter = other.starter
        self.hand = other.hand
        self.color = other.color

    def choose_any(self, stream: Stream) -> i64:
        """Return a legal step at random: the same as `legal()[stream.below(len(legal()))]`."""
        legal = self.legal()
        return legal[stream.below(len(legal))]

    def turns(self) -> list[int]:
        """Return all ways to complete the turn: the moves of programs that search.

        A turn of up to three steps is one number: the code of its first step plus 1, then, 20 bits higher,
        that of the next one. A longer turn ends after three steps, and the player goes on. Turns that lead to
        the same position may be left out.
        """
        found: list[int] = []
        _add_turns(self, 0, 0, found)
        return found

    def board(self) -> str:
        """Return the name of the board, by which learned weights are found; by default, there is none."""
        return ""

    def estimates(self, into: Estimate) -> list[int]:
        """Return every player's expected result by learned weights, in hundredths of a point."""
        raise NotImplementedError

    def key(self) -> i64:
        """Return a 63-bit hash of the position, for transposition tables; equal positions have equal keys.

        The default hashes every attribute. Override it where some of them don't decide the future.
        """
        own = {name: value for name, value in vars(self).items() if name not in COMMON}
        return key_of(own, self._common_key())

    def _common_key(self) -> i64:
        """Return the key of the part that every state has."""
        turn = ((self.phase * 8 + self.player) * 8 + self.starter) * 8 + self.color
        return mixed(mixed(self.offer.key(), turn), self.round << 8 | self.hand)


def _add_turns(state: State, turn: i64, steps: i64, found: list[int]) -> None:
    """Append all turns that begin with these steps."""
    for code in state.legal():
        longer = turn | (code + 1) << steps * TURN_BITS
        if steps + 1 == TURN_STEPS:
            found.append(longer)
            continue
        trial = state.copy()
        trial.play(code)
        if trial.phase > CHOICE and trial.player == state.player:
            _add_turns(trial, longer, steps + 1, found)
        else:
            found.append(longer)
