"""`sintra new`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any

from sintra import api
from sintra.cli.answers import NewAnswer
from sintra.cli.options import (
    ComponentsOption,
    JsonOption,
    Option,
    OutputOption,
    QuietOption,
    RuleOption,
    SeedOption,
    completed_by,
    rules_named,
)
from sintra.cli.output import answering, hint, remark, say_json, write_log
from sintra.errors import UsageError
from sintra.game import Game
from sintra.log import files
from sintra.log.events import OptionValue
from sintra.rules.ruleset import RuleSet
from sintra.text import plural, safe


def new(
    rules: Annotated[
        str,
        Option(
            help="Rule-set: sintra, azul, crystal, or a plug-in.",
            metavar="NAME",
            completion=completed_by("rules"),
        ),
    ] = "sintra",
    side: Annotated[
        str | None,
        Option(
            help="Side of the boards: A or B (azul: colored or gray; crystal: 1 or 2).",
            metavar="SIDE",
            completion=completed_by("side"),
        ),
    ] = None,
    players: Annotated[
        int | None, Option("--players", "-p", help="Number of players: 2, 3 or 4.", metavar="N")
    ] = None,
    player: Annotated[
        list[str] | None, Option(help="Name of a player; repeat for each.", metavar="NAME")
    ] = None,
    option: RuleOption = None,
    components: ComponentsOption = None,
    seed: SeedOption = None,
    unseeded: Annotated[bool, Option("--unseeded", help="Use system randomness (not reproducible).")] = False,
    table: Annotated[bool, Option("--table", help="Type in draws from a real table.")] = False,
    position: Annotated[
        str | None,
        Option(
            help="Start from a position printed by `sintra position`; - reads standard input.", metavar="LINE"
        ),
    ] = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Start a game; write its log to standard output or to a new file.

    \b
    sintra new --seed 42 > game.log
    sintra new --player Ada --player Ben --side B -o game.log
    sintra position game.log --at 3 | sintra new --position - > from-there.log
    """
    if sum((seed is not None, unseeded, table)) > 1:
        raise UsageError("use only one of --seed, --unseeded and --table")
    chance = "system" if unseeded else "table" if table else "seeded"
    if position is not None:
        if (rules, side, option, components) != ("sintra", None, None, None):
            raise UsageError("the position sets the rules, options and components: leave them out")
        write_new(_from(position, players, player, seed, unseeded or table, chance), output, quiet, json)
        return
    with own_values(components) as own:
        game = made(rules, side, players, player or [], option or [], own, seed, chance)
    write_new(game, output, quiet, json)


def _from(
    line: str, players: int | None, names: list[str] | None, seed: int | None, unseeded: bool, chance: str
) -> Game:
    """Return the game that begins with a position."""
    from sintra.share.position import from_position

    if line == "-":
        hint("a position")
        line = files.read_steps()
    game = from_position(line, names, seed=seed, chance=chance if unseeded else None)
    if players not in (None, len(game.players)):
        raise UsageError(f"--players is {players}, but the position has {len(game.players)}")
    return game


@contextmanager
def own_values(path: str | None) -> Iterator[Mapping[str, Any] | None]:
    """Yield the values of a component file, if one is given; errors about them then name the file."""
    own = files.read_components(path) if path is not None else None
    try:
        yield own
    except UsageError as error:
        about, what, found = str(error).partition("components: ")
        if path is None or about or not what:
            raise
        raise UsageError(f"components: {files.shown(path)}: {found}") from None


def made(
    rules: str,
    side: str | None,
    players: int | None,
    names: list[str],
    options: list[str],
    components: Mapping[str, Any] | None,
    seed: int | None,
    chance: str = "seeded",
) -> Game:
    """Return a new game, from options as people type them."""
    if players is not None and names and players != len(names):
        raise UsageError(f"--players is {players}, but {plural(len(names), 'name is', 'names are')} given")
    found = rules_named(rules)
    return api.new(
        found.name,
        names or (players if players is not None else 2),
        seed=seed,
        chance=chance,
        components=components,
        **rule_options(found, side, options),
    )


def write_new(game: Game, output: str | None, quiet: bool, json: bool) -> None:
    """Write a new log to standard output, or to a new file."""
    if output in (None, "-"):
        write_log(game.dumps().encode())
        return
    path = str(output)
    game.save(path)
    made = game.created
    if quiet:
        return
    if json:
        with answering(f"{path} is written"):
            say_json(NewAnswer(path, made.rules, made.options, made.players, made.chance, made.seed))
        return
    chance = f"seed {made.seed}" if made.seed is not None else made.chance
    remark(safe(f"{path}: {game.rules.title}, {len(game.players)} players, {chance}"))


def rule_options(rules: RuleSet, side: str | None, pairs: list[str]) -> dict[str, OptionValue]:
    """Return the rule-set's options as typed; words become the values that they look like."""
    given = [("side", side)] if side is not None else []
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals:
            raise UsageError(f"--option takes KEY=VALUE, not {pair!r}")
        given.append((key, text))
    options: dict[str, OptionValue] = {}
    for key, text in given:
        if key in options:
            raise UsageError(f"option {key} is given twice")
        values = [value for option in rules.options if option.name == key for value in option.values]
        options[key] = next((value for value in values if str(value).lower() == text.lower()), text)
    return options
