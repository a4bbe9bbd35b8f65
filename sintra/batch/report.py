"""Reports of many games: the summary of a run, and statistics over logs, as text and as CSV."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

from sintra.batch.columns import Distribution, Group, Results, cells, columns, heads, number
from sintra.batch.results import Fault, Open, Stats, Summary
from sintra.bots.spec import label_of
from sintra.text import columns as width_of
from sintra.text import fitted, named_once, padded, plural, safe, spelled
from sintra.view.style import Style

BARS = 14
"""Approximate number of bars of a distribution."""
NAME = 24
"""Maximum width of a name."""
ROOM = 100
"""Maximum width of a grid with wide gaps."""

# -- Grids -----------------------------------------------------------------------------------


def grid(heads: Sequence[str], rows: Sequence[Sequence[str]], left: int, style: Style) -> list[str]:
    """Return rows below their heads; the first `left` columns are words, the others numbers."""
    widths = [max(map(width_of, column)) for column in zip(heads, *rows, strict=True)]
    gap = " " if sum(widths) + 2 * (len(widths) - 1) > ROOM else "  "

    def line(row: Sequence[str]) -> str:
        parts = [
            padded(cell, wide) if at < left else " " * (wide - width_of(cell)) + cell
            for at, (cell, wide) in enumerate(zip(row, widths, strict=True))
        ]
        return "  ".join([*parts[:left], gap.join(parts[left:])]).rstrip()

    return [style.faint(line(heads)), *map(line, rows)]


def bars(numbers: Distribution, style: Style) -> list[str]:
    """Draw a distribution: a bar for each of a few ranges of equal size."""
    if numbers.min is None or numbers.max is None:
        return []
    step = _step(numbers.max - numbers.min + 1)
    low = numbers.min // step
    counts = [0] * (numbers.max // step - low + 1)
    for value, count in numbers.counts.items():
        counts[value // step - low] += count
    room = max(10, min(60, style.width - 32))
    sign = style.either("█", "#")
    rows = []
    for at, count in enumerate(counts):
        start = (low + at) * step
        bar = sign * -(-room * count // max(counts))
        rows.append([f"{start}", "to", f"{start + step - 1}", f"{count}", bar])
    lines = []
    wide = [max(len(row[at]) for row in rows) for at in range(4)]
    for first, to, last, count_, bar in rows:
        lines.append(f"  {first:>{wide[0]}} {to} {last:>{wide[2]}}  {count_:>{wide[3]}} {bar}".rstrip())
    return lines


def _step(size: int) -> int:
    """Return the size of a bar's range: a round number that gives about the right number of bars."""
    unit = 1
    while True:
        for times in (1, 2, 5):
            if times * unit * BARS >= size:
                return times * unit
        unit *= 10


# -- The summary of a run --------------------------------------------------------------------


def summary_lines(summary: Summary, title: str, style: Style) -> list[str]:
    """Return the results of a run as text."""
    options = ", ".join(f"{key} {spelled(value)}" for key, value in summary.options.items())
    seated = ", ".join(summary.bots) + (" (rotating)" if summary.rotate else "")
    head = f"{style.strong(safe(title))}{f' ({options})' if options else ''}: {seated}; seed {summary.seed}"
    lines = [head, _played(summary)]
    if not summary.finished:
        return lines
    seats = {f"seat {seat}": group for seat, group in enumerate(summary.seats, 1)}
    names = ["" if summary.rotate else label_of(bot) for bot in summary.bots]
    lines += ["", *_groups(seats, names, style)]
    if summary.rotate and len(summary.by_bot) > 1:
        lines += ["", *_groups(summary.by_bot, [""] * len(summary.by_bot), style)]
    lines += ["", style.faint("scores"), *bars(summary.score, style)]
    return [*lines, "", _length("rounds", summary.rounds), _length("turns", summary.turns)]


def _played(summary: Summary) -> str:
    """Return how many games were played, and how many ended."""
    games = plural(summary.done, "game")
    if summary.done < summary.games:
        games += f" of {summary.games}"
    unfinished = summary.done - summary.finished
    if not unfinished:
        return f"{games} played to the end"
    return (
        f"{games} played; {unfinished} did not end within {plural(summary.max_rounds, 'round')} (R6) "
        "and are not counted below"
    )


def _groups(groups: Mapping[str, Group], names: Sequence[str], style: Style) -> list[str]:
    """Return a row for each seat or bot, then the sources of their points."""
    words = 2 if any(names) else 1
    named = [[head, name][:words] for head, name in zip(groups, names, strict=True)]
    rows = [[*words_, *cells(group)] for words_, group in zip(named, groups.values(), strict=True)]
    sources = list(dict.fromkeys(source for group in groups.values() for source in group.points))
    points = [[head, *(number(group.points.get(s)) for s in sources)] for head, group in groups.items()]
    first = grid([*["", "bot"][:words], *heads(Group)], rows, words, style)
    return [*first, "", *grid(["points", *sources], points, 1, style)]


