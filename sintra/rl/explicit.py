"""A game in which chance is a player: the arrangement and deals are chosen draw by draw."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from sintra.errors import UsageError
from sintra.game import Game
from sintra.log.events import Dealt
from sintra.rl.kind import Kind
from sintra.rules.piles import count, total
from sintra.rules.script import Script, Undrawn
from sintra.rules.state import ARRANGE, CHOICE, DEAL, GAME_END, OVER, ROUND_END, State


class Position:
    """A game whose draws are actions: a piece is drawn by its color, everything else by its number."""

    def __init__(self, kind: Kind, like: Position | None = None) -> None:
        self.kind = kind
        if like is None:
            self.state: State = kind.rules.start(kind.created.options, kind.players)
            self.drawn: list[int] = []
            self.arrangement: Any = None
            self.history: list[list[list[int]] | int] = []
            self._go_on()
        else:
            self.state = like.state.copy()
            self.drawn = like.drawn[:]
            self.arrangement = like.arrangement
            self.history = like.history[:]
            self.odds = like.odds

    odds: list[tuple[int, float]]
    """The possible next draws, with probabilities; empty if it is not chance's turn."""

    def __deepcopy__(self, _: object) -> Position:
        return Position(self.kind, self)

    @property
    def over(self) -> bool:
        """True if the game has ended, or its rounds ran out (R6)."""
        return not self.odds and self.state.phase < CHOICE

    def legal(self) -> list[int]:
        """Return the codes of the legal steps; none if it is chance's turn, or the game is over."""
        return [] if self.odds else self.state.legal()

    def play(self, action: int) -> None:
        """Take a step, or make a draw."""
        if self.odds:
            self.drawn.append(action)
        else:
            self.history.append(action)
            self.state.play(action)
        self._go_on()

    def returns(self) -> list[float]:
        """Return everybody's share of the victory; equal ones if the game was cut short."""
        if self.state.phase == OVER:
            return self.kind.rewards(self.state)
        return [1 / self.kind.players if self.over else 0.0] * self.kind.players

    # -- Chance --

    def _go_on(self) -> None:
        """Let everything automatic happen, up to the next choice or draw."""
        state = self.state
        self.odds = []
        while state.phase < CHOICE and state.phase != OVER:
            if state.phase == ROUND_END:
                state.end_round()
            elif state.phase == GAME_END:
                state.finish()
            elif state.phase == ARRANGE:
                self._arrange()
            elif state.phase != DEAL or state.round >= self.kind.max_rounds:
                return
            else:
                self._deal()
            if self.odds:
                return

    def _arrange(self) -> None:
        """Lay the table out, if all draws are known."""
        kind = self.kind
        script = Script(self.drawn)
        try:
            self.arrangement = kind.rules.arrange(kind.created.options, kind.players, kind.components, script)
        except Undrawn as need:
            self.odds = [(number, 1 / need.below) for number in range(need.below)]
            return
        self.state.arrange(self.arrangement)
        self.drawn = []

    def _deal(self) -> None:
        """Fill the displays if all pieces are drawn; otherwise set the odds of the next one."""
        offer = self.state.offer
        bag = _left(offer, self.drawn)
        size = offer.size
        if bag and len(self.drawn) < offer.displays * size:
            pieces = int(total(bag))
            counts = [count(bag, color) for color in range(offer.colors)]
            self.odds = [(color, int(held) / pieces) for color, held in enumerate(counts) if held]
            return
        dealt = [self.drawn[at * size : (at + 1) * size] for at in range(offer.displays)]
        self.history.append(dealt)
        self.drawn = []
        self.state.deal(dealt)

    # -- Looking at it --

    def words(self, action: int) -> str:
        """Return an action in words: a step, a color that is drawn, or a number."""
        if not self.odds:
            return self.kind.rules.steps[action].words
        return self.kind.rules.colors[action] if self.state.phase == DEAL else str(action)

    def game(self) -> Game:
        """Return the game with its log, like one at a real table: with the draws, and without a seed."""
        kind = self.kind
        if self.arrangement is None:
            raise UsageError("the table is not laid out yet")
        created = replace(kind.created, chance="table", seed=None)
        game = Game.start(kind.rules, created)
        game.record(self.arrangement)
        for one in self.history:
            if isinstance(one, int):
                game.choose(one)
                game.settle()
            else:
                colors = kind.rules.colors
                displays = tuple(tuple(colors[color] for color in display) for display in one)
                game.record(Dealt(game.round + 1, displays))
        return game


def _left(offer: Any, drawn: list[int]) -> int:
    """Return the pile that the next piece comes from: the bag, and when it is empty, the tower (R2)."""
    bag: int = offer.bag
    tower: int = offer.tower
    for color in drawn:
        if not bag:
            bag, tower = tower, 0
        bag -= 1 << color * 8
    return bag or tower
