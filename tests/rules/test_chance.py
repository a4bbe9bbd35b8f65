"""The generator: frozen by vectors, unbiased, and the same as a second one written from its description."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

import sintra
from sintra.games.sintra.colors import COLORS
from sintra.rules.chance import Chance, Stream, SystemStream, new_seed

VECTORS = json.loads((Path(__file__).parents[2] / "fixtures" / "chance.json").read_text())


def described(seed: int, label: str, count: int) -> list[int]:
    """The generator as its description says, in the plainest way: lists and big numbers."""
    word = 2**32
    state = [0, 0, 0, 1]

    def step() -> int:
        a, b, c, d = state
        result = (a + b + d) % word
        rotated = (c * 2**21) % word + c // 2**11
        state[:] = [b ^ (b // 2**9), (c + c * 8) % word, (rotated + result) % word, (d + 1) % word]
        return result

    def absorb(*words: int) -> None:
        for at, value in enumerate(words):
            state[at] ^= value
        for _ in range(12):
            step()

    absorb(seed % word, seed // word, 0x53494E54)
    text = label.encode()
    text += bytes(-len(text) % 12)
    for at in range(0, len(text), 12):
        absorb(*(int.from_bytes(text[at + i : at + i + 4], "little") for i in (0, 4, 8)))
    return [step() for _ in range(count)]


@pytest.mark.parametrize("vector", VECTORS["words"], ids=lambda v: f"{v['seed']}-{v['label']}")
def test_the_words_are_those_of_the_vectors(vector: dict[str, object]) -> None:
    stream = Chance(vector["seed"]).stream(str(vector["label"]))  # type: ignore[arg-type]
    assert [stream.word() for _ in range(8)] == vector["words"]
    assert described(vector["seed"], str(vector["label"]), 8) == vector["words"]  # type: ignore[arg-type]


@pytest.mark.parametrize("vector", VECTORS["games"], ids=lambda v: f"{v['players']}-{v['seed']}")
def test_a_seed_gives_the_game_of_the_vectors(vector: dict[str, object]) -> None:
    game = sintra.new("sintra", vector["players"], seed=vector["seed"])  # type: ignore[arg-type]
    first = game.state
    assert [color[0] for color in first.indicator] == list(str(vector["indicator"]))  # type: ignore[attr-defined]
    dealt = game.events[2]
    assert ["".join(c[0] for c in d) for d in dealt.displays] == vector["displays"]  # type: ignore[attr-defined]


def test_every_number_is_as_likely_as_any_other() -> None:
    """The remainder of 2^32 by n is thrown away: over words that count up, each draw comes equally often.

    A stream that begins with the words (w, 0, 0, 0) gives w first, and 1 after it.
    """
    assert [Stream(2**32 - 1, 0, 0, 0).word(), Stream(5, 0, 0, 0).word()] == [2**32 - 1, 5]
    last = [Stream(2**32 - back, 0, 0, 0).below(7) for back in (6, 5, 4, 3, 2, 1)]
    assert last == [5, 6, 1, 1, 1, 1]  # 2^32 mod 7 is 4: the last four words are not used
    counts = Counter(Stream(start, 0, 0, 0).below(7) for start in range(7 * 100))
    assert counts == dict.fromkeys(range(7), 100)
    assert Stream(2**32 - 1, 0, 0, 0).below(8) == 7  # all words are used


def test_places_are_draws_from_ever_fewer_things() -> None:
    """They are what `below` gives, one after the other, also where a word is not used."""
    for start in (0, 2**32 - 1):
        one, other = Stream(start, 5, 6, 7), Stream(start, 5, 6, 7)
        assert one.places(100, 90) == [other.below(100 - drawn) for drawn in range(90)]
        assert [one.a, one.b, one.c, one.d] == [other.a, other.b, other.c, other.d]
    assert Stream(2**32 - 1, 0, 0, 0).places(7, 1) == [1]  # the first word is not used
    drawn = Chance(None).stream("any").places(3, 3)
    assert (drawn[0] < 3, drawn[1] < 2, drawn[2]) == (True, True, 0)


def test_the_stream_of_a_deal_is_found_by_its_number() -> None:
    chance = Chance(2**53 - 1)
    for number in (1, 9, 10, 42, 99, 100, 12345):
        assert chance.deal(number).word() == chance.stream(f"displays {number}").word()
    assert isinstance(Chance(None).deal(1), SystemStream)


def test_draws_are_spread_evenly() -> None:
    stream = Chance(1).stream("test")
    counts = Counter(stream.below(5) for _ in range(50_000))
    chi = sum((counts[n] - 10_000) ** 2 / 10_000 for n in range(5))
    assert chi < 23.5  # one in ten thousand, for 4 degrees of freedom; the seed is fixed


def test_a_shuffle_reaches_every_order_equally() -> None:
    stream = Chance(2).stream("test")
    counts = Counter(tuple(stream.shuffled("abc")) for _ in range(12_000))
    assert len(counts) == 6
    assert all(1_800 < n < 2_200 for n in counts.values())


def test_streams_are_independent_of_each_other() -> None:
    chance = Chance(5)
    first = chance.stream("displays 1")
    first.below(10)
    assert chance.stream("displays 2").word() == Chance(5).stream("displays 2").word()
    starts = {chance.stream(f"displays {n}").word() for n in range(100)}
    assert len(starts) == 100


def test_long_labels_are_absorbed_whole() -> None:
    assert Chance(1).stream("a" * 12 + "b").word() != Chance(1).stream("a" * 12 + "c").word()


def test_without_a_seed_the_system_draws() -> None:
    stream = Chance(None).stream("displays 1")
    assert len({stream.word() for _ in range(50)}) > 40
    assert {stream.below(3) for _ in range(200)} == {0, 1, 2}


def test_a_new_seed_is_in_range() -> None:
    seeds = {new_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert all(0 <= seed < 2**53 for seed in seeds)


def test_displays_are_filled_in_order_from_the_bag() -> None:
    """The deal of round 1 is the stream's draws, one piece after another, without replacement."""
    game = sintra.new(seed=42)
    bag = [20] * 5
    for color in game.state.indicator:  # type: ignore[attr-defined]
        bag[COLORS.index(color)] -= 1
    stream = Chance(42).stream("displays 1")
    drawn = []
    for _ in range(20):
        pieces = [color for color, count in zip(COLORS, bag, strict=True) for _ in range(count)]
        drawn.append(pieces[stream.below(len(pieces))])
        bag[COLORS.index(drawn[-1])] -= 1
    assert [color for display in game.events[2].displays for color in display] == drawn  # type: ignore[attr-defined]


@pytest.mark.parametrize("n", [0, -1, -(2**31), 2**32 + 1, 2**53, 2**62])
@pytest.mark.parametrize("seed", [1, None])
def test_what_nothing_can_be_drawn_below(n: int, seed: int | None) -> None:
    with pytest.raises(ValueError, match=r"n must be from 1 to 2\^32"):
        Chance(seed).stream("indicator").below(n)
    assert Chance(seed).stream("indicator").below(1) == 0
    assert 0 <= Chance(seed).stream("indicator").below(2**32) < 2**32
