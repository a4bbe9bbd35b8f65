"""Positions as text: the parts and the checks that all games share.

A position is sections of words, with ` / ` between them, and a word is `key=value`: the table first, then
what is printed, then each player's own things. Pieces are letters of the palette, with a number where there
are more (`b12y3`), `-` for none, and `+` for the starting tile.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sintra.rules.colors import Palette
from sintra.rules.piles import counts, packed
from sintra.rules.ruleset import Misfit
from sintra.rules.state import ARRANGE, CHOICE, DEAL, OVER, State
from sintra.text import listed, plural

MAX_ROUND = 10**6
MAX_POINTS = 10**9
TILE = "+"
NONE = "-"
REST = "rest"
"""The bag of a position that somebody wrote: all pieces that lie nowhere else."""


class Section:
    """The words of one part of a position, taken out one by one."""

    def __init__(self, name: str, words: Sequence[str]) -> None:
        """Read words; raise Misfit unless each is `key=value`, and no key comes twice."""
        self.name = name
        self.words: dict[str, str] = {}
        for word in words:
            key, equals, value = word.partition("=")
            if not equals or not key or not value:
                raise Misfit(name, f"expected KEY=VALUE, not {word[:40]!r}")
            if key in self.words:
                raise Misfit(name, f"{key[:40]} is given twice")
            self.words[key] = value

    def misfit(self, key: str, reason: str) -> Misfit:
        """Return the error for a word."""
        return Misfit(self.name, f"{key}: {reason}")

    def word(self, key: str, default: str | None = None) -> str:
        """Take out a word; raise Misfit if it is missing and has no default."""
        found = self.words.pop(key, default)
        if found is None:
            raise Misfit(self.name, f"{key} is missing")
        return found

    def choice(self, key: str, values: Sequence[str]) -> int:
        """Take out a word that must be one of these; return its index."""
        word = self.word(key)
        if word not in values:
            raise self.misfit(key, f"{word[:40]!r} is not one of {', '.join(values)}")
        return values.index(word)

    def number(self, key: str, low: int, high: int, default: str | None = None) -> int:
        """Take out a number."""
        return self.numbers(key, 1, low, high, default)[0]

    def numbers(
        self, key: str, count: int | None, low: int, high: int, default: str | None = None
    ) -> list[int]:
        """Take out numbers with commas between them, as many as `count`, if that is given."""
        parts = self.parts(key, count, default)
        for part in parts:
            if not re.fullmatch(r"0|-?[1-9][0-9]{0,9}", part) or not low <= int(part) <= high:
                raise self.misfit(key, f"expected a whole number from {low} to {high}, not {part[:40]!r}")
        return [int(part) for part in parts]

    def parts(self, key: str, count: int | None, default: str | None = None) -> list[str]:
        """Take out words with commas between them."""
        parts = self.word(key, default).split(",")
        if count is not None and len(parts) != count:
            raise self.misfit(key, f"expected {count}, separated by commas, not {len(parts)}")
        return parts

    def pile(self, key: str, text: str, palette: Palette, most: int) -> list[int]:
        """Take out a word of pieces; return the number of each color, `most` in total at most."""
        found = [0] * len(palette.names)
        if text == NONE:
            return found
        if not re.fullmatch(r"([^\W\d_][1-9]?[0-9]?[0-9]?)+", text):
            raise self.misfit(key, f"{text[:40]!r} is not pieces, such as b2y or - for none")
        for letter, number in re.findall(r"([^\W\d_])([0-9]*)", text):
            if letter not in palette.letters:
                known = listed([f"{key} {color}" for key, color in palette.letters.items()])
                raise self.misfit(key, f"no color has the letter {letter!r}; the letters are {known}")
            found[palette.names.index(palette.letters[letter])] += int(number or 1)
        if sum(found) > most:
            raise self.misfit(key, f"{plural(sum(found), 'piece')}; at most {most}")
        return found

    def end(self) -> None:
        """Raise Misfit if any words are left."""
        for key in self.words:
            raise Misfit(self.name, f"unknown word {key[:40]}")


def sections(text: str, players: int, printed: bool = True) -> list[Section]:
    """Return the sections of a position: the table, what is printed, if anything is, and each player's."""
    names = ["table", *(["printed"] if printed else []), *(f"player {n}" for n in range(1, players + 1))]
    parts: list[list[str]] = [[]]
    for word in text.split():
        if word == "/":
            parts.append([])
        else:
            parts[-1].append(word)
    if parts == [["awaits=arrange"]]:
        names = names[:1]
    if len(parts) != len(names):
        raise Misfit("position", f"expected {len(names)} sections ({', '.join(names)}), not {len(parts)}")
    return [Section(name, words) for name, words in zip(names, parts, strict=True)]


def joined(*parts: Mapping[str, str]) -> str:
    """Return sections as the text of a position."""
    return " / ".join(" ".join(f"{key}={value}" for key, value in part.items()) for part in parts)


def letters(found: Sequence[int], palette: Palette, numbers: bool = True) -> str:
    """Return pieces as letters, each with its number or repeated that often."""
    text = ""
    for name, pieces in zip(palette.names, found, strict=True):
        letter = palette.letter(name)
        text += letter * pieces if not numbers or pieces < 2 else f"{letter}{pieces}"
    return text or NONE


# -- The table -------------------------------------------------------------------------------


