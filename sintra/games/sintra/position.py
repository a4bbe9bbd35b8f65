"""Positions of Stained Glass of Sintra as text, and their checks.

After the table, `printed` has the round indicator, the points below the windows and the broken glass track. A
player has the points by where they came from, the points lost on the track in full, the space of the marker,
the slot of the glazier, and three rows of eight:

- `windows`: the pieces in each window, the top one first. The strip above a window with one piece is flipped,
  above one with two it is gone.
- `strips`: each strip as it lay at the start, `UP:DOWN`. Capital letters are pieces on the side that is up.
- `jokers`: the pieces on joker spaces, which stay `*` in `strips`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from sintra.games.sintra import boards
from sintra.games.sintra.arrangement import Arrangement
from sintra.games.sintra.boards import ROUNDS, SLOTS, SPACES
from sintra.games.sintra.codes import AWAITS, KEEPING, PICKING, PLACING, SOURCES
from sintra.games.sintra.colors import COLORS, JOKER, PALETTE, SPACE_PALETTE
from sintra.games.sintra.events import SintraArranged, Strip
from sintra.games.sintra.options import Chosen
from sintra.games.sintra.player import BOTTOM, Palace, digit
from sintra.games.sintra.rules import SintraState
from sintra.log.codec import in_words
from sintra.log.events import OptionValue
from sintra.rules.bits import members
from sintra.rules.piles import counts
from sintra.rules.position import (
    MAX_POINTS,
    NONE,
    Section,
    Table,
    joined,
    letters,
    sections,
    table_words,
)
from sintra.rules.ruleset import Misfit
from sintra.rules.state import ARRANGE, DEAL, GAME_END, OVER

SPACE_LETTERS = SPACE_PALETTE.letters
"""The kinds of spaces by their letters."""

# -- Writing ---------------------------------------------------------------------------------


def position(state: SintraState) -> str:
    """Return everything that lies on the table as text."""
    table = table_words(state, PALETTE, AWAITS)
    if state.phase == ARRANGE:
        return joined(table)
    printed = state.printed
    words = {
        "indicator": "".join(PALETTE.letter(COLORS[color]) for color in printed.indicator),
        "points": _listed(printed.windows),
        "broken": _listed(printed.broken),
    }
    return joined(table, words, *(_palace_words(state, seat) for seat in range(state.seats)))


def _palace_words(state: SintraState, seat: int) -> dict[str, str]:
    palace, row = state.palaces[seat], state.printed.rows[seat]
    return {
        "points": _listed(palace.points()),
        "lost": str(palace.lost),
        "marker": str(palace.marker),
        "glazier": str(palace.glazier + 1),
        "windows": ",".join(_window_word(palace, slot) for slot in range(SLOTS)),
        "strips": ",".join(_strip_word(palace, slot, strip) for slot, strip in enumerate(row)),
        "jokers": letters(counts(palace.on_jokers, len(COLORS)), PALETTE, False),
    }


def _window_word(palace: Palace, slot: int) -> str:
    panes = (digit(palace.panes, slot), digit(palace.panes >> BOTTOM, slot))
    return "".join(PALETTE.letter(COLORS[pane - 1]) for pane in panes if pane) or NONE


def _strip_word(palace: Palace, slot: int, strip: Strip) -> str:
    """Return both sides of a strip, with pieces as capital letters, the first spaces of a color first."""
    sides = ["".join(map(SPACE_PALETTE.letter, side)) for side in (strip.up, strip.down)]
    if not palace.finished() >> slot & 1:
        up = palace.furnished() >> slot & 1
        for number, color in enumerate(COLORS):
            letter = PALETTE.letter(color)
            filled = sides[up].count(letter) - palace.room(slot, number)
            sides[up] = sides[up].replace(letter, letter.upper(), filled)
    return ":".join(sides)


def _listed(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))


# -- Reading ---------------------------------------------------------------------------------


def restore(options: Mapping[str, OptionValue], players: int, text: str) -> SintraState:
    """Return the state that a position describes; raise Misfit if it can't be one."""
    state = SintraState(players, Arrangement(Chosen(options)))
    total = state.census()
    table, *others = sections(text, players)
    if not others:
        return state
    printed, *own = others
    rows = [section.parts("strips", SLOTS) for section in own]
    state.arrange(_arranged(printed, rows, boards.WINDOWS[str(options["side"])]))
    for seat, section in enumerate(own):
        _furnish(state.palaces[seat], section, rows[seat], seat, state)
    laid = Table(table, state, total, PALETTE, AWAITS)
    laid.check_phase(PICKING, PLACING)
    _check_phase(state)
    laid.finish()
    for seat in range(players):
        _check_points(state, seat)
    return state


