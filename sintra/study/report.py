"""An analysis as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sintra.study.results import Analysis, RoundJudged, Totals, TurnJudged
from sintra.text import fitted, padded, plural, safe

if TYPE_CHECKING:
    from sintra.view.style import Style

NAME = 16
"""Maximum width of a name, in columns."""


def analysis_lines(found: Analysis, how: Style) -> list[str]:
    """Return a whole analysis: turns and luck round by round, then the totals."""
    names = _names(found, how)
    rounds = {one.round: one for one in found.rounds}
    lines: list[str] = []
    for number in sorted(rounds):
        lines += ["", how.strong(f"round {number}")] if number else [how.strong("start")]
        lines += [f"  {how.faint('luck')}   {_luck(rounds[number], names)}"]
        turns = [turn for turn in found.turns() if turn.round == number]
        lines += [_turn_line(turn, names, how) for turn in turns]
    return [*lines, "", *totals_lines(found, how)]


def _names(found: Analysis, how: Style) -> list[str]:
    return [fitted(how.name(safe(name)), NAME) for name in found.players]


def _luck(one: RoundJudged, names: list[str]) -> str:
    parts = zip(names, one.luck.lead, one.luck_error.lead, strict=True)
    return ", ".join(f"{name} {luck:+.1f} ±{error:.1f}" for name, luck, error in parts)


def _turn_line(turn: TurnJudged, names: list[str], how: Style) -> str:
    name = padded(names[turn.player - 1], max(map(len, names)))
    steps = " ".join(turn.played)
    head = f"  {turn.events[0]:>4}  {name}  {how.strong(f'{turn.mark:<2}')}  {steps}"
    return f"{head}{verdict(turn)}"


def verdict(turn: TurnJudged) -> str:
    """Return the loss and the best turn, as the end of a line; nothing if the best turn was played."""
    if turn.loss <= 0:
        return ""
    lost = f" ({-turn.loss:+.1f} ±{turn.error:.1f}, {0.0 - turn.chance_loss:+.1f} %)"
    return f"{lost}  best: {' '.join(turn.best)}" if turn.mark else lost


def totals_lines(found: Analysis, how: Style) -> list[str]:
    """Return the totals of all players: result = luck + skill."""
    names = _names(found, how)
    room = max(8, *map(len, names)) + 2
    heads = ("result", "= luck", "+ skill", "own", "others", "chance", "= even", "+ luck", "+ skill")
    lines = [how.faint(" " * room + "".join(f"{head:>8}" for head in heads) + "  marks")]
    for name, one in zip(names, found.totals, strict=True):
        lines.append(f"{padded(name, room)}{_cells(one)}  {_marks(one)}")
    return [*lines, how.faint("lead over the best opponent, in points; chance of winning, in percent")]


def _cells(one: Totals) -> str:
    points = [one.result, one.luck, one.skill, 0.0 - one.lost, one.others]
    shares = [one.chance_luck, one.chance_skill]
    cells = [f"{value:+.1f}" for value in points] + [f"{value:.1f}" for value in (one.chance, one.even)]
    return "".join(f"{cell:>8}" for cell in cells + [f"{value:+.1f}" for value in shares])


def _marks(one: Totals) -> str:
    found = [f"{count} {mark}" for mark, count in one.marks.items() if count]
    return f"{', '.join(found) or 'none'} in {plural(one.turns, 'turn')}"
