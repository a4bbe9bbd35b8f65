"""Stained Glass of Sintra, in the order of its rulebook.

How a palace is packed: see `player`; what the numbers of steps mean: see `codes`. Numbers in parentheses are
rulings: see `rulings`; steps 3a to 3c are the rulebook's.
"""

from __future__ import annotations

from typing import Any

from sintra._mypyc import i64, mypyc_attr
from sintra.games.sintra.arrangement import Arrangement, arrangement
from sintra.games.sintra.boards import ORNAMENTS, ROUNDS, SLOTS
from sintra.games.sintra.codes import (
    BONUS_SCORED,
    BROKE,
    COLOR_SCORED,
    COMPLETED,
    FILLED,
    FLIPPED,
    FURNISHED,
    KEEP,
    KEEPING,
    LEFT_SCORED,
    LOST,
    MOVED,
    ORNAMENTS_SCORED,
    PICKING,
    PLACE,
    PLACING,
    REMOVED,
    RETURN,
    RETURN_BIT,
    SOURCES,
    TRACK_LOST,
    WINDOWS_SCORED,
)
from sintra.games.sintra.estimate import Reckoning
from sintra.games.sintra.events import SintraArranged
from sintra.games.sintra.options import SIDE_A
from sintra.games.sintra.player import JOKERS, NO_STRIPS, Palace, digit, spread
from sintra.games.sintra.turns import add_places
from sintra.games.sintra.worth import worth
from sintra.rules.bits import lowest, members, nth, size
from sintra.rules.chance import Stream
from sintra.rules.estimates import Estimate
from sintra.rules.keeping import reduced
from sintra.rules.keys import mixed
from sintra.rules.offer import COLORS, colors_in
from sintra.rules.piles import count, of
from sintra.rules.state import CHOICE, DEAL, GAME_END, OVER, ROUND_END, TURN_BITS, State


