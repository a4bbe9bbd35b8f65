"""OpenSpiel: importing this module registers every game, as `python_azul` and so on.

>>> import pyspiel, sintra.rl.spiel
>>> game = pyspiel.load_game("python_azul", {"players": 3, "side": "gray"})

Chance is explicit: every piece that is drawn is a node, and so is each draw that lays out the table.
Utilities are shares of the victory; if the rounds run out (R6), everybody has an equal one.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
import pyspiel

from sintra import catalog
from sintra.batch.results import MANY_ROUNDS
from sintra.game import Game
from sintra.log.events import OptionValue
from sintra.rl.explicit import Position
from sintra.rl.kind import Kind
from sintra.rl.vectors import viewed
from sintra.rules.observer import small_numbers
from sintra.rules.ruleset import RuleSet

OUTCOMES = 100
"""Maximum number of outcomes of a draw."""


def game_type(rules: RuleSet) -> Any:
    """Return the description of a game for OpenSpiel."""
    options = {option.name: _plain(option.default) for option in rules.options}
    return pyspiel.GameType(
        short_name=f"python_{rules.name}",
        long_name=rules.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.CONSTANT_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(rules.players),
        min_num_players=min(rules.players),
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={"players": min(rules.players), "max_rounds": MANY_ROUNDS, **options},
    )


def _plain(value: OptionValue) -> OptionValue:
    """Return the value of an option as OpenSpiel reads it from text: digits are a number there."""
    return int(value) if isinstance(value, str) and value.isdecimal() else value


def _options(rules: RuleSet, given: dict[str, Any]) -> dict[str, OptionValue]:
    """Return options as the rule-set knows them."""
    known = {(option.name, _plain(value)): value for option in rules.options for value in option.values}
    return {name: known.get((name, value), value) for name, value in given.items()}


class SpielGame(pyspiel.Game):
    """A game with its options; makes states."""

    rules: RuleSet
    type: Any

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = dict(params or {})
        players = given.pop("players", min(self.rules.players))
        rounds = given.pop("max_rounds", MANY_ROUNDS)
        self.kind = Kind(self.rules.name, players, _options(self.rules, given), max_rounds=rounds)
        pieces = self.kind.start_pieces()
        info = pyspiel.GameInfo(
            num_distinct_actions=self.kind.width,
            max_chance_outcomes=OUTCOMES,
            num_players=players,
            min_utility=0.0,
            max_utility=1.0,
            utility_sum=1.0,
            max_game_length=rounds * (4 * pieces + 5 * players),
        )
        super().__init__(self.type, info, params or {})

    def new_initial_state(self) -> SpielState:
        """Return the beginning of a game: chance draws first."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:  # noqa: ARG002
        """Return an observer, which fills the planes of a state."""
        return SpielObserver(self.kind)


class SpielState(pyspiel.State):
    """A game under way."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.position = Position(game.kind)

    def current_player(self) -> Any:
        """Return who acts: a seat from 0, chance, or nobody."""
        if self.position.odds:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if self.position.over else int(self.position.state.player)

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002 - asked of the one to move only
        return self.position.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what chance may draw, with probabilities."""
        return self.position.odds

    def _apply_action(self, action: int) -> None:
        self.position.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if (player == pyspiel.PlayerId.CHANCE) == bool(self.position.odds):
            return self.position.words(action)
        return self.position.kind.rules.steps[action].words

    def is_terminal(self) -> bool:
        """Return True if the game is over."""
        return self.position.over

    def returns(self) -> list[float]:
        """Return everybody's utility."""
        return self.position.returns()

    def game_log(self) -> Game:
        """Return the episode as an ordinary game, with its log."""
        return self.position.game()

    def __str__(self) -> str:
        position = self.position
        drawn = "".join(f" {number}" for number in position.drawn)
        return f"{position.kind.rules.snapshot(position.state)}" + (f" drawn:{drawn}" if drawn else "")


class SpielObserver:
    """Planes in the form that OpenSpiel expects: a flat list of numbers."""

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self._cells = small_numbers(prod(kind.shape))
        self._seen = viewed(self._cells, np.uint8)
        self.tensor = np.zeros(prod(kind.shape), np.float32)
        self.dict = {"planes": self.tensor.reshape(kind.shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the planes as a player, from 0, sees them."""
        self._kind.observer.lay_out(state.position.state, self._cells, 0)
        self._kind.observer.paint(state.position.state, player, self._cells, 0)
        self.tensor[:] = self._seen

    def string_from(self, state: SpielState, player: int) -> str:  # noqa: ARG002 - all see the same
        """Return the table in words."""
        return str(state)


def register() -> None:
    """Register every installed game that has planes, each once."""
    for rules in catalog.installed()[0]:
        name = f"python_{rules.name}"
        if rules.planes and name not in pyspiel.registered_names():
            kind = game_type(rules)
            made = type(f"{rules.name.title()}Game", (SpielGame,), {"rules": rules, "type": kind})
            pyspiel.register_game(kind, made)


register()
