"""Knowing the games and the program: `rules`, `help`, `schema`."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import msgspec
import typer

from sintra import catalog
from sintra.cli.answers import RulesAnswer, TestAnswer
from sintra.cli.options import JsonOption, say, say_json
from sintra.errors import UsageError
from sintra.rules import RuleSet


def rules(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Tell all about these rules.")] = None,
    test: Annotated[bool, typer.Option("--test", help="Try the rules on random games (needs NAME).")] = False,
    games: Annotated[
        int, typer.Option(help="With --test: games for each option and player count.", min=1)
    ] = 1,
    json: JsonOption = False,
) -> None:
    """List the rule-sets, or tell all about one.

    Its options, the printed tables and where they come from, its steps, and its rulings: what
    was decided where a rulebook is silent. Rule-sets of other packages are found by the
    entry point group sintra.rules.

    \b
    sintra rules
    sintra rules azul
    """
    if name is None:
        if test:
            raise UsageError("--test needs the NAME of the rules to try")
        _list(json)
        return
    found = catalog.find(name)
    if test:
        _test(found, games, json)
    elif json:
        say_json(_described(found))
    else:
        say("\n".join(_told(found)))


def _list(json: bool) -> None:
    from sintra.view import safe

    found, broken = catalog.installed()
    for error in broken:
        sys.stderr.write(f"sintra: warning: {safe(str(error))}\n")
    if json:
        say_json([_described(rules) for rules in found])
        return
    width = max(len(rules.name) for rules in found)
    for rules in found:
        sides = "; ".join(f"{option.name} {_values(option.values)}" for option in rules.options)
        source = f"  [{safe(rules.package)}]" if rules.package else ""
        say(f"{safe(rules.name):<{width}}  {safe(rules.title)} ({sides}){source}")


def _values(values: tuple[object, ...]) -> str:
    return "|".join(str(value).lower() if isinstance(value, bool) else str(value) for value in values)


def _described(rules: RuleSet) -> RulesAnswer:
    """A rule-set as JSON."""
    return RulesAnswer(
        name=rules.name,
        title=rules.title,
        package=rules.package or None,
        players=rules.players,
        colors=rules.colors,
        options=rules.options,
        steps=[step.words for step in rules.steps],
        tables=rules.tables,
        rulings=rules.rulings,
    )


def _told(rules: RuleSet) -> list[str]:
    """A rule-set as text."""
    import textwrap

    few, many = rules.players[0], rules.players[-1]
    lines = [f"{rules.title} ({rules.name}), {few} to {many} players", "", "Options"]
    for option in rules.options:
        default = str(option.default).lower() if isinstance(option.default, bool) else option.default
        lines += [f"  {option.name} {_values(option.values)} (default {default})", f"      {option.help}"]
    lines += ["", "Steps"]
    for form, meaning in rules.guide:
        lines += textwrap.wrap(f"{form}: {meaning}", 78, initial_indent="  ", subsequent_indent="      ")
    lines += ["", "Printed tables, and where they come from"]
    for table in rules.tables:
        note = f" ({table.note})" if table.note else ""
        lines.append(f"  {table.name}: {table.source}{note}")
        lines += _rows(msgspec.to_builtins(table.value))
    lines += ["", "Rulings"]
    for ruling in rules.rulings:
        lines += textwrap.wrap(
            f"{ruling.number:<4} {ruling.text}", 78, initial_indent="  ", subsequent_indent="       "
        )
    return lines


def _rows(value: Any) -> list[str]:
    """A table as lines: a row a line where it has rows."""
    if isinstance(value, dict):
        return ["      " + ", ".join(f"{key} {number}" for key, number in value.items())]
    if value and isinstance(value[0], list | tuple):
        return ["      " + _cells(row) for row in value]
    return ["      " + _cells(value)]


def _cells(row: Any) -> str:
    if row and isinstance(row[0], list | tuple):
        return "   /   ".join(_cells(side) for side in row)
    return " ".join("-" if cell is None else str(cell) for cell in row)


def _test(rules: RuleSet, games: int, json: bool) -> None:
    """The contract kit, as a command; exit code 1 where it does not hold."""
    from sintra.rules.testing import check_rules

    try:
        steps = check_rules(rules, games=games)
    except AssertionError as error:
        log = error.__notes__[0] if hasattr(error, "__notes__") else ""
        if json:
            say_json(TestAnswer(rules.name, False, message=str(error), log=log))
        else:
            say(f"{rules.name}: {error}")
            sys.stderr.write(log)
        raise typer.Exit(1) from None
    if json:
        say_json(TestAnswer(rules.name, True, steps=steps))
    else:
        say(f"{rules.name}: ok, {steps} steps tried")


def help(
    topic: Annotated[
        str | None, typer.Argument(metavar="STEP", help="A step (pick, place, …) or a command.")
    ] = None,
    of: Annotated[str | None, typer.Option("--rules", help="The rule-set.", metavar="NAME")] = None,
) -> None:
    """Explain the steps of a game, or a command.

    \b
    sintra help pick
    sintra help tile --rules azul
    sintra help move
    """
    from sintra.cli.app import COMMANDS, help_of
    from sintra.words import wrapped

    if topic is None:
        say(help_of([]))
        return
    games = [catalog.find(of)] if of else [catalog.find(name) for name in catalog.BUILT_IN]
    told: list[tuple[str, str, str]] = []
    for rules in games:
        for form, meaning in rules.guide:
            if form.split()[0] == topic.lower() and (form, meaning) not in [(f, m) for _, f, m in told]:
                told.append((rules.title, form, meaning))
    for title, form, meaning in told:
        say(f"{form}   ({title})")
        say("".join(f"    {line}\n" for line in wrapped(meaning.split(" "), 76)))
    if topic in COMMANDS:
        say(help_of([topic]))
    elif not told:
        steps = dict.fromkeys(form.split()[0] for rules in games for form, _ in rules.guide)
        raise UsageError(f"{topic!r} is no step and no command; steps are {', '.join(steps)}")


def schema(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="A command, `error`, or `log-RULES` for the lines of a log."),
    ] = None,
) -> None:
    """The JSON Schema of what commands answer, and of the lines of a log.

    \b
    sintra schema show
    sintra schema log-sintra
    """
    from typing import Union

    from sintra.cli.answers import ANSWERS
    from sintra.events import COMMON

    known: dict[str, Any] = dict(ANSWERS)
    for rules in catalog.installed()[0]:
        known[f"log-{rules.name}"] = Union[COMMON + rules.lines]  # noqa: UP007 - a union of types that are data
    if name is not None and name not in known:
        raise UsageError(f"there is no schema {name!r}; there are: {', '.join(known)}")
    if name is not None:
        made = msgspec.json.schema(known[name])
        say_json({"$schema": DIALECT, **made})
        return
    say_json({"$schema": DIALECT, "$defs": {key: msgspec.json.schema(kind) for key, kind in known.items()}})


DIALECT = "https://json-schema.org/draft/2020-12/schema"
