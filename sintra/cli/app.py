"""The program as typer sees it, for calls that are not plain."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Annotated, Any, cast

import typer
from typer.core import TyperCommand, TyperGroup

from sintra.cli import commands
from sintra.cli.commands import COMMANDS
from sintra.cli.options import Argument, Parameter
from sintra.errors import UsageError


class Command(TyperCommand):
    """A command whose usage shows arguments as they are typed: `LOG`, not `{LOG}`."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return what comes after the name."""
        return [piece.removeprefix("{").removesuffix("}") for piece in super().collect_usage_pieces(ctx)]


class Program(TyperGroup):
    """All commands; their help is the overview."""

    def get_help(self, ctx: Any) -> str:  # noqa: ARG002 - the same wherever it is asked for
        """Return the help."""
        return commands.overview()


def run(arguments: Sequence[str]) -> int:
    """Run a call and return its exit code; UsageError has a note on where to find help."""
    usage_error = cast(type[Exception], typer.BadParameter.__mro__[1])
    command = typer.main.get_command(program(arguments))
    try:
        code = command.main(list(arguments), prog_name="sintra", standalone_mode=False)
    except usage_error as error:
        slip = cast(Any, error)
        found = UsageError(_plain(slip.format_message()))
        if slip.ctx is not None:
            found.add_note(f"Try `{slip.ctx.command_path} --help`.")
        raise found from None
    except typer.Abort:
        return 130
    return code if isinstance(code, int) else 0


def program(arguments: Sequence[str]) -> typer.Typer:
    """Return the program for a call: only the command that is called is loaded, for a short start."""
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
    return Annotated[ours.__origin__, typer.Option(*parameter.names, **given)]


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


def _plain(message: str) -> str:
    """Return what typer says of a value, without formulas and names of types."""
    import re

    for formula, words in (
        (r"in the range x>=(\S+)\.$", r"\1 or more."),
        (r"in the range (\S+)<=x<=(\S+)\.$", r"from \1 to \2."),
        (r"a valid int\w*( range)?\.$", "a whole number."),
        (r"a valid float( range)?\.$", "a number."),
    ):
        message = re.sub(formula, words, message)
    return message
