"""`strong` and its levels: deterministic, right where the truth can be found out, clear about bad input."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from sintra import catalog
from sintra.bots import strong as module
from sintra.bots import weights
from sintra.bots.names import find
from sintra.bots.search import Search, play_turn, result_for, steps_of
from sintra.bots.strong import searching
from sintra.errors import UsageError
from sintra.rules.chance import Chance
from sintra.rules.ruleset import RuleSet
from sintra.rules.state import CHOICE, DEAL, GAME_END, OVER, ROUND_END, State
from tests.bots.test_bots import BOARDS

POSITIONS = 50
SMALL = 300
"""Ends with at most so many positions are searched in full."""


def started(rules: RuleSet, side: str | None, players: int, seed: int) -> State:
    """A game after its first deal."""
    options = {option.name: option.default for option in rules.options} | ({"side": side} if side else {})
    state = rules.starter(options, players, {})(Chance(seed))
    state.deal_from(Chance(seed).stream("displays 1"))
    return state


def settled(state: State, seed: int) -> None:
    """Let everything happen that follows by itself, deals included."""
    while state.phase < CHOICE and state.phase != OVER:
        if state.phase == ROUND_END:
            state.end_round()
        elif state.phase == GAME_END:
            state.finish()
        else:
            state.deal_from(Chance(seed).stream(f"displays {state.round + 1}"))


def positions(rules: RuleSet, side: str | None, players: int, bot: str, seed: int) -> Iterator[State]:
    """All positions of a game in which a player has to choose."""
    state = started(rules, side, players, seed)
    stream = Chance(seed).stream("bot 1")
    while state.phase != OVER and state.round < 20:
        yield state.copy()
        state.play(find(bot)(state, stream))
        settled(state, seed)


# -- Turns as one number --


@pytest.mark.parametrize(("name", "side"), BOARDS)
def test_turns_lead_wherever_steps_do(name: str, side: str) -> None:
    """A rule-set's own turns are those that legal steps make; where displays differ, none is missing."""
    for state in positions(catalog.find(name), side, 2, "random", 5):
        own = state.turns()
        assert len(set(own)) == len(own)
        offer = state.offer
        if not any(offer.has_twin(pick // 5) for pick in offer.picks() if pick >= 5):
            prefixes = [{turn & (1 << 20 * steps) - 1 for steps in (1, 2, 3)} for turn in State.turns(state)]
            assert all(found & set(own) for found in prefixes)
        for turn in own:
            trial = state.copy()
            for code in steps_of(turn):
                assert trial.allows(code)
                trial.play(code)


# -- Provably best --


def truth(state: State, me: int, budget: list[int]) -> int:
    """What a position comes to by full search, step by step; LookupError if that takes too long or a deal."""
    budget[0] -= 1
    if budget[0] < 0:
        raise LookupError
    if state.phase == ROUND_END:
        state.end_round()
    if state.phase == GAME_END:
        state.finish()
    if state.phase == OVER:
        return int(result_for(state, me))
    if state.phase == DEAL:
        raise LookupError
    values = []
    for code in state.legal():
        trial = state.copy()
        trial.play(code)
        values.append(truth(trial, me, budget))
    return max(values) if state.player == me else min(values)


def provable(rules: RuleSet, side: str, seeds: range) -> Iterator[tuple[State, int]]:
    """Positions of two players near the end of a game, in which turns differ, with the best result."""
    for seed in seeds:
        for state in positions(rules, side, 2, "greedy", seed):
            if state.phase != CHOICE or len(state.offer.picks()) > 3:
                continue
            try:
                values = {after(state, turn, state.player) for turn in state.turns()}
            except LookupError:
                continue
            if len(values) > 1:
                yield state, max(values)


def after(state: State, turn: int, me: int) -> int:
    trial = state.copy()
    play_turn(trial, turn)
    return truth(trial, me, [SMALL])


def test_it_finds_what_is_provably_best() -> None:
    """The last turns of the last round, on every board, by full search: it finds the best one every time."""
    found = 0
    for name, side in BOARDS:
        wanted = found + POSITIONS // len(BOARDS) + 1
        for state, best in provable(catalog.find(name), side, range(100)):
            line = searching(state).run(state, 5000)[0]
            assert after(state, line.turn, state.player) == best == line.value
            found += 1
            if found == wanted:
                break
    assert found >= POSITIONS


# -- The search --


def test_more_lines_are_exact_and_in_order() -> None:
    state = started(catalog.find("azul"), "colored", 2, 4)
    search = searching(state)
    every = search.run(state, 10**6, 1000, None, 0.0, 2)
    assert search.depth == 2
    assert sorted(line.turn for line in every) == sorted(state.turns())
    values = [line.value for line in every]
    assert values == sorted(values, reverse=True)
    few = search.run(state, 10**6, 3, None, 0.0, 2)
    assert [line.value for line in few[:3]] == values[:3]
    for line in every[:3]:
        trial = state.copy()
        play_turn(trial, line.turn)
        assert line.value == -searching(trial).run(trial, 10**6, 1, None, 0.0, 1)[0].value


def test_a_search_depends_on_nothing_that_was_searched_before() -> None:
    states = list(positions(catalog.find("sintra"), "A", 3, "greedy", 2))[:30:15]
    used = Search(searching(states[0]).estimate.weights)
    for state in [*states, *states]:
        fresh = Search(used.estimate.weights)
        assert [(line.turn, line.value) for line in used.run(state, 500)] == [
            (line.turn, line.value) for line in fresh.run(state, 500)
        ]
        assert used.nodes == fresh.nodes


def test_it_stops_when_the_clock_says_so() -> None:
    state = started(catalog.find("azul"), "gray", 2, 1)
    ticks = iter(range(1000))
    search = searching(state)
    assert len(search.run(state, 10**9, 1, lambda: float(next(ticks)), 5.0)) == len(state.turns())
    assert search.nodes == 32 * 5


def test_with_more_players_much_thought_is_not_taken() -> None:
    """Matches show that three and four players are not played better by it."""
    for players, nodes in ((2, 4000), (3, module.MANY_NODES), (4, module.MANY_NODES)):
        state = started(catalog.find("sintra"), "A", players, 3)
        module.strong(state, Chance(1).stream("bot 1"), 4000)
        assert searching(state).nodes == nodes
    module._plans.clear()


def test_the_second_step_is_the_planned_one() -> None:
    state = started(catalog.find("sintra"), "A", 2, 3)
    stream = Chance(1).stream("bot 1")
    turn = steps_of(searching(state).run(state, 400)[0].turn)
    for code in turn:
        assert module.strong(state, stream, 400) == code
        state.play(code)
    assert not module._plans


def test_a_turn_can_be_searched_from_its_middle() -> None:
    state = started(catalog.find("azul"), "colored", 2, 3)
    best = searching(state).run(state, 10**6, 1, None, 0.0, 2)[0]
    first, second = steps_of(best.turn)
    state.play(first)
    rest = searching(state).run(state, 10**6, 1, None, 0.0, 2)[0]
    assert steps_of(rest.turn) == [second]
    assert rest.value == best.value


# -- Strength: a taste of it; `scripts/strength.py` measures it --


@pytest.mark.parametrize(("name", "side"), BOARDS)
def test_a_little_thought_beats_greedy(name: str, side: str) -> None:
    rules = catalog.find(name)
    stream = Chance(0).stream("bot 1")
    leads = []
    for seed in range(4):
        state = started(rules, side, 2, seed)
        while state.phase != OVER:
            bot = "strong:nodes=60" if state.player == seed % 2 else "greedy"
            state.play(find(bot)(state, stream))
            settled(state, seed)
        scores = state.scores()
        leads.append(scores[seed % 2] - scores[1 - seed % 2])
    assert sum(leads) > 0
    assert sum(lead > 0 for lead in leads) >= 3


def test_it_plays_a_plug_in_by_its_worth(harbor: RuleSet) -> None:
    state = started(harbor, None, 2, 1)
    assert searching(state).estimate.weights == []
    stream = Chance(0).stream("bot 1")
    for level in ("strong:nodes=50", "easy", "medium"):
        assert find(level)(state, stream) in state.legal()


def test_a_worth_that_lies_can_not_outweigh_a_victory(
    harbor: RuleSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = [s for s in positions(harbor, None, 2, "greedy", 1) if len(s.offer.picks()) <= 2][-1]
    honest = searching(last).run(last, 2000)[0]
    monkeypatch.setattr(type(last), "worth", lambda *_: 10**7)
    assert searching(last).run(last, 2000)[0].value == honest.value


# -- Bad input --


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("strong:nodes=0", "strong:nodes=0: nodes must be a whole number from 1 to 1000000000000, not 0"),
        ("strong:nodes=-5", "nodes must be a whole number"),
        ("strong:nodes=1e3", "nodes must be a whole number, not '1e3'"),
        ("strong:nodes=9999999999999", "nodes must be a whole number from 1"),
        ("strong:time=0", "time must be more than 0 and at most 3600 seconds, not 0.0"),
        ("strong:time=-1", "time must be more than 0"),
        ("strong:time=nan", "time must be finite"),
        ("strong:time=4000", "at most 3600 seconds"),
        ("strong:cpu=true", "time=SECONDS has to be given"),
        ("strong:level=hard", "unknown parameter 'level'; it takes nodes, time and cpu"),
        ("easy:nodes=5", "unknown parameter 'nodes'; it takes none"),
        (
            "stronger",
            "unknown bot 'stronger'; available: random, greedy, easy, medium, hard, strong",
        ),
    ],
)
def test_bad_budgets_and_levels_are_refused(name: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        find(name)


def edited(tmp_path: Path, **changes: object) -> str:
    """A file of weights with changes."""
    found = json.loads((Path(weights.FOLDER) / "azul-colored-2.json").read_text()) | changes
    path = tmp_path / "azul-colored-2.json"
    path.write_text(json.dumps(found))
    return str(path)


def test_damaged_weights_are_reported(tmp_path: Path) -> None:
    good = json.loads((Path(weights.FOLDER) / "azul-colored-2.json").read_text())
    tables = good["tables"]
    huge = {**tables, "needs": [[10**9] * len(row) for row in tables["needs"]]}
    short = {**tables, "moments": tables["moments"][1:]}
    damages: list[tuple[dict[str, object], str]] = [
        ({"format": 2}, "weights of format 2; this version reads format 1"),
        ({"board": "azul-gray"}, "damaged weights: weights of azul-gray, not of azul-colored"),
        ({"tables": {}}, "damaged weights: tables: expected row patterns, "),
        ({"tables": short}, "moments: expected 6 rows of 128 numbers"),
        ({"tables": huge}, "no weight is beyond 100000"),
        ({"extra": 1}, "damaged weights: "),
        ({"players": "two"}, "damaged weights: "),
    ]
    for changes, said in damages:
        with pytest.raises(UsageError, match=said):
            weights.read(edited(tmp_path, **changes), "azul-colored")
    (tmp_path / "azul-colored-2.json").write_bytes(b'{"format": 1')
    with pytest.raises(UsageError, match=r"azul-colored-2\.json: damaged weights"):
        weights.read(str(tmp_path / "azul-colored-2.json"), "azul-colored")


@pytest.mark.parametrize("path", sorted(Path(weights.FOLDER).glob("*.json")), ids=lambda path: path.stem)
def test_weights_are_written_as_they_are_read(path: Path) -> None:
    board, players = path.stem.rsplit("-", 1)
    found = weights.read(str(path), board)
    assert found.players == int(players)
    assert found.source.startswith("scripts/train.py")
    again = weights.encoded(found.board, found.players, found.source, found.worth, found.flat())
    assert again == path.read_bytes()
