"""Requests of browsers: their bodies, and answers in JSON."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from sintra.errors import (
    Conflict,
    DamagedLog,
    IllegalStep,
    SintraError,
    Unknown,
    Unreadable,
    UsageError,
    WorkersLost,
)
from sintra.text import safe

MAX_STEPS = 20
"""Maximum number of steps in a request."""

Words = Annotated[str, Meta(max_length=200)]
Steps = Annotated[list[Words], Meta(min_length=1, max_length=MAX_STEPS)]
Rows = Annotated[list[Annotated[list[Words], Meta(max_length=20)]], Meta(max_length=20)]


class Body(Struct, forbid_unknown_fields=True):
    """A request about a log with this many events."""

    log: Words
    expect: Annotated[int, Meta(ge=0, le=1 << 53)]


class Play(Body):
    """Steps of one seat."""

    seat: int
    steps: Steps


class Undo(Body):
    """Take back the last step of these seats."""

    seats: Annotated[list[int], Meta(max_length=8)]


class Enter(Body):
    """An arrangement or deal at a real table: words for each question, or colors for each display."""

    rows: Rows


class Seat(Struct, forbid_unknown_fields=True):
    """A seat of a new game: a name, and a bot's name unless a person sits there."""

    name: Annotated[str, Meta(max_length=200)]
    bot: Words | None = None


class New(Struct, forbid_unknown_fields=True):
    """A new game."""

    log: Words
    rules: Words
    seats: Annotated[list[Seat], Meta(min_length=1, max_length=8)]
    side: Words | None = None
    seed: Annotated[str, Meta(pattern="^[0-9]{1,20}$")] | None = None
    """As text: numbers in scripts are not exact."""
    table: bool = False


class Invite(Struct, forbid_unknown_fields=True):
    """A link for another browser."""

    path: Annotated[str, Meta(max_length=500, pattern="^/(?!/)")]


Some = TypeVar("Some", bound=Struct)


async def body_of(request: Request, kind: type[Some]) -> Some:
    """Return the body of a request; raise UsageError if it is not of the expected kind."""
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"the request makes no sense: {error}") from None


def number_of(request: Request, name: str, default: int) -> int:
    """Return a number from the address of a request."""
    text = request.query_params.get(name, "")
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 12):
        raise UsageError(f"{name} must be a number, not {text[:20]!r}")
    return int(text)


def answer(value: Any, status: int = 200) -> Response:
    """Return an answer in JSON."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")


STATUS: tuple[tuple[type[SintraError], int], ...] = (
    (UsageError, 400),
    (IllegalStep, 422),
    (Conflict, 409),
    (Unreadable, 404),
    (DamagedLog, 422),
    (Unknown, 422),
    (WorkersLost, 500),
)


def refused(error: SintraError, message: str) -> Response:
    """Return an error, with this message, as an answer in JSON."""
    status = next((code for kind, code in STATUS if isinstance(error, kind)), 500)
    return answer({**error.details(), "message": safe(message)}, status)
