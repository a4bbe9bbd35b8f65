"""Making a game: `new`."""

from __future__ import annotations

from typing import Annotated

import typer

from sintra import catalog, loading, log
from sintra.cli.options import JsonOption, QuietOption, say_json, write_bytes
from sintra.errors import UsageError
from sintra.events import OptionValue
from sintra.rules import RuleSet


def new(
    rules: Annotated[
        str,
        typer.Option(help="The rule-set: sintra, azul, crystal, or one that is plugged in.", metavar="NAME"),
    ] = "sintra",
    side: Annotated[
        str | None,
        typer.Option(help="The side of the boards: A or B; azul: colored or gray; crystal: 1 or 2."),
    ] = None,
    players: Annotated[
        int | None, typer.Option("--players", "-p", help="How many players: 2, 3 or 4.", metavar="N")
    ] = None,
    player: Annotated[
        list[str] | None, typer.Option(help="A player's name; once for each.", metavar="NAME")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the rule-set.", metavar="KEY=VALUE")
    ] = None,
    components: Annotated[
        str | None, typer.Option(help="Printed values of your own box, JSON or TOML.", metavar="FILE")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Draw from this seed, 0 to 2^53-1.", metavar="N")] = None,
    unseeded: Annotated[bool, typer.Option("--unseeded", help="Draw so that nobody can foresee it.")] = False,
    table: Annotated[bool, typer.Option("--table", help="Draws are typed in from a real table.")] = False,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="Write to a new file.", metavar="FILE")
    ] = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Start a game: a new log on standard output, or in a new file.

    \b
    sintra new --seed 42 > game.log
    sintra new --player Ada --player Ben --side B -o game.log
    """
    if players is not None and player and players != len(player):
        raise UsageError(f"--players says {players}, but {len(player)} names are given")
    if sum((seed is not None, unseeded, table)) > 1:
        raise UsageError("--seed, --unseeded and --table exclude each other")
    game = loading.new(
        rules,
        player or (players if players is not None else 2),
        seed=seed,
        chance="system" if unseeded else "table" if table else "seeded",
        components=log.read_table(components) if components else None,
        **_options(catalog.find(rules), side, option or []),
    )
    if output in (None, "-"):
        write_bytes(game.dumps().encode())
        return
    game.save(str(output))
    if json:
        created = game.created
        say_json(
            {
                "log": output,
                "rules": created.rules,
                "options": created.options,
                "players": created.players,
                "chance": created.chance,
                "seed": created.seed,
            }
        )
    elif not quiet:
        seed_told = f"seed {game.created.seed}" if game.created.seed is not None else game.created.chance
        typer.echo(f"{output}: {game.rules.title}, {len(game.players)} players, {seed_told}", err=True)


def _options(rules: RuleSet, side: str | None, pairs: list[str]) -> dict[str, OptionValue]:
    """The rule-set's options as they were given; words stand for the values that they look like."""
    given = [("side", side)] if side is not None else []
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals:
            raise UsageError(f"--option takes KEY=VALUE; {pair!r} is not that")
        given.append((key, text))
    options: dict[str, OptionValue] = {}
    for key, text in given:
        if key in options:
            raise UsageError(f"the option {key} is given twice")
        values = [value for option in rules.options if option.name == key for value in option.values]
        options[key] = next((value for value in values if str(value).lower() == text.lower()), text)
    return options
