"""The history of a game, event by event, so that a screen can go back to any moment."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from msgspec import Struct

from sintra.fold import Fold
from sintra.log.events import Choice, Dealt, Ended, Event, RoundEnded, Undone
from sintra.rules.effects import Moment
from sintra.rules.snapshot import Snapshot
from sintra.rules.state import State
from sintra.text import fitted, padded, safe, wrapped
from sintra.view import sentence_of
from sintra.view.common import outcome
from sintra.view.trail import Trail, begins


class Seen(Struct):
    """One event: its number, a sentence about it, and the table after it and before the last turn."""

    number: int
    event: Event
    sentence: str
    state: State
    since: Snapshot | None


class History:
    """The events of a game in order; `fold` is the game after the last one."""

    fold: Fold

    def __init__(self) -> None:
        self.seen: list[Seen] = []
        self._trail = Trail()
        self._turns: list[int] = []
        self._rounds: list[int] = []

    def __len__(self) -> int:
        return len(self.seen)

    def see(self, fold: Fold, moment: Moment) -> None:
        """Add an event that the fold has just taken."""
        event = moment.event
        self.fold = fold
        self._trail.see(fold, event)
        at = len(self.seen)
        if isinstance(event, Choice) and begins(event):
            self._turns.append(at)
        if isinstance(event, Dealt):
            self._rounds.append(at)
        sentence = sentence_of(fold, moment)
        self.seen.append(Seen(moment.number, event, sentence, fold.state.copy(), self._trail.since(fold)))

    def fold_at(self, at: int) -> Fold:
        """Return the game as it was after an event, for a view."""
        twin = self.fold.copy()
        twin.state = self.seen[at].state.copy()
        return twin

    # -- Jumps: each returns its target, which is the same place if there is nothing further --

    def turn(self, at: int, forward: bool) -> int:
        """Return where the next turn, or this or the last one, begins."""
        return self._jump(self._turns, at, forward)

    def round(self, at: int, forward: bool) -> int:
        """Return where the next round, or this or the last one, begins."""
        return self._jump(self._rounds, at, forward)

    def _jump(self, marks: list[int], at: int, forward: bool) -> int:
        if forward:
            index = bisect_right(marks, at)
            return marks[index] if index < len(marks) else len(self.seen) - 1
        index = bisect_left(marks, at)
        return marks[index - 1] if index else 0

    # -- The story --

    def sentences(self, at: int) -> list[str]:
        """Return what happened up to an event."""
        return [one.sentence for one in self.seen[: at + 1]]

    def results(self, since: int) -> list[Seen]:
        """Return the ends of rounds and of the game after this many events, unless undone."""
        found: list[Seen] = []
        for one in self.seen[since:]:
            if isinstance(one.event, Undone):
                found = []
            elif isinstance(one.event, RoundEnded | Ended):
                found.append(one)
        return found

    def breakdown(self, end: Seen) -> list[tuple[int, dict[str, int]]]:
        """Return every player's points after a round, and those they got in it, by source."""
        before: list[dict[str, int]] = [{} for _ in self.fold.created.players]
        for one in self.seen[: end.number - 1]:
            if isinstance(one.event, RoundEnded):
                before = [dict(parts) for parts in one.state.breakdown()]
        whole = isinstance(end.event, Ended)
        rows = zip(end.state.scores(), end.state.breakdown(), before, strict=True)
        return [
            (score, {key: n - (0 if whole else old.get(key, 0)) for key, n in parts.items()})
            for score, parts, old in rows
        ]

    def ending(self, end: Seen) -> tuple[str, list[str]]:
        """Return the end of a round, or of the game, as a title and lines with everybody's points."""
        names = [fitted(safe(name), 16) for name in self.fold.created.players]
        title, lines = f"Round {end.state.round} ends", []
        if isinstance(end.event, Ended):
            title = "The game is over"
            lines = [outcome(names, [player + 1 for player in end.state.winners()]), ""]
        whole = isinstance(end.event, Ended)
        lines.append(f"{'':16} total   {'by source' if whole else 'this round'}")
        for name, (score, parts) in zip(names, self.breakdown(end), strict=True):
            gains = [f"{source} {points:+d}" for source, points in parts.items() if points]
            first, *more = wrapped(gains, 44, gap=", ") or ["nothing"]
            lines.append(f"{padded(name, 16)} {score:>5}   {first}")
            lines += [f"{'':25}{line}" for line in more]
        starter = getattr(self.fold.rules.snapshot(end.state), "starter", 0)
        if starter and not whole and not any(isinstance(one.event, Ended) for one in self.seen[end.number :]):
            lines += ["", f"{names[starter - 1]} starts round {end.state.round + 1}."]
        return title, lines
