"""Fuzzing: bytes that nobody foresaw, in every place where strangers' bytes come in.

decoder     bytes as a log: `sintra.loads`, and each line by itself under every rule-set
steps       text as what people type: `move`, `deal` and `arrange`, on games at many points
components  bytes as a component file, JSON or TOML, on every board
verify      bytes as a log file, through the verdict of `sintra verify`, and before the judge of `mutants`
codes       text as the code of a game
lines       text as a position

Each target is a function of bytes that raises where something is wrong: anything but the errors that a user
is told, an error that names no line of the file, a message that would reach a terminal raw, a log that does
not come back as it went in, a log whose beginning is refused, a game that the plain implementations do not
allow.

Two engines drive them: hypothesis (in `make test`, more of it here) and atheris, which is led by the
coverage of sintra's code, each target in a process of its own for SINTRA_FUZZ_SECONDS (120). What it finds
is kept, and belongs into `fixtures/fuzz/TARGET/` as soon as it is mended.

    python -m scripts.torture.fuzz [TARGET...]
"""

from __future__ import annotations

import atexit
import functools
import importlib.util
import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, suppress
from pathlib import Path
from typing import Any

import sintra
from scripts.fixtures import FIXTURES
from scripts.torture.mutants import agree, changed, whole
from sintra import catalog, cli
from sintra.api import loads_as
from sintra.batch.logs import Entry
from sintra.batch.results import Verdict
from sintra.batch.verify import verdict
from sintra.cli.verify import line_of
from sintra.errors import DamagedLog, IllegalStep, SintraError, Unknown, UsageError
from sintra.game import Game
from sintra.log import files
from sintra.log.codec import decode_line, encode_line, encode_lines, line_decoder
from sintra.rules.typed import dealt
from sintra.testing import all_options
from sintra.text import safe_json

SEEDS = FIXTURES / "fuzz"
"""Inputs of each target that were once a fault, or lead somewhere."""
SECONDS = int(os.environ.get("SINTRA_FUZZ_SECONDS", "120"))
LONGEST = 12_000
"""Bytes of an input that atheris makes up: more than a log of some rounds."""
GUIDED = 200
"""Branches of sintra that every target reaches; if atheris saw fewer, it would go by nothing."""
EXAMPLES = 20_000
"""Examples for each target that hypothesis tries at full scale."""

RULES = [catalog.find(name) for name in catalog.BUILT_IN]
BOARDS = [(rules, options) for rules in RULES for options in all_options(rules)]


# -- What must hold of every error -----------------------------------------------------------


def told(error: SintraError) -> None:
    """An error reaches a person as one printable line, and a program as one line of JSON."""
    for as_json in (False, True):
        with redirect_stderr(io.StringIO()) as said:
            cli.complain(error, as_json)
        text = said.getvalue()
        assert text.endswith("\n"), text
        assert text[:-1].isprintable(), ascii(text)
        if as_json:
            assert json.loads(text)["message"]


def placed(error: SintraError, data: bytes) -> None:
    """What is wrong with a log is wrong with one of its lines."""
    told(error)
    line = getattr(error, "line", None)
    assert line is not None or isinstance(error, Unknown) or not data, f"no line: {error}"
    if line is not None:
        assert 1 <= line <= data.count(b"\n") + 1, f"no line {line} in the file: {error}"


# -- Targets ---------------------------------------------------------------------------------


def decoder(data: bytes) -> None:
    """Bytes as a log, and its lines one by one."""
    for number, raw in enumerate(data.split(b"\n")[:12], 1):
        for rules in RULES:
            _one_line(line_decoder(rules.lines), raw, number)
    try:
        game = sintra.loads(data)
    except (DamagedLog, Unknown) as error:
        placed(error, data)
        return
    text = game.dumps()
    again = loads_as(game.rules, text)
    assert again.events == game.events
    assert again.dumps() == text
    assert again.state == game.state
    meant = _meant(data)
    usual = {option.name: option.values[0] for option in game.rules.options}
    meant[0]["options"] = usual | meant[0]["options"]  # an option that is not there has its default
    assert _meant(text.encode()) == meant, "the log means something else to another program"


def _meant(data: bytes) -> list[Any]:
    return [json.loads(line) for line in data.split(b"\n")[:-1]]


