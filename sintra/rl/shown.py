"""Showing a game of an environment: as text, as a picture, or on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sintra.errors import UsageError

if TYPE_CHECKING:
    from sintra.game import Game

MODES = ("human", "ansi", "svg")
"""What `render_mode` may be: printed, or returned as text or as a picture."""


def check_mode(mode: str | None) -> None:
    """Raise UsageError for an unknown mode."""
    if mode is not None and mode not in MODES:
        raise UsageError(f"no render mode {mode!r}; choose from: {', '.join(MODES)}")


def rendered(game: Game, mode: str | None) -> str | None:
    """Return a game as text or as a picture, or print it; nothing is done without a mode."""
    if mode == "svg":
        return game._repr_svg_()
    if mode is None:
        return None
    from sintra.view import view_of
    from sintra.view.style import Style

    text = "\n".join(view_of(game.rules).table(game.fold, Style()))
    if mode == "ansi":
        return text
    print(text)
    return None
