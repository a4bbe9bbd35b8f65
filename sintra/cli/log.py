"""`sintra log`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET

from sintra.cli.options import (
    AnalysisOption,
    AsciiOption,
    Color,
    ColorOption,
    JsonOption,
    LogArgument,
    Option,
    QuietOption,
)
from sintra.cli.output import say, say_json, style
from sintra.cli.reports import TurnLine
from sintra.errors import Unreadable, UsageError
from sintra.log import files
from sintra.log.events import Choice, Dealt, Picked
from sintra.reader import Reader, read_log

if TYPE_CHECKING:
    from sintra.study.results import TurnJudged
    from sintra.view.story import Turn
    from sintra.view.style import Style


def log(
    path: LogArgument,
    analysis: AnalysisOption = False,
    color: ColorOption = Color.auto,
    ascii: AsciiOption = False,
    steps: Annotated[
        bool, Option("--steps", help="Print the steps as `move` takes them, one turn per line.")
    ] = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Print the game turn by turn, in plain English.

    Undone steps are left out; `replay` prints every event. With --analysis, mistakes are marked,
    with what they lost and what was best.

    \b
    sintra log game.log
    sintra log game.log --steps
    """
    from sintra.view.story import turns

    if steps:
        if json:
            raise UsageError("use only one of --steps and --json")
        _say_steps(path, quiet)
        return
    reader = Reader(files.read(path), path, watch=True)
    story = turns(reader)
    verdicts = _verdicts(path) if analysis else {}
    if quiet:
        return
    if json:
        for turn in story:
            verdict = verdicts.get(turn.numbers[0], UNSET)
            say_json(TurnLine(turn.round, turn.player, turn.numbers, turn.text, verdict))
        return
    _print(story, reader.fold.created.players, verdicts, style(color, ascii))


def _verdicts(path: str) -> dict[int, TurnJudged]:
    """Return the verdicts on turns by their first events, from the analysis beside a log."""
    from sintra.study.kept import NOT_PIPED, of_log

    if path == "-":  # the reader has run
        raise Unreadable(NOT_PIPED)
    return {turn.events[0]: turn for turn in of_log(path, read_log(path)).turns()}


def _print(story: list[Turn], players: tuple[str, ...], verdicts: dict[int, TurnJudged], how: Style) -> None:
    from sintra.text import columns, fitted, padded, safe, wrapped

    names = [how.name(safe(name)) for name in players]
    room = min(16, max(map(columns, names))) + 2
    for number, turn in enumerate(story):
        if turn.player is None:
            lines = [how.strong(line) for line in wrapped(turn.text.split(" "), how.width)]
            say("\n".join(["", *lines] if number else lines))
            continue
        lines = wrapped(turn.text.split(" "), how.width - room - 2)
        lines += _verdict_lines(verdicts.get(turn.numbers[0]), how)
        name = padded(fitted(names[turn.player - 1], room - 2), room)
        for at, line in enumerate(lines):
            say(f"  {' ' * room if at else name}{line}")


def _verdict_lines(turn: TurnJudged | None, how: Style) -> list[str]:
    """Return the line about a mistake, if a turn was one."""
    if turn is None or not turn.mark:
        return []
    from sintra.study.report import verdict

    return [how.strong(f"{turn.mark}{verdict(turn)}")]


def _say_steps(path: str, quiet: bool) -> None:
    """Print the steps that count in their words, one turn per line, and the rounds as comments."""
    game = read_log(path)
    codes = game.fold.words.codes
    lines: list[str] = []
    for event in game.counting:
        if isinstance(event, Dealt):
            lines.append(f"# round {event.round}")
        if isinstance(event, Choice):
            words = str(game.rules.steps[codes[event.player - 1][event]])
            if isinstance(event, Picked) or not lines or lines[-1].startswith("#") or words == "return":
                lines.append(words)
            else:
                lines[-1] += f" {words}"
    if not quiet:
        say("\n".join(lines))
