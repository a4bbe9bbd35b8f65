"""`sintra ratings`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from sintra import catalog
from sintra.cli.options import Argument, AsciiOption, Color, ColorOption, JsonOption, Option, QuietOption
from sintra.cli.output import remark, say, say_json, style
from sintra.errors import UsageError
from sintra.text import safe

if TYPE_CHECKING:
    from sintra.batch.results import Standings


def ratings(
    folder: Annotated[str, Argument(metavar="DIR", help="Folder of a tournament.")],
    html: Annotated[
        str | None, Option(help="Write a web page with all games, or update it.", metavar="FILE")
    ] = None,
    csv: Annotated[bool, Option("--csv", help="Print CSV, one row per bot.")] = False,
    color: ColorOption = Color.auto,
    ascii: AsciiOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Print the standings of a tournament, with error bars.

    Ratings come from the Plackett-Luce model, on the Elo scale with an average of 1500. The 95 % intervals
    are computed over deals, and need at least five. `beat` is the share of opponents who finished behind;
    ties count half. It also works while the tournament is running.

    \b
    sintra ratings league
    sintra ratings league --csv
    sintra ratings league --html league/index.html
    """
    if csv and json:
        raise UsageError("use only one of --csv and --json")
    from sintra.batch.tournament import standings_of

    found, remarks = standings_of(folder)
    for line in () if quiet else remarks:
        remark(safe(f"sintra: {folder}: {line}"))
    if html is not None:
        from sintra.batch.tournament import write_page

        write_page(folder, html, found)
        if not (quiet or csv or json):
            remark(safe(f"sintra: {html} is written"))
            return
    if quiet:
        return
    if json:
        say_json(found)
    elif csv:
        from sintra.batch.table import table_csv

        say("\n".join(table_csv(found)))
    else:
        say_standings(found, color, ascii)


def say_standings(found: Standings, color: Color, ascii: bool) -> None:
    """Print standings as text."""
    from sintra.batch.table import table_lines

    say("\n".join(table_lines(found, catalog.find(found.rules).title, style(color, ascii))))
