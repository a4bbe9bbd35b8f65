"""The words of an arrangement of Stained Glass of Sintra, typed in at a real table."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from sintra.errors import UsageError
from sintra.games.sintra.boards import ROUNDS, SLOTS
from sintra.games.sintra.colors import SPACE_PALETTE
from sintra.games.sintra.events import SintraArranged, Strip
from sintra.rules.typed import by_letters, named


def arranged(
    words: Sequence[str], players: int, strips: Sequence[Strip], windows: Sequence[int], broken: Sequence[int]
) -> SintraArranged:
    """Return the arrangement that was typed in; `strips` is the set that every player has.

    `indicator` with six colors is followed by `strips P` with the eight strips of player P, for each player.
    A strip is given by the letters of both sides, `UP/DOWN`, or of the upper one where that is enough.
    """
    wanted = ["indicator", *(f"strips {player}" for player in range(1, players + 1))]
    sections = _sections(words, wanted)
    rows: dict[str, list[dict[str, tuple[str, ...]]]] = {}
    indicator: list[str] = []
    for name in wanted:
        if name not in sections:
            raise UsageError(f"`{name}` is missing")
        if name == "indicator":
            indicator = [color for word in sections[name] for color in _spaces(word)]
            if len(indicator) != ROUNDS:
                raise UsageError(f"`indicator` needs {ROUNDS} colors, not {len(indicator)}")
        elif len(sections[name]) != SLOTS:
            raise UsageError(f"`{name}` needs {SLOTS} strips, not {len(sections[name])}")
        else:
            rows[name] = [_strip(word, strips) for word in sections[name]]
    try:
        return msgspec.convert(
            {
                "type": "arranged",
                "indicator": indicator,
                "strips": [rows[name] for name in wanted[1:]],
                "windows": windows,
                "broken": broken,
            },
            SintraArranged,
        )
    except msgspec.ValidationError as error:
        raise UsageError(f"impossible arrangement: {error}") from None


def _sections(words: Sequence[str], wanted: Sequence[str]) -> dict[str, list[str]]:
    """Return what was typed after each heading; raise UsageError for an unknown heading."""
    found: dict[str, list[str]] = {}
    heading = ""
    rest = [word.lower() for word in words]
    while rest:
        word = rest.pop(0)
        if word in ("indicator", "strips"):
            heading = word if word == "indicator" or not rest else f"{word} {rest.pop(0)}"
            if heading in found:
                raise UsageError(f"`{heading}` is given twice")
            found[heading] = []
        elif heading:
            found[heading].append(word)
        else:
            raise UsageError(f"expected `indicator` or `strips P` before `{word}`")
    for name in found:
        if name not in wanted:
            raise UsageError(f"unknown section `{name}`; expected {', '.join(wanted)}")
    return found


def _spaces(word: str) -> tuple[str, ...]:
    """Return the colors that letters stand for, `*` being a joker, or one color in full."""
    color = named(word, SPACE_PALETTE)
    return by_letters(word, SPACE_PALETTE) if color is None else (color,)


def _strip(word: str, known: Sequence[Strip]) -> dict[str, tuple[str, ...]]:
    """Return a strip by both sides, or by the side that is up where only one strip of the set has it."""
    shown, slash, back = word.partition("/")
    up = _spaces(shown)
    if slash:
        return {"up": up, "down": _spaces(back)}
    sides = [(strip.up, strip.down) for strip in known] + [(strip.down, strip.up) for strip in known]
    backs = {down for front, down in sides if sorted(front) == sorted(up)}
    if len(backs) != 1:
        count = "more than one strip" if backs else "no strip"
        raise UsageError(f"`{word}`: {count} of the set has this side; type both sides as UP/DOWN")
    return {"up": up, "down": backs.pop()}
