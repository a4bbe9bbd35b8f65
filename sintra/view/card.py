"""The description of a rule-set: options, steps, printed tables and rulings."""

from __future__ import annotations

import textwrap
from typing import Any

import msgspec

from sintra.rules.ruleset import Option, RuleSet
from sintra.text import spelled


def card(rules: RuleSet) -> list[str]:
    """Return the description of a rule-set, as lines."""
    few, many = rules.players[0], rules.players[-1]
    seats = f"{few} to {many} players" if few < many else f"{few} players"
    lines = [f"{rules.title} ({rules.name}), {seats}"]
    lines += ["", "Options"] if rules.options else []
    for option in rules.options:
        lines += _wrapped(f"{option.name} {values(option)} (default {spelled(option.default)})")
        lines += _wrapped(option.help, "      ")
    lines += ["", "Steps"] if rules.guide else []
    for form, meaning in rules.guide:
        lines += _wrapped(f"{form}: {meaning}")
    lines += ["", "Printed tables, with their sources"] if rules.tables else []
    for table in rules.tables:
        note = f" ({table.note})" if table.note else ""
        lines += _wrapped(f"{table.name}: {table.source}{note}")
        for row in _rows(msgspec.to_builtins(table.value)):
            lines += _wrapped(row, "      ")
    lines += ["", "Rulings"] if rules.rulings else []
    for ruling in rules.rulings:
        lines += _wrapped(f"{ruling.number:<4} {ruling.text}", further="       ")
    return lines


def _wrapped(text: str, first: str = "  ", further: str = "      ") -> list[str]:
    """Return a text in lines of 78 columns, indented."""
    return textwrap.wrap(text, 78, initial_indent=first, subsequent_indent=further)


def values(option: Option) -> str:
    """Return the values of an option: `A|B`."""
    return "|".join(spelled(value) for value in option.values)


def _rows(value: Any) -> list[str]:
    """Return a table as lines, one for each of its rows."""
    if isinstance(value, dict):
        return [", ".join(f"{key} {number}" for key, number in value.items())]
    if isinstance(value, list | tuple) and value and isinstance(value[0], list | tuple):
        return [_cells(row) for row in value]
    return [_cells(value)]


def _cells(row: Any) -> str:
    if not isinstance(row, list | tuple):
        return str(row)
    if row and isinstance(row[0], list | tuple):
        return "   /   ".join(_cells(side) for side in row)
    return " ".join("-" if cell is None else str(cell) for cell in row)
