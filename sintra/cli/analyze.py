"""`sintra analyze`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

from sintra.cli.hint import NodesOption
from sintra.cli.options import (
    AsciiOption,
    Color,
    ColorOption,
    ExecutorOption,
    JobsOption,
    JsonOption,
    LogArgument,
    Option,
    QuietOption,
    SeedOption,
)
from sintra.cli.output import remark, say, say_json, style
from sintra.cli.progress import Progress
from sintra.errors import DamagedLog, UsageError
from sintra.reader import read_log
from sintra.version import VERSION

if TYPE_CHECKING:
    from sintra.game import Game
    from sintra.study.analysis import Run
    from sintra.study.results import Analysis, Budget

OFTEN = 2.0
"""Seconds between saves."""


def analyze(
    path: LogArgument,
    nodes: NodesOption = None,
    deals: Annotated[
        int | None, Option(help="Number of sampled deals to compare turns on (default: 8).", metavar="N")
    ] = None,
    seed: SeedOption = None,
    output: Annotated[
        str | None,
        Option("--output", "-o", help="File of the analysis (default: next to the log).", metavar="FILE"),
    ] = None,
    again: Annotated[bool, Option("--again", help="Start over, even if there is an analysis.")] = False,
    jobs: JobsOption = None,
    executor: ExecutorOption = None,
    color: ColorOption = Color.auto,
    ascii: AsciiOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
    """Judge every turn of a game, and tell luck from skill.

    For every turn: what was played, what was best, the points lost (with a standard error), and a mark: ?!
    from half a point, ? from 2.5, ?? from 5. A loss within the margin of error gets no mark. For every
    deal: how lucky it was for each player. Luck and skill add up to the result.

    The analysis is saved next to the log, as game.analysis.json; `log` and `score` show it with --analysis.
    After Ctrl-C, or once the game has moved on, the same command judges what is missing. The same options
    give the same analysis, whatever the number of jobs.

    \b
    sintra analyze game.log
    sintra analyze game.log --nodes 500 --again
    cat game.log | sintra analyze - --nodes 100 --json
    """
    from sintra.study import kept
    from sintra.study.analysis import Run
    from sintra.study.results import DEALS, NODES, Budget

    game = read_log(path)
    file = output if output is not None or path == "-" else kept.beside(path)
    old = None if file is None or not kept.exists(file) else _old(file, game, again, output is None)
    known = None if again else old
    usual = known.budget if known else Budget(NODES, DEALS, 1)
    budget = Budget(
        usual.nodes if nodes is None else nodes,
        usual.deals if deals is None else deals,
        usual.seed if seed is None else seed,
    )
    run = Run(game, budget)
    if known is not None:
        _check_same(file or "", budget, known)
        run.resume(known)
    before = run.done
    if _work(run, file, jobs, executor):
        if known is None and run.done == before:
            remark("sintra: stopped before anything was judged")
        else:
            same = "the same command without --again resumes" if again else "the same command resumes"
            where = f"are saved in {file}; {same}" if file else "are lost: a pipe saves nothing"
            remark(f"sintra: stopped: {run.done} of {run.total} turns and deals {where}")
        return 130
    if not quiet:
        _answer(run, color, ascii, json)
    return 0


def _old(file: str, game: Game, again: bool, beside: bool) -> Analysis | None:
    """Return the analysis in a file; raise if it is not of this log, or damaged and not to be replaced."""
    from sintra.study import kept

    try:
        return kept.read(file, game, grown=True)
    except DamagedLog as error:
        if again and beside:
            return None
        if beside:
            error.message += "; --again replaces it"
        raise


def _check_same(file: str, budget: Budget, known: Analysis) -> None:
    """Raise UsageError if a saved analysis can't be continued."""
    old = known.budget
    if budget != old or known.engine != VERSION:
        made = f"sintra {known.engine}, nodes {old.nodes}, deals {old.deals} and seed {old.seed}"
        raise UsageError(f"{file} was made with {made}; --again replaces it, -o FILE keeps both")


def _work(run: Run, file: str | None, jobs: int | None, address: str | None) -> bool:
    """Judge the rest, and save it; return True if stopped by Ctrl-C."""
    from sintra.batch.workers import cores, workers
    from sintra.study import kept

    before, last = run.done, time.monotonic()
    try:
        if before < run.total:
            with (
                Progress(run.total) as progress,
                workers(min(jobs or cores(), run.total - before), address) as executor,
            ):
                for done in run.work(executor):
                    if done == before:
                        progress.begin(done)
                        continue
                    progress.step(done - progress.done)
                    if file is not None and time.monotonic() > last + OFTEN:
                        kept.write(file, run.analysis())
                        last = time.monotonic()
    except KeyboardInterrupt:
        if file is not None and run.done > before:
            kept.write(file, run.analysis())
        return True
    if file is not None and (run.done > before or not kept.exists(file)):
        kept.write(file, run.analysis())
    return False


def _answer(run: Run, color: Color, ascii: bool, json: bool) -> None:
    found = run.analysis()
    if json:
        say_json(found)
        return
    from sintra.study.report import analysis_lines

    say("\n".join(analysis_lines(found, style(color, ascii))))
