"""Knowing the games and the program: `rules`, `help`, `schema`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, NoReturn

import msgspec
import typer

from sintra import catalog
from sintra.cli.answers import RulesAnswer, TestAnswer
from sintra.cli.options import JsonOption, QuietOption, remark, rules_named, say, say_json
from sintra.errors import UsageError
from sintra.rules import RuleSet


def rules(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Tell all about these rules.")] = None,
    test: Annotated[bool, typer.Option("--test", help="Try the rules on random games (needs NAME).")] = False,
    games: Annotated[
        int | None,
        typer.Option(
            help="With --test: games for each option and player count (default: 1).", min=1, metavar="N"
        ),
    ] = None,
    quiet: QuietOption = False,
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
    if test and name is None:
        raise UsageError("--test needs the NAME of the rules to try")
    if games is not None and not test:
        raise UsageError("--games goes with --test")
    if name is None:
        _list(quiet, json)
        return
    found = rules_named(name)
    if test:
        _test(found, games or 1, quiet, json)
    elif quiet:
        return
    elif json:
        say_json(_described(found))
    else:
        from sintra.view.card import card

        say("\n".join(card(found)))


def _installed() -> list[RuleSet]:
    """All rule-sets that load; what is wrong with the others is told on standard error."""
    from sintra.view import safe

    found, broken = catalog.installed()
    for error in broken:
        remark(f"sintra: warning: {safe(str(error))}")
    return found


def _list(quiet: bool, json: bool) -> None:
    found = _installed()
    if quiet:
        return
    if json:
        say_json([_described(rules) for rules in found])
        return
    from sintra.view import safe
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


def _test(rules: RuleSet, games: int, quiet: bool, json: bool) -> None:
    """The contract kit, as a command; exit code 1 where it does not hold."""
    from sintra.cli.progress import Progress
    from sintra.rules.testing import check_rules, games_of

    with Progress(games_of(rules, games)) as progress:
        try:
            steps = check_rules(rules, games=games, after_game=progress.step)
        except Exception as error:  # whatever the rules do wrong
            progress.clear()
            _failed(rules, error, quiet, json)
    if quiet:
        return
    if json:
        say_json(TestAnswer(rules.name, True, steps=steps))
    else:
        say(f"{rules.name}: ok, {steps} steps tried")


def _failed(rules: RuleSet, error: Exception, quiet: bool, json: bool) -> NoReturn:
    """Answer what the rules did wrong, and the log; with -q it goes where errors go."""
    from sintra.view import safe_json

    told = str(error) if isinstance(error, AssertionError) else f"{type(error).__name__}: {error}"
    log = "".join(getattr(error, "__notes__", []))
    answer = TestAnswer(rules.name, False, message=told, log=log)
    if json and quiet:
        remark(safe_json(answer))
    elif json:
        say_json(answer)
    else:
        if quiet:
            remark(f"sintra: {rules.name}: {told}")
        else:
            say(f"{rules.name}: {told}")
        remark(log.removesuffix("\n"))
    raise typer.Exit(1)


def help(
    topic: Annotated[
        str | None, typer.Argument(metavar="STEP", help="A step (pick, place, …) or a command.")
    ] = None,
    of: Annotated[
        str | None, typer.Option("--rules", help="Only the steps of this rule-set.", metavar="NAME")
    ] = None,
) -> None:
    """Explain the steps of a game, or a command.

    \b
    sintra help pick
    sintra help tile --rules azul
    sintra help --rules azul
    sintra help move
    """
    from sintra.cli.app import COMMANDS, help_of

    word = topic.lower() if topic is not None else None
    if of is not None:
        rules = rules_named(of)
        if not _explain([rules], word):
            raise _no_topic(str(topic), f"step of {rules.title}", [rules])
    elif word is None:
        say(help_of([]))
    elif word in COMMANDS:
        _explain(_built_in(), word)
        say(help_of([word]))
    elif not _explain(_built_in(), word):
        found = _installed()  # they take a while to be found
        if not _explain(found, word):
            raise _no_topic(str(topic), "step and no command", found, COMMANDS)


def _built_in() -> list[RuleSet]:
    return [catalog.find(name) for name in catalog.BUILT_IN]


def _explain(games: Sequence[RuleSet], verb: str | None) -> bool:
    """Tell the steps that begin with a word, or all, once where games share them; whether there are any."""
    from sintra.words import wrapped

    told: set[tuple[str, str]] = set()
    for rules in games:
        for form, meaning in rules.guide:
            if verb in (None, form.split()[0]) and (form, meaning) not in told:
                told.add((form, meaning))
                say(f"{form}   ({rules.title})")
                say("".join(f"    {line}\n" for line in wrapped(meaning.split(" "), 76)))
    return bool(told)


def _no_topic(topic: str, what: str, games: Sequence[RuleSet], others: Iterable[str] = ()) -> UsageError:
    """There is no help on something; what was probably meant, or what there is."""
    from sintra.steps import suggestion

    steps = dict.fromkeys(form.split()[0] for rules in games for form, _ in rules.guide)
    near = suggestion(topic, [*steps, *others])
    hint = f"did you mean {near!r}?" if near else f"steps are {', '.join(steps)}"
    return UsageError(f"{topic!r} is no {what}; {hint}")


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
