"""Every single-event mutation of recorded games is refused, proved legal, or does not change the game.

A mutant is a log with one line dropped, doubled, swapped with the next, or with one value of one line
changed. The engine reads it as it reads any log. What it accepts is judged again: by the plain
implementations in `tests/`, which follow the lines with code of their own and are compared with the engine
at every step. What it refuses is refused at the line of the change or later, and the judge refuses it as
well, not before that line.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, pairwise
from pathlib import Path
from typing import Any, NamedTuple

from scripts.fixtures import FIXTURES
from sintra.api import loads
from sintra.errors import DamagedLog, SintraError, Unknown
from sintra.fold import Fold
from sintra.log.lines import split
from sintra.reader import Reader
from sintra.rules.state import CHOICE
from tests.kit.plain_azul import PlainAzul
from tests.kit.plain_sintra import PlainSintra

Line = dict[str, Any]

SEVERAL = 7
"""One rejected mutant out of this many also goes to the judge, who is slow."""

TYPES = ("created", "arranged", "dealt", "round_ended", "ended", "undone", "noted")
CHOICES = ("picked", "placed", "kept", "returned", "tiled")
COLORS = {
    "sintra": ("blue", "clear", "orange", "pink", "yellow"),
    "azul": ("blue", "yellow", "red", "black", "teal"),
    "crystal": ("blue", "yellow", "red", "black", "teal"),
}
NUMBERS = {
    "player": range(6),
    "source": range(11),
    "strip": range(10),
    "line": range(7),
    "row": range(7),
    "column": range(7),
    "jokers": range(4),
    "events": range(1, 8),
    "multiplier": range(4),
    "format": (0, 2),
    "seed": (0, 1, 2**53 - 1, 2**53),
}


# -- The judge -------------------------------------------------------------------------------


class Refused(Exception):
    """The judge does not allow a line."""


class Judge:
    """A plain implementation that follows the lines of a log without any code of the engine."""

    plain: PlainSintra | PlainAzul

    def __init__(self) -> None:
        self.created: Line | None = None
        self.arranged = False
        self.counting: list[Line] = []

    def take(self, line: Line) -> None:
        """Follow one line; Refused if the game can't go on like this."""
        try:
            self._take(line)
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, AssertionError) as error:
            raise Refused(f"{type(error).__name__}: {error}") from None

    def _take(self, line: Line) -> None:
        kind = line["type"]
        if (kind == "created") != (self.created is None):
            raise Refused("`created` is the first line, and no other")
        if kind == "created":
            self.created = {**line, "options": _lawful_game(line)}
        elif kind == "undone":
            self._undo(line["events"])
        elif kind == "noted":
            assert isinstance(line["text"], str)
        else:
            self._go_on(kind, line)
            self.counting.append(line)

    def _go_on(self, kind: str, line: Line) -> None:
        assert self.created is not None
        if kind == "arranged":
            assert not self.arranged
            lawful_table(self.created, line)
            model = PlainSintra if self.created["rules"] == "sintra" else PlainAzul
            self.plain = model(self.created, line)
            self.arranged = True
        elif kind == "dealt":
            self.plain.deal(line)
        elif kind == "round_ended":
            assert self.plain.round_is_over
            assert self.plain.end_round() == {key: line[key] for key in line if key != "type"}
        elif kind == "ended":
            assert self.plain.waiting_for == "finish"
            assert self.plain.finish() == {key: line[key] for key in line if key != "type"}
        else:
            if self.plain.player != line["player"]:
                raise Refused(f"it is player {self.plain.player}'s turn")
            self.plain.play(_words(line))

    def _undo(self, count: int) -> None:
        """Play the game again without its last events: slow, and plain."""
        assert self.created is not None
        assert count >= 1
        if not self._at_rest():
            raise Refused("something has to follow first")
        keep = len(self.counting) - count
        taken = self.counting[max(keep, 0) :]
        if keep < (0 if self.created["chance"] == "table" else 2):
            raise Refused("more events are taken back than there are")
        if self.created["chance"] == "system" and any(line["type"] == "dealt" for line in taken):
            raise Refused("draws by the system can't be taken back")
        again = Judge()
        for line in [self.created, *self.counting[:keep]]:
            again._take(line)
        if not again._at_rest():
            raise Refused("between a choice and its results")
        self.__dict__.update(again.__dict__)

    def _at_rest(self) -> bool:
        assert self.created is not None
        if not self.arranged or self.plain.waiting_for == "deal":
            return bool(self.created["chance"] == "table")
        return self.plain.waiting_for not in ("end of round", "finish")

    @property
    def legal(self) -> list[str]:
        """The steps that a player may take."""
        return sorted(self.plain.legal()) if self.arranged else []

    @property
    def scores(self) -> list[int]:
        """Everybody's points."""
        assert self.created is not None
        return self.plain.scores() if self.arranged else [0] * len(self.created["players"])


