"""Names of bots: labels, parameters, and what is said of wrong ones."""

from __future__ import annotations

from functools import partial

import pytest

from sintra import catalog
from sintra.batch.plan import planned
from sintra.batch.simulation import simulate
from sintra.batch.tallies import bot_name, bot_of
from sintra.bots.names import find
from sintra.bots.simple import greedy
from sintra.bots.spec import label_of, names_in
from sintra.errors import UsageError
from sintra.game import Game
from sintra.rules.chance import Chance, Stream
from sintra.rules.state import State


def picky(
    state: State, stream: Stream, at: int = 0, share: float = 1.0, last: bool = False, tag: str = ""
) -> int:
    """Choose a step by its place."""
    legal = state.legal()
    return legal[-1] if last else legal[int(at * share) + len(tag)]


def loose(state: State, stream: Stream, at=0, **more) -> int:  # type: ignore[no-untyped-def]
    """Choose by its place, and take anything besides."""
    assert all(type(value) in (bool, int, float, str) for value in more.values())
    return state.legal()[int(at) + sum(type(value) is int for value in more.values())]


def chosen(name: str) -> int:
    """The place of the step that a bot chooses first."""
    state = Game.new(catalog.find("azul"), 2, seed=1).live
    return state.legal().index(find(name)(state, Chance(1).stream("bot 1")))


OWN = f"{__name__}:picky"
LAST = len(Game.new(catalog.find("azul"), 2, seed=1).legal()) - 1


@pytest.mark.parametrize(
    ("parameters", "place"),
    [
        ("", 0),
        (":at=3", 3),
        (":at=4:share=0.5", 2),
        (":share=0:at=4", 0),
        (":last=true", LAST),
        (":last=false:at=1", 1),
        (":tag=123", 3),
    ],
)
def test_a_custom_bot_takes_parameters(parameters: str, place: int) -> None:
    assert chosen(OWN + parameters) == place


def test_parameters_without_types_are_what_they_look_like() -> None:
    assert chosen(f"{__name__}:loose:at=2:a=1:b=1.5:c=true:d=x:e=2") == 4


def test_a_built_in_bot_takes_parameters() -> None:
    found = find("greedy:depth=1")
    assert isinstance(found, partial)
    assert (found.func, found.keywords) == (greedy, {"depth": 1})
    assert find("greedy") is greedy


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("greedy:deep=1", "greedy:deep=1: unknown parameter 'deep'; it takes depth"),
        ("random:depth=1", "random:depth=1: unknown parameter 'depth'; it takes none"),
        ("greedy:depth=x", "greedy:depth=x: depth must be a whole number, not 'x'"),
        ("greedy:depth=1:depth=2", "depth is given twice"),
        ("greedy:depth=1:2", "parameters go as NAME:KEY=VALUE:KEY=VALUE, not '2'"),
        ("greedy:=1", "parameters go as"),
        (f"{OWN}:into=1", "unknown parameter 'into'; it takes at, share, last and tag"),
        (f"{OWN}:state=1", "unknown parameter 'state'"),
        (f"{OWN}:share=nan", "share must be finite"),
        (f"{OWN}:share=much", "share must be a number, not 'much'"),
        (f"{OWN}:last=yes", "last must be true or false, not 'yes'"),
        ("random=greedy", "random is a built-in bot; choose another label"),
        ("depth=3", "unknown bot '3'"),
    ],
)
def test_wrong_parameters_are_refused(name: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        find(name)


def test_a_label_is_what_a_bot_is_called() -> None:
    assert label_of("deep=greedy:depth=3") == "deep"
    assert label_of("greedy:depth=3") == "greedy:depth=3"
    assert bot_name("deep=greedy", 2) == "deep 2"
    summary = simulate("azul", 2, bots="short=greedy:depth=1, greedy", seed=1, rotate=True)
    assert set(summary.by_bot) == {"short", "greedy"}
    assert summary.bots == ("short=greedy:depth=1", "greedy")


def test_two_bots_of_one_label_are_refused() -> None:
    with pytest.raises(UsageError, match="a=greedy and a=random have the same label"):
        planned(bots="a=greedy,a=random")
    assert planned(bots="a=greedy,a=greedy").bots == ("a=greedy", "a=greedy")


def test_a_log_says_which_bot_played() -> None:
    players = [
        bot_name(bot, seat) for seat, bot in enumerate(["greedy:depth=1", "my:bot:x=1", "a=greedy"], 1)
    ]
    assert [bot_of(players, seat) for seat in (1, 2, 3)] == ["greedy:depth=1", "my:bot:x=1", ""]


def test_a_name_may_have_commas() -> None:
    assert names_in(r"greedy, a=my:bot:list=1\,2 ,random") == ["greedy", "a=my:bot:list=1,2", "random"]
