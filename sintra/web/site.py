"""Logs as pages in files: one log, or every log of a folder with an index."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from urllib.parse import quote

from msgspec import UNSET, Struct
from msgspec.structs import asdict

from sintra.batch.logs import MANY, ONE, Entry, fault, reading
from sintra.batch.results import Verdict
from sintra.batch.verify import passed
from sintra.errors import DamagedLog, SintraError, Unknown, Unreadable
from sintra.log import files, writing
from sintra.log.lines import split
from sintra.reader import read_game
from sintra.rules.colors import Palette
from sintra.study import kept
from sintra.study.results import Analysis
from sintra.text import listed, plural, safe
from sintra.web.film import filmed
from sintra.web.page import asset, beginning, document, text
from sintra.web.replay import MARK, page
from sintra.web.skeleton import table_style

INDEX = "index.html"
INDEX_MARK = "games of sintra"


class Pictured(Struct):
    """A log as a page: its title and text, the verdict on the log, its codes, and a remark."""

    title: str
    text: str
    verdict: Verdict
    codes: list[str] = []
    remark: str = ""


class Listed(Struct):
    """A log in the index: its page from there, its title, the verdict on it, its codes, and a remark."""

    page: str
    title: str
    verdict: Verdict
    codes: list[str] = []
    remark: str = ""


# -- One log ---------------------------------------------------------------------------------


def pictured(entry: Entry, analysis: str | None = None) -> Pictured:
    """Return the page of a log; raise an error if it is damaged.

    Without the file of an analysis, the one beside the log is used, if it fits; if not, the remark says so.
    """
    if entry.error is not None:
        raise entry.error
    log = files.read_whole(entry.name) if entry.data is None else entry.data
    found, remark = _analysis(entry, log, analysis)
    film = filmed(log, entry.name, analysis=found, first=entry.line)
    if entry.game is not None:
        film.data.name = _numbered(film.data.name, entry) + ONE
    verdict = passed(entry, film.fold, len(film.lines))
    return Pictured(film.title, page(film, found), verdict, film.data.codes, remark)


def _analysis(entry: Entry, log: bytes, path: str | None) -> tuple[Analysis | None, str]:
    """Return the analysis of a log, if there is one; or why the one beside it can't be used."""
    if path is not None:
        return kept.read(path, read_game(split(log), entry.name)), ""
    beside = kept.beside(entry.name)
    if entry.data is not None or entry.name == "-" or not kept.exists(beside):
        return None, ""
    game = read_game(split(log), entry.name)
    try:
        return kept.read(beside, game), ""
    except SintraError as error:
        return None, f"left out: {error}"


def write_page(path: str, found: Pictured) -> None:
    """Write the page of a log, or a new version of it; no other file is overwritten."""
    writing.renew(path, found.text.encode(), beginning(MARK))


# -- All logs of a folder --------------------------------------------------------------------


def write_site(source: str, folder: str, jobs: int | None = None) -> Iterator[Listed]:
    """Write a page for every log of a folder, then the index; yield each log when done.

    Logs with faults are listed in the index, and yielded with their verdict.
    """
    if os.path.lexists(folder) and not os.path.isdir(folder):  # once, not for every page
        raise Unreadable(f"can't write pages to {files.shown(folder)}: it is not a folder")
    rows: list[Listed] = []
    with reading([source], False, jobs, None) as (found, used):
        named = _named(found, source)
        write = partial(_written, folder=folder)
        if used is None:
            done: Iterable[Listed] = map(write, named)
        else:
            from sintra.batch.workers import spread

            done = spread(used, write, named)
        for row in done:
            rows.append(row)
            yield row
    text = index(os.path.basename(os.path.abspath(source)), rows)
    writing.renew(os.path.join(folder, INDEX), text.encode(), beginning(INDEX_MARK))


def _named(found: Iterable[Entry], source: str) -> Iterator[tuple[Entry, str]]:
    """Yield logs with the names of their pages, which are all different."""
    taken = {INDEX}
    inside = os.path.isdir(source)
    for entry in found:
        name = os.path.relpath(entry.name, source) if inside else os.path.basename(entry.name)
        wanted = _numbered(name, entry)
        path = f"{wanted}.html"
        while path in taken:
            wanted += "_"
            path = f"{wanted}.html"
        taken.add(path)
        yield entry, path