def _words(line: Line) -> str:
    """The words of a choice."""
    source = line.get("source")
    match line["type"]:
        case "picked":
            return f"pick {'center' if source == 0 else source} {line['color']}"
        case "placed" if "line" in line:
            return f"place {line['line'] or 'floor'}"
        case "placed":
            jokers = f" jokers {line['jokers']}" if "jokers" in line else ""
            return f"place {line['strip']}{jokers}"
        case "kept":
            return f"keep {line['color']}"
        case "returned":
            return "return"
        case "tiled":
            return f"tile {line['row']} {line['column']}"
        case other:
            raise Refused(f"unknown event {other}")


def _lawful_game(created: Line) -> Line:
    """What the log's page says of the first line. Return all options: a missing one has its default."""
    every: dict[str, dict[str, tuple[object, ...]]] = {
        "sintra": {"side": ("A", "B"), "floor_at_zero": (False, True)},
        "azul": {"side": ("colored", "gray")},
        "crystal": {"side": ("1", "2")},
    }
    options = every[created["rules"]]
    assert created["format"] == 1
    assert created["options"].keys() <= options.keys()
    given = {name: created["options"].get(name, values[0]) for name, values in options.items()}
    assert all(given[name] in values for name, values in options.items())
    names = created["players"]
    assert 2 <= len(names) <= 4
    assert len(set(names)) == len(names)
    assert all(isinstance(name, str) and 1 <= len(name) <= 80 for name in names)
    seed = created["seed"]
    assert (created["chance"] == "seeded") == (seed is not None)
    assert seed is None or 0 <= seed < 2**53
    assert created["chance"] in ("seeded", "system", "table")
    assert isinstance(created["engine"], str)
    return given


def lawful_table(created: Line, arranged: Line) -> None:
    """What the log's page says of an arrangement, asserted in its own words."""
    if created["rules"] == "sintra":
        _lawful_palaces(created, arranged)
    else:
        _lawful_walls(arranged)


def _lawful_palaces(created: Line, arranged: Line) -> None:
    colors = COLORS["sintra"]
    assert sorted(arranged["indicator"][1:]) == sorted(colors)
    assert arranged["indicator"][0] in colors
    assert len(arranged["strips"]) == len(created["players"])
    sets = [sorted(sorted([sorted(s["up"]), sorted(s["down"])]) for s in row) for row in arranged["strips"]]
    assert all(found == sets[0] for found in sets)  # where on a side a space is does not matter to the game
    for row in arranged["strips"]:
        assert len(row) == 8
        sides = [strip[side] for strip in row for side in ("up", "down")]
        assert all(len(side) == 5 and set(side) <= {*colors, "joker"} for side in sides)
        assert sorted(side.count("joker") for side in sides) == [0] * 15 + [2]
        assert not any("joker" in strip["up"] for strip in row)
    assert len(arranged["windows"]) == 8
    assert all(points >= 0 for points in arranged["windows"])
    track = arranged["broken"]
    assert track[0] == 0
    assert track[-1] == -18
    assert all(one > two for one, two in pairwise(track))


def _lawful_walls(arranged: Line) -> None:
    colors = COLORS["azul"]
    assert sorted(arranged["colors"]) == sorted(colors)
    rows = arranged["wall"]
    assert [len(row) for row in rows] == [5] * 5
    for spaces in [*rows, *zip(*rows, strict=True)]:
        printed = [space for space in spaces if space is not None]
        assert set(printed) <= set(colors)
        assert len(set(printed)) == len(printed)
    assert arranged["multiplier"] in (1, 2)
    assert len(arranged["floor"]) == 7
    assert all(points <= 0 for points in arranged["floor"])
    assert arranged["bonus"].keys() == {"row", "column", "color"}
    assert all(points >= 0 for points in arranged["bonus"].values())


def judged(lines: Sequence[bytes]) -> Judge:
    """The judge after these lines; Refused says at which line not."""
    judge = Judge()
    for number, raw in enumerate(lines, 1):
        try:
            judge.take(json.loads(raw))
        except Refused as error:
            raise Refused(f"line {number}: {error}") from None
    return judge


