"""Forms of JSON: every line of a log written in ways that mean the same, and in ways that are none.

People's tools rewrite lines, so any spacing, key order and escape is read; whatever JSON or the format does
not allow is refused, at its line. `loads` and `verify` agree.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sintra import catalog
from sintra.api import loads
from sintra.batch.logs import Entry
from sintra.batch.verify import verdict
from sintra.errors import DamagedLog, SintraError
from sintra.game import Game
from sintra.testing import all_options

Fields = dict[str, Any]
Form = Callable[[Fields], str | bytes | None]
"""Makes another line of the fields of one; None where it can't."""


def compact(fields: Any) -> str:
    """Return JSON as sintra writes it."""
    return json.dumps(fields, separators=(",", ":"), ensure_ascii=False)


def _escaped(text: str) -> str:
    return "".join(f"\\u{ord(one):04x}" for one in text)


def _with_keys(change: Callable[[str], str]) -> Form:
    return lambda fields: (
        "{" + ",".join(f'"{change(key)}":{compact(value)}' for key, value in fields.items()) + "}"
    )


def _each_string(fields: Fields) -> str:
    """Escape every character of every text."""
    return re.sub(r'"([a-z_]+)"', lambda found: f'"{_escaped(found[1])}"', compact(fields))


def _number(change: Callable[[str], str]) -> Form:
    """Write the first whole number of a line in another way."""

    def form(fields: Fields) -> str | None:
        line = compact(fields)
        found = re.search(r"[:\[,](\d+)(?=[,\]}])", line)
        return None if found is None else line[: found.start(1)] + change(found[1]) + line[found.end(1) :]

    return form


def _text(change: Callable[[str], str | bytes]) -> Form:
    return lambda fields: change(compact(fields))


def _first(value: str) -> Form:
    """Give the first field after `type` another value."""

    def form(fields: Fields) -> str | None:
        key = list(fields)[1]
        line = compact(fields)
        head = f'"{key}":{compact(fields[key])}'
        assert head in line
        return line.replace(head, f'"{key}":{value}', 1)

    return form


def _twice(value: str | None = None, key: int = 1) -> Form:
    """Write a field twice: first with this value, or with its own."""

    def form(fields: Fields) -> str:
        name = list(fields)[key]
        first = compact(fields[name]) if value is None else value
        return "{" + f'"{name}":{first},' + compact(fields)[1:]

    return form


SAME: dict[str, Form] = {
    "blanks": _text(lambda line: json.dumps(json.loads(line), ensure_ascii=False)),
    "many blanks": lambda fields: json.dumps(fields, separators=(" \t ,  ", "  :\t"), ensure_ascii=False),
    "a blank before": _text(lambda line: " " + line),
    "a tab after": _text(lambda line: line + "\t"),
    "a carriage return after": _text(lambda line: line + "\r"),
    "keys in reverse": lambda fields: compact(dict(reversed(fields.items()))),
    "keys sorted": lambda fields: compact(dict(sorted(fields.items()))),
    "type last": lambda fields: compact({**dict(list(fields.items())[1:]), "type": fields["type"]}),
    "escaped keys": _with_keys(_escaped),
    "one letter of a key escaped": _with_keys(lambda key: _escaped(key[0]) + key[1:]),
    "escaped texts": _each_string,
    "escapes in capitals": lambda fields: re.sub(
        r"(?<=\\u)[0-9a-f]{4}", lambda one: one[0].upper(), _each_string(fields)
    ),
    "a field twice": _twice(),
    "type twice": _twice(key=0),
    "a field twice, in another spelling": lambda fields: (
        "{" + f'"{_escaped(list(fields)[1])}":{compact(list(fields.values())[1])},' + compact(fields)[1:]
    ),
}
"""Forms that mean the same line."""

