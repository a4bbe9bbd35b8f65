"""Stained Glass of Sintra, 2 to 4 players, in the order of its rulebook.

    Game setup                  SintraRules.arrange, SintraState.arrange
    Playing the game            deal (a round begins)
      A) Advance a pattern
         Step 1  Pick           _pick, _break
         Step 2  Place          _place
         Step 3  Check          _complete (3a), _keep (3b, 3c)
      B) Move the glazier back  _return
    End of the round            _end_turn, end_round
    End of the game             finish, winners, worth
    What a player may do        legal, allows, why_not
    The table as a value        value, breakdown, census

The codes of the steps (see `STEPS`):

    0-49   pick SOURCE COLOR      source * 5 + color, source 0 being the center
    50-73  place N [jokers K]     50 + (N - 1) * 3 + K; K = 0 stands for the least number of jokers
                                  possible, 1 and 2 for so many jokers where that is more than the least
    74-78  keep COLOR             74 + color
    79     return

Colors are numbered in the order blue, clear, orange, pink, yellow; number 5 is a joker space.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Final

import msgspec

from sintra._mypyc import i64, mypyc_attr
from sintra.errors import UsageError
from sintra.games.sintra import boards, events
from sintra.games.sintra.boards import COLORS, JOKER, ORNAMENTS, ROUNDS, SLOTS, SPACES
from sintra.games.sintra.events import SintraArranged, Strip
from sintra.games.sintra.rulings import SINTRA
from sintra.games.sintra.snapshot import PalaceSnapshot, SintraSnapshot, StripSnapshot, WindowSnapshot
from sintra.log import codec
from sintra.log.events import OptionValue
from sintra.rules.chance import Chance
from sintra.rules.effects import COMMON_EFFECTS, Effect
from sintra.rules.offer import PICK_CODES, pick_steps
from sintra.rules.piles import named, of
from sintra.rules.refusals import why_no_pick
from sintra.rules.ruleset import Misfit, Option, RuleSet
from sintra.rules.rulings import EVERY_GAME
from sintra.rules.state import CHOICE, DEAL, GAME_END, OVER, ROUND_END, State
from sintra.rules.steps import Step
from sintra.text import pieces

PICKING: Final = CHOICE
PLACING: Final = CHOICE + 1
KEEPING: Final = CHOICE + 2

JOKERS: Final = 5
"""The number of a joker space where colors are numbers."""
KINDS: Final = 6
"""Five colors and jokers."""

PLACE: Final = PICK_CODES
KEEP: Final = PLACE + SLOTS * 3
RETURN: Final = KEEP + 5

SIDE_A: Final = 0
SIDE_B: Final = 1

# Where points come from: indices of Palace.gained
BONUS: Final = 0
WINDOWS: Final = 1
BROKEN: Final = 2
LEFT: Final = 3
SIDE: Final = 4
SOURCES: Final = ("bonus", "windows", "broken", "left", "side")

# What the rules do by themselves: indices of EFFECTS
MOVED: Final = 4
FILLED: Final = 5
BROKE: Final = 6
LOST: Final = 7
COMPLETED: Final = 8
BONUS_SCORED: Final = 9
FURNISHED: Final = 10
FLIPPED: Final = 11
REMOVED: Final = 12
WINDOWS_SCORED: Final = 13
LEFT_SCORED: Final = 14
TRACK_LOST: Final = 15
ORNAMENTS_SCORED: Final = 16
COLOR_SCORED: Final = 17

EFFECTS = (
    *COMMON_EFFECTS,
    Effect("glazier_moved", ("from", "to")),
    Effect("filled", ("strip", "pieces", "jokers")),
    Effect("broke", ("steps", "marker")),
    Effect("lost", ("points",)),
    Effect("completed", ("strip",)),
    Effect("bonus", ("points",)),
    Effect("furnished", ("window", "pieces")),
    Effect("flipped", ("strip",)),
    Effect("removed", ("strip",)),
    Effect("scored", ("points",)),
    Effect("left_scored", ("pieces", "points")),
    Effect("track_lost", ("points",)),
    Effect("ornaments_scored", ("points",)),
    Effect("color_scored", ("pieces", "windows", "points")),
)


def _steps() -> tuple[Step, ...]:
    """Every step of the game, in the order of the codes."""
    steps = pick_steps(COLORS)
    for strip in range(1, SLOTS + 1):
        steps.append(Step(f"place {strip}", events.PlacedOnStrip, (("strip", strip),)))
        for jokers in (1, 2):
            fields = (("strip", strip), ("jokers", jokers))
            steps.append(Step(f"place {strip} jokers {jokers}", events.PlacedOnStrip, fields))
    steps += [Step(f"keep {color}", events.Kept, (("color", color),)) for color in COLORS]
    steps.append(Step("return", events.Returned))
    return tuple(steps)


STEPS: Final = _steps()
ALL_SLOTS: Final = (1 << SLOTS) - 1
PLACES: Final = [
    [PLACE + slot * 3 for slot in range(SLOTS) if slots >> slot & 1] for slots in range(ALL_SLOTS + 1)
]
"""The codes of placing with the least number of jokers, by the slots that take the color, as bits."""
ZERO_JOKERS = tuple(f"place {strip} jokers 0" for strip in range(1, SLOTS + 1))


# -- Game setup ------------------------------------------------------------------------------


def _bit(kind: i64, slot: i64) -> i64:
    """Where `Palace.takes` keeps a kind on the strip in a slot."""
    return (1 << slot) << kind * SLOTS  # in two steps: compiled, a literal has only 32 bits to be shifted in


class Palace:
    """One player's palace board, strips, glazier and markers."""

    score: i64
    marker: i64
    """The space of the broken glass track that the marker is on, 0 being the top."""
    lost: i64
    """Points lost on the broken glass track so far, in full (S10)."""
    glazier: i64
    """The slot that the glazier stands above."""
    leftmost: i64
    """The slot of the leftmost strip; SLOTS when no strip is left."""
    open: list[int]
    """open[slot * 6 + kind]: empty spaces of a color, or jokers, on the strip in a slot."""
    takes: i64
    """For each kind, the slots whose strip has an empty space of it, as bits: slot n is bit kind * 8 + n."""
    held: list[int]
    """held[slot * 5 + color]: pieces on the strip in a slot."""
    empty: list[int]
    """Empty spaces on the strip in a slot."""
    panes: list[int]
    """panes[window * 2]: the piece on a window's top frame space, as color + 1; then the bottom one's."""
    gained: list[int]
    """Points by where they came from; they add up to the score."""

    def __init__(self, like: Palace | None = None) -> None:
        """An empty palace without strips; or one like another."""
        if like is None:
            self.score = 0
            self.marker = 0
            self.lost = 0
            self.glazier = 0
            self.leftmost = 0
            self.open = [0] * (SLOTS * KINDS)
            self.takes = 0
            self.held = [0] * (SLOTS * 5)
            self.empty = [SPACES] * SLOTS
            self.panes = [0] * (SLOTS * 2)
            self.gained = [0] * len(SOURCES)
        else:
            self.score = like.score
            self.marker = like.marker
            self.lost = like.lost
            self.glazier = like.glazier
            self.leftmost = like.leftmost
            self.open = like.open[:]
            self.takes = like.takes
            self.held = like.held[:]
            self.empty = like.empty[:]
            self.panes = like.panes[:]
            self.gained = like.gained[:]

    def lay(self, slot: i64, spaces: Sequence[int]) -> None:
        """Lay a strip with so many empty spaces of each kind."""
        for kind in range(KINDS):
            self.open[slot * KINDS + kind] = spaces[kind]
            if spaces[kind]:
                self.takes |= _bit(kind, slot)
            else:
                self.takes &= ~_bit(kind, slot)

    def use(self, slot: i64, kind: i64, spaces: i64) -> None:
        """Fill so many spaces of a kind."""
        left = self.open[slot * KINDS + kind] - spaces
        self.open[slot * KINDS + kind] = left
        if left == 0:
            self.takes &= ~_bit(kind, slot)

    def gain(self, source: i64, points: i64) -> None:
        """Score points, or lose them."""
        self.score += points
        self.gained[source] = self.gained[source] + points

    def reached(self, color: i64) -> i64:
        """The slots that the glazier reaches and whose strip has a space for a color, or a joker (S3)."""
        takes = self.takes
        return (takes >> color * SLOTS | takes >> JOKERS * SLOTS) & ALL_SLOTS & (-1 << self.glazier)


