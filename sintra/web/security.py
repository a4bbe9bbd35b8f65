"""Who may talk to the server: exact names in Host and Origin, a secret, and small bodies of JSON."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from hmac import compare_digest
from html import escape
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, quote

import msgspec
from msgspec import Struct
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sintra.rules.colors import Palette
from sintra.web.page import asset, document, hash_of, policy, text
from sintra.web.skeleton import table_style

MAX_BODY_BYTES = 1 << 16
"""Maximum length of the body of a request, in bytes."""
KEY = "key"
"""The parameter of the first address that has the secret."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
)
"""The headers of every answer."""
ONWARD = "location.replace(document.querySelector('a').href + location.hash)"
WELCOME = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>sintra</title>'
    '<link rel="icon" href="data:,">'
    '<noscript><meta http-equiv="refresh" content="0;url=%s"></noscript><p><a href="%s">Go on</a></p>'
    f"<script>{ONWARD}</script></html>"
)
"""The answer to the secret: a page that moves on by itself, and keeps the part after the # of its address.

The cookie is Strict: a redirect that follows a link on another page would arrive without it.
"""


class Gate(Struct, frozen=True):
    """The requirements for a request."""

    hosts: frozenset[str]
    """The exact values of `Host`."""
    secret: str
    """The secret in the first address."""
    session: str
    """The secret in the cookie from then on."""
    cookie: str
    """The name of the cookie: browsers share cookies among the ports of a host."""

    @property
    def origins(self) -> frozenset[str]:
        """The exact values of `Origin`."""
        return frozenset(f"http://{host}" for host in self.hosts)


def hosts_of(names: Iterable[str], port: int) -> frozenset[str]:
    """Return the values of `Host` for a server with these names."""
    found = {host_of(name, port) for name in names}
    return frozenset(found | {host.removesuffix(":80") for host in found})


def host_of(name: str, port: int) -> str:
    """Return a name and a port as a value of `Host`."""
    return f"[{name}]:{port}".lower() if ":" in name else f"{name}:{port}".lower()