def _numbered(name: str, entry: Entry) -> str:
    """Return the name of a log without its ending; in a file of many games, with its number there."""
    stem = name.removesuffix(MANY).removesuffix(ONE)
    return stem if entry.game is None else f"{stem}-{entry.game}"


def _written(job: tuple[Entry, str], folder: str) -> Listed:
    """Write the page of one log, in a worker."""
    entry, path = job
    try:
        found = pictured(entry)
        write_page(os.path.join(folder, path), found)
    except SintraError as error:
        if isinstance(error, DamagedLog | Unknown):
            error.path = None  # the verdict names the log
        return Listed(path, "", Verdict(ok=False, **asdict(fault(entry, error))))
    return Listed(path, found.title, found.verdict, found.codes, found.remark)


# -- The index -------------------------------------------------------------------------------


def index(name: str, rows: Sequence[Listed]) -> str:
    """Return the page that lists many games, those with faults at its end."""
    good = [row for row in rows if row.verdict.ok]
    bad = [row for row in rows if not row.verdict.ok]
    count = plural(len(good), "game") + (f", {plural(len(bad), 'log')} with faults" if bad else "")
    body = [f'<main class="index"><h1>{text(name)}</h1><p>{count}.</p>']
    if good:
        heads = ("Log", "Players", "Game", "Points", "Result", "Events")
        games = (_row(_cells(row), f' data-codes="{" ".join(row.codes)}"') for row in good)
        body.append(_table(heads, games))
    if bad:
        faults = (_row(map(_cell, map(text, (_log_of(row), _fault_of(row))))) for row in bad)
        body += ["<h2>Logs with faults</h2>", _table(("Log", "Fault"), faults)]
    sheet = table_style(Palette()) + asset("table.css") + asset("replay.css")
    script = asset("code.js") + asset("index.js")
    return document(name, "\n".join([*body, "</main>"]), style=sheet, script=script, mark=INDEX_MARK)


def _table(heads: Sequence[str], rows: Iterable[str]) -> str:
    head = "".join(f'<th scope="col" role="columnheader">{head}</th>' for head in heads)
    body = "\n".join(rows)
    return (
        f'<div class="scroll" tabindex="0" role="group" aria-label="{heads[0]}">'
        '<table class="games" role="table">'
        f'<thead role="rowgroup"><tr role="row">{head}</tr></thead>'
        f'<tbody role="rowgroup">\n{body}\n</tbody></table></div>'
    )


def _cells(row: Listed) -> Iterator[str]:
    """Yield the cells of a game without faults."""
    found = row.verdict
    assert isinstance(found.players, tuple)
    assert isinstance(found.scores, list)
    assert isinstance(found.winners, list)
    names = [f"<bdi>{text(name)}</bdi>" for name in found.players]
    name = files.shown(row.page).removesuffix(".html")
    yield _cell(f'<a href="{quote(os.fsencode(row.page))}">{text(name)}</a>')
    yield _cell(", ".join(names))
    points = " : ".join(map(str, found.scores))
    yield _cell(text(row.title))
    yield _cell(points, "figures")
    if found.winners:
        result = f"{listed([names[number - 1] for number in found.winners])} won"
        result = "draw" if len(found.winners) == len(names) else result
    else:
        result = f"in round {found.round}" if found.round else "not begun"
    yield _cell(result)
    yield _cell(str(found.events), "number")


def _row(cells: Iterable[str], more: str = "") -> str:
    """Return a row; roles are explicit, as phones show rows as blocks, which do not count as tables."""
    return f'<tr role="row"{more}>{"".join(cells)}</tr>'


def _cell(inside: str, kind: str = "") -> str:
    looks = f' class="{kind}"' if kind else ""
    return f'<td role="cell"{looks}>{inside}</td>'


def _log_of(row: Listed) -> str:
    """Return which log has a fault, and where; others need not know where the folder is on this machine."""
    found = row.verdict
    name = os.path.join(os.path.dirname(row.page), os.path.basename(found.log))
    place = f", line {found.line}" if found.line is not UNSET else ""
    return safe(f"{files.shown(name)}{'' if found.game is UNSET else f', game {found.game}'}{place}")


def _fault_of(row: Listed) -> str:
    """Return what is wrong with a log, without the line, which is shown beside it."""
    return str(row.verdict.message).removeprefix(f"line {row.verdict.line}: ")