REFUSED: dict[str, Form] = {
    "a comma at the end": _text(lambda line: line[:-1] + ",}"),
    "no brace at the end": _text(lambda line: line[:-1]),
    "a brace too many": _text(lambda line: line + "}"),
    "two objects": _text(lambda line: f"{line} {line}"),
    "in a list": _text(lambda line: f"[{line}]"),
    "as a text": _text(lambda line: json.dumps(line)),
    "single quotes": _text(lambda line: line.replace('"', "'")),
    "a comment": _text(lambda line: line + " // mine"),
    "a byte-order mark": _text(lambda line: "\ufeff" + line),
    "UTF-16": _text(lambda line: line.encode("utf-16")),
    "a byte that is no text": _text(lambda line: line.encode().replace(b'"type"', b'"typ\xff"', 1)),
    "a NUL": _text(lambda line: "\0" + line),
    "a form feed": _text(lambda line: "\f" + line),
    "a no-break space": _text(lambda line: "\u00a0" + line),
    "a raw tab in a text": _text(lambda line: line.replace('"type"', '"ty\tpe"', 1)),
    "no quotes": _text(lambda line: line.replace('"type"', "type", 1)),
    "an empty object": lambda _: "{}",
    "null": lambda _: "null",
    "a list of pairs": lambda fields: compact(list(fields.items())),
    "deeper": lambda fields: compact({"event": fields}),
    "a key too many": lambda fields: compact({**fields, "more": 1}),
    "a key in capitals": _with_keys(str.upper),
    "a key with a blank": lambda fields: compact({key + " ": value for key, value in fields.items()}),
    "a key missing": lambda fields: compact(dict(list(fields.items())[:-1])),
    "no type": lambda fields: compact(dict(list(fields.items())[1:])),
    "a type in capitals": lambda fields: compact({**fields, "type": fields["type"].upper()}),
    "a type that is a number": lambda fields: compact({**fields, "type": 1}),
    "another type, too": _twice('"elsewhere"', 0),
    "null for a field": _first("null"),
    "true for a field": _first("true"),
    "an object for a field": _first("{}"),
    "not a number": _first("NaN"),
    "infinity": _first("-Infinity"),
    "a lone surrogate": _first('"\\ud800"'),
    "an impossible value first": _twice("null"),
    "a zero before": _number(lambda text: "0" + text),
    "a plus before": _number(lambda text: "+" + text),
    "a fraction": _number(lambda text: text + ".0"),
    "an exponent": _number(lambda text: text + "e0"),
    "hexadecimal": _number(lambda text: hex(int(text))),
    "as text": _number(lambda text: f'"{text}"'),
    "too large": _number(lambda text: text + "0" * 40),
}
"""Forms that no log may have."""


def run(scale: float, scratch: Path) -> dict[str, int | str]:  # noqa: ARG001 - nothing is written
    """Try every form with every type of event, on every board."""
    read = refused = 0
    types = set()
    for rules in map(catalog.find, catalog.BUILT_IN):
        for options in list(all_options(rules))[: None if scale >= 1 else 1]:
            lines = shown(Game.new(rules, 2, seed=7, options=options))
            for at, fields in first_of_each(lines):
                types.add(fields["type"])
                read += sum(means_the_same(lines, at, name, form(fields)) for name, form in SAME.items())
                refused += sum(is_refused(lines, at, name, form(fields)) for name, form in REFUSED.items())
    return {
        "forms": len(SAME) + len(REFUSED),
        "types of events": len(types),
        "lines in other words, read as the same": read,
        "lines that no log may have, refused at their place": refused,
    }


def shown(game: Game) -> list[str]:
    """Return the lines of a game that has every type of event that its rules have."""
    while not game.over and game.round < 12:
        game.play(game.legal()[-1])
    game.note("a remark")
    game.undo()
    return game.dumps().splitlines()


def first_of_each(lines: list[str]) -> Iterator[tuple[int, Fields]]:
    """Yield the first line of each type, with its place."""
    seen = set()
    for at, line in enumerate(lines):
        fields: Fields = json.loads(line)
        if fields["type"] not in seen:
            seen.add(fields["type"])
            yield at, fields


def _put(lines: list[str], at: int, line: str | bytes) -> bytes:
    """Return the log as far as this line, in its other form."""
    data = line if isinstance(line, bytes) else line.encode("utf-8", "surrogatepass")
    return b"".join(one.encode() + b"\n" for one in lines[:at]) + data + b"\n"


def means_the_same(lines: list[str], at: int, name: str, line: str | bytes | None) -> bool:
    """Check that a form is read as the same event, and written as before."""
    if line is None:
        return False
    data = _put(lines, at, line)
    found = verdict(Entry("a log", data=data))
    assert found.ok, f"{name}: {found.message}, line {found.line}: {line[:200]!r}"
    assert loads(data.decode()).dumps().splitlines() == lines[: at + 1], f"{name}: {line[:200]!r}"
    return True


def is_refused(lines: list[str], at: int, name: str, line: str | bytes | None) -> bool:
    """Check that a form is refused at its line, whoever reads it."""
    if line is None:
        return False
    data = _put(lines, at, line)
    found = verdict(Entry("a log", data=data))
    assert not found.ok, f"{name} is read: {line[:200]!r}"
    assert found.line == at + 1 or not at, f"{name}: line {found.line}, not {at + 1}: {found.message}"
    assert _line(data) in (at + 1, None if at == 0 else at + 1), f"{name}: {line[:200]!r}"
    return True


def _line(data: bytes) -> int | None:
    """Return the line that `loads` refuses; None if another version might read it, 0 if it is read."""
    try:
        loads(data.decode("utf-8", "surrogateescape"))
    except SintraError as error:
        return error.line if isinstance(error, DamagedLog) else None
    return 0
