"""Scenes: a table as a picture describes it, whatever shows it.

A scene has **panels**, one for the offer and one for each player. A panel is a skeleton that stays the same
throughout a game: its printed art, and named places. A *slot* holds at most one thing, a *text* some words, a
*zone* is an area that a person can point at. Only the things in the slots and the words of the texts change:
so a step is the difference between two scenes, and a picture, a replay and a game in a browser all show the
same.

Names are paths. A slot belongs to the zone whose name it begins with: `display/3/1` lies in `display/3`.
Things are named by their symbol: a color is a piece of it, `blue space` an empty space printed with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from math import ceil, cos, pi, sin, sqrt

from msgspec import Struct

from sintra.fold import Fold
from sintra.rules.colors import Palette
from sintra.rules.snapshot import Snapshot
from sintra.rules.state import ARRANGE, CHOICE, DEAL, GAME_END, ROUND_END
from sintra.text import fitted, safe
from sintra.view.common import outcome

WIDTH = 480
"""The width of a panel; all have the same, so that they can be stacked."""
PIECE = 30
"""The size of a piece, where there is room."""

TILE, TURN = "starting tile", "turn"
"""Things that every game has besides pieces: the starting tile, and the mark of the player to move."""


class Slot(Struct, frozen=True):
    """A place for one thing: the corner and the size of a square."""

    x: float
    y: float
    size: float


class Zone(Struct, frozen=True):
    """An area that people can point at, with its name in words."""

    label: str
    x: float
    y: float
    width: float
    height: float
    round: float = 8
    """The radius of its corners."""


class Text(Struct, frozen=True):
    """A place for words: the point, the style (see `svg.STYLE`), and which end of the words is there."""

    x: float
    y: float
    style: str = "small"
    anchor: str = "middle"


class Panel(Struct, frozen=True):
    """A part of the table that is drawn as a unit: what is printed, and where things may lie."""

    name: str
    label: str
    height: float
    art: str
    slots: dict[str, Slot]
    zones: dict[str, Zone]
    texts: dict[str, Text]


class Scene(Struct, frozen=True):
    """A table at one moment: panels, the offer first, with their things and texts."""

    panels: tuple[Panel, ...]
    things: dict[str, str]
    """The thing in each occupied slot."""
    texts: dict[str, str]
    palette: Palette

    def pieces(self) -> dict[str, int]:
        """Return how many pieces of each color the scene shows, including those in bag and tower."""
        found = dict.fromkeys(self.palette.names, 0)
        for thing in self.things.values():
            if thing in found:
                found[thing] += 1
        for name, words in self.texts.items():
            stock, _, color = name.partition("/")
            if stock in STOCKS and color in found:
                found[color] += int(words)
        return found

    def described(self, panel: Panel) -> str:
        """Describe what lies on a panel, zone by zone, for people who can't see it."""
        found: dict[str, dict[str, int]] = {}
        for name in panel.slots:
            thing = self.things.get(name, "")
            zone = name if name in panel.zones else name.rpartition("/")[0]
            if zone in panel.zones and thing in self.palette.names:
                counts = found.setdefault(panel.zones[zone].label, {})
                counts[thing] = counts.get(thing, 0) + 1
        held = [
            f"{zone}: {', '.join(f'{n} {c}' for c, n in counts.items())}" for zone, counts in found.items()
        ]
        return "; ".join([panel.label, *held])


class Answer(Struct, frozen=True):
    """An answer to a question about a real table that people can click instead of typing it."""

    word: str
    """What one would type."""
    shows: tuple[str, ...]
    """The things that show it."""
    back: tuple[str, ...] = ()
    """The things on its other side."""
    part: int | None = None
    """The number of a part of the box, which can be used only once in an answer."""


STOCKS = ("bag", "tower")
"""The names of texts that count hidden pieces: `bag/blue`."""


class Changes(Struct, frozen=True):
    """The step from one scene to another: what is new in slots (empty for nothing) and in texts."""

    things: dict[str, str]
    texts: dict[str, str]


def changes(before: Scene | None, after: Scene) -> Changes:
    """Return what has changed from one scene to the next; without the first, everything."""
    if before is None:
        return Changes(after.things, after.texts)
    return Changes(_changed(before.things, after.things), _changed(before.texts, after.texts))


