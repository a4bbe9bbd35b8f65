"""`sintra puzzle`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

from sintra.cli.hint import NodesOption
from sintra.cli.options import (
    Argument,
    AsciiOption,
    Color,
    ColorOption,
    ExecutorOption,
    JobsOption,
    JsonOption,
    Option,
    OutputOption,
    QuietOption,
)
from sintra.cli.output import say, say_json, style
from sintra.cli.progress import Progress
from sintra.errors import IllegalStep, UsageError
from sintra.log import files
from sintra.text import plural

if TYPE_CHECKING:
    from sintra.study.results import Puzzle
    from sintra.view.style import Style


def puzzle(
    logs: Annotated[
        list[str],
        Argument(metavar="LOGS...", help="Logs, folders or patterns; or a file of puzzles (.json)."),
    ],
    count: Annotated[int, Option("--count", "-n", help="Number of puzzles.", metavar="N")] = 10,
    nodes: NodesOption = None,
    output: OutputOption = None,
    jobs: JobsOption = None,
    executor: ExecutorOption = None,
    color: ColorOption = Color.auto,
    ascii: AsciiOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
    """Find positions with one clearly best turn, and solve them.

    Looks for puzzles in played games and lets you solve them: type your turn as in `move`, ? for the
    solution, Enter to skip, q to quit. -o writes them to a file (.json) instead, to solve later; --json
    prints them, one per line.

    \b
    sintra puzzle games -n 2 --nodes 200 -o set.json
    sintra puzzle set.json
    """
    from sintra.study import puzzles

    puzzles.check(count, puzzles.NODES if nodes is None else nodes)
    if len(logs) == 1 and logs[0].endswith(".json"):
        found = puzzles.read(logs[0])[:count]
    else:
        found = _found(logs, count, nodes or puzzles.NODES, jobs, executor)
    if output is not None:
        if not found:
            raise UsageError("no puzzles found, nothing was written; give more games")
        puzzles.save(output, found)
        if not quiet and not json:
            say(f"{output}: {plural(len(found), 'puzzle')}; solve with: sintra puzzle {output}")
        return 0
    if quiet:
        return 0
    if json:
        for one in found:
            say_json(one)
    elif not found:
        say("no puzzle was found; give more games")
    else:
        _ask_all(found, style(color, ascii))
    return 0


def _found(
    logs: Sequence[str], count: int, nodes: int, jobs: int | None, address: str | None
) -> list[Puzzle]:
    """Search for puzzles, with a progress bar."""
    from sintra.batch.workers import workers
    from sintra.study.puzzles import search

    found: list[Puzzle] = []
    with Progress(count) as progress, workers(jobs, address) as executor:
        for part in search(logs, nodes, executor, count):
            found += part
            progress.step(min(len(part), count - progress.done))
    return found[:count]


# -- Asking --


def _ask_all(found: Sequence[Puzzle], how: Style) -> None:
    """Ask puzzle after puzzle, and print how many were solved."""
    from sintra.text import safe

    answers = files.step_lines()
    solved = asked = 0
    for number, one in enumerate(found, 1):
        say(how.strong(f"{'' if number == 1 else chr(10)}Puzzle {number} of {len(found)}: {safe(one.title)}"))
        _draw(one, how)
        right = _ask(one, answers)
        if right is None:
            break
        asked += 1
        solved += right
    say(f"\nsolved {solved} of {plural(asked, 'puzzle')}")


def _draw(one: Puzzle, how: Style) -> None:
    """Draw the table of a puzzle."""
    from sintra.reader import Reader
    from sintra.view import view_of

    reader = Reader(iter([one.log.encode()]))
    for _ in reader.run():
        pass
    say("\n".join(view_of(reader.fold.rules).table(reader.fold, how)))


def _ask(one: Puzzle, answers: Iterator[str]) -> bool | None:
    """Ask until there is an answer; return True if it is right, None on quitting."""
    from sintra.study.puzzles import position, solve
    from sintra.text import safe

    name = safe(position(one).players[one.player - 1])
    best = " ".join(one.best)
    while True:
        sys.stdout.write(f"the best turn for {name}> ")
        sys.stdout.flush()
        text = next(answers, "q").strip()
        if not files.input_is_a_terminal():
            say(safe(text))
        if text.lower() in ("q", "quit"):
            return None
        if text in ("", "?"):
            say(f"  It is {best}, {one.gap:.1f} points ahead of {' '.join(one.second)}.")
            return False
        try:
            answer = solve(one, text)
        except (UsageError, IllegalStep) as error:
            say(f"  {safe(str(error))}")
            continue
        if answer.right:
            say(f"  Right: {one.gap:.1f} points ahead of {' '.join(one.second)}.")
        else:
            say(f"  No: it loses {answer.loss:.1f} points. Best is {best}.")
        return answer.right
