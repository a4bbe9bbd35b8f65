"""A state as text, a log as a story: everything that a person reads.

Views turn values into lines of text; they never print. Every color has a letter and a shape besides its
color, so that nothing depends on seeing colors, and plain ASCII serves where Unicode does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct, to_builtins
from msgspec.json import encode

from sintra.words import letter, printable, utf8

if TYPE_CHECKING:
    from sintra.events import Event
    from sintra.game import Fold
    from sintra.rules import RuleSet

SHAPES = {
    "blue": "●",
    "clear": "◇",
    "orange": "▲",
    "pink": "■",
    "yellow": "★",
    "red": "▲",
    "black": "■",
    "teal": "◇",
}
PAINTS = {
    "blue": "38;5;75",
    "clear": "1",
    "orange": "38;5;208",
    "pink": "38;5;212",
    "yellow": "38;5;226",
    "red": "38;5;203",
    "black": "38;5;245",
    "teal": "38;5;80",
    "joker": "38;5;250",
}


class Style(Struct, frozen=True):
    """How to draw: with colors or without, in Unicode or in ASCII, and how wide."""

    color: bool = False
    unicode: bool = True
    width: int = 80

    def paint(self, text: str, codes: str) -> str:
        """The text in a color, where colors are wanted."""
        return f"\x1b[{codes}m{text}\x1b[0m" if self.color else text

    def strong(self, text: str) -> str:
        """The text in bold."""
        return self.paint(text, "1")

    def faint(self, text: str) -> str:
        """The text in gray."""
        return self.paint(text, "2")

    def either(self, unicode: str, ascii: str) -> str:
        """The first, or the second in plain ASCII."""
        return unicode if self.unicode else ascii

    def name(self, text: str) -> str:
        """A name from a log, as it may be drawn."""
        shown = safe(text)
        return shown if self.unicode else shown.encode("ascii", "backslashreplace").decode()

    def piece(self, color: str) -> str:
        """A piece: its shape and its letter; in ASCII the letter alone."""
        return self.paint(
            self.either(SHAPES.get(color, "•"), "") + letter(color).upper(), PAINTS.get(color, "1")
        )

    def space(self, color: str) -> str:
        """An empty space for a color: its small letter, `*` for a joker."""
        return self.paint(self.either("·", ".") + letter(color), f"2;{PAINTS.get(color, '0')}")


def safe(text: str) -> str:
    """Text from a log or a person as it may go to a terminal: control characters are shown, not sent."""
    return "".join(ch if ch.isprintable() else ch.encode("unicode_escape").decode() for ch in text)


def safe_json(value: object) -> str:
    """A value as JSON that may go to a terminal: control characters are escaped, not sent."""
    try:
        data = encode(value)
    except UnicodeEncodeError:  # a file's name or a word that was typed is no UTF-8
        data = encode(_utf8(to_builtins(value)))
    return printable(data.decode())


def _utf8(value: Any) -> Any:
    """The same value, each text in it one that can be written."""
    if isinstance(value, str):
        return utf8(value)
    if isinstance(value, dict):
        return {_utf8(key): _utf8(part) for key, part in value.items()}
    return [_utf8(part) for part in value] if isinstance(value, list | tuple) else value


class View(Protocol):
    """The module that draws a rule-set."""

    def table(self, fold: Fold, style: Style, *, backs: bool = False) -> list[str]:
        """The whole table, as lines."""

    def sentence(self, fold: Fold, event: Event, effects: Sequence[Happening]) -> str:
        """What an event was, in a sentence or two; the fold has taken it already."""


class Happening(Struct, frozen=True):
    """What the rules did by themselves, in words: a name, the player (from 1), and named numbers."""

    name: str
    player: int | None
    numbers: dict[str, int]


def happenings(rules: RuleSet, effects: Iterable[tuple[int, ...]]) -> list[Happening]:
    """What a watched state collected, in words."""
    found = []
    for kind, player, *numbers in effects:
        effect = rules.effects[kind]
        named = dict(zip(effect.numbers, numbers, strict=True))
        found.append(Happening(effect.name, player + 1 if player >= 0 else None, named))
    return found


def view_of(rules: RuleSet) -> View:
    """The view of a rule-set."""
    view: View = import_module(rules.view)
    return view
