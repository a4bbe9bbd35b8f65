"""The library: asking, playing, undoing, forking, keeping."""

from __future__ import annotations

import copy
import doctest
import pickle
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, assert_type

import msgspec
import pytest

import sintra
from scripts.fixtures import FIXTURES
from sintra import catalog, errors
from sintra.api import loads_as
from sintra.errors import Conflict, DamagedLog, IllegalStep, Unknown, UnknownRules, UsageError
from sintra.game import Game
from sintra.games.sintra.events import SintraArranged
from sintra.log.codec import encode_line
from sintra.log.events import Created, Dealt, Noted, Picked, RoundEnded, Undone
from sintra.reader import Reader
from sintra.rules.effects import Moment
from sintra.rules.ruleset import Option, RuleSet


def game_in_round(number: int, chance: str = "seeded") -> Game:
    """A game whose given round was just dealt."""
    game = sintra.new(seed=3) if chance == "seeded" else sintra.new(chance=chance)
    while game.round < number:
        game.play(game.legal()[0])
    return game


def test_the_docstring_of_the_package_is_true() -> None:
    assert doctest.testmod(sintra, raise_on_error=True).failed == 0


def test_the_interface_that_scripts_rely_on(tmp_path: Path) -> None:
    game = sintra.new("sintra", players=["Ada", "Ben"], seed=42, side="B")
    assert "pick 3 orange" in map(str, game.legal())
    events = game.play("pick 3 orange place 2")
    assert events == list(game.events[-2:])
    assert (game.player, game.round, game.over, game.scores, game.winners) == (2, 1, False, [0, 0], [])
    assert game.players == ("Ada", "Ben")
    assert game.state.side == "B"  # type: ignore[attr-defined]
    twin = game.copy()
    game.undo()
    assert twin.dumps() != game.dumps()
    fork = twin.fork(at=3, seed=7)
    assert fork.events[2] == twin.events[2]
    game.save(tmp_path / "game.log")
    assert sintra.load(tmp_path / "game.log").dumps() == game.dumps()
    assert sintra.load(str(tmp_path / "game.log")).state == game.state
    with pytest.raises(Conflict):
        game.save(tmp_path / "game.log")


def test_without_a_seed_one_is_drawn_and_recorded() -> None:
    first, second = sintra.new(), sintra.new()
    assert first.created.seed is not None
    assert first.created.seed != second.created.seed
    assert sintra.new(seed=first.created.seed).dumps() == first.dumps()


def test_everything_public_is_listed() -> None:
    assert set(sintra.__all__) <= set(dir(sintra))
    assert all(hasattr(sintra, name) for name in sintra.__all__)
    kinds = {
        name for name, kind in vars(errors).items() if getattr(kind, "__module__", "") == errors.__name__
    }
    assert kinds <= set(sintra.__all__)


def test_a_game_tells_itself_in_a_line() -> None:
    game = sintra.new("azul", players=["Ada", "B\u202en"], seed=42)
    told = "round 1; scores [0, 0]; player 1 has to choose"
    assert repr(game) == f"<Game azul: 'Ada', 'B\\u202en'; {told}>"


@pytest.mark.parametrize("rules", catalog.BUILT_IN)
def test_events_cant_be_changed(rules: str) -> None:
    game = sintra.new(rules, seed=1)
    before = game.dumps()
    options = game.events[0].options  # type: ignore[attr-defined]
    for change in (
        lambda: options.__setitem__("side", "B"),
        lambda: options.__delitem__("side"),
        lambda: options.__ior__({"side": "B"}),
        lambda: options.update(side="B"),
        lambda: options.setdefault("other", 1),
        lambda: options.pop("side"),
        options.popitem,
        options.clear,
    ):
        with pytest.raises(TypeError, match="immutable"):
            change()
    assert (game.dumps(), game.copy().dumps()) == (before, before)
    for event in game.events:
        assert_immutable(event)