def _changed(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    new = {name: thing for name, thing in after.items() if before.get(name) != thing}
    return new | {name: "" for name in before if name not in after}


# -- Making panels ---------------------------------------------------------------------------


class Sheet:
    """A panel in the making."""

    def __init__(self, name: str, label: str, height: float) -> None:
        self.name, self.label, self.height = name, label, height
        self.art: list[str] = []
        self.slots: dict[str, Slot] = {}
        self.zones: dict[str, Zone] = {}
        self.texts: dict[str, Text] = {}

    def done(self) -> Panel:
        """Return the panel."""
        art = "".join(self.art)
        return Panel(self.name, self.label, self.height, art, self.slots, self.zones, self.texts)

    def slot(self, name: str, x: float, y: float, size: float = PIECE) -> None:
        """Add a slot by the middle of its square."""
        self.slots[name] = Slot(round(x - size / 2, 1), round(y - size / 2, 1), size)

    def zone(self, name: str, label: str, box: tuple[float, float, float, float], round: float = 8) -> None:
        """Add a zone: its corner, width and height."""
        self.zones[name] = Zone(label, *box, round)

    def text(self, name: str, x: float, y: float, style: str = "small", anchor: str = "middle") -> None:
        """Add a place for words."""
        self.texts[name] = Text(x, y, style, anchor)

    def words(self, x: float, y: float, words: str, style: str = "small", anchor: str = "middle") -> None:
        """Print fixed words."""
        self.art.append(
            f'<text class="{style}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(words)}</text>'
        )

    def box(
        self, x: float, y: float, width: float, height: float, style: str = "tray", round: float = 8
    ) -> None:
        """Print a box."""
        self.art.append(
            f'<rect class="{style}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
            f'rx="{round:g}"/>'
        )

    def disc(self, x: float, y: float, radius: float, style: str = "tray") -> None:
        """Print a disc."""
        self.art.append(f'<circle class="{style}" cx="{x:g}" cy="{y:g}" r="{radius:g}"/>')


def player_sheet(number: int, name: str, height: float) -> Sheet:
    """Return a new sheet for a player's panel: the name, the score, and the mark of the player to move."""
    sheet = Sheet(f"player/{number}", safe(name), height)
    sheet.slot(f"{number}/turn", 27, 26, 18)
    sheet.slot(f"{number}/tile", WIDTH - 110, 26, 24)
    sheet.text(f"{number}/name", 44, 33, "name", "start")
    sheet.text(f"{number}/score", WIDTH - 22, 34, "score", "end")
    return sheet


# -- The offer -------------------------------------------------------------------------------

MIDDLE, RING, PLATE = 240, 180, 47
"""The middle of the ring of displays, its radius, and that of a display."""


class Offer(Struct, frozen=True):
    """The values that the skeleton of an offer depends on."""

    title: str
    displays: int
    size: int
    """Pieces on a display."""
    colors: tuple[str, ...]
    stocks: tuple[str, ...]
    """The names of bag and tower."""
    hand: int
    """Maximum number of pieces in hand."""
    rounds: tuple[str, ...] = ()
    """The labels of a round indicator, if there is one."""


def offer_panel(offer: Offer) -> Panel:
    """Return the panel of the offer: displays in a ring around the center, the hand, bag and tower."""
    top = 128 if offer.rounds else 64
    sheet = Sheet("offer", offer.title, top + 632)
    sheet.words(24, 36, offer.title, "title", "start")
    sheet.text("round", WIDTH - 22, 36, "name", "end")
    if offer.rounds:
        _indicator(sheet, offer.rounds)
    _ring(sheet, offer, top + MIDDLE - 6)
    _hand(sheet, offer, top + 492)
    for number, stock in enumerate(offer.stocks):
        _stock(sheet, offer, number, stock, top + 538 + 34 * number)
    sheet.text("status", MIDDLE, top + 616, "status")
    return sheet.done()


def _indicator(sheet: Sheet, rounds: Sequence[str]) -> None:
    step = (WIDTH - 48) / len(rounds)
    sheet.box(24, 56, WIDTH - 48, 60)
    sheet.zone("rounds", "round indicator", (24, 56, WIDTH - 48, 60))
    for number, label in enumerate(rounds, 1):
        x = 24 + step * (number - 0.5)
        sheet.slot(f"now/{number}", x, 86, 56)
        sheet.words(x - 16, 90, label, "small")
        sheet.slot(f"rounds/{number}", x + 9, 86, 28)


def _ring(sheet: Sheet, offer: Offer, y: float) -> None:
    """Print the displays and the center with their slots."""
    for number in range(1, offer.displays + 1):
        turn = 2 * pi * (number - 1) / offer.displays - pi / 2
        at = (MIDDLE + RING * cos(turn), y + RING * sin(turn))
        name = f"display/{number}"
        sheet.disc(*at, PLATE, "plate")
        sheet.zone(name, f"display {number}", (at[0] - PLATE, at[1] - PLATE, 2 * PLATE, 2 * PLATE), PLATE)
        for place, (dx, dy, size) in enumerate(_squared(offer.size), 1):
            sheet.slot(f"{name}/{place}", at[0] + dx, at[1] + dy, size)
        out = RING - PLATE - 9
        sheet.words(round(MIDDLE + out * cos(turn), 1), round(y + out * sin(turn) + 4, 1), str(number))
    inner = RING - PLATE - 20
    sheet.disc(MIDDLE, y, inner, "tray")
    sheet.zone("center", "center", (MIDDLE - inner, y - inner, 2 * inner, 2 * inner), inner)
    sheet.slot("center/tile", MIDDLE, y - inner + 19, 26)
    many = offer.displays * (offer.size - 1)
    for place, (dx, dy, size) in enumerate(within_disc(inner - 8, many), 1):
        sheet.slot(f"center/{place}", MIDDLE + dx, y + dy + 6, size)


def _squared(count: int) -> Iterator[tuple[float, float, float]]:
    """Yield places in a square that fits onto a display: x and y from its middle, and the size."""
    side = max(2, ceil(sqrt(count)))
    pitch = 66 / side
    for place in range(count):
        row, column = divmod(place, side)
        yield (column - (side - 1) / 2) * pitch, (row - (side - 1) / 2) * pitch, round(pitch * 0.92)


def within_disc(radius: float, count: int) -> list[tuple[float, float, float]]:
    """Return places in a disc, the middle row first: x and y from its middle, and the size."""
    pitch = 34.0
    while True:
        found: list[tuple[float, float, float]] = []
        rows = int(2 * radius // pitch)
        for row in sorted(range(rows), key=lambda row: (abs(row - (rows - 1) / 2), row)):
            y = (row - (rows - 1) / 2) * pitch
            half = sqrt(max(0.0, radius**2 - (abs(y) + pitch / 2) ** 2))
            columns = int(2 * half // pitch)
            found += [((c - (columns - 1) / 2) * pitch, y, round(pitch * 0.9)) for c in range(columns)]
        if len(found) >= count:
            return found[:count]
        pitch -= 1


def _hand(sheet: Sheet, offer: Offer, y: float) -> None:
    sheet.words(24, y + 5, "hand", "small", "start")
    sheet.zone("hand", "hand", (70, y - 20, WIDTH - 94, 40))
    for place in range(offer.hand):  # the second ten, which are very rare, lie on the first
        sheet.slot(f"hand/{place + 1}", 90 + 34 * (place % 10) + 17 * (place // 10), y)


def _stock(sheet: Sheet, offer: Offer, number: int, stock: str, y: float) -> None:
    sheet.words(24, y + 5, stock, "small", "start")
    sheet.text(f"{STOCKS[number]}", 97, y + 5, "small", "end")
    step = (WIDTH - 122) / len(offer.colors)
    for at, color in enumerate(offer.colors):
        x = 116 + step * at
        sheet.slot(f"{STOCKS[number]} mark/{color}", x, y, 18)
        sheet.text(f"{STOCKS[number]}/{color}", x + 14, y + 5, "small", "start")


# -- What lies on the offer ------------------------------------------------------------------


def lying(name: str, counts: Mapping[str, int], room: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield slots and pieces for a pile, color by color; the slots are numbered from 1."""
    place = 0
    for color, count in counts.items():
        for _ in range(count):
            place += 1
            assert f"{name}/{place}" in room, f"no room for another piece: {name}"
            yield f"{name}/{place}", color


def offer_things(
    panel: Panel, value: Snapshot, stocks: Iterable[Mapping[str, int]]
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the things on the offer, and the texts that count hidden pieces."""
    things: dict[str, str] = {}
    texts: dict[str, str] = {}
    for number, counts in enumerate(value.displays, 1):
        things.update(lying(f"display/{number}", counts, panel.slots))
    things.update(lying("center", value.center, panel.slots))
    things.update(lying("hand", value.hand, panel.slots))
    if value.starting_tile:
        things["center/tile"] = TILE
    for name, held in zip(STOCKS, stocks, strict=False):
        texts[name] = str(sum(held.values()))
        for slot in panel.slots:
            stock, _, color = slot.partition(" mark/")
            if stock == name and color:
                things[slot] = f"{color} small"
                texts[f"{name}/{color}"] = str(held.get(color, 0))
    return things, texts


MAX_NAME_COLUMNS = 30
"""Room for a name on a panel, in columns of a terminal: wide letters take two."""


def common_texts(
    fold: Fold, value: Snapshot, things: dict[str, str], texts: dict[str, str], rounds: int = 0
) -> None:
    """Add the texts of every table: names, scores, the round, and whom or what it waits for."""
    names = [fitted(safe(name), MAX_NAME_COLUMNS) for name in fold.created.players]
    for number, (name, player) in enumerate(zip(names, value.players, strict=True), 1):
        texts[f"{number}/name"] = name
        texts[f"{number}/score"] = str(player.score)
    if value.round:
        texts["round"] = f"round {value.round}" + (f" of {rounds}" if rounds else "")
    state = fold.state
    if state.phase >= CHOICE:
        things[f"{state.player + 1}/turn"] = TURN
        verbs = dict.fromkeys(fold.words.steps[code].words.partition(" ")[0] for code in state.legal())
        texts["status"] = f"{names[state.player]} has to {' or '.join(verbs)}"
    elif fold.over:
        winners = [player + 1 for player in state.winners()]
        texts["status"] = outcome(names, winners)
        things.update({f"{number}/turn": "won" for number in winners})
    else:
        texts["status"] = {
            ARRANGE: "The table is not arranged yet",
            DEAL: f"Round {state.round + 1} has to be dealt",
            ROUND_END: f"Round {state.round} has ended",
            GAME_END: "The last round has ended",
        }[state.phase]
