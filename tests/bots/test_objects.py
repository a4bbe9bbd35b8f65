"""Bots as objects: instances, partials, closures, and classes of which every game gets a new one."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from sintra.batch.simulation import simulate
from sintra.batch.workers import Here
from sintra.bots.faults import Fault
from sintra.bots.names import find, maker, name_of
from sintra.bots.simple import greedy
from sintra.errors import UsageError
from sintra.rules.chance import Stream
from sintra.rules.state import State


class Nth:
    """A bot that takes one step after the other in the list; counts its choices."""

    made = 0

    def __init__(self, start: int = 0) -> None:
        type(self).made += 1
        self.count = start

    def __call__(self, state: State, _: Stream) -> int:
        legal = state.legal()
        self.count += 1
        return legal[self.count % len(legal)]


class Broken:
    """A bot that can't be made."""

    def __init__(self) -> None:
        raise LookupError("no weights")


class Mute:
    """A class whose instances can't be called."""


def nth(state: State, stream: Stream, start: int = 0) -> int:
    """Choose by the round."""
    legal = state.legal()
    return legal[(state.round + start) % len(legal)]


OWN = f"{__name__}:"


def test_an_instance_plays_as_it_is() -> None:
    bot = Nth()
    summary = simulate("azul", 2, bots=[bot, "random"], seed=1)
    assert summary.bots == ("object:Nth", "random")
    assert bot.count > 40


def test_an_instance_is_sent_to_other_processes() -> None:
    alone = simulate("azul", 4, bots=[partial(nth, start=2), "random"], seed=1, rotate=True)
    assert simulate("azul", 4, bots=[partial(nth, start=2), "random"], seed=1, rotate=True, jobs=2) == alone
    simulate("azul", 4, bots=[Nth(3), "random"], seed=1, jobs=2)


def test_a_class_is_made_anew_for_every_game() -> None:
    Nth.made = 0
    summary = simulate("azul", 5, bots=[Nth, "random"], seed=1)
    assert Nth.made == 5
    assert summary.bots == (f"{OWN}Nth", "random")
    assert simulate("azul", 5, bots=[Nth, "random"], seed=1, jobs=2) == summary
    assert simulate("azul", 5, bots=[f"{OWN}Nth:start=0", "random"], seed=1).score == summary.score
    assert simulate("azul", 5, bots=[f"{OWN}Nth:start=1", "random"], seed=1).score != summary.score


def test_a_closure_plays_in_one_process() -> None:
    calls = []

    def bot(state: State, stream: Stream) -> int:
        calls.append(state.round)
        return greedy(state, stream)

    summary = simulate("azul", 2, bots=[bot, lambda state, stream: state.legal()[0]], seed=1)
    assert summary.bots == ("object:bot", "object:bot1")
    assert calls
    with pytest.raises(UsageError, match=r"object:bot can't be sent to other processes .*; use one job"):
        simulate("azul", 2, bots=[bot, "random"], seed=1, jobs=2)
    assert simulate("azul", 1, bots=[bot, "random"], seed=1, executor=Here()).games == 1


def test_one_object_in_two_seats_is_one_bot() -> None:
    bot = Nth()
    assert simulate("azul", 1, bots=[bot, bot], seed=1).bots == ("object:Nth", "object:Nth")
    assert simulate("azul", 1, bots=[Nth(), Nth()], seed=1).bots == ("object:Nth", "object:Nth1")


def test_a_partial_has_the_name_of_what_it_is() -> None:
    assert name_of(partial(greedy, depth=1)) == "greedy:depth=1"
    assert name_of(partial(nth, start=4)) == f"{OWN}nth:start=4"
    objects: dict[str, object] = {}
    wrong: dict[str, Any] = {"start": "4"}
    assert name_of(partial(nth, **wrong), objects) == "object:nth"
    assert list(objects) == ["object:nth"]


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        ("Broken", "Broken failed: LookupError: no weights"),
        ("Mute", "can't be called: its class needs __call__"),
        ("Nth:stop=3", "unknown parameter 'stop'; it takes start"),
        ("Nth:start=x", "start must be a whole number, not 'x'"),
    ],
)
def test_a_class_that_makes_no_bot(bot: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        simulate("azul", 1, bots=[OWN + bot, "random"], seed=1)


def test_an_object_that_fails_is_named() -> None:
    with pytest.raises(Fault, match="object:bot returned -1, not a legal step"):
        simulate("azul", 1, bots=[lambda state, stream: -1, "random"], seed=1)
    assert find("greedy") is greedy
    assert maker("greedy")() is greedy
