"""A game as one self-contained HTML file: table, story, graphs, analysis, and the log itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from sintra.api import file_named
from sintra.game import Game
from sintra.log import files
from sintra.log.codec import encode_lines
from sintra.log.lines import split
from sintra.reader import read_game
from sintra.study import kept
from sintra.study.report import verdict
from sintra.study.results import Analysis, DealJudged, TurnJudged
from sintra.text import fitted, listed, safe
from sintra.web.film import Film, Line, filmed
from sintra.web.page import asset, document, text
from sintra.web.skeleton import table_style

if TYPE_CHECKING:
    from os import PathLike

MARK = "a game of sintra"
"""The comment by which the program knows its own pages."""
TITLE_COLUMNS = 40
"""Room for a name in the title of a page."""
SAMPLE = '<svg class="sample" viewBox="0 0 28 8" aria-hidden="true"><path d="M1 4h26"/></svg>'


def replay_page(
    game: Game | str | PathLike[str], *, analysis: Analysis | str | PathLike[str] | None = None
) -> str:
    """Return a game, or a log file, as a page: one HTML file that works offline.

    `analysis` is what `sintra.analyze` returned, or its file.
    """
    if isinstance(game, Game):
        log, name, rules = encode_lines(game.events), "game.log", game.rules
    else:
        name = file_named(game)
        log, rules = files.read_whole(name), None
    if analysis is not None and not isinstance(analysis, Analysis):
        whole = game if isinstance(game, Game) else read_game(split(log), name)
        analysis = kept.read(file_named(analysis), whole)
    return page(filmed(log, name, rules, analysis), analysis)


def page(film: Film, analysis: Analysis | None = None) -> str:
    """Return the page of a game that was read."""
    names = [fitted(safe(name), TITLE_COLUMNS) for name in film.fold.created.players]
    parts = {
        "title": text(film.title),
        "seats": "".join(_seats(film)),
        "graphs": _graphs(film, analysis),
        "story": "\n".join(_story(film, analysis)),
        "events": str(len(film.lines)),
    }
    body = re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], asset("replay.html"))
    return document(
        f"{listed(names)}: {film.title}",
        body,
        style=table_style(film.fold.rules.palette) + asset("table.css") + asset("replay.css"),
        script=asset("table.js") + asset("code.js") + asset("replay.js"),
        data=film.data,
        mark=MARK,
    )


def _seats(film: Film) -> Iterator[str]:
    """Yield every player with their current score, and the style of their line in the graphs."""
    scores = film.fold.state.scores()
    for number, (name, score) in enumerate(zip(film.fold.created.players, scores, strict=True), 1):
        points = f'<b data-score="{number}">{score}</b>'
        yield f'<li class="p{number}">{SAMPLE}<bdi>{text(name)}</bdi> {points}</li>'


# -- The story -------------------------------------------------------------------------------


def _story(film: Film, analysis: Analysis | None) -> Iterator[str]:
    """Yield the events, a list for each round."""
    notes = _notes(analysis)
    for number, lines in groupby(film.lines, key=lambda line: line.round):
        yield f"<h3>{f'Round {number}' if number else 'Start'}</h3><ol>"
        for line in lines:
            yield _item(line, notes.get(line.number, ""))
        yield "</ol>"


def _item(line: Line, note: str) -> str:
    kinds = [f"p{line.player}"] * (line.player is not None) + ["taken-back"] * (not line.counts)
    kind = f' class="{" ".join(kinds)}"' if kinds else ""
    return f'<li{kind}><a href="#event-{line.number}">{text(line.sentence)}</a>{note}</li>'


def _notes(analysis: Analysis | None) -> dict[int, str]:
    """Return notes from an analysis as HTML, by event: on turns with a mark, and on the luck of deals."""
    found: dict[int, str] = {}
    for one in analysis.judged if analysis is not None else ():
        if isinstance(one, TurnJudged) and one.mark:
            found[one.events[0]] = _verdict(one)
        elif isinstance(one, DealJudged):
            assert analysis is not None
            luck = one.after.less(one.before).lead
            each = ", ".join(
                f"{name} {points:+.1f}" for name, points in zip(analysis.players, luck, strict=True)
            )
            found[one.event] = f'<div class="verdict">luck: {text(each)}</div>'
    return found


def _verdict(turn: TurnJudged) -> str:
    """Return the loss of a turn, and a button that shows the better one."""
    lost, _, _ = verdict(turn).partition("  best")
    best = text(", ".join(turn.best))
    return (
        f'<div class="verdict"><b>{turn.mark}</b> {text(lost.strip(" ()"))} '
        f'<button type="button" data-best="{turn.events[0]}">better: {best}</button></div>'
    )


# -- Beside the table ------------------------------------------------------------------------


def _graphs(film: Film, analysis: Analysis | None) -> str:
    """Return the graphs, still empty, and the totals of an analysis."""
    found = _graph("points", "Points", "Every player's points, event by event; round numbers below")
    if film.data.chances:
        found += _graph(
            "chances",
            "Chances of winning",
            "Every player's chance of winning, in percent; circles are mistakes",
        )
    return found + (_totals(analysis) if analysis is not None and analysis.totals else "")


def _graph(name: str, title: str, label: str) -> str:
    return (
        f'<section aria-labelledby="{name}-head"><h2 id="{name}-head">{title}</h2>'
        f'<svg class="plot" id="{name}" role="img" aria-label="{label}"></svg></section>'
    )


def _totals(analysis: Analysis) -> str:
    """Return the table of every player's result, as luck and skill."""
    rows = "".join(
        f'<tr><th scope="row"><bdi>{text(name)}</bdi></th>'
        + "".join(f"<td>{value:+.1f}</td>" for value in (one.result, one.luck, one.skill, 0.0 - one.lost))
        + f'</tr><tr class="marks"><td></td><td colspan="4">{_marks(one.marks)}</td></tr>'
        for name, one in zip(analysis.players, analysis.totals, strict=True)
    )
    heads = "".join(f'<th scope="col">{head}</th>' for head in ("result", "= luck", "+ skill", "lost"))
    return (
        "<section><details><summary>Luck and skill</summary>"
        '<div class="wide"><table class="totals">'
        f"<thead><tr><td></td>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
        '<p class="hint">Lead over the best opponent, in points; lost: by their own turns.</p>'
        "</details></section>"
    )


def _marks(counts: dict[str, int]) -> str:
    """Return the number of turns with each mark."""
    found = (f"{count}\N{NO-BREAK SPACE}{mark}" for mark, count in counts.items() if count)
    return ", ".join(found) or "no marks"
