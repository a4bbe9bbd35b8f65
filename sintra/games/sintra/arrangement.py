"""An arrangement in the form that the rules use: one object shared by all copies of a state."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from sintra._mypyc import i64
from sintra.games.sintra import boards
from sintra.games.sintra.boards import SLOTS
from sintra.games.sintra.colors import COLORS, JOKER
from sintra.games.sintra.events import SintraArranged, Strip, StripRow
from sintra.games.sintra.options import Chosen
from sintra.games.sintra.player import HALF, JOKERS, SIDE_BITS, STRIP, STRIP_BITS, Strips, digit
from sintra.rules.bits import bit
from sintra.rules.chance import Chance, Stream
from sintra.rules.keeping import reduced
from sintra.rules.ruleset import Misfit


class Arrangement:
    """Everything that is printed or laid out once, and never changes."""

    chosen: Chosen
    indicator: tuple[int, ...]
    """The color of each round."""
    windows: tuple[int, ...]
    """The points below each window."""
    sums: list[int]
    """The points below all windows of a set."""
    broken: tuple[int, ...]
    """The points for each space of the broken glass track."""
    last: i64
    """The last space of that track."""
    rows: tuple[StripRow, ...]
    """Everybody's strips in words."""
    strips: list[Strips]
    """Everybody's strips, packed."""

    def __init__(self, chosen: Chosen) -> None:
        """Start with nothing laid out."""
        self.chosen = chosen
        self.indicator = ()
        self.windows = ()
        self.sums = []
        self.broken = ()
        self.last = 0
        self.rows = ()
        self.strips = []

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make it again, for pickle and deepcopy."""
        return reduced(self, self.chosen)


def arrangement(chosen: Chosen, event: SintraArranged, players: int) -> Arrangement:
    """Read an arrangement; raise Misfit if it is impossible."""
    rows = [[sides(strip) for strip in row] for row in event.strips]
    check_arranged(event, rows, players)
    read = Arrangement(chosen)
    read.indicator = tuple([COLORS.index(color) for color in event.indicator])
    read.windows = event.windows
    read.sums = _sums(event.windows)
    read.broken = event.broken
    read.last = len(event.broken) - 1
    read.rows = event.strips
    read.strips = [_packed_row([up for up, _, _ in row], [down for _, down, _ in row]) for row in rows]
    return read


class Setup:
    """The printed values of a box, with every strip packed both ways: what chance lays out for each game.

    A strip has two faces, number 2 * strip and the next one, turned over; the joker side is never up.
    """

    windows: tuple[int, ...]
    sums: list[int]
    broken: tuple[int, ...]
    faces: list[Strip]
    ups: list[int]
    downs: list[int]

    def __init__(self, strips: Sequence[Strip], windows: tuple[int, ...], broken: tuple[int, ...]) -> None:
        self.windows = windows
        self.sums = _sums(windows)
        self.broken = broken
        self.faces = []
        for strip in strips:
            turned = Strip(strip.down, strip.up)
            self.faces.append(turned if JOKER in strip.up else strip)
            self.faces.append(strip if JOKER in strip.down else turned)
        self.ups = [sides(face)[0] for face in self.faces]
        self.downs = [sides(face)[1] for face in self.faces]

    def indicator(self, chance: Chance) -> list[int]:
        """Draw the color of each round: of all 95 pieces for round I, one of each color for the others."""
        stream = chance.stream("indicator")
        later = shuffled(stream, len(COLORS))
        return [stream.below(95) // 19, *later]

    def rows(self, players: int, chance: Chance) -> list[list[int]]:
        """Shuffle everybody's strips, then turn some over at random; return the faces that are up."""
        rows = []
        for player in range(players):
            stream = chance.stream(f"strips {player + 1}")
            rows.append([2 * strip + stream.below(2) for strip in shuffled(stream, SLOTS)])
        return rows

    def strips(self, faces: list[int]) -> StripRow:
        """Return a player's strips in words."""
        return tuple([self.faces[face] for face in faces])

    def printed(self, blank: Arrangement, players: int, chance: Chance) -> Arrangement:
        """Lay a game out at random: the same as reading its arrangement, only faster."""
        printed = Arrangement(blank.chosen)
        printed.indicator = tuple(self.indicator(chance))
        printed.windows = self.windows
        printed.sums = self.sums
        printed.broken = self.broken
        printed.last = len(self.broken) - 1
        rows = self.rows(players, chance)
        printed.rows = tuple([self.strips(faces) for faces in rows])
        printed.strips = [
            _packed_row([self.ups[face] for face in faces], [self.downs[face] for face in faces])
            for faces in rows
        ]
        return printed


def shuffled(stream: Stream, count: i64) -> list[int]:
    """Return the numbers below `count`, eight at most, in the order of `Stream.shuffled`: only faster.

    The numbers not yet drawn are octal digits, the first number lowest.
    """
    left: i64 = 0o76543210
    drawn: list[int] = []
    while count > 0:
        at = stream.below(count)
        drawn.append(digit(left, at))
        before = left & bit(at * 3) - 1
        left = left - before >> 3 & ~(bit(at * 3) - 1) | before
        count -= 1
    return drawn


