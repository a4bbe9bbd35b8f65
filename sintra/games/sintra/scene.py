"""Stained Glass of Sintra as a scene: eight lancet windows, a strip in each, its two panes below."""

from __future__ import annotations

from functools import lru_cache

from sintra.fold import Fold
from sintra.games.sintra.boards import ROUNDS, SLOTS, SPACES, STRIPS
from sintra.games.sintra.colors import COLORS, JOKER, PALETTE, SPACE_PALETTE
from sintra.games.sintra.draw import NUMERALS
from sintra.games.sintra.snapshot import PalaceSnapshot, SintraSnapshot
from sintra.rules.offer import DISPLAY_SIZE
from sintra.view.common import holder
from sintra.view.scene import (
    TILE,
    WIDTH,
    Answer,
    Offer,
    Panel,
    Scene,
    common_texts,
    offer_panel,
    offer_things,
    player_sheet,
)

STEP, LEFT = 55, 47
"""The distance between windows, and the middle of the first."""
SPACE = 32
"""The size of a space."""
WALKWAY, TOP, PANES, TRACK = 62, 118, 318, 430
"""Where the glazier stands, the first space of a strip, the upper pane, and the broken glass track."""
HEIGHT = 466


def scene(fold: Fold) -> Scene:
    """Return the table as a scene."""
    value: SintraSnapshot = fold.rules.snapshot(fold.state)  # type: ignore[assignment]
    title = f"{fold.rules.title}, side {value.side}"
    panels = _panels(title, fold.created.players, value.side, len(value.broken) or 9)
    things, texts = offer_things(panels[0], value, (value.bag, value.tower))
    done = value.round if value.awaits in ("deal", "game_end", "nothing") else value.round - 1
    for number, color in enumerate(value.indicator[max(done, 0) :], max(done, 0) + 1):
        things[f"rounds/{number}"] = color
    if 0 <= done < ROUNDS and value.round:
        things[f"now/{done + 1}"] = "now"
    if (starts := holder(value)) is not None:
        things[f"{starts}/tile"] = TILE
    for number, palace in enumerate(value.players, 1):
        _lie(things, texts, number, palace)
        for space, loss in enumerate(value.broken):
            texts[f"{number}/track/{space}"] = str(loss)
    common_texts(fold, value, things, texts, rounds=ROUNDS)
    return Scene(panels, things, texts, PALETTE)


def _lie(things: dict[str, str], texts: dict[str, str], number: int, palace: PalaceSnapshot) -> None:
    """Put what lies in front of one player into its slots."""
    for slot, strip in enumerate(palace.strips, 1):
        if strip is None:
            continue
        for row, (space, piece) in enumerate(zip(strip.spaces, strip.pieces, strict=True), 1):
            things[f"{number}/strip/{slot}/{row}"] = piece or f"{space} space"
        for row, color in enumerate(strip.back, 1):
            things[f"{number}/back/{slot}/{row}"] = f"{color} small"
    for slot, window in enumerate(palace.windows, 1):
        for pane in (1, 2):
            held = window.pieces[pane - 1] if pane <= len(window.pieces) else "empty"
            things[f"{number}/window/{slot}/{pane}"] = held
        texts[f"{number}/points/{slot}"] = str(window.points)
    if palace.strips:
        things[f"{number}/glazier/{palace.glazier}"] = "glazier"
        things[f"{number}/track/{palace.marker}"] = "marker"


@lru_cache(maxsize=64)
def _panels(title: str, players: tuple[str, ...], side: str, track: int) -> tuple[Panel, ...]:
    """Return the skeleton."""
    displays = 2 * len(players) + 1
    offer = Offer(title, displays, DISPLAY_SIZE, COLORS, ("bag", "tower"), 20, NUMERALS)
    boards = (_palace(number, name, side, track) for number, name in enumerate(players, 1))
    return (offer_panel(offer), *boards)


