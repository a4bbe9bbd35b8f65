"""Gymnasium: `sintra.rl.gym`, one seat of a game against bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces

from sintra.batch.results import MANY_ROUNDS
from sintra.batch.tallies import bot_name, listing
from sintra.bots.names import maker
from sintra.errors import IllegalStep, UsageError
from sintra.game import Game
from sintra.log.events import OptionValue
from sintra.rl.kind import Kind
from sintra.rl.seat import Seat, observation_space
from sintra.rl.shown import MODES, check_mode, rendered
from sintra.rules.chance import bot_stream

LEARNER = "learner"
"""The learner's name in logs."""
ILLEGAL_REWARD = -1.0


def gym(
    rules: str = "azul",
    opponent: str | Sequence[str] = "random",
    players: int = 2,
    *,
    seat: int | None = None,
    strict: bool = False,
    render_mode: str | None = None,
    reward: str = "share",
    max_rounds: int = MANY_ROUNDS,
    components: Mapping[str, Any] | None = None,
    **options: OptionValue,
) -> SoloEnv:
    """Return a Gymnasium environment: one player learns, the others are bots.

    `opponent` is the name of a bot, or one for each other player, in turn order. `seat` is the learner's,
    from 1; without it, the learner takes the next seat with every episode. An illegal code ends the episode
    with a reward of -1, or raises IllegalStep if `strict`; `action_mask`, in observations and infos, has the
    legal ones. The other arguments are those of `sintra.rl.env`.
    """
    check_mode(render_mode)
    kind = Kind(rules, players, options, reward=reward, max_rounds=max_rounds, components=components)
    bots = listing(opponent)
    bots = bots * (players - 1) if len(bots) == 1 else bots
    if len(bots) != players - 1:
        raise UsageError(f"expected an opponent for each of {players - 1} other players, not {len(bots)}")
    if seat is not None and seat not in range(1, players + 1):
        raise UsageError(f"no seat {seat!r}: the seats are 1 to {players}")
    return SoloEnv(kind, bots, seat, strict, render_mode)


class SoloEnv(gymnasium.Env):
    """One seat of a game against bots. One step is one code: a pick, a placing and so on."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(MODES), "render_fps": 1}

    def __init__(
        self, kind: Kind, bots: Sequence[str], seat: int | None, strict: bool, render_mode: str | None
    ) -> None:
        self.kind = kind
        self.render_mode = render_mode
        self.observation_space = observation_space(kind)
        self.action_space = spaces.Discrete(kind.width)
        self._bots = list(bots)
        self._makers = [maker(bot) for bot in bots]
        self._fixed = seat
        self._strict = strict
        self._seat = Seat(kind)
        self._done = True
        self.seat = 0
        """The learner's seat, from 0."""

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """Begin the next episode; a seed starts a new sequence of episodes."""
        super().reset(seed=seed, options=options)
        self._seat.reset(seed)
        self.seat = (self._seat.episode - 1) % self.kind.players if self._fixed is None else self._fixed - 1
        known = self._seat.chance.seed
        seats = [(self.seat + 1 + number) % self.kind.players for number in range(self.kind.players - 1)]
        self._others = {
            other: (make(), bot_stream(known, other + 1))
            for other, make in zip(seats, self._makers, strict=True)
        }
        self._names = {other: bot_name(bot, other + 1) for other, bot in zip(seats, self._bots, strict=True)}
        self._done = not self._answer()
        return self._seen()

    def _answer(self) -> bool:
        """Let the bots play until it is the learner's turn; return True if the game goes on."""
        table = self._seat
        while table.state.player != self.seat:
            bot, stream = self._others[table.state.player]
            if not table.play(bot(table.state.copy(), stream)):
                return False
        return True

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take a step, and let the bots answer."""
        if self._done:
            raise UsageError("the episode is over: call reset")
        try:
            self._done = not (self._seat.play(action) and self._answer())
        except IllegalStep as error:
            if self._strict:
                raise
            self._done = True
            seen, info = self._seen()
            return seen, ILLEGAL_REWARD, True, False, {**info, "illegal": str(error)}
        if self.render_mode == "human":
            self.render()
        over = self._seat.over
        reward = self._seat.rewards()[self.seat] if self._done else 0.0
        seen, info = self._seen()
        return seen, reward, over, self._done and not over, info

    def _seen(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Return the learner's observation, and the mask again where some libraries look for it."""
        seen = self._seat.observed(self.seat)
        return seen, {"action_mask": seen["action_mask"]}

    def action_masks(self) -> np.ndarray:
        """Return True for each legal code."""
        return self._seat.mask().astype(bool)

    def render(self) -> Any:
        """Print the table, or return it as text or as a picture, depending on `render_mode`."""
        return rendered(self.game(), self.render_mode)

    def game(self) -> Game:
        """Return the episode as an ordinary game; once it is over, its log is complete."""
        names = {self.seat: LEARNER, **self._names}
        return self._seat.game([names[seat] for seat in range(self.kind.players)])
