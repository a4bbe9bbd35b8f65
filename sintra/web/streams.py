"""Server-sent events: every event of a log, once and in order, to each watching browser."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import msgspec
from starlette.types import Receive, Scope, Send

STILL_THERE = 15
"""Time after which a quiet stream sends a sign of life, in seconds."""
AGAIN = 1000
"""Time after which a browser reconnects, in milliseconds."""


def message(kind: str, data: object, number: int | None = None) -> bytes:
    """Return a server-sent event; browsers that reconnect send the last `number` they got."""
    head = "" if number is None else f"id: {number}\n"
    return f"{head}event: {kind}\ndata: ".encode() + msgspec.json.encode(data) + b"\n\n"


class StreamAnswer:
    """An answer that goes on until all messages are sent, or the browser leaves."""

    def __init__(self, messages: AsyncIterator[bytes], ended: Callable[[], None]) -> None:
        """`ended` is called once at the end, whatever happens."""
        self._messages = messages
        self._ended = ended

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Send messages as they come."""
        sending = asyncio.ensure_future(self._send(send))
        leaving = asyncio.ensure_future(_left(receive))
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, leaving):
                task.cancel()
            await asyncio.gather(sending, leaving, return_exceptions=True)
            self._ended()

    async def _send(self, send: Send) -> None:
        headers = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": f"retry: {AGAIN}\n\n".encode(), "more_body": True})
        async for data in self._messages:
            await send({"type": "http.response.body", "body": data, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


async def _left(receive: Receive) -> None:
    """Wait until the browser has left."""
    while (await receive())["type"] != "http.disconnect":
        pass
