"""`sintra rules`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from sintra import catalog
from sintra.cli.answers import PageAnswer, RulesAnswer, Section, TestAnswer
from sintra.cli.options import Argument, Color, JsonOption, Option, QuietOption, completed_by, rules_named
from sintra.cli.output import remark, say, say_json
from sintra.errors import UsageError
from sintra.rules.ruleset import RuleSet
from sintra.text import listed


def rules(
    name: Annotated[
        str | None,
        Argument(metavar="NAME", help="Describe this rule-set.", completion=completed_by("rules")),
    ] = None,
    how_to_play: Annotated[
        bool, Option("--how-to-play", help="Explain how to play, on one page (needs NAME).")
    ] = False,
    template: Annotated[
        bool, Option("--template", help="Print a component file to fill in (needs NAME).")
    ] = False,
    test: Annotated[
        bool, Option("--test", help="Check the rule-set with random games (needs NAME).")
    ] = False,
    games: Annotated[
        int | None,
        Option(help="With --test: games for each option and player count (default: 1).", min=1, metavar="N"),
    ] = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
    """List the installed rule-sets, or describe one.

    A description lists the options, the steps, the printed tables with their sources, and the rulings:
    decisions where a rulebook is silent. Packages add rule-sets through the entry point group sintra.rules;
    --test checks one with random games.

    \b
    sintra rules
    sintra rules azul
    sintra rules azul --how-to-play
    sintra rules sintra --template > box.toml
    sintra rules azul --test
    """
    modes = {"--how-to-play": how_to_play, "--template": template, "--test": test}
    chosen = [mode for mode, wanted in modes.items() if wanted]
    if len(chosen) > 1:
        raise UsageError(f"use only one of {listed(chosen)}")
    if chosen and name is None:
        raise UsageError(f"{chosen[0]} needs the NAME of a rule-set")
    if games is not None and not test:
        raise UsageError("--games needs --test")
    if name is None:
        _list(quiet, json)
        return 0
    found = rules_named(name)
    if test:
        return _test(found, games or 1, quiet, json)
    if quiet:
        return 0
    if template:
        from sintra.view.template import toml

        if not found.template:
            raise UsageError(f"{found.title} has no printed values that a component file could change")
        say(toml(found))
    elif how_to_play:
        _explain(found, json)
    elif json:
        say_json(_described(found))
    else:
        from sintra.view.card import card

        say("\n".join(card(found)))
    return 0


def installed() -> list[RuleSet]:
    """Return all rule-sets that work; warn of the others on standard error."""
    from sintra.text import safe

    found, broken = catalog.installed()
    for error in broken:
        remark(f"sintra: warning: {safe(str(error))}")
    return found


def _explain(rules: RuleSet, json: bool) -> None:
    """Print how to play a game."""
    from sintra.cli.output import style
    from sintra.text import wrapped
    from sintra.tutorial import how_to_play

    page = how_to_play(rules)
    if json:
        say_json(PageAnswer(rules.name, rules.title, [Section(*part) for part in page]))
        return
    how = style(Color.auto, False)
    say(how.strong(f"How to play {rules.title}"))
    for heading, text in page:
        say(f"\n{how.strong(heading)}")
        say("\n".join(f"  {line}" for line in wrapped(text.split(" "), min(how.width, 80) - 2)))


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
        parts = [
            safe(rules.title),
            f"({options})" if options else "",
            f" [{safe(package)}]" if package else "",
        ]
        say(f"{safe(rules.name):<{width}}  {' '.join(filter(None, parts))}")


def _described(rules: RuleSet) -> RulesAnswer:
    """Return the description of a rule-set for JSON."""
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
    from sintra.testing import check_rules, games_of, report

    with Progress(games_of(rules, games)) as progress:
        try:
            steps = check_rules(rules, games=games, after_game=progress.step)
        except Exception as error:  # whatever a rule-set does wrong
            progress.clear()
            return _failed(rules, report(error), error.__notes__, quiet, json)
    if quiet:
        return 0
    if json:
        say_json(TestAnswer(rules.name, True, steps=steps))
    else:
        say(f"{rules.name}: ok, {steps} steps tried")
    return 0


def _failed(rules: RuleSet, message: str, notes: Sequence[str], quiet: bool, json: bool) -> int:
    """Print what the rules did wrong, and the log; with -q, on standard error. Return the exit code."""
    from sintra.text import safe_json

    log = "".join(notes)
    answer = TestAnswer(rules.name, False, message=message, log=log)
    if json and quiet:
        remark(safe_json(answer))
    elif json:
        say_json(answer)
    else:
        if quiet:
            remark(f"sintra: {rules.name}: {message}")
        else:
            say(f"{rules.name}: {message}")
        remark(log.removesuffix("\n"))
    return 1
