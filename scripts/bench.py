"""How fast the engine is, interpreted and compiled, every figure beside a yardstick of the same run.

Machines are noisy and differ, so a figure alone says little: each row measures the engine and its yardstick
alternately, in several short rounds, so that noise hits both alike. The figures are the medians of all
rounds, and the ratio is the median of the rounds' own ratios. A turn is a pick with its placing and keeping,
or a return; a ply is a chess player's move.

    python -m scripts.bench                  the whole table
    python -m scripts.bench --only replay    the rows whose names begin so
    python -m scripts.bench --quick          short rounds: do all rows work?
    python -m scripts.bench --check          exit code 1 if a target is missed
    python -m scripts.bench --build compiled one build alone

Each build is measured in a process of its own. The compiled one is that of `make compiled`, or the installed
one where that is compiled.
"""

from __future__ import annotations

import argparse
import gc
import io
import json
import os
import platform
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import count, cycle
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import chess

    from sintra import Game
    from sintra.log.events import Event
    from sintra.rules.chance import Chance, Stream
    from sintra.rules.state import State

PLAYERS = (2, 3, 4)
BOARDS = {
    "sintra": ("sintra", "A"),
    "azul": ("azul", "colored"),
    "gray": ("azul", "gray"),
    "crystal1": ("crystal", "1"),
    "crystal2": ("crystal", "2"),
}
"""What is played: the rules and the side of the boards."""
GAMES = ("sintra", "azul", "crystal1")
"""One board of each game."""
MAX_ROUNDS = 30
"""The rules alone may never end a game of Azul; one at random is left here."""
MAX_PLIES = 200
"""Chess at random goes on for long; a playout is cut here."""

Draw = Callable[[], float]
"""A number from 0 to 1, as `random.Random.random` gives it; both sides choose by it."""


# -- Measuring -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """How long to measure."""

    rounds: int
    seconds: float
    """Of one side in one round, where work is repeated."""
    runs: int
    """Of a process in one round."""
    games: int
    """How many different games are played or read in turn, for every number of players."""
    scratch: Path


FULL = partial(Plan, rounds=9, seconds=0.2, runs=2, games=8)
QUICK = partial(Plan, rounds=2, seconds=0.02, runs=1, games=1)

Gauge = Callable[[], float]
"""Measures something once."""


@dataclass(frozen=True)
class Side:
    """One side of a row."""

    name: str
    unit: str
    gauge: Gauge


@dataclass(frozen=True)
class Row:
    """The engine beside a yardstick, with what the ratio should be."""

    name: str
    sides: Callable[[Plan], tuple[Side, Side]]
    """Makes everything ready, and gives the engine's side and the yardstick."""
    at_least: Mapping[str, float] = field(default_factory=dict)
    """What the ratio should be, by build."""
    at_most: Mapping[str, float] = field(default_factory=dict)
    rounds: int = 99
    """At most so many rounds, for rows that take long."""

    def target(self, build: str) -> str:
        """The target of a build in words."""
        if build in self.at_least:
            return f">= {self.at_least[build]:g}x"
        return f"<= {self.at_most[build]:g}x" if build in self.at_most else ""

    def met(self, build: str, ratio: float) -> bool | None:
        """Whether this ratio meets the target of a build; None where there is none."""
        if build in self.at_least:
            return ratio >= self.at_least[build]
        return ratio <= self.at_most[build] if build in self.at_most else None


@dataclass(frozen=True)
class Result:
    """A row, measured; or why it could not be."""

    row: str
    build: str
    target: str
    met: bool | None
    figure: float | None = None
    unit: str = ""
    yardstick: str = ""
    yardstick_figure: float | None = None
    yardstick_unit: str = ""
    ratio: float | None = None
    why_not: str = ""


class Unmeasured(Exception):
    """What a row needs is not there."""


def measure(row: Row, build: str, plan: Plan) -> Result:
    """Measure both sides of a row alternately."""
    target = row.target(build)
    try:
        engine, yardstick = row.sides(plan)
        pairs = [(engine.gauge(), yardstick.gauge()) for _ in range(min(plan.rounds, row.rounds))]
    except Unmeasured as error:
        return Result(row.name, build, target, False if target else None, why_not=str(error))
    ratio = median(ours / theirs for ours, theirs in pairs)
    return Result(
        row=row.name,
        build=build,
        target=target,
        met=row.met(build, ratio),
        figure=median(ours for ours, _ in pairs),
        unit=engine.unit,
        yardstick=yardstick.name,
        yardstick_figure=median(theirs for _, theirs in pairs),
        yardstick_unit=yardstick.unit,
        ratio=ratio,
    )


