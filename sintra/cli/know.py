"""Knowing the games and the program: `rules`, `help`, `schema`."""

from __future__ import annotations

from typing import Annotated, Any, NoReturn

import msgspec
import typer

from sintra import catalog
from sintra.cli.answers import RulesAnswer, TestAnswer
from sintra.cli.options import JsonOption, remark, say, say_json
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
        from sintra.view.card import card

        say("\n".join(card(found)))


def _list(json: bool) -> None:
    from sintra.view import safe

    found, broken = catalog.installed()
    for error in broken:
        remark(f"sintra: warning: {safe(str(error))}")
    if json:
        say_json([_described(rules) for rules in found])
        return
    from sintra.view.card import values

    width = max(len(rules.name) for rules in found)
    for rules in found:
        options = "; ".join(f"{option.name} {values(option)}" for option in rules.options)
        package = catalog.package_of(rules.name)
        told = [
            safe(rules.title),
            f"({options})" if options else "",
            f" [{safe(package)}]" if package else "",
        ]
        say(f"{safe(rules.name):<{width}}  {' '.join(part for part in told if part)}")


def _described(rules: RuleSet) -> RulesAnswer:
    """A rule-set as JSON."""
    return RulesAnswer(
        name=rules.name,
        title=rules.title,
        package=catalog.package_of(rules.name) or None,
        players=rules.players,
        colors=rules.colors,
        options=rules.options,
        steps=[step.words for step in rules.steps],
        tables=rules.tables,
        rulings=rules.rulings,
    )


def _test(rules: RuleSet, games: int, json: bool) -> None:
    """The contract kit, as a command; exit code 1 where it does not hold."""
    from sintra.cli.progress import Progress
    from sintra.rules.testing import check_rules, games_of

    with Progress(games_of(rules, games)) as progress:
        try:
            steps = check_rules(rules, games=games, after_game=progress.step)
        except Exception as error:  # whatever the rules do wrong
            progress.clear()
            _failed(rules, error, json)
    if json:
        say_json(TestAnswer(rules.name, True, steps=steps))
    else:
        say(f"{rules.name}: ok, {steps} steps tried")


def _failed(rules: RuleSet, error: Exception, json: bool) -> NoReturn:
    told = str(error) if isinstance(error, AssertionError) else f"{type(error).__name__}: {error}"
    log = "".join(getattr(error, "__notes__", []))
    if json:
        say_json(TestAnswer(rules.name, False, message=told, log=log))
    else:
        say(f"{rules.name}: {told}")
        remark(log.removesuffix("\n"))
    raise typer.Exit(1)


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
    from sintra.steps import suggestion
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
        near = suggestion(topic, [*steps, *COMMANDS])
        hint = f"; did you mean {near!r}?" if near else f"; steps are {', '.join(steps)}"
        raise UsageError(f"{topic!r} is no step and no command{hint}")


def schema(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="A command, `error`, or `log-RULES` for the lines of a log."),
    ] = None,
) -> None:
    """The JSON Schema of answers, and of the lines of a log.

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
        say_json({"$schema": DIALECT, **msgspec.json.schema(known[name])})
        return
    found, parts = {}, dict[str, Any]()
    for key, kind in known.items():
        made = msgspec.json.schema(kind)
        for part, body in made.pop("$defs", {}).items():
            parts[f"{key}.{part}"] = _renamed(body, key)
        found[key] = _renamed(made, key)
    say_json({"$schema": DIALECT, "$defs": {**found, **parts}})


def _renamed(schema: Any, name: str) -> Any:
    """A schema whose references lead to the parts under their full names."""
    if isinstance(schema, dict):
        return {
            key: value.replace("#/$defs/", f"#/$defs/{name}.") if key == "$ref" else _renamed(value, name)
            for key, value in schema.items()
        }
    return [_renamed(value, name) for value in schema] if isinstance(schema, list) else schema


DIALECT = "https://json-schema.org/draft/2020-12/schema"
