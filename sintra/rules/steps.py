"""Steps: their words, their events, and how typed words are read.

A rule-set lists its steps once, in the order of their codes. That list gives the words that a person types,
the event that the log then holds, and the way back. Words may be typed in any case and abbreviated where that
is unambiguous (`pick 3 or`); a single letter is the color with that letter on the screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from sintra.errors import UsageError
from sintra.log.codec import encode_line
from sintra.log.events import Choice
from sintra.rules.colors import Palette
from sintra.text import listed

if TYPE_CHECKING:
    from sintra.rules.offer import Offer


class Step(Struct, frozen=True):
    """One step of a turn; `str(step)` is what a person types."""

    words: str
    kind: type[Choice]
    fields: tuple[tuple[str, int | str], ...] = ()

    def __str__(self) -> str:
        return self.words

    def event(self, player: int) -> Choice:
        """Return the event of a player (from 1) taking this step."""
        return self.kind(player, **dict(self.fields))


class _Node:
    """A place in the tree of words: the words that may follow, and whether a step ends here."""

    __slots__ = ("ends", "next")

    def __init__(self) -> None:
        self.next: dict[str, _Node] = {}
        self.ends = False


class Vocabulary:
    """The steps of a rule-set for a number of players, looked up by words, event or code."""

    def __init__(
        self, steps: Sequence[Step], players: int, palette: Palette, spellings: Iterable[str] = ()
    ) -> None:
        """`spellings` are more words that people may type; the rule-set says what they mean."""
        self.steps = tuple(steps)
        self.codes_by_words = {step.words: code for code, step in enumerate(steps)}
        self.events = [[step.event(player) for step in steps] for player in range(1, players + 1)]
        """events[player][code]: the event of a step, player counted from 0."""
        self.codes = [{event: code for code, event in enumerate(row)} for row in self.events]
        """codes[player][event]: the code of an event."""
        self.colors = {color: number for number, color in enumerate(palette.names)}
        """The number of each color."""
        self._letter = palette.letter
        self._spellings = tuple(spellings)

    @cached_property
    def lines(self) -> list[dict[bytes, int]]:
        """lines[player][line]: the code of a choice by its line of a log, as this engine writes it.

        A log is mostly such lines, and looking one up is faster than decoding it.
        """
        return [{encode_line(event)[:-1]: code for code, event in enumerate(row)} for row in self.events]

    @cached_property
    def _root(self) -> _Node:
        """All words as a tree."""
        root = _Node()
        for words in [*self.codes_by_words, *self._spellings]:
            node = root
            for word in words.split():
                node = node.next.setdefault(word, _Node())
            node.ends = True
        return root

    def read(self, text: str, offer: Offer | None = None) -> list[str]:
        """Return the steps that were typed, each in its full words; raise UsageError if they make no sense.

        If the offer is given, the error says what lies there.
        """
        tokens = text.lower().split()
        found: list[str] = []
        at = 0
        node = self._root
        while at < len(tokens):
            if not self._matches(tokens[at], self._root.next):  # perhaps the last step was to go on
                self._word(tokens[at], {**self._root.next, **node.next}, [], None)
            node, said = self._root, list[str]()
            there = None if found else offer  # the first step changes it
            while node.next and at < len(tokens):
                if node.ends and not self._matches(tokens[at], node.next):
                    break
                word = self._word(tokens[at], node.next, said, there)
                said.append(word)
                node = node.next[word]
                at += 1
            if not node.ends:
                follow = "a color" if self._are_colors(node.next) else self._choices(node.next, said, there)
                raise UsageError(f"`{' '.join(said)}` is incomplete: {follow} must follow")
            found.append(" ".join(said))
        return found

    def _matches(self, token: str, words: Iterable[str]) -> list[str]:
        """Return the words a token can stand for: itself, a color by its letter, or all that begin so."""
        if token in words:
            return [token]
        lettered = [word for word in words if word in self.colors and self._letter(word) == token]
        return lettered or [word for word in words if word.startswith(token) and word.isalpha()]

    def _word(self, token: str, words: dict[str, _Node], said: list[str], offer: Offer | None) -> str:
        """Return the one word that a token stands for; raise UsageError if it is none, or several."""
        matches = self._matches(token, words)
        if len(matches) == 1:
            return matches[0]
        after = " ".join(said)
        if matches:
            place = f" after `{after}`" if said else ""
            raise UsageError(f"`{token}`{place} is ambiguous: {listed(matches, 'or')}")
        near = suggestion(token, words) or self._begun(token, said)
        hint = f"did you mean `{near}`?" if near else ""
        if not said:
            raise UsageError(f"unknown step {token!r}; {hint or f'the steps are {listed(list(words))}'}")
        if self._are_colors(words):
            raise UsageError(f"unknown color {token!r}; {hint or self._colors_there(said, offer)}")
        what = f"`{after}` takes {self._choices(words, said, offer)}, not {token!r}"
        raise UsageError(f"{what}; {hint}" if hint else what)

    def _begun(self, token: str, said: list[str]) -> str | None:
        """Return the start of the only kind of step that has a word, such as `pick center`."""
        if said or token in self.colors:
            return None
        kinds = [f"{first} {token}" for first, node in self._root.next.items() if token in node.next]
        return kinds[0] if len(kinds) == 1 else None

    def _are_colors(self, words: Iterable[str]) -> bool:
        return all(word in self.colors for word in words)

    def _colors_there(self, said: list[str], offer: Offer | None) -> str:
        """Say which colors can be picked from a source, or which colors exist."""
        from sintra.rules.snapshot import sources

        there = sources(offer, list(self.colors)) if offer and said[0] == "pick" else []
        source = int(said[1]) if said[1:] and said[1].isdigit() else 0
        if source >= len(there):
            return f"the colors are {listed(list(self.colors))}"
        name = f"display {source}" if source else "the center"
        return f"{name} has {listed(list(there[source]))}" if there[source] else f"{name} is empty"

    def _choices(self, words: Iterable[str], said: list[str], offer: Offer | None) -> str:
        """Return the words that may follow, with runs of numbers as ranges, and only displays that exist."""
        numbers = sorted(int(word) for word in words if word.isdigit())
        names = [word for word in words if not word.isdigit()]
        if offer and said == ["pick"]:
            numbers = [number for number in numbers if number <= offer.displays]
        if numbers:
            names.insert(0, f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else str(numbers[0]))
        return listed(names, "or")

    def misfit(self, event: Choice) -> tuple[str | None, str]:
        """Return why an event is not a step of the game: the field at fault, and the values it may have."""
        alike = [step for step in self.steps if step.kind is type(event)]
        for field in event.__struct_fields__:
            known = {dict(step.fields).get(field) for step in alike}
            value = getattr(event, field)
            if field != "player" and value not in known:
                values = sorted((v for v in known if v is not None), key=str)
                return field, f"{value!r} is not one of {', '.join(map(str, values))}"
        return None, "not a step of this game"


def suggestion(token: str, words: Iterable[str]) -> str | None:
    """Return the word that was probably meant."""
    import difflib  # only for typos

    near = difflib.get_close_matches(token, [word for word in words if word.isalpha()], 1)
    return near[0] if near else None