def check_tables(strips: Sequence[Strip], windows: Sequence[int], broken: Sequence[int]) -> None:
    """Whether printed values can be a game of Sintra at all; Misfit names what can't be."""
    jokers = [(strip.up.count(JOKER), strip.down.count(JOKER)) for strip in strips]
    if sorted(sorted(pair) for pair in jokers) != [[0, 0]] * (SLOTS - 1) + [[0, 2]]:
        raise Misfit("strips", "two jokers belong on one side of one strip, and none anywhere else")
    if len(windows) != SLOTS or min(windows) < 0:
        raise Misfit("windows", f"{SLOTS} numbers of 0 or more are needed")
    falls = all(broken[at] > broken[at + 1] for at in range(len(broken) - 1))
    if broken[0] != 0 or broken[-1] != boards.BROKEN[-1] or not falls:
        raise Misfit("broken", f"every space is lower than the one before, from 0 to {boards.BROKEN[-1]}")


Sides = tuple[tuple[int, ...], tuple[int, ...]]
"""The side of a strip that is up, and the other one."""


@cache
def _numbers(side: tuple[str, ...]) -> tuple[int, ...]:
    """The printed spaces of a side as numbers."""
    return tuple(JOKERS if space == JOKER else COLORS.index(space) for space in side)


@cache
def _counted(side: tuple[int, ...]) -> tuple[int, ...]:
    """How many spaces of each kind a side has."""
    return tuple(side.count(kind) for kind in range(KINDS))


