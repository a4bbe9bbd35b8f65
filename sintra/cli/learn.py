"""`sintra learn`."""

from __future__ import annotations

import os
import re
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
from sintra.cli.output import say, screen_size, style
from sintra.errors import IllegalStep, UsageError
from sintra.text import wrapped
from sintra.view.layout import BLOCK

if TYPE_CHECKING:
    from sintra.rules.snapshot import Snapshot
    from sintra.tutorial import Tutorial
    from sintra.view.style import Style

TALK = 7
"""Number of lines left below the table, for what happens and the task."""
_RULING = re.compile(r" \([A-Z]\d+\)")
"""The number of a ruling, which means nothing to a learner."""
_LESSON = re.compile(r"lesson (\d{1,3})", re.ASCII)
WIDTH = 80
"""Maximum width of a text, in columns."""
KEYS = (
    ("hint", "suggest a step (or h)"),
    ("table", "show the whole table, with the other board"),
    ("again", "restart the lesson"),
    ("next", "go on to the next lesson"),
    ("back", "go to the lesson before"),
    ("lesson 8", "go to lesson 8"),
    ("quit", "leave (or q, or Ctrl-D)"),
)
"""The commands that may be typed besides steps."""
MORE = "Type ? for help, hint for a suggestion, quit to leave."


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

    Each lesson sets up a table and gives you a task. Try any legal step; if a step is refused, the game
    explains why. Type ? for help.

    \b
    sintra learn
    sintra learn azul
    sintra learn crystal --list
    """
    from sintra.tutorial import learn

    name = rules_named(rules).name
    if listed:
        say("\n".join(f"{number:>2}  {lesson.title}" for number, lesson in enumerate(learn(name).lessons, 1)))
        return 0
    return teach(name, lesson, style(color, ascii, theme))


def teach(name: str, first: int, look: Style) -> int:
    """Go through the lessons of a rule-set, starting at one of them; return the exit code."""
    from sintra.tutorial import learn

    tutorial = learn(name)
    tutorial.begin(first - 1)
    if sys.stdin is not None:
        sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    course = Course(tutorial, look)
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
        self.before: Snapshot | None = None
        """The table before the last step of the learner."""
        self.news: list[str] = []
        """What was said with the table on the screen."""
        self._clears = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"

    def run(self) -> None:
        """Go through the lessons until the last one is done or the learner quits."""
        self.show([], fresh=True)
        while (text := ask("> ")) is not None and text.lower() not in ("quit", "q"):
            if not self.answer(text.lower()):
                return
        self.farewell()

    # -- The lesson on the screen --

    def show(self, news: list[str], *, fresh: bool = False, whole: bool = False) -> None:
        """Print the table and the task, with what has just happened; also the text, if it is new.

        A terminal is cleared, and always has the text; on a low one, it replaces Mira's board, unless the
        whole table is asked for.
        """
        self.news = news
        lesson, asked, more = self.tutorial.lesson, self._asked(), self.style.faint(MORE)
        title = self.style.strong(self._title())
        if not self._clears:
            text = ["", title, "", *self._lines(lesson.text), ""] if fresh else []
            say("\n".join([*text, *news, *self._table(), *asked, *([more] if fresh else [])]))
            return
        room = screen_size().lines - 1
        text = [title] if whole else [title, "", *self._lines(lesson.text), ""]
        left = room - len(text) - (len(news) + len(asked) if whole else TALK)
        table = self._table(max(1, left))
        lines = [*text, *table, *news, *asked]
        if len(table) > left and not whole:
            narrow = self.style.width - BLOCK - 2
            heading = [self.style.strong(line) for line in wrapped(self._title().split(" "), narrow)]
            table = self._table(aside=(*heading, "", *wrapped(self._words(lesson.text), narrow)))
            left = max(0, room - len(table) - len(asked))
            lines = [*table, *news[-left:], *asked] if left else [*table, *asked]
        lines += [more] if len(lines) < room and not self._over else []
        sys.stdout.write("\x1b[H\x1b[2J")
        say("\n".join(lines))

    def _title(self) -> str:
        tutorial = self.tutorial
        return f"Lesson {tutorial.at + 1} of {len(tutorial.lessons)}: {tutorial.lesson.title}"

    def _table(self, high: int | None = None, aside: tuple[str, ...] = ()) -> list[str]:
        """Return the table, in this many lines if possible, or with other lines in place of one board."""
        from msgspec.structs import replace

        from sintra.cli.animate import bare_table
        from sintra.tutorial import LEARNER, addressed

        look = replace(self.style, height=high, aside=aside, viewer=LEARNER, since=self.before)
        return [addressed(line) for line in bare_table(self.tutorial.game.fold, look)]

    def _lines(self, text: str, mark: str = "") -> list[str]:
        """Return a text in lines."""
        room = min(self.style.width, WIDTH) - len(mark)
        lines = wrapped(self._words(text), room)
        return [f"{' ' * len(mark) if at else mark}{line}" for at, line in enumerate(lines)]

    def _words(self, text: str) -> list[str]:
        """Return the words of a text; with colors, what is to be typed (between backticks) is bold."""
        if not self.style.color:
            return text.split(" ")
        parts = enumerate(text.split("`"))
        return "".join(
            " ".join(map(self.style.strong, part.split(" "))) if at % 2 else part for at, part in parts
        ).split(" ")

    def _asked(self) -> list[str]:
        """Return the task, or how to continue."""
        tutorial = self.tutorial
        if tutorial.task is not None:
            return [self.style.strong(line) for line in self._lines(tutorial.task.text)]
        if not self._over:
            return [self.style.strong("Press Enter for the next lesson.")]
        return ["That was the last lesson."]

    @property
    def _over(self) -> bool:
        """Whether the last lesson is done."""
        return self.tutorial.task is None and self.tutorial.at + 1 == len(self.tutorial.lessons)

    def tell(self, text: str) -> None:
        """Print an answer; on a screen, with the table, which would leave it at the top otherwise."""
        answer, news = self._lines(text, "  "), self.news
        if self._clears:
            self.show([*news, *answer])
            self.news = news
        else:
            say("\n".join(answer))

    def farewell(self) -> None:
        """Print how to continue later."""
        tutorial = self.tutorial
        say(f"Continue with: sintra learn {tutorial.rules.name} --lesson {tutorial.at + 1}")

    # -- What is typed --

    def answer(self, text: str) -> bool:
        """Handle a typed line; return True if there is more to learn."""
        tutorial = self.tutorial
        try:
            if text in ("?", "help"):
                self._help()
            elif text in ("hint", "h"):
                self.tell(f"You could {tutorial.example()}.")
            elif text == "again":
                self._go(tutorial.at)
            elif text == "table":
                self.show(self.news, whole=True)
            elif found := _LESSON.fullmatch(text):
                self._go(int(found[1]) - 1)
            elif text == "back":
                self._go(max(0, tutorial.at - 1))
            elif text in ("next", "skip") or (not text and tutorial.task is None):
                if tutorial.at + 1 == len(tutorial.lessons):
                    self.tell("That was the last lesson.")
                    return False
                self._go(tutorial.at + 1)
            elif not text:
                self.show(self.news)
            else:
                self._play(text.split())
        except (UsageError, IllegalStep) as error:
            self.tell(_RULING.sub("", str(error)))
        return not self._over

    def _go(self, at: int) -> None:
        self.tutorial.begin(at)
        self.before = None
        self.show([], fresh=True)

    def _play(self, tokens: list[str]) -> None:
        """Play the steps of a line until one is refused or the lesson is done."""
        news: list[str] = []
        try:
            refusal = self._steps(tokens, news)
        except (UsageError, IllegalStep):
            if news:
                self.show(news)
            raise
        if news or not refusal:
            self.show(news)
        if refusal:
            self.tell(refusal)

    def _steps(self, tokens: list[str], news: list[str]) -> str:
        """Play the steps of a line, and say what happens; return why a step is not what the task asks for."""
        from sintra.cli.shorthand import first_step

        tutorial = self.tutorial
        bullet = self.style.either("• ", "- ")
        while tokens:
            if tutorial.task is None:
                raise UsageError("this lesson is done; press Enter for the next one")
            words, used = first_step(tutorial.game, tokens)
            before = tutorial.game.rules.snapshot(tutorial.game.live)
            reply = tutorial.play(words)
            tokens = tokens[used:]
            if not reply.accepted:
                return reply.remark
            self.before = before
            for sentence in reply.story:
                news += self._lines(sentence, bullet)
            news += self._lines(reply.remark) if reply.remark else []
        return ""

    def _help(self) -> None:
        """Print what may be typed."""
        from sintra.cli.shorthand import examples, shortest

        short = shortest(self.tutorial.game)
        rows = [(short[step], f"{step}") for step in examples(self.tutorial.game.legal())]
        for typed, meaning in [*rows, ("", "or the words, abbreviated if you like"), *KEYS]:
            say(f"  {self.style.strong(f'{typed:<8}')}  {meaning}")
