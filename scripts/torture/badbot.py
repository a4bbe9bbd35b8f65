"""A bot that plays well for a while, and then fails in one of many ways: `badbot.py KIND [AFTER]`.

It is run by path, without the package. It answers AFTER questions with the first legal step before it fails.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable

LONG = 3600.0
ESCAPES = "\x1b]0;owned\x07\x1b[2J\x1b[31m"


def say(text: str) -> None:
    """Print at once."""
    sys.stdout.write(text)
    sys.stdout.flush()


def play(legal: list[str]) -> None:
    """Answer as one should."""
    say(f"{legal[0]}\n")


def silent(_: list[str]) -> None:
    """Say nothing, and read on."""


def ends(_: list[str]) -> None:
    """Leave with a word."""
    sys.stderr.write("I have had enough\n")
    sys.exit(3)


def garbage(_: list[str]) -> None:
    """Answer with bytes that are no text."""
    os.write(1, b"\xff\x00\xfe{[\n")


def escapes(_: list[str]) -> None:
    """Answer with codes that a terminal would obey."""
    sys.stderr.write(f"{ESCAPES}watch me\n")
    say(f"{ESCAPES}\n")


def floods(_: list[str]) -> None:
    """Print without an end, and without a newline."""
    while True:
        os.write(1, b"x" * 65536)


def floods_errors(_: list[str]) -> None:
    """Complain without an end."""
    while True:
        os.write(2, b"and another thing\n" * 1000)


def keeps(legal: list[str]) -> None:
    """Answer, but leave it in the buffer."""
    sys.stdout.write(f"{legal[0]}\n")


def child(_: list[str]) -> None:
    """Leave a child behind that holds the pipes."""
    if os.fork() == 0:
        time.sleep(LONG)
    os._exit(0)


def daemon(_: list[str]) -> None:
    """Go on in the background, in another session, deaf to signals; leave when that is done."""
    done, tell = os.pipe()
    if os.fork():
        os.read(done, 1)
        os._exit(0)
    os.setsid()
    if os.fork():
        os._exit(0)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    os.write(tell, b"x")
    time.sleep(LONG)


def stubborn(_: list[str]) -> None:
    """Ignore every request to end, also that of the input."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(LONG)


def memory(_: list[str]) -> None:
    """Take memory until there is none."""
    taken = []
    while True:
        taken.append(bytearray(1 << 24))


def ahead(legal: list[str]) -> None:
    """Answer a question that was not asked."""
    say(f"{legal[0]}\n{legal[0]}\n")


def illegal(legal: list[str]) -> None:
    """Answer with a step of another moment."""
    say("place 1\n" if legal[0].startswith("pick") else "pick 1 blue\n")


def slow(legal: list[str]) -> None:
    """Think for too long."""
    time.sleep(5)
    play(legal)


def loop(_: list[str]) -> None:
    """Think for ever."""
    while True:
        pass


KINDS: dict[str, Callable[[list[str]], None]] = {
    made.__name__.replace("_", "-"): made
    for made in (
        *(silent, ends, garbage, escapes, floods, floods_errors, keeps, child),
        *(daemon, stubborn, memory, ahead, illegal, slow, loop),
    )
}
"""Every way to fail, by name."""


def main(kind: str, after: int = 0) -> None:
    """Play, and then fail."""
    answered = 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "choose":
            answer = KINDS[kind] if answered >= after and kind in KINDS else play
            answered += 1
            answer(message["legal"])


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
