"""Numbers packed into words: piles, sets and keys, against plain lists, sets and tuples."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest

import sintra
from sintra import catalog
from sintra.rules import bits, keys, offer, piles
from sintra.rules.chance import Chance
from sintra.rules.offer import Offer
from sintra.rules.state import CHOICE, DEAL, OVER, ROUND_END
from sintra.rules.wide import WideOffer
from sintra.testing import all_options

DICE = Random(12)


@pytest.mark.parametrize("colors", [5, 6, 8])
def test_a_pile_counts_like_a_list(colors: int) -> None:
    for _ in range(200):
        counts = [DICE.randrange(30) for _ in range(colors)]
        pile = piles.packed(counts)
        assert piles.counts(pile, colors) == counts
        assert (piles.total(pile), pile < 2**63) == (sum(counts), True)
        lined_up = [color for color, pieces in enumerate(counts) for _ in range(pieces)]
        assert [piles.piece_at(pile, place) for place in range(len(lined_up))] == [
            piles.of(color, 1) for color in lined_up
        ]
        other = piles.of(colors - 1, 7)
        assert piles.counts(pile + other, colors) == [*counts[:-1], counts[-1] + 7]


def test_a_pile_takes_up_to_127_pieces_of_the_last_color() -> None:
    assert piles.count(piles.of(7, 127), 7) == piles.total(piles.of(7, 127)) == 127
    assert piles.of(7, 127) < 2**63
    assert piles.total(piles.of(0, 127) + piles.of(7, 127)) == 254


def test_a_pile_is_named_by_the_colors_that_it_holds() -> None:
    assert piles.named(piles.packed([0, 2, 1]), ("blue", "red", "teal")) == {"red": 2, "teal": 1}


def test_a_set_is_a_set() -> None:
    for _ in range(500):
        numbers = sorted(DICE.sample(range(56), DICE.randrange(1, 20)))
        word = sum(map(bits.bit, numbers))
        assert word == sum(2**number for number in numbers)
        assert bits.members(word) == numbers
        assert bits.members(word, 50) == [50 + number for number in numbers]
        assert (bits.size(word), bits.lowest(word)) == (len(numbers), numbers[0])
        assert [bits.nth(word, place) for place in range(len(numbers))] == numbers
    assert (bits.size(0), bits.size(2**56 - 1), bits.members(0)) == (0, 56, [])


def test_the_colors_in_a_pile_are_a_set() -> None:
    for _ in range(200):
        counts = [DICE.choice((0, 0, 1, 3, 100)) for _ in range(5)]
        expected = [color for color, pieces in enumerate(counts) if pieces]
        assert bits.members(offer.colors_in(piles.packed(counts))) == expected


def test_keys_stay_within_63_bits_and_depend_on_the_order() -> None:
    words = [0, 1, 2**31, 2**32 - 1, 2**40, 2**62, 2**63 - 1]
    made = {keys.mixed(key, word) for key in words for word in words if key != word}
    assert all(0 <= key < 2**63 for key in made)
    assert keys.mixed(keys.mixed(5, 1), 2) != keys.mixed(keys.mixed(5, 2), 1)
    assert keys.key_of([1, [2, "a"], {"b": None}]) == keys.key_of([1, (2, "a"), {"b": None}])
    different = [[1, 2], [2, 1], [12], [[1], 2], ["1", 2], {"1": 2}, {"2": 1}, [1, 2, 0], [1, -2]]
    assert len({keys.key_of(value) for value in different}) == len(different)


# -- What programs that search use ------------------------------------------------------------

BOARDS = [(rules, options) for rules in catalog.BUILT_IN for options in all_options(catalog.find(rules))]


@pytest.mark.parametrize(("rules", "options"), BOARDS, ids=str)
@pytest.mark.parametrize("players", [2, 4])
def test_search_sees_one_game(rules: str, options: dict[str, str], players: int) -> None:
    """`become` is `copy`, `choose_any` draws from `legal`, `deal_from` is `deal`, equal states equal keys."""
    game = sintra.new(rules, players, seed=3, **options)  # type: ignore[arg-type]
    scratch = sintra.new(rules, players, seed=4, **options).live  # type: ignore[arg-type]
    snapshot = game.rules.snapshot
    choose, same = Chance(5).stream("bot 1"), Chance(5).stream("bot 1")
    state = game.live
    keys_seen: dict[int, str] = {}
    while state.phase != OVER and state.round < 6:
        if state.phase >= CHOICE:
            legal = state.legal()
            code = state.choose_any(choose)
            assert code == legal[same.below(len(legal))]
            before, key = snapshot(state), state.key()
            scratch.become(state)
            twin = state.copy()
            assert (scratch.key(), snapshot(scratch), scratch.legal()) == (key, before, legal)
            scratch.play(code)
            assert (state.key(), snapshot(state), snapshot(twin)) == (key, before, before)
            state.play(code)
            assert (scratch.key(), snapshot(scratch)) == (state.key(), snapshot(state))
            assert scratch.breakdown() == state.breakdown()
        elif state.phase == DEAL:
            label = f"displays {state.round + 1}"
            twin = state.copy()
            twin.deal(state.offer.draw(Chance(7).stream(label)))
            state.deal_from(Chance(7).stream(label))
            assert (twin.key(), snapshot(twin)) == (state.key(), snapshot(state))
        else:
            (state.end_round if state.phase == ROUND_END else state.finish)()
        assert 0 <= state.key() < 2**63
        seen = str(snapshot(state))
        assert keys_seen.setdefault(state.key(), seen) == seen
    assert len(keys_seen) > 50


def test_keys_are_the_same_in_every_process() -> None:
    code = "import sintra; print(sintra.new('azul', 3, seed=11).live.key())"
    made = {
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    }
    assert made == {f"{sintra.new('azul', 3, seed=11).live.key()}\n"}


def test_a_key_knows_the_score_and_forgets_where_it_came_from() -> None:
    state = sintra.new("azul", seed=1).live
    richer, poorer = state.copy(), state.copy()
    richer.boards[0].score += 5  # type: ignore[attr-defined]
    poorer.boards[0].score += 5  # type: ignore[attr-defined]
    poorer.boards[0].lost += 3  # type: ignore[attr-defined]
    assert richer.key() == poorer.key() != state.key()


# -- Offers of other sizes --------------------------------------------------------------------


def test_a_wide_offer_of_five_colors_is_an_offer() -> None:
    """The same draws, picks, codes and refills, whatever keeps them."""
    for seed in range(20):
        narrow, wide = Offer(4), WideOffer(4)
        choose = Chance(seed).stream("bot 1")
        for number in range(4):
            deals = [one.draw(Chance(seed).stream(f"displays {number}")) for one in (narrow, wide)]
            assert deals[0] == deals[1]
            assert narrow.deal_from(Chance(seed).stream(f"displays {number}")) == wide.deal(deals[0])
            while not narrow.empty():
                picks = narrow.picks()
                assert (picks, narrow.sources()) == (wide.picks(), wide.sources())
                assert [code for code in range(-1, 60) if wide.has(code)] == picks
                assert [code for code in range(-1, 60) if narrow.has(code)] == picks
                code = picks[choose.below(len(picks))]
                twin = wide.copy()
                taken = narrow.take(code)
                assert taken == wide.take(code)
                assert twin.picks() == picks
                for one in (narrow, wide):
                    one.discard(code % 5, taken)
                assert narrow.census() == wide.census() == [20] * 5
            assert wide.empty()
