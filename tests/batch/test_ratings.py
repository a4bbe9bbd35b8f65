"""Ratings and the sequential test: pure functions, next to what others find."""

from __future__ import annotations

import json
from itertools import combinations, permutations
from pathlib import Path
from random import Random

import pytest

from scripts.rankings import ranked
from sintra.batch.ratings import AVERAGE, ELO, Places, Rating, Record, Sums, rated, strengths
from sintra.batch.sprt import Sprt, judge, llr, parse
from sintra.errors import UsageError

FIXTURE = Path(__file__).parents[2] / "fixtures" / "ratings" / "choix.json"
CASES = json.loads(FIXTURE.read_text())["cases"]


def sums(case: dict[str, list[list[int]]], prior: float) -> Sums:
    record = Record()
    for order in case["rankings"]:
        record.add({player: place for place, player in enumerate(order, 1)})
    count = len(case["strengths"])
    won = [record.won.get(player, 0) / 24 for player in range(count)]
    stages = [(members, parts / 24) for members, parts in sorted(record.stages.items())]
    return Sums(won, stages, [prior] * count, [prior] * count)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['players']} players")
def test_strengths_are_those_of_choix(case: dict[str, list[list[int]]]) -> None:
    assert strengths(sums(case, 0)) == pytest.approx(case["strengths"], abs=1e-6)
    assert strengths(sums(case, 0.5)) == pytest.approx(case["with_prior"], abs=1e-6)


def test_the_kept_strengths_are_those_that_choix_finds_today() -> None:
    pytest.importorskip("choix", reason="the package choix is not installed")
    from scripts.rankings import cases

    for kept, found in zip(CASES, cases(), strict=True):
        assert kept["rankings"] == found["rankings"]
        assert kept["strengths"] == pytest.approx(found["strengths"], abs=1e-6)


# -- Recovery --


def synthetic(choose: Random, known: list[float], players: int, deals: int) -> dict[int, list[Places]]:
    """Games of all sets on each deal, whose winner depends on the deal a little, as in real ones."""
    found: dict[int, list[Places]] = {}
    for deal in range(deals):
        lucky = [value + choose.gauss(0, 0.3) for value in known]
        found[deal] = []
        for members in combinations(range(len(known)), players):
            order = ranked(choose, [lucky[member] for member in members], players)
            found[deal].append({members[player]: place for place, player in enumerate(order, 1)})
    return found


