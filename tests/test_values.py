"""The library writes only what it would read, in either build."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import sintra
from scripts.torture import values
from sintra.errors import DamagedLog, IllegalStep, UsageError
from sintra.game import Game
from sintra.log.events import Dealt, Event, Noted, Picked, Undone

wrong: Any = values.WRONG[1]
assert wrong is True
DISPLAYS = sintra.new(seed=42).events[2].displays  # type: ignore[attr-defined]

IMPOSSIBLE = (
    (Undone(0), "events"),
    (Undone(wrong), "events"),
    (Noted(5), "text"),  # type: ignore[arg-type]
    (Noted("x" * 20_000), "text"),
    (Noted("\ud800"), None),
    (Picked(wrong, 3, "orange"), "player"),
    (Picked(1.0, 3, "orange"), "player"),  # type: ignore[arg-type]
    (Dealt(wrong, DISPLAYS), "round"),
)
"""Events that no log may have, and their fields at fault."""


@pytest.mark.parametrize(("event", "field"), IMPOSSIBLE)
def test_no_event_is_taken_that_no_log_may_have(event: Event, field: str | None) -> None:
    game = sintra.new(seed=42)
    game.play("pick 3 orange")
    game.undo()
    before = game.dumps()
    with pytest.raises(DamagedLog) as caught:
        game.take(event)
    assert caught.value.field == field
    assert game.dumps() == before
    assert str(caught.value).isprintable()


def test_a_typed_deal_is_read_like_a_line() -> None:
    model, game = sintra.new(seed=42), sintra.new(chance="table")
    game.record(model.events[1])
    with pytest.raises(IllegalStep, match="field round: expected a whole number, got true or false"):
        game.record(Dealt(wrong, DISPLAYS))
    listed: Any = [list(display) for display in DISPLAYS]
    taken = game.record(Dealt(1, listed))
    assert taken == [Dealt(1, DISPLAYS)]
    assert sintra.loads(game.dumps()).events == game.events


def test_a_first_event_is_read_like_a_line() -> None:
    rules = sintra.new(seed=1).rules
    with pytest.raises(UsageError, match="engine: expected"):
        Game.new(rules, 2, seed=1, engine="x" * 200)


@pytest.mark.parametrize("thing", [None, 5, "pick 1 blue", {"type": "undone", "events": 1}])
def test_what_is_no_event_is_a_type_error(thing: Any) -> None:
    game = sintra.new(seed=42)
    with pytest.raises(TypeError):
        game.take(thing)
    assert game.dumps() == sintra.new(seed=42).dumps()


def test_wrong_values_in_every_field_of_every_event(tmp_path: Path) -> None:
    figures = values.run(0.1, tmp_path)
    assert figures["wrong values for a field"] > 50  # type: ignore[operator]
    assert figures["events tried"] > 8000  # type: ignore[operator]
    assert figures[values.TAKEN] > 50  # type: ignore[operator]
