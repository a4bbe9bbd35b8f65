"""The line mode of `play`: the table is printed, a step is typed."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sintra.cli.animate import bare_table
from sintra.cli.asking import ask
from sintra.cli.options import Color, Theme
from sintra.cli.output import say, screen_size, style, with_ruling
from sintra.cli.shorthand import examples, shortest, verb_of
from sintra.cli.sitting import Sitting
from sintra.errors import IllegalStep, UsageError
from sintra.log.lines import split
from sintra.reader import Reader
from sintra.rules.steps import Step
from sintra.text import plural

if TYPE_CHECKING:
    from sintra.fold import Fold
    from sintra.view.story import Turn
    from sintra.view.style import Style

TALK = 7
"""Number of lines left below the table, for what happened and what can be typed."""


class Talk:
    """A sitting played line by line."""

    def __init__(self, sitting: Sitting, color: Color, ascii: bool, theme: Theme) -> None:
        self.sitting = sitting
        self.seen = len(sitting.game.events)
        """Number of events that the person at the keyboard has seen."""
        self.remark: list[str] = []
        """Lines to print with the next table."""
        self._how = (color, ascii, theme)
        self._clears = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
        if sys.stdin is not None:
            sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]

    def play(self) -> None:
        """Play until the game is over or somebody quits."""
        sitting = self.sitting
        sitting.settle()
        while True:
            while (step := sitting.bot_choice()) is not None:
                sitting.step(step)
            self.draw()
            if sitting.game.over:
                say(f"\nReplay it with: {sitting.command('replay')}")
                return
            if not self._turn():
                say(sitting.farewell)
                return

    def _turn(self) -> bool:
        """Talk with a person until something is done; return False if they quit."""
        from sintra.text import fitted

        name = fitted(self._style.name(self.sitting.name(self.sitting.game.player or 1)), 24)
        while (text := ask(f"{name}> ")) is not None and text.lower() not in ("quit", "q"):
            if self._answer(text):
                return True
        return False

    def _answer(self, text: str) -> bool:
        """Handle a typed line; return True to draw the table again."""
        from sintra.text import safe, wrapped

        word = text.lower()
        before = len(self.sitting.game.events)
        try:
            if word in ("help", "?"):
                self._help()
            elif word in ("hint", "h"):
                self._hint()
            elif word == "log":
                say("\n".join(self._lines(self._read()[1][-12:])))
            elif word in ("undo", "u"):
                self.remark = [f"Took back {plural(self.sitting.undo(), 'step')}."]
                self.seen = len(self.sitting.game.events)
                return True
            elif word in ("", "show"):
                return True
            else:
                self.sitting.play(text)
                self.seen = before
                return True
        except (UsageError, IllegalStep) as error:
            lines = wrapped(safe(with_ruling(str(error))).split(" "), self._style.width - 2)
            say("\n".join(f"  {line}" for line in lines))
        return False

    def _help(self) -> None:
        """Print what may be typed here."""
        short = shortest(self.sitting.game)
        rows = [(short[step], f"{step}") for step in examples(self.sitting.game.legal())]
        rows += [
            ("", "or the words, abbreviated if you like, for one or more steps"),
            ("h", "a hint: the best turns, and why"),
            ("undo", "take back your last step, and everything bots did since"),
            ("log", "show the last turns"),
            ("Enter", "draw the table again"),
            ("quit", "quit (or q, or Ctrl-D); the game is saved"),
        ]
        say("\n".join(f"  {self._style.strong(f'{typed:<6}')}  {text}" for typed, text in rows))

    def _hint(self) -> None:
        """Print the best turns."""
        from sintra.cli.hint import hint_lines
        from sintra.study.hint import hint

        game = self.sitting.game
        say("\n".join(hint_lines(hint(game), self.sitting.name(game.player or 1), self._style)))

    # -- Drawing --

    @property
    def _style(self) -> Style:
        return style(*self._how)

    def _read(self) -> tuple[Fold, list[Turn]]:
        """Return the game and its turns, read from the log."""
        from sintra.view.story import turns

        reader = Reader(split(self.sitting.data), self.sitting.path, watch=True)
        story = turns(reader)
        return reader.fold, story

    def draw(self) -> None:
        """Draw the table, what happened since the last typed step, and the possible steps."""
        how = self._style
        fold, story = self._read()
        high = screen_size().lines - TALK if self._clears else None
        table = bare_table(fold, replace(how, height=high))
        room = self._room([*table, *self.remark])
        offer = self._offer(how, room, fold) if self.sitting.game.player is not None else []
        news = self._lines([turn for turn in story if turn.numbers[-1] > self.seen])
        news = _last(news, self._room([*table, *offer, *self.remark]))
        if self._clears:
            sys.stdout.write("\x1b[H\x1b[2J")
        lines = [*table, *news] if offer else [*news, "", *table]  # at the end, the result comes last
        say("\n".join([*lines, *self.remark, *offer]))
        self.remark = []

    def _room(self, lines: Sequence[str]) -> int:
        """Return the number of lines left on the screen; without a screen, plenty."""
        return screen_size().lines - len(lines) - 1 if self._clears else 1000

    def _lines(self, turns: Sequence[Turn]) -> list[str]:
        """Return turns as lines of text."""
        from sintra.text import wrapped

        how = self._style
        lines: list[str] = []
        for turn in turns:
            name = "" if turn.player is None else f"{how.name(self.sitting.name(turn.player))}: "
            text = turn.text if how.unicode else turn.text.encode("ascii", "backslashreplace").decode()
            first, *more = wrapped(f"{name}{text}".split(" "), how.width - 2)
            lines += [f"{how.either('•', '-')} {first}", *(f"  {line}" for line in more)]
        return lines

    def _offer(self, how: Style, room: int, fold: Fold) -> list[str]:
        """Return the player to move, and the steps with what to type for each."""
        from sintra.text import wrapped

        game = self.sitting.game
        legal = game.legal()
        short = shortest(game)
        verbs = " or ".join(dict.fromkeys(map(verb_of, legal)))
        picks = any(step.words.startswith("pick ") for step in legal)
        if not picks and len(legal) + 2 <= room:
            title = how.strong(f"{how.name(self.sitting.name(game.player or 1))} has to {verbs}:")
            previews = self._previews(legal, how, fold)
            return [title, *(f"  {how.strong(f'{short[step]:<4}')}{text}" for step, text in previews)]
        parts = [f"{how.strong(short[step])} ({step})" for step in (examples(legal) if picks else legal)]
        return wrapped([f"{verbs}:", *parts, f"{how.strong('?')} (help)"], how.width, gap="  ")

    def _previews(self, legal: Sequence[Step], how: Style, fold: Fold) -> list[tuple[Step, str]]:
        """Return each step with a sentence about what it would do."""
        from sintra.text import fitted, safe
        from sintra.view.forecast import sentence

        name = safe(self.sitting.name(self.sitting.game.player or 1))
        texts = [sentence(fold, fold.codes[step.words]).removeprefix(name).lstrip(": ") for step in legal]
        return [
            (step, fitted(how.name(text), how.width - 7)) for step, text in zip(legal, texts, strict=True)
        ]


def _last(lines: list[str], room: int) -> list[str]:
    """Return as many of the last lines as fit, from the start of a turn."""
    lines = lines[-max(room, 1) :]
    return lines[next((at for at, line in enumerate(lines) if not line.startswith(" ")), 0) :]
