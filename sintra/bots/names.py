"""Computer players by name: built-in ones, and custom ones as `module:function`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from itertools import count
from operator import index
from typing import Any

from sintra.bots.faults import Fault
from sintra.bots.simple import DEPTH, Bot, greedy, random
from sintra.bots.spec import Spec, Value, label_of, parsed, values, values_for
from sintra.bots.strong import NODES, easy, hard, medium, strong
from sintra.bots.strong import check as check_strong
from sintra.bots.timed import in_time
from sintra.errors import UsageError
from sintra.rules.chance import Stream, bot_stream
from sintra.rules.state import State
from sintra.text import place, spelled

BOTS: dict[str, Bot] = {
    "random": random,
    "greedy": greedy,
    "easy": easy,
    "medium": medium,
    "hard": hard,
    "strong": strong,
}
"""The built-in bots by name."""
OBJECT = "object:"
"""The prefix of the names given to bots that can't be imported by name."""
PARAMETERS: dict[str, dict[str, Value]] = {
    "greedy": {"depth": DEPTH},
    "strong": {"nodes": NODES, "time": 0.0, "cpu": False},
}
"""The parameters of built-in bots, by name, with values of the right types."""
CHECKS: dict[str, Callable[..., None]] = {"strong": check_strong}
"""Functions that check the values of parameters."""


Maker = Callable[[], Bot]
"""Returns the bot for a game: the same one, or a new instance of a class."""


def choose(bot: Bot, state: State, seed: int | None, events: int) -> int:
    """Return a bot's choice for the player to move, in a log of this many events.

    Its draws depend on the seed, the seat and the number of events only, so that a resumed game continues as
    if it had not been interrupted.
    """
    return bot(state, bot_stream(seed, state.player + 1, f"choices {events}"))


def find(name: str) -> Bot:
    """Return the bot of this name, with its parameters; raise UsageError if there is none."""
    return maker(name)()


def maker(name: str, objects: Mapping[str, object] | None = None) -> Maker:
    """Return the maker of the bot of this name; `objects` are bots given as objects."""
    spec = parsed(name)
    if spec.label in BOTS:
        raise UsageError(f"{name}: {spec.label} is a built-in bot; choose another label")
    if objects and name in objects:
        return _made(name, objects[name], {})
    if spec.command:
        raise UsageError(f"{name}: a program plays whole games, and can't be called for one choice")
    if spec.name in BOTS:
        chosen = _chosen(spec)
        bot = partial(BOTS[spec.name], **chosen) if chosen else BOTS[spec.name]
        return lambda: bot
    if not spec.is_custom:
        known = f"{', '.join(BOTS)}, or your own as module:function or cmd:PROGRAM"
        raise UsageError(f"unknown bot {spec.name!r}; available: {known}")
    custom = _imported(spec)
    return _made(name, custom, values_for(spec, custom))


def _made(name: str, custom: Any, parameters: dict[str, Value]) -> Maker:
    if isinstance(custom, type):
        return lambda: _guarded(name, _instance(name, custom, parameters))
    bot = _guarded(name, partial(custom, **parameters) if parameters else custom)
    return lambda: bot


def _instance(name: str, kind: type, parameters: dict[str, Value]) -> Any:
    """Return a new instance of a class of bots."""
    try:
        made = kind(**parameters)
    except (Exception, SystemExit) as error:
        raise _failed(name, error) from error
    if not callable(made):
        raise UsageError(f"the bot {name} can't be called: its class needs __call__")
    return made


def check(name: str) -> None:
    """Raise UsageError if there is no bot of this name."""
    spec = parsed(name)
    if not spec.command or spec.label in BOTS:
        maker(name)
        return
    from sintra.bots.process import words_of

    words_of(spec.command)


def _chosen(spec: Spec) -> dict[str, Value]:
    """Return the parameters of a built-in bot, checked."""
    chosen = values(spec, PARAMETERS.get(spec.name, {}))
    if spec.name in CHECKS:
        try:
            CHECKS[spec.name](**chosen)
        except UsageError as error:
            raise UsageError(f"{spec.text}: {error}") from None
    return chosen


def is_custom(name: str) -> bool:
    """Return True for the name of a custom bot: `module:function`, with or without parameters."""
    return _is(name, lambda spec: spec.is_custom)


def is_bot(name: str) -> bool:
    """Return True for the name of a bot without a label: built-in, or custom."""
    return _is(
        name, lambda spec: not spec.label and (spec.name in BOTS or spec.is_custom or spec.command != "")
    )


def _is(name: str, what: Callable[[Spec], bool]) -> bool:
    try:
        return what(parsed(name))
    except UsageError:
        return False


def check_labels(names: Sequence[str]) -> None:
    """Raise UsageError if two different bots have the same label."""
    called: dict[str, str] = {}
    for name in names:
        other = called.setdefault(label_of(name), name)
        if other != name:
            raise UsageError(f"{other} and {name} have the same label; give each its own")


