"""The other side of the protocol: a built-in bot as a program that any referee can ask."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf
from typing import Any

import msgspec
from msgspec.structs import replace

from sintra import catalog
from sintra.bots.clock import answering_within
from sintra.bots.names import maker
from sintra.bots.protocol import PROTOCOL
from sintra.bots.simple import Bot
from sintra.errors import DamagedLog, UsageError
from sintra.fold import Fold
from sintra.log.codec import decode_created, decode_line, line_decoder
from sintra.log.events import COMMON
from sintra.rules.chance import Chance, Stream

RESERVE = 0.1
"""The share of an answer's time that is reserved for sending it, and its maximum in seconds."""


class _Kind(msgspec.Struct):
    type: str


class _Hello(msgspec.Struct):
    """What matters here of `hello`: a referee without time limits may leave these out, or say null."""

    protocol: int
    seed: int


class _Question(msgspec.Struct):
    time: float | None = None


_kind = msgspec.json.Decoder(_Kind)
_question = msgspec.json.Decoder(_Question)
_hello = msgspec.json.Decoder(_Hello)


class Server:
    """A bot that follows a game line by line."""

    def __init__(self, name: str) -> None:
        self._make = maker(name)
        self._bot: Bot | None = None
        self._fold: Fold | None = None
        self._stream: Stream = Chance(0).stream("choices")
        self._decoder: Any = None
        self._events = {
            event.__struct_config__.tag for rules in catalog.installed()[0] for event in COMMON + rules.lines
        }

    def take(self, line: bytes) -> str | None:
        """Take a line from the referee; return the answer if it is a question."""
        try:
            kind = _kind.decode(line).type
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise UsageError(f"not a message of the protocol: {line[:80]!r}") from None
        if kind == "hello":
            self._begin(line)
        elif kind == "created":
            created = decode_created(line)
            chance = "system" if created.chance == "seeded" else created.chance  # the seed is hidden from us
            rules = catalog.find(created.rules)
            self._fold = Fold(rules, replace(created, chance=chance, seed=None))
            self._decoder = line_decoder(rules.lines)
        elif kind == "choose":
            return self._choose(line)
        elif kind in self._events:  # `over`, and whatever a newer referee says, changes nothing
            if self._fold is None:
                raise UsageError(f"{kind} before created: the referee has to send every event")
            self._fold.take(decode_line(self._decoder, line, 0))
        return None

    def _begin(self, line: bytes) -> None:
        """Begin a game."""
        try:
            hello = _hello.decode(line)
        except msgspec.DecodeError as error:
            raise UsageError(f"hello: {error}") from None
        if hello.protocol != PROTOCOL:
            raise UsageError(f"the referee speaks protocol {hello.protocol}; this is protocol {PROTOCOL}")
        self._bot, self._fold = self._make(), None
        self._stream = Chance(hello.seed).stream("choices")

    def _choose(self, line: bytes) -> str:
        """Answer a question; a bot that watches the clock answers in time."""
        if self._fold is None or self._bot is None:
            raise UsageError("choose before hello and created")
        try:
            time = _question.decode(line).time
        except msgspec.DecodeError as error:
            raise UsageError(f"choose: {error}") from None
        state = self._fold.state
        with answering_within(time - min(RESERVE, RESERVE * time) if time and time > 0 else inf):
            return self._fold.steps[self._bot(state, self._stream)].words


def serve(name: str, lines: Iterable[bytes], answer: Callable[[str], object]) -> None:
    """Let a bot answer the questions in a stream of lines."""
    server = Server(name)
    for number, line in enumerate(lines, 1):
        try:
            text = server.take(line)
        except DamagedLog as error:
            error.line = number
            raise
        if text is not None:
            answer(text)
