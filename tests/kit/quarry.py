"""Quarry: about the smallest rule-set there can be, with six colors and five pieces on a display.

All it does is pick: every piece is a point, and the game ends when there is nothing left to deal.
"""

from __future__ import annotations

from collections.abc import Mapping

from sintra.rules import (
    CHOICE,
    DEAL,
    GAME_END,
    OVER,
    ROUND_END,
    Event,
    OptionValue,
    RuleSet,
    State,
    TableSnapshot,
    Value,
    pick_steps,
    table_fields,
)

COLORS = ("basalt", "granite", "gneiss", "marble", "slate", "sandstone")


class Arranged(Event, frozen=True, tag="arranged"):
    """Nothing is printed."""


class QuarryState(State):
    def __init__(self, players: int, like: QuarryState | None = None) -> None:
        super().__init__(players, like, colors=6, pieces=22, size=5)
        self.mined = [[0] * 6 for _ in range(players)]
        if like is not None:
            self.mined = [row[:] for row in like.mined]

    def copy(self) -> QuarryState:
        return type(self)(self.seats, self)

    def arrange(self, event: Arranged) -> None:  # noqa: ARG002 - there is nothing in it
        self.phase = DEAL

    def legal(self) -> list[int]:
        return self.offer.picks() if self.phase == CHOICE else []

    def play(self, code: int) -> None:
        self.take(code)
        self.take_tile(code)
        self.mined[self.player][self.color] += self.hand
        self.hand = 0
        self.next_player()
        self.phase = ROUND_END if self.offer.empty() else CHOICE

    def end_round(self) -> None:
        self.phase = GAME_END if self.offer.exhausted() else DEAL

    def finish(self) -> None:
        self.phase = OVER

    def scores(self) -> list[int]:
        return [sum(row) for row in self.mined]

    def winners(self) -> list[int]:
        return [player for player, score in enumerate(self.scores()) if score == max(self.scores())]

    def breakdown(self) -> list[dict[str, int]]:
        return [{"pieces": score} for score in self.scores()]

    def worth(self, player: int) -> int:
        return sum(self.mined[player])

    def census(self) -> list[int]:
        return [sum(column) for column in zip(self.offer.census(), *self.mined, strict=True)]


class Player(Value, frozen=True):
    score: int


class Snapshot(TableSnapshot, frozen=True):
    players: tuple[Player, ...]


class QuarryRules(RuleSet):
    name = "quarry"
    title = "Quarry"
    colors = COLORS
    arranged = Arranged
    steps = tuple(pick_steps(COLORS))
    rulings = ()

    def start(self, options: Mapping[str, OptionValue], players: int) -> QuarryState:  # noqa: ARG002
        return QuarryState(players)

    def snapshot(self, state: QuarryState) -> Snapshot:
        return Snapshot(**table_fields(state, COLORS), players=tuple(map(Player, state.scores())))


RULES = QuarryRules()
