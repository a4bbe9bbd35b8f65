"""Stained Glass of Sintra on the screen."""

from __future__ import annotations

from collections.abc import Sequence

from sintra.fold import Fold
from sintra.games.sintra.boards import ROUNDS, SLOTS, SPACES
from sintra.games.sintra.events import Kept, PlacedOnStrip, Returned, SintraArranged
from sintra.games.sintra.snapshot import PalaceSnapshot, SintraSnapshot, StripSnapshot
from sintra.log.events import Choice, Event, Picked
from sintra.rules.effects import Happening
from sintra.text import columns, plural, safe
from sintra.view import plain
from sintra.view.common import (
    BLOCK,
    Numbers,
    board_heading,
    closing_lines,
    common_sentence,
    heading,
    holder,
    offer_lines,
    picked_sentence,
    side_by_side,
    summed,
)
from sintra.view.style import Style

NUMERALS = ("I", "II", "III", "IV", "V", "VI")
MARGIN = 6


# -- The table -------------------------------------------------------------------------------


def table(fold: Fold, style: Style, *, backs: bool = False) -> list[str]:
    """Draw the whole table: round, offer, palaces, and what the player to move may do."""
    style = style.of(fold.rules)
    value: SintraSnapshot = fold.rules.snapshot(fold.state)  # type: ignore[assignment]
    title = f"{fold.rules.title}, side {value.side}"
    turn = f"round {value.round} of {ROUNDS}" if value.round else "before the first round"
    lines = [
        heading(title, turn, (("bag", value.bag), ("tower", value.tower)), style),
        f"rounds {_indicator(value, style)}",
        "",
        *offer_lines(value, style),
        "",
    ]
    names = [style.name(name) for name in fold.created.players]
    palaces = [
        [
            board_heading(name, palace.score, value.player == number, style, starts=holder(value) == number),
            *_palace(palace, value, style, backs),
        ]
        for number, (name, palace) in enumerate(zip(names, value.players, strict=True), 1)
    ]
    lines += side_by_side(palaces, style)
    lines += closing_lines(fold, value, style)
    return [line.rstrip() for line in lines]


def _indicator(value: SintraSnapshot, style: Style) -> str:
    """Draw the pieces of the rounds still to play, the current one in brackets."""
    cells = []
    done = value.round if value.awaits in ("deal", "game_end", "nothing") else value.round - 1
    for number, (numeral, color) in enumerate(zip(NUMERALS, value.indicator, strict=False), 1):
        if number <= done:
            cells.append(style.faint(f" {numeral} {style.either('–', '-')} "))
        elif number == done + 1 and value.round:
            cells.append(f"[{style.strong(numeral)} {style.piece(color)}]")
        else:
            cells.append(f" {numeral} {style.piece(color)} ")
    return " ".join(cells)


def _palace(palace: PalaceSnapshot, value: SintraSnapshot, style: Style, backs: bool) -> list[str]:
    """Draw one palace: strips over windows, the glazier above, the track below."""
    slots = range(1, SLOTS + 1)
    strips = palace.strips or (None,) * SLOTS
    marker = style.either(" ▼ ", " v ")
    rows = [
        ("strip", [f"{slot:>3}" for slot in slots]),
        ("", [marker if slot == palace.glazier else "   " for slot in slots]),
    ]
    for row in range(SPACES):
        label = "back" if backs and row == 0 else ""
        rows.append((label, [_cell(strip, row, style, backs=backs) for strip in strips]))
    for frame in range(2):
        panes = [_pane(window.pieces[frame : frame + 1], style) for window in palace.windows]
        rows.append(("" if frame else "window", panes))
    rows.append(("points", [f"{window.points:>3}" for window in palace.windows]))
    margin = MARGIN if style.unicode else MARGIN + 1  # a bracket would touch the label
    lines = [label.ljust(margin) + " ".join(cells) for label, cells in rows]
    return [*lines, _track(palace, value, style)]


def _cell(strip: StripSnapshot | None, row: int, style: Style, *, backs: bool) -> str:
    """Draw a space of a strip, three columns wide."""
    if strip is None or (backs and not strip.back):
        return "   "
    piece = None if backs else strip.pieces[row]
    space = (strip.back if backs else strip.spaces)[row]
    return " " + style.space(space) if piece is None else _piece(piece, style)


def _pane(held: Sequence[str], style: Style) -> str:
    """Draw a frame space of a window, three columns wide."""
    return _piece(held[0], style) if held else style.faint(style.either(" □ ", "[ ]"))


def _piece(color: str, style: Style) -> str:
    """Draw a piece on a board, three columns wide."""
    return style.either(" ", "[") + style.piece(color) + style.either("", "]")


def _track(palace: PalaceSnapshot, value: SintraSnapshot, style: Style) -> str:
    """Draw the broken glass track, the marker in brackets."""
    marks = [
        style.strong(f"[{loss}]") if space == palace.marker else style.faint(str(loss))
        for space, loss in enumerate(value.broken)
    ]
    line = "glass " + " ".join(marks)
    if columns(line) > BLOCK:  # a long custom track: only what is near the marker
        near = marks[max(0, palace.marker - 2) : palace.marker + 4]
        line = "glass " + " ".join([style.either("…", ".."), *near])
    return line


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