def _one_line(decoder: Any, raw: bytes, number: int) -> None:
    try:
        event = decode_line(decoder, raw, number)
    except DamagedLog as error:
        told(error)
        if error.line != number:
            raise AssertionError(f"line {number} is at fault, not {error.line}") from error
        return
    line = encode_line(event)
    assert decode_line(decoder, line, number) == event
    assert line.count(b"\n") == 1
    assert json.loads(line) == json.loads(raw), "the line means something else to another program"


@functools.cache
def positions() -> tuple[Game, ...]:
    """Games of every board at many points: new ones, under way in all phases, over; and at a real table."""
    found = []
    for at, (rules, options) in enumerate(BOARDS):
        dice = random.Random(at)
        game = Game.new(rules, 2 + at % 3, seed=at, options=options)
        kinds: set[tuple[str, ...]] = set()
        while not game.over:
            verbs = tuple(sorted({str(step).split()[0] for step in game.legal()}))
            if verbs not in kinds:
                kinds.add(verbs)
                found.append(game.copy())
            game.play(dice.choice(game.legal()))
        found.append(game)
        table = Game.new(rules, 2, chance="table", options=options)
        found.append(table.copy())
        table.record(
            game.fork(2).events[1] if len(game.players) == 2 else Game.new(rules, 2, seed=1).events[1]
        )
        found.append(table)
    return tuple(found)


def steps(data: bytes) -> None:
    """A byte that chooses a game, and the text that is typed there."""
    games = positions()
    before = games[(data[0] if data else 0) % len(games)]
    game = before.copy()
    text = data[1:].decode("utf-8", "surrogateescape")  # as Python hands on the words of a command line
    try:
        events = _typed(game, text)
    except (UsageError, IllegalStep) as error:
        told(error)
        assert game.events == before.events, "a refused step left something behind"
        assert game.state == before.state
        if isinstance(error, IllegalStep) and error.legal:
            game.copy().play(error.legal[0]) if error.line == len(game.events) + 1 else None
        return
    assert game.events == (*before.events, *events)
    again = sintra.loads(before.dumps().encode() + encode_lines(events))
    assert again.state == game.state
    for line in safe_json(events).splitlines():
        assert line.isprintable()


def _typed(game: Game, text: str) -> list[Any]:
    """What the commands do with what was typed: `arrange`, `deal` or `move`, whichever the game waits for."""
    words = " ".join(line.split("#", 1)[0].strip() for line in text.splitlines())
    if game.created.chance == "table" and game.round == 0:
        created = game.created
        if len(game.events) == 1:
            return game.record(game.rules.lay(created.options, len(created.players), {}, words.split()))
        return game.record(dealt(game.rules.palette, game.round + 1, words))
    return game.play(words)


@functools.cache
def _shelf() -> Path:
    """A folder for files that are read once."""
    shared = Path("/dev/shm")
    folder = tempfile.mkdtemp(prefix="sintra-fuzz-", dir=shared if shared.is_dir() else None)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def components(data: bytes) -> None:
    """A byte that chooses a board and how the file is called, and what is in the file."""
    choice = data[0] if data else 0
    rules, options = BOARDS[(choice >> 1) % len(BOARDS)]
    path = _shelf() / f"{os.getpid()}.{'toml' if choice & 1 else 'json'}"
    path.write_bytes(data[1:])
    try:
        own = files.read_components(path)
        game = Game.new(rules, 2 + choice % 3, seed=choice, components=own, options=options)
    except UsageError as error:
        told(error)
        if not str(error).startswith("components: "):
            raise AssertionError("the error does not say what is at fault") from error
        return
    again = sintra.loads(game.dumps())
    assert again.events == game.events
    written = json.loads(game.dumps().splitlines()[1])
    for key, value in own.items():
        if value is not None and key in written and key != "strips":
            side = str(options["side"])
            chosen = value.get(side) if key == "windows" and isinstance(value, dict) else value
            assert written[key] == chosen, f"{key} is {written[key]}, the file says {chosen}"
    agree(game.dumps().encode().splitlines(keepends=True))


def verify(data: bytes) -> None:
    """Bytes as a log file."""
    path = _shelf() / f"{os.getpid()}.log"
    answer = _verdict(path, data)
    assert whole(data) == (None if answer.ok else (answer.line or None, answer.message)), (
        "loading says otherwise"
    )
    if answer.ok is True:
        assert answer.events == data.count(b"\n")
        cut = len(data) * 7 % data.count(b"\n") + 1  # some beginning of it
        assert _verdict(path, b"".join(raw + b"\n" for raw in data.split(b"\n")[:cut])).ok
        agree([raw + b"\n" for raw in data.split(b"\n")[:-1]])
    elif isinstance(answer.line, int) and answer.line > 1:
        assert answer.line <= data.count(b"\n") + 1
        sound = b"".join(raw + b"\n" for raw in data.split(b"\n")[: answer.line - 1])
        assert _verdict(path, sound).ok, "what comes before the first fault has a fault"
    else:
        assert answer.exit_code == 6 or answer.line == 1 or not data, answer