def rate(work: Callable[[], int], plan: Plan) -> Gauge:
    """How many a second, of what `work` does and counts."""

    def gauge() -> float:
        done = 0
        start = perf_counter()
        while (passed := perf_counter() - start) < plan.seconds:
            done += work()
        return done / passed

    return gauge


def times(again: int, work: Callable[[], object]) -> Callable[[], int]:
    """Work that is too short to be timed alone."""

    def repeated() -> int:
        for _ in range(again):
            work()
        return again

    return repeated


def held_kib(make: Callable[[], object], again: int = 10) -> Gauge:
    """How much memory a thing holds on to, without what is shared by all of its kind."""

    def gauge() -> float:
        make()
        gc.collect()
        tracemalloc.start()
        before, _ = tracemalloc.get_traced_memory()
        things = [make() for _ in range(again)]
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return (after - before) / len(things) / 1024

    return gauge


def process_ms(
    command: Sequence[str | Path], plan: Plan, prepare: Callable[[], object] = lambda: None
) -> Gauge:
    """How long a process takes, the best of a few; `prepare` goes before each and is not timed."""

    def gauge() -> float:
        return min(one() for _ in range(plan.runs)) * 1000

    def one() -> float:
        prepare()
        start = perf_counter()
        try:
            done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        except OSError as error:
            raise Unmeasured(f"{Path(command[0]).name} can't be run: {error.strerror}") from None
        passed = perf_counter() - start
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip().splitlines()
            raise Unmeasured(f"{Path(command[0]).name} failed: {said[-1] if said else done.returncode}")
        return passed

    return gauge


# -- The engine at work ----------------------------------------------------------------------


def arranged_states(board: str, players: int, games: int) -> list[tuple[State, Chance]]:
    """Tables laid out and waiting for their first deal, each with its chance."""
    from sintra import catalog
    from sintra.fold import complete_options
    from sintra.rules.chance import Chance

    name, side = BOARDS[board]
    rules = catalog.find(name)
    options = complete_options(rules, {"side": side})
    arranged = []
    for seed in range(games):
        chance = Chance(seed)
        state = rules.start(options, players)
        state.arrange(rules.arrange(options, players, {}, chance))
        arranged.append((state, chance))
    return arranged


def play_game(game: Game, draw: Draw) -> int:
    """Play a game to its end by steps, as a script would, at random; returns the turns."""
    while not game.over and game.round <= MAX_ROUNDS:
        steps = game.legal()
        game.play(steps[int(draw() * len(steps))])
    return turns_in(game.events)


def turns_in(events: Iterable[Event]) -> int:
    """How many turns these events tell."""
    from sintra.games.sintra.events import Returned
    from sintra.log.events import Picked

    return sum(isinstance(event, Picked | Returned) for event in events)


@dataclass(frozen=True)
class Played:
    """A complete game, played at random."""

    text: str
    events: int
    turns: int


def new_game(board: str, players: int, seed: int) -> Game:
    """A game that was just dealt."""
    import sintra

    rules, side = BOARDS[board]
    return sintra.new(rules, players, seed=seed, side=side)


@cache
def played(board: str, players: int, seed: int) -> Played:
    """A complete game and its log."""
    game = new_game(board, players, seed)
    turns = play_game(game, Random(seed).random)
    return Played(game.dumps(), len(game.events), turns)


def played_games(board: str, plan: Plan) -> list[Played]:
    """Complete games for every number of players."""
    return [played(board, players, seed) for seed in range(plan.games) for players in PLAYERS]


def one_step_left() -> tuple[str, list[str]]:
    """The log of a game that lacks its last step and what followed from it, and the words of a next step."""
    import sintra
    from sintra.log.events import Choice

    lines = played("sintra", 2, 1).text.splitlines(keepends=True)
    events = sintra.loads("".join(lines)).events
    last = max(at for at, event in enumerate(events) if isinstance(event, Choice))
    text = "".join(lines[:last])
    return text, str(sintra.loads(text).legal()[0]).split()


