"""Many games at once behind numpy arrays: `sintra.rl.vector`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from sintra.batch.arrays import Batch, Episode
from sintra.batch.plan import check_number
from sintra.batch.results import MANY_ROUNDS
from sintra.errors import IllegalStep, UsageError
from sintra.log.events import OptionValue
from sintra.rl.kind import Kind, seed_given
from sintra.rules.observer import words_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sintra.game import Game

MAX_GAMES = 1 << 20
"""Maximum number of games in a batch."""
MAX_PROCESSES = 256


def vector(
    rules: str = "azul",
    games: int = 1024,
    players: int = 2,
    *,
    seed: int | None = None,
    planes: bool = True,
    reward: str = "share",
    max_rounds: int = MANY_ROUNDS,
    keep: bool = False,
    processes: int = 1,
    components: Mapping[str, Any] | None = None,
    **options: OptionValue,
) -> Vector:
    """Return a batch of games that are played side by side, one step in each at a time.

    `planes=False` leaves out the planes, which take most of the time. `reward` is `share` (of the victory) or
    `margin` (points ahead of the best other player), given when a game is over. After `max_rounds` rounds a
    game is truncated. `keep=True` keeps the finished games: see `Vector.episodes`. With `processes`, as many
    worker processes share the games. Options of the rule-set go by their names: `side="gray"`.
    """
    check_number("games", games, MAX_GAMES)
    check_number("processes", processes, min(games, MAX_PROCESSES))
    kind = Kind(rules, players, options, reward=reward, max_rounds=max_rounds, components=components)
    if processes == 1:
        return Vector(kind, games, seed, planes, keep)
    from sintra.rl.parallel import ParallelVector

    return ParallelVector(kind, games, seed, planes, keep, processes)


class Vector:
    """Games that are played side by side. Arrays have a row for each, and change with every step.

    They are read-only views of the memory that the rules write to: copy what you want to keep.
    """

    planes: NDArray[np.uint8]
    """What the player to move sees: games x planes x rows x columns. Without planes: games x 0."""
    masks: NDArray[np.bool_]
    """True for each legal code: games x codes."""
    movers: NDArray[np.uint8]
    """The seat of the player to move, from 0."""
    rewards: NDArray[np.float64]
    """Every player's reward for the last step: games x seats; zeros unless it ended a game."""
    ended: NDArray[np.bool_]
    """True where the last step ended a game; the next one has begun."""
    truncated: NDArray[np.bool_]
    """True where the last step reached the limit of rounds (R6); the next game has begun."""

    def __init__(self, kind: Kind, games: int, seed: int | None, planes: bool, keep: bool) -> None:
        self.kind = kind
        self.games = games
        self.players = kind.players
        self.codes = kind.width
        """The number of codes."""
        self.keep = keep
        self.plane_names: list[str] = []
        """The name of every plane."""
        if planes:
            self._shape: tuple[int, ...] = (games, *kind.shape)
            self.plane_names = kind.planes.names(kind.players) if kind.planes else []
        else:
            self._shape = (games, 0)
        self._open()
        self.reset(seed)

    def _open(self) -> None:
        """Make the arrays."""
        self._batch = self.kind.batch(self.games, len(self._shape) > 2, self.keep)
        view(self, self._batch, self._shape)

    def reset(self, seed: int | None = None) -> None:
        """Restart all games; without a seed, one is drawn."""
        self._batch.reset(seed_given(seed))

    def step(self, codes: Any) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Take a step in every game; return `rewards` and where games ended or were truncated.

        Raise IllegalStep, and change nothing, if a code is not legal in its game.
        """
        return self._played(self._batch.step(words_of(self._checked(codes))), codes)

    def _checked(self, codes: Any) -> NDArray[np.int64]:
        """Return codes as integers; raise UsageError if they are not, or not one for each game."""
        given = np.asarray(codes)
        if given.dtype.kind not in "iu":
            raise UsageError(f"codes must be whole numbers, not {given.dtype}")
        if given.shape != (self.games,):
            raise UsageError(f"expected a code for each of {self.games} games, not shape {given.shape}")
        return np.ascontiguousarray(given, np.int64)

    def _played(self, illegal: int, codes: Any) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Return the results of a step; raise IllegalStep if a game could not take its code."""
        if illegal < 0:
            return self.rewards, self.ended | self.truncated
        code = int(np.asarray(codes)[illegal])
        steps = self.kind.rules.steps
        words = f" ({steps[code].words})" if 0 <= code < len(steps) else ""
        legal = np.flatnonzero(self.masks[illegal]).tolist()
        raise IllegalStep(
            f"game {illegal}: code {code}{words} is not legal; the legal codes are {legal}",
            [steps[one].words for one in legal],
        )

    def sample(self, chance: np.random.Generator) -> NDArray[np.int64]:
        """Return a random legal code for every game, all equally likely."""
        return sampled(self.masks, chance)

    def game(self, number: int) -> Game:
        """Return game `number`, from 0, as an ordinary game to look at; it does not reveal future draws."""
        seed, codes = self._under_way(self._number(number))
        return self.kind.game(seed, codes)

    def _number(self, number: int) -> int:
        if not 0 <= number < self.games:
            raise UsageError(f"no game {number}: the games are 0 to {self.games - 1}")
        return number

    def _under_way(self, number: int) -> tuple[int, list[int]]:
        return self._batch.under_way(number)

    def episodes(self) -> list[Game]:
        """Return the games that ended since the last call, with their logs; needs `keep=True`."""
        if not self.keep:
            raise UsageError("episodes are kept only with keep=True")
        return [self.kind.game(one.seed, one.codes) for one in self._ended()]

    def _ended(self) -> list[Episode]:
        return self._batch.taken_off()

    def close(self) -> None:
        """End the worker processes, if there are any."""

    def __enter__(self) -> Vector:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


ARRAYS = {
    "masks": np.bool_,
    "planes": np.uint8,
    "movers": np.uint8,
    "rewards": np.float64,
    "ended": np.bool_,
    "truncated": np.bool_,
}
"""The arrays of a batch, with their types."""


def viewed(memory: Any, kind: Any) -> Any:
    """Return an array of the rules as one of numpy that shares its memory."""
    return np.frombuffer(memory, kind) if len(memory) else np.empty(0, kind)


def view(vector: Vector, batch: Batch, shape: tuple[int, ...]) -> None:
    """Make the arrays of a vector views of a batch's arrays."""
    for name, kind in ARRAYS.items():
        flat = viewed(getattr(batch, name), kind)
        flat.flags.writeable = False
        setattr(vector, name, flat.reshape(shape if name == "planes" else shape_of(vector, name)))


def shape_of(vector: Vector, name: str) -> tuple[int, ...]:
    """Return the shape of an array other than the planes."""
    if name == "masks":
        return vector.games, vector.codes
    return (vector.games, vector.players) if name == "rewards" else (vector.games,)


def sampled(masks: NDArray[np.bool_], chance: np.random.Generator) -> NDArray[np.int64]:
    """Return one of the true columns of each row, all equally likely."""
    legal = np.flatnonzero(masks)
    counts = np.count_nonzero(masks, axis=1)
    drawn = (chance.random(len(counts)) * counts).astype(np.int64)
    codes: NDArray[np.int64] = legal[np.cumsum(counts) - counts + drawn] % masks.shape[1]
    return codes
