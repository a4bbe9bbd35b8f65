"""The choices of the player to move: a cursor among them, and what is typed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from sintra.cli.screen.page import LISTED
from sintra.cli.shorthand import shortest, shorts, verb_of
from sintra.fold import Fold
from sintra.game import Game
from sintra.rules.steps import Step
from sintra.text import fitted, padded, safe
from sintra.view.forecast import gain, sentence
from sintra.view.style import Style

WIDE = 76
"""The width of a choice with what it does, in columns."""


class Choices:
    """The legal steps of a game, one of them under the cursor."""

    def __init__(self, game: Game, fold: Fold) -> None:
        self.legal = game.legal()
        self._game, self._fold = game, fold
        self.cursor = self._safe()
        self.typed = ""

    @property
    def step(self) -> Step:
        """The step under the cursor."""
        return self.legal[self.cursor]

    @cached_property
    def _known(self) -> dict[str, Step]:
        return shorts(self._game.rules, self.legal)

    @cached_property
    def _forms(self) -> dict[str, Step]:
        return {short: step for short, step in self._known.items() if step in self.legal}

    @cached_property
    def short(self) -> dict[Step, str]:
        """What to type for each step."""
        return shortest(self._game)

    @cached_property
    def gains(self) -> list[int]:
        """The points that each step would give, with the rest of the turn at its best."""
        return [gain(self._fold, self._fold.codes[step.words]) for step in self.legal]

    # -- The cursor --

    def _safe(self) -> int:
        """Return the first step that costs no points, or the one that costs fewest."""
        return max(range(len(self.legal)), key=lambda at: min(self.gains[at], 0))

    def move(self, by: int) -> None:
        """Move the cursor to another step, wrapping around."""
        self.typed = ""
        self.cursor = (self.cursor + by) % len(self.legal)

    def jump(self, by: int) -> None:
        """Move the cursor to the first step of another kind, or from another display."""
        heads = [step.words.split()[:2] for step in self.legal]
        starts = [at for at, head in enumerate(heads) if not at or heads[at - 1] != head]
        here = sum(start <= self.cursor for start in starts) - 1
        self.typed = ""
        self.cursor = starts[(here + by) % len(starts)]

    def go_to(self, words: str) -> list[Step]:
        """Move the cursor to a step that begins with these words; return all that do."""
        found = [at for at, step in enumerate(self.legal) if f"{step.words} ".startswith(f"{words} ")]
        exact = [at for at in found if self.legal[at].words == words]
        if found and self.cursor not in (exact or found):
            self.cursor = (exact or found)[0]
        if found:
            self.typed = ""
        return [self.legal[at] for at in found]

    # -- Typing --

    def takes(self, character: str) -> bool:
        """Take a typed character if some step continues with it; return True if it was taken."""
        for typed in (self.typed + character, character):
            forms = [form for form in self._forms if form.startswith(typed)]
            if forms:
                self.typed = typed
                if typed in self._forms:
                    self.cursor = self.legal.index(self._forms[typed])
                return True
        return False

    def refusal(self, character: str) -> str:
        """Return why the step typed with one more character is not legal; nothing if it is not a step."""
        step = self._known.get(self.typed + character)
        if step is None:
            return ""
        return f"{step}: {self._game.rules.why_not(self._game.live, self._fold.codes[step.words])}"

    # -- Words --

    def items(self, look: Style) -> Iterator[str]:
        """Yield every step as it is typed, with its points."""
        for step, points in zip(self.legal, self.gains, strict=True):
            note = look.faint(f"{points:+d}") if points else ""
            yield look.spot(LISTED + step.words, f" {self.short[step]}{note} ")

    def described(self, look: Style, width: int) -> list[str]:
        """Return every step with what it would do, in as many columns as fit."""
        abreast = max(1, width // WIDE)
        room = width // abreast
        cells = []
        for step, points in zip(self.legal, self.gains, strict=True):
            text = look.name(self._does(step))
            cell = f"{look.strong(f'{self.short[step]:<4}')}{f'{points:+d}' if points else '':>4}  {text}"
            cells.append(padded(look.spot(LISTED + step.words, fitted(cell, room - 2)), room))
        high = -(-len(cells) // abreast)
        return ["".join(cells[row::high]) for row in range(high)]

    @property
    def preview(self) -> str:
        """What the step under the cursor would do, and its points."""
        text, points = self._does(self.step), self.gains[self.cursor]
        worth = f" ({points:+d} this turn)" if points else ""
        return f"{text[:1].upper()}{text[1:]}{worth}"

    def _does(self, step: Step) -> str:
        """Return what a step would do, without the name of the player."""
        name = safe(self._game.players[self._fold.state.player])
        said = sentence(self._fold, self._fold.codes[step.words])
        return said.removeprefix(f"{name} ").removeprefix(f"{name}: ")

    @property
    def verbs(self) -> str:
        """The kinds of steps to choose from."""
        return " or ".join(dict.fromkeys(map(verb_of, self.legal)))

    @property
    def following(self) -> tuple[str, ...]:
        """The steps that would be legal after the one under the cursor, in the same turn."""
        state = self._fold.state.copy()
        player = state.player
        state.play(self._fold.codes[self.step.words])
        words = [self._fold.steps[code].words for code in state.legal()] if state.player == player else []
        return tuple(said for said in words if not said.startswith("pick "))
