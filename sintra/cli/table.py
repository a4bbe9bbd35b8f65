"""A real table, guided: asks for the arrangement, each deal and each step in turn, and corrects slips."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sintra import api
from sintra.cli.animate import bare_table
from sintra.cli.asking import ask
from sintra.cli.new import made, own_values
from sintra.cli.output import say, with_ruling
from sintra.cli.shorthand import examples, first_step, in_full, shortest, verb_of
from sintra.errors import IllegalStep, UsageError
from sintra.game import Game
from sintra.log import writing
from sintra.reader import read_log
from sintra.rules.state import ARRANGE
from sintra.rules.typed import dealt
from sintra.table import laid, record, wrong_arrangement, wrong_deal
from sintra.text import plural, safe, wrapped

if TYPE_CHECKING:
    from sintra.fold import Fold
    from sintra.rules.effects import Moment
    from sintra.view.style import Style

KEYS = (
    ("show", "draw the table"),
    ("log", "list what was entered, with numbers"),
    ("undo", "take back the last entry; undo 3 takes back three"),
    ("fix 7 …", "replace number 7, like `fix 7 pick 3 orange`, and replay the rest"),
    ("note …", "add a remark, such as a date or a place"),
    ("quit", "leave (or q, or Ctrl-D); the game is saved"),
)
"""The commands that may be typed instead of an answer."""


def guide(path: str, new: bool, with_bots: bool, wishes: Mapping[str, Any], style: Style) -> int:
    """Guide a real table, at a new log or one that exists; return the exit code."""
    if with_bots or wishes["seed"] is not None or wishes["unseeded"]:
        raise UsageError("at a real table, people play, and draws are typed in: no bots and no seed")
    with own_values(wishes["components"]) as own:
        if fresh := new or not os.path.lexists(path):
            rules, side, players = wishes["rules"] or "sintra", wishes["side"], wishes["players"]
            names, options = wishes["player"] or [], wishes["option"] or []
            made(rules, side, players, names, options, own, 0)  # the values count from the arrangement on
            made(rules, side, players, names, options, None, None, "table").save(path)
    if not fresh:
        given = [name for name, wish in wishes.items() if wish and name != "components"]
        if given:
            raise UsageError(f"{path} already exists; --{given[0]} is for new games")
        writing.check_regular(path)
    table = Guide(path, style, own)
    if own:
        table.resumed += f" --components {shlex.quote(wishes['components'])}"
    try:
        table.run()
    except KeyboardInterrupt:
        say("")
        table.farewell()
        return 130
    return 0


class Leave(Exception):
    """The person at the keyboard quits."""


class Guide:
    """Guides a person who records a real table; every entry is saved at once."""

    def __init__(self, path: str, style: Style, components: Mapping[str, Any] | None = None) -> None:
        self.path = path
        self.style = style
        self.components = components or {}
        self.resumed = f"sintra play {shlex.quote(path)} --table"
        """The command that continues this game."""
        self.typed: list[list[str]] = []
        """The answers to a question that takes several, before they are saved."""
        self.game = read_log(path)
        if self.game.created.chance != "table":
            raise UsageError(f"{path} is not a game at a real table; play it without --table")

    def run(self) -> None:
        """Ask for entries until the game is over."""
        self._do(Game.settle)
        self.draw()
        try:
            while not self.game.over:
                self._next()
        except Leave:
            self.farewell()
            return
        self.draw()
        say(safe(f"\nReplay it with: sintra replay {shlex.quote(self.path)}"))

    def farewell(self) -> None:
        """Print how to continue."""
        what = "arrangement" if self.game.live.phase == ARRANGE else "deal"
        lost = f", but not this unfinished {what}" if self.typed else ""
        say(safe(f"The game is saved{lost}. Resume it with: {self.resumed}"))

    def draw(self) -> None:
        """Draw the table."""
        say("\n".join(bare_table(self.game.fold, self.style)))

    def _next(self) -> None:
        """Ask for what comes next, and enter it."""
        if self.game.player is not None:
            self.typed = []
            self._step()
        elif self.game.live.phase == ARRANGE:
            self._arrange()
        else:
            self._deal()

    def _do(self, act: Callable[[Game], object]) -> None:
        """Act on the game, append the events to the log, and print what happened."""
        from sintra.view import sentence_of

        story: list[str] = []

        def see(fold: Fold, moment: Moment) -> None:
            story.append(sentence_of(fold, moment))

        with api.open(self.path, watch=see) as game:
            act(game)
        self.game = game
        for sentence in story:
            self._tell(sentence, self.style.either("• ", "- "))

    def _tell(self, text: str, mark: str = "  ") -> None:
        for at, line in enumerate(wrapped(text.split(" "), self.style.width - len(mark))):
            say(f"{' ' * len(mark) if at else mark}{line}")

    # -- Asking --

    def _ask(self, prompt: str) -> str | None:
        """Return what was typed; None if it was a command, which is carried out."""
        text = ask(f"{prompt}> ")
        if text is None or text.lower() in ("quit", "q"):
            raise Leave
        word, _, rest = text.partition(" ")
        commands: dict[str, Callable[[str], None]] = {
            "?": self._help,
            "help": self._help,
            "": lambda _: self.draw(),
            "show": lambda _: self.draw(),
            "log": self._log,
            "undo": self._undo,
            "fix": self._fix,
            "note": lambda text: self._do(lambda game: game.note(text)),
        }
        command = commands.get(word.lower())
        if command is None:
            return text
        try:
            command(rest.strip())
        except (UsageError, IllegalStep) as error:
            self._tell(safe(str(error)))
        return None

    def _arrange(self) -> None:
        """Ask for the parts of the arrangement, and check each at once."""
        game, asked = self.game, ""
        questions = game.rules.questions(game.players)
        while len(self.typed) < len(questions):
            heading, question = questions[len(self.typed)]
            if question != asked:
                say(safe(f"{question}:"))
                asked = question
            answer = self._ask(heading)
            if answer is None:
                if self.game.live.phase != ARRANGE:
                    return
                continue
            wrong = wrong_arrangement(game, [*self.typed, answer.split()], self.components)
            if wrong:
                self._tell(safe(wrong))
            else:
                self.typed.append(answer.split())
        words = [
            word
            for (heading, _), answer in zip(questions, self.typed, strict=True)
            for word in (*heading.split(), *answer)
        ]
        event = laid(game, words, self.components)
        self.typed = []
        self._do(lambda game: record(game, event))

    def _deal(self) -> None:
        """Ask for the displays, one or several per line, and check each at once."""
        offer = self.game.live.offer
        if self._wrong_deal(self._displays):
            self.typed = []
        say(f"The displays: a letter for each piece, like {self._display()}; one or several in a line:")
        while len(self._displays) < offer.displays:
            before = self.game.events
            at = f"round {self.game.round + 1}, display {len(self._displays) + 1} of {offer.displays}"
            answer = self._ask(at)
            if answer is None:
                if self.game.events != before:
                    return
                continue
            tokens = answer.lower().replace(",", " ").split()
            wrong = self._wrong_deal([*self._displays, *tokens])
            if wrong:
                self._tell(safe(wrong))
            else:
                self.typed.append(tokens)
        event = dealt(self.game.rules.palette, self.game.round + 1, " ".join(self._displays), offer.size)
        self.typed = []
        try:
            self._do(lambda game: record(game, event))
        except IllegalStep as error:
            self._tell(safe(str(error)))
        self.draw()

    @property
    def _displays(self) -> list[str]:
        """The displays that were typed so far."""
        return [display for answer in self.typed for display in answer]

    def _display(self) -> str:
        """Return a display as it may be typed."""
        palette = self.game.rules.palette
        return "".join(map(palette.letter, (palette.names * 2)[: self.game.live.offer.size]))

    def _wrong_deal(self, typed: Sequence[str]) -> str:
        """Return what is wrong with the first displays of a deal, if anything."""
        game = self.game
        try:
            event = dealt(game.rules.palette, game.round + 1, " ".join(typed), game.live.offer.size)
        except UsageError as error:
            return str(error)
        if len(event.displays) != len(typed):
            return "type each display as one word, a letter for each piece"
        return wrong_deal(game, event.displays)

    def _step(self) -> None:
        """Ask a player for their steps."""
        game = self.game
        name = safe(game.players[(game.player or 1) - 1])
        verbs = " or ".join(dict.fromkeys(map(verb_of, game.legal())))
        text = self._ask(f"{name}, {verbs}")
        if text is None:
            return
        tokens = text.lower().split()
        trial, found = game.copy(), list[str]()
        try:
            while tokens:
                words, used = first_step(trial, tokens)
                trial.play(words)
                found.append(words)
                tokens = tokens[used:]
            self._do(lambda game: game.play(" ".join(found)))
        except (UsageError, IllegalStep) as error:
            self._tell(safe(with_ruling(str(error))))

    # -- Commands --

    def _help(self, _: str) -> None:
        """Print what may be typed."""
        rows: list[tuple[str, str]] = []
        if self.game.player is not None:
            short = shortest(self.game)
            rows = [(short[step], f"{step}") for step in examples(self.game.legal())]
        elif self.game.live.phase != ARRANGE:
            rows = [(self._display(), "a display, a letter for each piece; several in a line if you like")]
        if self.game.player is None:
            palette = self.game.rules.palette
            letters = ", ".join(f"{palette.letter(name)} {name}" for name in palette.names)
            rows.append(("", f"the letters are {letters}"))
        for typed, meaning in [*rows, *KEYS]:
            say(f"  {self.style.strong(f'{typed:<8}')}  {meaning}")

    def _log(self, _: str) -> None:
        """List the entries with their numbers."""
        for number, words in enumerate(api.entries(self.game), 1):
            self._tell(safe(words), f"{number:>4}  ")

    def _undo(self, count: str) -> None:
        """Take back the last entries."""
        if count and not (count.isascii() and count.isdigit()):
            raise UsageError(f"undo takes a number, not {count!r}")
        number = int(count or 1)
        kept = max(0, len(self.typed) - number)
        taken = self.typed[kept:]
        if number > len(taken) or not taken:
            self._do(lambda game: game.undo(number - len(taken)))
        for answer in reversed(taken):
            self._tell(safe(f"Took back {' '.join(answer)}."))
        self.typed = self.typed[:kept]

    def _fix(self, text: str) -> None:
        """Correct an entry, and replay the rest as far as possible."""
        number, _, words = text.partition(" ")
        if not (number.isascii() and number.isdigit() and words.strip()):
            raise UsageError(
                "fix takes a number and what is right, like `fix 7 pick 3 orange`; log shows the numbers"
            )
        found: list[api.Correction] = []
        words = self._in_full(int(number), words)
        self._do(lambda game: found.append(api.correct(game, int(number), words, self.components)))
        (done,) = found
        if done.left:
            self.typed = []
        say(f"Replaced number {number} and replayed {plural(done.replayed, 'entry', 'entries')}.")
        if done.left:
            self._tell(f"Number {int(number) + done.replayed + 1} is no longer possible: {safe(done.reason)}")
            self._tell(f"Left out: {safe('; '.join(done.left))}")

    def _in_full(self, number: int, text: str) -> str:
        """Return the new text of an entry; short forms of steps are spelled out."""
        trial, count = self.game.copy(), len(api.entries(self.game))
        if not 1 <= number <= count:
            return text
        trial.undo(count - number + 1)
        return (in_full(trial, text.lower().split()) if trial.player is not None else None) or text
