"""What the commands have in common: their options, and how they answer."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from sintra.rules.ruleset import RuleSet


class Color(StrEnum):
    """When to use colors."""

    auto = "auto"
    always = "always"
    never = "never"


LogArgument = Annotated[str, typer.Argument(metavar="LOG", help="The log file, or - for standard input.")]
FileArgument = Annotated[str, typer.Argument(metavar="LOG", help="The log file.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Answer in JSON; errors are JSON objects, too.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]
ColorOption = Annotated[
    Color,
    typer.Option("--color", help="Use colors: auto, always or never.", show_default=True, metavar="WHEN"),
]
ExpectOption = Annotated[
    int | None, typer.Option("--expect", help="Only if the log has N events (else exit code 5).", metavar="N")
]
WaitOption = Annotated[bool, typer.Option("--wait", help="Wait while another program writes to the log.")]
SyncOption = Annotated[bool, typer.Option("--sync/--no-sync", help="Wait until the disk has it.")]
OutputOption = Annotated[
    str | None, typer.Option("--output", "-o", help="Write to a new file.", metavar="FILE")
]
AsciiOption = Annotated[bool, typer.Option("--ascii", help="Draw in plain ASCII.")]
RuleOption = Annotated[
    list[str] | None, typer.Option("--option", help="An option of the rule-set.", metavar="KEY=VALUE")
]
ComponentsOption = Annotated[
    str | None,
    typer.Option("--components", help="Printed values of your own box, JSON or TOML.", metavar="FILE"),
]
SeedOption = Annotated[
    int | None, typer.Option("--seed", help="Draw from this seed, 0 to 2^53-1.", metavar="N")
]
JobsOption = Annotated[
    int | None,
    typer.Option("--jobs", "-j", help="So many processes (default: one a core).", min=1, metavar="N"),
]
ExecutorOption = Annotated[
    str | None,
    typer.Option(help="Let the workers of a Dask cluster do it: dask://HOST:PORT.", metavar="ADDRESS"),
]
ManyOption = Annotated[bool, typer.Option("--many", help="Every file holds many games, one after the other.")]


def rules_named(name: str) -> RuleSet:
    """The rule-set that a person names, in any case; UnknownRules has a suggestion."""
    from sintra import catalog
    from sintra.errors import UnknownRules
    from sintra.rules.steps import suggestion

    try:
        return catalog.find(name)
    except UnknownRules as error:
        names = catalog.names()
        if name in names:  # it is there, and does not work
            raise
        same = [known for known in names if known.lower() == name.lower()]
        if len(same) == 1:
            return catalog.find(same[0])
        near = suggestion(name.lower(), names)
        raise UnknownRules(f"{error}; did you mean {near!r}?" if near else str(error)) from None