def _palace(number: int, name: str, side: str, track: int) -> Panel:
    sheet = player_sheet(number, name, HEIGHT)
    for slot in range(1, SLOTS + 1):
        x = LEFT + STEP * (slot - 1)
        sheet.art.append(_lancet(x))
        sheet.zone(f"{number}/strip/{slot}", f"strip {slot}", (x - 24, 80, 48, 216), 20)
        sheet.zone(f"{number}/window/{slot}", f"window {slot}", (x - 24, 298, 48, 80))
        sheet.zone(f"{number}/glazier/{slot}", f"the glazier above strip {slot}", (x - 18, 46, 36, 34))
        sheet.slot(f"{number}/glazier/{slot}", x, WALKWAY, 30)
        for row in range(1, SPACES + 1):
            sheet.slot(f"{number}/back/{slot}/{row}", x + 7 * (row - 3), 96, 6.5)
            sheet.slot(f"{number}/strip/{slot}/{row}", x, TOP + 36 * (row - 1) + 4, SPACE)
        for pane in (1, 2):
            sheet.slot(f"{number}/window/{slot}/{pane}", x, PANES + 38 * (pane - 1), 36)
        sheet.text(f"{number}/points/{slot}", x, 394, "points")
        sheet.words(x, 90, str(slot), "tiny")
    if side == "A":
        for slot in range(1, SLOTS, 2):
            sheet.art.append(_ornament(LEFT + STEP * (slot - 0.5), PANES + 19))
    step = (WIDTH - 110) / max(track, 2)
    sheet.words(22, TRACK + 5, "glass", "small", "start")
    for space in range(track):
        middle = round(76 + step * (space + 0.5), 1)
        sheet.art.append(f'<path class="line" d="M{middle - step / 2 + 2:g} {TRACK + 14}h{step - 4:g}"/>')
        sheet.text(f"{number}/track/{space}", middle, TRACK + 5, "small")
        sheet.slot(f"{number}/track/{space}", middle, TRACK + 20, 14)
    return sheet.done()


def _lancet(x: float) -> str:
    """Return a tall window with a pointed arch, and the sill between strip and panes."""
    left, right = x - 24, x + 24
    arch = f"M{left:g} 296V106Q{left:g} 84 {x:g} 76Q{right:g} 84 {right:g} 106V296Z"
    panes = f'<rect class="frame" x="{left:g}" y="298" width="48" height="78" rx="4"/>'
    return f'<path class="frame" d="{arch}"/>{panes}'


def _ornament(x: float, y: float) -> str:
    return f'<path class="ornament" d="M{x:g} {y - 9:g}l5 9-5 9-5-9Z"/>'


def places(fold: Fold) -> dict[str, tuple[str, ...]]:
    """Return where on the scene a person points to take each step, by its words, except for picks."""
    value: SintraSnapshot = fold.rules.snapshot(fold.state)  # type: ignore[assignment]
    player = fold.state.player + 1
    palace = value.players[player - 1]
    found: dict[str, tuple[str, ...]] = {"return": (f"{player}/glazier/{palace.glazier}",)}
    for slot, strip in enumerate(palace.strips, 1):
        for words in (f"place {slot}", f"place {slot} jokers 1", f"place {slot} jokers 2"):
            found[words] = (f"{player}/strip/{slot}",)
        if strip is not None and None not in strip.pieces:  # completed: one of its pieces is kept
            for row, color in enumerate(strip.pieces, 1):
                words = f"keep {color}"
                found[words] = (*found.get(words, ()), f"{player}/strip/{slot}/{row}")
    return found


def answers(heading: str) -> tuple[int, tuple[Answer, ...]]:
    """Return how many words answer a question about a real table, and the words to choose from."""
    letter = SPACE_PALETTE.letter
    if heading == "indicator":
        return ROUNDS, tuple(Answer(letter(color), (color,)) for color in COLORS)
    faces = []
    for part, strip in enumerate(STRIPS):
        for up, down in (strip, strip[::-1]):
            if JOKER not in up:
                word = "/".join("".join(map(letter, side)) for side in (up, down))
                shows, back = (tuple(f"{color} space" for color in side) for side in (up, down))
                faces.append(Answer(word, shows, back, part))
    return SLOTS, tuple(faces)
