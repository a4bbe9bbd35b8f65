"""Making a game: `new`."""

from __future__ import annotations

from typing import Annotated

import typer

from sintra import catalog, loading, log
from sintra.cli.options import JsonOption, QuietOption, say_json, write_bytes
from sintra.errors import UsageError
from sintra.events import OptionValue


def new(
    rules: Annotated[str, typer.Option(help="The rule-set.", metavar="NAME")] = "sintra",
    side: Annotated[str | None, typer.Option(help="The side of the boards (sintra: A or B).")] = None,
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
        _known(rules),
        player or (players if players is not None else 2),
        seed=seed,
        chance="system" if unseeded else "table" if table else "seeded",
        components=log.read_table(components) if components else None,
        **_options(side, option or []),
    )
    if output is None:
        write_bytes(game.dumps().encode())
        return
    game.save(output)
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


def _known(rules: str) -> str:
    """A rule-set's name that is installed; an unknown one is a slip in the call."""
    names = catalog.BUILT_IN if rules in catalog.BUILT_IN else catalog.names()
    if rules not in names:
        raise UsageError(f"no rules named {rules!r} are installed; there are: {', '.join(names)}")
    return rules


def _options(side: str | None, pairs: list[str]) -> dict[str, OptionValue]:
    """The rule-set's options as they were given."""
    options: dict[str, OptionValue] = {}
    if side is not None:
        options["side"] = side.upper() if len(side) == 1 else side
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or key in options:
            raise UsageError(f"--option takes KEY=VALUE, once for each key; {pair!r} is not that")
        options[key] = {"true": True, "false": False}.get(value.lower(), value)
    return options
