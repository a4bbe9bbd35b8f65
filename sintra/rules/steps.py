"""The words of a move, and the steps that they stand for.

A rule-set lists its steps once, in the order of their codes. From that list come the words that a
person types, the event that the log then holds, and back again. Words may be cut short where that
leaves no doubt (`pick 3 or`), in any case; where no word begins so, the letter that the screen shows does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from msgspec import Struct

from sintra.errors import UsageError
from sintra.log.codec import encode_line
from sintra.log.events import Choice
from sintra.rules.colors import Palette
from sintra.text import listed


class Step(Struct, frozen=True):
    """One step of a turn; `str(step)` is what a person types."""

    words: str
    kind: type[Choice]
    fields: tuple[tuple[str, int | str], ...] = ()

    def __str__(self) -> str:
        return self.words

    def event(self, player: int) -> Choice:
        """The event of this player (counted from 1) taking this step."""
        return self.kind(player, **dict(self.fields))


class _Node:
    """A place in the tree of words: the words that may follow, and whether a step ends here."""

    __slots__ = ("ends", "next")

    def __init__(self) -> None:
        self.next: dict[str, _Node] = {}
        self.ends = False


class Vocabulary:
    """The steps of a rule-set at a table of so many players, looked up in every direction."""

    def __init__(
        self, steps: Sequence[Step], players: int, palette: Palette, spellings: Iterable[str] = ()
    ) -> None:
        """`spellings` are further words that people may use; the rule-set says what they mean."""
        self.steps = tuple(steps)
        self.codes_by_words = {step.words: code for code, step in enumerate(steps)}
        self.events = [[step.event(player) for step in steps] for player in range(1, players + 1)]
        """events[player][code]: the event of a step, player counted from 0."""
        self.codes = [{event: code for code, event in enumerate(row)} for row in self.events]
        """codes[player][event]: the code of an event."""
        self.colors = {color: number for number, color in enumerate(palette.names)}
        """The number of each color."""
        self._letter = palette.letter
        self._displays = 2 * players + 1
        self._spellings = tuple(spellings)
        self._root: _Node | None = None

    @cached_property
    def lines(self) -> dict[bytes, tuple[Choice, int]]:
        """The lines of a log that tell a choice, as this engine writes them: the event, and its code.

        A log is mostly such lines, and looking one up is faster than decoding it.
        """
        return {
            encode_line(event)[:-1]: (event, code) for row in self.events for code, event in enumerate(row)
        }

    def _tree(self) -> _Node:
        """All words as a tree; built when somebody first types something."""
        if self._root is None:
            self._root = _Node()
            for words in [*self.codes_by_words, *self._spellings]:
                node = self._root
                for word in words.split():
                    node = node.next.setdefault(word, _Node())
                node.ends = True
        return self._root

    def read(self, text: str) -> list[str]:
        """The steps that were typed, each in its full words; UsageError for words that mean nothing."""
        tokens = text.lower().split()
        root = self._tree()
        found: list[str] = []
        at = 0
        node = root
        while at < len(tokens):
            if not self._matches(tokens[at], root.next):  # no step begins so: the last one might have gone on
                self._word(tokens[at], {**root.next, **node.next}, [])
            node, said = root, list[str]()
            while node.next and at < len(tokens):
                if node.ends and not self._matches(tokens[at], node.next):
                    break
                word = self._word(tokens[at], node.next, said)
                said.append(word)
                node = node.next[word]
                at += 1
            if not node.ends:
                missing = self._choices(node.next, said)
                raise UsageError(f"`{' '.join(said)}` is not complete: {missing} should follow")
            found.append(" ".join(said))
        return found

    def _matches(self, token: str, words: Iterable[str]) -> list[str]:
        """The words that a token can stand for: itself, all that begin so, or else a color by its letter."""
        if token in words:
            return [token]
        begun = [word for word in words if word.startswith(token) and word.isalpha()]
        return begun or [word for word in words if word in self.colors and self._letter(word) == token]

    def _word(self, token: str, words: dict[str, _Node], said: list[str]) -> str:
        """The one word that a token stands for."""
        matches = self._matches(token, words)
        if len(matches) == 1:
            return matches[0]
        after = f" after `{' '.join(said)}`" if said else ""
        if matches:
            raise UsageError(f"`{token}`{after} can mean {listed(matches, 'or')}")
        hint = suggestion(token, words)
        if hint:
            raise UsageError(f"`{token}`{after} means nothing; did you mean `{hint}`?")
        raise UsageError(f"`{token}`{after} means nothing; {self._choices(words, said)} would do")

    def _choices(self, words: Iterable[str], said: list[str]) -> str:
        """The words that may come, a run of numbers as a range; of displays, those that are there."""
        numbers = sorted(int(word) for word in words if word.isdigit())
        names = [word for word in words if not word.isdigit()]
        if said == ["pick"]:
            numbers = [number for number in numbers if number <= self._displays]
        if numbers:
            names.insert(0, f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else str(numbers[0]))
        return listed(names, "or")

    def misfit(self, event: Choice) -> tuple[str | None, str]:
        """Why no step of the game is this event: the field at fault, and what it may be."""
        alike = [step for step in self.steps if step.kind is type(event)]
        for field in event.__struct_fields__:
            known = {dict(step.fields).get(field) for step in alike}
            value = getattr(event, field)
            if field != "player" and value not in known:
                values = sorted((v for v in known if v is not None), key=str)
                return field, f"{value!r} is none of {', '.join(map(str, values))}"
        return None, "no step of this game"


def suggestion(token: str, words: Iterable[str]) -> str | None:
    """The word that was probably meant."""
    import difflib  # only for a slip of the fingers

    near = difflib.get_close_matches(token, [word for word in words if word.isalpha()], 1)
    return near[0] if near else None
