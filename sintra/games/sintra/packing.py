"""Arrangements of Stained Glass of Sintra as the digits of a code: the box, and its random layout."""

from __future__ import annotations

from sintra.games.sintra import boards
from sintra.games.sintra.arrangement import Setup, in_order
from sintra.games.sintra.boards import SLOTS
from sintra.games.sintra.colors import COLORS, SPACE_PALETTE
from sintra.games.sintra.events import SintraArranged, SintraColor, Strip
from sintra.rules.chance import Chance
from sintra.rules.digits import BadDigits, Digits

KINDS = SPACE_PALETTE.names
USUAL = tuple(Strip(up, down) for up, down in boards.STRIPS)


def pack(digits: Digits, side: str, players: int, event: SintraArranged | None) -> SintraArranged:
    """Pack an arrangement, or unpack one."""
    usual = boards.WINDOWS[side], boards.BROKEN
    strips = tuple(in_order(event.strips[0], USUAL, Chance(0))) if event else USUAL
    windows, broken = (event.windows, event.broken) if event else usual
    if digits.flag((strips, windows, broken) != (USUAL, *usual)):
        strips = tuple(_strip(digits, strip) for strip in strips)
        windows = tuple(digits.large(points, 10**6) for points in windows)
        spaces = 2 + digits.number(len(broken) - 2, 18)
        track = broken if event else (0,) * spaces
        broken = tuple(-digits.number(-points, 19) for points in track)
    indicator = _colors(digits, event)
    faces = Setup(strips, windows, broken).faces
    rows = tuple(_row(digits, faces, event.strips[seat] if event else None) for seat in range(players))
    return SintraArranged(indicator, rows, windows, broken)


def _strip(digits: Digits, strip: Strip) -> Strip:
    """Code what is printed on a custom strip."""
    sides = [
        tuple(KINDS[digits.number(KINDS.index(space), len(KINDS))] for space in side)
        for side in (strip.up, strip.down)
    ]
    return Strip(*sides)  # type: ignore[arg-type]


def _colors(digits: Digits, event: SintraArranged | None) -> tuple[SintraColor, ...]:
    """Code the round indicator: any color, then each color once."""
    given = event.indicator if event else None
    first = COLORS[digits.number(COLORS.index(given[0]) if given else 0, len(COLORS))]
    left = list(COLORS)
    found = [first]
    for at in range(1, len(COLORS) + 1):
        color = left[digits.number(left.index(given[at]) if given else 0, len(left))]
        left.remove(color)
        found.append(color)
    return tuple(found)


def _row(digits: Digits, faces: list[Strip], given: tuple[Strip, ...] | None) -> tuple[Strip, ...]:
    """Code a player's strips: which of those left lies in each slot, and which side is up."""
    left = list(range(SLOTS))
    row = []
    for slot in range(SLOTS):
        place = turned = 0
        if given:
            place, turned = _place(given[slot], [faces[2 * n : 2 * n + 2] for n in left])
        strip = left.pop(digits.number(place, len(left)))
        row.append(faces[2 * strip + digits.number(turned, 2)])
    return tuple(row)


def _place(strip: Strip, left: list[list[Strip]]) -> tuple[int, int]:
    """Return which of the remaining strips this is, and which of its sides is up."""
    for at, faces in enumerate(left):
        if strip in faces:
            return at, faces.index(strip)
    raise BadDigits("not a strip of the set")