@lru_cache(maxsize=4096)
def _sides(up: tuple[str, ...], down: tuple[str, ...]) -> Sides:
    """Both sides of a strip as numbers."""
    return _numbers(up), _numbers(down)


@lru_cache(maxsize=4096)
def _kind(sides: Sides) -> Sides:
    """A strip whichever side is up and however its spaces are ordered, to compare strips."""
    counted = [_counted(side) for side in sides]
    return min(counted), max(counted)


# -- Playing the game ------------------------------------------------------------------------


class SintraState(State):
    """A game of Sintra under way."""

    side: i64
    floor_at_zero: bool
    palaces: list[Palace]
    indicator: tuple[int, ...]
    windows: tuple[int, ...]
    broken: tuple[int, ...]
    printed: tuple[tuple[Sides, ...], ...]
    """printed[player][slot]: both sides of a strip, the first one up at the start."""

    def __init__(self, players: i64, side: i64, floor_at_zero: bool, like: SintraState | None = None) -> None:
        """A game that waits for its arrangement; or one like another."""
        super().__init__(players, like)
        self.side = side
        self.floor_at_zero = floor_at_zero
        if like is None:
            self.palaces = [Palace() for _ in range(players)]
            self.indicator = ()
            self.windows = ()
            self.broken = ()
            self.printed = ()
        else:
            self.palaces = [Palace(palace) for palace in like.palaces]
            self.indicator = like.indicator
            self.windows = like.windows
            self.broken = like.broken
            self.printed = like.printed

    def copy(self) -> SintraState:
        """A state of its own, like this one; nobody watches it."""
        return SintraState(self.seats, self.side, self.floor_at_zero, self)

    def arrange(self, event: SintraArranged) -> None:
        """Everybody has the same eight strips, joker side down; six pieces lie on the round indicator."""
        if len(event.strips) != len(self.palaces):
            raise Misfit("strips", f"{len(self.palaces)} players have strips, not {len(event.strips)}")
        check_tables(event.strips[0], event.windows, event.broken)
        printed = tuple([tuple([_sides(strip.up, strip.down) for strip in row]) for row in event.strips])
        first = sorted([_kind(sides) for sides in printed[0]])
        for number, strips in enumerate(printed, 1):
            if sorted([_kind(sides) for sides in strips]) != first:
                raise Misfit("strips", f"player {number} has other strips than player 1")
            if any(JOKERS in up for up, _ in strips):
                raise Misfit("strips", f"player {number}'s joker side starts face down")
        if sorted(event.indicator[1:]) != sorted(COLORS):
            raise Misfit("indicator", "rounds II to VI show one piece of each color")
        self.indicator = _numbers(event.indicator)
        self.windows = event.windows
        self.broken = event.broken
        self.printed = printed
        for palace, strips in zip(self.palaces, printed, strict=True):
            for slot, (up, _) in enumerate(strips):
                palace.lay(slot, _counted(up))
        for color in self.indicator:
            self.offer.bag -= of(color, 1)
        self.phase = DEAL

    def play(self, code: i64) -> None:
        """Take a legal step; the rules do what follows from it in the same turn."""
        if code < PLACE:
            self._pick(code)
        elif code < KEEP:
            self._place((code - PLACE) // 3, (code - PLACE) % 3)
        elif code < RETURN:
            self._keep(code - KEEP)
        else:
            self._return()

    # -- A) Advance a pattern --

    def _pick(self, code: i64) -> None:
        """Step 1: all pieces of one color from a display or from the center.

        The round's first pick from the center takes the starting tile, one step on the broken glass
        track before anything is placed (S2). With no strip to put them on, all pieces break, and the
        glazier stays where it is (S5).
        """
        palace = self.palaces[self.player]
        self.take(code)
        if self.take_tile(code):
            self._break(palace, 1)
        if palace.reached(self.color):
            self.phase = PLACING
        else:
            taken = self.hand
            self.hand = 0
            self.offer.discard(self.color, taken)
            self._break(palace, taken)
            self._end_turn()

    def _break(self, palace: Palace, steps: i64) -> None:
        """Every broken piece is one step down the track; its last space costs 18 and leads back to 0 (S2)."""
        last: i64 = len(self.broken) - 1
        palace.marker += steps
        if self.effects is not None:
            self.note(BROKE, self.player, steps, palace.marker % last)
        while palace.marker >= last:
            palace.marker -= last
            self.note(LOST, self.player, self._lose(palace, -self.broken[last]))

    def _lose(self, palace: Palace, points: i64) -> i64:
        """Points are lost in full, or down to 0 where the house rule says so (S1, S10); returns how many."""
        palace.lost += points
        if self.floor_at_zero and points > palace.score:
            points = palace.score if palace.score > 0 else 0
        palace.gain(BROKEN, -points)
        return points

    def _place(self, slot: i64, more: i64) -> None:
        """Step 2: as many pieces as fit go to one strip, the rest breaks (S4).

        The glazier moves above that strip. Spaces of the color fill before jokers, unless the player
        named a larger number of jokers.
        """
        palace = self.palaces[self.player]
        color = self.color
        hand = self.hand
        at = slot * KINDS
        room: i64 = palace.open[at + color]
        fits = room + palace.open[at + JOKERS]
        if fits > hand:
            fits = hand
        jokers = more if more else (fits - room if fits > room else 0)
        palace.use(slot, color, fits - jokers)
        if jokers:
            palace.use(slot, JOKERS, jokers)
        palace.held[slot * 5 + color] = palace.held[slot * 5 + color] + fits
        palace.empty[slot] = palace.empty[slot] - fits
        if self.effects is not None and slot != palace.glazier:
            self.note(MOVED, self.player, palace.glazier + 1, slot + 1)
        palace.glazier = slot
        self.hand = 0
        if self.effects is not None:
            self.note(FILLED, self.player, slot + 1, fits, jokers)
        if hand > fits:
            self.offer.discard(color, hand - fits)
            self._break(palace, hand - fits)
        if palace.empty[slot]:
            self._end_turn()
        else:
            self._complete(palace, slot)

    def _complete(self, palace: Palace, slot: i64) -> None:
        """Step 3a: a complete strip scores a point for each piece in the color of the round (S6)."""
        bonus: i64 = palace.held[slot * 5 + self.indicator[self.round - 1]]
        palace.gain(BONUS, bonus)
        if self.effects is not None:
            self.note(COMPLETED, self.player, slot + 1)
            self.note(BONUS_SCORED, self.player, bonus)
        self.phase = KEEPING

    def _keep(self, color: i64) -> None:
        """Steps 3b and 3c: one piece furnishes the window, four go to the tower; windows score (S6).

        The first time the strip is flipped, the second time it is removed; the glazier stays either way.
        The window scores, and so do all furnished windows to its right.
        """
        palace = self.palaces[self.player]
        slot = palace.glazier
        for held in range(5):
            self.offer.discard(held, palace.held[slot * 5 + held])
            palace.held[slot * 5 + held] = 0
        self.offer.discard(color, -1)
        if palace.panes[slot * 2] == 0:
            palace.panes[slot * 2] = color + 1
            palace.empty[slot] = SPACES
            palace.lay(slot, _counted(self.printed[self.player][slot][1]))
            if self.effects is not None:
                self.note(FURNISHED, self.player, slot + 1, 1)
                self.note(FLIPPED, self.player, slot + 1)
        else:
            palace.panes[slot * 2 + 1] = color + 1
            while palace.leftmost < SLOTS and palace.panes[palace.leftmost * 2 + 1]:
                palace.leftmost += 1
            if self.effects is not None:
                self.note(FURNISHED, self.player, slot + 1, 2)
                self.note(REMOVED, self.player, slot + 1)
        points: i64 = 0
        for window in range(slot, SLOTS):
            if palace.panes[window * 2]:
                points += self.windows[window]
        palace.gain(WINDOWS, points)
        if self.effects is not None:
            self.note(WINDOWS_SCORED, self.player, points)
        self._end_turn()

    # -- B) Move the glazier back --

    def _return(self) -> None:
        """Instead of picking, the glazier walks to the leftmost strip that is left (S7)."""
        palace = self.palaces[self.player]
        if self.effects is not None:
            self.note(MOVED, self.player, palace.glazier + 1, palace.leftmost + 1)
        palace.glazier = palace.leftmost
        self._end_turn()

    # -- End of the round --

    def _end_turn(self) -> None:
        """The next player's turn, unless no piece is left on the displays and in the center."""
        if not self.offer.empty():
            self.player += 1
            if self.player == len(self.palaces):
                self.player = 0
            self.phase = PICKING
        else:
            self.phase = ROUND_END

    def end_round(self) -> None:
        """The round's piece of the indicator goes to the tower (S8); six rounds are played."""
        self.offer.discard(self.indicator[self.round - 1], 1)
        self.phase = GAME_END if self.round == ROUNDS else DEAL

    # -- End of the game --

    def finish(self) -> None:
        """The final scoring, for every player in this order: pieces left, broken glass, side (S9)."""
        for player, palace in enumerate(self.palaces):
            left = sum(palace.held)
            palace.gain(LEFT, left // 3)
            self.note(LEFT_SCORED, player, left, left // 3)
            self.note(TRACK_LOST, player, self._lose(palace, -self.broken[palace.marker]))
            if self.side == SIDE_A:
                ornaments = _ornaments(palace)
                palace.gain(SIDE, ornaments)
                self.note(ORNAMENTS_SCORED, player, ornaments)
            else:
                pieces, windows = _best_color(palace)
                palace.gain(SIDE, pieces * windows)
                self.note(COLOR_SCORED, player, pieces, windows, pieces * windows)
        self.phase = OVER

    def scores(self) -> list[int]:
        """Every player's points."""
        return [palace.score for palace in self.palaces]

    def winners(self) -> list[int]:
        """The most points; then the fewest points lost on the broken glass track; else shared (S10)."""
        best = max((palace.score, -palace.lost) for palace in self.palaces)
        return [player for player, palace in enumerate(self.palaces) if (palace.score, -palace.lost) == best]

    def breakdown(self) -> list[dict[str, int]]:
        """For every player, the points by where they came from."""
        return [dict(zip(SOURCES, palace.gained, strict=True)) for palace in self.palaces]

    def worth(self, player: i64) -> int:
        """What the table is worth to a player, in 50ths of a point.

        The points, the broken glass, the side's points and the pieces left as if the game ended now, and
        for every strip what completing it would score, by the square of how full it is.
        """
        palace = self.palaces[player]
        if self.phase == OVER:
            return 50 * palace.score
        if self.side == SIDE_A:
            side = _ornaments(palace)
        else:
            pieces, complete = _best_color(palace)
            side = pieces * complete
        now = palace.score + self.broken[palace.marker] + side
        total = 50 * now + 50 * sum(palace.held) // 3
        later = 0
        for slot in range(SLOTS - 1, -1, -1):
            if palace.panes[slot * 2 + 1]:
                later += self.windows[slot]
                continue
            filled = SPACES - palace.empty[slot]
            scores = later + self.windows[slot] + 2  # about two points of bonus and side
            reached = 2 if slot >= palace.glazier else 1
            total += scores * filled * filled * reached // 2
            if palace.panes[slot * 2]:
                later += self.windows[slot]
        return total

    def census(self) -> list[int]:
        """All pieces of each color: on offer, in bag and tower, on the indicator, on boards and in hand."""
        census = self.offer.census()
        for color in self.indicator[self._rounds_ended() :]:
            census[color] += 1
        for palace in self.palaces:
            for at, count in enumerate(palace.held):
                census[at % 5] += count
            for pane in palace.panes:
                if pane:
                    census[pane - 1] += 1
        census[self.color] += self.hand
        return census

    def _rounds_ended(self) -> int:
        """How many rounds were ended, and so how many pieces have left the indicator."""
        playing = self.phase >= CHOICE or self.phase == ROUND_END
        return self.round - 1 if playing else self.round

    # -- What a player may do --

    def legal(self) -> list[int]:
        """The codes of all legal steps, ascending."""
        phase = self.phase
        if phase < CHOICE:
            return []
        palace = self.palaces[self.player]
        if phase == PICKING:
            codes = self.offer.picks()
            if palace.leftmost != palace.glazier and palace.leftmost < SLOTS:
                codes.append(RETURN)
            return codes
        if phase == PLACING:
            return self._places(palace)
        at = palace.glazier * 5
        return [KEEP + color for color in range(5) if palace.held[at + color]]

    def _places(self, palace: Palace) -> list[int]:
        """The strips that the glazier reaches and that have room for the pieces in hand (S3, S4)."""
        color = self.color
        slots = palace.reached(color)
        both = slots & (palace.takes >> color * SLOTS) & (palace.takes >> JOKERS * SLOTS)
        if not both:
            return PLACES[slots][:]
        codes = []
        for code in PLACES[slots]:
            codes.append(code)
            slot = (code - PLACE) // 3
            if both >> slot & 1:  # the player may use more jokers than needed
                room = palace.open[slot * KINDS + color]
                free = palace.open[slot * KINDS + JOKERS]
                fits = min(self.hand, room + free)
                codes += [code + jokers for jokers in range(max(0, fits - room) + 1, min(free, fits) + 1)]
        return codes

    def allows(self, code: i64) -> bool:
        """Whether this code is among the legal ones, without listing them."""
        if code < PLACE:
            return self.phase == PICKING and self.offer.has(code)
        palace = self.palaces[self.player]
        if code < KEEP:
            slot = (code - PLACE) // 3
            if self.phase != PLACING or slot < palace.glazier:
                return False
            room = palace.open[slot * KINDS + self.color]
            free = palace.open[slot * KINDS + JOKERS]
            jokers = (code - PLACE) % 3
            if jokers == 0:
                return room > 0 or free > 0
            fits = min(self.hand, room + free)
            return max(0, fits - room) < jokers <= min(free, fits)
        if code < RETURN:
            return self.phase == KEEPING and palace.held[palace.glazier * 5 + code - KEEP] > 0
        return self.phase == PICKING and palace.leftmost != palace.glazier and palace.leftmost < SLOTS

    def resolve(self, words: str) -> str:
        """`place N jokers K` is `place N` where K is the least number of jokers anyhow (S4)."""
        if " jokers " not in words:
            return words
        plain, said = words.split(" jokers ")
        slot, jokers = int(plain.split()[1]) - 1, int(said)
        palace = self.palaces[self.player]
        room = palace.open[slot * KINDS + self.color]
        fits = min(self.hand, room + palace.open[slot * KINDS + JOKERS])
        if self.phase != PLACING or jokers == max(0, fits - room):
            return plain
        if jokers == 0:
            raise ValueError(self._why_no_place(palace, slot, 0))
        return words

    def why_not(self, code: i64) -> str:
        """Why this step is not legal, and what would do."""
        palace = self.palaces[self.player]
        wanted = "pick" if code < PLACE else "place" if code < KEEP else "keep" if code < RETURN else "return"
        if self.phase == PLACING and wanted != "place":
            return f"the {pieces({COLORS[self.color]: self.hand})} in hand must be placed first"
        if self.phase == KEEPING and wanted != "keep":
            return f"strip {palace.glazier + 1} is complete: first say which of its pieces to keep (S6)"
        if wanted == "pick":
            return why_no_pick(self.offer, code, COLORS)
        if wanted == "place":
            if self.phase != PLACING:
                return "there is nothing in hand to place: pick first"
            return self._why_no_place(palace, (code - PLACE) // 3, (code - PLACE) % 3)
        if wanted == "keep":
            if self.phase != KEEPING:
                return "no strip is complete, so there is no piece to keep"
            return f"there is no {COLORS[code - KEEP]} on strip {palace.glazier + 1} to keep"
        if palace.leftmost == SLOTS:
            return "no strip is left to return to (S7)"
        return f"the glazier is above the leftmost strip {palace.leftmost + 1} already (S7)"

    def _why_no_place(self, palace: Palace, slot: int, jokers: int) -> str:
        color = COLORS[self.color]
        if slot < palace.glazier:
            return f"strip {slot + 1} is left of the glazier, who is above strip {palace.glazier + 1} (S3)"
        room = palace.open[slot * KINDS + self.color]
        free = palace.open[slot * KINDS + JOKERS]
        if palace.panes[slot * 2 + 1]:
            return f"strip {slot + 1} is gone: its window is complete"
        if not room and not free:
            return f"strip {slot + 1} has no empty space for {color} (S3)"
        fits = min(self.hand, room + free)
        least, most = max(0, fits - room), min(free, fits)
        if not free:
            return f"strip {slot + 1} has no empty joker"
        if jokers == least:
            return f"`jokers` is written only for more than the least, which is {least} here"
        range_ = f"{least}" if least == most else f"{least} to {most}"
        return f"{jokers} jokers can't be used on strip {slot + 1} here; {range_} can (S4)"

    # -- The table as a value --

    def value(self) -> SintraSnapshot:
        """The whole table in words."""
        center, *displays = [named(pile, COLORS) for pile in self.offer.sources()]
        return SintraSnapshot(
            round=self.round,
            player=self.player + 1 if self.phase >= CHOICE else None,
            awaits=AWAITS[self.phase],
            side="AB"[self.side],
            indicator=tuple(COLORS[color] for color in self.indicator),
            displays=tuple(displays),
            center=center,
            starting_tile=self.offer.tile,
            starter=self.starter + 1,
            hand={COLORS[self.color]: self.hand} if self.hand else {},
            bag=named(self.offer.bag, COLORS),
            tower=named(self.offer.tower, COLORS),
            broken=self.broken,
            players=tuple(self._palace_value(number) for number in range(len(self.palaces))),
        )

    def _palace_value(self, player: int) -> PalaceSnapshot:
        palace = self.palaces[player]
        return PalaceSnapshot(
            score=palace.score,
            points=dict(zip(SOURCES, palace.gained, strict=True)),
            marker=palace.marker,
            lost=palace.lost,
            glazier=palace.glazier + 1,
            strips=tuple(self._strip_value(player, slot) for slot in range(SLOTS if self.printed else 0)),
            windows=tuple(
                WindowSnapshot(
                    points=points,
                    pieces=tuple(COLORS[pane - 1] for pane in palace.panes[at * 2 : at * 2 + 2] if pane),
                )
                for at, points in enumerate(self.windows)
            ),
        )

    def _strip_value(self, player: int, slot: int) -> StripSnapshot | None:
        """A strip with what lies on each of its spaces, or None when it is gone."""
        palace = self.palaces[player]
        if palace.panes[slot * 2 + 1]:
            return None
        flipped = palace.panes[slot * 2] > 0
        printed = self.printed[player][slot]
        up = printed[1] if flipped else printed[0]
        empty = palace.open[slot * KINDS : slot * KINDS + KINDS]
        held = palace.held[slot * 5 : slot * 5 + 5]
        pieces: list[str | None] = []
        for space in up:
            filled = space != JOKERS and pieces.count(COLORS[space]) < up.count(space) - empty[space]
            pieces.append(COLORS[space] if filled else None)
        on_jokers = [
            COLORS[color] for color in range(5) for _ in range(held[color] - (up.count(color) - empty[color]))
        ]
        for at, space in enumerate(up):
            if space == JOKERS and on_jokers:
                pieces[at] = on_jokers.pop(0)
        name = [*COLORS, JOKER]
        return StripSnapshot(
            spaces=tuple(name[space] for space in up),
            pieces=tuple(pieces),
            back=() if flipped else tuple(name[space] for space in printed[1]),
        )


AWAITS: Final = ("arrange", "deal", "round_end", "game_end", "nothing", "pick", "place", "keep")
"""What a state waits for, by phase."""


def _ornaments(palace: Palace) -> int:
    """Side A: four ornaments, each between two windows with four frame spaces around it (S11)."""
    return sum(
        ORNAMENTS[sum(1 for pane in palace.panes[at : at + 4] if pane)] for at in range(0, SLOTS * 2, 4)
    )


def _best_color(palace: Palace) -> tuple[int, int]:
    """Side B: the pieces of the best color in all windows, and how many windows are complete (S9)."""
    pieces = max(palace.panes.count(color + 1) for color in range(5))
    return pieces, sum(1 for window in range(SLOTS) if palace.panes[window * 2 + 1])


# -- The rule-set ----------------------------------------------------------------------------


@mypyc_attr(native_class=False)
class SintraRules(RuleSet):
    """Stained Glass of Sintra, as the engine asks for it."""

    name = "sintra"
    title = "Stained Glass of Sintra"
    options = (
        Option("side", ("A", "B"), "A", "the side of the palace boards: A scores ornaments, B one color"),
        Option("floor_at_zero", (False, True), False, "house rule: a score never drops below 0"),
    )
    players = (2, 3, 4)
    colors = COLORS
    palette = boards.PALETTE
    arranged = SintraArranged
    steps = STEPS
    guide = (
        (
            "pick SOURCE COLOR",
            "take all pieces of a color from display 1 to 9 (the rest goes to the center) or "
            "from center; the round's first pick from there takes the starting tile, a step "
            "on the broken glass track",
        ),
        (
            "place N",
            "put the picked pieces on strip N, beneath the glazier or to its right; what does not fit "
            "breaks. Spaces of the color fill before jokers",
        ),
        ("place N jokers K", "the same, with K jokers used"),
        (
            "keep COLOR",
            "choose the piece of the completed strip that goes to the window; the others go to the "
            "tower, and the window scores with all furnished ones to its right",
        ),
        ("return", "instead of picking, the glazier walks back to the leftmost strip"),
    )
    spellings = ZERO_JOKERS
    effects = EFFECTS
    tables = boards.TABLES
    rulings = EVERY_GAME + SINTRA
    view = "sintra.games.sintra.draw"

    def snapshot(self, state: SintraState) -> SintraSnapshot:
        """The whole table in words."""
        return state.value()

    def resolve(self, state: SintraState, words: str) -> str:
        """The words of a step, for any spelling of it."""
        return state.resolve(words)

    def why_not(self, state: SintraState, code: int) -> str:
        """Why this step is not legal, and what would do."""
        return state.why_not(code)

    def start(self, options: Mapping[str, OptionValue], players: int) -> SintraState:
        """A game that waits for its arrangement."""
        side = SIDE_A if options["side"] == "A" else SIDE_B
        return SintraState(players, side, bool(options["floor_at_zero"]))

    def arrange(
        self,
        options: Mapping[str, OptionValue],
        players: int,
        components: Mapping[str, Any],
        chance: Chance,
    ) -> SintraArranged:
        """Setup by chance: everybody's strips shuffled, joker side down; six pieces on the indicator."""
        strips, windows, broken = self._printed(str(options["side"]), components)
        indicator = chance.stream("indicator")
        later = indicator.shuffled(COLORS)
        first = COLORS[indicator.below(95) // 19]
        rows = []
        for player in range(1, players + 1):
            stream = chance.stream(f"strips {player}")
            row = []
            for strip in stream.shuffled(strips):
                flip = stream.below(2) == 1
                if JOKER in strip.up or (flip and JOKER not in strip.down):
                    strip = Strip(strip.down, strip.up)
                row.append(strip)
            rows.append(tuple(row))
        return SintraArranged((first, *later), tuple(rows), windows, broken)

    def lay(
        self,
        options: Mapping[str, OptionValue],
        players: int,
        components: Mapping[str, Any],
        words: Sequence[str],
    ) -> SintraArranged:
        """`indicator` with six colors, then `strips P` with the eight strips of player P, for each player.

        A strip is told by the letters of both its sides, `UP/DOWN`, or of the one that is up where the set
        has one such strip.
        """
        known, windows, broken = self._printed(str(options["side"]), components)
        said = _sections(words)
        wanted = ["indicator", *(f"strips {player}" for player in range(1, players + 1))]
        for name in said:
            if name not in wanted:
                raise UsageError(f"`{name}` means nothing here; {', '.join(wanted)} are told")
        for name in wanted:
            if name not in said:
                raise UsageError(f"`{name}` is missing")
        indicator = [color for token in said["indicator"] for color in _told_colors(token)]
        if len(indicator) != ROUNDS:
            raise UsageError(f"the indicator has {ROUNDS} pieces, not {len(indicator)}")
        for name in wanted[1:]:
            if len(said[name]) != SLOTS:
                raise UsageError(f"`{name}` has {SLOTS} strips, not {len(said[name])}")
        rows = [[_told_strip(token, known) for token in said[name]] for name in wanted[1:]]
        try:
            return msgspec.convert(
                {
                    "type": "arranged",
                    "indicator": indicator,
                    "strips": [[{"up": up, "down": down} for up, down in row] for row in rows],
                    "windows": windows,
                    "broken": broken,
                },
                SintraArranged,
            )
        except msgspec.ValidationError as error:
            raise UsageError(f"the table can't lie like this: {error}") from None

    def _printed(
        self, side: str, components: Mapping[str, Any]
    ) -> tuple[Sequence[Strip], tuple[int, ...], tuple[int, ...]]:
        """What is printed: a person's own values where there are any, checked."""
        try:
            own = msgspec.convert(components, boards.Components)
        except msgspec.ValidationError as error:
            raise UsageError(f"components: {codec.in_words(error)}") from None
        strips = own.strips or tuple(Strip(up, down) for up, down in boards.STRIPS)
        windows = boards.WINDOWS if own.windows is None else own.windows  # a table may be empty
        if isinstance(windows, dict):
            strange = [name for name in windows if name not in boards.WINDOWS]
            if strange:
                raise UsageError(f"components: windows: there is no side {strange[0]}")
            if side not in windows:
                raise UsageError(f"components: windows: there are none for side {side}")
            windows = windows[side]
        broken = own.broken or boards.BROKEN
        try:
            check_tables(strips, windows, broken)
        except Misfit as error:
            raise UsageError(f"components: {error}") from None
        return strips, windows, broken


def _sections(words: Sequence[str]) -> dict[str, list[str]]:
    """What was typed, by its headings: `indicator`, `strips 1` and so on."""
    said: dict[str, list[str]] = {}
    heading = ""
    words = list(words)
    while words:
        word = words.pop(0).lower()
        if word in ("indicator", "strips"):
            heading = word if word == "indicator" or not words else f"{word} {words.pop(0)}"
            if heading in said:
                raise UsageError(f"`{heading}` is told twice")
            said[heading] = []
        elif heading:
            said[heading].append(word)
        else:
            raise UsageError(f"`{word}` means nothing before `indicator` or `strips P`")
    return said


def _told_colors(token: str) -> list[str]:
    """Colors by their letters in a word, `*` for a joker, or one color in full."""
    letters = boards.LETTERS
    if token in letters.values():
        return [token]
    for ch in token:
        if ch not in letters:
            raise UsageError(f"`{token}`: {ch!r} stands for no color; {', '.join(letters)} do")
    return [letters[ch] for ch in token]


def _told_strip(token: str, known: Sequence[Strip]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A strip by both sides, or by the side that is up where that leaves no doubt."""
    up, slash, down = token.partition("/")
    shown = tuple(_told_colors(up))
    if slash:
        return shown, tuple(_told_colors(down))
    sides = [(strip.up, strip.down) for strip in known] + [(strip.down, strip.up) for strip in known]
    backs = {back for front, back in sides if sorted(front) == sorted(shown)}
    if len(backs) != 1:
        count = "no strip" if not backs else "more than one strip"
        raise UsageError(f"`{token}`: {count} of the set has such a side; tell both sides as UP/DOWN")
    return shown, backs.pop()


RULES = SintraRules()
