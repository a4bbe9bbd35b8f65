"""What holds for all games, tried on games that hypothesis makes up."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sintra
from sintra import catalog
from sintra.errors import DamagedLog, IllegalStep, SintraError, UsageError
from sintra.log.codec import encode_line
from sintra.log.events import Choice, Dealt, RoundEnded
from sintra.rules.ruleset import RuleSet
from sintra.testing import all_options, check_game, check_rules, check_vocabulary, games_of

SINTRA = catalog.find("sintra")
SEEDS = st.integers(0, 2**53 - 1)
BOARDS = st.sampled_from(
    [(rules, options) for rules in map(catalog.find, catalog.BUILT_IN) for options in all_options(rules)]
)
PLAYERS = st.sampled_from([2, 3, 4])


@st.composite
def games(draw: st.DrawFn, most: int = 120) -> sintra.Game:
    """A game somewhere on its way."""
    rules, options = draw(BOARDS)
    game = sintra.Game.new(rules, draw(PLAYERS), seed=draw(SEEDS), options=options)
    for pick in draw(st.lists(st.integers(0, 10**6), max_size=most)):
        if game.over:
            break
        legal = game.legal()
        game.play(legal[pick % len(legal)])
    return game


@pytest.mark.parametrize("name", catalog.BUILT_IN)
def test_the_kit_passes(name: str) -> None:
    seen: list[None] = []
    rules = catalog.find(name)
    assert check_rules(rules, games=1, after_game=lambda: seen.append(None)) > 500
    assert len(seen) == games_of(rules, 1)


def test_a_refused_step_that_is_another_spelling_is_no_fault_of_the_rules() -> None:
    """`place 8 jokers 1` is `place 8` where one joker is the least."""
    check_game(SINTRA, {"side": "A", "floor_at_zero": False}, 4, 6420221)


@settings(max_examples=6, deadline=None)
@given(SEEDS, BOARDS, PLAYERS)
def test_the_kit_passes_for_any_seed(seed: int, board: tuple[Any, Any], players: int) -> None:
    check_game(*board, players, seed)


def broken(rules: RuleSet, **changes: Any) -> RuleSet:
    """A rule-set with some things changed, to see that the kit notices."""
    kind: Any = type("Broken", (type(rules),), changes)
    changed: RuleSet = kind.__new__(kind)
    vars(changed).update(vars(rules))
    return changed


def broken_start(rules: RuleSet, method: str, replacement: Any) -> Any:
    """A rule-set whose states have one method replaced."""
    plain = type(rules.start({"ships": 3}, 2))
    changed: Any = type("Changed", (plain,), {method: replacement})
    return broken(rules, start=lambda self, options, players: changed(players, options["ships"]))


@pytest.mark.parametrize(
    ("method", "replacement", "complaint"),
    [
        ("census", lambda self: [self.round] * 5, "conserved"),
        ("allows", lambda self, code: code in self.legal() or code == 53, "disagree"),
        ("breakdown", lambda self: [{"all": score + 1} for score in self.scores()], "add up"),
        ("winners", lambda self: [], "nobody"),
        ("scores", lambda self: [self.round] * self.seats, "add up"),
        ("finish", lambda self: [][0], "list index"),
        ("choose_any", lambda self, stream: self.legal()[0], "`choose_any` does not choose like"),
        ("become", lambda self, other: None, "`become` does not lead to a copy: their snapshots"),
        ("key", lambda self: 7, "does not change the key"),
        ("key", lambda self: id(self), "`become` does not lead to a copy: their keys"),
        ("deal_from", lambda self, stream: self.begin_round(-1), "`deal_from` is not `deal`"),
    ],
)
def test_the_kit_notices_broken_rules(harbor: RuleSet, method: str, replacement: Any, complaint: str) -> None:
    with pytest.raises((AssertionError, IndexError, AttributeError, TypeError), match=complaint) as caught:
        check_game(broken_start(harbor, method, replacement), {"ships": 3}, 2, 1)
    assert '{"type":"created"' in caught.value.__notes__[0]


@pytest.mark.parametrize(
    ("method", "replacement", "complaint"),
    [
        ("why_not", lambda self, state, code: "", "no reason"),
        ("snapshot", lambda self, state: state.round, r"object|attribute"),
    ],
)
def test_the_kit_notices_broken_words(harbor: RuleSet, method: str, replacement: Any, complaint: str) -> None:
    with pytest.raises((AssertionError, AttributeError, TypeError), match=complaint):
        check_game(broken(harbor, **{method: replacement}), {"ships": 3}, 2, 1)


def test_the_kit_notices_steps_with_the_same_words() -> None:
    with pytest.raises(AssertionError, match="same words"):
        check_vocabulary(broken(SINTRA, steps=SINTRA.steps + SINTRA.steps[-1:], spellings=()))


@settings(max_examples=25, deadline=None)
@given(games())
def test_the_log_tells_the_game(game: sintra.Game) -> None:
    again = sintra.loads(game.dumps())
    assert again.state == game.state
    assert again.events == game.events
    assert again.legal() == game.legal()
    assert again.dumps() == game.dumps()


@settings(max_examples=15, deadline=None)
@given(games(), st.integers(0, 10**6))
def test_any_prefix_is_a_log(game: sintra.Game, where: int) -> None:
    lines = game.dumps().splitlines(keepends=True)
    cut = where % len(lines)
    part = sintra.loads("".join(lines[: cut + 1]))
    for event in game.events[cut + 1 :]:
        part.take(event)
    assert part.state == game.state


@settings(max_examples=15, deadline=None)
@given(games(), st.integers(0, 10**6))
def test_any_cut_inside_a_line_is_noticed(game: sintra.Game, where: int) -> None:
    data = game.dumps().encode()
    cut = data[: where % len(data)]
    if cut.endswith(b"\n") or not cut:
        return
    with pytest.raises(DamagedLog, match="torn") as caught:
        sintra.loads(cut)
    assert caught.value.line == cut.count(b"\n") + 1


@settings(max_examples=15, deadline=None)
@given(games(), st.integers(1, 30))
def test_undo_restores_and_the_same_steps_lead_there_again(game: sintra.Game, steps: int) -> None:
    choices = [event for event in game.events if isinstance(event, Choice)]
    if len(choices) < steps:
        with pytest.raises(UsageError):
            game.undo(steps)
        return
    before = game.state
    undone = game.undo(steps)
    words = game._fold.words
    for event in choices[-steps:]:
        game.play(words.steps[words.codes[event.player - 1][event]])
    assert game.state == before
    assert undone[-1] in game.events
    assert sintra.loads(game.dumps()).state == before


@settings(max_examples=15, deadline=None)
@given(games(most=60), st.integers(0, 10**6), SEEDS)
def test_a_fork_has_the_same_beginning_and_goes_its_own_way(game: sintra.Game, at: int, seed: int) -> None:
    at = 3 + at % (len(game.events) - 2)
    fork = game.fork(at=at, seed=seed)
    assert fork.events[1:at] == game.events[1:at]
    assert fork.created.seed == seed
    assert sintra.loads(fork.dumps()).state == fork.state


@settings(max_examples=30, deadline=None)
@given(games(most=40), st.data())
def test_a_changed_line_is_refused_or_a_game_of_its_own(game: sintra.Game, data: st.DataObject) -> None:
    """Whatever is done to a number or a color of a line: an error that names a line, or a legal game."""
    lines = game.dumps().splitlines(keepends=True)
    at = data.draw(st.integers(1, len(lines) - 1))
    event = msgspec.json.decode(lines[at])
    key = data.draw(st.sampled_from(sorted(event)))
    event[key] = data.draw(
        st.one_of(
            st.integers(-3, 12), st.sampled_from([*game.rules.colors, "joker", "clear", None]), st.just([1])
        )
    )
    lines[at] = msgspec.json.encode(event).decode() + "\n"
    try:
        changed = sintra.loads("".join(lines))
    except DamagedLog as error:
        assert error.line is not None
        assert error.line > at
    else:
        assert changed._fold.state.census() == [20] * 5


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=40))
def test_no_words_crash_the_parser(text: str) -> None:
    game = sintra.new(seed=1)
    before = game.events
    try:
        game.play(text)
    except (UsageError, IllegalStep) as error:
        assert str(error)
        assert game.events == before


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_crash_the_reader(data: bytes) -> None:
    good = sintra.new(seed=1).dumps().encode()
    for text in (data, good + data, good + data + b"\n"):
        try:
            sintra.loads(text)
        except SintraError as error:
            assert str(error)


@settings(max_examples=15, deadline=None)
@given(games(most=200))
def test_results_are_checked(game: sintra.Game) -> None:
    """One point more in any `round_ended` is noticed at its line."""
    for at, event in enumerate(game.events):
        if isinstance(event, RoundEnded):
            lines = game.dumps().splitlines(keepends=True)
            wrong = RoundEnded(event.round, (event.scores[0] + 1, *event.scores[1:]))
            lines[at] = encode_line(wrong).decode()
            with pytest.raises(DamagedLog, match="the rules give") as caught:
                sintra.loads("".join(lines))
            assert (caught.value.line, caught.value.field) == (at + 1, "scores")


@settings(max_examples=10, deadline=None)
@given(games(most=150))
def test_a_table_game_typed_in_from_another_game_is_the_same(game: sintra.Game) -> None:
    """What a seeded game drew, typed in as at a real table, leads to the same state."""
    typed = sintra.Game.new(game.rules, game.players, chance="table", options=game.created.options)
    words = game._fold.words
    for event in game.events[1:]:
        if isinstance(event, (Dealt, game.rules.arranged)):
            typed.record(event)
        elif isinstance(event, Choice):
            typed.play(words.steps[words.codes[event.player - 1][event]])
    assert typed.state == game.state
    assert typed.events[1:] == game.events[1:]