def assert_immutable(value: object) -> None:
    """Everything in a value has a hash, and equals a twin that went through JSON, and through pickle."""
    assert not isinstance(value, list | set)
    if isinstance(value, msgspec.Struct):
        twin = msgspec.json.decode(msgspec.json.encode(value), type=type(value))
        for other in (twin, pickle.loads(pickle.dumps(value)), copy.deepcopy(value)):
            assert (other, hash(other)) == (value, hash(value))
        for field in value.__struct_fields__:
            assert_immutable(getattr(value, field))
    elif isinstance(value, tuple):
        for part in value:
            assert_immutable(part)


@pytest.mark.parametrize("rules", catalog.BUILT_IN)
def test_the_table_is_a_value(rules: str) -> None:
    game = sintra.new(rules, seed=1)
    before = game.state
    assert_immutable(before)
    with pytest.raises(TypeError, match="immutable"):
        before.center["blue"] = 9
    with pytest.raises(TypeError, match="immutable"):
        before.displays[0]["blue"] = 9
    game.play(game.legal()[0])
    assert len({before, game.state, game.copy().state}) == 2


@pytest.mark.parametrize("rules", catalog.BUILT_IN)
def test_what_all_tables_have_is_known_to_type_checkers(rules: str) -> None:
    state = sintra.new(rules, seed=1).state
    assert_type(state, sintra.Snapshot)
    assert_type(state.player, int | None)
    assert_type(state.displays, tuple[dict[str, int], ...])
    assert (state.round, state.player, len(state.displays)) == (1, 1, 5)
    assert (state.center, state.hand, state.starting_tile) == ({}, {}, True)
    assert [assert_type(player.score, int) for player in state.players] == [0, 0]


def test_a_dash_is_the_name_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    game = sintra.new(seed=1)
    game.save("-")
    assert sintra.load("-").dumps() == sintra.load(Path("-")).dumps() == game.dumps()
    assert sintra.stats("-").logs == 1
    assert sintra.stats("-").faulty == 0


@pytest.mark.parametrize("step", [3, None, ["place 2"], b"place 2"])
def test_a_step_is_in_words_or_one_of_the_legal_ones(step: Any) -> None:
    game = sintra.new(seed=42)
    with pytest.raises(UsageError, match="a step must be text or come from `legal`, not "):
        game.play("pick 3 orange", step)
    assert len(game.events) == 3


def test_play_is_all_or_nothing() -> None:
    game = sintra.new(seed=42)
    before = game.dumps(), game.state
    with pytest.raises(IllegalStep, match="strip 8 has no empty space for orange"):
        game.play("pick 3 orange place 8")
    assert (game.dumps(), game.state) == before
    with pytest.raises(UsageError, match="no step"):
        game.play()
    with pytest.raises(UsageError, match="no step"):
        game.play(" ")


def test_an_illegal_step_comes_with_the_legal_ones() -> None:
    game = sintra.new(seed=42)
    with pytest.raises(IllegalStep) as caught:
        game.play("place 2")
    assert caught.value.legal == tuple(map(str, game.legal()))
    assert "pick first" in str(caught.value)


def test_steps_after_the_end_are_refused() -> None:
    game = sintra.new(seed=1)
    while not game.over:
        game.play(game.legal()[-1])
    with pytest.raises(IllegalStep, match="the game is over"):
        game.play("pick 1 blue")
    assert game.player is None
    assert game.winners


def test_a_deal_and_a_result_are_appended_with_the_choice_that_led_to_them() -> None:
    game = sintra.new(seed=3)
    while game.round == 1:
        events = game.play(game.legal()[0])
    assert [type(event).__name__ for event in events[-2:]] == ["RoundEnded", "Dealt"]


# -- Undo --


def test_undo_takes_a_step_back_with_what_followed_from_it() -> None:
    game = sintra.new(seed=3)
    while game.round == 1:
        before = game.state
        game.play(game.legal()[0])
    dealt = game.events[-1]
    (undone,) = game.undo()
    assert isinstance(undone, Undone)
    assert undone.events >= 3
    assert game.state == before
    assert game.play(game.legal()[0])[-1] == dealt  # the same bag gives the same deal


