"""The program: its commands, and what it says of itself."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from sintra.cli.options import Argument, Parameter
from sintra.version import VERSION

COMMANDS = (
    "new",
    "move",
    "legal",
    "show",
    "log",
    "score",
    "replay",
    "play",
    "verify",
    "simulate",
    "stats",
    "diff",
    "undo",
    "fork",
    "note",
    "arrange",
    "deal",
    "rules",
    "help",
    "schema",
    "convert",
    "repair",
)
"""Every command, in the order of the help; each is in the module of its name."""


class Command(TyperCommand):
    """A command whose usage shows arguments as they are typed: `LOG`, not `{LOG}`."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """What comes after the name."""
        return [piece.removeprefix("{").removesuffix("}") for piece in super().collect_usage_pieces(ctx)]


def program(arguments: Sequence[str]) -> typer.Typer:
    """The program for a call: only the command that is called is loaded, for a short start."""
    app = typer.Typer(
        name="sintra",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(sintra)
    called = arguments[:1] if arguments and arguments[0] in COMMANDS else COMMANDS
    for name in called:
        app.command(name, cls=Command)(_described(getattr(import_module(f"sintra.cli.{name}"), name)))
    return app


def _described(command: Callable[..., int | None]) -> Callable[..., int | None]:
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
        from sintra.catalog import build

        typer.echo(f"sintra {VERSION} ({build()})")
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
    """Play, script, replay and verify games of the Azul family, stored as plain logs.

    \b
    sintra new --seed 42 > game.log
    sintra move game.log pick 3 orange
    sintra show game.log
    sintra replay game.log
    """


def help_of(path: Sequence[str]) -> str:
    """The help of the program, or of a command, as text."""
    command: Any = typer.main.get_command(program(path))
    context = command.make_context("sintra", [], resilient_parsing=True)
    for name in path:
        command = command.get_command(context, name)
        context = command.make_context(name, [], parent=context, resilient_parsing=True)
    return str(command.get_help(context))
