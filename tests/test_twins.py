"""Both builds alike: games, folds, streams and rule-sets are copied, pickled and shared, and refuse alike."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

import sintra
from sintra.game import Game
from sintra.rules.chance import Chance, Stream, SystemStream
from tests.kit.program import environment


def pickled(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


class Tagged(Game):
    """A game with more than a game has, and made in another way."""

    def __init__(self, tag: str) -> None:
        game = sintra.new("azul", seed=1)
        super().__init__(game.fold, list(game.events))
        self.tag = tag

    def shout(self) -> str:
        return self.tag.upper()


def begun(rules: str) -> Game:
    """A game in which something was played and taken back."""
    game = sintra.new(rules, seed=1)
    for _ in range(9):
        game.play(game.legal()[0])
    game.undo(3)
    return game


TWINS: list[Callable[[Any], Any]] = [pickled, copy.copy, copy.deepcopy]


@pytest.mark.parametrize("twin_of", TWINS)
@pytest.mark.parametrize("rules", ["sintra", "azul", "crystal"])
def test_folds_and_games_have_twins(rules: str, twin_of: Callable[[Any], Any]) -> None:
    game = begun(rules)
    twin = twin_of(game)
    assert (type(twin), twin.dumps(), twin.state) == (Game, game.dumps(), game.state)
    assert twin.rules is game.rules
    twin.undo(2)
    twin.play(twin.legal()[0])
    assert (game.dumps(), game.state) == (begun(rules).dumps(), begun(rules).state)
    fold = (
        pickled(game.fold) if twin_of is copy.copy else twin_of(game.fold)
    )  # a shallow one shares its state
    assert fold.state.legal() == game.fold.state.legal()
    assert fold.history == game.fold.history


@pytest.mark.parametrize("twin_of", [*TWINS, Game.copy, Game.fork])
def test_a_twin_of_a_subclass_is_of_that_subclass(twin_of: Callable[[Any], Any]) -> None:
    game = Tagged("mine")
    game.play(game.legal()[0])
    twin = twin_of(game)
    assert (type(twin), twin.shout()) == (Tagged, "MINE")
    assert twin.dumps() == game.dumps()
    twin.play(twin.legal()[0])
    assert len(twin.events) > len(game.events)


def test_a_watched_game_has_unwatched_twins() -> None:
    seen: list[object] = []
    game = begun("azul")
    game.watch(lambda _, moment: seen.append(moment))
    for twin in (pickled(game), copy.copy(game), copy.deepcopy(game)):
        twin.play(twin.legal()[0])
    assert seen == []


@pytest.mark.parametrize("twin_of", TWINS)
def test_streams_have_twins(twin_of: Callable[[Any], Any]) -> None:
    stream = Chance(7).stream("displays 1")
    stream.below(5)
    twin = twin_of(stream)
    assert type(twin) is Stream
    assert [twin.below(100) for _ in range(9)] == [stream.below(100) for _ in range(9)]
    assert type(twin_of(Chance(None).stream("x"))) is SystemStream
    assert twin_of(Chance(7)).stream("a").below(1000) == Chance(7).stream("a").below(1000)


WRONG: tuple[Any, ...] = (None, 1.5, "x", [], b"x", object)


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_kinds_are_refused_in_the_same_words(wrong: Any) -> None:
    game = begun("azul")
    got = "None" if wrong is None else type(wrong).__name__
    for expected, call in (
        ("int", game.undo),
        ("str", game.note),
        ("int or None", game.settle),
        ("int or None", game.fork),
        ("int or None", lambda seed: game.fork(seed=seed)),
    ):
        if (got, expected) in (("str", "str"), ("None", "int or None")):
            continue
        with pytest.raises(TypeError, match=f"^{expected} object expected; got {got}$"):
            call(wrong)
    assert game.dumps() == begun("azul").dumps()


def test_threads_may_share_a_game() -> None:
    """Every call is whole: nothing is lost, doubled or played on a table that another thread is changing."""
    begun = sintra.new("azul", seed=1)
    failures: list[str] = []

    class Shared(Game):
        def play_first(self) -> None:
            with self._lock:
                self.play(self.legal()[0])

    game = Shared(begun.fold, list(begun.events))

    def work(number: int) -> None:
        try:
            for turn in range(60):
                if turn % 7 == 6:
                    game.undo()
                elif not game.over:
                    game.play_first()
                game.note(f"{number}.{turn}")
                assert sintra.loads(game.copy().dumps()).state
        except Exception as error:  # a thread's own are lost
            failures.append(repr(error))

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert failures == []
    again = sintra.loads(game.dumps())
    assert (again.dumps(), again.state) == (game.dumps(), game.state)
    notes = [event.text for event in game.events if hasattr(event, "text")]
    assert sorted(notes) == sorted(f"{number}.{turn}" for number in range(4) for turn in range(60))


@pytest.mark.process
@pytest.mark.parametrize("words", [["-W", "error"], ["-X", "dev", "-W", "error"]])
def test_nothing_is_warned_about(words: list[str]) -> None:
    code = """
import copy, pickle, sys, warnings
import sintra
from sintra.cli import main
game = sintra.new(seed=1)
pickle.loads(pickle.dumps(copy.deepcopy(game))).play(game.legal()[0])
list(sintra.verify(sys.argv[0] or ".", jobs=1))
sintra.simulate("azul", 4, seed=1, jobs=2)
sys.argv = ["sintra", "help"]
main()
"""
    done = subprocess.run(
        [sys.executable, *words, "-c", code],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