def test_undo_of_several_steps() -> None:
    game = sintra.new(seed=42)
    start = game.state
    game.play("pick 3 orange place 2 pick center pink")
    game.undo(3)
    assert game.state == start
    with pytest.raises(UsageError, match="can't take back 1 step; the game has 0"):
        game.undo()
    game.play("pick 3 orange place 2")
    with pytest.raises(UsageError, match="can't take back 3 steps; the game has 2"):
        game.undo(3)
    with pytest.raises(UsageError):
        game.undo(0)


def test_the_first_deal_stays() -> None:
    game = sintra.new(seed=42)
    with pytest.raises(DamagedLog, match="can't take back"):
        game.take(Undone(1))
    game.play("pick 3 orange")
    with pytest.raises(DamagedLog, match="can't take back 2 events here, only 1"):
        sintra.loads(game.dumps() + '{"type":"undone","events":2}\n')


def test_undo_may_not_end_between_a_choice_and_its_results() -> None:
    game = game_in_round(2)
    with pytest.raises(DamagedLog, match="between a choice and its results"):
        sintra.loads(game.dumps() + '{"type":"undone","events":1}\n')


def test_undo_after_the_end_is_possible() -> None:
    game = sintra.new(seed=1)
    while not game.over:
        before = game.state
        game.play(game.legal()[-1])
    game.undo()
    assert (game.over, game.state) == (False, before)


def test_remarks_and_undoing_are_not_counted_when_undoing() -> None:
    game = sintra.new(seed=42)
    before = game.state
    game.play("pick 3 orange")
    game.note("hm")
    game.undo()
    game.play("pick 1 blue")
    game.note("so be it")
    game.undo()
    assert game.state == before
    assert [event.events for event in game.events if isinstance(event, Undone)] == [1, 1]
    assert sintra.loads(game.dumps()).state == before


def test_what_the_system_drew_cant_be_taken_back() -> None:
    game = game_in_round(2, "system")
    with pytest.raises(IllegalStep, match="draws by the system"):
        game.undo()
    step = game.legal()[0]
    before = game.state
    game.play(step)
    game.undo()
    assert game.state == before


# -- A real table --


def test_what_was_typed_in_at_a_table_can_be_taken_back() -> None:
    model = sintra.new(seed=42)
    game = sintra.new(chance="table")
    assert len(game.events) == 1
    assert game.player is None
    with pytest.raises(IllegalStep, match="not arranged yet"):
        game.play("pick 1 blue")
    game.record(model.events[1])
    game.record(model.events[2])
    assert game.state == model.state
    game.undo()
    with pytest.raises(IllegalStep, match="round 1 has to be dealt first"):
        game.play("pick 1 blue")
    game.undo()
    assert game.events[-1] == Undone(1)
    with pytest.raises(UsageError):
        game.undo()
    game.record(model.events[1])
    game.record(model.events[2])
    assert game.state == model.state


def test_an_impossible_deal_is_refused_at_a_table() -> None:
    model = sintra.new(seed=42)
    game = sintra.new(chance="table")
    game.record(model.events[1])
    with pytest.raises(IllegalStep, match="no blue left in the bag"):
        game.record(Dealt(1, (("blue",) * 4,) * 5))
    with pytest.raises(IllegalStep, match="the next deal is round 1"):
        game.record(Dealt(2, (("blue",) * 4,) * 5))
    with pytest.raises(IllegalStep, match="5 displays"):
        game.record(Dealt(1, ()))
    with pytest.raises(IllegalStep, match="at most 4 pieces"):
        game.record(Dealt(1, (("blue",) * 5, *(("pink",) * 4,) * 4)))
    with pytest.raises(IllegalStep, match="while there are more to deal"):
        game.record(Dealt(1, (("blue",) * 3, *(("pink",) * 4,) * 4)))
    with pytest.raises(IllegalStep, match="unknown color 'red'; the colors are"):
        game.record(Dealt(1, (("red",) * 4,) * 5))
    assert len(game.events) == 2
    with pytest.raises(UsageError):
        model.record(model.events[2])


# -- Logs that were cut --