def _arranged(section: Section, rows: list[list[str]], windows: Sequence[int]) -> SintraArranged:
    """Return what is printed and how it was laid out, as an event."""
    indicator = section.word("indicator")
    found: dict[str, Any] = {
        "type": "arranged",
        "indicator": [PALETTE.letters.get(letter, letter) for letter in indicator],
        "strips": [[_sides(word, seat) for word in row] for seat, row in enumerate(rows, 1)],
        "windows": section.numbers("points", SLOTS, 0, 10**6, _listed(windows)),
        "broken": section.numbers("broken", None, -18, 0, _listed(boards.BROKEN)),
    }
    section.end()
    try:
        return msgspec.convert(found, SintraArranged)
    except msgspec.ValidationError as error:
        raise Misfit("printed", in_words(error)) from None


def _sides(word: str, seat: int) -> dict[str, list[str]]:
    """Return what is printed on both sides of a strip."""
    up, colon, down = word.lower().partition(":")
    for side in (up, down):
        if not colon or len(side) != SPACES or not set(side) <= SPACE_LETTERS.keys():
            raise Misfit(f"player {seat}", f"strips: {word[:40]!r} is not UP:DOWN, two sides of five spaces")
    return {"up": [SPACE_LETTERS[x] for x in up], "down": [SPACE_LETTERS[x] for x in down]}


def _furnish(palace: Palace, section: Section, row: list[str], seat: int, state: SintraState) -> None:
    """Lay out a player's windows, strips and markers."""
    points = section.numbers("points", len(SOURCES), -MAX_POINTS, MAX_POINTS)
    palace.bonus_points, palace.window_points, palace.broken_points = points[:3]
    palace.left_points, palace.side_points = points[3:]
    palace.lost = section.number("lost", 0, MAX_POINTS)
    palace.marker = section.number("marker", 0, state.printed.last - 1)
    palace.glazier = section.number("glazier", 1, SLOTS) - 1
    printed = state.printed.rows[seat]
    for slot, panes in enumerate(section.parts("windows", SLOTS)):
        _furnish_window(palace, section, slot, panes, printed[slot])
    _fill_jokers(palace, section)
    for slot, word in enumerate(row):
        _fill_strip(palace, section, slot, word)
    section.end()


def _furnish_window(palace: Palace, section: Section, slot: int, panes: str, strip: Strip) -> None:
    """Put pieces into a window, each taken from a complete side of the strip above it."""
    if panes == NONE:
        return
    if len(panes) > 2 or not set(panes) <= PALETTE.letters.keys():
        raise section.misfit("windows", f"{panes[:40]!r} is not one or two pieces, or - for none")
    for pane, side in zip(panes, (strip.up, strip.down), strict=False):
        color = PALETTE.letters[pane]
        if color not in side and JOKER not in side:
            raise section.misfit(
                "windows", f"window {slot + 1} has {color}, which its strip can't have given (S6)"
            )
        _complete(palace, slot)
        if side is strip.up and not palace.furnished() >> slot & 1:
            palace.flip(slot, COLORS.index(color))
        else:
            palace.remove(slot, COLORS.index(color))