def _verdict(path: Path, data: bytes) -> Verdict:
    path.write_bytes(data)
    answer = verdict(Entry(str(path)))
    assert answer.exit_code in ((0,) if answer.ok else (1, 6)), answer
    assert line_of(answer).isprintable()
    assert safe_json(answer).isprintable()
    return answer


def codes(data: bytes) -> None:
    """Text as the code of a game: `decode`."""
    text = data.decode("utf-8", "surrogateescape")
    try:
        game = sintra.decode(text)
    except (UsageError, Unknown) as error:
        told(error)
        return
    assert "".join(text.split()).rpartition("#code=")[2] in (sintra.code(game), sintra.code(game, names=True))
    assert sintra.loads(game.dumps()).events == game.events


def lines(data: bytes) -> None:
    """Text as a position: `new --position`."""
    try:
        game = sintra.from_position(data.decode("utf-8", "surrogateescape"), seed=1)
    except (UsageError, Unknown) as error:
        told(error)
        return
    assert sintra.loads(game.dumps()).state == game.state
    line = sintra.position(game, 1)
    assert sintra.position(sintra.from_position(line), 1) == line


TARGETS: dict[str, Callable[[bytes], None]] = {
    "decoder": decoder,
    "steps": steps,
    "components": components,
    "verify": verify,
    "codes": codes,
    "lines": lines,
}


# -- Inputs to begin with, and how logs are changed ------------------------------------------


