"""A game on the full screen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace

from sintra.bots.process import Limits
from sintra.cli.output import with_ruling
from sintra.cli.screen.choices import Choices
from sintra.cli.screen.history import History, Seen
from sintra.cli.screen.keys import BACKS, HELP, KEYS, looking_back, playing
from sintra.cli.screen.page import (
    LISTED,
    Page,
    buttons,
    composed,
    last_lines,
    points_lines,
    side_panel,
    stacked,
    table_width,
)
from sintra.cli.screen.screens import PageScreen
from sintra.cli.sitting import Sitting
from sintra.errors import Conflict, IllegalStep, SintraError, UsageError
from sintra.text import fitted, plural, safe, wrapped
from sintra.view import view_of
from sintra.view.common import legend_lines
from sintra.view.layout import framed
from sintra.view.style import Style

if TYPE_CHECKING:
    from textual.worker import Worker

    from sintra.game import Game

STORY = 8
"""Maximum number of lines of the story below the table."""
GLANCE = 0.05
"""Time between checks if a notice is still on the screen, in seconds."""


class PlayScreen(PageScreen):
    """People and bots at a table."""

    KEYS: ClassVar[Mapping[str, str]] = KEYS

    def __init__(
        self,
        path: str,
        seats: Callable[[Game], Mapping[int, str]],
        pace: float,
        limits: Limits | None = None,
    ) -> None:
        super().__init__()
        self.history = History()
        self.sitting = Sitting(path, seats, limits or Limits(), self.history.see)
        self.choices: Choices | None = None
        """The choices of the person to move."""
        self.pace = pace
        self.at: int | None = None
        """The event that is looked at; None for the game as it is now."""
        self.message = ""
        self.backs = False
        """True to show the other sides of strips."""
        self.viewer = next((seat for seat in range(1, self._count + 1) if seat not in self.sitting.bots), 1)
        self._told = 0
        self._hurry = asyncio.Event()
        self._bots: Worker[None] | None = None

    @property
    def _count(self) -> int:
        return len(self.sitting.game.players)

    def started(self) -> None:
        """Begin with whatever happens automatically, and with bots to move."""
        self.sitting.settle()
        self._told = len(self.history)
        self._go_on()
        if self.sitting.game.over:
            self._tell(self.history.results(0)[-1:])

    # -- Going on --

    def _go_on(self) -> None:
        """Offer choices to the person to move, or let the bots play."""
        self._offer()
        if self.sitting.game.player in self.sitting.bots:
            self._bots = self.run_worker(self._bots_play(), exclusive=True)

    def _offer(self) -> None:
        """Show what has ended, and look up the choices of the person to move."""
        game = self.sitting.game
        self.choices = None
        seat = game.player
        if seat is None and not game.over:
            self.app.leave(UsageError(f"{game.awaits}; {self.sitting.at_table}"))
        elif seat is not None and seat not in self.sitting.bots:
            self.viewer = seat
            self.choices = Choices(game, self.history.fold)
        self._tell(self.history.results(self._told))
        self._told = len(self.history)

    async def _bots_play(self) -> None:
        """Let bots move one by one, at a pace that people can follow."""
        try:
            while (step := await asyncio.to_thread(self.sitting.bot_choice)) is not None:
                await self._wait()
                self.sitting.step(step)
                self._offer()
                self.redraw()
        except SintraError as error:
            self.app.leave(error)

    async def _wait(self) -> None:
        """Wait for the pace of bots, unless somebody is in a hurry, and for notices to be read."""
        self._hurry.clear()
        try:
            async with asyncio.timeout(self.pace):
                await self._hurry.wait()
        except TimeoutError:
            pass
        while self.notices or self.at is not None:
            await asyncio.sleep(GLANCE)

    def _do(self, act: Callable[[], object]) -> None:
        """Act on the game; show refusals; end the sitting if others changed the log."""
        self.message = ""
        self.at = None
        try:
            act()
        except Conflict as error:
            self.app.leave(error)
        except (IllegalStep, UsageError) as error:
            self.message = safe(with_ruling(str(error)))
        except SintraError as error:
            self.app.leave(error)
        else:
            self._go_on()

    def _tell(self, ends: list[Seen]) -> None:
        """Show the ends of rounds and of the game, with everybody's points."""
        self.notices += [self.history.ending(end) for end in ends]

    # -- Commands --

    def on_unmount(self) -> None:
        """End the programs that play."""
        self.sitting.close()

    def do_undo(self) -> None:
        """Take back the last step of a person."""
        if self._bots is not None:
            self._bots.cancel()

        def undo() -> None:
            steps = self.sitting.undo()
            self._told = len(self.history)
            self.notices.clear()
            self._undone = f"Took back {plural(steps, 'step')}."

        self._undone = ""
        self._do(undo)
        self.message = self._undone or self.message
        if not self._undone:
            self._go_on()

    def do_help(self) -> None:
        """Explain the keys and the signs."""
        choices = self.choices
        typed = choices.short[choices.step] if choices else "3o"
        look = replace(self.look, spots=None, width=min(76, self.extent[0]))
        strips = BACKS if self._has_backs else ""
        lines = HELP.format(typed=typed, strips=strips).splitlines()
        lines += ["", *legend_lines(self.history.fold, look)]
        self.notices.append(("Help", lines))

    def do_hint(self) -> None:
        """Suggest the best turns, and go to the first of them."""
        if self.choices is not None and self.at is None:
            self.message = "Looking for the best turns ..."
            self.run_worker(self._suggest(self.choices), exclusive=True)

    async def _suggest(self, choices: Choices) -> None:
        from sintra.cli.hint import hint_lines
        from sintra.study.hint import hint

        game = self.sitting.game.copy()
        found = await asyncio.to_thread(hint, game)
        if self.choices is not choices:  # the person has moved on
            return
        self.message = ""
        choices.go_to(found.lines[0].steps[0])
        look = replace(self.look, spots=None, width=self.extent[0] - 4)
        title, *lines = hint_lines(found, self.sitting.name(found.player), look)
        self.notify_in_box(title, lines)

    def do_backs(self) -> None:
        """Turn the strips over, or back again."""
        self.backs = self._has_backs and not self.backs

    @property
    def _has_backs(self) -> bool:
        return hasattr(view_of(self.history.fold.rules), "BACKS")

    def do_hurry(self) -> None:
        """Make the thinking bot move at once."""
        self._hurry.set()

    def do_erase(self) -> None:
        """Forget what was typed."""
        if self.choices:
            self.choices.typed = ""

    def do_back(self) -> None:
        """Look back an event."""
        self._look(-1)

    def do_forward(self) -> None:
        """Look forward an event."""
        self._look(1)

    def do_first(self) -> None:
        """Look at the first event."""
        self.at = 0

    def do_now(self) -> None:
        """Return to the game as it is now."""
        self.at = None
        self.message = ""
        self.do_erase()

    def _look(self, by: int) -> None:
        last = len(self.history) - 1
        at = (last if self.at is None else self.at) + by
        self.at = None if at >= last else max(0, at)

    def do_next(self) -> None:
        """Go to the next choice; while looking back, to the next event."""
        self._move(1, 0)

    def do_previous(self) -> None:
        """Go to the choice, or the event, before."""
        self._move(-1, 0)

    def do_down(self) -> None:
        """Go to the next group of choices."""
        self._move(0, 1)

    def do_up(self) -> None:
        """Go to the group of choices before."""
        self._move(0, -1)

    def _move(self, by: int, jump: int) -> None:
        self.message = ""
        if self.at is not None:
            self._look(by or jump)
        elif self.choices and by:
            self.choices.move(by)
        elif self.choices:
            self.choices.jump(jump)

    def do_enter(self) -> None:
        """Play the step under the cursor; after the game, leave."""
        if self.at is not None:
            self.do_now()
        elif self.choices:
            step = self.choices.step
            self._do(lambda: self.sitting.step(step))
        elif self.sitting.game.over:
            self.do_quit()

    def _replay(self) -> str:
        """Return how to look at the game again."""
        return f"Replay it with: {self.sitting.command('replay')}"

    def do_quit(self) -> None:
        """Leave the table."""
        if self._bots is not None:
            self._bots.cancel()
        self.app.leave(said=self._replay() if self.sitting.game.over else self.sitting.farewell)

    def pressed(self, key: str, character: str) -> None:
        """Type a step, or handle a key."""
        choices = self.choices if self.at is None else None
        if choices and character.isprintable() and character.strip() and key not in ("enter", "space"):
            if choices.takes(character.lower()):
                self.message = ""
                return
            if choices.typed or key not in self.KEYS:
                self.message = with_ruling(choices.refusal(character.lower()))
                if self.message:
                    choices.typed = ""
                    return
        super().pressed(key, character)

    def pointed(self, words: str, click: bool) -> None:
        """Go to a step where the mouse points; play it with a click, if it is the only one there."""
        if self.choices is None or self.at is not None:
            return
        found = self.choices.go_to(words.removeprefix(LISTED))
        if not click or not found:
            return
        if len(found) == 1 or words.startswith(LISTED):
            step = self.choices.step
            self._do(lambda: self.sitting.step(step))
        else:
            self.message = f"There are {len(found)} ways to do that: click one of the choices below."

    # -- The page --

    def page(self, look: Style) -> Page:
        """Return the table, what happened, the choices, and the keys."""
        spots = look.spots if look.spots is not None else []
        foot = self._foot(look)
        lines = composed(self.extent, self._table(look), self._side(look), self._below(look), foot)
        choices = self.choices if self.at is None else None
        lit = choices.following or tuple(step.words for step in choices.legal) if choices else ()
        return Page(lines, spots, lit, choices.step.words if choices else "")

    def _table(self, look: Style) -> Callable[[int, int], list[str]]:
        def drawn(width: int, height: int) -> list[str]:
            at = len(self.history) - 1 if self.at is None else self.at
            spots = look.spots if self.choices and self.at is None else None
            own = replace(
                look,
                width=width,
                height=height,
                spots=spots,
                viewer=self.viewer,
                since=self.history.seen[at].since,
                choices=False,
            )
            fold = self.history.fold_at(at)
            return view_of(fold.rules).table(fold, own, backs=self.backs)

        return drawn

    def _told_so_far(self) -> list[str]:
        return self.history.sentences(len(self.history) - 1 if self.at is None else self.at)

    def _below(self, look: Style) -> Callable[[int, int], list[str]]:
        """Return the rest of the screen: the story, if it is not beside the table, and more."""

        def drawn(width: int, room: int) -> list[str]:
            aside = table_width(self.extent[0]) < self.extent[0]
            story = [] if aside else last_lines(self._told_so_far()[2:], width, min(room, STORY), look)
            return [*story, *stacked(self._boxes(width, look), room - len(story))]

        return drawn

    def _boxes(self, width: int, look: Style) -> list[list[str]]:
        """Return extras for a large screen: what each choice does, points, signs."""
        fold = self.history.fold_at(len(self.history) - 1 if self.at is None else self.at)
        flat = replace(look, spots=None, width=width - 4)
        boxes = []
        if self.choices and self.at is None:
            lines = [f" {line}" for line in self.choices.described(look, width - 4)]
            boxes.append(framed("choices", "", lines, look, width))
        boxes.append(framed("points so far", "", points_lines(fold, look), look, width))
        boxes.append(framed("signs", "", [f" {line}" for line in legend_lines(fold, flat)], look, width))
        return boxes

    def _side(self, look: Style) -> Callable[[int, int], list[str]]:
        """Return the panel beside the table: scores, and the story."""

        def drawn(width: int, room: int) -> list[str]:
            at = len(self.history) - 1 if self.at is None else self.at
            points = self.history.seen[at].state.scores()
            bots = self.sitting.bots
            rows = [
                (look.name(name), points[seat], bots.get(seat + 1, ""))
                for seat, name in enumerate(self.sitting.game.players)
            ]
            return side_panel(rows, self._told_so_far(), width, room, look)

        return drawn

    def _foot(self, look: Style) -> list[str]:
        """Return the choices, what the one under the cursor does, and the keys."""
        width = self.extent[0]
        lines = self._prompt(look, width)
        note = self.message or self.too_small or self._preview()
        said = wrapped(look.name(note).split(" "), width - 1) or [""]
        return [*lines, *said, buttons(self._keys(look), width, look)]

    def _keys(self, look: Style) -> list[tuple[str, str, str]]:
        """Return the keys that can be used now, as buttons."""
        if self.at is not None:
            return looking_back(look)
        return playing(bool(self.choices), self.sitting.game.over, self._has_backs)

    def _prompt(self, look: Style, width: int) -> list[str]:
        """Return who has to choose, and the choices."""
        game = self.sitting.game
        if self.at is not None:
            last = len(self.history)
            words = look.name(self.history.seen[self.at].sentence).split(" ")
            return [look.strong(f"Event {self.at + 1} of {last}"), *wrapped(words, width - 1)]
        if game.over:
            return [look.strong("The game is over."), self._replay()]
        name = fitted(look.name(self.sitting.name(game.player or 1)), 16)
        if self.choices is None:
            return [look.faint(f"{name} ({self.sitting.bots.get(game.player or 1, '')}) is thinking ...")]
        typed = f" {look.strong(self.choices.typed)}" if self.choices.typed else ""
        head = f"{look.strong(f'{name}: {self.choices.verbs}')}{typed}"
        return wrapped([head, *self.choices.items(look)], width - 1, gap="")

    def _preview(self) -> str:
        if self.at is not None or self.choices is None:
            return ""
        return self.choices.preview