def _complete(palace: Palace, slot: int) -> None:
    """Fill every space of the side that is up."""
    for color in range(len(COLORS)):
        if palace.room(slot, color):
            palace.fill(slot, color, palace.room(slot, color))
    if palace.free(slot):
        palace.fill_jokers(slot, 0, palace.free(slot))


def _fill_jokers(palace: Palace, section: Section) -> None:
    """Put pieces on the joker spaces of the flipped strip that has them."""
    pieces: Sequence[int] = section.pile("jokers", section.word("jokers"), PALETTE, 2)
    slot = palace.strips.joker_slot
    if sum(pieces) > palace.free(slot):
        raise section.misfit("jokers", f"the strip with jokers, in slot {slot + 1}, is not flipped, or gone")
    for color, number in enumerate(pieces):
        if number:
            palace.fill_jokers(slot, color, number)


def _fill_strip(palace: Palace, section: Section, slot: int, word: str) -> None:
    """Put pieces on the side of a strip that is up."""
    gone = bool(palace.finished() >> slot & 1)
    up = palace.furnished() >> slot & 1
    for side, spaces in enumerate(word.split(":")):
        pieces = [letter for letter in spaces if letter.isupper()]
        if pieces and (gone or side != up):
            raise section.misfit("strips", f"strip {slot + 1} has pieces, but that side is not up")
        for letter in dict.fromkeys(pieces):
            palace.fill(slot, COLORS.index(PALETTE.letters[letter.lower()]), pieces.count(letter))


# -- Checks ----------------------------------------------------------------------------------


def _check_phase(state: SintraState) -> None:
    """Raise Misfit if rounds, strips and hands do not fit the phase."""
    phase, last = state.phase, state.round == ROUNDS
    if state.round > ROUNDS or (phase == DEAL and last) or (phase in (GAME_END, OVER) and not last):
        raise Misfit("table", f"round: the game has {ROUNDS}, and ends after the last")
    for seat, palace in enumerate(state.palaces):
        complete = [slot for slot in range(SLOTS) if palace.filled(slot) == SPACES]
        due = [palace.glazier] if phase == KEEPING and seat == state.player else []
        if complete != due:
            what = f"strip {(complete or due)[0] + 1}"
            raise Misfit(
                f"player {seat + 1}",
                f"strips: {what} is complete while its piece has to be kept, and only then",
            )
    if phase == PLACING and not state.palaces[state.player].reached(state.color):
        raise Misfit("table", "hand: no strip can take it, so it would have broken by now (S5)")


def _check_points(state: SintraState, seat: int) -> None:
    """Raise Misfit if the windows, the broken glass track and the end can't have given these points."""
    printed, palace, name = state.printed, state.palaces[seat], f"player {seat + 1}"
    windows = members(palace.furnished()) + members(palace.finished())
    least = sum(printed.windows[slot] for slot in windows)
    most = sum(printed.sums[palace.furnished() & -1 << slot] for slot in windows)
    complete = len(windows) + (state.phase == KEEPING and seat == state.player)
    if not 0 <= palace.bonus_points <= SPACES * complete or not least <= palace.window_points <= most:
        raise Misfit(name, f"points: {len(windows)} pieces in windows can't have scored this (S6)")
    over = state.phase == OVER
    at_the_end = -printed.broken[palace.marker] if over else 0
    if palace.lost < at_the_end or (palace.lost - at_the_end) % -printed.broken[printed.last]:
        raise Misfit(
            name, "lost: the track takes all of its points at once (S2), and the marker's at the end (S9)"
        )
    floor = 0 if printed.chosen.floor_at_zero else -palace.lost
    if not -palace.lost <= palace.broken_points <= floor:
        raise Misfit(
            name, f"points: the broken glass track has cost {palace.lost}, not {-palace.broken_points}"
        )
    left = sum(palace.filled(slot) for slot in range(SLOTS)) // 3 if over else 0
    if palace.left_points != left or palace.side_points != (state._side(palace) if over else 0):
        raise Misfit(name, "points: pieces left and the side score at the end, by S9 and S11")