def test_a_log_cut_before_its_results_goes_on_with_them() -> None:
    game = game_in_round(2)
    lines = game.dumps().splitlines(keepends=True)
    cut = sintra.loads("".join(lines[:-2]))
    assert cut.legal() == []
    step = game.legal()[0]
    events = cut.play(step)
    assert events[:2] == list(game.events[-2:])
    game.play(step)
    assert cut.dumps() == game.dumps()


def test_an_undo_in_a_log_that_was_cut_adds_what_is_missing_first() -> None:
    game = game_in_round(2)
    lines = game.dumps().splitlines(keepends=True)
    cut = sintra.loads("".join(lines[:-1]))
    events = cut.undo()
    assert events[0] == game.events[-1]
    assert isinstance(events[-1], Undone)
    with pytest.raises(DamagedLog, match="undone can't come here"):
        sintra.loads("".join(lines[:-1]) + '{"type":"undone","events":1}\n')


def test_a_log_of_one_line_waits_for_its_arrangement() -> None:
    game = sintra.new(seed=42)
    first = sintra.loads(game.dumps().split("\n", 1)[0] + "\n")
    assert first.legal() == []
    assert first.player is None
    assert first.settle() == list(game.events[1:])
    assert first.dumps() == game.dumps()


# -- Forks --


def test_a_fork_without_a_seed_is_the_same_game() -> None:
    game = game_in_round(2)
    assert game.fork().dumps() == game.dumps()
    assert game.fork(at=1).dumps() == sintra.new(seed=3).dumps()


def test_a_fork_with_a_seed_has_other_deals_from_there_on() -> None:
    game = game_in_round(2)
    fork = game.fork(at=len(game.events) - 1, seed=99)
    assert fork.events[1:-2] == game.events[1:-1]
    assert fork.events[-2] == Noted(f"seed counts from event {len(fork.events)}")
    assert fork.events[-1] != game.events[-1]
    assert fork.created.seed == 99
    for at in (0, len(game.events) + 1):
        with pytest.raises(UsageError):
            game.fork(at=at)
    with pytest.raises(UsageError):
        game.fork(seed=-1)


# -- What is refused --


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        ({"players": 1}, "2 to 4 players, not 1"),
        ({"players": 5}, "2 to 4 players, not 5"),
        ({"players": ["Ada", "Ada"]}, "same name"),
        ({"players": ["Ada", ""]}, "1 to 80 characters"),
        ({"players": ["Ada", " "]}, "1 to 80 characters"),
        ({"players": ["Ada", "x" * 81]}, "1 to 80 characters"),
        ({"players": ["Ada", "B\x1b[31men"]}, "can't be printed"),
        ({"seed": -1}, "0 to 9007199254740991"),
        ({"seed": 2**53}, "0 to 9007199254740991"),
        ({"seed": 1, "chance": "system"}, "seeded chance needs a seed; system and table take none"),
        ({"chance": "dice"}, "seeded, system or table"),
        ({"side": "C"}, "side can't be C; choose from: A, B"),
        ({"floor_at_zero": 1}, "floor_at_zero can't be 1; choose from: false, true"),
        ({"floor_at_zero": "true"}, """floor_at_zero can't be "true"; choose from: false, true"""),
        ({"floor": True}, "no option 'floor'; it has: side, floor_at_zero"),
        (
            {"chance": "table", "components": {"windows": [1] * 8}},
            "give the components with the arrangement",
        ),
    ],
)
def test_a_game_that_cant_be_is_refused(call: dict[str, object], complaint: str) -> None:
    with pytest.raises(UsageError) as caught:
        sintra.new("sintra", **call)  # type: ignore[arg-type]
    assert complaint in str(caught.value)


def test_a_number_for_an_option_that_is_text_is_told_from_the_text() -> None:
    with pytest.raises(UsageError, match='side can\'t be 1; choose from: "1", "2"'):
        sintra.new("crystal", side=1)


@pytest.mark.parametrize("name", ["👩\u200d🚀", "Ada\u00a0B", "می\u200cنا", "王小明", "x" * 80])
def test_a_name_may_have_any_characters_but_controls(name: str) -> None:
    game = sintra.new(players=[name, "Ben"], seed=1)
    assert sintra.loads(game.dumps()).players == (name, "Ben")


