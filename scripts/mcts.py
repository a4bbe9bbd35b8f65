"""Monte Carlo tree search as in general game libraries, for comparison with `strong`.

Plain UCT: every visit follows the tree by upper confidence bounds, adds one position, plays on at random to
the end of the game, and counts who won. Steps are single steps, and deals are drawn anew at every visit.
"""

from __future__ import annotations

import math
from time import thread_time

from sintra.rules.chance import Stream
from sintra.rules.state import CHOICE, DEAL, GAME_END, OVER, ROUND_END, State

EXPLORATION = 1.4
ROUNDS = 12
"""Maximum number of rounds of a playout (R6)."""


class Node:
    """A step that was tried from a position: how often, and its total share of victories."""

    __slots__ = ("children", "player", "visits", "won")

    def __init__(self, player: int) -> None:
        self.player = player
        self.visits = 0
        self.won = 0.0
        self.children: dict[int, Node] = {}


def mcts(state: State, stream: Stream, time: float = 0.1) -> int:
    """Return the step that was tried most often within this much CPU time, in seconds."""
    root = Node(-1)
    end = thread_time() + time
    trial = state.copy()
    while thread_time() < end:
        trial.become(state)
        path = descend(root, trial, stream)
        while trial.phase != OVER and trial.round <= ROUNDS:
            if trial.phase >= CHOICE:
                trial.play(trial.choose_any(stream))
            else:
                settle(trial, stream)
        winners = leaders(trial)
        for node in path:
            node.visits += 1
            node.won += (node.player in winners) / len(winners)
    return max(root.children, key=lambda code: root.children[code].visits)


def descend(node: Node, trial: State, stream: Stream) -> list[Node]:
    """Follow the tree to a position that is new, and return the way."""
    path = [node]
    while trial.phase != OVER:
        if trial.phase < CHOICE:
            settle(trial, stream)
            continue
        legal = trial.legal()
        new = [code for code in legal if code not in node.children]
        code = new[stream.below(len(new))] if new else chosen(node, legal)
        node = node.children.setdefault(code, Node(trial.player))
        trial.play(code)
        path.append(node)
        if new:
            break
    return path


def chosen(node: Node, legal: list[int]) -> int:
    """Return the legal step with the highest upper confidence bound."""
    scale = EXPLORATION * math.sqrt(math.log(node.visits + 1))

    def bound(code: int) -> float:
        child = node.children[code]
        return child.won / child.visits + scale / math.sqrt(child.visits)

    return max(legal, key=bound)


def settle(trial: State, stream: Stream) -> None:
    """Let everything automatic happen; a deal is drawn."""
    if trial.phase == ROUND_END:
        trial.end_round()
    elif trial.phase == GAME_END:
        trial.finish()
    elif trial.phase == DEAL:
        trial.deal_from(stream)


def leaders(state: State) -> list[int]:
    """Return who has won, or is ahead where a game was broken off."""
    if state.phase == OVER:
        return state.winners()
    scores = state.scores()
    return [player for player, score in enumerate(scores) if score == max(scores)]