@mypyc_attr(free_list_len=1)
class SintraState(State):
    """A game of Sintra under way."""

    printed: Arrangement
    palaces: list[Palace]

    def __init__(self, players: i64, printed: Arrangement, like: SintraState | None = None) -> None:
        """Wait for an arrangement; or copy another state."""
        super().__init__(players, like)
        self.printed = printed
        if like is None:
            self.palaces = [Palace(NO_STRIPS) for _ in range(players)]
        else:
            self.palaces = [palace.copy() for palace in like.palaces]

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make it again, for pickle and deepcopy."""
        return reduced(self, self.seats, self.printed)

    def copy(self) -> SintraState:
        """Return an independent, unwatched copy."""
        return SintraState(self.seats, self.printed, self)

    def become(self, other: SintraState) -> None:
        """Become an unwatched copy of another state of the same game, in place."""
        self._assume(other)
        self.offer.become(other.offer)
        self.printed = other.printed
        seat: i64 = 0
        while seat < self.seats:
            self.palaces[seat].become(other.palaces[seat])
            seat += 1

    def key(self) -> i64:
        """Return a 63-bit hash of the position, for games with the same arrangement."""
        key = self._common_key()
        for palace in self.palaces:
            key = mixed(key, palace.key())
        return key

    # -- Game setup --------------------------------------------------------------------------

    def arrange(self, event: SintraArranged) -> None:
        """Everybody has the same eight strips, joker side down; six pieces lie on the round indicator."""
        self.lay_out(arrangement(self.printed.chosen, event, len(self.palaces)))

    def lay_out(self, printed: Arrangement) -> None:
        """Lay the table out with strips and an indicator that were already checked."""
        self.printed = printed
        self.palaces = [Palace(strips) for strips in printed.strips]
        for color in printed.indicator:
            self.offer.bag -= of(color, 1)
        self.phase = DEAL

    # -- Playing the game --------------------------------------------------------------------

    def play(self, code: i64) -> None:
        """Take a legal step, and do what the rules say follows from it in the same turn."""
        palace = self.palaces[self.player]
        if code < PLACE:
            self._pick(palace, code)
        elif code < KEEP:
            slot = (code - PLACE) // 3
            self._place(palace, slot, code - PLACE - slot * 3)
        elif code < RETURN:
            self._keep(palace, code - KEEP)
        else:
            self._return(palace)

    # -- A) Advance a pattern: step 1, pick --

    def _pick(self, palace: Palace, code: i64) -> None:
        """Take all pieces of one color from a display or from the center.

        The round's first pick from the center takes the starting tile, one step on the broken glass
        track before anything is placed (S2). With no strip to put them on, all pieces break, and the
        glazier stays where it is (S5).
        """
        self.take(code)
        if code < COLORS and self.take_tile(code):
            self._break(palace, 1)
        if palace.reached(self.color):
            self.phase = PLACING
        else:
            broken = self.hand
            self.hand = 0
            self.offer.discard(self.color, broken)
            self._break(palace, broken)
            self._end_turn()

    # -- A) Advance a pattern: step 2, place --

    def _place(self, palace: Palace, slot: i64, more: i64) -> None:
        """As many pieces as fit go to one strip, the rest breaks (S4).

        The glazier moves above that strip. Spaces of the color fill before jokers, unless the player
        named a larger number of jokers: `more` is that number, or 0.
        """
        color = self.color
        hand = self.hand
        room = palace.room(slot, color)
        fits = room
        if palace.jokers:
            fits += palace.free(slot)
        if fits > hand:
            fits = hand
        jokers = fits - room
        if jokers < more:
            jokers = more
        if fits > jokers:
            palace.fill(slot, color, fits - jokers)
        if jokers:
            palace.fill_jokers(slot, color, jokers)
        if self.effects is not None and slot != palace.glazier:
            self.note(MOVED, self.player, palace.glazier + 1, slot + 1)
        palace.glazier = slot
        self.hand = 0
        if self.effects is not None:
            self.note(FILLED, self.player, slot + 1, fits, jokers)
        if hand > fits:
            self.offer.discard(color, hand - fits)
            self._break(palace, hand - fits)
        if palace.is_complete(slot):
            self._complete(palace, slot)
        else:
            self._end_turn()

    def _break(self, palace: Palace, steps: i64) -> None:
        """Every broken piece is a step down the track; the last space costs 18 and leads back to 0 (S2)."""
        last = self.printed.last
        palace.marker += steps
        if self.effects is not None:
            self.note(BROKE, self.player, steps, palace.marker % last)
        while palace.marker >= last:
            palace.marker -= last
            lost = self._lose(palace, -self.printed.broken[last])
            if self.effects is not None:
                self.note(LOST, self.player, lost)

    def _lose(self, palace: Palace, points: i64) -> i64:
        """Points are lost in full, or down to 0 where the house rule says so (S1, S10); return how many."""
        palace.lost += points
        if self.printed.chosen.floor_at_zero and points > palace.score:
            points = palace.score
            if points < 0:
                points = 0
        palace.broken_points -= points
        return points

    # -- A) Advance a pattern: step 3, check if the pattern is complete --

    def _complete(self, palace: Palace, slot: i64) -> None:
        """A complete strip scores a point for each piece in the color of the round (3a, S6)."""
        bonus = count(palace.held(slot), self.printed.indicator[self.round - 1])
        palace.bonus_points += bonus
        if self.effects is not None:
            self.note(COMPLETED, self.player, slot + 1)
            self.note(BONUS_SCORED, self.player, bonus)
        self.phase = KEEPING

    def _keep(self, palace: Palace, color: i64) -> None:
        """One piece furnishes the window, four go to the tower (3b, S6).

        The first time the strip is flipped, the second time it is removed; the glazier stays either way.
        """
        slot = palace.glazier
        self.offer.tower += palace.held(slot) - of(color, 1)
        flips = digit(palace.panes, slot) == 0
        if flips:
            palace.flip(slot, color)
        else:
            palace.remove(slot, color)
        if self.effects is not None:
            self.note(FURNISHED, self.player, slot + 1, 1 if flips else 2)
            self.note(FLIPPED if flips else REMOVED, self.player, slot + 1)
        self._score_windows(palace, slot)
        self._end_turn()

    def _score_windows(self, palace: Palace, slot: i64) -> None:
        """The window scores, and so do all furnished windows to its right (3c, S6)."""
        points: i64 = self.printed.sums[palace.furnished() & -1 << slot]
        palace.window_points += points
        if self.effects is not None:
            self.note(WINDOWS_SCORED, self.player, points)

    # -- B) Move the glazier back --

    def _return(self, palace: Palace) -> None:
        """Instead of picking, the glazier walks to the leftmost strip that is left (S7)."""
        if self.effects is not None:
            self.note(MOVED, self.player, palace.glazier + 1, palace.leftmost + 1)
        palace.glazier = palace.leftmost
        self._end_turn()

    # -- End of the round --------------------------------------------------------------------

    def _end_turn(self) -> None:
        """The next player's turn, unless no piece is left on the displays and in the center."""
        if self.offer.open:
            self.next_player()
            self.phase = PICKING
        else:
            self.phase = ROUND_END

    def end_round(self) -> None:
        """The round's piece of the indicator goes to the tower (S8); six rounds are played."""
        self.offer.discard(self.printed.indicator[self.round - 1], 1)
        self.phase = GAME_END if self.round == ROUNDS else DEAL

    # -- End of the game ---------------------------------------------------------------------

    def finish(self) -> None:
        """The final scoring, for every player in this order: pieces left, broken glass, side (S9)."""
        for player, palace in enumerate(self.palaces):
            left = sum([palace.filled(slot) for slot in range(SLOTS)])
            palace.left_points = left // 3
            self.note(LEFT_SCORED, player, left, left // 3)
            self.note(TRACK_LOST, player, self._lose(palace, -self.printed.broken[palace.marker]))
            side = palace.side_points = self._side(palace)
            if self.printed.chosen.side == SIDE_A:
                self.note(ORNAMENTS_SCORED, player, side)
            else:
                self.note(COLOR_SCORED, player, palace.most_of_a_color(), size(palace.finished()), side)
        self.phase = OVER

    def _side(self, palace: Palace) -> i64:
        """Side A scores ornaments; side B its complete windows times the pieces of the best color (S9)."""
        if self.printed.chosen.side == SIDE_A:
            return ornaments(palace)
        return palace.most_of_a_color() * size(palace.finished())

    def scores(self) -> list[int]:
        """Return every player's points."""
        return [palace.score for palace in self.palaces]

    def winners(self) -> list[int]:
        """The most points win; then the fewest points lost on the broken glass track; else shared (S10)."""
        ranks = [(palace.score, -palace.lost) for palace in self.palaces]
        best = max(ranks)
        return [player for player, rank in enumerate(ranks) if rank == best]

    def breakdown(self) -> list[dict[str, int]]:
        """Return for every player the points by where they came from."""
        found = []
        for palace in self.palaces:
            points = palace.points()
            found.append({source: points[at] for at, source in enumerate(SOURCES)})
        return found

    def worth(self, player: i64) -> int:
        """Return what the table is worth to a player, in 50ths of a point."""
        palace = self.palaces[player]
        return 50 * palace.score if self.phase == OVER else worth(palace, self.printed, self._side(palace))

    def board(self) -> str:
        """Return the name of the board."""
        return "sintra-a" if self.printed.chosen.side == SIDE_A else "sintra-b"

    def estimates(self, into: Estimate) -> list[int]:
        """Return every player's estimate, in hundredths of a point: see `estimate`."""
        reckoning = Reckoning(self.printed, self.offer, self.player, self.starter, self.round)
        return [
            reckoning.of(palace, player, self._side(palace), into)
            for player, palace in enumerate(self.palaces)
        ]

    def census(self) -> list[int]:
        """Count the pieces of each color: offer, bag, tower, indicator, boards and hand."""
        census = self.offer.census()
        playing = self.phase >= CHOICE or self.phase == ROUND_END
        for color in self.printed.indicator[self.round - 1 if playing else self.round :]:
            census[color] += 1
        for palace in self.palaces:
            for color, pieces in enumerate(palace.pieces()):
                census[color] += pieces
        census[self.color] += self.hand
        return census

    # -- What a player may do ----------------------------------------------------------------

    def choices(self) -> i64:
        """Return the legal steps as a set: number n stands for the step with the code `first_code() + n`.

        Number 50 stands for returning to the leftmost strip.
        """
        palace = self.palaces[self.player]
        phase = self.phase
        if phase == PICKING:
            if palace.can_return():
                return self.offer.open | RETURN_BIT
            return self.offer.open
        if phase == PLACING:
            return self._places(palace)
        if phase == KEEPING:
            return colors_in(palace.held(palace.glazier))
        return 0

    def first_code(self) -> i64:
        """Return the code of the first step of the kind that a player has to choose from."""
        if self.phase == PICKING:
            return 0
        return PLACE if self.phase == PLACING else KEEP

    def legal(self) -> list[int]:
        """Return the codes of all legal steps, ascending."""
        palace = self.palaces[self.player]
        phase = self.phase
        if phase == PLACING:
            return members(self._places(palace), PLACE)
        if phase != PICKING:
            return members(self.choices(), KEEP)
        codes = members(self.offer.open)
        if palace.can_return():
            codes.append(RETURN)
        return codes

    def choose_any(self, stream: Stream) -> i64:
        """Return a legal step at random, without listing them."""
        choices = self.choices()
        number = nth(choices, stream.below(size(choices)))
        if number == PLACE:
            return RETURN
        return self.first_code() + number

    def allows(self, code: i64) -> bool:
        """Return True if this code is legal, without listing all legal ones."""
        if self.phase == PICKING:
            if code < PLACE:
                return code >= 0 and self.offer.open >> code & 1 == 1
            return code == RETURN and self.palaces[self.player].can_return()
        number = code - self.first_code()
        return 0 <= number < PLACE and self.choices() >> number & 1 == 1

    def turns(self) -> list[int]:
        """Return all turns that differ: displays that were dealt the same pieces count once."""
        palace = self.palaces[self.player]
        found: list[int] = []
        if self.phase == PLACING:
            add_places(palace, self.color, self.hand, 0, 0, found)
            return found
        if self.phase != PICKING:
            return [code + 1 for code in self.legal()]
        offer = self.offer
        picks = offer.open
        while picks:
            pick = lowest(picks)
            picks &= picks - 1
            source = pick // 5
            color = pick - source * 5
            if source == 0:
                add_places(palace, color, count(offer.center, color), pick + 1, TURN_BITS, found)
            elif not offer.has_twin(source):
                add_places(palace, color, count(offer.dealt[source], color), pick + 1, TURN_BITS, found)
        if self.choices() & RETURN_BIT:
            found.append(RETURN + 1)
        return found

    def _places(self, palace: Palace) -> i64:
        """Any strip in reach with room may be chosen (S3), with as few jokers as possible or more (S4)."""
        slots = palace.reached(self.color)
        places = spread(slots)
        if slots & palace.takes >> JOKERS * SLOTS:
            slot = palace.strips.joker_slot
            least, most = self.jokers(palace, slot)
            places |= (2 << most) - (2 << least) << slot * 3
        return places

    def jokers(self, palace: Palace, slot: i64) -> tuple[i64, i64]:
        """Return the least and the largest number of jokers that the hand can use on a strip (S4)."""
        room = palace.room(slot, self.color)
        free = palace.free(slot)
        fits = min(self.hand, room + free)
        least: i64 = 0
        if fits > room:
            least = fits - room
        return least, min(free, fits)


def ornaments(palace: Palace) -> i64:
    """Side A: four ornaments, each between two windows with four frame spaces around it (S11)."""
    furnished = palace.furnished()
    finished = palace.finished()
    points: i64 = 0
    pair: i64 = 0
    while pair < SLOTS:
        points += ORNAMENTS[size(furnished >> pair & 3) + size(finished >> pair & 3)]
        pair += 2
    return points
