"""An analysis as a layer on a replay: chances, verdicts on turns, and the places of better turns."""

from __future__ import annotations

from sintra.fold import Fold
from sintra.study.results import Analysis, DealJudged, Judged, TurnJudged, Value
from sintra.view import places_of, scene_of
from sintra.view.scene import Scene


class Layer:
    """What an analysis, if there is one, adds to a page; it has to see the table after every event."""

    def __init__(self, analysis: Analysis | None) -> None:
        self._analysis = analysis
        self._marked = {turn.events[0]: turn for turn in analysis.turns() if turn.mark} if analysis else {}
        self.best: dict[str, list[str]] = {}
        """The places of the better turn instead of one with a mark, by the event that it began with."""

    def see(self, fold: Fold, scene: Scene, number: int) -> None:
        """Find the places of the better turn, if the next event begins a turn with a mark."""
        turn = self._marked.get(number + 1)
        if turn is not None:
            self.best[str(number + 1)] = _places(fold, scene, turn)

    def chances(self) -> list[list[float]]:
        """Return events with every player's chance of winning after them, in percent."""
        if self._analysis is None:
            return []
        found = (_stand(one, self._analysis.events) for one in self._analysis.judged if one is not None)
        return [[event, *value.chance] for event, value in found]


def _stand(one: Judged, last: int) -> tuple[int, Value]:
    """Return the standing after a turn or a deal: the event, and the value."""
    if isinstance(one, TurnJudged):
        return one.events[-1], one.after
    return (one.event, one.after) if isinstance(one, DealJudged) else (last, one.value)


def _places(fold: Fold, scene: Scene, turn: TurnJudged) -> list[str]:
    """Return the places of the best turn, step by step, as far as it is legal here."""
    fold = fold.copy()
    found: list[str] = []
    for words in turn.best:
        code = fold.codes.get(words, -1)
        if code < 0 or not fold.state.allows(code):
            break
        found += places_of(fold, scene).get(words, ())
        fold.play(code)
        scene = scene_of(fold)
    return found
