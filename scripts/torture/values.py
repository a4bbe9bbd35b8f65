"""Wrong values: `Game.take` and `Game.record` with everything that could stand in a field of every event.

Structs take any value, so a program can make events that no log may have. Each is either refused with an
error of sintra's own, and the game is as it was, or what is then saved is read again as the same game.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec.structs import replace

import sintra
from sintra import catalog
from sintra.api import loads_as
from sintra.errors import SintraError
from sintra.game import Game
from sintra.log.events import Created, Dealt, Event, Noted
from sintra.rules.ruleset import RuleSet
from sintra.testing import all_options


class Strange:
    """An object that no encoder knows."""


def _deep() -> list[Any]:
    """A list in a list in a list, deeper than any stack."""
    made: list[Any] = []
    for _ in range(100_000):
        made = [made]
    return made


WRONG: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        -0.0,
        1,
        2,
        -1,
        9,
        10,
        2**31,
        2**53,
        2**63 - 1,
        2**63,
        2**64,
        -(2**63) - 1,
        10**30,
    ),
    *(
        0.0,
        1.0,
        1.5,
        1e308,
        float("inf"),
        float("nan"),
        1j,
        "",
        "1",
        "blue",
        "BLUE",
        "red",
        "joker",
        " ",
        "x" * 41,
    ),
    *(
        "x" * 20_000,
        "\ud800",
        "\0",
        "\x1b[2J",
        "é" * 10_000,
        "\U0001f600" * 40_000,
        b"blue",
        b"\xff",
        bytearray(b"1"),
    ),
    *((), [], {}, set(), (1,), ("blue",), [["blue"] * 4] * 5, {"up": 1}, {1: 2}, (None,), (True,), (1.0,)),
    *(("\ud800",), ("blue",) * 70_000, _deep(), Strange(), Strange, int, print, range(3), Noted("x"), ...),
)
"""What no field expects, or not all of them."""


REFUSED = "refused, with the game as it was"
TAKEN = "taken, and read again the same"


def run(scale: float, scratch: Path) -> dict[str, int | str]:  # noqa: ARG001 - nothing is written
    """Try every wrong value in every field of every event, on every board; at a small scale, on one each."""
    figures = {"events tried": 0, REFUSED: 0, TAKEN: 0}
    for name in catalog.BUILT_IN:
        rules = catalog.find(name)
        for created in first_lines(rules):
            figures["events tried"] += 1
            figures[_started(rules, created)] += 1
        for options in islice(all_options(rules), None if scale >= 1 else 1):
            for chance in ("seeded", "table"):
                for game, event in moments(rules, options, chance):
                    for bad in twisted(event):
                        figures["events tried"] += 1
                        figures[_outcome(game, bad)] += 1
    return {"wrong values for a field": len(WRONG), **figures}


def moments(rules: RuleSet, options: dict[str, Any], chance: str) -> Iterator[tuple[Game, Event]]:
    """Games that wait for an event, and the event: one of each type, from a game of this board."""
    model = Game.new(rules, 2, seed=7, options=options)
    while not model.over and model.round < 4:
        model.play(model.legal()[-1])
    model.note("a remark")
    model.undo()
    seen = set()
    game = Game.new(rules, 2, chance="table", options=options) if chance == "table" else _begun(model)
    for event in model.events[len(game.events) :]:
        if type(event) not in seen:
            seen.add(type(event))
            yield game.copy(), event
        game.take(event)


def _begun(model: Game) -> Game:
    """The same game before its arrangement."""
    line = model.dumps().partition("\n")[0]
    return loads_as(model.rules, f"{line}\n")


def twisted(event: Event) -> Iterator[Event]:
    """The event with every wrong value in every field, and with the first value of a list replaced."""
    for field in event.__struct_fields__:
        value = getattr(event, field)
        for wrong in WRONG:
            yield replace(event, **{field: wrong})
            if isinstance(value, tuple) and value:
                yield replace(event, **{field: (wrong, *value[1:])})


def _outcome(game: Game, event: Event) -> str:
    """Try an event; return which figure it counts for."""
    before = game.dumps()
    trial = game.copy()
    typed = game.created.chance == "table" and isinstance(event, (Dealt, game.rules.arranged))
    try:
        if typed:
            trial.record(event)
        else:
            trial.take(event)
    except SintraError:
        assert trial.dumps() == before, f"{_short(event)}: refused, and left something behind"
        return REFUSED
    return _read_again(trial, event)


def _started(rules: RuleSet, created: Created) -> str:
    """Begin a game with this event; return which figure it counts for."""
    try:
        return _read_again(Game.start(rules, created), created)
    except SintraError:
        return REFUSED


def _read_again(trial: Game, event: Event) -> str:
    """Read what a game writes; it is the same game."""
    again = loads_as(trial.rules, trial.dumps())
    assert again.events == trial.events, f"{_short(event)}: read as something else"
    assert again.dumps() == trial.dumps(), f"{_short(event)}: written otherwise"
    assert repr(again.events) == repr(trial.events), f"{_short(event)}: read as something else"
    return TAKEN


def first_lines(rules: RuleSet) -> Iterator[Created]:
    """First events with every wrong value in every field."""
    created = sintra.new(rules.name, seed=1).created
    for field in created.__struct_fields__:
        for wrong in WRONG:
            try:
                yield replace(created, **{field: wrong})
            except (TypeError, ValueError):  # options that are no dictionary can't even be made
                continue


def _short(event: Event) -> str:
    return repr(event)[:120]
