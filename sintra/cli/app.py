"""The program as typer sees it, for calls that are not plain."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from enum import Enum
from typing import Annotated, Any, cast

import typer
from typer.core import TyperCommand, TyperGroup

from sintra.cli import commands
from sintra.cli.commands import COMMANDS
from sintra.cli.options import Argument, Parameter
from sintra.cli.plain import Known, described, spellings
from sintra.errors import UsageError
from sintra.text import listed

_EXTRA = re.compile(r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)")
"""The library's message for extra arguments; the group matches them."""

COMPLETION = ("--install-completion", "--show-completion")
SHELLS = ("bash", "zsh", "fish")


class Command(TyperCommand):
    """A command whose help shows arguments as they are typed: `LOG`, not `{LOG}` or `LOG <str>`."""

    def get_help(self, ctx: Any) -> str:
        """Return the help, with blanks in place of types."""
        return re.sub(
            r"(?m)^(  [][A-Z.]+) <[^>]+>",
            lambda found: f"{found[1]:<{len(found[0])}}",
            super().get_help(ctx),
        )

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the parts after the name; some versions of typer add dots to `LOG...`."""
        pieces = [re.sub("[{}]", "", piece) for piece in super().collect_usage_pieces(ctx)]
        return [piece.replace("......", "...") for piece in pieces]


class Program(TyperGroup):
    """All commands; their help is the overview."""

    def get_help(self, ctx: Any) -> str:  # noqa: ARG002 - the same wherever it is asked for
        """Return the help."""
        return commands.overview()

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that is called; report an unknown one in our own words."""
        name = args[0]
        if name in COMMANDS or name.startswith("-") or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        from difflib import get_close_matches

        close = [repr(known) for known in get_close_matches(name, COMMANDS, 2)]
        found = UsageError(
            f"there is no command {name!r}" + (f"; did you mean {' or '.join(close)}?" if close else "")
        )
        found.add_note("Try `sintra --help`.")
        raise found


def run(arguments: Sequence[str]) -> int:
    """Run a call and return its exit code; UsageError has a note on where to find help."""
    option, equals, shell = arguments[0].partition("=") if arguments else ("", "", "")
    if option in COMPLETION and (equals or len(arguments) > 1):
        return _complete(option, [*([shell] if equals else []), *arguments[1:]])
    usage_error = cast(type[Exception], typer.BadParameter.__mro__[1])
    command = typer.main.get_command(program(arguments))
    try:
        code = command.main(list(arguments), prog_name="sintra", standalone_mode=False)
    except usage_error as error:
        slip = cast(Any, error)
        found = UsageError(_message(slip, arguments))
        called = " ".join(["sintra", *(word for word in arguments[:1] if word in COMMANDS)])
        found.add_note(f"Try `{slip.ctx.command_path if slip.ctx else called} --help`.")
        raise found from None
    except typer.Abort:
        return 130
    return code if isinstance(code, int) else 0


def _complete(option: str, words: Sequence[str]) -> int:
    """Show or install completion for the named shell; typer itself only knows the one it runs in."""
    from typer import completion

    scripts = cast(Any, completion)  # not typed as public, but there since the oldest version that we accept
    shell, *more = words
    if shell not in SHELLS:
        raise UsageError(f"{option} must be {listed(SHELLS, 'or')}, not {shell!r}")
    if more:
        raise UsageError(f"too many arguments: {' '.join(more)}")
    if option == "--show-completion":
        variable = "_SINTRA_COMPLETE"
        typer.echo(scripts.get_completion_script(prog_name="sintra", complete_var=variable, shell=shell))
    else:
        _, path = scripts.install(shell, "sintra")
        typer.echo(f"{shell} completion installed in {path}")
        typer.echo("Completion will take effect once you restart the terminal")
    return 0


