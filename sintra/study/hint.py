"""Hints: the best turns in a position, their values, and why."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from sintra.api import load
from sintra.bots.search import Line, play_turn, steps_of
from sintra.bots.strong import MAX_NODES, check
from sintra.errors import IllegalStep, UsageError
from sintra.game import Game
from sintra.rules.estimates import Estimate
from sintra.rules.state import CHOICE, OVER, State
from sintra.study.judge import Judge
from sintra.study.results import Hint, HintLine, tenths
from sintra.text import plural

if TYPE_CHECKING:
    from os import PathLike

LINES = 3
MAX_LINES = 100
NODES = 20_000
SECONDS = 0.6
"""The default time limit of a hint, in seconds; it also has a limit of nodes."""
GLANCE = 300
"""Nodes for a quick look at what the next player would like to do."""


def hint(
    game: Game | str | PathLike[str],
    lines: int = LINES,
    *,
    nodes: int | None = None,
    time: float | None = None,
) -> Hint:
    """Return the best turns now, for a game or a log file.

    `nodes` limits the search and gives the same answer on every machine; `time` is in seconds. Raise
    IllegalStep if nobody has to choose.
    """
    game = game if isinstance(game, Game) else load(os.fspath(game))
    if type(lines) is not int or not 1 <= lines <= MAX_LINES:
        raise UsageError(f"the number of turns must be from 1 to {MAX_LINES}, not {lines!r}")
    if nodes is not None and time is not None:
        raise UsageError("give nodes or time, not both")
    check(NODES if nodes is None else nodes, time)
    state = game.live
    if state.phase < CHOICE:
        raise IllegalStep(f"no turn to suggest: {game.awaits}")
    seconds = SECONDS if time is None and nodes is None else time
    most = nodes or (NODES if time is None else MAX_NODES)
    judge = Judge(state, most, 0)
    found = judge.lines(state, most, lines, seconds or 0.0)
    depth, thought = int(judge.search.depth), int(judge.search.nodes)
    certain = judge.search.complete and _ends(state, found[0])
    if not certain:
        others = judge.best_of_others(state)
        for line in found:
            line.value += others
    why = Reasons(game, state, judge)
    return Hint(
        player=int(state.player) + 1,
        lines=[_line(line, found[0], certain, why) for line in _different(state, found)[:lines]],
        depth=depth,
        nodes=thought,
        learned=judge.learned,
        certain=certain,
    )


def _ends(state: State, line: Line) -> bool:
    """Return True if the game ends with this round after the best turn."""
    trial = state.copy()
    play_turn(trial, line.turn)
    Judge(state, GLANCE, 0).finish_round(trial)
    return trial.phase == OVER


def _different(state: State, found: Sequence[Line]) -> list[Line]:
    """Return the first of all turns that lead to the same position."""
    kept: dict[int, Line] = {}
    for line in found:
        trial = state.copy()
        play_turn(trial, line.turn)
        kept.setdefault(trial.key(), line)
    different = list(kept.values())
    for before, line in pairwise(different):
        line.value = min(line.value, before.value)  # if time ran out, the rest was not searched as deeply
    return different


def _line(line: Line, best: Line, certain: bool, why: Reasons) -> HintLine:
    points, chance = why.judge.read(line.value, why.state.round, certain)
    top, _ = why.judge.read(best.value, why.state.round, certain)
    now, reasons = why.of(line.turn)
    steps = [why.words[code] for code in steps_of(line.turn)]
    share = None if chance is None else tenths(chance)
    return HintLine(steps, tenths(points), share, tenths(tenths(top) - tenths(points)), now, reasons)


class Reasons:
    """The reasons for a turn, in words."""

    def __init__(self, game: Game, state: State, judge: Judge) -> None:
        self.game = game
        self.state = state
        self.judge = judge
        self.words = [step.words for step in game.rules.steps]
        self._plain = Estimate([0] * len(judge.search.estimate.weights))
        self._wanted = self._wish()

    def _wish(self) -> int | None:
        """Return the pick that the next player would make now, if there is one."""
        state = self.state.copy()
        if state.phase != CHOICE or state.offer.empty():
            return None
        state.next_player()
        turn = self.judge.lines(state, GLANCE)[0].turn
        code: int = steps_of(turn)[0]
        return code if code < state.offer.colors * (state.offer.displays + 1) else None

    def points(self, state: State) -> list[int]:
        """Return every player's points if the round ended now."""
        if not self.judge.learned or state.phase < CHOICE:
            return state.scores()
        return [int(value) // 100 for value in state.estimates(self._plain)]

    def of(self, turn: int) -> tuple[int, list[str]]:
        """Return the points that a turn gains or loses at once, and reasons for it."""
        me = self.state.player
        after = self.state.copy()
        play_turn(after, turn)
        now = self.points(after)[me] - self.points(self.state)[me]
        reasons = [f"{'gains' if now > 0 else 'loses'} {plural(abs(now), 'point')}"] if now else []
        if self.state.phase == CHOICE:
            first = steps_of(turn)[0]
            reasons += self._picking(first, after) or (self._free(first) if now == 0 else [])
        return now, reasons

    def _free(self, code: int) -> list[str]:
        """Return that a turn takes pieces and loses nothing: a reason where there is no other."""
        taken = self.state.copy()
        taken.play(code)
        return [f"takes {plural(int(taken.hand), 'piece')} at no cost"] if taken.hand else []

    def _picking(self, code: int, after: State) -> list[str]:
        """Return reasons for a pick: what it denies, the starting tile, the end of the round."""
        before, me = self.state, self.state.player
        found = []
        if self._wanted is not None and code == self._wanted:
            piece = self.words[code].split()[-1]
            other = self.game.players[(me + 1) % before.seats]
            found.append(f"takes the {piece} that {other} wants most")
        if before.offer.tile and not after.offer.tile and after.starter == me:
            found.append("takes the starting tile")
        if after.phase < CHOICE:
            found.append("ends the round")
        return found
