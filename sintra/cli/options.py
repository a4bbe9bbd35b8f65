"""Options that commands share."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

if TYPE_CHECKING:
    from sintra.bots.process import Limits
    from sintra.rules.ruleset import RuleSet


class Parameter:
    """The description of a parameter in the signature of a command, which `app` translates for typer."""

    __slots__ = ("completion", "help", "max", "metavar", "min", "names")

    def __init__(
        self,
        *names: str,
        help: str,
        metavar: str | None = None,
        min: float | None = None,
        max: float | None = None,
        completion: Callable[[Any, str], list[str]] | None = None,
    ) -> None:
        self.names = names
        self.help = help
        self.metavar = metavar
        self.min, self.max = min, max
        self.completion = completion


class Argument(Parameter):
    """A positional argument."""


class Option(Parameter):
    """An option: by its names, such as `--quiet` and `-q`, or `--` and the parameter's name."""


class Color(StrEnum):
    """When to use colors."""

    auto = "auto"
    always = "always"
    never = "never"


class Theme(StrEnum):
    """Colors for the terminal."""

    auto = "auto"
    dark = "dark"
    light = "light"
    color_blind = "color-blind"
    ascii = "ascii"


def completed_by(name: str) -> Callable[[Any, str], list[str]]:
    """Return a function of `complete` for shell completion, which is imported when a shell asks."""

    def complete(ctx: Any, incomplete: str) -> list[str]:
        from sintra.cli import complete

        return complete.matching(name, ctx, incomplete)

    return complete


LogArgument = Annotated[str, Argument(metavar="LOG", help="Log file, or - for standard input.")]
FileArgument = Annotated[str, Argument(metavar="LOG", help="Log file.")]
JsonOption = Annotated[bool, Option("--json", help="Print JSON, errors included.")]
QuietOption = Annotated[bool, Option("--quiet", "-q", help="Print nothing but errors.")]
ColorOption = Annotated[
    Color,
    Option("--color", help="Use colors: auto, always or never.", metavar="WHEN"),
]
ThemeOption = Annotated[
    Theme,
    Option("--theme", help="Colors: auto, dark, light, color-blind (with shapes) or ascii.", metavar="NAME"),
]
ExpectOption = Annotated[
    int | None, Option("--expect", help="Fail with exit code 5 unless the log has N events.", metavar="N")
]
WaitOption = Annotated[bool, Option("--wait", help="Wait if another program is writing to the log.")]
SyncOption = Annotated[bool, Option("--sync/--no-sync", help="Flush to disk before returning.")]
OutputOption = Annotated[str | None, Option("--output", "-o", help="Write to a new file.", metavar="FILE")]
PlainOption = Annotated[bool, Option("--plain", help="On a terminal: print lines, don't fill the screen.")]
AsciiOption = Annotated[bool, Option("--ascii", help="Draw in plain ASCII.")]
RuleOption = Annotated[
    list[str] | None,
    Option(
        "--option",
        help="Option of the rule-set; repeatable.",
        metavar="KEY=VALUE",
        completion=completed_by("option"),
    ),
]
SideOption = Annotated[
    str | None,
    Option("--side", help="The side of the boards.", metavar="SIDE", completion=completed_by("side")),
]
ComponentsOption = Annotated[
    str | None,
    Option("--components", help="Printed values of your own box, in JSON or TOML.", metavar="FILE"),
]
SeedOption = Annotated[int | None, Option("--seed", help="Seed for all draws, 0 to 2^53-1.", metavar="N")]
JobsOption = Annotated[
    int | None,
    Option(
        "--jobs",
        "-j",
        help="Number of worker processes (default: one per core).",
        min=1,
        max=1024,
        metavar="N",
    ),
]
ExecutorOption = Annotated[
    str | None,
    Option(help="Use the workers of a Dask cluster: dask://HOST:PORT.", metavar="ADDRESS"),
]
MoveTimeOption = Annotated[
    float | None,
    Option(
        "--move-time",
        help="Seconds per choice (default: 1 for programs, no limit for Python bots).",
        metavar="S",
    ),
]
InitTimeOption = Annotated[
    float | None,
    Option("--init-time", help="Seconds for the first answer of a program (default: 15).", metavar="S"),
]
AnalysisOption = Annotated[
    bool, Option("--analysis", "-a", help="Include the analysis of the game; see `sintra analyze`.")
]
MemoryOption = Annotated[
    int | None,
    Option("--memory", help="Memory that a program may use, in MiB (default: 2048).", metavar="MIB"),
]
ManyOption = Annotated[bool, Option("--many", help="Treat every file as many games, one after the other.")]


def limits_of(move_time: float | None, init_time: float | None, memory: int | None = None) -> Limits:
    """Return the limits for programs that play."""
    from sintra.bots.process import Limits

    usual = Limits()
    return Limits(
        move_time=usual.move_time if move_time is None else move_time,
        init_time=usual.init_time if init_time is None else init_time,
        memory=usual.memory if memory is None else memory,
    )


def rules_named(name: str) -> RuleSet:
    """Return the rule-set that a person names, in any case; raise UnknownRules with a suggestion."""
    from sintra import catalog
    from sintra.errors import UnknownRules
    from sintra.rules.steps import suggestion

    try:
        return catalog.find(name)
    except UnknownRules as error:
        names = catalog.names()
        if name in names:  # it exists, but does not work
            raise
        same = [known for known in names if known.lower() == name.lower()]
        if len(same) == 1:
            return catalog.find(same[0])
        near = suggestion(name.lower(), names)
        raise UnknownRules(f"{error}; did you mean {near!r}?" if near else str(error)) from None
