"""Pages: full screens as lines of text, and the parts that all pages share."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from sintra.fold import Fold
from sintra.text import columns, fitted, padded, wrapped
from sintra.view.layout import BLOCK, beside, framed
from sintra.view.style import Style

SMALLEST = (80, 24)
"""The columns and lines that a screen must have for a game to fit."""
MIN_SIDE = 36
"""The minimum width of the panel beside the table, in columns."""
TOLD = 2
"""Number of lines left below the table for what has just happened, unless that is beside it."""
LISTED = "="
"""The prefix of spots in the list of choices, which stand for a single step."""

Lines = list[str]
Filler = Callable[[int, int], Lines]
"""Returns lines of at most this many columns, and at most this many of them."""


class Page(Struct):
    """Lines for the whole screen, the spots in them, and which of these are lit or under the cursor."""

    lines: Lines
    spots: list[str]
    lit: tuple[str, ...] = ()
    cursor: str = ""


def table_width(width: int) -> int:
    """Return the width of the table on a screen: whole boards, if the rest is enough for a side panel."""
    boards = max(2, (width - MIN_SIDE) // BLOCK)
    wide = boards * BLOCK
    return wide if width - wide >= MIN_SIDE else width


def composed(
    size: tuple[int, int], table: Callable[[int, int], Lines], beside_it: Filler, below: Filler, foot: Lines
) -> Lines:
    """Return the lines of a page: the table with something beside or below it, and the foot."""
    width, height = size
    room = max(0, height - len(foot))
    wide = table_width(width)
    lines = table(max(wide, SMALLEST[0]), room if wide < width else room - TOLD)[:room]
    lines += below(wide, room - len(lines))
    if wide < width:
        lines = beside([[padded(line, wide) for line in lines] or [""], beside_it(width - wide, room)])
    return [*lines[:room], *[""] * (room - len(lines)), *foot][-height:]


def overlaid(
    lines: Sequence[str], title: str, notice: Sequence[str], size: tuple[int, int], look: Style
) -> Lines:
    """Return lines with a notice in a frame on top of them, in the middle."""
    width, height = size
    wide = min(width, max([columns(title) + 8, *(columns(line) + 4 for line in notice)]))
    room = max(1, height - 4)
    shown = list(notice) if len(notice) <= room else [*notice[: room - 1], look.faint("...")]
    box = framed(title, "", [f" {line}" for line in ["", *shown, ""]], look, wide, bright=True)[:height]
    top = (height - len(box)) // 2
    margin = " " * ((width - wide) // 2)
    middle = [margin + line for line in box]
    return [*lines[:top], *middle, *lines[top + len(middle) :]]


def last_lines(texts: Sequence[str], width: int, room: int, look: Style) -> Lines:
    """Return as many of the last texts as fit, each with a bullet; the very last may be cut."""
    found: Lines = []
    for text in reversed(texts):
        first, *more = wrapped(look.name(text).split(" "), width - 3) or [""]
        item = [f"{look.either('•', '-')} {first}", *(f"  {line}" for line in more)]
        if len(item) + len(found) > room:
            if not found and room > 0:
                etc = look.either("…", "...")
                found = [*item[: room - 1], f"{fitted(item[room - 1], width - 1 - columns(etc))} {etc}"]
            break
        found = [*item, *found]
    return found


def buttons(items: Sequence[tuple[str, str, str]], width: int, look: Style) -> str:
    """Return a line of buttons: the key, what it does, and its spot; as many as fit."""
    parts = [
        look.spot(spot, f"{look.strong(key)}{look.faint(f' {text}') + ' ' if text else ''}")
        for key, text, spot in items
    ]
    return (wrapped(parts, width - 2, gap=" ") or [""])[0]


def side_panel(
    rows: Sequence[tuple[str, int, str]], story: Sequence[str], width: int, room: int, look: Style
) -> Lines:
    """Return the panel beside the table: the scores, and the story so far."""
    scores = scores_box(rows, width, look)
    told = last_lines(story, width - 2, room - len(scores) - 2, look)
    return [*scores, *framed("story", "", told, look, width)]


def points_lines(fold: Fold, look: Style) -> Lines:
    """Return the sources of everybody's points so far."""
    found = []
    for name, score, parts in zip(
        fold.created.players, fold.state.scores(), fold.state.breakdown(), strict=True
    ):
        gains = ", ".join(f"{source} {points:+d}" for source, points in parts.items() if points)
        found.append(f" {padded(fitted(look.name(name), 16), 16)} {score:>4}   {look.faint(gains)}")
    return found


def stacked(boxes: Sequence[Lines], room: int) -> Lines:
    """Return boxes below each other, as many of the first ones as fit."""
    lines: Lines = []
    for box in boxes:
        if len(lines) + len(box) <= room:
            lines += box
    return lines


def scores_box(rows: Sequence[tuple[str, int, str]], width: int, look: Style) -> Lines:
    """Return a box with the players, their points as bars, and who plays for them."""
    most = max([1, *(points for _, points, _ in rows)])
    room = max(4, width - 30)
    lines = []
    for name, points, who in rows:
        bar = look.either("█", "#") * max(0, round(points / most * room))
        label = fitted(f"{name}{f' ({who})' if who else ''}", 20)
        lines.append(f" {padded(label, 20)} {points:>4} {look.faint(bar)}")
    return framed("scores", "", lines, look, width)