def halfway(board: str, players: int) -> State:
    """The state in the middle of a game."""
    import sintra

    lines = played(board, players, 1).text.splitlines(keepends=True)
    return sintra.loads("".join(lines[: len(lines) // 2])).live


# -- Yardsticks ------------------------------------------------------------------------------


def need_chess() -> None:
    """Chess is no part of the engine: it has to be installed to be measured."""
    try:
        import chess  # noqa: F401
    except ImportError:
        raise Unmeasured("python-chess is not installed: pip install 'sintra[bench]'") from None


def playout(draw: Draw, plies: int = MAX_PLIES) -> chess.Board:
    """A game of chess at random, until somebody can't move or there are so many plies."""
    import chess

    board = chess.Board()
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(moves[int(draw() * len(moves))])
    return board


@cache
def chess_of(plies: int) -> chess.Board:
    """A game of chess at random of exactly so many plies."""
    boards = (playout(Random(seed).random, plies) for seed in count())
    return next(board for board in boards if board.ply() == plies)


@cache
def pgn_of(plies: int) -> str:
    """The notation of a game of chess of so many plies."""
    import chess.pgn

    return f"{chess.pgn.Game.from_board(chess_of(plies))}\n"


def read_pgn(text: str) -> object:
    """A game of chess from its notation, its moves checked by playing them."""
    import chess.pgn

    game = chess.pgn.read_game(io.StringIO(text))
    if game is None or game.errors:
        raise Unmeasured("python-chess does not read its own games")
    return game


def chess_playouts(plan: Plan) -> Side:
    """Chess at random."""
    need_chess()
    draw = Random(1).random
    return Side("chess playouts", "plies/s", rate(lambda: playout(draw).ply(), plan))


def pgn_reading(plan: Plan, games: Sequence[Played]) -> Side:
    """Games of chess with as many plies as these games have turns, read from their notation."""
    need_chess()
    texts = cycle([(pgn_of(game.turns), game.turns) for game in games])

    def read() -> int:
        text, plies = next(texts)
        read_pgn(text)
        return plies

    return Side("chess PGN", "plies/s", rate(read, plan))


# -- The rows --------------------------------------------------------------------------------

Sides = tuple[Side, Side]


def selfplay(board: str, players: int, plan: Plan) -> Sides:
    """Random self-play as `simulate` plays it: codes alone, no log; the tables are laid out before.

    Interpreted, both sides choose by Python's own generator; compiled, the engine chooses by its own, too.
    """
    from sintra.batch.selfplay import play_out
    from sintra.bots.simple import random

    starts = cycle(arranged_states(board, players, plan.games))
    draw = Random(1).random

    def by_draw(state: State, _: Stream) -> int:
        codes = state.legal()
        return codes[int(draw() * len(codes))]

    bots = [random if build_here() == "compiled" else by_draw] * players

    def play() -> int:
        state, chance = next(starts)
        return play_out(state.copy(), chance, bots, MAX_ROUNDS)

    return Side("self-play", "turns/s", rate(play, plan)), chess_playouts(plan)


def public(board: str, players: int, plan: Plan) -> Sides:
    """Random self-play by game.legal() and game.play(step), which keep the log."""
    starts = cycle([new_game(board, players, seed) for seed in range(plan.games)])
    draw = Random(1).random
    gauge = rate(lambda: play_game(next(starts).copy(), draw), plan)
    return Side("self-play", "turns/s", gauge), chess_playouts(plan)


def replaying(plan: Plan, games: Sequence[Played], unit: str) -> Side:
    """Reading complete logs, counted in events or in turns."""
    import sintra

    texts = cycle([(game.text, game.events if unit == "events/s" else game.turns) for game in games])

    def read() -> int:
        text, counted = next(texts)
        sintra.loads(text)
        return counted

    return Side("replay", unit, rate(read, plan))


def replay(board: str, unit: str, plan: Plan) -> Sides:
    """sintra.loads of complete games, beside games of chess with as many plies as these have turns."""
    games = played_games(board, plan)
    return replaying(plan, games, unit), pgn_reading(plan, games)


def decoding(plan: Plan) -> Sides:
    """sintra.loads again, beside msgspec decoding the same lines and doing nothing with them."""
    from sintra import catalog
    from sintra.log.codec import line_decoder

    games = played_games("sintra", plan)
    decode = line_decoder(catalog.find("sintra").lines).decode
    logs = cycle([game.text.encode().splitlines() for game in games])

    def decode_log() -> int:
        lines = next(logs)
        for line in lines:
            decode(line)
        return len(lines)

    yardstick = Side("msgspec alone", "events/s", rate(decode_log, plan))
    return replaying(plan, games, "events/s"), yardstick


def copying(board: str, players: int, plan: Plan) -> Sides:
    """state.copy() in the middle of a game, beside chess.Board.copy(stack=False)."""
    need_chess()
    state = halfway(board, players)
    chess_board = chess_of(played(board, players, 1).turns // 2)
    return (
        Side("copy", "copies/s", rate(times(100, lambda: state.copy()), plan)),
        Side("chess board", "copies/s", rate(times(100, lambda: chess_board.copy(stack=False)), plan)),
    )


def memory_of_game(plan: Plan) -> Sides:  # noqa: ARG001 - memory takes no time to measure
    """A complete game with its events, beside a chess.pgn.Game with as many plies as it has turns."""
    import sintra

    need_chess()
    game = played("sintra", 2, 1)
    return (
        Side("game", "KiB", held_kib(lambda: sintra.loads(game.text))),
        Side("chess.pgn.Game", "KiB", held_kib(lambda: read_pgn(pgn_of(game.turns)))),
    )


def memory_of_state(plan: Plan) -> Sides:  # noqa: ARG001 - memory takes no time to measure
    """A bare state of two players, beside a bare chess.Board."""
    need_chess()
    state = halfway("sintra", 2)
    board = chess_of(played("sintra", 2, 1).turns // 2)
    return (
        Side("state", "KiB", held_kib(lambda: state.copy())),
        Side("chess board", "KiB", held_kib(lambda: board.copy(stack=False))),
    )


@cache
def compile_engine() -> None:
    """pip compiles what it installs; where the engine is run from its source, this does."""
    import compileall

    import sintra

    compileall.compile_dir(Path(sintra.__file__).parent, quiet=1)


def startup(words: Sequence[str], plan: Plan) -> Sides:
    """A command on a complete game's log, one step before its end, beside importing typer and msgspec."""
    program = sintra_program()
    log = plan.scratch / "game.log"
    text, step = one_step_left()
    command = [program, *words, log, *(step if words[0] == "move" else ())]
    imports = [sys.executable, "-c", "import typer, msgspec"]
    return (
        Side(words[0], "ms", process_ms(command, plan, prepare=lambda: log.write_text(text))),
        Side("imports alone", "ms", process_ms(imports, plan)),
    )


def simulating(plan: Plan) -> Sides:
    """`simulate` with one process, beside two: how many times as long the one takes."""
    games = GAMES_AT_ONCE[build_here()] if plan.rounds > 2 else 200
    command: list[str | Path] = [sintra_program()]
    command += ["simulate", str(games), "--rules", "azul", "--seed", "1", "-q", "--jobs"]
    return (
        Side("1 process", "ms", process_ms([*command, "1"], plan)),
        Side("2 processes", "ms", process_ms([*command, "2"], plan)),
    )


def verifying(plan: Plan) -> Sides:
    """`verify` of a folder of logs with one process, beside one a core."""
    import sintra

    folder = plan.scratch / "logs"
    if not folder.exists():
        sintra.simulate("sintra", 2000 if plan.rounds > 2 else 20, seed=1, out=folder)
    command: list[str | Path] = [sintra_program(), "verify", folder, "-q", "--jobs"]
    return (
        Side("1 process", "ms", process_ms([*command, "1"], plan)),
        Side("all cores", "ms", process_ms([*command, str(os.cpu_count())], plan)),
    )


def sintra_program() -> Path:
    """The program, as it is installed beside this Python."""
    program = Path(sys.executable).with_name("sintra")
    if not program.exists():
        raise Unmeasured("the program sintra is not installed beside this Python: pip install -e .")
    compile_engine()
    return program


GAMES_AT_ONCE = {"interpreted": 10_000, "compiled": 60_000}
"""So many games of Azul take a few seconds."""

SELFPLAY = {
    "sintra": {"interpreted": 4.0, "compiled": 40.0},
    "azul": {"interpreted": 5.0, "compiled": 60.0},
    "crystal1": {"compiled": 40.0},
    "crystal2": {"compiled": 40.0},
}
PUBLIC = {"compiled": 10.0}
REPLAY = {"sintra": {"interpreted": 4.0}}
DECODING = {"compiled": 0.25}
MOVE = {"interpreted": 1.3, "compiled": 1.3}
JOBS = {"interpreted": 1.8, "compiled": 1.8}
"""Targets, by board and build."""


def selfplay_target(board: str, players: int) -> Mapping[str, float]:
    """What self-play should reach; compiled, Azul's target is for two players."""
    target = SELFPLAY.get(board, {})
    return target if players == 2 or board != "azul" else {"interpreted": target["interpreted"]}


ROWS = [
    *(
        Row(f"selfplay-{board}-{players}", partial(selfplay, board, players), selfplay_target(board, players))
        for board in BOARDS
        for players in PLAYERS
    ),
    *(Row(f"public-{board}-2", partial(public, board, 2), PUBLIC) for board in GAMES),
    *(
        Row(f"replay-{board}-events", partial(replay, board, "events/s"), REPLAY.get(board, {}))
        for board in GAMES
    ),
    *(Row(f"replay-{board}-turns", partial(replay, board, "turns/s")) for board in GAMES),
    Row("decoding", decoding, DECODING),
    *(
        Row(f"copy-{board}-{players}", partial(copying, board, players))
        for board in GAMES
        for players in (2, 4)
    ),
    Row("memory-game", memory_of_game),
    Row("memory-state", memory_of_state),
    Row("startup-move", partial(startup, ("move", "-q")), at_most=MOVE),
    Row("startup-legal", partial(startup, ("legal",))),
    Row("startup-show", partial(startup, ("show", "--json"))),
    Row("simulate-jobs", simulating, JOBS, rounds=3),
    Row("verify-jobs", verifying, rounds=3),
]


# -- The table -------------------------------------------------------------------------------


def build_here() -> str:
    """How the rules run in this process."""
    from sintra.catalog import build

    return build()


def environment(build: str) -> dict[str, str]:
    """What a process needs to run a build of the engine."""
    if build == "interpreted":
        return {**os.environ, "SINTRA_PURE": "1"}
    plain = {name: value for name, value in os.environ.items() if name != "SINTRA_PURE"}
    if build_here() == "compiled" or not COMPILED.exists():
        return plain
    path = os.pathsep.join([str(COMPILED), str(COMPILED.parent.parent), plain.get("PYTHONPATH", "")])
    return {**plain, "PYTHONSAFEPATH": "1", "PYTHONPATH": path}


BUILDS = ("interpreted", "compiled")
COMPILED = Path(__file__).parent.parent / "build" / "compiled"
"""Where `make compiled` puts the compiled build."""


def machine() -> str:
    """Where this was measured, in a line."""
    from sintra.version import VERSION

    parts = [
        f"sintra {VERSION}",
        f"{platform.python_implementation()} {platform.python_version()}",
        f"{platform.system()} {platform.machine()}",
        f"{os.cpu_count()} CPUs",
    ]
    return ", ".join(parts + cpu_model())


def cpu_model() -> list[str]:
    """The processor's name, where it can be read."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return [platform.processor()] if platform.processor() else []
    return [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")][:1]


def told(figure: float) -> str:
    """A figure, as exact as it deserves."""
    return f"{figure:,.0f}" if figure >= 100 else f"{figure:.1f}"


HEADER = (
    f"{'row':<23}{'build':<12}{'engine':>11} {'':<9}{'yardstick':>11} {'':<24}{'ratio':>8}  {'target':<9}met"
)


def line(result: Result) -> str:
    """A row of the table."""
    start = f"{result.row:<23}{result.build:<12}"
    if result.figure is None or result.yardstick_figure is None or result.ratio is None:
        return f"{start}  not measured: {result.why_not}"
    met = {True: "yes", False: "NO", None: ""}[result.met]
    beside = f"{result.yardstick_unit:<9}{result.yardstick}"
    return (
        f"{start}{told(result.figure):>11} {result.unit:<9}"
        f"{told(result.yardstick_figure):>11} {beside:<24}"
        f"{result.ratio:>7.2f}x  {result.target:<9}{met}"
    ).rstrip()


def markdown(results: Sequence[Result]) -> str:
    """The table in Markdown, the builds side by side."""
    lines = [
        "| row | interpreted | ratio | compiled | ratio | yardstick |",
        "|---|---|---|---|---|---|",
    ]
    for name in dict.fromkeys(result.row for result in results):
        row = {result.build: result for result in results if result.row == name}
        cells = []
        for build in BUILDS:
            result = row.get(build)
            if result is None or result.figure is None or result.ratio is None:
                cells += ["", ""]
            else:
                cells += [f"{told(result.figure)} {result.unit}", f"{result.ratio:.2f}"]
        last = list(row.values())[-1]
        yardstick = f"{told(last.yardstick_figure or 0)} {last.yardstick_unit}, {last.yardstick}"
        lines.append(f"| {name} | {' | '.join(cells)} | {yardstick} |")
    return "\n".join(lines)


def legend() -> str:
    """What the rows are."""
    said: dict[str, list[str]] = {}
    for row in ROWS:
        make = row.sides.func if isinstance(row.sides, partial) else row.sides
        said.setdefault(str(make.__doc__), []).append(row.name)
    return "\n".join(["rows:", *(f"  {', '.join(names)}\n      {text}" for text, names in said.items())])


def chosen(only: Sequence[str]) -> list[Row]:
    """The rows whose names begin with one of these; all rows for none."""
    return [row for row in ROWS if not only or row.name.startswith(tuple(only))]


def arguments() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=legend(), formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="short rounds, to see that all rows work")
    parser.add_argument("--json", action="store_true", help="the table as JSON")
    parser.add_argument(
        "--only", action="append", default=[], metavar="NAME", help="rows whose names begin so"
    )
    parser.add_argument("--check", action="store_true", help="exit code 1 if a target is missed")
    parser.add_argument("--markdown", action="store_true", help="the table in Markdown")
    parser.add_argument("--build", choices=BUILDS, help="measure this build alone")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)  # the process of one row
    given = parser.parse_args()
    for name in given.only:
        if not chosen([name]):
            parser.error(f"there is no row {name}; there are: {', '.join(row.name for row in ROWS)}")
    return given


def measured(row: Row, build: str, given: argparse.Namespace) -> Result:
    """A row of a build, measured in a process of its own."""
    command = [
        sys.executable,
        "-m",
        "scripts.bench",
        "--here",
        "--json",
        "--only",
        row.name,
        "--build",
        build,
    ]
    if given.quick:
        command.append("--quick")
    done = subprocess.run(command, env=environment(build), stdout=subprocess.PIPE, check=True)
    found = [Result(**result) for result in json.loads(done.stdout)]
    return next(result for result in found if result.row == row.name)


def measure_here(given: argparse.Namespace) -> list[Result]:
    """The chosen rows, measured in this process."""
    if build_here() != given.build:
        why = "there is no compiled build: make compiled"
        return [Result(row.name, given.build, "", None, why_not=why) for row in chosen(given.only)]
    with tempfile.TemporaryDirectory() as scratch:
        plan = (QUICK if given.quick else FULL)(scratch=Path(scratch))
        return [measure(row, given.build, plan) for row in chosen(given.only)]


def main() -> int:
    """Measure, print, and say whether targets were missed."""
    given = arguments()
    if given.here:
        print(json.dumps([vars(result) for result in measure_here(given)]))
        return 0
    about = "medians of up to 9 rounds, engine and yardstick in turn"
    if given.quick:
        about += "; too short to mean much"
    live = not given.json and not given.markdown
    if live or given.markdown:
        print(f"{machine()}\n{about}\n")
    if live:
        print(HEADER)
    results: list[Result] = []
    for row in chosen(given.only):
        for build in [given.build] if given.build else BUILDS:
            results.append(measured(row, build, given))
            if live:
                print(line(results[-1]), flush=True)
    if given.markdown:
        print(markdown(results))
    if given.json:
        rows = [vars(result) for result in results]
        print(json.dumps({"machine": machine(), "about": about, "rows": rows}, indent=2))
    return 1 if given.check and any(result.met is False for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
