"""Frames, and how much of the table fits: all boards in full, or one in full and the others small."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from sintra.rules.snapshot import Snapshot
from sintra.text import columns, fitted, padded
from sintra.view.style import Style

BLOCK = 40
"""The width of a player's board with its frame, in columns; two fit side by side in 80."""
LARGE = 2 * (BLOCK - 2) + 2
"""The width of a board with large pieces and its frame; two fit side by side in 160."""
SMALL = 13
"""The width of a small board with its frame; three fit beside one in full."""
_THIN, _HEAVY, _ASCII = "╭─╮│╰╯", "┏━┓┃┗┛", "+-+|++"


class Board:
    """A player's board: its heading, and its lines in full and small (none: it is always drawn in full).

    `tile` is the starting tile, if the player has it; `cells` are the indexes of the lines with pieces and
    spaces (none: it is never drawn large).
    """

    def __init__(
        self,
        name: str,
        score: str,
        lines: Sequence[str],
        small: Sequence[str] = (),
        *,
        tile: str = "",
        mover: bool = False,
        cells: Sequence[int] = (),
    ) -> None:
        self.cells = cells
        self.name = name
        self.tile = tile
        self.score = score
        self.lines = lines
        self.small = small
        self.mover = mover

    def drawn(self, style: Style, wide: int) -> list[str]:
        """Return the board in full, in its frame."""
        return framed(self.name, self.score, self.lines, style, wide, sign=self.tile, mover=self.mover)

    def drawn_large(self, style: Style) -> list[str]:
        """Return the board with large pieces, in its frame."""
        from sintra.view.large import enlarged

        lines = enlarged(self.lines, self.cells)
        return framed(self.name, self.score, lines, style, self.large, sign=self.tile, mover=self.mover)

    @property
    def large(self) -> int:
        """The width of the board with large pieces and its frame."""
        return max([LARGE, *(2 * columns(line) + 2 for line in self.lines)])

    def drawn_small(self, style: Style) -> list[str]:
        """Return the small board in its frame."""
        score = self.score.split(" ")[0]
        return framed(self.name, score, self.small, style, SMALL, sign=self.tile, mover=self.mover)


def framed(
    title: str,
    note: str,
    lines: Sequence[str],
    style: Style,
    wide: int,
    *,
    sign: str = "",
    bright: bool = False,
    mover: bool = False,
) -> list[str]:
    """Return lines in a frame, with a title and a sign at its upper left and a note at its upper right.

    A bright frame stands out; for the player to move, it also has an arrow.
    """
    bright = bright or mover
    left, across, right, side, lower_left, lower_right = tuple(
        style.either(_HEAVY if bright else _THIN, _ASCII)
    )
    paint = style.bright if bright else style.faint
    arrow = style.either("▶ ", "> ") if mover else ""
    sign = f" {sign}" if sign else ""
    tight = columns(arrow + title + sign + note) > wide - (6 if note else 4)
    blank = "" if tight else " "  # no room for blanks around a name that is cut short
    note = f" {note}{blank}" if note else ""
    room = wide - 2 - 2 * len(blank) - columns(sign + note)
    title = arrow + fitted(title, room - columns(arrow))
    rule = paint(across * (room - columns(title)))
    top = f"{blank}{style.strong(title) if bright else title}{sign}{blank}{rule}{style.strong(note)}"
    body = [f"{paint(side)}{padded(line, wide - 2)}{paint(side)}" for line in lines]
    bottom = paint(lower_left + across * (wide - 2) + lower_right)
    return [f"{paint(left)}{top}{paint(right)}", *body, bottom]


def beside(blocks: Sequence[Sequence[str]], gap: str = "") -> list[str]:
    """Return blocks side by side; short ones are padded with blanks."""
    high = max(map(len, blocks))
    wide = [max(map(columns, block), default=0) for block in blocks]
    rows = [[*block, *[""] * (high - len(block))] for block in blocks]
    return [
        gap.join(padded(line, room) for line, room in zip(parts, wide, strict=True))
        for parts in zip(*rows, strict=True)
    ]


# -- The offer -------------------------------------------------------------------------------


