"""Computer players by name."""

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

BOTS: dict[str, Bot] = {"random": random, "greedy": greedy}
"""The bots by name."""


def choose(bot: Bot, state: State, chance: Chance, events: int) -> int:
    """A bot's choice in the seat that has to choose, after so many events of a log.

    What it draws is decided by the seed, the seat and the number of events, so that a game that is resumed
    goes on as it would have gone on.
    """
    return bot(state, chance.stream(f"bot {state.player + 1} {events}"))


# -- By name ---------------------------------------------------------------------------------


def find(name: str) -> Bot:
    """The bot of this name; UsageError if there is none."""
    if name in BOTS:
        return BOTS[name]
    if not is_own(name):
        known = f"{', '.join(BOTS)}, and your own: module:function"
        raise UsageError(f"there is no computer player {name!r}; there are {known}")
    return _watched(name, _imported(name))


def is_own(name: str) -> bool:
    """Whether a name is one of a bot of somebody's own: `module:function`."""
    module, _, function = name.partition(":")
    return all(word.isidentifier() for word in [*module.split("."), function])


def name_of(bot: object) -> str:
    """The name of a bot that is given by it, or as the function itself, if that is found by its name."""
    if isinstance(bot, str):
        return bot
    for known, function in BOTS.items():
        if function is bot:
            return known
    name = f"{getattr(bot, '__module__', '')}:{getattr(bot, '__qualname__', '')}"
    if not is_own(name) or _imported(name) is not bot:
        kinds = "a name, or a function that other processes find by its module and name"
        raise UsageError(f"a computer player is {kinds}; not {bot!r}")
    return name


def look_here(names: Iterable[str]) -> None:
    """Let bots of somebody's own be found in the folder that a program runs in, too, after all others."""
    if "" not in sys.path and any(map(is_own, names)):
        sys.path.append("")


def _imported(name: str) -> Any:
    """A bot of somebody's own, as it is."""
    module, _, function = name.partition(":")
    try:
        there = import_module(module)
        found = getattr(there, function, None)
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {error}"
        raise UsageError(f"the computer player {name} can't be imported: {reason}") from error
    if not callable(found):
        own = [key for key, made in vars(there).items() if getattr(made, "__module__", "") == module]
        raise UsageError(f"{module} has no function {function!r}; it has: {', '.join(own) or 'none'}")
    return found


def _watched(name: str, own: Callable[..., Any]) -> Bot:
    """A bot of somebody's own that can't spoil a game: it is shown a copy, and its answer is checked."""

    def bot(state: State, stream: Stream) -> int:
        try:
            answer = own(state.copy(), stream)
        except (Exception, SystemExit) as error:
            raise UsageError(f"the computer player {name} failed: {_failure(error)}") from error
        try:
            code = index(answer)
        except Exception:
            code = -1
        if code not in state.legal():
            raise UsageError(f"the computer player {name} answered {_said(answer)}, which is no legal step")
        return code

    return bot


def _failure(error: BaseException) -> str:
    """What went wrong in somebody's own code, and where."""
    from traceback import extract_tb

    places = [f" ({place.filename}, line {place.lineno})" for place in extract_tb(error.__traceback__)[1:]]
    return f"{type(error).__name__}: {_said(error, str)}{''.join(places[-1:])}"


def _said(thing: object, how: Callable[[object], str] = repr) -> str:
    """What somebody's own code says of a thing, if it can say anything."""
    try:
        return how(thing)[:80]
    except Exception:
        return type(thing).__name__
