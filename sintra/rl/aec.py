"""PettingZoo: `sintra.rl.env`, an environment in which agents act one after the other (AEC)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from sintra.batch.results import MANY_ROUNDS
from sintra.game import Game
from sintra.log.events import OptionValue
from sintra.rl.kind import Kind
from sintra.rl.seat import Seat, observation_space
from sintra.rl.shown import MODES, check_mode, rendered


def env(
    rules: str = "azul",
    players: int = 2,
    *,
    render_mode: str | None = None,
    reward: str = "share",
    max_rounds: int = MANY_ROUNDS,
    components: Mapping[str, Any] | None = None,
    **options: OptionValue,
) -> GameEnv:
    """Return a PettingZoo environment; agents are `player_1` and so on, in turn order.

    An observation has the planes (`observation`) and the legal codes (`action_mask`). `reward` is `share` (of
    the victory) or `margin` (points ahead of the best other player), given at the end; after `max_rounds`
    rounds a game is truncated. Options of the rule-set go by their names: `side="gray"`.
    """
    check_mode(render_mode)
    kind = Kind(rules, players, options, reward=reward, max_rounds=max_rounds, components=components)
    return GameEnv(kind, render_mode)


class GameEnv(AECEnv):
    """A game for learning agents. One step is one code: a pick, a placing and so on."""

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": list(MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(self, kind: Kind, render_mode: str | None) -> None:
        super().__init__()
        self.kind = kind
        self.metadata = {**self.metadata, "name": f"{kind.rules.name}_v0"}  # type: ignore[misc]
        self.render_mode = render_mode
        self.possible_agents = [f"player_{number}" for number in range(1, kind.players + 1)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._seat = Seat(kind)
        space = observation_space(kind)
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: spaces.Discrete(kind.width) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions: all codes."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:  # noqa: ARG002 - PettingZoo's
        """Begin the next episode; a seed starts a new sequence of episodes."""
        self._seat.reset(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._seat.state.player]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Return an agent's observation; only the agent to move has legal codes."""
        return self._seat.observed(self._seats[agent])

    def step(self, action: int | None) -> None:
        """Take a step for the agent to move; raise IllegalStep, and change nothing, if it is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        goes_on = self._seat.play(action)
        if goes_on:
            self.agent_selection = self.possible_agents[self._seat.state.player]
        else:
            self._end()
        if self.render_mode == "human":
            self.render()

    def _end(self) -> None:
        """Give everybody their reward, unless the rounds ran out."""
        rewards = self._seat.rewards()
        for agent, seat in self._seats.items():
            self.rewards[agent] = self._cumulative_rewards[agent] = rewards[seat]
            self.terminations[agent] = self._seat.over
            self.truncations[agent] = not self._seat.over
        self.agent_selection = self.agents[0]

    def render(self) -> str | None:
        """Print the table, or return it as text or as a picture, depending on `render_mode`."""
        return rendered(self.game(), self.render_mode)

    def game(self) -> Game:
        """Return the episode as an ordinary game; once it is over, its log is complete."""
        return self._seat.game()

    def close(self) -> None:
        """Do nothing."""
