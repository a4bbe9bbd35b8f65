"""Any game as a scene: the offer as in all games, and what lies in front of the players in words.

This is the scene of rule-sets without their own; it draws any `sintra.rules.Snapshot`.
"""

from __future__ import annotations

import textwrap
from functools import lru_cache
from typing import Any

import msgspec

from sintra.fold import Fold
from sintra.view.common import holder
from sintra.view.plain import in_words
from sintra.view.scene import (
    TILE,
    Offer,
    Panel,
    Scene,
    Sheet,
    common_texts,
    offer_panel,
    offer_things,
    player_sheet,
)

COLUMNS = 58
"""Maximum length of a line of text on a board, in characters."""
MAX_LINES = 18
HAND = 20


def scene(fold: Fold) -> Scene:
    """Return the table as a scene."""
    rules = fold.rules
    value: Any = rules.snapshot(fold.state)
    tower = "lid" if hasattr(value, "lid") else "tower"
    stocks = [getattr(value, name) for name in ("bag", tower) if hasattr(value, name)]
    offer = fold.state.offer
    panels = _panels(
        rules.title, fold.created.players, offer.size, rules.colors, ("bag", tower)[: len(stocks)]
    )
    things, texts = offer_things(panels[0], value, stocks)
    for number, player in enumerate(value.players, 1):
        for at, line in enumerate(_lines(player), 1):
            texts[f"{number}/line/{at}"] = line
    if hasattr(value, "starter") and (starts := holder(value)) is not None:
        things[f"{starts}/tile"] = TILE
    common_texts(fold, value, things, texts)
    return Scene(panels, things, texts, rules.palette)


def _lines(player: object) -> list[str]:
    """Return what lies in front of a player, in lines of text."""
    lines: list[str] = []
    for key, thing in msgspec.to_builtins(player).items():
        if key != "score":
            lines += textwrap.wrap(f"{key}: {in_words(thing)}", COLUMNS, subsequent_indent="    ")
    return [*lines[: MAX_LINES - 1], "..."] if len(lines) > MAX_LINES else lines


@lru_cache(maxsize=64)
def _panels(
    title: str, players: tuple[str, ...], size: int, colors: tuple[str, ...], stocks: tuple[str, ...]
) -> tuple[Panel, ...]:
    """Return the skeleton."""
    offer = Offer(title, 2 * len(players) + 1, size, colors, stocks, HAND)
    return (offer_panel(offer), *(_board(number, name).done() for number, name in enumerate(players, 1)))


def _board(number: int, name: str) -> Sheet:
    sheet = player_sheet(number, name, 70 + 17 * MAX_LINES)
    for line in range(1, MAX_LINES + 1):
        sheet.text(f"{number}/line/{line}", 26, 62 + 17 * line, "small", "start")
    return sheet