# -- Packing ---------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _sums(windows: tuple[int, ...]) -> list[int]:
    """Return the points below the windows of every set."""
    sums = [0]
    for points in windows:
        sums += [points + others for others in sums]
    return sums


@lru_cache(maxsize=4096)
def sides(strip: Strip) -> tuple[int, int, int]:
    """Return the upper and the lower side of a strip, packed, and both together, in either order.

    A side is how many spaces of each kind it has: six octal digits, jokers first.
    """
    up, down = _packed(strip.up), _packed(strip.down)
    return up, down, min(up, down) << SIDE_BITS | max(up, down)


def _packed(spaces: tuple[str, ...]) -> int:
    kinds = [JOKERS if space == JOKER else COLORS.index(space) for space in spaces]
    return sum([1 << kind * 3 for kind in kinds])


def _packed_row(ups: list[int], downs: list[int]) -> Strips:
    """Return a player's strips as counts and sets."""
    strips = Strips()
    strips.up_left, strips.up_right, strips.up_takes = _half_rows(ups)
    strips.down_left, strips.down_right, strips.down_takes = _half_rows(downs)
    strips.joker_slot = [down > STRIP for down in downs].index(True)
    return strips


def _half_rows(sides: list[int]) -> tuple[i64, i64, i64]:
    """Return the counts of the left strips, of the right ones, and the sets of all."""
    left: i64 = 0
    right: i64 = 0
    takes: i64 = 0
    slot: i64 = SLOTS - 1
    while slot >= 0:
        side: i64 = sides[slot]
        if slot < HALF:
            left = left << STRIP_BITS | side & STRIP
        else:
            right = right << STRIP_BITS | side & STRIP
        takes = takes << 1 | _kinds(side)
        slot -= 1
    return left, right, takes


def _kinds(side: i64) -> i64:
    """Return the kinds of spaces that a side has, as the first slot of `Palace.takes`."""
    kinds: i64 = 0
    kind: i64 = 0
    while kind <= JOKERS:
        if digit(side, kind):
            kinds |= bit(kind * SLOTS)
        kind += 1
    return kinds


def in_order(row: StripRow, box: Sequence[Strip], chance: Chance) -> Sequence[Strip]:
    """Return the strips of the first player's row as they were before chance shuffled them.

    Strips of the box have its order. For custom ones, any order that chance could have started from will do.
    """
    if _contents([sides(strip) for strip in row]) == _contents([sides(strip) for strip in box]):
        return box
    (faces,) = Setup(box, (), ()).rows(1, chance)
    strips = list(row)
    for face, strip in zip(faces, row, strict=True):
        turned = face % 2 == 1 and JOKER not in strip.down
        strips[face // 2] = Strip(strip.down, strip.up) if turned else strip
    return strips


# -- Checks ----------------------------------------------------------------------------------


def check_printed(strips: Sequence[Strip], windows: Sequence[int], broken: Sequence[int]) -> None:
    """Raise Misfit if printed values can't be a game of Sintra."""
    _check_jokers([sides(strip) for strip in strips])
    _check_boards(tuple(windows), tuple(broken))


def _check_jokers(row: list[tuple[int, int, int]]) -> None:
    """Raise Misfit unless a player's strips have two jokers, both on one side of one strip."""
    jokers = [side >> STRIP_BITS for up, down, _ in row for side in (up, down)]
    if sum(jokers) != 2 or max(jokers) != 2:
        raise Misfit("strips", "exactly two jokers are needed, both on one side of one strip")


@lru_cache(maxsize=256)
def _check_boards(windows: tuple[int, ...], broken: tuple[int, ...]) -> None:
    """Raise Misfit if no palace or broken glass track can have these printed values."""
    if len(windows) != SLOTS or min(windows) < 0:
        raise Misfit("windows", f"expected {SLOTS} numbers of 0 or more")
    falls = all(broken[at] > broken[at + 1] for at in range(len(broken) - 1))
    if broken[0] != 0 or broken[-1] != boards.BROKEN[-1] or not falls:
        raise Misfit("broken", f"the track must fall from 0 to {boards.BROKEN[-1]}, space by space")


def check_arranged(event: SintraArranged, rows: list[list[tuple[int, int, int]]], players: int) -> None:
    """Raise Misfit if an arrangement is impossible: everybody has the same strips, joker side down.

    `rows` are the `sides` of everybody's strips.
    """
    if len(rows) != players:
        raise Misfit("strips", f"expected strips for {players} players, not {len(rows)}")
    _check_jokers(rows[0])
    _check_boards(event.windows, event.broken)
    first = _contents(rows[0])
    for number, row in enumerate(rows, 1):
        if _contents(row) != first:
            raise Misfit("strips", f"player {number} must have the same strips as player 1")
        for up, _, _ in row:
            if up > STRIP:
                raise Misfit("strips", f"player {number}'s joker side must start face down")
    if sorted(event.indicator[1:]) != sorted(COLORS):
        raise Misfit("indicator", "rounds II to VI must show each color once")


def _contents(row: list[tuple[int, int, int]]) -> list[int]:
    """Return a set of strips in a form to compare, regardless of their order and of which sides are up."""
    return sorted([both for _, _, both in row])