@pytest.mark.parametrize("control", ["\n", "\x9b", "\u2028", "\u2029", "\udcff", "\x7f"])
def test_a_name_has_no_controls(control: str) -> None:
    with pytest.raises(UsageError, match="can't be printed"):
        sintra.new(players=[f"Ada{control}", "Ben"], seed=1)


def test_rules_that_are_not_installed_are_named() -> None:
    with pytest.raises(UnknownRules, match="'ludo' are installed; available: sintra"):
        sintra.new("ludo")


def test_remarks_have_a_limit() -> None:
    game = sintra.new(seed=1)
    assert game.note("well played") == [Noted("well played")]
    for text in ("", "x" * 10_001):
        with pytest.raises(UsageError):
            game.note(text)


def test_events_that_cant_come_now_are_refused() -> None:
    game = sintra.new(seed=42)
    created, arranged, dealt = game.events
    assert isinstance(created, Created)
    assert isinstance(arranged, SintraArranged)
    for event in (created, arranged, dealt, RoundEnded(1, (0, 0))):
        with pytest.raises(DamagedLog, match="can't come here: player 1 has to choose"):
            game.copy().take(event)
    with pytest.raises(DamagedLog, match="it is player 1's turn"):
        game.take(Picked(2, 3, "orange"))
    with pytest.raises(DamagedLog, match="no player 3: the game has 2 players"):
        game.take(Picked(3, 3, "orange"))
    with pytest.raises(DamagedLog, match="2 players have 5 displays") as caught:
        game.take(Picked(1, 7, "orange"))
    assert caught.value.field == "source"


# -- Components --

OWN = {
    "strips": [{"up": ["blue"] * 5, "down": ["clear"] * 5} for _ in range(7)]
    + [{"up": ["joker", "joker", "pink", "pink", "pink"], "down": ["yellow"] * 5}],
    "windows": {"A": [1, 2, 3, 4, 5, 6, 7, 8], "B": [8] * 8},
    "broken": [0, -3, -18],
}


def test_components_of_ones_own_are_played_with() -> None:
    game = sintra.new("sintra", seed=1, components=OWN)
    arranged = game.events[1]
    assert isinstance(arranged, SintraArranged)
    assert arranged.windows == (1, 2, 3, 4, 5, 6, 7, 8)
    assert arranged.broken == (0, -3, -18)
    assert all("joker" not in strip.up for row in arranged.strips for strip in row)
    assert sintra.loads(game.dumps()).state == game.state
    other = sintra.new("sintra", seed=1, side="B", components={"windows": [3] * 8})
    assert other.events[1].windows == (3,) * 8  # type: ignore[attr-defined]
    assert other.events[1].broken[-1] == -18  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"strips": OWN["strips"][:7]}, "strips: "),  # type: ignore[index]
        (
            {"strips": [{"up": ["blue"] * 5, "down": ["clear"] * 5}] * 8},
            "exactly two jokers are needed, both on one side",
        ),
        ({"strips": [{"up": ["red"] * 5, "down": ["clear"] * 5}] * 8}, "'red'"),
        ({"windows": [1] * 7}, "windows"),
        ({"windows": [1] * 7 + [-1]}, "windows"),
        ({"windows": {"B": [1] * 8}}, "side A is missing"),
        ({"broken": [0, -5, -5, -18]}, "the track must fall from 0 to -18"),
        ({"broken": [0, -5, -17]}, "from 0 to -18"),
        ({"broken": [-1, -18]}, "from 0 to -18"),
        ({"tiles": 3}, "tiles: unknown field"),
        ({"broken": "many"}, "broken: expected a list or null, got text"),
    ],
)
def test_components_that_cant_be_are_refused(change: dict[str, object], complaint: str) -> None:
    with pytest.raises(UsageError) as caught:
        sintra.new("sintra", seed=1, components=change)
    assert complaint in str(caught.value)
    assert str(caught.value).startswith("components: ")


# -- What must not be half done --


