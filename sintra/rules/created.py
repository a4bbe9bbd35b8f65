"""The first event of a game: what a caller asks for and what a log says are checked by the same rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from sintra.errors import UsageError
from sintra.log.events import (
    FORMAT,
    MAX_NAME_CHARACTERS,
    MAX_SEED,
    POSITION_FORMAT,
    Created,
    OptionValue,
)
from sintra.rules.ruleset import Misfit, RuleSet
from sintra.text import has_controls, spelled

CHANCES = ("seeded", "system", "table")


def create(
    rules: RuleSet,
    players: int | Sequence[str],
    options: Mapping[str, OptionValue],
    chance: str,
    seed: int | None,
    engine: str,
    position: str = "",
) -> Created:
    """Return the first event of a new game, for a number of players or their names, perhaps from a
    `position`.

    Raise UsageError if there is no such game. Names in a log may hold any characters; new ones are printable.
    """
    try:
        if isinstance(players, int):
            _check_count(rules, players)
            players = [f"Player {number}" for number in range(1, players + 1)]
        elif not isinstance(players, list | tuple) or not all(isinstance(name, str) for name in players):
            raise Misfit("players", "give the number of players, or a list of their names")
        for name in players:
            if not name.strip() or len(name) > MAX_NAME_CHARACTERS:
                raise Misfit(
                    "players", f"a name needs 1 to {MAX_NAME_CHARACTERS} characters, not only blanks"
                )
            if has_controls(name):
                raise Misfit("players", f"the name {name!r} has a character that can't be printed")
        number = POSITION_FORMAT if position else FORMAT
        wanted: Any = (
            number,
            rules.name,
            dict(options),
            tuple(players),
            chance,
            seed,
            engine,
            position or UNSET,
        )
        return checked(rules, Created(*wanted))
    except Misfit as error:
        raise UsageError(error.reason) from None


def reseeded(rules: RuleSet, created: Created, seed: int) -> Created:
    """Return a first event whose chance comes from another seed; raise UsageError for an impossible seed."""
    try:
        return checked(rules, replace(created, chance="seeded", seed=seed))
    except Misfit as error:
        raise UsageError(error.reason) from None


def checked(rules: RuleSet, created: Created) -> Created:
    """Return a first event with every option of the rule-set, in its order: missing ones have their defaults.

    Raise Misfit, with the field at fault, if there is no such game.
    """
    names = created.players
    _check_count(rules, len(names))
    if len(set(names)) < len(names):
        raise Misfit("players", "two players have the same name")
    seed = created.seed
    if created.chance not in CHANCES:
        raise Misfit("chance", f"chance must be seeded, system or table, not {created.chance!r}")
    if (created.chance == "seeded") != (seed is not None):
        raise Misfit("seed", "seeded chance needs a seed; system and table take none")
    if seed is not None and (type(seed) is not int or not 0 <= seed <= MAX_SEED):
        raise Misfit("seed", f"a seed must be a whole number from 0 to {MAX_SEED}, not {seed!r}")
    options = complete_options(rules, created.options)
    return created if list(options) == list(created.options) else replace(created, options=options)


def _check_count(rules: RuleSet, players: int) -> None:
    if players not in rules.players:
        few, many = rules.players[0], rules.players[-1]
        raise Misfit("players", f"{rules.title} is for {few} to {many} players, not {players}")


def complete_options(rules: RuleSet, given: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """Return all options of a rule-set, with defaults for missing ones; raise Misfit for impossible ones."""
    known = {option.name: option for option in rules.options}
    for name in given:
        if name not in known:
            listed = ", ".join(known) or "none"
            raise Misfit("options", f"{rules.name} has no option {name[:80]!r}; it has: {listed}")
    options = {name: given.get(name, option.default) for name, option in known.items()}
    for name, value in options.items():
        values = known[name].values
        if not any(value == other and type(value) is type(other) for other in values):
            say = _quoted if spelled(value) in map(spelled, values) else spelled  # 1 is not "1"
            found = say(value)[:80] or "empty"
            raise Misfit("options", f"{name} can't be {found}; choose from: {', '.join(map(say, values))}")
    return options


def _quoted(value: OptionValue) -> str:
    """Return the value of an option with quotes around text, which tell it from other values."""
    return f'"{value}"' if isinstance(value, str) else spelled(value)
