"""Standings of a tournament as text, and as CSV."""

from __future__ import annotations

from collections.abc import Sequence

from sintra.batch.columns import number
from sintra.batch.report import NAME, grid
from sintra.batch.results import Decision, Standing, Standings
from sintra.text import fitted, plural, safe, spelled
from sintra.view.style import Style

MAX_CROSSTABLE = 12
"""Maximum number of bots in a crosstable in text; `--json`, `--csv` and the page have all."""


def head_of(found: Standings, title: str) -> str:
    """Return what was played."""
    options = ", ".join(f"{key} {spelled(value)}" for key, value in found.options.items())
    return (
        f"{title}{f' ({options})' if options else ''}: {plural(len(found.bots), 'bot')}, "
        f"{found.players} in each game, {plural(found.deals, 'deal')}; seed {found.seed}"
    )


def played_of(found: Standings) -> str:
    """Return how much of it was played."""
    failed = sum(sum(one.faults.values()) for one in found.standings)
    faults = f", with {plural(failed, 'fault')}" if failed else ""
    return f"{found.done} of {plural(found.games, 'game')} played{faults}"


def table_lines(found: Standings, title: str, style: Style) -> list[str]:
    """Return standings as text."""
    lines = [style.strong(safe(head_of(found, title))), played_of(found), ""]
    seats = [f"seat {seat} %" for seat in range(1, found.players + 1)]
    heads = [
        "#",
        "bot",
        "rating",
        "95 %",
        "games",
        "wins",
        "beat %",
        "score",
        "margin",
        *seats,
        "ms",
        "faults",
    ]
    rows = [_row(one, style) for one in found.standings]
    lines += grid(heads, rows, 2, style)
    for one in found.standings:
        if one.faults:
            said = ", ".join(f"{name} {count} times" for name, count in one.faults.items())
            lines.append(f"{style.name(one.bot)} failed: {said}")
    if 2 < len(found.bots) <= MAX_CROSSTABLE:
        lines += ["", *_crosstable(found, style)]
    if found.sprt is not None:
        lines += ["", sprt_line(found.sprt)]
    if found.missing:
        lines += ["", _missing(found.missing)]
    return lines


def interval(one: Standing) -> str:
    """Return the interval of a rating, as distances below and above."""
    if one.low is None or one.high is None:
        return "-"
    return f"{one.low:.0f} to {one.high:.0f}"


def percent(share: float | None) -> str:
    """Return a share as a cell."""
    return number(None if share is None else 100 * share)


def _row(one: Standing, style: Style) -> list[str]:
    return [
        str(one.rank),
        fitted(style.name(one.bot), NAME),
        f"{one.rating:.0f}",
        interval(one),
        str(one.games),
        str(one.wins),
        percent(one.share),
        number(one.score),
        number(one.margin),
        *map(percent, one.seats),
        number(None if one.time is None else 1000 * one.time),
        str(sum(one.faults.values())),
    ]


def _crosstable(found: Standings, style: Style) -> list[str]:
    """Return how often each bot took a better place than each other one, in percent."""
    order = [one.bot for one in found.standings]
    rows = []
    for rank, bot in enumerate(order, 1):
        met = found.crosstable[bot]
        cells = [
            percent(met[other].share) if other in met else "-" if other != bot else "" for other in order
        ]
        rows.append([str(rank), fitted(style.name(bot), NAME), *cells])
    return grid(["#", "beat, in %", *(str(rank) for rank in range(1, len(order) + 1))], rows, 2, style)


def sprt_line(decision: Decision) -> str:
    """Return the state of a test."""
    pairs = " ".join(map(str, decision.pairs))
    decided = (
        f"{getattr(decision, decision.accepted):+g} Elo accepted" if decision.accepted else "not decided"
    )
    return (
        f"SPRT of {decision.elo0:g} and {decision.elo1:g} Elo: {decided}; ratio {decision.llr:.2f} "
        f"({decision.lower:.2f} to {decision.upper:.2f}), pairs worth 0 to 2: {pairs}"
    )


def _missing(logs: Sequence[str]) -> str:
    first = ", ".join(logs[:3]) + (", ..." if len(logs) > 3 else "")
    return safe(f"{plural(len(logs), 'log')} missing, though the results count: {first}")


def table_csv(found: Standings) -> list[str]:
    """Return a row for each bot below the names of the columns: its standing, then its share against each."""
    import csv
    import io

    order = [one.bot for one in found.standings]
    plain = [name for name in Standing.__struct_fields__ if name not in ("seats", "faults")]
    seats = [f"seat_{seat}" for seat in range(1, found.players + 1)]
    rows: list[list[object]] = [[*plain, *seats, "faults", *(safe(f"against_{bot}") for bot in order)]]
    for one in found.standings:
        met = found.crosstable[one.bot]
        against = [met[bot].share if bot in met else None for bot in order]
        values = [getattr(one, name) for name in plain]
        values = [safe(value) if isinstance(value, str) else value for value in values]
        rows.append([*values, *one.seats, sum(one.faults.values()), *against])
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().splitlines()
