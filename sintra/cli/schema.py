"""`sintra schema`."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from sintra import catalog
from sintra.cli.options import Argument, completed_by
from sintra.cli.output import say_json
from sintra.errors import UsageError


def schema(
    name: Annotated[
        str | None,
        Argument(
            metavar="NAME",
            help="A command, `error`, `bot`, `log-RULES` for the lines of a log, or `planes`.",
            completion=completed_by("schema"),
        ),
    ] = None,
) -> None:
    """Print the JSON Schema of an answer, a log, or the messages to bots.

    `planes` lists what learning programs see and do: every plane and every code of each game.

    \b
    sintra schema show
    sintra schema log-sintra
    sintra schema bot
    sintra schema planes
    """
    from typing import Union

    from sintra.bots.protocol import Answer, Choose, Hello, Over
    from sintra.cli.reports import ANSWERS
    from sintra.log.events import COMMON

    known: dict[str, Any] = dict(ANSWERS)
    known["bot"] = Hello | Choose | Over
    known["bot-answer"] = Answer
    for rules in catalog.installed()[0]:
        known[f"log-{rules.name}"] = Union[COMMON + rules.lines]  # noqa: UP007 - a union of types that are data
    if name == PLANES:
        from sintra.rules.planes import listing

        say_json({rules.name: listing(rules) for rules in catalog.installed()[0] if rules.planes})
        return
    if name is not None and name not in known:
        from difflib import get_close_matches

        near = get_close_matches(name, [*known, PLANES], 1)
        meant = f"did you mean {near[0]!r}?" if near else f"available: {', '.join([*known, PLANES])}"
        raise UsageError(f"no schema {name!r}; {meant}")
    if name is not None:
        say_json({"$schema": DIALECT, **_schema_of(known[name])})
        return
    found, parts = {}, dict[str, Any]()
    for key, kind in known.items():
        made = _schema_of(kind)
        for part, body in made.pop("$defs", {}).items():
            parts[f"{key}.{part}"] = _renamed(body, key)
        found[key] = _renamed(made, key)
    say_json({"$schema": DIALECT, "$defs": {**found, **parts}})


def _schema_of(kind: Any) -> dict[str, Any]:
    """Return the schema of a type."""
    schema: dict[str, Any] = _unindented(msgspec.json.schema(kind))
    return schema


def _unindented(schema: Any) -> Any:
    """Return a schema without the indentation of docstrings, which only Python 3.13 and later remove."""
    from inspect import cleandoc

    if isinstance(schema, dict):
        return {
            key: cleandoc(value) if key == "description" and isinstance(value, str) else _unindented(value)
            for key, value in schema.items()
        }
    return [_unindented(value) for value in schema] if isinstance(schema, list) else schema


def _renamed(schema: Any, name: str) -> Any:
    """Return a schema with its references changed to the full names of the parts."""
    if isinstance(schema, dict):
        return {
            key: value.replace("#/$defs/", f"#/$defs/{name}.") if key == "$ref" else _renamed(value, name)
            for key, value in schema.items()
        }
    return [_renamed(value, name) for value in schema] if isinstance(schema, list) else schema


PLANES = "planes"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