def offer_lines(value: Snapshot, style: Style, *, boxes: bool = False, large: bool = False) -> list[str]:
    """Return the displays, each with its number and its pieces, then the center; or all of them in boxes.

    In boxes, the pieces of displays may be large.
    """
    piece = len(style.either("●B ", "B "))
    size = max(4, *(sum(counts.values()) for counts in value.displays))
    if boxes:
        return _boxes(value, style, piece * size, large)
    cells = []
    for number, counts in enumerate(value.displays, 1):
        shown = _pieces(counts, str(number), style) or style.faint(style.either(" – ", "- "))
        cells.append(f"{_number(value, number, style)}{padded(shown, piece * size)}")
    abreast = max(1, (style.width - 5) // (piece * size + 3))
    rows = [cells[at : at + abreast] for at in range(0, len(cells), abreast)]
    lines = [f"{'' if number else 'offer':<6}{' '.join(row)}" for number, row in enumerate(rows)]
    return [line.rstrip() for line in [*lines, f"center {_center(value, style)}"]]


def _boxes(value: Snapshot, style: Style, room: int, large: bool) -> list[str]:
    """Return the displays and the center in small frames."""
    wide = room * 2 if large else room
    boxes = []
    for number, counts in enumerate(value.displays, 1):
        shown = _pieces(counts, str(number), style)
        heading = style.either("‹", "<") if _emptied(value, number, style) else ""
        lines = [shown]
        if large:
            from sintra.view.large import enlarged

            lines = enlarged(lines, (0,))
        boxes.append(framed(f"{number}{heading}", "", lines, style, wide + 2))
    center = _center(value, style)
    lines = [center, ""] if large else [center]
    boxes.append(framed("center", "", lines, style, max(room, columns(center)) + 2))
    lines = []
    row: list[list[str]] = []
    for box in boxes:
        if row and sum(columns(there[0]) + 1 for there in row) + columns(box[0]) > style.width:
            lines += beside(row, " ")
            row = []
        row.append(box)
    return lines + beside(row, " ")


def _number(value: Snapshot, number: int, style: Style) -> str:
    """Return the number of a display, marked if it was the last one picked from."""
    mark = style.either("‹", "<") if _emptied(value, number, style) else " "
    return style.strong(str(number)) + mark


def _emptied(value: Snapshot, number: int, style: Style) -> bool:
    """Return True if the last turn emptied a display."""
    before = style.since
    there = before is not None and before.round == value.round and bool(before.displays[number - 1])
    return there and not value.displays[number - 1]


def _pieces(counts: Mapping[str, int], source: str, style: Style) -> str:
    """Return the pieces of a display; those of one color are the spot of that pick."""
    return "".join(
        style.spot(f"pick {source} {color}", (style.loose(color) + style.either("", " ")) * count)
        for color, count in counts.items()
    )


def _center(value: Snapshot, style: Style) -> str:
    parts = [f"{starting_tile(style)} starting tile"] if value.starting_tile else []
    parts += [
        style.spot(f"pick center {color}", f"{count} {style.loose(color)}")
        for color, count in value.center.items()
    ]
    return "   ".join(parts) or style.faint("empty")


def starting_tile(style: Style) -> str:
    """Return the starting tile."""
    return style.strong(style.either("①", "(1)"))


# -- What fits -------------------------------------------------------------------------------


def composed(
    head: Sequence[str],
    value: Snapshot,
    boards: Sequence[Board],
    closing: Sequence[str],
    style: Style,
) -> list[str]:
    """Return the whole table in the roomiest layout that fits the screen's height, or the most compact."""
    found: list[str] = []
    for arrange in _ways(boards, style):
        found = [*head, *arrange(value, boards, style), *closing]
        if style.height is None or len(found) <= style.height:
            break
    return [line.rstrip() for line in found]


Way = Callable[[Snapshot, Sequence[Board], Style], list[str]]
"""A layout of the offer and the boards."""


def _ways(boards: Sequence[Board], style: Style) -> list[Way]:
    """Return the layouts of a table, the roomiest first."""
    if style.aside:
        return [_alone]
    large = style.height is not None and style.color and style.unicode
    if large and all(board.cells and board.large <= style.width for board in boards):
        return [_huge, _large, *_ways(boards, replace(style, height=None))]
    ways: list[Way] = [_airy, _full, _dense] if style.unicode else [_full, _dense]
    if len(boards) > 1 and all(board.small for board in boards):
        ways.append(_compact)
    return ways


def _huge(value: Snapshot, boards: Sequence[Board], style: Style) -> list[str]:
    return [*offer_lines(value, style, boxes=True, large=True), *_large_boards(boards, style), ""]


def _large(value: Snapshot, boards: Sequence[Board], style: Style) -> list[str]:
    return [*offer_lines(value, style, boxes=True), *_large_boards(boards, style), ""]


def _large_boards(boards: Sequence[Board], style: Style) -> list[str]:
    abreast = max(1, style.width // max(board.large for board in boards))
    return _in_rows([board.drawn_large(style) for board in boards], abreast)


def _airy(value: Snapshot, boards: Sequence[Board], style: Style) -> list[str]:
    return [*offer_lines(value, style, boxes=True), *_abreast(boards, style), ""]


def _full(value: Snapshot, boards: Sequence[Board], style: Style) -> list[str]:
    return ["", *offer_lines(value, style), "", *_abreast(boards, style), ""]


def _dense(value: Snapshot, boards: Sequence[Board], style: Style) -> list[str]:
    return [*offer_lines(value, style), *_abreast(boards, style)]


def _compact(value: Snapshot, boards: Sequence[Board], style: Style) -> list[str]:
    """Draw one board in full, and the others small beside it."""
    viewer = _viewer(value, style)
    order = [(viewer + at) % len(boards) for at in range(1, len(boards))]
    small = [boards[seat].drawn_small(style) for seat in order]
    return [*offer_lines(value, style), *beside([boards[viewer].drawn(style, BLOCK), *small])]


def _alone(value: Snapshot, boards: Sequence[Board], style: Style) -> list[str]:
    """Draw one board, with other lines in place of the rest."""
    board = boards[_viewer(value, style)].drawn(style, BLOCK)
    return [*offer_lines(value, style), *beside([board, style.aside], " ")]


def _viewer(value: Snapshot, style: Style) -> int:
    """Return the index of the board that is drawn in full."""
    return (style.viewer or value.player or 1) - 1


def _abreast(boards: Sequence[Board], style: Style) -> list[str]:
    """Return all boards in full, as many side by side as fit."""
    wide = max([BLOCK, *(columns(line) + 2 for board in boards for line in board.lines)])
    drawn = [board.drawn(style, wide) for board in boards]
    return _in_rows(drawn, max(1, style.width // wide))


def _in_rows(drawn: Sequence[Sequence[str]], abreast: int) -> list[str]:
    return [line for at in range(0, len(drawn), abreast) for line in beside(drawn[at : at + abreast])]
