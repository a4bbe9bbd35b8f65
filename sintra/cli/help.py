"""`sintra help`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

from sintra import catalog
from sintra.cli.options import Argument, Option, completed_by, rules_named
from sintra.cli.output import say
from sintra.cli.rules import installed
from sintra.errors import UsageError
from sintra.rules.ruleset import RuleSet


def help(
    topic: Annotated[
        str | None,
        Argument(
            metavar="TOPIC",
            help="A kind of step (pick, place, …), a ruling (S3), or a command.",
            completion=completed_by("help"),
        ),
    ] = None,
    of: Annotated[
        str | None,
        Option(
            "--rules",
            help="Only the steps and rulings of this rule-set.",
            metavar="NAME",
            completion=completed_by("rules"),
        ),
    ] = None,
) -> None:
    """Explain the steps of a game, a ruling, or a command.

    \b
    sintra help pick
    sintra help S3
    sintra help tile --rules azul
    sintra help --rules azul
    sintra help move
    """
    from sintra.cli.commands import COMMANDS, listing

    word = topic.lower() if topic is not None else None
    if of is not None:
        rules = rules_named(of)
        if not _explain([rules], word):
            raise _no_topic(str(topic), f"not a step or ruling of {rules.title}", [rules])
    elif word is None:
        say(listing())
    elif word in COMMANDS:
        _explain(_built_in(), word)
        from sintra.cli.app import help_of

        say(help_of(word))
    elif not _explain(_built_in(), word):
        found = installed()  # slow: looks for plug-ins
        if not _explain(found, word):
            raise _no_topic(str(topic), "not a step, a ruling or a command", found, COMMANDS)


def _built_in() -> list[RuleSet]:
    return [catalog.find(name) for name in catalog.BUILT_IN]


def _explain(games: Sequence[RuleSet], verb: str | None) -> bool:
    """Print the ruling with this number, or the steps that begin with a word, or all, each only once.

    Return True if there are any.
    """
    from sintra.text import listed, wrapped

    shown: set[tuple[str, str]] = set()
    for ruling in dict.fromkeys(ruling for rules in games for ruling in rules.rulings):
        if ruling.number.lower() == verb:
            shown.add((ruling.number, ruling.text))
            say(f"{ruling.number}   ({listed([rules.title for rules in games if ruling in rules.rulings])})")
            say("".join(f"    {line}\n" for line in wrapped(ruling.text.split(" "), 76)))
    for rules in games:
        for form, meaning in rules.guide:
            if verb in (None, form.split()[0]) and (form, meaning) not in shown:
                shown.add((form, meaning))
                say(f"{form}   ({rules.title})")
                say("".join(f"    {line}\n" for line in wrapped(meaning.split(" "), 76)))
    return bool(shown)


def _no_topic(topic: str, what: str, games: Sequence[RuleSet], others: Iterable[str] = ()) -> UsageError:
    """Return the error for an unknown topic, with what was probably meant, or the possible topics."""
    from sintra.rules.steps import suggestion

    steps = dict.fromkeys(form.split()[0] for rules in games for form, _ in rules.guide)
    near = suggestion(topic, [*steps, *others])
    if topic[1:].isdecimal():
        numbers = dict.fromkeys(ruling.number for rules in games for ruling in rules.rulings)
        hint = f"the rulings are {', '.join(numbers)}"
    else:
        hint = f"did you mean {near!r}?" if near else f"the steps are {', '.join(steps)}"
    return UsageError(f"{topic!r} is {what}; {hint}")
