"""A rule-set's card: its options, steps, printed tables and rulings, for people."""

from __future__ import annotations

import textwrap
from typing import Any

import msgspec

from sintra.rules import Option, RuleSet
from sintra.words import told


def card(rules: RuleSet) -> list[str]:
    """All about a rule-set, as lines."""
    few, many = rules.players[0], rules.players[-1]
    seats = f"{few} to {many} players" if few < many else f"{few} players"
    lines = [f"{rules.title} ({rules.name}), {seats}"]
    lines += ["", "Options"] if rules.options else []
    for option in rules.options:
        lines += [
            f"  {option.name} {values(option)} (default {told(option.default)})",
            f"      {option.help}",
        ]
    lines += ["", "Steps"]
    for form, meaning in rules.guide:
        lines += textwrap.wrap(f"{form}: {meaning}", 78, initial_indent="  ", subsequent_indent="      ")
    lines += ["", "Printed tables, and where they come from"] if rules.tables else []
    for table in rules.tables:
        note = f" ({table.note})" if table.note else ""
        lines.append(f"  {table.name}: {table.source}{note}")
        lines += [f"      {row}" for row in _rows(msgspec.to_builtins(table.value))]
    lines += ["", "Rulings"] if rules.rulings else []
    for ruling in rules.rulings:
        lines += textwrap.wrap(
            f"{ruling.number:<4} {ruling.text}", 78, initial_indent="  ", subsequent_indent="       "
        )
    return lines


def values(option: Option) -> str:
    """What an option may be: `A|B`."""
    return "|".join(told(value) for value in option.values)


def _rows(value: Any) -> list[str]:
    """A table as lines: a row a line where it has rows."""
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