def _length(name: str, numbers: Distribution) -> str:
    """Return the lengths of games."""
    order = f"{numbers.min} to {numbers.max}, median {numbers.median}"
    return f"{name:<7} {number(numbers.mean)} on average, {order}"


# -- Statistics over logs --------------------------------------------------------------------


def stats_lines(stats: Stats, style: Style) -> list[str]:
    """Return statistics as text: the results by group, then the sources of points.

    What all groups have in common is printed once, above them.
    """
    lines = [style.strong(_counted(stats))]
    counted = [group for group in stats.groups if group.results]
    if not counted:
        return lines
    by = [key for key in stats.by if len({group.group[key] for group in counted}) > 1] or [stats.by[-1]]
    common = [f"{key} {cell(counted[0], key, style)}" for key in stats.by if key not in by]
    if common:
        lines.append(", ".join(common))
    single = bool({"seat", "bot", "player"} & set(stats.by))
    rows = [[*_key(group, by, style), *cells(group, single)] for group in counted]
    lines += ["", *grid([*by, *heads(Results, single)], rows, len(by), style)]
    for _, alike in groupby(counted, key=_sources):
        lines += ["", *_points(list(alike), by, style)]
    return lines


def _counted(stats: Stats) -> str:
    parts = [plural(stats.logs, "log"), f"{plural(stats.games, 'game')} counted"]
    if stats.unfinished:
        parts.append(f"{stats.unfinished} unfinished")
    if stats.faulty:
        parts.append(f"{stats.faulty} faulty")
    return ", ".join(parts)


def cell(group: Results, key: str, style: Style) -> str:
    """Return what a group has in common; options in full, as they may only differ at the end."""
    text = style.name(str(group.group[key]))
    return (text if key == "options" else fitted(text, NAME)) or "-"


def _key(group: Results, by: Sequence[str], style: Style) -> list[str]:
    return [cell(group, key, style) for key in by]


def _sources(group: Results) -> tuple[str, ...]:
    return tuple(group.points)


def _points(groups: Sequence[Results], by: Sequence[str], style: Style) -> list[str]:
    """Return the average points by source, for groups that have the same sources."""
    sources = _sources(groups[0])
    rows = [
        [*_key(group, by, style), *(number(group.points[s]) for s in sources), number(group.score.mean)]
        for group in groups
    ]
    return grid([*by, *sources, "points"], rows, len(by), style)


def missing_lines(stats: Stats) -> list[str]:
    """Return the logs that are not counted: the first ones by name, then the number of others."""
    lines = named_lines("unfinished", stats.unfinished, stats.open, lambda one: f"in round {one.round}")
    return lines + named_lines("faulty", stats.faulty, stats.faults, lambda one: one.message)


def named_lines(what: str, total: int, named: Sequence[Open | Fault], why: Callable[..., str]) -> list[str]:
    """Return logs of a kind with the reason, then the number of others."""
    lines = []
    for one in named:
        game = f": game {one.game}" if isinstance(one.game, int) else ""
        lines.append(f"{what}: {safe(one.log)}{game}: {named_once(safe(why(one)), safe(one.log))}")
    return lines + ([f"{what}: and {total - len(named)} more"] if total > len(named) else [])


# -- CSV -------------------------------------------------------------------------------------

NUMBERS = ("mean", "sd", "min", "lower", "median", "upper", "max")
"""The numbers of a distribution that have their own columns."""


def csv_cell(text: str) -> str:
    """Return a string as a cell that no spreadsheet takes for a formula."""
    return f"'{safe(text)}" if text.lstrip().startswith(("=", "+", "-", "@")) else safe(text)


def csv_lines(stats: Stats) -> list[str]:
    """Return a row for each group below the names of the columns.

    Plain numbers come first, then distributions, then `points`, a JSON object.
    """
    import csv
    import io

    import msgspec

    kinds = {Distribution: 1, dict[str, float]: 2}
    order = sorted(columns(Results), key=lambda column: kinds.get(column.type, 0))
    rows: list[list[object]] = [[*stats.by]]
    rows += [
        [csv_cell(key) if isinstance(key, str) else key for key in one.group.values()] for one in stats.groups
    ]
    for column in order:
        values = [getattr(group, column.name) for group in stats.groups]
        if column.type is Distribution:
            found = [[f"{column.name}_{name}" for name in NUMBERS]]
            found += [[getattr(value, name) for name in NUMBERS] for value in values]
        elif column.type in kinds:
            found = [[column.name], *([msgspec.json.encode(value).decode()] for value in values)]
        else:
            found = [[column.name], *([value] for value in values)]
        rows = [row + more for row, more in zip(rows, found, strict=True)]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().splitlines()
