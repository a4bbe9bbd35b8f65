"""Running the server: its socket, its names, and a quick shutdown."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable, Iterable
from types import FrameType
from urllib.parse import quote

import uvicorn
from msgspec import Struct

from sintra.bots.process import Limits
from sintra.errors import Conflict, UsageError
from sintra.text import reason
from sintra.web.app import Server
from sintra.web.folder import Folder
from sintra.web.house import House
from sintra.web.security import KEY, Gate, host_of, hosts_of

LOOPBACK = ("127.0.0.1", "localhost", "::1")
ANY = ("0.0.0.0", "::")
PATIENCE = 1
"""Time to wait for open requests at shutdown, in seconds."""


class Wishes(Struct, frozen=True):
    """Settings of a server: `secret` and `session` must be hard to guess; `names` are more host names."""

    path: str
    host: str
    port: int
    secret: str
    session: str
    names: tuple[str, ...] = ()
    offered: tuple[str, ...] = ()
    pace: float = 0.8
    limits: Limits | None = None


def is_local(host: str) -> bool:
    """Return True if only this machine can reach a host."""
    return host in LOOPBACK or host.startswith("127.")


def bound(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address; raise an error that says what would work."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
        found.listen(128)  # before the address is printed
    except OSError as error:
        found.close()
        if error.errno == errno.EADDRINUSE:
            raise Conflict(
                f"port {port} is taken; choose another with --port, or --port 0 for any free one"
            ) from None
        raise UsageError(f"can't serve at {host}, port {port}: {reason(error)}") from None
    except OverflowError:
        found.close()
        raise UsageError(f"no port {port}: ports go from 0 to 65535") from None
    return found


def names_of(host: str, names: Iterable[str]) -> list[str]:
    """Return the names that browsers may use for this host; for all addresses, those of this machine."""
    found = [host] if host not in ANY else []
    if host in ANY:
        found += _addresses()
    if is_local(host) or host in ANY:
        found += ["127.0.0.1", "localhost"]
    return list(dict.fromkeys([*names, *found]))


def _addresses() -> list[str]:
    """Return this machine's name and network address, as far as known."""
    found = [socket.gethostname()]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it only picks the address to send from
            found.insert(0, str(probe.getsockname()[0]))
        except OSError:
            pass
    return found


class _Uvicorn(uvicorn.Server):
    """A server that ends open streams as soon as it is asked to stop."""

    def __init__(self, config: uvicorn.Config, stopping: Callable[[], None]) -> None:
        super().__init__(config)
        self._stopping = stopping

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop on a signal."""
        self._stopping()
        super().handle_exit(sig, frame)


def serve(wishes: Wishes, ready: Callable[[str], None]) -> None:
    """Serve until a signal ends it; `ready` is called with the first address when the server listens."""
    folder = Folder(wishes.path, wishes.offered)
    with bound(wishes.host, wishes.port) as listening:
        port = int(listening.getsockname()[1])
        asyncio.run(_serve(wishes, folder, listening, port, ready))


async def _serve(
    wishes: Wishes, folder: Folder, listening: socket.socket, port: int, ready: Callable[[str], None]
) -> None:
    names = names_of(wishes.host, wishes.names)
    gate = Gate(hosts_of(names, port), wishes.secret, wishes.session, f"sintra-{port}")
    address = f"http://{host_of(names[0], port)}"
    start = "/" if folder.only is None else f"/game?log={quote(folder.only)}"
    house = House(folder, wishes.pace, wishes.limits)
    loop = asyncio.get_running_loop()
    config = uvicorn.Config(
        Server(house, gate, address, start).app(),
        http="h11",
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=PATIENCE,
    )

    def stopping() -> None:
        loop.call_soon_threadsafe(house.close)

    server = _Uvicorn(config, stopping)
    ready(f"{address}/?{KEY}={wishes.secret}")
    try:
        await server.serve(sockets=[listening])
    finally:
        house.close()
        house.end_programs()
