"""Making logs: `new`, `fork`, `convert`, `repair`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
import typer

from sintra import loading, log
from sintra.cli.answers import NewAnswer, RepairAnswer
from sintra.cli.options import (
    ComponentsOption,
    FileArgument,
    JsonOption,
    LogArgument,
    OutputOption,
    QuietOption,
    RuleOption,
    SeedOption,
    answering,
    remark,
    rules_named,
    say,
    say_json,
    write_log,
)
from sintra.errors import DamagedLog, UsageError
from sintra.events import OptionValue, decode_created
from sintra.game import Game
from sintra.rules import RuleSet
from sintra.view import safe
from sintra.words import plural


def new(
    rules: Annotated[
        str,
        typer.Option(help="The rule-set: sintra, azul, crystal, or one that is plugged in.", metavar="NAME"),
    ] = "sintra",
    side: Annotated[
        str | None,
        typer.Option(
            help="The side of the boards: A or B; azul: colored or gray; crystal: 1 or 2.", metavar="SIDE"
        ),
    ] = None,
    players: Annotated[
        int | None, typer.Option("--players", "-p", help="How many players: 2, 3 or 4.", metavar="N")
    ] = None,
    player: Annotated[
        list[str] | None, typer.Option(help="A player's name; once for each.", metavar="NAME")
    ] = None,
    option: RuleOption = None,
    components: ComponentsOption = None,
    seed: SeedOption = None,
    unseeded: Annotated[bool, typer.Option("--unseeded", help="Draw so that nobody can foresee it.")] = False,
    table: Annotated[bool, typer.Option("--table", help="Draws are typed in from a real table.")] = False,
    output: OutputOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Start a game: a new log on standard output, or in a new file.

    \b
    sintra new --seed 42 > game.log
    sintra new --player Ada --player Ben --side B -o game.log
    """
    if sum((seed is not None, unseeded, table)) > 1:
        raise UsageError("--seed, --unseeded and --table exclude each other")
    chance = "system" if unseeded else "table" if table else "seeded"
    game = made(rules, side, players, player or [], option or [], own_values(components), seed, chance)
    _write(game, output, quiet, json)


def own_values(path: str | None) -> Mapping[str, Any] | None:
    """The values of a component file, if one is given."""
    return log.read_table(path) if path else None


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
    """A new game, from options as people give them."""
    if players is not None and names and players != len(names):
        raise UsageError(f"--players says {players}, but {len(names)} names are given")
    found = rules_named(rules)
    return loading.new(
        found.name,
        names or (players if players is not None else 2),
        seed=seed,
        chance=chance,
        components=components,
        **_options(found, side, options),
    )


def fork(
    log_: LogArgument,
    at: Annotated[
        int | None, typer.Option(help="Keep events 1 to N (default: all of them).", metavar="N")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Other deals from there on.", metavar="N")] = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """A new log from the first events of another.

    With --seed, what is drawn from there on is drawn anew.

    \b
    sintra fork game.log --at 3 --seed 7 > other.log
    """
    _write(loading.read_game(log.read(log_)).fork(at, seed), output, quiet, json)


def convert(
    log_: LogArgument, output: OutputOption = None, quiet: QuietOption = False, json: JsonOption = False
) -> None:
    """Write a log of an older format in today's.

    A log of today's format comes out with the same events, every line as `sintra` writes it:
    compact, its keys in order.

    \b
    sintra convert game.log > today.log
    """
    from sintra.conversion import converted

    game = loading.read_game(converted(log.read(log_)))  # what comes out is a log, or nothing comes out
    _write(game, output, quiet, json)


def repair(log_: FileArgument, quiet: QuietOption = False, json: JsonOption = False) -> None:
    """Cut a torn last line off a log, with a backup.

    A log whose writing was interrupted ends in the middle of a line. The whole file is kept as
    LOG.bak; every other damage is left alone, and `verify` names it. What is no log is not touched.

    \b
    sintra repair game.log
    """
    if log_ == "-":
        raise UsageError("only a file can be repaired")
    begun = _has_first_line(log_)
    torn, backup = log.repair(log_)
    if quiet:
        return
    done = "no line is torn"
    if torn:
        left = "" if begun else ", and nothing is left of the log"
        done = f"{plural(torn, 'byte')} of a torn line cut off; {backup} is as it was{left}"
    with answering(done):
        if json:
            say_json(RepairAnswer(log_, torn > 0, torn, backup))
        else:
            say(safe(f"{log_}: {done}"))


def _has_first_line(path: str) -> bool:
    """Whether a log has its whole first line.

    Only a log is cut, and none of the future: that line tells, as far as it is there.
    """
    if not os.path.isfile(path):  # nothing else is repaired, or waited for
        return False
    first, end, _ = next(log.raw(path), b"").partition(b"\n")
    if len(first) > log.MAX_LINE:
        raise log.too_long(1)
    if end or _is_whole(first):
        decode_created(first)
        return bool(end)
    if not log.begins(first):
        raise DamagedLog("this does not begin as a log does, and is left as it is", 1)
    return False


def _is_whole(line: bytes) -> bool:
    """Whether a line without an end is a whole value all the same."""
    try:
        msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def _write(game: Game, output: str | None, quiet: bool, json: bool) -> None:
    """A new log on standard output, or in a new file."""
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