def program(arguments: Sequence[str]) -> typer.Typer:
    """Return the program for a call: only the command that is called is loaded, for a fast start."""
    app = typer.Typer(
        name="sintra",
        cls=Program,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(help=commands.ABOUT)(sintra)
    called = arguments[:1] if arguments and arguments[0] in COMMANDS else COMMANDS
    for name in called:
        app.command(name, cls=Command)(_described(commands.load(name)))
    return app


def _described(command: commands.Command) -> commands.Command:
    """Return a command whose parameters are described in typer's own terms."""
    signature = inspect.signature(command, eval_str=True)
    annotations = {name: _annotation(found.annotation) for name, found in signature.parameters.items()}
    parameters = [found.replace(annotation=annotations[name]) for name, found in signature.parameters.items()]

    def called(**given: Any) -> int | None:
        return command(**given)

    called.__doc__ = command.__doc__
    called.__annotations__ = annotations
    called.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return called


def _annotation(ours: Any) -> Any:
    """Return an annotation with typer's description in place of ours."""
    (parameter,) = ours.__metadata__
    assert isinstance(parameter, Parameter)
    given: dict[str, Any] = {name: getattr(parameter, name) for name in ("help", "metavar", "min", "max")}
    if isinstance(parameter, Argument):
        return Annotated[ours.__origin__, typer.Argument(autocompletion=parameter.completion, **given)]
    return Annotated[
        ours.__origin__, typer.Option(*parameter.names, autocompletion=parameter.completion, **given)
    ]


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(commands.version())
        raise typer.Exit


def sintra(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_version,
            is_eager=True,
            help="Show the version, and whether the rules are compiled.",
        ),
    ] = False,
) -> None:
    """Take the options that come before a command."""


def help_of(name: str) -> str:
    """Return the help of a command."""
    group: Any = typer.main.get_command(program([name]))
    context = group.make_context("sintra", [], resilient_parsing=True)
    command = group.get_command(context, name)
    return str(command.get_help(command.make_context(name, [], parent=context, resilient_parsing=True)))


def _message(error: Any, arguments: Sequence[str]) -> str:
    """Say what is wrong with a call; for a value, in our own words, which do not change with typer."""
    option = getattr(error, "option_name", None)
    if option and type(error).__name__ == "NoSuchOption":
        return _no_option(option, error.ctx, arguments)
    if option and arguments[0] in COMMANDS:
        return _misused(option, arguments[0])
    name = getattr(getattr(error, "param", None), "name", None)
    if name and error.ctx and isinstance(error, typer.BadParameter):
        for known in described(commands.load(error.ctx.info_name)):
            if known.name == name:
                words = [word for word, _ in spellings(known)] or [str(known.about.metavar)]
                if "Missing" in type(error).__name__:
                    return f"{words[0]} is missing"
                return f"{words[0]} must be {_expected(known)}{_given(words, arguments)}"
    said = str(error.format_message())
    extra = _EXTRA.match(said)
    return f"too many arguments: {extra[1]}" if extra else said


def _no_option(option: str, context: Any, arguments: Sequence[str]) -> str:
    """Say that there is no such option, and suggest one or two that may have been meant."""
    from difflib import get_close_matches

    name = context.info_name
    if name not in COMMANDS:
        called = next((word for word in arguments if word in COMMANDS), "COMMAND")
        return f"options come after the command: sintra {called} {option}"
    known = [word for found in described(commands.load(name)) for word, _ in spellings(found)]
    close = get_close_matches(option, [*known, "--help"], 2, 0.75)
    return f"{name} has no option {option}" + (f"; did you mean {' or '.join(close)}?" if close else "")


def _misused(option: str, command: str) -> str:
    """Return that an option needs a value, or takes none."""
    for known in described(commands.load(command)):
        if known.kind is not bool and option in dict(spellings(known)):
            return f"{option} needs a value: {option} {known.about.metavar}"
    return f"{option} takes no value"


def _given(names: Sequence[str], arguments: Sequence[str]) -> str:
    """Return the value of an option in a call, as the end of a sentence."""
    for word, following in zip(arguments, [*arguments[1:], ""], strict=True):
        name, equals, value = word.partition("=")
        if name in names:
            return f", not {(value if equals else following)!r}"
    return ""


def _expected(known: Known) -> str:
    """Say which values a parameter takes."""
    if issubclass(known.kind, Enum):
        return listed([member.value for member in known.kind], "or")
    text = "a whole number" if known.kind is int else "a number"
    low, high = known.about.min, known.about.max
    if low is None:
        return text if high is None else f"{text}, {high:,} or less"
    return f"{text}, {low:,} or more" if high is None else f"{text} from {low:,} to {high:,}"