def agree(lines: Sequence[bytes]) -> None:
    """Read lines with the engine and the judge, and compare them after every one; AssertionError if not."""
    judge = Judge()
    reader = Reader(split(b"".join(lines)))
    for number, (_, raw) in enumerate(zip(reader, lines, strict=True), 1):
        try:
            judge.take(json.loads(raw))
        except Refused as error:
            raise AssertionError(f"the engine accepts line {number}, the judge does not: {error}") from None
        compare(reader.fold, judge, number)


def compare(fold: Fold, judge: Judge, number: int) -> None:
    """The engine and the judge see the same game after a line."""
    state = fold.state
    steps = sorted(str(fold.words.steps[code]) for code in state.legal())
    assert steps == judge.legal, f"line {number}: legal steps differ: {steps} / {judge.legal}"
    if (
        fold.at_rest
    ):  # before that, one of them may have counted already what the other counts with the result
        assert state.scores() == judge.scores, f"line {number}: scores differ"
    if state.phase >= CHOICE:
        assert state.player + 1 == judge.plain.player, f"line {number}: players differ"


# -- Mutants ---------------------------------------------------------------------------------


class Mutant(NamedTuple):
    """A changed log: what was done, at which line (from 1), and its lines."""

    what: str
    line: int
    lines: list[bytes]


def mutants(lines: Sequence[bytes], share: float = 1) -> Iterator[Mutant]:
    """Every mutation of one line of a log, or a share of them, always the same."""
    rules = json.loads(lines[0])["rules"]
    dice = random.Random(len(lines))
    for at, raw in enumerate(lines):
        before, after = [*lines[:at]], [*lines[at + 1 :]]
        ways: Iterator[tuple[str, Any]] = chain(
            [("drop", None), ("double", None), ("swap", None)], changed(json.loads(raw), rules)
        )
        for what, value in ways:
            if share < 1 and dice.random() >= share:
                continue
            if what == "drop":
                yield Mutant(what, at + 1, before + after)
            elif what == "double":
                yield Mutant(what, at + 1, [*before, raw, raw, *after])
            elif what != "swap":
                yield Mutant(what, at + 1, [*before, _line(value), *after])
            elif after:
                yield Mutant(what, at + 1, [*before, after[0], raw, *after[1:]])


