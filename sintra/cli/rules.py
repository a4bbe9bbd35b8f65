"""`sintra rules`."""

from __future__ import annotations

from typing import Annotated

from sintra import catalog
from sintra.cli.answers import RulesAnswer, TestAnswer
from sintra.cli.options import Argument, JsonOption, Option, QuietOption, rules_named
from sintra.cli.output import remark, say, say_json
from sintra.errors import UsageError
from sintra.rules.ruleset import RuleSet


def rules(
    name: Annotated[str | None, Argument(metavar="NAME", help="Tell all about these rules.")] = None,
    test: Annotated[bool, Option("--test", help="Try the rules on random games (needs NAME).")] = False,
    games: Annotated[
        int | None,
        Option(help="With --test: games for each option and player count (default: 1).", min=1, metavar="N"),
    ] = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
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
        return 0
    found = rules_named(name)
    if test:
        return _test(found, games or 1, quiet, json)
    if quiet:
        return 0
    if json:
        say_json(_described(found))
    else:
        from sintra.view.card import card

        say("\n".join(card(found)))
    return 0


def installed() -> list[RuleSet]:
    """All rule-sets that load; what is wrong with the others is told on standard error."""
    from sintra.text import safe

    found, broken = catalog.installed()
    for error in broken:
        remark(f"sintra: warning: {safe(str(error))}")
    return found


def _list(quiet: bool, json: bool) -> None:
    found = installed()
    if quiet:
        return
    if json:
        say_json([_described(rules) for rules in found])
        return
    from sintra.text import safe
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


def _test(rules: RuleSet, games: int, quiet: bool, json: bool) -> int:
    """Run the contract kit; return the exit code."""
    from sintra.cli.progress import Progress
    from sintra.testing import check_rules, games_of

    with Progress(games_of(rules, games)) as progress:
        try:
            steps = check_rules(rules, games=games, after_game=progress.step)
        except Exception as error:  # whatever the rules do wrong
            progress.clear()
            return _failed(rules, error, quiet, json)
    if quiet:
        return 0
    if json:
        say_json(TestAnswer(rules.name, True, steps=steps))
    else:
        say(f"{rules.name}: ok, {steps} steps tried")
    return 0


def _failed(rules: RuleSet, error: Exception, quiet: bool, json: bool) -> int:
    """Answer what the rules did wrong, and the log; with -q it goes where errors go."""
    from sintra.text import safe_json

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
    return 1