def name_of(bot: object, objects: dict[str, object] | None = None) -> str:
    """Return the name of a bot given by name, or as a function or class that can be imported by name.

    Any other callable is added to `objects`, and named after what it is.
    """
    if isinstance(bot, str):
        return bot
    for known, function in BOTS.items():
        if function is bot:
            return known
    if isinstance(bot, partial) and not bot.args and (name := _name_of_partial(bot)):
        return name
    if name := _name_of_import(bot):
        return name
    if objects is None or not callable(bot):
        kinds = "a name, or a function that other processes can import"
        raise UsageError(f"a bot must be {kinds}, not {bot!r}")
    named = getattr(bot, "func", bot)
    kind = getattr(named, "__name__", "") or type(bot).__name__
    base = f"{OBJECT}{kind if kind.isidentifier() else 'bot'}"
    name = next(n for n in (f"{base}{k or ''}" for k in count()) if objects.get(n, bot) is bot)
    objects[name] = bot
    return name


def _name_of_import(bot: object) -> str:
    """Return the name by which other processes can import a bot; empty if there is none."""
    name = f"{getattr(bot, '__module__', '')}:{getattr(bot, '__qualname__', '')}"
    return name if is_custom(name) and _imported(parsed(name)) is bot else ""


def _name_of_partial(bot: partial[Any]) -> str:
    """Return the name of a bot with parameters; empty if they can't be written in a name."""
    base = next((known for known, own in BOTS.items() if own is bot.func), "") or _name_of_import(bot.func)
    given = [f"{key}={spelled(value)}" for key, value in bot.keywords.items()]
    name = ":".join([base, *given])
    try:
        spec = parsed(name)
        chosen = _chosen(spec) if base in BOTS else values_for(spec, bot.func)
    except UsageError:
        return ""
    return name if base and repr(chosen) == repr(bot.keywords) else ""


# -- Imports ---------------------------------------------------------------------------------

_FOLDERS: list[str] = []
"""Where custom bots are searched for last: the current folder, if a command allows it."""


def look_here(names: Iterable[str]) -> list[str]:
    """Allow imports of custom bots from the current folder; return which bots these are, and from where.

    No other modules are found there: only what was named is imported, and only if it is not installed;
    nothing at all under PYTHONSAFEPATH.
    """
    if sys.flags.safe_path:
        return []
    look_in([os.getcwd()])
    customs = dict.fromkeys(parsed(name).name for name in names if is_custom(name))
    found = {name: _file_here(name.partition(":")[0]) for name in customs}
    return [f"{name} is in {file}" for name, file in found.items() if file]


def look_in(folders: Sequence[str]) -> None:
    """Set the folders where custom bots are searched for: a worker gets them from its parent."""
    _FOLDERS[:] = folders


def looked_in() -> list[str]:
    """Return the folders where custom bots are searched for."""
    return list(_FOLDERS)


def _file_here(module: str) -> str:
    """Return the file of a module that only our folders have; empty for any other module."""
    from importlib.machinery import PathFinder
    from importlib.util import find_spec

    top = module.partition(".")[0]
    try:
        if find_spec(top) is not None:
            return ""
        found = PathFinder.find_spec(top, _FOLDERS)
    except (ImportError, ValueError, AttributeError):
        return ""
    places = list(found.submodule_search_locations or []) if found else []
    return (found.origin or (places[0] if places else "")) if found else ""


@contextmanager
def _folders_for(module: str) -> Iterator[None]:
    """Allow a module to be imported from our folders, temporarily, if it is nowhere else."""
    if not _FOLDERS or not _file_here(module):
        yield
        return
    sys.path.extend(_FOLDERS)
    try:
        yield
    finally:
        for folder in _FOLDERS:
            if folder in sys.path:
                del sys.path[len(sys.path) - 1 - sys.path[::-1].index(folder)]


def _imported(spec: Spec) -> Any:
    """Return a custom bot, unwrapped."""
    module, _, function = spec.name.partition(":")
    try:
        with _folders_for(module):
            there = import_module(module)
        found = getattr(there, function, None)
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {error}{place(error)}"
        if isinstance(error, ModuleNotFoundError) and sys.flags.safe_path:
            reason += "; PYTHONSAFEPATH is set, so the current folder is not looked in"
        raise UsageError(f"can't import the bot {spec.name}: {reason}") from error
    if not callable(found):
        own = [key for key, made in vars(there).items() if getattr(made, "__module__", "") == module]
        raise UsageError(f"{module} has no function {function!r}; it has: {', '.join(own) or 'none'}")
    return found


# -- Calls -----------------------------------------------------------------------------------


def _failed(name: str, error: BaseException) -> Fault:
    """Return the fault of a bot that raised an error."""
    failure = f"{type(error).__name__}: {_shown(error, str)}{place(error)}"
    return Fault("failed", f"it failed: {failure}", f"the bot {name} failed: {failure}")


def _guarded(name: str, custom: Callable[..., Any]) -> Bot:
    """Return a custom bot, wrapped: it gets a copy of the state, and its answer is checked."""

    def bot(state: State, stream: Stream) -> int:
        try:
            answer = in_time(name, lambda: custom(state.copy(), stream))
        except Fault:
            raise
        except (Exception, SystemExit) as error:
            raise _failed(name, error) from error
        try:
            code = index(answer)
        except Exception:
            code = -1
        if code not in state.legal():
            what = f"returned {_shown(answer)}, not a legal step"
            raise Fault("illegal", f"it {what}", f"the bot {name} {what}")
        return code

    return bot


def _shown(thing: object, how: Callable[[object], str] = repr) -> str:
    """Return a user's object as text; if that fails, the name of its type."""
    try:
        return how(thing)[:80]
    except Exception:
        return type(thing).__name__
