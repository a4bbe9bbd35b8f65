"""A game as a code: a short text of letters and digits that gives its log back.

A code is, from left to right,

    1 character    the version of codes
    the game       one number, written with the 62 letters and digits
    3 characters   a check of the log that comes out
    3 characters   a check of the characters before

The number encodes the rules, players and seed, then the index of each choice among the legal ones, packed
with mixed radices: a forced choice takes no room. Deals that follow from the seed are drawn again; others are
packed, piece by piece. The first check ensures that the rules and printed tables are those that the code was
made with.
"""

from __future__ import annotations

import re
from math import log2
from os import PathLike
from zlib import crc32

from msgspec.structs import replace

from sintra.api import game_of
from sintra.errors import SintraError, UnknownFormat, UsageError
from sintra.fold import Fold
from sintra.game import Game
from sintra.log.codec import encode_lines
from sintra.log.events import Event, Noted, seed_remark
from sintra.rules.digits import BadDigits, Digits, TooManyDigits
from sintra.share.script import Script
from sintra.text import typed

VERSION = "1"
ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
BASE = len(ALPHABET)
CHECK = 3
"""Characters of each check."""
MAX_CODE_CHARACTERS = 1 << 16
"""Maximum length of a code, in characters. A typical game has about a hundred."""
LINK = "#code="
"""What comes before the code in a link."""


def code(game: Game | str | PathLike[str], *, names: bool = False) -> str:
    """Return a game, or a log file, as a short text for `decode`.

    Names and remarks are left out, unless `names` is true.
    """
    game = game_of(game)
    wanted = game if names else Game(*_unnamed(game))
    digits = Digits(most_bits=MAX_CODE_CHARACTERS * log2(BASE))
    try:
        Script(digits, wanted).run()
        payload = digits.packed()
        played = Script(Digits(payload)).run()
    except TooManyDigits:  # encoding would take ever longer
        raise UsageError(TOO_LONG) from None
    except (BadDigits, RecursionError):
        played = None
    if played is None or played.events != wanted.events:
        raise UsageError(f"this game of {game.rules.title} has draws or choices that a code can't hold")
    text = VERSION + _written(payload) + check_of(encode_lines(wanted.events))
    if len(text) + CHECK > MAX_CODE_CHARACTERS:
        raise UsageError(TOO_LONG)
    return text + check_of(text.encode())


def decode(text: str) -> Game:
    """Return the game from a code, or a link that ends with one; raise UsageError if it is mistyped."""
    typed(text, str)
    text = "".join(text.split()).rpartition(LINK)[2]
    if len(text) > MAX_CODE_CHARACTERS:
        raise UsageError(f"a code has at most {MAX_CODE_CHARACTERS} characters")
    strange = re.search(r"[^0-9A-Za-z]", text)
    if strange:
        raise UsageError(f"{strange[0]!r} can't be in a code: codes have only letters and digits")
    body, check = text[:-CHECK], text[-CHECK:]
    if len(body) < 2 + CHECK or check_of(body.encode()) != check:
        raise UsageError(MISTYPED)
    if body[0] != VERSION:
        raise UnknownFormat(f"the code has version {body[0]}; this version reads {VERSION} (update sintra)")
    if body[1] == ALPHABET[0]:  # a number can only be spelled one way
        raise UsageError(MISTYPED)
    game = _played(_read(body[1:-CHECK]))
    if check_of(encode_lines(game.events)) != body[-CHECK:]:
        raise UsageError(OTHER)
    return game


TOO_LONG = f"the game is too long: a code has at most {MAX_CODE_CHARACTERS} characters"
MISTYPED = "the code is mistyped or cut: its check does not match"
OTHER = "the code leads to another game than it was made from: it needs another version of the rules"


def _played(payload: int) -> Game:
    """Return the game of a number whose check was right."""
    try:
        return Script(Digits(payload)).run()
    except SintraError as error:
        if error.exit_code == UnknownFormat.exit_code:  # of the format, or the rules
            raise
        raise UsageError(f"{OTHER} ({error})") from None
    except (BadDigits, RecursionError) as error:
        raise UsageError(f"{OTHER} ({error})") from None


def _unnamed(game: Game) -> tuple[Fold, list[Event]]:
    """Return a game without names and remarks, except the remarks that say where a seed begins to count."""
    names = tuple(f"Player {number}" for number in range(1, len(game.players) + 1))
    created = replace(game.created, players=names)
    fold = Fold(game.rules, created)
    events: list[Event] = [created]
    for number, event in enumerate(game.events[1:], 2):
        if isinstance(event, Noted):
            if event != seed_remark(number + 1):
                continue
            event = seed_remark(len(events) + 2)
        fold.take(event)
        events.append(event)
    return fold, events


def left_out(game: Game) -> str:
    """Return what a code without names leaves out, in words; empty if nothing."""
    from sintra.text import plural

    remarks = sum(
        isinstance(event, Noted) and event != seed_remark(number + 1)
        for number, event in enumerate(game.events, 1)
    )
    named = any(name != f"Player {number}" for number, name in enumerate(game.players, 1))
    parts = ["the names"] * named + [plural(remarks, "remark")] * (remarks > 0)
    return " and ".join(parts)


# -- Characters ------------------------------------------------------------------------------


def _written(number: int) -> str:
    text = ""
    while number:
        number, digit = divmod(number, BASE)
        text += ALPHABET[digit]
    return text[::-1]


def _read(text: str) -> int:
    number = 0
    for character in text:
        number = number * BASE + ALPHABET.index(character)
    return number


def check_of(data: bytes) -> str:
    """Return the check characters of some bytes."""
    return _written(crc32(data) % BASE**CHECK).rjust(CHECK, ALPHABET[0])
