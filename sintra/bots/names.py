"""Computer players by name: the built-in ones, and custom ones as `module:function`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from operator import index
from typing import Any

from sintra.bots.simple import Bot, greedy, random
from sintra.errors import UsageError
from sintra.rules.chance import Chance, Stream
from sintra.rules.state import State
from sintra.text import place

BOTS: dict[str, Bot] = {"random": random, "greedy": greedy}
"""The built-in bots by name."""


def choose(bot: Bot, state: State, chance: Chance, events: int) -> int:
    """Return a bot's choice for the player to move, in a log of this many events.

    Its draws depend on the seed, the seat and the number of events only, so that a resumed game goes on as it
    would have without the break.
    """
    return bot(state, chance.stream(f"bot {state.player + 1} {events}"))


def find(name: str) -> Bot:
    """Return the bot of this name; raise UsageError if there is none."""
    if name in BOTS:
        return BOTS[name]
    if not is_custom(name):
        known = f"{', '.join(BOTS)}, or your own as module:function"
        raise UsageError(f"unknown computer player {name!r}; available: {known}")
    return _guarded(name, _imported(name))


def is_custom(name: str) -> bool:
    """Return whether a name has the form of a custom bot's: `module:function`."""
    module, _, function = name.partition(":")
    return all(word.isidentifier() for word in [*module.split("."), function])


def name_of(bot: object) -> str:
    """Return the name of a bot given by name, or as a function that can be imported by name."""
    if isinstance(bot, str):
        return bot
    for known, function in BOTS.items():
        if function is bot:
            return known
    name = f"{getattr(bot, '__module__', '')}:{getattr(bot, '__qualname__', '')}"
    if not is_custom(name) or _imported(name) is not bot:
        kinds = "a name, or a function that other processes can import"
        raise UsageError(f"a computer player must be {kinds}, not {bot!r}")
    return name


def look_here(names: Iterable[str]) -> None:
    """Let custom bots be imported from the current folder, too, after all other places."""
    if "" not in sys.path and any(map(is_custom, names)):
        sys.path.append("")


def _imported(name: str) -> Any:
    """Return a custom bot as it is."""
    module, _, function = name.partition(":")
    try:
        there = import_module(module)
        found = getattr(there, function, None)
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {error}{place(error)}"
        raise UsageError(f"can't import the computer player {name}: {reason}") from error
    if not callable(found):
        own = [key for key, made in vars(there).items() if getattr(made, "__module__", "") == module]
        raise UsageError(f"{module} has no function {function!r}; it has: {', '.join(own) or 'none'}")
    return found


def _guarded(name: str, custom: Callable[..., Any]) -> Bot:
    """Return a custom bot that can't harm the game: it gets a copy, and its answer is checked."""

    def bot(state: State, stream: Stream) -> int:
        try:
            answer = custom(state.copy(), stream)
        except (Exception, SystemExit) as error:
            failure = f"{type(error).__name__}: {_shown(error, str)}{place(error)}"
            raise UsageError(f"the computer player {name} failed: {failure}") from error
        try:
            code = index(answer)
        except Exception:
            code = -1
        if code not in state.legal():
            raise UsageError(f"the computer player {name} returned {_shown(answer)}, not a legal step")
        return code

    return bot


def _shown(thing: object, how: Callable[[object], str] = repr) -> str:
    """Return a custom object as text; if that fails, the name of its type."""
    try:
        return how(thing)[:80]
    except Exception:
        return type(thing).__name__
