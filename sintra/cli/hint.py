"""`sintra hint`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from sintra.cli.options import AsciiOption, Color, ColorOption, JsonOption, LogArgument, Option, QuietOption
from sintra.cli.output import say, say_json, style
from sintra.reader import read_log

if TYPE_CHECKING:
    from sintra.study.results import Hint
    from sintra.view.style import Style

NodesOption = Annotated[
    int | None,
    Option(help="Positions to search for each turn; the same number gives the same answer.", metavar="N"),
]


def hint(
    log_: LogArgument,
    lines: Annotated[int, Option("--lines", "-n", help="Number of turns.", metavar="N")] = 3,
    nodes: NodesOption = None,
    time: Annotated[float | None, Option(help="Seconds to think.", metavar="SECONDS")] = None,
    color: ColorOption = Color.auto,
    ascii: AsciiOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Suggest the best turns, and say why.

    `strong` searches the round. Each turn comes with the lead it should end in, the chance of winning, how
    far it falls short of the best turn, and the reasons for it. By default, a hint takes less than a
    second. --time lets it think longer; --nodes gives the same answer on every machine.

    \b
    sintra hint game.log
    sintra hint game.log -n 5 --nodes 10000
    """
    from sintra.study.hint import hint as suggest

    game = read_log(log_)
    if game.created.chance == "seeded":  # the seed decides how a cut log continues
        game.settle()
    found = suggest(game, lines, nodes=nodes, time=time)
    if quiet:
        return
    if json:
        say_json(found)
    else:
        say("\n".join(hint_lines(found, game.players[found.player - 1], style(color, ascii))))


def hint_lines(found: Hint, name: str, how: Style) -> list[str]:
    """Return a hint as lines of text."""
    from sintra.text import columns, fitted, plural, safe, wrapped

    unit = "points" if found.learned else "the rule-set's own scale"
    sure = "; the end of the game was seen" if found.certain else ""
    title = f": the best turns, {plural(found.depth, 'turn')} deep{sure}"
    lines = [how.strong(f"{fitted(safe(name), how.width - columns(title))}{title}")]
    room = max(len(" ".join(line.steps)) for line in found.lines)
    digits = len(str(len(found.lines)))
    for number, line in enumerate(found.lines, 1):
        chance = "" if line.chance is None else f"  {line.chance:5.1f} %"
        less = _rounded(-line.behind)
        behind = (f"  {less:+.1f}" if less else "   0.0") if number > 1 else "      "
        text = how.strong(f"{' '.join(line.steps):<{room}}")
        head = f"  {number:>{digits}}. {text}  {_rounded(line.lead):+6.1f}{chance}{behind}"
        why = safe(", ".join(line.why))
        whole = f"{head}  {why}".rstrip()
        if columns(whole) <= how.width:
            lines.append(whole)
        else:
            lines += [head.rstrip(), *(f"       {part}" for part in wrapped(why.split(" "), how.width - 7))]
    said = f"lead in {unit}" + (", chance of winning" if found.learned or found.certain else "")
    return [*lines, how.faint(f"  {said}, and how far behind the best turn")]


def _rounded(points: float) -> float:
    """Return points to a tenth; nothing is +0.0, from either side."""
    return round(points, 1) + 0.0
