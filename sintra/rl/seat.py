"""One game in the form that an environment needs: observations, steps and rewards."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from sintra.batch.arrays import settle
from sintra.errors import IllegalStep, UsageError
from sintra.rl.kind import Kind, Table
from sintra.rl.vectors import viewed
from sintra.rules.observer import clear, small_numbers
from sintra.rules.state import CHOICE, OVER


def observation_space(kind: Kind) -> spaces.Dict:
    """Return the space of observations: planes, and a mask of the legal codes."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 255, kind.shape, np.uint8),
            "action_mask": spaces.Box(0, 1, (kind.width,), np.int8),
        }
    )


class Seat(Table):
    """A game, observed from any seat."""

    def __init__(self, kind: Kind) -> None:
        super().__init__(kind)
        self._planes = small_numbers(int(np.prod(kind.shape)))
        self._mask = small_numbers(kind.width)
        self._planes_seen = viewed(self._planes, np.uint8).reshape(kind.shape)
        self._mask_seen = viewed(self._mask, np.int8)

    def reset(self, seed: object) -> None:
        """Begin the next episode, or the first one of another seed."""
        super().reset(seed)
        settle(self.state, self.chance, self.kind.max_rounds)
        self.kind.observer.lay_out(self.state, self._planes, 0)

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self.state.phase == OVER

    def mask(self) -> np.ndarray:
        """Return 1 for each legal code; all are 0 if nobody may choose."""
        clear(self._mask, 0, self.kind.width)
        if self.state.phase >= CHOICE:
            self.kind.observer.mark(self.state, self._mask, 0)
        found: np.ndarray = self._mask_seen.copy()
        return found

    def observed(self, seat: int) -> dict[str, np.ndarray]:
        """Return the observation of a seat, from 0."""
        self.kind.observer.paint(self.state, seat, self._planes, 0)
        mask = self.mask() if seat == self.state.player else np.zeros(self.kind.width, np.int8)
        return {"observation": self._planes_seen.copy(), "action_mask": mask}

    def code(self, action: object) -> int:
        """Return an action as a code; raise UsageError if it is not one."""
        try:
            code = action.__index__()  # type: ignore[attr-defined]
        except (AttributeError, TypeError):
            raise UsageError(f"an action is the code of a step, a whole number, not {action!r}") from None
        if not 0 <= code < self.kind.width:
            raise UsageError(f"no code {code}: the codes are 0 to {self.kind.width - 1}")
        return int(code)

    def play(self, action: object) -> bool:
        """Take a step; return True if the game goes on. Raise IllegalStep if the step is not legal."""
        code = self.code(action)
        state = self.state
        if state.phase < CHOICE or not state.allows(code):
            steps = self.kind.rules.steps
            legal = [steps[one].words for one in state.legal()]
            raise IllegalStep(f"code {code} ({steps[code].words}) is not legal here", legal)
        self.codes.append(code)
        state.play(code)
        return state.phase >= CHOICE or settle(state, self.chance, self.kind.max_rounds)

    def rewards(self) -> list[float]:
        """Return everybody's final reward: nothing, if the game was cut short."""
        return self.kind.rewards(self.state) if self.over else [0.0] * self.kind.players
