"""`sintra learn`."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING, Annotated

from sintra.cli.asking import ask
from sintra.cli.options import (
    Argument,
    AsciiOption,
    Color,
    ColorOption,
    Option,
    Theme,
    ThemeOption,
    completed_by,
    rules_named,
)
from sintra.cli.output import say, style
from sintra.errors import IllegalStep, UsageError

if TYPE_CHECKING:
    from sintra.tutorial import Tutorial
    from sintra.view.style import Style

TALK = 3
"""Number of lines that the table leaves for the task and the answer."""
WIDTH = 80
"""Maximum width of a text, in columns."""
KEYS = (
    ("hint", "suggest a step"),
    ("again", "begin the lesson anew"),
    ("next", "go on to the next lesson"),
    ("back", "go to the lesson before"),
    ("quit", "leave (or q, or Ctrl-D)"),
)
"""What may be typed besides steps."""


def learn(
    rules: Annotated[
        str, Argument(metavar="RULES", help="The game to learn.", completion=completed_by("rules"))
    ] = "sintra",
    lesson: Annotated[int, Option(help="Begin with lesson N.", min=1, metavar="N")] = 1,
    listed: Annotated[bool, Option("--list", help="List the lessons.")] = False,
    theme: ThemeOption = Theme.auto,
    color: ColorOption = Color.auto,
    ascii: AsciiOption = False,
) -> int:
    """Learn a game in ten short lessons.

    Each lesson shows a table and something to do there. Whatever is legal can be tried, and the
    game explains what it refuses. Type ? for help.

    \b
    sintra learn
    sintra learn azul
    sintra learn crystal --list
    """
    from sintra.tutorial import learn

    tutorial = learn(rules_named(rules).name)
    if listed:
        say("\n".join(f"{number:>2}  {lesson.title}" for number, lesson in enumerate(tutorial.lessons, 1)))
        return 0
    tutorial.begin(lesson - 1)
    if sys.stdin is not None:
        sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    course = Course(tutorial, style(color, ascii, theme))
    try:
        course.run()
    except KeyboardInterrupt:
        say("")
        course.farewell()
        return 130
    return 0


class Course:
    """A tutorial at the keyboard."""

    def __init__(self, tutorial: Tutorial, style: Style) -> None:
        self.tutorial = tutorial
        self.style = style

    def run(self) -> None:
        """Go through the lessons until the last one is done or the learner leaves."""
        self.open()
        while (text := ask("> ")) is not None and text.lower() not in ("quit", "q"):
            if not self.answer(text.lower()):
                return
        self.farewell()

    def open(self) -> None:
        """Print the lesson, its table, and what to do."""
        tutorial = self.tutorial
        title = f"Lesson {tutorial.at + 1} of {len(tutorial.lessons)}: {tutorial.lesson.title}"
        say(f"\n{self.style.strong(title)}\n")
        self.tell(tutorial.lesson.text)
        say("")
        self.draw()
        self.ask_for_more()

    def draw(self) -> None:
        """Draw the table."""
        from msgspec.structs import replace

        from sintra.cli.animate import bare_table

        high = shutil.get_terminal_size().lines - TALK if sys.stdout.isatty() else None
        say("\n".join(bare_table(self.tutorial.game.fold, replace(self.style, height=high))))

    def tell(self, text: str, mark: str = "") -> None:
        """Print a text in lines."""
        from sintra.text import wrapped

        room = min(self.style.width, WIDTH) - len(mark)
        for at, line in enumerate(wrapped(text.split(" "), room)):
            say(f"{' ' * len(mark) if at else mark}{line}")

    def ask_for_more(self) -> None:
        """Print the task, or how to go on."""
        tutorial = self.tutorial
        if tutorial.task is not None:
            self.tell(self.style.strong(tutorial.task.text))
        elif tutorial.at + 1 < len(tutorial.lessons):
            self.tell(self.style.strong("Press Enter for the next lesson."))
        else:
            say("That was the last lesson.")

    def farewell(self) -> None:
        """Print how to go on another time."""
        tutorial = self.tutorial
        say(f"Go on with: sintra learn {tutorial.rules.name} --lesson {tutorial.at + 1}")

    # -- What is typed --

    def answer(self, text: str) -> bool:
        """Do what was typed; return whether there is more to learn."""
        tutorial = self.tutorial
        try:
            if text in ("?", "help", "h"):
                self._help()
            elif text == "hint":
                self.tell(f"You could {tutorial.example()}.")
            elif text == "again":
                self._go(tutorial.at)
            elif text == "back":
                self._go(max(0, tutorial.at - 1))
            elif text in ("next", "skip") or (not text and tutorial.task is None):
                if tutorial.at + 1 == len(tutorial.lessons):
                    return False
                self._go(tutorial.at + 1)
            elif not text:
                self.draw()
                self.ask_for_more()
            else:
                self._play(text.split())
        except (UsageError, IllegalStep) as error:
            self.tell(str(error), "  ")
        return tutorial.task is not None or tutorial.at + 1 < len(tutorial.lessons)

    def _go(self, at: int) -> None:
        self.tutorial.begin(at)
        self.open()

    def _play(self, tokens: list[str]) -> None:
        """Play the steps of a line until one is refused or the lesson is done."""
        from sintra.cli.shorthand import first_step

        tutorial = self.tutorial
        while tokens:
            if tutorial.task is None:
                raise UsageError("this lesson is done; press Enter for the next one")
            words, used = first_step(tutorial.game, tokens)
            reply = tutorial.play(words)
            tokens = tokens[used:]
            for sentence in reply.story if reply.accepted else []:
                self.tell(sentence, self.style.either("• ", "- "))
            if reply.remark:
                self.tell(reply.remark)
            if not reply.accepted:
                return
        self.draw()
        self.ask_for_more()

    def _help(self) -> None:
        """Print what may be typed."""
        from sintra.cli.shorthand import examples, shortest

        short = shortest(self.tutorial.game)
        rows = [(short[step], f"{step}") for step in examples(self.tutorial.game.legal())]
        for typed, meaning in [*rows, ("", "or the words, abbreviated if you like"), *KEYS]:
            say(f"  {self.style.strong(f'{typed:<6}')}  {meaning}")
