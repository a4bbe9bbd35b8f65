"""Mutated games, some of them: refused, proved legal, or no change of the game. `make torture` tries all."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import sintra.fold
import sintra.game
from scripts.torture import mutants
from scripts.torture.mutants import Judge, Mutant, Refused
from sintra.fold import Fold
from sintra.log.events import Choice
from sintra.log.lines import split
from sintra.reader import Reader

SHARE = 0.002
"""Of the mutants that there are."""
GAME = mutants.games(["games"])[0].read_bytes().splitlines(keepends=True)

interpreted = pytest.mark.skipif(
    not str(sintra.game.__file__).endswith(".py"), reason="compiled code can't be changed by a test"
)


def original(lines: list[bytes] = GAME) -> Fold:
    reader = Reader(split(b"".join(lines)))
    for _ in reader:
        pass
    return reader.fold


def test_some_mutants_of_every_golden_game() -> None:
    found: Counter[str] = Counter()
    for path in mutants.games(["games"]):
        found += mutants.tried(path, SHARE)
    assert found.total() > 250
    assert found.keys() <= {"refused", "proved legal", "no change of the game"}
    assert found["proved legal"] > 2
    assert found["refused"] > 9 * found["proved legal"]


def test_the_judge_agrees_on_every_first_line() -> None:
    """Also without an option, which then has its default."""
    for path in mutants.games(["games"]):
        lines = path.read_bytes().splitlines(keepends=True)
        before = original(lines)
        first = list(mutants.mutants(lines[:1]))
        for mutant in first:
            mutants.outcome(before, mutant._replace(lines=[*mutant.lines, *lines[1:]]))
        assert any(mutant.what == "without side" for mutant in first)


def changed(kind: str, **fields: Any) -> Mutant:
    """The first line of a kind with other values."""
    at = next(at for at, line in enumerate(GAME) if json.loads(line)["type"] == kind)
    value = json.loads(GAME[at]) | fields
    return Mutant(kind, at + 1, [*GAME[:at], json.dumps(value).encode() + b"\n", *GAME[at + 1 :]])


def test_every_kind_of_mutation_is_tried() -> None:
    done = Counter(mutant.what for mutant in mutants.mutants(GAME))
    assert done["drop"] == done["double"] == len(GAME)
    assert done["swap"] == len(GAME) - 1
    for what in (
        "player",
        "source",
        "color",
        "line",
        "round",
        "scores",
        "winners",
        "displays",
        "type",
        "seed",
        "players",
    ):
        assert done[what] > 0, what
    picks = sum(b'"picked"' in line for line in GAME)
    assert done["source"] >= 10 * picks
    pieces = sum(len(display) for line in GAME for display in json.loads(line).get("displays", []))
    assert done["displays"] >= 4 * pieces


@pytest.mark.parametrize(
    ("kind", "fields", "expected"),
    [
        ("created", {"players": ["Eve", "Ben"]}, "no change of the game"),
        ("created", {"seed": 7}, "no change of the game"),
        ("created", {"format": 2}, "refused"),
        ("picked", {"player": 2}, "refused"),
        ("round_ended", {"round": 2}, "refused"),
        ("ended", {"winners": [1, 2]}, "refused"),
    ],
)
def test_what_becomes_of_a_mutant(kind: str, fields: dict[str, Any], expected: str) -> None:
    assert mutants.outcome(original(), changed(kind, **fields)) == expected


def test_a_beginning_is_proved_legal() -> None:
    assert mutants.outcome(original(), Mutant("drop", len(GAME), GAME[:-1])) == "proved legal"


def lenient(self: Fold, event: Any) -> None:
    """`Fold.take` without the question whether a choice is legal."""
    if isinstance(event, Choice):
        self.state.play(self.words.codes[event.player - 1][event])
        self.history.append(event)
    else:
        TAKE(self, event)


TAKE = Fold.take


@interpreted
@pytest.mark.parametrize(
    ("name", "without", "mutant"),
    [
        ("_compare", lambda *_: None, lambda: changed("round_ended", scores=[999, 0])),
        ("_compare", lambda *_: None, lambda: changed("ended", winners=[1, 2])),
        ("Fold.take", lenient, lambda: changed("picked", source=0)),
        ("Fold.take", lenient, lambda: changed("placed", player=2)),
    ],
    ids=["results", "winners", "legal steps", "turns"],
)
def test_a_mutant_that_the_engine_lets_pass_is_noticed(
    name: str, without: Callable[..., None], mutant: Callable[[], Mutant], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The protections of the fold taken out, one by one: the judge does not agree, or the game breaks."""
    fold = original()
    assert mutants.outcome(fold, mutant()) == "refused"
    monkeypatch.setattr(f"sintra.fold.{name}", without)
    with pytest.raises(
        (AssertionError, Refused, ValueError, IndexError), match=r"judge|not a legal step|turn"
    ):
        mutants.outcome(fold, mutant())


def test_a_judge_that_sees_another_game_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison is one: with a judge that scores otherwise, no game agrees."""
    monkeypatch.setattr(Judge, "scores", property(lambda self: [1, 1]))
    with pytest.raises(AssertionError, match="scores differ"):
        mutants.agree(GAME)
