"""The table of Stained Glass of Sintra as an immutable value, in words."""

from __future__ import annotations

from msgspec import Struct

from sintra.frozen import Value
from sintra.games.sintra.codes import AWAITS, SOURCES
from sintra.games.sintra.colors import COLORS, JOKER
from sintra.games.sintra.events import Strip
from sintra.games.sintra.player import BOTTOM, Palace, digit
from sintra.games.sintra.rules import SintraState
from sintra.rules.piles import count, named
from sintra.rules.state import CHOICE


class StripSnapshot(Struct, frozen=True):
    """A strip: the color of each space, the piece on it, and its other side until it is flipped."""

    spaces: tuple[str, ...]
    pieces: tuple[str | None, ...]
    back: tuple[str, ...]


class WindowSnapshot(Struct, frozen=True):
    """A window: the points below it, and the pieces in its frame, top first."""

    points: int
    pieces: tuple[str, ...]


class PalaceSnapshot(Value, frozen=True):
    """Everything that lies in front of one player."""

    score: int
    points: dict[str, int]
    marker: int
    lost: int
    glazier: int
    strips: tuple[StripSnapshot | None, ...]
    windows: tuple[WindowSnapshot, ...]


class SintraSnapshot(Value, frozen=True):
    """Everything that lies on the table."""

    round: int
    player: int | None
    awaits: str
    side: str
    indicator: tuple[str, ...]
    displays: tuple[dict[str, int], ...]
    center: dict[str, int]
    starting_tile: bool
    starter: int
    hand: dict[str, int]
    bag: dict[str, int]
    tower: dict[str, int]
    broken: tuple[int, ...]
    players: tuple[PalaceSnapshot, ...]


def snapshot(state: SintraState) -> SintraSnapshot:
    """Return the whole table in words."""
    printed = state.printed
    offer = state.offer
    center, *displays = [named(pile, COLORS) for pile in offer.sources()]
    return SintraSnapshot(
        round=state.round,
        player=state.player + 1 if state.phase >= CHOICE else None,
        awaits=AWAITS[state.phase],
        side="AB"[printed.chosen.side],
        indicator=tuple(COLORS[color] for color in printed.indicator),
        displays=tuple(displays),
        center=center,
        starting_tile=offer.tile,
        starter=state.starter + 1,
        hand={COLORS[state.color]: state.hand} if state.hand else {},
        bag=named(offer.bag, COLORS),
        tower=named(offer.tower, COLORS),
        broken=printed.broken,
        players=tuple(_palace(state, player) for player in range(len(state.palaces))),
    )


def _palace(state: SintraState, player: int) -> PalaceSnapshot:
    palace = state.palaces[player]
    printed = state.printed
    row = printed.rows[player] if printed.rows else ()
    return PalaceSnapshot(
        score=palace.score,
        points=dict(zip(SOURCES, palace.points(), strict=True)),
        marker=palace.marker,
        lost=palace.lost,
        glazier=palace.glazier + 1,
        strips=tuple(_strip(strip, palace, slot) for slot, strip in enumerate(row)),
        windows=tuple(_window(palace, window, points) for window, points in enumerate(printed.windows)),
    )


def _window(palace: Palace, window: int, points: int) -> WindowSnapshot:
    frame = [digit(palace.panes, window), digit(palace.panes >> BOTTOM, window)]
    return WindowSnapshot(points, tuple(COLORS[pane - 1] for pane in frame if pane))


def _strip(strip: Strip, palace: Palace, slot: int) -> StripSnapshot | None:
    """Return a strip with what lies on each of its spaces, or None when it is gone."""
    if palace.finished() >> slot & 1:
        return None
    flipped = bool(palace.furnished() >> slot & 1)
    up = strip.down if flipped else strip.up
    pieces: list[str | None] = []
    on_jokers = [color for number, color in enumerate(COLORS) for _ in range(count(palace.on_jokers, number))]
    for space in up:
        if space == JOKER:
            pieces.append(on_jokers.pop(0) if on_jokers else None)
        else:
            filled = up.count(space) - palace.room(slot, COLORS.index(space))
            pieces.append(space if up[: len(pieces)].count(space) < filled else None)
    return StripSnapshot(up, tuple(pieces), () if flipped else strip.down)
