"""Stained Glass of Sintra on the screen."""

from __future__ import annotations

from collections.abc import Sequence

from sintra.components.sintra import ROUNDS, SLOTS, SPACES
from sintra.events import Choice, Dealt, Event, Kept, Picked, PlacedOnStrip, SintraArranged
from sintra.game import Fold
from sintra.rules import CHOICE
from sintra.rules.sintra import PalaceValue, SintraTable, StripValue
from sintra.view import Happening, Style, plural, safe
from sintra.view.common import (
    center_line,
    choice_lines,
    common_sentence,
    display_lines,
    pieces,
    result_lines,
)

NUMERALS = ("I", "II", "III", "IV", "V", "VI")
CELL = 4
MARGIN = 6
BLOCK = MARGIN + SLOTS * CELL
"""The columns of one player's palace; two stand side by side in 80."""


# -- The table -------------------------------------------------------------------------------


def table(fold: Fold, style: Style, *, backs: bool = False) -> list[str]:
    """The whole table: round, offer, palaces, and what the player to move may do."""
    return [line.rstrip() for line in _table(fold, style, backs)]


def _table(fold: Fold, style: Style, backs: bool) -> list[str]:
    value: SintraTable = fold.state.value()  # type: ignore[assignment]
    title = f"{fold.rules.title}, side {value.side}"
    stock = f"bag {sum(value.bag.values())}   tower {sum(value.tower.values())}"
    turn = f"round {value.round} of {ROUNDS}" if value.round else "before the first round"
    lines = [
        f"{style.strong(title)}   {turn}{' ' * max(3, style.width - len(title + turn + stock) - 3)}{stock}",
        f"rounds {_indicator(value, style)}",
        "",
    ]
    lines += [
        f"{'offer' if at == 0 else '':<7}{line}"
        for at, line in enumerate(display_lines(value.displays, style))
    ]
    lines += [f"center {center_line(value.center, value.starting_tile, style)}", ""]
    names = [safe(name) for name in fold.created.players]
    blocks = [
        _palace(name, palace, value, style, mover=value.player == number, backs=backs)
        for number, (name, palace) in enumerate(zip(names, value.players, strict=True), 1)
    ]
    abreast = max(1, (style.width + 3) // (BLOCK + 3))
    for at in range(0, len(blocks), abreast):
        lines += ["   ".join(row) for row in zip(*blocks[at : at + abreast], strict=True)]
        lines.append("")
    if value.hand:
        lines.append(f"hand   {'  '.join(f'{n} {style.piece(c)}' for c, n in value.hand.items())}")
    if fold.state.phase >= CHOICE:
        return lines + choice_lines(fold, style)
    if value.awaits == "nothing":
        return lines + result_lines(fold, style)
    return [*lines, fold.awaits()[0].upper() + fold.awaits()[1:] + "."]


def _indicator(value: SintraTable, style: Style) -> str:
    """The pieces of the rounds still to play, the current one in brackets."""
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


def _palace(
    name: str, palace: PalaceValue, value: SintraTable, style: Style, *, mover: bool, backs: bool
) -> list[str]:
    """One player's palace: strips over windows, the glazier above, the track below."""
    arrow = style.either("▶ ", "> ") if mover else "  "
    points = plural(palace.score, "point")
    shown = name if len(name) <= BLOCK - 4 - len(points) else name[: BLOCK - 5 - len(points)] + "~"
    gap = " " * (BLOCK - 2 - len(shown) - len(points))
    heading = style.strong(shown) if mover else shown
    lines = [f"{arrow}{heading}{gap}{points}"]
    lines.append("strip " + "".join(f"{slot:>3} " for slot in range(1, SLOTS + 1)))
    glazier = [
        style.either(" ▼ ", " v ") if slot == palace.glazier else "   " for slot in range(1, SLOTS + 1)
    ]
    lines.append(" " * MARGIN + " ".join(glazier) + " ")
    for row in range(SPACES):
        cells = [_cell(strip, row, style, backs=backs) for strip in palace.strips or [None] * SLOTS]
        lines.append(("back" if backs and row == 0 else "").ljust(MARGIN) + " ".join(cells) + " ")
    for frame in range(2):
        cells = [_pane(window.pieces[frame : frame + 1], style) for window in palace.windows]
        lines.append(("window" if frame == 0 else "").ljust(MARGIN) + " ".join(cells) + " ")
    lines.append("points" + "".join(f"{window.points:>3} " for window in palace.windows))
    lines.append(_track(palace, value, style))
    return [_padded(line, BLOCK) for line in lines]


def _cell(strip: StripValue | None, row: int, style: Style, *, backs: bool) -> str:
    """A space of a strip, three columns wide."""
    if strip is None or (backs and not strip.back):
        return "   "
    piece = None if backs else strip.pieces[row]
    space = (strip.back if backs else strip.spaces)[row]
    return " " + style.space(space) if piece is None else _piece(piece, style)


def _pane(held: Sequence[str], style: Style) -> str:
    """A frame space of a window, three columns wide."""
    return _piece(held[0], style) if held else style.faint(style.either(" □ ", "[ ]"))


def _piece(color: str, style: Style) -> str:
    """A piece on a board, three columns wide."""
    return style.either(" ", "[") + style.piece(color) + style.either("", "]")


def _track(palace: PalaceValue, value: SintraTable, style: Style) -> str:
    """The broken glass track, the marker in brackets."""
    marks = [
        style.strong(f"[{loss}]") if space == palace.marker else style.faint(str(loss))
        for space, loss in enumerate(value.broken)
    ]
    return "glass " + " ".join(marks)


def _padded(line: str, width: int) -> str:
    """A line filled up with blanks to so many columns, whatever its colors."""
    visible = 0
    hidden = False
    for ch in line:
        if ch == "\x1b":
            hidden = True
        elif not hidden:
            visible += 1
        elif ch == "m":
            hidden = False
    return line + " " * (width - visible)


# -- The story -------------------------------------------------------------------------------


def sentence(fold: Fold, event: Event, effects: Sequence[Happening]) -> str:
    """What an event was, in a sentence or two."""
    numbers = _summed(effects)
    if isinstance(event, Dealt) and "refilled" in numbers:
        after = numbers["refilled"]["after"]
        return f"{common_sentence(fold, event)} The bag was refilled after {plural(after, 'piece')}."
    if isinstance(event, SintraArranged):
        return f"The table is arranged; the rounds show {', '.join(event.indicator)}."
    if not isinstance(event, Choice):
        return common_sentence(fold, event)
    name = safe(fold.created.players[event.player - 1])
    if isinstance(event, Picked):
        return name + _picked(event, numbers)
    if isinstance(event, PlacedOnStrip):
        return name + _placed(numbers)
    if isinstance(event, Kept):
        return name + _kept(event, numbers)
    return f"{name}'s glazier walks back to strip {numbers['glazier_moved']['to']}."


def _summed(effects: Sequence[Happening]) -> dict[str, dict[str, int]]:
    """What happened, by name; what happened more than once in a step is added up."""
    total: dict[str, dict[str, int]] = {}
    for happening in effects:
        before = total.get(happening.name, {})
        total[happening.name] = {key: n + before.get(key, 0) for key, n in happening.numbers.items()}
    return total


def _picked(event: Picked, numbers: dict[str, dict[str, int]]) -> str:
    taken = numbers["took"]["pieces"]
    source = f"display {event.source}" if event.source else "the center"
    text = f" picks {pieces({event.color: taken})} from {source}"
    if "starting_tile" in numbers:
        text += ", with the starting tile"
    moved = numbers.get("centered", {}).get("pieces", 0)
    text += f"; {plural(moved, 'piece')} to the center." if moved else "."
    if numbers.get("broke", {}).get("steps", 0) >= taken + ("starting_tile" in numbers):
        text += f" No strip takes {'it' if taken == 1 else 'them'}: {plural(taken, 'piece')} broken."
    return text + _lost(numbers)


def _placed(numbers: dict[str, dict[str, int]]) -> str:
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


def _kept(event: Kept, numbers: dict[str, dict[str, int]]) -> str:
    furnished = numbers["furnished"]
    done = "is complete" if furnished["pieces"] == 2 else "is furnished"
    gone = "removed" if "removed" in numbers else "flipped"
    points = plural(numbers["scored"]["points"], "point")
    return f" keeps {event.color}: window {furnished['window']} {done}, the strip {gone}. {points}."


def _lost(numbers: dict[str, dict[str, int]]) -> str:
    return f" The track's end: {numbers['lost']['points']} points lost." if "lost" in numbers else ""