@pytest.mark.parametrize(("players", "deals"), [(2, 25), (3, 15)])
def test_strengths_that_were_put_in_come_out_within_their_intervals(
    players: int, deals: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sintra.batch.ratings.MIN_REPETITIONS", 40)
    monkeypatch.setattr("sintra.batch.ratings.MAX_REPETITIONS", 40)
    choose = Random(11)
    known = [-0.8, -0.2, 0.1, 0.9]
    inside = [0] * len(known)
    for _ in range(100):
        for at, one in enumerate(rated(len(known), synthetic(choose, known, players, deals))):
            assert one.low is not None
            assert one.high is not None
            inside[at] += one.low <= AVERAGE + ELO * known[at] <= one.high
    assert min(inside) >= 90, inside


def test_the_order_of_games_changes_nothing() -> None:
    deals = synthetic(Random(2), [0.0, 0.5, 1.0, -1.0], 3, 12)
    deals[3].append({0: 1, 1: 1, 2: 3})
    before = rated(4, deals)
    shuffled = {deal: Random(deal).sample(games, len(games)) for deal, games in reversed(deals.items())}
    assert rated(4, shuffled) == before


# -- Cases that are known --


def more_certain(deals: int) -> float:
    """The width of an interval after some deals, half of them won."""
    one = rated(2, {deal: [{0: 1 + deal % 2, 1: 2 - deal % 2}] for deal in range(deals)})[0]
    assert one.low is not None
    assert one.high is not None
    return one.high - one.low


def test_a_tie_counts_by_half() -> None:
    won, lost, tied = {0: 1, 1: 2}, {0: 2, 1: 1}, {0: 1, 1: 1}
    assert rated(2, {1: [won, lost]}) == rated(2, {1: [tied, tied]}) == [Rating(AVERAGE, None, None)] * 2


def test_a_place_of_three_is_all_their_orders() -> None:
    shared = Record()
    shared.add({0: 2, 1: 1, 2: 2, 3: 2})
    orders = Record()
    for order in permutations([0, 2, 3]):
        orders.add({1: 1, **{player: place for place, player in enumerate(order, 2)}})
    assert orders.won == {player: 6 * parts for player, parts in shared.won.items()}
    assert orders.stages == {members: 6 * parts for members, parts in shared.stages.items()}


def test_a_perfect_score_is_finite_and_its_interval_wide() -> None:
    first, second = rated(2, {deal: [{0: 1, 1: 2}, {0: 1, 1: 2}] for deal in range(10)})
    assert first.rating == pytest.approx(1843, abs=1)
    assert first.rating + second.rating == pytest.approx(2 * AVERAGE, abs=0.2)
    assert first.low is not None
    assert first.high is not None
    assert first.low < first.rating - 50 < first.rating + 200 < first.high < 3000
    assert more_certain(10) > more_certain(20) > more_certain(80)
    more = rated(2, {deal: [{0: 1, 1: 2}, {0: 1, 1: 2}] for deal in range(100)})
    assert more[0].rating > first.rating + 150


def test_few_deals_have_no_interval_and_nobody_is_average() -> None:
    assert rated(0, {}) == []
    assert rated(3, {}) == [Rating(AVERAGE, None, None)] * 3
    found = rated(3, {deal: [{0: 1, 1: 2}] for deal in range(4)})
    assert [one.low for one in found] == [None] * 3
    assert found[0].rating > found[2].rating > found[1].rating


# -- The sequential test --


@pytest.mark.parametrize(
    ("counts", "elos", "ratio"),
    [
        ([223, 9863, 21279, 10037, 246], (0.5, 2.5), -3.07),
        ([871, 26175, 55983, 26678, 821], (0, 2), -4.98),
        ([21184, 40708, 21404], (0.5, 2.5), -1.57),
        ([57030, 106593, 57433], (0, 2), -2.59),
    ],
)
def test_the_ratio_is_the_one_that_fastchess_publishes(
    counts: list[int], elos: tuple[float, float], ratio: float
) -> None:
    assert llr(counts, *elos) == pytest.approx(ratio, abs=0.005)


def test_a_test_is_decided_at_its_bounds() -> None:
    test = parse("0,20")
    assert test == Sprt(0, 20, 0.05, 0.05)
    assert test.bounds == pytest.approx((-2.944, 2.944), abs=0.001)
    assert judge(test, [0] * 5).accepted is None
    assert judge(test, [0, 0, 0, 0, 60]).accepted == "elo1"
    assert judge(test, [60, 0, 0, 0, 0]).accepted == "elo0"
    assert judge(test, [20, 0, 0, 0, 20]).accepted is None
    assert parse("0,20,0.01,0.1").bounds == pytest.approx((-2.293, 4.500), abs=0.001)


def test_a_test_errs_as_often_as_it_says() -> None:
    """Matches of equals: a stronger first player is found in about one of twenty."""
    choose = Random(4)
    test = Sprt(0, 60, 0.1, 0.1)
    wrong = 0
    for _ in range(60):
        pairs = [0] * 5
        while (found := judge(test, pairs)).accepted is None:
            for _ in range(4):
                pairs[sum(choose.choice((0, 2)) for _ in range(2))] += 1
        wrong += found.accepted == "elo1"
    assert wrong <= 12


@pytest.mark.parametrize("text", ["", "5", "5,0", "0,x", "0,20,0.6,0.1", "0,20,0.1", "0,nan", "0,9999"])
def test_a_test_that_means_nothing(text: str) -> None:
    with pytest.raises(UsageError):
        parse(text)