def test_a_refused_event_changes_nothing() -> None:
    game = game_in_round(2)
    before = game.state, game.events, game.legal()
    with pytest.raises(DamagedLog):
        game.take(Undone(1))
    assert (game.state, game.events, game.legal()) == before
    lines = game.dumps().splitlines(keepends=True)
    cut = sintra.loads("".join(lines[:-2]))
    with pytest.raises(DamagedLog, match="the rules give"):
        cut.take(RoundEnded(1, (99, 99)))
    assert cut.settle() == list(game.events[-2:])
    assert cut.dumps() == game.dumps()


def test_a_refused_undo_keeps_all_that_makes_undoing_fast() -> None:
    """The marks after the place that it would have gone back to, too."""
    game = game_in_round(4)
    game.undo()
    while game.round < 5:
        game.play(game.legal()[0])
    fold = game._fold

    def seen() -> object:
        return (
            [(at, game.rules.snapshot(state)) for at, state in fold.checkpoints.marks],
            game.rules.snapshot(fold.state),
            fold.history[:],
        )

    before = seen()
    refused = 0
    for count, event in enumerate(reversed(fold.history[2:]), 1):
        if isinstance(event, Dealt | RoundEnded):
            with pytest.raises(DamagedLog, match="between a choice and its results"):
                game.take(Undone(count))
            assert seen() == before
            refused += 1
    assert refused == 8


def test_a_remark_in_a_log_that_was_cut_comes_after_what_is_missing() -> None:
    game = game_in_round(2)
    lines = game.dumps().splitlines(keepends=True)
    cut = sintra.loads("".join(lines[:-2]))
    assert [type(event).__name__ for event in cut.note("hm")] == ["RoundEnded", "Dealt", "Noted"]


def test_a_fork_with_a_seed_of_a_table_game_keeps_only_what_counts() -> None:
    model = sintra.new(seed=42)
    game = sintra.new(chance="table")
    game.record(model.events[1])
    game.undo()
    game.record(model.events[1])
    game.record(model.events[2])
    fork = game.fork(seed=5)
    assert fork.events[1:] == (*model.events[1:], Noted("seed counts from event 5"))
    assert (fork.created.chance, fork.created.seed) == ("seeded", 5)


def test_an_illegal_step_says_where_it_would_have_stood() -> None:
    game = sintra.new(seed=42)
    with pytest.raises(IllegalStep) as caught:
        game.play("pick 3 orange place 2 pick 9 blue")
    assert caught.value.line == 6
    assert caught.value.details()["line"] == 6
    assert "pick center pink" in caught.value.legal


