"""Games of six and of eight colors, with other displays: the same kit, played through the whole contract."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from sintra.batch.selfplay import play_out
from sintra.bots.simple import random
from sintra.frozen import Value
from sintra.log.events import Event, OptionValue
from sintra.rules.chance import Chance
from sintra.rules.offer import BadDeal, Offer, pick_steps
from sintra.rules.piles import counts, of
from sintra.rules.ruleset import RuleSet
from sintra.rules.snapshot import TableSnapshot, table_fields
from sintra.rules.state import DEAL, GAME_END, OVER, ROUND_END, State
from sintra.rules.wide import WideOffer
from sintra.testing import check_game, check_vocabulary

COLORS = ("red", "orange", "yellow", "green", "blue", "violet", "white", "gray")
SIZES = {6: (6, 18, 5), 8: (8, 24, 3)}
"""The numbers of colors, of pieces of each, and of pieces on a display."""


class Arranged(Event, frozen=True, tag="arranged"):
    """Nothing is printed."""


class Stall(State):
    """Everybody keeps what they pick, a point a piece, less one for the starting tile."""

    def __init__(self, players: int, colors: int, like: Stall | None = None) -> None:
        colors, pieces, size = SIZES[colors]
        super().__init__(players, like, colors=colors, pieces=pieces, size=size)
        self.kept: list[int] = [0] * players if like is None else like.kept[:]
        self.lost: list[int] = [0] * players if like is None else like.lost[:]

    def copy(self) -> Stall:
        return Stall(self.seats, self.offer.colors, self)

    def arrange(self, event: Any) -> None:  # noqa: ARG002 - nothing is printed
        self.phase = DEAL

    def legal(self) -> list[int]:
        return self.offer.picks() if self.phase > OVER else []

    def play(self, code: int) -> None:
        self.take(code)
        self.lost[self.player] += self.take_tile(code)
        self.kept[self.player] += of(self.color, self.hand)
        self.hand = 0
        self.next_player()
        if self.offer.empty():
            self.phase = ROUND_END

    def end_round(self) -> None:
        self.phase = GAME_END if self.offer.exhausted() else DEAL

    def finish(self) -> None:
        self.phase = OVER

    def scores(self) -> list[int]:
        return [sum(parts.values()) for parts in self.breakdown()]

    def winners(self) -> list[int]:
        scores = self.scores()
        return [player for player, score in enumerate(scores) if score == max(scores)]

    def breakdown(self) -> list[dict[str, int]]:
        kept = [sum(counts(pile, 8)) for pile in self.kept]
        return [{"kept": own, "tile": -lost} for own, lost in zip(kept, self.lost, strict=True)]

    def worth(self, player: int) -> int:
        return self.scores()[player]

    def census(self) -> list[int]:
        return [a + b for a, b in zip(self.offer.census(), counts(sum(self.kept), 8), strict=False)]


class Keeper(Value, frozen=True):
    """What lies in front of one player."""

    score: int


class Table(TableSnapshot, frozen=True):
    """What lies on the table."""

    players: tuple[Keeper, ...]


class Stalls(RuleSet):
    """A game for tests, with as many colors as are asked for."""

    arranged = Arranged

    def __init__(self, colors: int) -> None:
        self.name = self.title = f"stall{colors}"
        self.colors = COLORS[:colors]
        self.steps = tuple(pick_steps(self.colors))

    def start(self, options: Mapping[str, OptionValue], players: int) -> Stall:  # noqa: ARG002
        return Stall(players, len(self.colors))

    def snapshot(self, state: Stall) -> Table:
        return Table(**table_fields(state, self.colors), players=tuple(map(Keeper, state.scores())))


@pytest.mark.parametrize("colors", SIZES)
def test_games_of_more_colors_keep_the_contract(colors: int) -> None:
    rules = Stalls(colors)
    check_vocabulary(rules)
    for seed in range(3):
        assert check_game(rules, {}, 4, seed) > 40


@pytest.mark.parametrize("colors", SIZES)
def test_codes_of_picks_follow_the_number_of_colors(colors: int) -> None:
    steps = [str(step) for step in pick_steps(COLORS[:colors])]
    assert len(steps) == 10 * colors
    assert steps[3 * colors + 2] == "pick 3 yellow"


@pytest.mark.parametrize("colors", SIZES)
def test_a_wide_offer_plays_by_the_same_rules(colors: int) -> None:
    """R1, R2: full displays, then short ones; nothing appears or vanishes; refused deals change nothing."""
    _, pieces, size = SIZES[colors]
    state = Stall(4, colors)
    assert isinstance(state.offer, WideOffer)
    state.arrange(None)
    with pytest.raises(BadDeal, match=f"at most {size} pieces"):
        state.deal([[0] * (size + 1)] + [[1] * size] * 8)
    with pytest.raises(BadDeal, match=r"no \{color\} left"):
        state.deal([[0] * size] * 9)
    assert state.offer.census() == [pieces] * colors
    twin = state.copy()
    play_out(state, Chance(8), [random] * 4, 30)
    assert state.phase == OVER
    assert sum(state.scores()) == pieces * colors - sum(state.lost)
    drawn = twin.offer.draw(Chance(8).stream("displays 1"))
    assert [len(display) for display in drawn] == [size] * 9
    twin.become(state)
    assert (twin.key(), twin.scores()) == (state.key(), state.scores())


def test_only_games_with_other_numbers_get_a_wide_offer() -> None:
    assert type(State(2).offer) is Offer
    assert type(State(2, pieces=19).offer) is type(State(2, size=5).offer) is WideOffer
