"""The protocol between a referee and a bot: one JSON object per line, and a line of words for an answer.

The referee sends `hello`, then every event of the log as it happens (the seed of `created` is null), `choose`
when it is the bot's turn, and `over`. The bot answers each `choose` with one line: one of the legal steps in
words, or an object with it as `step`.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from sintra.bots.faults import Fault
from sintra.errors import IllegalStep, UsageError
from sintra.game import Game
from sintra.log.events import Created, Event, OptionValue

PROTOCOL = 1
"""The version of the protocol."""


class Hello(Struct, frozen=True, tag_field="type", tag="hello"):
    """A game begins. `seed` is for the bot's own draws; it does not lead to the game's."""

    protocol: int
    rules: str
    options: dict[str, OptionValue]
    players: tuple[str, ...]
    seat: int
    seed: int
    move_time: float
    init_time: float


class Choose(Struct, frozen=True, tag_field="type", tag="choose"):
    """It is the bot's turn: `number` is the event that its answer becomes, `time` is in seconds."""

    number: int
    legal: list[str]
    time: float


class Over(Struct, frozen=True, tag_field="type", tag="over"):
    """The game is over; another `hello` may follow. `winners` are seats.

    `reason` is `ended` (by the rules), `rounds` (too many of them), `forfeit` or `stopped`.
    """

    scores: list[int]
    winners: list[int]
    reason: str


class Answer(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer with remarks; `info` may hold anything, and is ignored."""

    step: str
    info: dict[str, Any] = {}


_encoder = msgspec.json.Encoder()
_answer = msgspec.json.Decoder(Answer | str)


def line(message: Struct) -> bytes:
    """Return a message as a line."""
    return _encoder.encode(message) + b"\n"


def event_line(event: Event) -> bytes:
    """Return an event as bots see it: as in the log, but without the seed."""
    if isinstance(event, Created):
        event = msgspec.structs.replace(event, seed=None)
    return _encoder.encode(event) + b"\n"


def step_of(answer: str) -> str:
    """Return the words of an answer; raise Fault if it is damaged JSON."""
    if not answer.startswith(("{", '"')):
        return answer
    try:
        found = _answer.decode(answer)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Fault("not-understood", f"it answered {answer[:80]!r}: {error}") from None
    return found if isinstance(found, str) else found.step


def code_of(game: Game, answer: str) -> int:
    """Return the code of the step that a bot answered, checked as `move` checks it; raise Fault."""
    words = step_of(answer)
    try:
        return game.code_of(words)
    except IllegalStep as error:
        raise Fault("illegal", f"it answered {words[:80]!r}: {error}") from None
    except UsageError as error:
        raise Fault("not-understood", f"it answered {words[:80]!r}: {error}") from None
