"""For learning programs: many games at once as numpy arrays, PettingZoo, Gymnasium and OpenSpiel.

>>> import numpy, sintra.rl
>>> batch = sintra.rl.vector("azul", games=1024, players=2, seed=7)
>>> chance = numpy.random.default_rng(7)
>>> rewards, ended = batch.step(batch.sample(chance))
>>> batch.planes.shape, batch.masks.shape, int(ended.sum())
((1024, 39, 5, 5), (1024, 81), 0)

`docs/learning.md` lists every plane and code. `import sintra.rl.spiel` registers the games with OpenSpiel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sintra.rl.aec import env
    from sintra.rl.dataset import Examples, examples
    from sintra.rl.solo import gym
    from sintra.rl.vectors import Vector, vector

__all__ = ["Examples", "Vector", "env", "examples", "gym", "vector"]

_HOMES = {
    "Vector": "vectors",
    "vector": "vectors",
    "env": "aec",
    "gym": "solo",
    "Examples": "dataset",
    "examples": "dataset",
}
"""The modules of the public names, imported on first use: each needs different packages."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from sintra.rl.extras import needed

    globals()[name] = found = getattr(needed(f"sintra.rl.{_HOMES[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
