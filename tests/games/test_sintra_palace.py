"""The packed palace: its words say the same as plain lists, and agree with each other at every step."""

from __future__ import annotations

from random import Random

import pytest

from sintra.games.sintra import SINTRA
from sintra.games.sintra.boards import SLOTS
from sintra.games.sintra.colors import COLORS, JOKER
from sintra.games.sintra.player import BOTTOM, Palace, digit, gather, pile_of, spread, strip_at
from sintra.games.sintra.rules import SintraState
from sintra.log.events import OptionValue
from sintra.rules.chance import Chance
from sintra.rules.piles import counts, total
from sintra.rules.state import CHOICE


def test_digits_are_read_from_the_right() -> None:
    assert [digit(0o4321, at) for at in range(6)] == [1, 2, 3, 4, 0, 0]
    assert digit(3 << 60, 20) == 3


def test_strips_stand_side_by_side_in_two_words() -> None:
    left, right = 0o55555_33333_22222_11111, 0o44444_00000_00000_12345
    assert [strip_at(left, right, slot) for slot in range(SLOTS)] == [
        *(0o11111, 0o22222, 0o33333, 0o55555),
        *(0o12345, 0, 0, 0o44444),
    ]


def test_gather_and_spread_are_inverse() -> None:
    for members in range(256):
        assert spread(members) == sum(8**n for n in range(8) if members >> n & 1)
        assert gather(spread(members) * 5) == gather(spread(members) | 0o777 << 24) == members


def test_counts_are_a_pile() -> None:
    rng = Random(1)
    for _ in range(200):
        pieces = [rng.randrange(6) for _ in range(5)]
        assert counts(pile_of(sum(n << 3 * color for color, n in enumerate(pieces))), 5) == pieces


@pytest.mark.parametrize("players", [2, 4])
def test_the_words_of_a_palace_agree_at_every_step(players: int) -> None:
    """What is kept for speed, `takes` and `leftmost`, follows from the rest; pieces fill spaces."""
    options: dict[str, OptionValue] = {"side": "B", "floor_at_zero": False}
    for seed in range(15):
        chance = Chance(seed)
        state = SINTRA.start(options, players)
        state.arrange(SINTRA.arrange(options, players, {}, chance))
        choose = chance.stream("bot 1")
        while state.round < 6 or state.phase >= CHOICE:
            if state.phase < CHOICE:
                state.deal_from(chance.stream(f"displays {state.round + 1}"))
            while state.phase >= CHOICE:
                state.play(state.choose_any(choose))
                for player, palace in enumerate(state.palaces):
                    check(state, player, palace)
            state.end_round()


def check(state: SintraState, player: int, palace: Palace) -> None:
    tops = [digit(palace.panes, window) for window in range(SLOTS)]
    bottoms = [digit(palace.panes >> BOTTOM, window) for window in range(SLOTS)]
    assert palace.leftmost == [*bottoms, 0].index(0)
    takes = 0
    for slot, strip in enumerate(state.printed.rows[player]):
        up = () if bottoms[slot] else strip.down if tops[slot] else strip.up
        empty = [palace.room(slot, color) for color in range(5)]
        held = counts(palace.held(slot), 5)
        on_jokers = counts(palace.on_jokers, 5) if JOKER in up else [0] * 5
        for color, name in enumerate(COLORS):
            assert empty[color] + held[color] - on_jokers[color] == up.count(name)
        assert palace.free(slot) + sum(on_jokers) == up.count(JOKER)
        assert palace.filled(slot) == total(palace.held(slot)) == sum(held)
        assert palace.is_complete(slot) == (sum(held) in (0, 5) and sum(empty) + palace.free(slot) == 0)
        for kind, spaces in enumerate([*empty, palace.free(slot)]):
            takes |= bool(spaces) << kind * 8 + slot
    assert palace.takes == takes