@pytest.mark.parametrize(
    "call", [{"seed": True}, {"seed": "1"}, {"players": [1, 2]}, {"players": "AB"}, {"players": 2.0}]
)
def test_wrong_kinds_are_refused(call: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        sintra.new("sintra", **call)  # type: ignore[arg-type]


def test_a_step_of_another_game_is_no_step() -> None:
    with pytest.raises(UsageError, match="'tile 1 5' is not a step of Stained Glass"):
        sintra.new(seed=1).play(sintra.new("azul", seed=1).rules.steps[60])


def test_text_that_cant_be_encoded_is_no_log() -> None:
    with pytest.raises(DamagedLog, match="not UTF-8"):
        sintra.loads('{"type":"\ud800"}\n')
    with pytest.raises(
        DamagedLog, match="line 1: not a sintra log: not JSON: unterminated string, or a lone surrogate"
    ):
        sintra.loads('{"type":"\\ud800"}\n')


def test_losses_are_told_as_they_were_taken() -> None:
    """With the floor at zero, an effect tells what was really lost."""
    game = sintra.new(seed=1, floor_at_zero=True)
    state = game.live
    state.effects = []
    state.palaces[0].marker = 7  # type: ignore[attr-defined]
    state.palaces[0].bonus_points = 5  # type: ignore[attr-defined]
    state._break(state.palaces[0], 1)  # type: ignore[attr-defined]
    assert state.effects[-1][2] == 5
    assert state.scores()[0] == 0


@pytest.mark.parametrize(
    "twin_of", [lambda thing: pickle.loads(pickle.dumps(thing)), copy.copy, copy.deepcopy]
)
def test_games_can_be_copied_and_sent_to_other_processes(twin_of: Any) -> None:
    game = sintra.new("crystal", seed=3, side="2")
    game.play(game.legal()[0])
    twin = twin_of(game)
    assert (twin.dumps(), twin.legal(), twin.state) == (game.dumps(), game.legal(), game.state)
    twin.play(twin.legal()[0])
    assert len(twin.events) > len(game.events)


def test_no_code_below_zero_is_legal() -> None:
    assert not any(sintra.new(rules, seed=1).live.allows(-1) for rules in ("sintra", "azul"))


# -- A game in its file --


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log whose game was just dealt."""
    path = tmp_path / "game.log"
    sintra.new(seed=42).save(path)
    return path


def test_a_game_is_continued_in_its_file(log: Path) -> None:
    before = log.read_text()
    with sintra.open(log) as game:
        game.play("pick 3 orange")
        game.play("place 2")
        game.undo()
        game.note("hm")
        assert log.read_text() == before  # one write, at the end
    assert log.read_text() == game.dumps()
    assert log.read_text().startswith(before)
    assert len(game.events) == 7
    with sintra.open(str(log), expect=7) as game:
        pass
    assert len(sintra.load(log).events) == 7


def failing(path: Path, error: type[Exception], act: Callable[[Game], object]) -> str:
    """What a block raises that plays a turn and then does something."""

    def block() -> None:
        with sintra.open(path) as game:
            game.play("pick 3 orange place 2")
            act(game)

    with pytest.raises(error) as caught:
        block()
    return str(caught.value)


def test_nothing_is_written_if_the_block_raises(log: Path) -> None:
    before = log.read_bytes()
    assert "pick first" in failing(log, IllegalStep, lambda game: game.play("place 1"))
    failing(log, ZeroDivisionError, lambda game: 1 // 0)
    with pytest.raises(Conflict, match=r"game\.log has 3 events, not 4"), sintra.open(log, expect=4):
        pass
    assert log.read_bytes() == before


def test_a_file_is_locked_while_its_game_is_open(log: Path) -> None:
    with sintra.open(log), pytest.raises(Conflict, match="is locked"), sintra.open(log):
        pass
    remark = Noted("by a program without locks")
    said = failing(log, Conflict, lambda _: log.write_bytes(log.read_bytes() + encode_line(remark)))
    assert "changed" in said
    assert sintra.load(log).events[3:] == (remark,)


def test_what_the_system_draws_is_kept_also_if_the_block_raises(tmp_path: Path) -> None:
    """Nobody draws twice: a cut log is completed at once."""
    path = tmp_path / "system.log"
    path.write_text(sintra.new(chance="system").dumps().splitlines(keepends=True)[0])
    with pytest.raises(IllegalStep), sintra.open(path) as game:
        game.play("place 1")
    assert path.read_text() == game.dumps()
    assert len(sintra.load(path).events) == 3


def test_a_watcher_sees_every_event_with_what_the_rules_did(log: Path) -> None:
    seen: list[Moment] = []
    with sintra.open(log, watch=lambda _, moment: seen.append(moment)) as game:
        game.play("pick 3 orange place 2")
        game.watch(None)
        game.play("pick 1 blue")
    assert [(moment.number, moment.event) for moment in seen] == [(4, game.events[3]), (5, game.events[4])]
    assert seen == list(Reader([log.read_bytes()], watch=True))[3:5]
    assert [effect.name for effect in seen[0].effects] == ["took", "centered"]


def test_where_the_points_came_from(log: Path) -> None:
    found = sintra.score(log)
    assert found == sintra.score(sintra.load(log))
    assert (found.players, found.total, found.over) == (("Player 1", "Player 2"), [0, 0], False)
    game = game_in_round(2)
    rounds = sintra.score(game).rounds
    assert [row.round for row in rounds] == [1, 2]
    assert [sum(points.values()) for points in rounds[0].points] == game.scores


def test_where_two_games_part_ways(log: Path) -> None:
    game = sintra.load(log)
    assert sintra.diff(log, game).same
    twin = game.copy()
    twin.play("pick 3 orange")
    found = sintra.diff(game, twin)
    assert (found.same, found.events, found.first, found.second) == (False, 3, None, twin.events[3])
    assert ".displays[2].orange" in {place.path for place in found.differences}
    assert sintra.diff(twin, log).second is None


def test_a_torn_log_is_repaired(log: Path) -> None:
    whole = log.read_bytes()
    assert sintra.repair(log) == sintra.api.Repair(str(log), False, 0, None)
    log.write_bytes(whole + b'{"type":"pick')
    with pytest.raises(DamagedLog, match=r"game\.log, line 4: the last line is torn"):
        sintra.load(log)
    assert sintra.repair(log) == sintra.api.Repair(str(log), True, 13, f"{log}.bak")
    assert log.read_bytes() == whole
    other = log.with_name("notes.txt")
    other.write_text("no log, no newline")
    with pytest.raises(DamagedLog, match=r"notes\.txt, line 1: not a sintra log; left alone"):
        sintra.repair(other)


def test_errors_name_the_file(tmp_path: Path) -> None:
    lines = sintra.new(seed=42).dumps().splitlines(keepends=True)
    broken = tmp_path / "broken.log"
    for text, complaint in (
        ("".join(lines) + "nonsense\n", r"broken\.log, line 4: not JSON"),
        (
            "".join(lines).replace('"round":1', '"round":2'),
            r"broken\.log, line 3, field round: the next deal is round 1",
        ),
        (lines[0].replace('"format":1', '"format":2'), r"broken\.log: the log has format 2"),
        (lines[0].replace('"rules":"sintra"', '"rules":"ludo"'), r"broken\.log: no rules named 'ludo'"),
    ):
        broken.write_text(text)
        with pytest.raises((DamagedLog, Unknown), match=complaint) as caught:
            sintra.load(broken)
        assert caught.value.details()["message"] == str(caught.value)
        with pytest.raises((DamagedLog, Unknown), match=complaint), sintra.open(broken):
            pass


# -- Rule-sets that grow --


def grown_harbor(monkeypatch: pytest.MonkeyPatch) -> tuple[RuleSet, RuleSet]:
    """The example rule-set as it is, and with an option that it did not have."""
    monkeypatch.syspath_prepend(str(FIXTURES / "harbor"))
    old: RuleSet = import_module("harbor").RULES

    class Grown(type(old)):  # type: ignore[misc]
        options = (*old.options, Option("storms", (False, True), False, "Storms close berths."))

    return old, Grown()


def test_a_log_without_an_option_takes_its_default(monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = grown_harbor(monkeypatch)
    before = Game.new(old, seed=5, options={"ships": 3})
    game = loads_as(new, before.dumps())
    assert game.created.options == {"ships": 3, "storms": False}
    assert game.state == before.state
    game.play(game.legal()[0])
    assert '"options":{"ships":3,"storms":false}' in game.dumps()  # what is written is complete
    assert loads_as(new, game.dumps()).events == game.events
    with pytest.raises(DamagedLog, match="field options: harbor has no option 'storms'; it has: ships"):
        loads_as(old, game.dumps())


def test_a_rule_set_converts_its_own_older_logs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    old, new = grown_harbor(monkeypatch)

    def convert(self: RuleSet, lines: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for line in lines:
            if line["type"] == "created":
                line["options"]["ships"] = line["options"].pop("boats")
            yield line

    path = tmp_path / "old.log"
    path.write_text(Game.new(old, seed=5).dumps().replace('"ships"', '"boats"'))
    monkeypatch.setattr(catalog, "find", lambda name, engine="": new)
    with pytest.raises(DamagedLog, match="has no option 'boats'"):
        sintra.load(path)
    with pytest.raises(DamagedLog, match=r"old\.log, line 1, field options: harbor has no option 'boats'"):
        sintra.convert(path)
    monkeypatch.setattr(type(new), "convert", convert, raising=False)
    assert sintra.convert(path).events[1:] == Game.new(old, seed=5).events[1:]
