"""`sintra simulate`."""

from __future__ import annotations

import time
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import msgspec

from sintra import catalog
from sintra.batch.results import MANY_ROUNDS, MAX_GAMES, MAX_ROUNDS
from sintra.cli.new import own_values, rule_options
from sintra.cli.options import (
    Argument,
    AsciiOption,
    Color,
    ColorOption,
    ComponentsOption,
    ExecutorOption,
    InitTimeOption,
    JobsOption,
    JsonOption,
    MemoryOption,
    MoveTimeOption,
    Option,
    QuietOption,
    RuleOption,
    SeedOption,
    SideOption,
    completed_by,
    limits_of,
    rules_named,
)
from sintra.cli.output import remark, say, say_json, style
from sintra.cli.progress import Progress
from sintra.cli.reports import SimulateAnswer, Timing
from sintra.text import safe

if TYPE_CHECKING:
    from sintra.batch.simulation import Run


class Logs(StrEnum):
    """Which logs are kept."""

    games = "games"
    shards = "shards"
    none = "none"


def simulate(
    games: Annotated[int, Argument(metavar="GAMES", help="Number of games.", min=1, max=MAX_GAMES)] = 100,
    bots: Annotated[
        str,
        Option(
            help="One for all seats (random, greedy, strong or your own), or one per seat: greedy,random.",
            metavar="NAMES",
            completion=completed_by("bots"),
        ),
    ] = "random",
    rotate: Annotated[bool, Option("--rotate", help="Rotate seats after each game.")] = False,
    rules: Annotated[
        str, Option(help="The rule-set.", metavar="NAME", completion=completed_by("rules"))
    ] = "sintra",
    side: SideOption = None,
    players: Annotated[
        int | None,
        Option("--players", "-p", help="Number of players (default: one per bot).", metavar="N"),
    ] = None,
    option: RuleOption = None,
    components: ComponentsOption = None,
    seed: SeedOption = None,
    max_rounds: Annotated[
        int,
        Option(
            "--max-rounds",
            help="Stop a game after N rounds (R6).",
            metavar="N",
            min=1,
            max=MAX_ROUNDS,
        ),
    ] = MANY_ROUNDS,
    out: Annotated[
        str | None, Option(help="Keep the run in a folder, and resume it from there.", metavar="DIR")
    ] = None,
    logs: Annotated[
        Logs | None,
        Option(
            help="With --out: games (one log each), shards (many games per file), or none.",
            metavar="KIND",
        ),
    ] = None,
    move_time: MoveTimeOption = None,
    init_time: InitTimeOption = None,
    memory: MemoryOption = None,
    jobs: JobsOption = None,
    executor: ExecutorOption = None,
    color: ColorOption = Color.auto,
    ascii: AsciiOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
    """Let bots play many games, and print a summary.

    The same seed gives the same results, whatever the number of jobs. With --out, results are saved as they
    come in; after Ctrl-C or a crash, the same command resumes the run. Logs go to DIR/logs; `stats` and
    `verify` take the folder.

    Your own bot can be a Python function, module:function; the module may be a file in the current folder.
    It takes a state and a stream of random numbers, and returns the code of a legal step. A program in any
    language is cmd:PROGRAM (see `sintra bot`). Parameters follow the name, as NAME:KEY=VALUE; LABEL=NAME
    sets the name shown in tables.

    \b
    sintra simulate 100 --seed 1
    sintra simulate 20 --rules azul --side gray --bots greedy,random --rotate
    sintra simulate 20 --bots hasty=greedy:depth=1,greedy --seed 1
    sintra simulate 200 --players 3 --seed 1 --out run --json
    """
    from sintra.batch.plan import planned
    from sintra.batch.simulation import Run, seed_kept
    from sintra.bots.spec import names_in
    from sintra.cli.seats import import_from_here

    named = names_in(bots)
    import_from_here(named, quiet)
    found = rules_named(rules)
    with own_values(components) as own:
        plan = planned(
            found.name,
            games,
            players=players,
            bots=named,
            rotate=rotate,
            seed=seed_kept(out) if seed is None else seed,
            max_rounds=max_rounds,
            components=own,
            options=rule_options(found, side, option or []),
            limits=limits_of(move_time, init_time, memory),
        )
    run = Run(plan, out, logs.value if logs else None)
    start = time.monotonic()
    stopped = _play(run, jobs, executor, move_time)
    passed = time.monotonic() - start
    if stopped:
        _farewell(run)
    if not quiet and not (stopped and (out is not None or not run.done)):
        _answer(run, passed, color, ascii, json)
    return 130 if stopped else 0


def _play(run: Run, jobs: int | None, address: str | None, seconds: float | None) -> bool:
    """Play the run; return True if it was stopped by Ctrl-C."""
    from sintra.batch.workers import cores, workers
    from sintra.bots.names import is_custom
    from sintra.bots.timed import limit_choices

    jobs = min(jobs or cores(), run.plan.shards)

    with Progress(run.plan.games) as progress:
        try:
            limit_choices(seconds)
            with workers(jobs, address, apart=any(map(is_custom, run.plan.bots))) as executor:
                for done in run.play(executor):
                    if done == run.kept:
                        progress.begin(done)
                    else:
                        progress.step(done - progress.done)
        except KeyboardInterrupt:
            return True
    return False


def _farewell(run: Run) -> None:
    """Print how far the run got, and how to resume it."""
    done = run.done
    if run.folder is not None:
        done = run.in_folder()  # workers may have saved more than was collected
        how = f"are done and saved in {safe(run.folder)}; the same command resumes the run"
    else:
        how = "are done; with --out DIR, a run can be resumed"
    remark(f"sintra: stopped: {done} of {run.plan.games} games {how}")


def _answer(run: Run, passed: float, color: Color, ascii: bool, json: bool) -> None:
    """Print the summary, and how long it took."""
    summary = run.summary()
    played = run.done - run.kept
    pace = played / passed
    if json:
        timing = Timing(round(passed, 3), played, run.kept, round(pace, 1))
        fields = {name: getattr(summary, name) for name in summary.__struct_fields__}
        say_json(msgspec.convert({**fields, "timing": timing}, SimulateAnswer, from_attributes=True))
        return
    from sintra.batch.report import summary_lines

    say("\n".join(summary_lines(summary, catalog.find(summary.rules).title, style(color, ascii))))
    parts = [f"{passed:.1f} s", *([f"{pace:.0f} games per second"] if played else [])]
    parts += [f"{run.kept} games were already there"] if run.kept else []
    say(f"time    {', '.join(parts)}")
