"""Tables to play at: games of Sintra with exactly the strips, pieces and markers that a test needs.

Colors go by their letters: b(lue), c(lear), o(range), p(ink), y(ellow), and * for a joker space.
A strip is its upper side and its lower side, "ooooy/bbbbc"; displays stand in a row, "oooo yppp".
Every table has chance "table": what is dealt is what a test says, and nothing else.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence

import pytest

import sintra
from sintra.games.sintra.codes import PICKING
from sintra.games.sintra.player import Palace as Packed
from sintra.games.sintra.rules import SintraState
from sintra.games.sintra.snapshot import PalaceSnapshot as Palace
from sintra.games.sintra.snapshot import SintraSnapshot as Table
from sintra.log.events import Dealt, Event
from sintra.rules.piles import count, of, packed

AMANDA, BEN, CARLA, DARIO = 1, 2, 3, 4
NAMES = ("Amanda", "Ben", "Carla", "Dario")
LETTERS = {"b": "blue", "c": "clear", "o": "orange", "p": "pink", "y": "yellow", "*": "joker"}

STRIPS = (
    "ooooy/bbbbc",
    "bbbcc/ooopp",
    "yyyyo/ccccp",
    "pppoo/yyybb",
    "ccccb/ooooy",
    "bbyyo/ppccb",
    "ooppb/yyccb",
    "ppppy/bc**y",
)
POINTS = (1, 2, 4, 8, 16, 32, 64, 128)
"""What is printed below the windows: a sum of these tells which of them scored."""
TRACK = (0, -1, -2, -4, -6, -8, -11, -14, -18)
INDICATOR = "pbcopy"
"""Round I is pink, then each color once."""
DEAL = "oooo yyyy pppp bbbb cccc oooo yyyy pppp bbbb"
"""One color on each display; a table takes as many of them as it has."""


# -- Laying a table --------------------------------------------------------------------------


def words_for(letters: str) -> list[str]:
    """The colors that letters stand for; "-" is an empty display."""
    return [LETTERS[letter] for letter in letters if letter != "-"]


def table(
    deal: str | None = DEAL,
    *,
    players: int = 2,
    strips: Sequence[str] = STRIPS,
    points: Sequence[int] = POINTS,
    indicator: str = INDICATOR,
    side: str = "A",
    floor_at_zero: bool = False,
) -> sintra.Game:
    """A game read from its log: created, arranged and, unless `deal` is None, dealt."""
    options = {"side": side, "floor_at_zero": floor_at_zero}
    row = [dict(zip(("up", "down"), map(words_for, strip.split("/")), strict=True)) for strip in strips]
    lines: list[dict[str, object]] = [
        {"type": "created", "format": 1, "rules": "sintra", "options": options}
        | {"players": NAMES[:players], "chance": "table", "seed": None, "engine": "test"},
        {"type": "arranged", "indicator": words_for(indicator), "strips": [row] * players}
        | {"windows": points, "broken": TRACK},
    ]
    if deal is not None:
        displays = [words_for(display) for display in deal.split()]
        lines.append({"type": "dealt", "round": 1, "displays": displays[: 2 * players + 1]})
    return sintra.loads("".join(json.dumps(line) + "\n" for line in lines))


def deal(game: sintra.Game, displays: str = DEAL) -> list[Event]:
    """Fill the displays of the next round."""
    filled = tuple(tuple(words_for(display)) for display in displays.split())
    if displays == DEAL:
        filled = filled[: 2 * len(game.players) + 1]
    return game.record(Dealt(game.round + 1, filled))


def play_out(game: sintra.Game) -> None:
    """Play any steps until no player has to choose."""
    while game.player:
        game.play(game.legal()[0])


# -- Positions that would take long to play --------------------------------------------------


def seat(
    game: sintra.Game,
    player: int,
    *,
    windows: Mapping[int, str] | None = None,
    laid: Mapping[int, str] | None = None,
    glazier: int | None = None,
    marker: int | None = None,
    score: int = 0,
) -> None:
    """Give a player furnished windows, pieces on strips, and places for glazier, marker and score.

    The pieces come from the bag. One piece in a window means a flipped strip above it, two mean none.
    """
    state = _state(game)
    palace = state.palaces[player - 1]
    for window, panes in (windows or {}).items():
        top, *bottom = _drawn(state, panes)
        _emptied(palace, window - 1)
        palace.flip(window - 1, top)
        if bottom:
            _emptied(palace, window - 1)
            palace.remove(window - 1, bottom[0])
    for strip, pieces in (laid or {}).items():
        for color in _drawn(state, pieces):
            lay = palace.fill if palace.room(strip - 1, color) else palace.fill_jokers
            assert palace.room(strip - 1, color) or palace.free(strip - 1), "a piece does not fit"
            lay(strip - 1, color, 1)
    palace.glazier = palace.glazier if glazier is None else glazier - 1
    palace.marker = palace.marker if marker is None else marker
    palace.window_points += score


def _emptied(palace: Packed, slot: int) -> None:
    """Leave no empty space on a strip, as if it had been completed."""
    for color in range(5):
        while room := palace.room(slot, color):
            palace.fill(slot, color, room)
    if palace.free(slot):
        palace.fill_jokers(slot, 0, palace.free(slot))


def only_left(
    game: sintra.Game,
    display: str = "",
    *,
    center: str = "",
    tile: bool = True,
    turn: int = AMANDA,
    in_round: int = 1,
) -> None:
    """Clear the table but for these pieces on display 1 and in the center; it is this player's turn.

    The rest goes back to the bag, the indicator's pieces of earlier rounds to the tower.
    """
    state = _state(game)
    offer = state.offer
    offer.bag += sum(offer.sources())
    middle, first = (sum(of(color, 1) for color in _drawn(state, letters)) for letters in (center, display))
    offer.show(middle, [0, first] + [0] * (offer.displays - 1))
    offer.tile = tile
    for color in state.printed.indicator[state.round - 1 : in_round - 1]:
        offer.discard(color, 1)
    state.round, state.player, state.phase = in_round, turn - 1, PICKING


def stock(game: sintra.Game, *, bag: str, tower: str) -> None:
    """Let bag and tower hold these pieces and no others."""
    offer = _state(game).offer
    offer.bag = packed([bag.count(letter) for letter in "bcopy"])
    offer.tower = packed([tower.count(letter) for letter in "bcopy"])


def _drawn(state: SintraState, letters: str) -> list[int]:
    """Pieces taken out of the bag, as numbers."""
    numbers = ["bcopy".index(letter) for letter in letters]
    for number in numbers:
        assert count(state.offer.bag, number), "the bag has no such piece left"
        state.offer.bag -= of(number, 1)
    return numbers


def _state(game: sintra.Game) -> SintraState:
    state = game._fold.state
    assert isinstance(state, SintraState)
    return state


# -- Looking at a table ----------------------------------------------------------------------


def seen(game: sintra.Game) -> Table:
    """Everything that lies on the table."""
    value = game.state
    assert isinstance(value, Table)
    return value


def palace(game: sintra.Game, player: int) -> Palace:
    """Everything that lies in front of a player."""
    return seen(game).players[player - 1]


def strip(game: sintra.Game, player: int, slot: int) -> str:
    """The pieces on a strip, "oo..y", with dots for empty spaces; "gone" when it was removed."""
    value = palace(game, player).strips[slot - 1]
    return "gone" if value is None else "".join(piece[0] if piece else "." for piece in value.pieces)


def sides(game: sintra.Game, player: int, slot: int) -> str:
    """What is printed on a strip, "ooooy/bbbbc"; nothing after the stroke when it was flipped."""
    value = palace(game, player).strips[slot - 1]
    assert value is not None
    up, down = ("".join(_letter(space) for space in side) for side in (value.spaces, value.back))
    return f"{up}/{down}"


def window(game: sintra.Game, player: int, number: int) -> str:
    """The pieces in a window, top first."""
    return "".join(piece[0] for piece in palace(game, player).windows[number - 1].pieces)


def words(game: sintra.Game) -> list[str]:
    """The legal steps, as a person types them."""
    return [str(step) for step in game.legal()]


def kinds(events: Sequence[Event]) -> list[str]:
    """The types of events, as in the log."""
    return [str(event.__struct_config__.tag) for event in events]


def every_piece(game: sintra.Game) -> Counter[str]:
    """All pieces of the game by color, wherever they are."""
    value = seen(game)
    played = value.round if value.player is None else value.round - 1
    found = Counter(value.indicator[played:])
    for pile in (*value.displays, value.center, value.hand, value.bag, value.tower):
        found.update(pile)
    for player in value.players:
        for lying in player.strips:
            found.update(piece for piece in (lying.pieces if lying else ()) if piece)
        for frame in player.windows:
            found.update(frame.pieces)
    return found


def refused(game: sintra.Game, step: str, why: str) -> None:
    """Check that a step is illegal for this reason, is not listed, and changes nothing."""
    assert step not in words(game)
    before = game.state, game.events
    with pytest.raises(sintra.IllegalStep, match=why):
        game.play(step)
    assert (game.state, game.events) == before


def refused_deal(game: sintra.Game, displays: str, why: str) -> None:
    """Check that the bag can't have given this deal, and that trying it changes nothing."""
    before = game.state, game.events
    with pytest.raises(sintra.IllegalStep, match=why):
        deal(game, displays)
    assert (game.state, game.events) == before


def _letter(space: str) -> str:
    return "*" if space == "joker" else space[0]
