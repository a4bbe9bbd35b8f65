"""The keys of a game on the full screen: what each does, the help, and the buttons in the last line."""

from __future__ import annotations

from sintra.view.style import Style

HELP = """\
Type a choice as it is listed ({typed}) and press Enter, or go there with
the arrow keys, or click a piece, a place or a choice with the mouse.
+5 is what a choice is worth by the end of your turn.

  h or F3        a hint: the best turns, and why
  u or F2        take back your last step, and everything bots did since
  PgUp, PgDn     look back and forward, event by event; End returns
  t or F4        other colors: dark, light, color-blind, ASCII
  space          make a bot move now
{strips}  q or Ctrl-Q    quit; every step is already saved
"""
BACKS = "  v or F5        show the other sides of the strips\n"
"""The line of the help for games that have strips."""
KEYS = {
    "u": "undo",
    "f2": "undo",
    "h": "hint",
    "f3": "hint",
    "?": "help",
    "f1": "help",
    "t": "theme",
    "f4": "theme",
    "v": "backs",
    "f5": "backs",
    "q": "quit",
    "ctrl+q": "quit",
    "ctrl+c": "quit",
    "ctrl+d": "quit",
    "pageup": "back",
    "pagedown": "forward",
    "end": "now",
    "home": "first",
    "escape": "now",
    "left": "previous",
    "right": "next",
    "up": "up",
    "down": "down",
    "tab": "next",
    "shift+tab": "previous",
    "enter": "enter",
    "space": "hurry",
    "backspace": "erase",
}
"""The commands of keys that do not type."""

Button = tuple[str, str, str]
"""A key, what it does, and its spot."""
MORE = (("t", "colors", ":theme"), ("?", "help", ":help"), ("q", "quit", ":quit"))


def looking_back(look: Style) -> list[Button]:
    """Return the buttons while looking at an earlier event."""
    back, on = (look.either("←", "<"), "", ":back"), (look.either("→", ">"), "event", ":forward")
    return [("End", "back to the game", ":now"), back, on, *MORE]


def playing(choosing: bool, over: bool, backs: bool) -> list[Button]:
    """Return the buttons for a person who has to choose, for one who waits, or after the game."""
    undo, history = ("u", "undo", ":undo"), ("PgUp", "history", ":back")
    strips = [("v", "backs", ":backs")] if backs else []
    if choosing:
        return [("Enter", "play", ":enter"), ("h", "hint", ":hint"), undo, history, *strips, *MORE]
    if over:
        return [("Enter", "quit", ":enter"), undo, history, *strips, *MORE]
    return [("space", "move now", ":hurry"), undo, history, *MORE]
