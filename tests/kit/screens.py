"""Games played on the full screen by Textual's pilot: by keys only, or by mouse only."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import sintra
from sintra.cli.screen.app import FullScreen
from sintra.cli.screen.page import LISTED
from sintra.cli.screen.painted import Painted
from sintra.cli.screen.play import PlayScreen
from sintra.cli.screen.screens import PageScreen
from sintra.view.style import Style

BOARDS = [
    ("sintra", "A"),
    ("sintra", "B"),
    ("azul", "colored"),
    ("azul", "gray"),
    ("crystal", "1"),
    ("crystal", "2"),
]
SIZES = [(80, 24), (100, 40), (200, 60)]
Pilot = Any


def opened(first: PageScreen, **look: Any) -> FullScreen:
    return FullScreen(first, Style(**{"color": True, **look}))


def table(path: Path, bots: Mapping[int, str] | None = None, pace: float = 0) -> PlayScreen:
    return PlayScreen(str(path), lambda _: bots or {}, pace)


def spot_of(screen: PageScreen, words: str) -> tuple[int, int] | None:
    """Return where a spot of these words is on the screen."""
    for line, start, end, there in screen.painted.places:
        if there == words and line < screen.extent[1] and (start + end) // 2 < screen.extent[0]:
            return (start + end) // 2, line
    return None


async def until(pilot: Pilot, true: Callable[[], bool]) -> None:
    """Wait for something that takes another process, or a busy machine, a while."""
    for _ in range(400):
        await pilot.pause()
        if true():
            return
        await pilot.pause(0.05)
    raise AssertionError("it does not happen")


async def click(pilot: Pilot, screen: PageScreen, words: str) -> None:
    """Click a spot."""
    place = spot_of(screen, words)
    assert place is not None, f"no {words!r} on the screen"
    await pilot.click(Painted, offset=place)


async def by_keys(pilot: Pilot, screen: PlayScreen, words: str, dice: random.Random) -> None:
    """Play a step by typing it, or by arrow keys, and Enter."""
    choices = screen.choices
    assert choices is not None
    step = next(step for step in choices.legal if step.words == words)
    if dice.random() < 0.8:
        await pilot.press(*choices.short[step])
    else:
        there = choices.legal.index(step)
        moves = there - choices.cursor
        await pilot.press(*["right" if moves > 0 else "left"] * abs(moves))
    await until(pilot, lambda: choices.step.words == words)
    await pilot.press("enter")


async def by_mouse(pilot: Pilot, screen: PlayScreen, words: str, dice: random.Random) -> None:
    """Play a step by a click on the table, or in the list of choices."""
    choices = screen.choices
    assert choices is not None
    alone = sum(f"{step.words} ".startswith(f"{words} ") for step in choices.legal) == 1
    on_table = alone and dice.random() < 0.7 and spot_of(screen, words) is not None
    await click(pilot, screen, words if on_table else LISTED + words)


async def played_on_screen(
    path: Path, mode: str, size: tuple[int, int], then: tuple[int, int], steps: int, seed: int = 1
) -> list[str]:
    """Play steps of a game by chance, with a resize in the middle; return their words."""
    dice = random.Random(seed)
    screen = table(path)
    app = opened(screen)
    said: list[str] = []
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        for number in range(steps):
            while screen.notices:
                await (pilot.press("space") if mode == "keys" else pilot.click(Painted, offset=(1, 1)))
            if screen.sitting.game.over:
                break
            if number == steps // 2 or number == 30:
                await pilot.resize_terminal(*then)
                await until(pilot, lambda: len(screen.painted.page.lines) == then[1])
            words = dice.choice(screen.sitting.game.legal()).words
            assert len(screen.painted.page.lines) == screen.extent[1]
            before = len(screen.history)
            await (by_keys if mode == "keys" else by_mouse)(pilot, screen, words, dice)
            await until(pilot, lambda: len(screen.history) > before)  # noqa: B023 - called at once
            said.append(words)
            assert app.failure is None
    return said


def new_log(path: Path, rules: str, side: str, players: int, seed: int = 3) -> Path:
    sintra.new(rules, players, seed=seed, side=side).save(path)
    return path
