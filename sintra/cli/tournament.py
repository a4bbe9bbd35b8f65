"""`sintra tournament`."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from sintra.batch.results import MANY_ROUNDS, MAX_ROUNDS
from sintra.cli.live import Live
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
from sintra.cli.output import remark, say_json
from sintra.cli.ratings import say_standings
from sintra.cli.reports import Timing, TournamentAnswer
from sintra.errors import SintraError
from sintra.text import safe

if TYPE_CHECKING:
    from sintra.batch.tournament import Tournament

FolderArgument = Annotated[str, Argument(metavar="DIR", help="Folder of the tournament.")]


def tournament(
    folder: FolderArgument,
    bots: Annotated[
        str | None,
        Option(
            help="Bots, at least as many as seats: a=cmd:./a,greedy,random.",
            metavar="NAMES",
            completion=completed_by("bots"),
        ),
    ] = None,
    players: Annotated[
        int | None, Option("--players", "-p", help="Players per game (default: 2).", metavar="N")
    ] = None,
    deals: Annotated[int | None, Option(help="Deals per set of bots (default: 100).", metavar="N")] = None,
    gauntlet: Annotated[str | None, Option(help="Let this bot play in every game.", metavar="NAME")] = None,
    sprt: Annotated[
        str | None,
        Option(
            help="Match of two bots: stop once it is clear which Elo difference fits: 0,20.",
            metavar="ELO0,ELO1",
        ),
    ] = None,
    rules: Annotated[
        str | None,
        Option(help="The rule-set (default: sintra).", metavar="NAME", completion=completed_by("rules")),
    ] = None,
    side: SideOption = None,
    option: RuleOption = None,
    components: ComponentsOption = None,
    seed: SeedOption = None,
    max_rounds: Annotated[
        int | None,
        Option(
            "--max-rounds",
            help=f"Stop a game after N rounds (R6; default: {MANY_ROUNDS}).",
            metavar="N",
            min=1,
            max=MAX_ROUNDS,
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
    """Let bots play a tournament, and rate them.

    Every set of bots plays every deal in every seat. A bot that fails forfeits its game; the tournament
    goes on. Every game is saved to DIR as it ends. Ctrl-C finishes the games under way, a second Ctrl-C
    stops immediately; after either, a crash or a power cut, `sintra tournament DIR` resumes. Give more
    --deals or --bots to extend it.

    Bots are named as in `simulate`; each needs a different name (LABEL=NAME). DIR holds the plan, a journal
    with a line per game, and the logs; `ratings` prints the table again.

    \b
    sintra tournament league --bots greedy,random,easy -p 3 --deals 2 --seed 1
    sintra tournament league --deals 3
    sintra tournament match --bots greedy,random --sprt 0,20 --seed 1 --json
    """
    from sintra.batch.sprt import parse
    from sintra.batch.tournament import kept_plan, opened
    from sintra.bots.spec import names_in
    from sintra.cli.seats import import_from_here

    kept = kept_plan(folder)
    named = names_in(bots) if bots is not None else None
    import_from_here(named or (kept.bots if kept else ()), quiet)
    found = rules_named(rules or (kept.rules if kept else "sintra"))
    asked: dict[str, Any] = {
        "bots": named,
        "rules": found.name if rules else None,
        "players": players,
        "deals": deals,
        "gauntlet": gauntlet,
        "sprt": None if sprt is None else parse(sprt),
        "seed": seed,
        "max_rounds": max_rounds,
        "options": rule_options(found, side, option or []) or None,
        "limits": None
        if move_time is init_time is memory is None
        else limits_of(move_time, init_time, memory),
    }
    with own_values(components) as own:
        run = opened(folder, {**asked, "components": own})
    start = time.monotonic()
    stopped = _play(run, jobs, executor, quiet or json, move_time)
    _answer(run, stopped, time.monotonic() - start, color, ascii, quiet, json)
    return 130 if stopped else 0


def _play(run: Tournament, jobs: int | None, address: str | None, quiet: bool, seconds: float | None) -> bool:
    """Play; return True if Ctrl-C stopped it."""
    from sintra.batch.workers import cores, workers
    from sintra.bots.timed import limit_choices

    try:
        limit_choices(seconds)
        with _stopping(run), Live(run, quiet) as live, workers(jobs or cores(), address) as executor:
            for done in run.play(executor):
                if done == run.kept and not quiet:
                    _welcome(run)
                live.step()
    except KeyboardInterrupt:
        return True
    except SintraError as error:
        if run.done:
            error.add_note(f"{_kept(run)}; to resume: sintra tournament {run.folder}")
        raise
    return run.stopping and not run.decided and run.done < run.plan.games


def _welcome(run: Tournament) -> None:
    """Print what was found in the folder."""
    for line in run.journal.remarks():
        remark(safe(f"sintra: {run.folder}: {line}"))
    if run.kept:
        remark(safe(f"sintra: {_kept(run)}"))


def _kept(run: Tournament) -> str:
    return f"{run.done} of {run.plan.games} games are saved in {run.folder}"


@contextmanager
def _stopping(run: Tournament) -> Iterator[None]:
    """Make the first Ctrl-C finish the games under way, and the second one stop at once."""

    def stop(*_: object) -> None:
        if run.stopping:
            raise KeyboardInterrupt
        run.stopping = True
        with suppress(RuntimeError):  # standard error was being written to
            remark("sintra: finishing the games under way; Ctrl-C again stops immediately")

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _answer(
    run: Tournament, stopped: bool, passed: float, color: Color, ascii: bool, quiet: bool, json: bool
) -> None:
    """Print the standings, why the tournament ended, and how to continue."""
    if stopped:
        remark(safe(f"sintra: stopped: {_kept(run)}; to resume: sintra tournament {run.folder}"))
    if quiet:
        return
    found = run.standings()
    if json:
        played = run.done - run.kept
        timing = Timing(round(passed, 3), played, run.kept, round(played / passed, 1))
        fields = {name: getattr(found, name) for name in found.__struct_fields__}
        fields |= {"ended": run.ended(), "timing": timing}
        say_json(msgspec.convert(fields, TournamentAnswer, from_attributes=True))
        return
    say_standings(found, color, ascii)
    if not stopped:
        more = f"; for more: sintra tournament {run.folder} --deals {2 * run.plan.deals}"
        remark(safe(f"sintra: {run.ended()}{'' if run.decided else more}"))