def table_words(
    state: State, palette: Palette, awaits: Sequence[str], tower: str = "tower"
) -> dict[str, str]:
    """Return the words that all games share; `awaits` names every phase."""
    words = {"awaits": awaits[state.phase]}
    if state.phase == ARRANGE:
        return words
    offer = state.offer

    def shown(pile: int, numbers: bool = True) -> str:
        return letters(counts(pile, offer.colors), palette, numbers)

    center, *displays = offer.sources()
    words["round"] = str(state.round)
    if state.phase >= CHOICE:
        words["player"] = str(state.player + 1)
    words["starter"] = str(state.starter + 1)
    if state.hand:
        words["hand"] = letters([state.hand * (n == state.color) for n in range(offer.colors)], palette)
    words["displays"] = ",".join(shown(pile, False) for pile in displays)
    on_table = shown(center).replace(NONE, "") + TILE * offer.tile
    words["center"] = on_table or NONE
    words["bag"] = shown(offer.bag)
    words[tower] = shown(offer.tower)
    return words


class Table:
    """The table of a position, read into a state that is arranged; `finish` fills the bag and counts."""

    def __init__(
        self,
        section: Section,
        state: State,
        total: Sequence[int],
        palette: Palette,
        awaits: Sequence[str],
        tower: str = "tower",
    ) -> None:
        """Read the words that all games share; `total` is the number of pieces of each color in the game."""
        self.section, self.state, self.total, self.palette = section, state, total, palette
        phase = section.choice("awaits", awaits)
        if phase == ARRANGE:
            raise section.misfit("awaits", "nothing lies on a table that is not arranged")
        state.phase = phase
        state.round = section.number("round", 0 if phase == DEAL else 1, MAX_ROUND)
        state.starter = section.number("starter", 1, state.seats) - 1
        state.player = section.number("player", 1, state.seats) - 1 if phase >= CHOICE else state.starter
        self.hand = self._pile("hand", NONE)
        self._take_up()
        self._lay_out()
        bag = section.word("bag")
        self.rest = bag == REST
        self.bag = [0] * len(total) if self.rest else section.pile("bag", bag, palette, sum(total))
        state.offer.tower = packed(self._pile(tower))
        self._check_offer()
        section.end()

    def _pile(self, key: str, default: str | None = None) -> list[int]:
        found = self.section.pile(key, self.section.word(key, default), self.palette, sum(self.total))
        self._check_total(key, found)
        return found

    def _check_total(self, key: str, found: Sequence[int]) -> None:
        for pieces, most, name in zip(found, self.total, self.palette.names, strict=True):
            if pieces > most:
                raise self.section.misfit(key, f"{pieces} {name}; the game has {most}")

    def _take_up(self) -> None:
        """Take the hand: one color."""
        colors = [color for color, pieces in enumerate(self.hand) if pieces]
        if len(colors) > 1:
            raise self.section.misfit("hand", "a hand has one color")
        self.state.hand = sum(self.hand)
        self.state.color = colors[0] if colors else 0

    def _lay_out(self) -> None:
        """Fill the displays and the center."""
        section, offer = self.section, self.state.offer
        words = section.parts("displays", offer.displays)
        self.displays = [section.pile("displays", word, self.palette, offer.size) for word in words]
        center = section.word("center")
        tile = center.endswith(TILE)
        self.center = section.pile("center", center.removesuffix(TILE) or NONE, self.palette, sum(self.total))
        self._check_total("center", self.center)
        offer.show(packed(self.center), [0, *map(packed, self.displays)])
        offer.tile = tile

    def _check_offer(self) -> None:
        """Raise Misfit if no deal and no picks lead to these displays and this center."""
        section, offer = self.section, self.state.offer
        sizes = [sum(pieces) for pieces in self.displays]
        short = [n for n, size in enumerate(sizes, 1) if 0 < size < offer.size]
        if short and (any(sizes[short[0] :]) or any(self.bag)):
            raise section.misfit("displays", f"display {short[0]} is short while there were more pieces (R2)")
        picked = sizes.count(0)
        if sum(self.center) > picked * (offer.size - 1):
            raise section.misfit(
                "center", f"{plural(picked, 'empty display')} can't have left so many pieces"
            )
        if self.state.phase >= CHOICE and not offer.tile and not picked:
            raise section.misfit("center", "the starting tile (+) can't be gone before any pick")

    def check_phase(self, picking: int, placing: int) -> None:
        """Raise Misfit unless there are pieces to pick, a hand to place, or neither."""
        state, section = self.state, self.section
        if (state.phase == placing) != (state.hand > 0):
            raise section.misfit("hand", "there is one while a player has to place it, and only then")
        if state.phase == placing and 0 not in map(sum, self.displays):
            raise section.misfit("displays", "no display is empty, though a player has picked")
        if state.phase == picking and state.offer.empty():
            raise section.misfit("displays", "nothing is left to pick")
        if state.phase <= OVER and not state.offer.empty():
            raise section.misfit("displays", "the round has ended, and pieces are left to pick")

    def finish(self) -> None:
        """Fill the bag; raise Misfit unless every piece of the game lies in exactly one place."""
        state, names = self.state, self.palette.names
        state.offer.bag = 0
        there = state.census()
        if self.rest:
            self.bag = [max(most - pieces, 0) for most, pieces in zip(self.total, there, strict=True)]
        state.offer.bag = packed(self.bag)
        for name, most, pieces, more in zip(names, self.total, there, self.bag, strict=True):
            if pieces + more != most:
                raise Misfit("position", f"{plural(pieces + more, f'{name} piece')}; the game has {most}")
