"""Undo chains: deals that are taken back and drawn again, forks with other seeds, and forks of those.

Whoever continues a seeded log draws from its seed, so every log that comes of it passes `verify --deals`; and
every piece of a draw that is exchanged for another is noticed, where the seed counts.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sintra import catalog
from sintra.api import loads
from sintra.batch.logs import Entry
from sintra.batch.results import Verdict
from sintra.batch.verify import verdict
from sintra.errors import SintraError
from sintra.game import Game
from sintra.log.events import Dealt, Event
from sintra.testing import all_options

STEPS = 60
"""Number of steps of a chain."""


def run(scale: float, scratch: Path) -> dict[str, int | str]:  # noqa: ARG001 - nothing is written
    """Follow chains on every board; exchange pieces in what came of them."""
    chains = again = forks = held = 0
    changed = 0
    for number in range(max(1, round(20 * scale))):
        for name in catalog.BUILT_IN:
            rules = catalog.find(name)
            for options in all_options(rules):
                dice = random.Random(f"{number} {name} {options}")
                game = Game.new(rules, dice.choice(rules.players), seed=number, options=options)
                for part in chain(game, dice):
                    found = judged(part.dumps())
                    assert found.ok, f"{found.message}, line {found.line}: {part.dumps()}"
                    assert isinstance(found.draws, int)
                    held += found.draws
                    forks += 1
                    again += _drawn_again(part.events)
                    changed += exchanged(part.dumps(), dice)
                chains += 1
    return {
        "undo chains, each with forks and forks of these": chains,
        "logs of them that pass": forks,
        "deals drawn again after an undo": again,
        "draws held to a seed": held,
        "pieces exchanged, and noticed where the seed counts": changed,
    }


def judged(text: str) -> Verdict:
    """The verdict of `verify --deals` on a log."""
    return verdict(Entry("a log", data=text.encode()), deals=True)


def chain(game: Game, dice: random.Random) -> Iterator[Game]:
    """Play and take back; then fork, with a seed and without one, and go on with the fork."""
    for generation in range(4):
        for _ in range(STEPS):
            back = dice.choice((0, 0, 0, 0, 0, 1, 2, 30))
            try:
                if back or game.over:
                    game.undo(back or 1)
                else:
                    game.play(dice.choice(game.legal()))
            except SintraError:  # so far back that the first deal would go
                continue
        yield game
        at = dice.randint(1, len(game.events))
        game = game.fork(at, seed=None if generation == 1 else dice.randrange(2**53))


def _drawn_again(events: tuple[Event, ...]) -> int:
    """How many deals of a log are of a round that was dealt before."""
    rounds = [event.round for event in events if isinstance(event, Dealt)]
    return len(rounds) - len(set(rounds))


def exchanged(text: str, dice: random.Random) -> int:
    """Exchange two pieces in every draw of a log, one at a time; it is noticed where the seed counts."""
    lines = text.splitlines()
    since = judged(text).draws_from
    assert isinstance(since, int)
    noticed = 0
    for at, line in enumerate(lines, 1):
        event: dict[str, Any] = json.loads(line)
        rows = event.get("displays") or [event.get("indicator") or []]
        row = dice.choice(rows)
        if len(set(row)) < 2:
            continue
        one = dice.randrange(len(row) - 1)
        row[one], row[one + 1] = row[one + 1], row[one]
        if row[one] == row[one + 1]:
            continue
        twisted = "\n".join([*lines[: at - 1], json.dumps(event), *lines[at:], ""])
        try:
            loads(twisted)
        except SintraError:  # the rules notice it, too
            continue
        found = judged(twisted)
        assert found.ok == (at < since), f"line {at} of {since}: {twisted}"
        noticed += at >= since
        assert found.ok or found.line == at, f"line {found.line}, not {at}"
    return noticed
