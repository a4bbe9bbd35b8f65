"""`sintra serve`."""

from __future__ import annotations

import signal
from typing import Annotated

from sintra.cli.options import (
    Argument,
    InitTimeOption,
    MemoryOption,
    MoveTimeOption,
    Option,
    QuietOption,
    limits_of,
)
from sintra.cli.output import remark, say
from sintra.errors import UsageError

PORT = 8033


def serve(
    path: Annotated[
        str | None, Argument(metavar="PATH", help="Folder of logs, or one log (default: this folder).")
    ] = None,
    port: Annotated[
        int, Option("--port", help="Port; 0 picks a free one.", metavar="N", min=0, max=65535)
    ] = PORT,
    host: Annotated[str, Option(help="Address to listen on; 0.0.0.0 for all.", metavar="HOST")] = "127.0.0.1",
    name: Annotated[
        list[str] | None,
        Option(help="Additional host name of this machine; repeatable.", metavar="HOST"),
    ] = None,
    open: Annotated[bool, Option("--open", help="Open the browser.")] = False,
    bot: Annotated[
        list[str] | None,
        Option(
            help="Additional bot to offer: module:function or cmd:PROGRAM; repeatable.",
            metavar="NAME",
        ),
    ] = None,
    pace: Annotated[float, Option(help="Seconds before a bot's step.", min=0, max=60, metavar="S")] = 0.8,
    move_time: MoveTimeOption = None,
    init_time: InitTimeOption = None,
    memory: MemoryOption = None,
    quiet: QuietOption = False,
) -> int:
    """Play and watch in a browser on this machine (extra `web`).

    Prints a link to a menu: continue a game in the folder or start a new one, against bots, with others at
    the same screen or in other browsers, or guiding a real table. If PATH is a log, serves only that game.
    Games are ordinary logs, written as `move` writes them. The link contains a secret: share it only with
    people who may play. Ctrl-C stops the server; nothing is lost.

    \b
    sintra serve --open
    sintra serve games --port 9000 --pace 0.3
    """
    from importlib.util import find_spec

    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise UsageError("playing in the browser needs an extra: pip install 'sintra[web]'")
    if pace != pace:  # not a number, which no comparison notices
        raise UsageError("--pace takes seconds from 0 to 60")
    from secrets import token_urlsafe

    from sintra.cli.seats import check_bots
    from sintra.web.server import Wishes, is_local
    from sintra.web.server import serve as run

    offered = tuple(bot or ())
    check_bots(offered, quiet)
    limits = limits_of(move_time, init_time, memory)
    secrets = token_urlsafe(24), token_urlsafe(24)
    wishes = Wishes(path or ".", host, port, *secrets, tuple(name or ()), offered, pace, limits)

    def ready(link: str) -> None:
        if not is_local(host):
            remark(
                "sintra: others in your network can reach this server, and what they send can be read on the "
                "way: the link is the key, share it only with people you trust"
            )
        say(link)
        _flush()
        if not quiet:
            remark("sintra: open this link in a browser; Ctrl-C ends the server")
        if open:
            import webbrowser

            webbrowser.open(link)

    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # a browser that leaves must not end the server
    run(wishes, ready)
    return 0


def _flush() -> None:
    """Let whoever reads the output have the link at once."""
    import sys

    sys.stdout.flush()