def seeds(target: str) -> Iterator[bytes]:
    """What the engines begin with: the fixtures of the target, and what it is made for."""
    yield from (path.read_bytes() for path in sorted((SEEDS / target).glob("*")))
    if target in ("decoder", "verify"):
        yield from (path.read_bytes() for path in sorted((FIXTURES / "broken").glob("*.log")))
        for path in sorted((FIXTURES / "games").glob("*.log")):
            lines = path.read_bytes().splitlines(keepends=True)
            yield from (b"".join(lines[:count]) for count in (1, 3, 5, len(lines) // 3))
    elif target == "steps":
        for at, game in enumerate(positions()):
            yield from (bytes([at]) + str(step).encode() for step in game.legal()[:3])
            yield from (bytes([at]) + f"{step} {step}".encode() for step in game.legal()[:1])
        yield b"\x00indicator copbyc strips 1 oypoy cpoco ocooy bpbyp pocyp ycyyc ypcyp cbccb"
        yield b"\x07brky ytbk kkkk rrbb tttt -"
    elif target in ("codes", "lines"):
        write = sintra.code if target == "codes" else sintra.position
        for game in positions():
            if game.rules.name in catalog.BUILT_IN:
                yield write(game).encode()
                yield write(game.fork(1)).encode()
    else:
        yield from (bytes([at]) + text for at in range(12) for text in own_values())


def own_values() -> Iterator[bytes]:
    """Component files that are sound, in both languages."""
    for rules, options in BOARDS:
        printed = json.loads(Game.new(rules, 2, seed=1, options=options).dumps().splitlines()[1])
        yield json.dumps({key: printed[key] for key in ("wall", "floor", "bonus") if key in printed}).encode()
        if "strips" in printed:
            yield json.dumps({"strips": printed["strips"][0], "windows": printed["windows"]}).encode()
    yield b'{"broken":[0,-1,-18],"windows":{"A":[1,2,3,4,5,6,7,8]}}'
    yield b'{"multiplier":2,"floor":[0,0,0,0,0,0,0],"bonus":{"row":1,"column":0,"color":9}}'
    yield b"broken = [0, -9, -18]\n[windows]\nA = [1, 1, 1, 1, 1, 1, 1, 1]\n"
    yield b"multiplier = 1\nfloor = [-1, -1, -1, -1, -1, -1, -1]\n[bonus]\nrow = 1\ncolumn = 2\ncolor = 3\n"


def mutated(data: bytes, dice: random.Random, other: bytes = b"") -> bytes:
    """A log with something done to its lines: dropped, doubled, swapped, edited, two games spliced."""
    lines = data.splitlines(keepends=True) or [b"\n"]
    at = dice.randrange(len(lines))
    match dice.randrange(6):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[at])
        case 2:
            to = dice.randrange(len(lines))
            lines[at], lines[to] = lines[to], lines[at]
        case 3:
            rest = other.splitlines(keepends=True)
            lines[at:] = rest[min(at, len(rest)) :]
        case 4:
            lines.insert(at, b'{"type":"undone","events":%d}\n' % dice.randint(1, 9))
        case _:
            lines[at] = _edited(lines[at], dice)
    return b"".join(lines)


def _edited(raw: bytes, dice: random.Random) -> bytes:
    """A line with one of its values changed; as it is, where it has none."""
    with suppress(ValueError, RecursionError, KeyError, TypeError, IndexError):
        ways = [value for _, value in changed(json.loads(raw), dice.choice(["sintra", "azul"]))]
        return json.dumps(dice.choice(ways), separators=(",", ":")).encode() + b"\n"
    return raw


# -- atheris ---------------------------------------------------------------------------------

BOOT = """
import importlib.util, sys, atheris
spec = importlib.util.spec_from_file_location("pure", "sintra/_pure.py")
pure = importlib.util.module_from_spec(spec)
spec.loader.exec_module(pure)
pure.prefer_source()  # of compiled modules atheris sees nothing; it has to come before this finder, too
with atheris.instrument_imports(include=["sintra"], enable_loader_override=False):
    from scripts.torture import fuzz
fuzz.child(atheris, sys.argv)
"""
"""The child's program: sintra is imported so that atheris sees its branches."""
MISSING = "atheris is not installed; `pip install '.[fuzz]'` (or `pip install atheris`) adds it"


def child(atheris: Any, arguments: list[str]) -> None:
    """Inside a child: fuzz the target that is named first, with libFuzzer's own options after it."""
    name = arguments.pop(1)
    pool = list(seeds(name))

    def mutate(data: bytes, longest: int, seed: int) -> bytes:
        dice = random.Random(seed)
        if dice.random() < 0.5:
            return bytes(atheris.Mutate(data, longest))
        return mutated(data, dice, dice.choice(pool))[:longest]

    more = {"custom_mutator": mutate} if name == "verify" else {}
    atheris.Setup(arguments, TARGETS[name], **more)
    atheris.Fuzz()


def start(name: str, scratch: Path, seconds: int) -> subprocess.Popen[bytes]:
    """A child that fuzzes a target for so long; its words go to a file in its folder."""
    folder = scratch / f"fuzz-{name}"
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(seeds(name)):
        (corpus / f"seed-{number:04}").write_bytes(data[:LONGEST])
    options = [
        f"-max_total_time={seconds}",
        f"-max_len={LONGEST}",
        "-print_final_stats=1",
        "-rss_limit_mb=2048",
    ]
    options += [f"-artifact_prefix={folder}/", "-timeout=30", "-verbosity=1"]
    with open(folder / "said.txt", "wb") as said:
        return subprocess.Popen(
            [sys.executable, "-c", BOOT, name, *options, str(corpus)],
            cwd=FIXTURES.parent,
            env={key: value for key, value in os.environ.items() if key != "SINTRA_PURE"},
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
        )


def outcome(name: str, scratch: Path, process: subprocess.Popen[bytes]) -> tuple[int, int]:
    """The inputs that a child tried until its end, and the branches it saw; AssertionError for a fault."""
    code = process.wait()
    folder = scratch / f"fuzz-{name}"
    said = (folder / "said.txt").read_text(errors="replace")
    kept = sorted(str(path) for path in folder.glob("*-*") if path.is_file())
    sound = code == 0 and not kept
    assert sound, f"{name}: exit code {code}, kept {kept}, in {folder}:\n{said[-3000:]}"
    covered = re.search(r"DONE +cov: (\d+)", said)  # libFuzzer does not write a zero
    branches = int(covered[1]) if covered else 0
    assert branches >= GUIDED, f"{name}: atheris sees {branches} branches"
    found = re.search(r"stat::number_of_executed_units:\s*(\d+)", said)
    assert found, f"{name}: no count in {folder / 'said.txt'}"
    return int(found[1]), branches


def with_atheris(names: Sequence[str], scratch: Path, seconds: int) -> dict[str, int | str]:
    """The executions and branches of each target, two at a time; `skipped` where atheris is not installed."""
    if importlib.util.find_spec("atheris") is None:
        sys.stderr.write(f"{MISSING}\n")
        return {f"atheris {name}": "skipped" for name in names}
    found: dict[str, int | str] = {}
    waiting = list(names)
    while waiting:
        pair, waiting = waiting[:2], waiting[2:]
        running = {name: start(name, scratch, seconds) for name in pair}
        try:
            for name, process in running.items():
                tried, branches = outcome(name, scratch, process)
                found[f"atheris {name}"] = tried
                found[f"atheris {name}, branches of sintra seen"] = branches
        finally:
            for process in running.values():
                process.kill()
                process.wait()
    return found


# -- hypothesis ------------------------------------------------------------------------------


def with_hypothesis(name: str, examples: int) -> int:
    """How many examples of hypothesis a target was tried on; its own error where it found a fault."""
    from hypothesis import HealthCheck, Phase, given, settings

    count = 0

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
    )
    @given(inputs(name))
    def tried(data: bytes) -> None:
        nonlocal count
        count += 1
        TARGETS[name](data)

    tried()
    return count


