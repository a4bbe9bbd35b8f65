"""The sequential probability ratio test for two players: stops a match as soon as it is decided.

It compares two hypotheses about how much stronger the first player is, in Elo. The unit is a deal that is
played twice, with both seatings: its games are not independent, but pairs are. A pair is worth 0, 1, 2, 3 or
4 half games for the first player, so the test is called pentanomial. The log-likelihood ratio compares the
most likely distributions of pairs with the mean of each hypothesis.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from msgspec import Struct

from sintra.batch.results import Decision
from sintra.errors import UsageError

ERROR = 0.05
"""Default chance of each of the two errors."""
LEAST = 1e-3
"""The count of a result that never came up."""


class Sprt(Struct, frozen=True, forbid_unknown_fields=True):
    """A test: is the first player `elo1` stronger rather than `elo0`, at these error rates?"""

    elo0: float
    elo1: float
    alpha: float = ERROR
    beta: float = ERROR

    def __post_init__(self) -> None:
        if not -1000 <= self.elo0 < self.elo1 <= 1000:
            raise UsageError("sprt needs two Elo differences, the smaller one first, such as 0,20")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise UsageError("the error rates of sprt must be between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The ratios at which the test is decided."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)


def parse(text: str) -> Sprt:
    """Return the test that a text describes: `ELO0,ELO1`, or `ELO0,ELO1,ALPHA,BETA`."""
    try:
        numbers = [float(part) for part in text.split(",")]
        if len(numbers) not in (2, 4):
            raise ValueError
    except ValueError:
        raise UsageError(f"sprt must be ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA, not {text!r}") from None
    return Sprt(*numbers)


def judge(test: Sprt, pairs: Sequence[int]) -> Decision:
    """Return the state of a test after these numbers of pairs worth 0, 1, 2, 3 and 4 half games."""
    ratio = llr(pairs, test.elo0, test.elo1)
    lower, upper = test.bounds
    accepted = "elo1" if ratio >= upper else "elo0" if ratio <= lower else None
    return Decision(
        test.elo0,
        test.elo1,
        test.alpha,
        test.beta,
        tuple(pairs),
        round(ratio, 4),
        round(lower, 4),
        round(upper, 4),
        accepted,
    )


def llr(counts: Sequence[int], elo0: float, elo1: float) -> float:
    """Return the log-likelihood ratio of two hypotheses, from how often each result came up.

    Results are equally spaced: three for single games, five for pairs.
    """
    total = sum(counts)
    if not total:
        return 0.0
    kept = [max(float(count), LEAST) for count in counts]
    whole = sum(kept)
    chances = [count / whole for count in kept]
    scores = [at / (len(counts) - 1) for at in range(len(counts))]
    first, second = (_tilt(scores, chances, _expected(elo)) for elo in (elo0, elo1))
    means = _expected(elo0), _expected(elo1)
    return whole * sum(
        chance * log((1 + first * (score - means[0])) / (1 + second * (score - means[1])))
        for score, chance in zip(scores, chances, strict=True)
    )


def _expected(elo: float) -> float:
    """Return the expected score of a player who is this much stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


def _tilt(scores: Sequence[float], chances: Sequence[float], mean: float) -> float:
    """Return how much to tilt the chances so that the scores have this mean.

    The most likely chances with a given mean are `chance / (1 + tilt * (score - mean))`; the sum that has to
    be 0 decreases with the tilt, so bisection finds it.
    """
    low, high = -1 / (scores[-1] - mean), 1 / (mean - scores[0])
    for _ in range(200):
        middle = (low + high) / 2
        off = sum(
            chance * (score - mean) / (1 + middle * (score - mean))
            for score, chance in zip(scores, chances, strict=True)
        )
        low, high = (middle, high) if off > 0 else (low, middle)
    return (low + high) / 2
