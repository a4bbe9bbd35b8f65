"""Stained Glass of Sintra on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sintra.fold import Fold
from sintra.games.sintra.boards import ORNAMENTS, ROUNDS, SLOTS, SPACES
from sintra.games.sintra.events import Kept, PlacedOnStrip, Returned, SintraArranged
from sintra.games.sintra.rules import SintraState
from sintra.games.sintra.snapshot import PalaceSnapshot, SintraSnapshot, StripSnapshot, WindowSnapshot
from sintra.log.events import Choice, Event, Picked
from sintra.rules.effects import Happening
from sintra.text import columns, padded, plural, safe
from sintra.view import plain
from sintra.view.common import (
    Numbers,
    board_of,
    closing_lines,
    common_sentence,
    heading,
    picked_sentence,
    summed,
)

if TYPE_CHECKING:
    from sintra.view.style import Style

NUMERALS = ("I", "II", "III", "IV", "V", "VI")
MARGIN = 7
ORNAMENT = (("◆2", "*2"), "ornament with 2 pieces around it")
SIGNS = (
    (("▼", "v"), "glazier"),
    (("·* ", ".* "), "joker: takes any color"),
    ((" □ ", "[ ]"), "empty window"),
    ORNAMENT,
    (("[-1]", "[-1]"), "marker on the broken glass track"),
)
"""Signs that only this game draws, in Unicode and in ASCII, with their meaning."""
BACKS = True
"""Strips have backs, which can be drawn."""
CELLS = range(1, SPACES + 3)
"""The indexes of lines with pieces and spaces: strips, and the two lines of windows."""


# -- The table -------------------------------------------------------------------------------


def signs(fold: Fold) -> Sequence[tuple[tuple[str, str], str]]:
    """Return the signs on these palaces: only side A has ornaments."""
    value: SintraSnapshot = fold.rules.snapshot(fold.state)  # type: ignore[assignment]
    return [sign for sign in SIGNS if value.side == "A" or sign is not ORNAMENT]


def table(fold: Fold, style: Style, *, backs: bool = False) -> list[str]:
    """Draw the whole table: round, offer, palaces, and what the player to move may do."""
    from sintra.view.layout import composed

    style = style.of(fold.rules)
    value: SintraSnapshot = fold.rules.snapshot(fold.state)  # type: ignore[assignment]
    title = f"{fold.rules.title}, side {value.side}"
    turn = f"round {value.round} of {ROUNDS}" if value.round else "before the first round"
    head = [
        heading(title, turn, (("bag", value.bag), ("tower", value.tower)), style),
        f"rounds {_indicator(value, style)}",
    ]
    boards = []
    for number, (name, palace) in enumerate(zip(fold.created.players, value.players, strict=True), 1):
        spots = style if value.player == number else replace(style, spots=None)
        old = style.since.players[number - 1] if style.since is not None else palace
        lines = _palace(palace, old, value, spots, backs)
        small = _small(palace, old, value, style, backs)
        boards.append(board_of(name, palace.score, lines, style, value, number, small, CELLS))
    return composed(head, value, boards, closing_lines(fold, value, style), style)


def _indicator(value: SintraSnapshot, style: Style) -> str:
    """Draw the pieces of the rounds still to play, the current one in brackets."""
    cells = []
    done = value.round if value.awaits in ("deal", "game_end", "nothing") else value.round - 1
    for number, (numeral, color) in enumerate(zip(NUMERALS, value.indicator, strict=False), 1):
        if number <= done:
            cells.append(style.faint(f" {numeral} {style.either('–', '-')} "))
            continue
        current = number == done + 1 and value.round
        piece = style.loose(color)
        cells.append(f"[{style.strong(numeral)} {piece}]" if current else f" {numeral} {piece} ")
    return " ".join(cells)


def _palace(
    palace: PalaceSnapshot, old: PalaceSnapshot, value: SintraSnapshot, style: Style, backs: bool
) -> list[str]:
    """Draw one palace: strips with the glazier above one, windows, the points of the side, the track."""
    strips = palace.strips or (None,) * SLOTS
    before = old.strips or strips
    rows = [("strip", [_numbered(slot, palace, style) for slot in range(1, SLOTS + 1)])]
    for row in range(SPACES):
        cells = []
        for slot, strip in enumerate(strips):
            cell = _cell(strip, before[slot], row, style, backs=backs)
            cells.append(_at(strip, slot, row, cell, style))
        rows.append(("back" if backs and row == 0 else "", cells))
    for frame in range(2):
        panes = [
            _pane(window.pieces[frame : frame + 1], len(was.pieces) <= frame, style)
            for window, was in zip(palace.windows, old.windows, strict=True)
        ]
        rows.append(("" if frame else "window", panes))
    rows.append(("points", [_points(window, style) for window in palace.windows]))
    lines = [label.ljust(MARGIN) + " ".join(cells) for label, cells in rows]
    return [*lines, _side(palace, value, style), _track(palace, value, style)]


def _at(strip: StripSnapshot | None, slot: int, row: int, cell: str, style: Style) -> str:
    """Return a cell as a spot, for what pointing at it means: placing, keeping, or returning."""
    piece = strip.pieces[row] if strip is not None else None
    if strip is not None and None not in strip.pieces:
        return style.spot(f"keep {piece}", cell)
    return style.spot(f"place {slot + 1}", cell)


def _numbered(slot: int, palace: PalaceSnapshot, style: Style) -> str:
    """Draw the number above a strip, with the glazier if it stands there."""
    if slot == palace.glazier:
        return style.bright(f"{style.either('▼', 'v')}{slot} ")
    first = next((number for number, strip in enumerate(palace.strips, 1) if strip is not None), 0)
    shown = style.faint(f" {slot} ")
    return style.spot("return", shown) if slot == first else shown


def _cell(
    strip: StripSnapshot | None, old: StripSnapshot | None, row: int, style: Style, *, backs: bool
) -> str:
    """Draw a space of a strip, three columns wide."""
    if strip is None or (backs and not strip.back):
        return "   "
    if backs:
        return style.space(strip.back[row])
    piece = strip.pieces[row]
    return style.space(strip.spaces[row]) if piece is None else style.piece(piece, _is_new(strip, old, row))


def _is_new(strip: StripSnapshot, old: StripSnapshot | None, row: int) -> bool:
    """Return True if the last turn put a piece on a strip."""
    return old is not None and (old.spaces != strip.spaces or old.pieces[row] != strip.pieces[row])


def _pane(held: Sequence[str], new: bool, style: Style) -> str:
    """Draw a frame space of a window, three columns wide."""
    return style.piece(held[0], new) if held else style.faint(style.either(" □ ", "[ ]"))


def _points(window: WindowSnapshot, style: Style) -> str:
    """Draw the points below a window; bright if it is furnished, so that it scores."""
    shown = f"{window.points:>2} "
    return style.strong(shown) if window.pieces else style.faint(shown)


def _side(palace: PalaceSnapshot, value: SintraSnapshot, style: Style) -> str:
    """Draw what the side would score if the game ended now: ornaments, or windows times a color."""
    if value.side == "A":
        full, empty = style.either("◆", "*"), style.either("◇", "*")
        around = [(full if points else empty, pieces, points) for pieces, points in _ornaments(palace)]
        cells = [
            f"{sign}{pieces} {points:+d}" if points else f"{sign}{pieces}" for sign, pieces, points in around
        ]
        return "bonus  " + " ".join(padded(cell, 7) for cell in cells)
    done, counts = _kept_colors(palace, style)
    held = " ".join(style.small_piece(color) + str(count) for color, count in counts.items())
    return f"bonus  {held}  {style.either('×', 'x')} {done} = {done * max(counts.values())}"


def _ornaments(palace: PalaceSnapshot) -> list[tuple[int, int]]:
    """Return the pieces around each ornament, and the points for them."""
    around = [len(window.pieces) for window in palace.windows]
    sums = [left + right for left, right in zip(around[::2], around[1::2], strict=True)]
    return [(pieces, ORNAMENTS[pieces]) for pieces in sums]


def _kept_colors(palace: PalaceSnapshot, style: Style) -> tuple[int, dict[str, int]]:
    """Return the number of complete windows, and how many pieces of each color are in windows."""
    panes = [piece for window in palace.windows for piece in window.pieces]
    done = sum(len(window.pieces) == 2 for window in palace.windows)
    return done, {color: panes.count(color) for color in style.palette.names}


def _track(palace: PalaceSnapshot, value: SintraSnapshot, style: Style) -> str:
    """Draw the broken glass track, the marker in brackets."""
    from sintra.view.layout import BLOCK

    marks = [
        style.strong(f"[{loss}]") if space == palace.marker else style.faint(str(loss))
        for space, loss in enumerate(value.broken)
    ]
    line = "glass " + " ".join(marks)
    if columns(line) > BLOCK - 2:  # a long custom track: only the part near the marker
        near = marks[max(0, palace.marker - 2) : palace.marker + 4]
        line = "glass " + " ".join([style.either("…", ".."), *near])
    return line


def _small(
    palace: PalaceSnapshot, old: PalaceSnapshot, value: SintraSnapshot, style: Style, backs: bool
) -> list[str]:
    """Draw one palace with a column for each strip."""
    strips = palace.strips or (None,) * SLOTS
    before = old.strips or strips
    glazier = style.bright(style.either("▼", "v"))
    lines = [
        "".join(glazier if slot == palace.glazier else style.faint(str(slot)) for slot in range(1, SLOTS + 1))
    ]
    for row in range(SPACES):
        cells = []
        for strip, was in zip(strips, before, strict=True):
            spaces = () if strip is None else strip.back if backs else strip.spaces
            piece = None if strip is None or backs else strip.pieces[row]
            if piece is not None and strip is not None:
                cells.append(style.small_piece(piece, _is_new(strip, was, row)))
            else:
                cells.append(style.small_space(spaces[row]) if spaces else " ")
        lines.append("".join(cells))
    for frame in range(2):
        panes = [window.pieces[frame : frame + 1] for window in palace.windows]
        empty = style.faint(style.either("□", "_"))
        lines.append("".join(style.small_piece(held[0]) if held else empty for held in panes))
    lines.append(style.faint("".join(str(window.points % 10) for window in palace.windows)))
    if value.side == "A":
        side = f"orn. {sum(points for _, points in _ornaments(palace)):+d}"
    else:
        done, counts = _kept_colors(palace, style)
        side = f"color {done * max(counts.values()):+d}"
    return [*lines, side, f"glass {value.broken[palace.marker] if value.broken else 0}"]


def due(state: SintraState, player: int) -> int:
    """Return the points that a player would lose now for broken glass in the final scoring."""
    return int(state.printed.broken[state.palaces[player].marker])


# -- The story -------------------------------------------------------------------------------


def sentence(fold: Fold, event: Event, effects: Sequence[Happening]) -> str:
    """Describe an event in a sentence or two."""
    numbers = summed(effects)
    if isinstance(event, SintraArranged):
        return f"The table is arranged; the rounds show {', '.join(event.indicator)}."
    if not isinstance(event, Choice):
        return common_sentence(fold, event, numbers)
    name = safe(fold.created.players[event.player - 1])
    if isinstance(event, Picked):
        return name + picked_sentence(event, numbers) + _unplaced(numbers) + _lost(numbers)
    if isinstance(event, PlacedOnStrip):
        return name + _placed(numbers)
    if isinstance(event, Kept):
        return name + _kept(event, numbers)
    if isinstance(event, Returned):
        return f"{name}'s glazier walks back to strip {numbers['glazier_moved']['to']}."
    return plain.sentence(fold, event, effects)


def _unplaced(numbers: Numbers) -> str:
    """Describe pieces that no strip takes; the starting tile is a step on the track, too, but not a piece."""
    taken = numbers["took"]["pieces"]
    if numbers.get("broke", {}).get("steps", 0) < taken + ("starting_tile" in numbers):
        return ""
    return f" No strip takes {'it' if taken == 1 else 'them'}: {plural(taken, 'piece')} broken."


def _placed(numbers: Numbers) -> str:
    filled = numbers["filled"]
    text = f" places {plural(filled['pieces'], 'piece')} on strip {filled['strip']}"
    if filled["jokers"]:
        text += f", {plural(filled['jokers'], 'joker')} used"
    if "broke" in numbers:
        text += f"; {plural(numbers['broke']['steps'], 'piece')} broken"
    text += "." + _lost(numbers)
    if "completed" in numbers:
        text += f" The strip is complete: {plural(numbers['bonus']['points'], 'bonus point')}."
    return text


def _kept(event: Kept, numbers: Numbers) -> str:
    furnished = numbers["furnished"]
    done = "is complete" if furnished["pieces"] == 2 else "is furnished"
    gone = "removed" if "removed" in numbers else "flipped"
    points = plural(numbers["scored"]["points"], "point")
    return f" keeps {event.color}: window {furnished['window']} {done}, the strip {gone}. {points}."


def _lost(numbers: Numbers) -> str:
    return f" The track's end: {numbers['lost']['points']} points lost." if "lost" in numbers else ""
