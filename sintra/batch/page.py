"""Standings of a tournament as one HTML page: ratings with intervals, the crosstable, and links to the games.

The page is self-contained: no scripts, and no files except the logs that it links to.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from urllib.parse import quote

from sintra.batch.journal import Result
from sintra.batch.results import Meeting, Standing, Standings
from sintra.batch.table import head_of, interval, percent, played_of, sprt_line
from sintra.text import plural, safe

MARK = "<!doctype html>\n<!-- a tournament of sintra -->\n"
"""The start of every page: a file that begins differently is never overwritten."""
MAX_GAMES = 5000
"""Maximum number of games that are listed."""
WIDTH = 360
"""Width of the picture of the ratings."""
ROW = 26

STYLE = """
:root { color-scheme: light dark; --line: #8886; --bar: #2a78c8; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; padding: 0 1rem; max-width: 72rem; }
table { border-collapse: collapse; margin: 1rem 0 2rem; }
th, td { padding: .2rem .6rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th.name, td.name { text-align: left; }
.scroll { overflow-x: auto; }
summary { cursor: pointer; }
svg text { fill: currentColor; font-size: 12px; }
svg .axis { stroke: var(--line); }
svg .bar { stroke: var(--bar); stroke-width: 3; }
svg circle { fill: var(--bar); }
.won { background: #2a78c844; }
.lost { background: #c8502a33; }
"""


def page(found: Standings, title: str, results: Sequence[Result], logs: str) -> str:
    """Return the page; `logs` is the relative path from the page to the folder of the tournament."""
    gone = set(found.missing)
    parts = [
        MARK,
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>{_text(title)}: standings</title><style>{STYLE}</style></head><body>",
        f"<h1>{_text(title)}</h1><p>{_text(head_of(found, title))}.<br>{_text(played_of(found))}.</p>",
        f"<p>{_text(sprt_line(found.sprt))}.</p>" if found.sprt else "",
        "<h2>Ratings</h2>",
        _picture(found.standings),
        _standings(found),
        "<h2>Who beat whom</h2><p>How often each bot took a better place, in percent; shared places count "
        "by half.</p>",
        _crosstable(found),
        _games("Games with faults", [one for one in results if one.faults], logs, gone),
        _games("Games", results, logs, gone),
        "</body></html>\n",
    ]
    return "\n".join(part for part in parts if part)


def _text(text: str) -> str:
    return escape(safe(text))


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], names: int) -> str:
    """Return a table of escaped cells; the first `names` columns are words."""

    def cells(tag: str, row: Sequence[str]) -> str:
        kinds = (' class="name"' if at < names else "" for at in range(len(row)))
        return "".join(
            cell if cell.startswith("<td") else f"<{tag}{kind}>{cell}</{tag}>"
            for cell, kind in zip(row, kinds, strict=True)
        )

    body = "\n".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f'<div class="scroll"><table><tr>{cells("th", heads)}</tr>\n{body}\n</table></div>'


def _standings(found: Standings) -> str:
    seats = [f"seat {seat} %" for seat in range(1, found.players + 1)]
    heads = ["bot", "rating", "95 %", "games", "wins", "beat %", "score", "margin", *seats, "faults", "ms"]
    rows = [
        [
            f'<td class="name" title="{_text(found.bots[one.bot])}">{one.rank}. {_text(one.bot)}</td>',
            f"{one.rating:.0f}",
            interval(one),
            str(one.games),
            str(one.wins),
            percent(one.share),
            "-" if one.score is None else f"{one.score:.1f}",
            "-" if one.margin is None else f"{one.margin:+.1f}",
            *map(percent, one.seats),
            _text(", ".join(f"{name} {count}" for name, count in one.faults.items())) or "0",
            "-" if one.time is None else f"{1000 * one.time:.1f}",
        ]
        for one in found.standings
    ]
    return _table(heads, rows, 1)


def _crosstable(found: Standings) -> str:
    order = [one.bot for one in found.standings]
    rows = []
    for rank, bot in enumerate(order, 1):
        met = found.crosstable[bot]
        rows.append([f"{rank}. {_text(bot)}", *(_met(met.get(other)) for other in order)])
    return _table(["", *(str(rank) for rank in range(1, len(order) + 1))], rows, 1)


def _met(meeting: Meeting | None) -> str:
    if meeting is None:
        return ""
    kind = "won" if meeting.share > 0.5 else "lost" if meeting.share < 0.5 else ""
    games = plural(meeting.games, "game")
    return f'<td class="{kind}" title="{games}">{percent(meeting.share)}</td>'


def _picture(rows: Sequence[Standing]) -> str:
    """Return a picture of the ratings with their intervals."""
    ends = [end for one in rows for end in (one.rating, one.low, one.high) if end is not None]
    low, high = min(ends) - 20, max(ends) + 20
    names = 12 + 7 * min(24, max(len(safe(one.bot)) for one in rows))

    def across(rating: float) -> float:
        return round(names + (rating - low) / (high - low) * WIDTH, 1)

    tall = ROW * len(rows)
    parts = [f'<svg width="{names + WIDTH + 60}" height="{tall + 24}" role="img" aria-label="ratings">']
    step = next(size for size in (20, 50, 100, 200, 500, 1000, 2000, 5000, 10**9) if (high - low) / size <= 8)
    for mark in range(int(low // step + 1) * step, int(high) + 1, step):
        x = across(mark)
        parts.append(f'<line class="axis" x1="{x}" x2="{x}" y1="0" y2="{tall}"/>')
        parts.append(f'<text x="{x}" y="{tall + 16}" text-anchor="middle">{mark}</text>')
    for at, one in enumerate(rows):
        y = ROW * at + ROW // 2
        parts.append(f'<text x="0" y="{y + 4}">{_text(one.bot[:24])}</text>')
        if one.low is not None and one.high is not None:
            ends_of = f'x1="{across(one.low)}" x2="{across(one.high)}"'
            parts.append(f'<line class="bar" {ends_of} y1="{y}" y2="{y}"/>')
        parts.append(f'<circle cx="{across(one.rating)}" cy="{y}" r="5"/>')
    return "\n".join([*parts, "</svg>"])


def _games(title: str, results: Sequence[Result], logs: str, gone: set[str]) -> str:
    """Return a list of games with links to their logs."""
    if not results:
        return ""
    rows = [
        [
            str(one.deal),
            _text(", ".join(f"{name} {score}" for name, score in zip(one.seats, one.scores, strict=True))),
            _text(", ".join(one.seats[seat - 1] for seat in one.winners)) or "-",
            _text("; ".join(f"{one.seats[fault.seat - 1]}: {fault.fault}" for fault in one.faults)),
            "missing" if one.log in gone else f'<a href="{escape(quote(f"{logs}/{one.log}"))}">log</a>',
        ]
        for one in results[:MAX_GAMES]
    ]
    more = f"<p>and {len(results) - MAX_GAMES} more</p>" if len(results) > MAX_GAMES else ""
    table = _table(["deal", "seats and points", "winner", "faults", "replay"], rows, 4)
    said = f"<p>Replay a game with <code>sintra replay {_text(logs)}/{_text(results[0].log)}</code>.</p>"
    return f"<details><summary>{title} ({len(results)})</summary>{said}{table}{more}</details>"