def _line(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def changed(value: Any, rules: str, key: str = "") -> Iterator[tuple[str, Any]]:
    """A JSON value with one thing in it changed, for everything that may be in its place."""
    if isinstance(value, dict):
        yield from _changed_object(value, rules)
    elif isinstance(value, list):
        yield from _changed_list(value, rules, key)
    else:
        for other in _others(value, rules, key):
            if other != value or type(other) is not type(value):
                yield key, other


def _changed_object(value: Line, rules: str) -> Iterator[tuple[str, Any]]:
    for key, part in value.items():
        yield f"without {key}", {k: v for k, v in value.items() if k != key}
        for what, other in changed(part, rules, key):
            yield what, {**value, key: other}
    yield "unknown field", {**value, "more": 1}
    if value.get("type") == "placed" and "strip" in value and "jokers" not in value:
        for jokers in range(4):
            yield "jokers", {**value, "jokers": jokers}


def _changed_list(value: list[Any], rules: str, key: str) -> Iterator[tuple[str, Any]]:
    if key == "winners":
        every = range(1, 6)
        for size in range(4):
            for some in combinations(every, size):
                if list(some) != value:
                    yield key, list(some)
        return
    for at, part in enumerate(value):
        yield f"{key} shorter", value[:at] + value[at + 1 :]
        yield f"{key} longer", [*value[:at], part, *value[at:]]
        if at + 1 < len(value) and value[at + 1] != part:
            yield f"{key} swapped", [*value[:at], value[at + 1], part, *value[at + 2 :]]
        for what, other in changed(part, rules, key):
            yield what, [*value[:at], other, *value[at + 1 :]]


def _others(value: Any, rules: str, key: str) -> Iterator[Any]:
    """Yield what may replace a value."""
    yield None
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from NUMBERS.get(key, (value - 1, value + 1, 0, -value))
        yield str(value)
    elif key == "type":
        yield from (*TYPES, *CHOICES, "other")
    elif key == "rules":
        yield from (*COLORS, "chess")
    elif key == "chance":
        yield from ("seeded", "system", "table", "other")
    elif key == "side":
        yield from ("A", "B", "colored", "gray", "1", "2", "")
    elif key in ("players", "engine", "text"):
        yield from (f"{value} II", "", "Ada")
    else:
        yield from (*COLORS[rules], "joker", "green")


# -- The verdict on a mutant -----------------------------------------------------------------


def outcome(original: Fold, mutant: Mutant, *, ask: bool = True) -> str:
    """Return the outcome of a mutant; raise AssertionError if it is unexplained.

    `ask` also has the judge confirm a refusal.
    """
    reader = Reader(split(b"".join(mutant.lines)))
    try:
        for _ in reader:
            pass
    except Unknown:
        hold(mutant.line == 1, mutant, "only the first line tells format and rules")
        return "refused"
    except DamagedLog as error:
        if not mutant.lines:  # an empty log has no line to name
            return "refused"
        line = error.line or 0
        hold(mutant.line <= line <= len(mutant.lines), mutant, f"refused at line {error.line}: {error}")
        if ask:
            hold(whole(b"".join(mutant.lines)) == (line, str(error)), mutant, "loading it says otherwise")
            confirm(mutant, error)
        return "refused"
    hold(whole(b"".join(mutant.lines)) is None, mutant, "loading it says otherwise")
    try:
        agree(mutant.lines)
    except AssertionError as error:
        hold(False, mutant, str(error))
    return "no change of the game" if _same_game(original, reader.fold) else "proved legal"


def whole(data: bytes) -> tuple[int | None, str] | None:
    """What loading a whole log says, which goes by many events at a time: nothing, or line and error."""
    try:
        loads(data)
    except SintraError as error:
        return getattr(error, "line", None), str(error)
    return None


def confirm(mutant: Mutant, error: DamagedLog) -> None:
    """The judge refuses the same line, and no line before it; he does not look at the form of a line."""
    assert error.line is not None
    judge = Judge()
    for raw in mutant.lines[: error.line - 1]:
        judge.take(json.loads(raw))  # Refused: the engine has let something pass
    try:
        judge.take(json.loads(mutant.lines[error.line - 1]))
    except Refused:
        return
    hold(_form(error), mutant, f"the judge sees nothing wrong with line {error.line}: {error}")


def _form(error: DamagedLog) -> bool:
    """Whether a line is refused for its form, which the judge does not look at."""
    return "unknown field" in error.message or "expected" in error.message or "invalid value" in error.message


def hold(condition: bool, mutant: Mutant, otherwise: str) -> None:
    """What must be so of a mutant; else the mutant goes with the complaint."""
    if not condition:
        text = mutant.lines[min(mutant.line, len(mutant.lines)) - 1].decode()[:300]
        raise AssertionError(f"{mutant.what} at line {mutant.line}: {otherwise}\n{text}")


def _same_game(one: Fold, two: Fold) -> bool:
    """Whether the events that count are the same, on the same boards."""
    return (
        one.rules is two.rules
        and one.created.options == two.created.options
        and len(one.created.players) == len(two.created.players)
        and one.history == two.history
    )


def games(folders: Sequence[str] = ("games", "format-1")) -> list[Path]:
    """The recorded games."""
    return sorted(path for folder in folders for path in (FIXTURES / folder).glob("*.log"))


def tried(path: Path, share: float = 1) -> Counter[str]:
    """The outcomes of a game's mutants, or of a share of them."""
    lines = path.read_bytes().splitlines(keepends=True)
    reader = Reader(split(path.read_bytes()))
    for _ in reader:
        pass
    agree(lines)
    found: Counter[str] = Counter()
    for number, mutant in enumerate(mutants(lines, share)):
        try:
            found[outcome(reader.fold, mutant, ask=number % SEVERAL == 0)] += 1
        except (AssertionError, Refused) as error:
            raise AssertionError(f"{path.name}, mutant {number}: {error}") from error
    return found


def run(scale: float, scratch: Path) -> dict[str, int | str]:
    """All mutants of the golden games, and a tenth of the frozen logs'; at a smaller scale, less of both."""
    figures: dict[str, int | str] = {}
    for folder, title, share in (("games", "golden games", scale), ("format-1", "frozen logs", scale / 10)):
        found = _all_tried(games([folder]), share, scratch)
        figures[title] = len(games([folder]))
        part = "all mutants" if share == 1 else f"one mutant in {1 / share:g}"
        figures[f"{title}: {part}"] = found.total()
        for what in ("refused", "proved legal", "no change of the game"):
            figures[f"{title}: {what}"] = found[what]
    return figures


def _all_tried(paths: Sequence[Path], share: float, scratch: Path) -> Counter[str]:
    """The outcomes for some games; what nothing explains is kept, and ends it."""
    total: Counter[str] = Counter()
    for path in paths:
        try:
            total += tried(path, share)
        except AssertionError as error:
            (scratch / "mutant.txt").write_text(str(error))
            raise AssertionError(f"{error}\n(kept in {scratch / 'mutant.txt'})") from error
    return total