class Refused(Exception):
    """A request is refused: the status, and the reason."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Guard:
    """Middleware that only lets requests of our browsers through."""

    def __init__(self, app: ASGIApp, gate: Gate) -> None:
        self._app = app
        self._gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on with its whole body."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # no web sockets
            return
        try:
            headers = _headers(scope)
            self._check_place(scope, headers)
            if (page := self._welcomed(scope)) is not None:
                own = POLICY.replace("script-src 'self'", f"script-src {hash_of(ONWARD)}").encode()
                more = [(b"content-security-policy", own), *self._set_cookie()]
                await _answer(send, 200, b"text/html; charset=utf-8", page.encode(), more)
                return
            self._check_cookie(headers)
            if scope["method"] == "POST":
                receive = _given(await _body(headers, receive))
        except Refused as refusal:
            await _refuse(scope, send, refusal)
            return
        await self._app(scope, receive, _with_headers(send))

    def _check_place(self, scope: Scope, headers: dict[bytes, bytes]) -> None:
        """Refuse requests from or to other origins: no page elsewhere may use one of our browsers."""
        host = headers.get(b"host", b"").decode("latin-1").lower()
        if host not in self._gate.hosts:
            raise Refused(421, f"this server is not {host or 'without a name'}")
        origin = headers.get(b"origin")
        if origin is not None and origin.decode("latin-1").lower() not in self._gate.origins:
            raise Refused(403, "requests from other pages are refused")
        if scope["method"] not in ("GET", "HEAD", "POST"):
            raise Refused(405, "only GET and POST are answered")
        if scope["method"] == "POST" and origin is None:
            raise Refused(403, "a request that changes something must name its origin")

    def _welcomed(self, scope: Scope) -> str | None:
        """Return the page for a request with the right secret; refuse a wrong one."""
        given = parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=20).get(KEY)
        if given is None:
            return None
        if not compare_digest(given[0].encode(), self._gate.secret.encode()):
            raise Refused(403, "this link is not for this server: open the one that `sintra serve` printed")
        rest = [
            part for part in scope["query_string"].decode("latin-1").split("&") if not part.startswith(KEY)
        ]
        onward = quote(scope["path"]) + (f"?{'&'.join(rest)}" if rest else "")
        return WELCOME % ((escape(onward if onward.startswith("/") and onward[1:2] != "/" else "/"),) * 2)

    def _set_cookie(self) -> list[tuple[bytes, bytes]]:
        gate = self._gate
        cookie = f"{gate.cookie}={gate.session}; HttpOnly; SameSite=Strict; Path=/"
        return [(b"set-cookie", cookie.encode())]

    def _check_cookie(self, headers: dict[bytes, bytes]) -> None:
        try:
            cookies = SimpleCookie(headers.get(b"cookie", b"").decode("latin-1"))
        except CookieError:
            cookies = SimpleCookie()
        found = cookies.get(self._gate.cookie)
        if found is None or not compare_digest(found.value.encode(), self._gate.session.encode()):
            raise Refused(403, "open the link that `sintra serve` printed: it lets this browser in")


def _headers(scope: Scope) -> dict[bytes, bytes]:
    """Return the headers by name; refuse duplicates of those that must be unique."""
    found: dict[bytes, bytes] = {}
    for name, value in scope["headers"]:
        if name in found and name in (b"host", b"origin", b"content-type", b"content-length"):
            raise Refused(400, f"the header {name.decode('latin-1')} is given twice")
        found[name] = found[name] + b"; " + value if name in found and name == b"cookie" else value
    return found


async def _body(headers: dict[bytes, bytes], receive: Receive) -> bytes:
    """Return the body of a request, which has to be short JSON; the rest of a long one is not read."""
    kind = headers.get(b"content-type", b"").decode("latin-1").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refused(415, "only application/json is read")
    length = headers.get(b"content-length", b"0")
    if not length.isdigit() or int(length) > MAX_BODY_BYTES:
        raise Refused(413, f"a request may have at most {MAX_BODY_BYTES} bytes")
    data = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Refused(400, "the request has ended too early")
        data += bytes(message.get("body", b""))
        if len(data) > MAX_BODY_BYTES:
            raise Refused(413, f"a request may have at most {MAX_BODY_BYTES} bytes")
        if not message.get("more_body"):
            return data


def _given(data: bytes) -> Receive:
    """Return a `receive` for a body that was already read."""
    messages = [{"type": "http.request", "body": data, "more_body": False}]

    async def receive() -> Message:
        return messages.pop() if messages else {"type": "http.disconnect"}

    return receive


def _with_headers(send: Send) -> Send:
    """Return a `send` that adds the headers of every answer; an answer may have its own policy."""

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", ()))
            given = {name for name, _ in headers}
            headers += [(name, value) for name, value in HEADERS if name not in given]
            if b"content-security-policy" not in given:
                headers.append((b"content-security-policy", POLICY.encode()))
            message = {**message, "headers": headers}
        await send(message)

    return guarded


async def _refuse(scope: Scope, send: Send, refusal: Refused) -> None:
    """Answer programs in JSON, browsers with a page, and others in plain text."""
    more = [(b"connection", b"close")]
    if scope["path"].startswith("/api/"):
        kind, body = b"application/json", msgspec.json.encode({"error": "refused", "message": str(refusal)})
    elif any(name == b"accept" and b"text/html" in value for name, value in scope["headers"]):
        kind, body = b"text/html; charset=utf-8", _page(refusal).encode()
        own = f"{policy(_style(), '')}; frame-ancestors 'none'".encode()
        more.append((b"content-security-policy", own))
    else:
        kind, body = b"text/plain; charset=utf-8", f"sintra: {refusal}\n".encode()
    await _answer(send, refusal.status, kind, body, more)


def _page(refusal: Refused) -> str:
    """Return a self-contained page: whoever is refused gets none of our files."""
    said = str(refusal)
    said = text(f"{said[:1].upper()}{said[1:]}.")
    words = f'<section class="sheet"><h1>This can’t be shown</h1><p>{said}</p></section>'
    return document("sintra", f'<main class="menu">{words}</main>', style=_style())


@cache
def _style() -> str:
    return table_style(Palette()) + asset("table.css") + asset("serve.css")


async def _answer(
    send: Send, status: int, kind: bytes, body: bytes, more: list[tuple[bytes, bytes]] | None = None
) -> None:
    headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode()), *(more or [])]
    send = _with_headers(send)
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
