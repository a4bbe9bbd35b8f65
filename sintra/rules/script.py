"""Scripted chance: every draw of an arrangement is a choice. Compiled, because chance is."""

from __future__ import annotations

from sintra._mypyc import i64
from sintra.rules.chance import Chance, Stream


class Undrawn(Exception):
    """The next draw is not known yet: one of `below` numbers, all equally likely."""

    def __init__(self, below: int) -> None:
        super().__init__(f"one of {below}")
        self.below = below


class Script(Chance):
    """Returns the numbers of a list one by one, whatever they are for; then raises Undrawn."""

    def __init__(self, drawn: list[int]) -> None:
        super().__init__(None)
        self.drawn = drawn
        self.at = 0

    def stream(self, label: str) -> Stream:  # noqa: ARG002 - all streams are one here
        """Return the stream for one purpose: the same one for all."""
        return ScriptStream(self)

    def draw(self, below: int) -> int:
        """Return the next number."""
        if self.at == len(self.drawn):
            raise Undrawn(below)
        self.at += 1
        return self.drawn[self.at - 1]


class ScriptStream(Stream):
    """The stream of a script."""

    def __init__(self, script: Script) -> None:
        super().__init__(0, 0, 0, 0)
        self.script = script

    def below(self, n: i64) -> i64:
        """Return the next number of the script."""
        return self.script.draw(n)

    def word(self) -> i64:
        """Not supported: a script has no bits, only draws."""
        raise NotImplementedError