def inputs(name: str) -> Any:
    """What hypothesis makes up for a target: any bytes, and what looks like the real thing."""
    from hypothesis import strategies as st

    pool = list(seeds(name))
    known = st.integers(0, len(pool) - 1).map(
        lambda at: pool[at]
    )  # not sampled_from, which would print them all
    anything = st.binary(max_size=200)
    mixed = st.builds(
        lambda data, at, more: data[:at] + more + data[at:], known, st.integers(0, 4000), anything
    )
    if name == "steps":
        words = sorted({word for rules in RULES for step in rules.steps for word in str(step).split()})
        said = st.lists(st.one_of(st.sampled_from(words), st.text(max_size=5)), max_size=12).map(" ".join)
        typed = st.builds(
            lambda at, text: bytes([at]) + text.encode("utf-8", "replace"), st.integers(0, 255), said
        )
        return st.one_of(typed, anything, mixed)
    if name == "components":
        return st.one_of(known, mixed, st.builds(_file, st.integers(0, 255), _tables(st)), anything)
    shaken = st.builds(
        lambda data, seed, other: mutated(
            mutated(data, random.Random(seed), other), random.Random(~seed), other
        ),
        known,
        st.integers(0, 2**32),
        known,
    )
    return st.one_of(shaken, mixed, anything)


def _tables(st: Any) -> Any:
    """Component files that have the right keys, at least."""
    numbers = st.integers(-20, 20)
    colors = st.sampled_from(
        ["blue", "clear", "orange", "pink", "yellow", "red", "black", "teal", "joker", None]
    )
    keys = st.sampled_from(
        ["strips", "windows", "broken", "wall", "floor", "multiplier", "bonus", "A", "row", "up"]
    )
    leaf = st.one_of(numbers, colors, st.floats(), st.booleans())
    value = st.recursive(
        leaf,
        lambda part: st.one_of(st.lists(part, max_size=8), st.dictionaries(keys, part, max_size=3)),
        max_leaves=20,
    )
    return st.dictionaries(keys, value, max_size=4)


def _file(choice: int, table: object) -> bytes:
    return bytes([choice & 0xFE]) + json.dumps(table).encode()


# -- The campaign ----------------------------------------------------------------------------


def run(scale: float, scratch: Path) -> dict[str, int | str]:
    """Both engines on every target; at a smaller scale, fewer examples and seconds."""
    figures: dict[str, int | str] = {}
    for name in TARGETS:
        try:
            figures[f"hypothesis {name}"] = with_hypothesis(name, max(20, int(EXAMPLES * scale)))
        except Exception as error:  # whatever it found, with the input that shows it
            shown = "\n".join(getattr(error, "__notes__", []))[:5000]
            (scratch / f"hypothesis-{name}.txt").write_text(f"{error!r}\n{shown}\n")
            raise AssertionError(f"{name}: {error!r}\n{shown}\n(kept in {scratch})") from error
    seconds = int(SECONDS * scale)
    if seconds:
        figures["atheris seconds each"] = seconds
        figures |= with_atheris(list(TARGETS), scratch, seconds)
    return figures


def main() -> None:
    """Fuzz the targets that are named with atheris, or all."""
    scratch = Path(tempfile.mkdtemp(prefix="sintra-fuzz-"))
    for name, figure in with_atheris(sys.argv[1:] or list(TARGETS), scratch, SECONDS).items():
        print(f"{name}: {figure}")
    print(f"the corpus is in {scratch}")


if __name__ == "__main__":
    main()
