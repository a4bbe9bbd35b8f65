"""`strong`, the player to beat, and its levels `easy`, `medium` and `hard`.

It searches the current round (`search`) and estimates what comes after it with learned weights (`weights`). A
turn is planned as a whole: the steps after the first are played as planned. Rule-sets without weights are
played by their `worth`.
"""

from __future__ import annotations

from functools import lru_cache

from sintra.bots.clock import deadline
from sintra.bots.search import Line, Search, steps_of
from sintra.bots.weights import weights_for
from sintra.errors import UsageError
from sintra.rules.chance import Stream
from sintra.rules.state import CHOICE, State

NODES = 20_000
"""Default number of positions searched for a turn."""
MANY_NODES = 1_500
"""Maximum number of positions searched with three or four players: more do not improve its play."""
MAX_NODES = 10**12
MAX_SECONDS = 3600.0
PLANS = 64
"""Maximum number of planned steps that are remembered."""

_plans: dict[tuple[int, int, float], int] = {}
"""The next step in turns that have begun, by position and budget."""


def check(nodes: int = NODES, time: float | None = None, cpu: bool = False) -> None:
    """Raise UsageError for an impossible budget."""
    if not 1 <= nodes <= MAX_NODES:
        raise UsageError(f"nodes must be a whole number from 1 to {MAX_NODES}, not {nodes}")
    if time is not None and not 0 < time <= MAX_SECONDS:
        raise UsageError(f"time must be more than 0 and at most {MAX_SECONDS:.0f} seconds, not {time}")
    if cpu and time is None:
        raise UsageError("cpu counts processor time, so time=SECONDS has to be given")


def strong(state: State, _: Stream, nodes: int = 0, time: float = 0.0, cpu: bool = False) -> int:
    """Return the step that begins the best turn found.

    It searches this many positions (`nodes`), which gives the same answer everywhere; or for this many
    seconds of wall-clock time (`time`) or CPU time (`cpu`).
    """
    if nodes == 0:
        nodes = MAX_NODES if time else NODES
    if state.phase > CHOICE:
        planned = _plans.pop((state.key(), nodes, time), None)
        if planned is not None:
            return planned
    most = min(nodes, MANY_NODES) if state.seats > 2 else nodes
    clock, end = deadline(time, cpu)
    search = searching(state)  # the first one takes time, which counts
    lines = search.run(state, most, 1, clock, end - clock() if clock else 0.0)
    return _begun(state, lines[0], nodes, time)


def _begun(state: State, line: Line, nodes: int, time: float) -> int:
    """Return the first step of a turn, and remember the others."""
    first, *others = steps_of(line.turn)
    if len(_plans) > PLANS:
        _plans.clear()
    trial = state.copy()
    step = first
    for following in others:
        trial.play(step)
        _plans[trial.key(), nodes, time] = step = following
    return first


@lru_cache(maxsize=8)
def _search(board: str, players: int) -> Search:
    return Search(weights_for(board, players))


def searching(state: State) -> Search:
    """Return a search with the weights for a state."""
    return _search(state.board(), state.seats)


# -- Levels --


def softened(state: State, stream: Stream, depth: int, slack: int) -> int:
    """Return the first step of a turn that is at most `slack` hundredths worse than the best one found.

    Better turns are more likely; `depth` is how many turns it looks ahead.
    """
    lines = _seen(state, depth)
    best = lines[0].value
    near = [line for line in lines if line.value > best - slack]
    drawn = stream.below(sum(slack + line.value - best for line in near))
    for line in near:
        drawn -= slack + line.value - best
        if drawn < 0:
            return steps_of(line.turn)[0]
    raise AssertionError("one was drawn")


def _seen(state: State, depth: int) -> list[Line]:
    """Return all turns with their values `depth` turns ahead, or fewer if the referee allows little time."""
    clock, end = deadline(0.0, False)
    search = searching(state)
    lines = search.run(state, MAX_NODES, 1000, None, 0.0, depth if clock is None else 1)
    if clock is None or depth == 1:
        return lines
    deeper = search.run(state, MAX_NODES, 1000, clock, end - clock(), depth)
    return deeper if search.depth else lines


def easy(state: State, stream: Stream) -> int:
    """Return a step of a turn that looks fine at first sight."""
    return softened(state, stream, 1, 700)


def medium(state: State, stream: Stream) -> int:
    """Return a step of a turn that looks good after a glance at the answers to it."""
    return softened(state, stream, 2, 150)


def hard(state: State, stream: Stream) -> int:
    """Return the step that begins the best turn found with little thought."""
    return strong(state, stream, 2_000)
