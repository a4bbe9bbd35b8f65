"""`sintra play`: people and bots at one keyboard."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from sintra.batch.results import MANY_ROUNDS
from sintra.bots.names import choose, find, look_here
from sintra.cli.animate import bare_table
from sintra.cli.new import made, own_values
from sintra.cli.options import Argument, AsciiOption, Color, ColorOption, Option
from sintra.cli.output import say, style
from sintra.cli.shorthand import examples, first_step, shortest, verb_of
from sintra.errors import Conflict, IllegalStep, Unreadable, UsageError
from sintra.game import Game
from sintra.log import files, writing
from sintra.log.codec import encode_lines
from sintra.log.events import Choice, Event
from sintra.log.lines import split
from sintra.reader import Reader, naming, read_game
from sintra.rules.chance import Chance
from sintra.rules.steps import Step
from sintra.text import plural, reason

if TYPE_CHECKING:
    from sintra.fold import Fold
    from sintra.view.story import Turn
    from sintra.view.style import Style

MAX_TYPED = 10_000
"""Maximum length of a typed line, in characters."""


def play(
    log_: Annotated[str, Argument(metavar="LOG", help="Log to resume or to create.")],
    new: Annotated[bool, Option("--new", help="Only create a log, never resume one.")] = False,
    bot: Annotated[
        list[str] | None,
        Option(
            help="Bot in a seat: random, greedy or module:function; repeatable.",
            metavar="SEAT=NAME",
        ),
    ] = None,
    bots: Annotated[str | None, Option(help="Bot in all seats but the first.", metavar="NAME")] = None,
    rules: Annotated[str | None, Option(help="New game: rule-set.", metavar="NAME")] = None,
    side: Annotated[str | None, Option(help="New game: side of the boards.", metavar="SIDE")] = None,
    players: Annotated[
        int | None, Option("--players", "-p", help="New game: number of players.", metavar="N")
    ] = None,
    player: Annotated[
        list[str] | None, Option(help="New game: name of a player; repeat for each.", metavar="NAME")
    ] = None,
    option: Annotated[
        list[str] | None, Option(help="New game: option of the rule-set; repeatable.", metavar="KEY=VALUE")
    ] = None,
    components: Annotated[
        str | None, Option(help="New game: printed values of your own box.", metavar="FILE")
    ] = None,
    seed: Annotated[int | None, Option(help="New game: seed for all draws.", metavar="N")] = None,
    unseeded: Annotated[
        bool, Option("--unseeded", help="New game: system randomness (not reproducible).")
    ] = False,
    color: ColorOption = Color.auto,
    ascii: AsciiOption = False,
) -> int:
    """Play at this keyboard: people, bots, or both.

    Resumes LOG, or creates it with the options of `new`. Every step is saved at once, so leave
    whenever you like. Type ? for help.

    \b
    sintra play game.log --bots greedy
    sintra play other.log --new --rules azul --player Ada --player Ben
    """
    wishes = {
        "rules": rules,
        "side": side,
        "players": players,
        "player": player,
        "option": option,
        "components": components,
        "seed": seed,
        "unseeded": unseeded or None,
    }
    given = {name: wish for name, wish in wishes.items() if wish not in (None, [])}
    if log_ == "-":
        raise UsageError("play needs a log file, not standard input")
    if new or not os.path.lexists(log_):
        if unseeded and seed is not None:
            raise UsageError("use only one of --seed and --unseeded")
        own = own_values(components)
        chance = "system" if unseeded else "seeded"
        game = made(rules or "sintra", side, players, player or [], option or [], own, seed, chance)
        seated(game, bot or [], bots)  # before the file is made
        game.save(log_)
    elif given:
        raise UsageError(f"{log_} already exists; --{next(iter(given))} is for new games")
    else:
        writing.check_regular(log_)
    sitting = Sitting(log_, bot or [], bots, color, ascii)
    try:
        sitting.play()
    except KeyboardInterrupt:
        say("")
        sitting.farewell()
        return 130
    except Conflict:
        sitting.farewell()
        raise
    return 0


def seated(game: Game, pairs: Sequence[str], others: str | None) -> dict[int, str]:
    """Return the names of the bots by seat."""
    seats = dict.fromkeys(range(2, len(game.players) + 1), others) if others is not None else {}
    for pair in pairs:
        seat, _, name = pair.partition("=")
        if seat not in map(str, range(1, len(game.players) + 1)):
            raise UsageError(f"--bot takes SEAT=NAME with a seat from 1 to {len(game.players)}, not {pair!r}")
        seats[int(seat)] = name
    named = {seat: str(name) for seat, name in sorted(seats.items())}
    look_here(named.values())
    for name in named.values():
        find(name)
    return named


# -- A sitting -------------------------------------------------------------------------------


class Sitting:
    """People and bots at a log, which is read once; every step is appended to it."""

    def __init__(
        self, path: str, pairs: Sequence[str], others: str | None, color: Color, ascii: bool
    ) -> None:
        self.path = path
        with naming(path):
            self.data = b"".join(files.read(path))
        """The content of the file."""
        self.game = read_game(split(self.data), path)
        self.bots = seated(self.game, pairs, others)
        self.chance = Chance(self.game.created.seed)
        self.seen = len(self.game.events)
        """Number of events that the person at the keyboard has seen."""
        self.remark: list[str] = []
        """Lines to print with the next table."""
        self._how = (color, ascii)
        self._clears = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
        self._typing = sys.stdin is not None and sys.stdin.isatty()
        if sys.stdin is not None:
            sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]

    def play(self) -> None:
        """Play until the game is over or somebody leaves."""
        self._append(self.game.settle())
        while self._bots_play():
            self.draw()
            if not self._turn():
                self.farewell()
                return
        self.draw()
        say(f"\nReplay it with: {self._command('replay')}")

    def _turn(self) -> bool:
        """Talk with a person until something is done; return whether they stay."""
        while (text := self._ask()) is not None and text.lower() not in ("quit", "q"):
            if self._answer(text):
                return True
        return False

    # -- Steps --

    def _append(self, events: Sequence[Event]) -> None:
        """Append events to the log; raise Conflict if another program has changed it."""
        if not events:
            return
        lines = encode_lines(events)
        with writing.Appender(self.path) as file:
            if b"".join(file.read()) != self.data:
                raise Conflict(f"{self.path} was changed by another program; your last step was not saved")
            file.append(lines)
        self.data += lines

    def _bots_play(self) -> bool:
        """Let bots play until a person has to choose; return whether one has to."""
        game = self.game
        while (seat := game.player) in self.bots:
            if len(self.bots) == len(game.players) and game.round > MANY_ROUNDS:
                raise UsageError(f"the bots have played {MANY_ROUNDS} rounds without finishing (R6)")
            code = choose(find(self.bots[seat]), game.live, self.chance, len(game.events))
            self._append(game.play(game.rules.steps[code]))
        if seat is None and not game.over:
            raise UsageError(f"{game.awaits}; use `sintra arrange` or `sintra deal` for a real table")
        return seat is not None

    def _play(self, text: str) -> None:
        """Play all steps of a line, or none."""
        trial = self.game.copy()
        tokens = text.lower().split()
        events: list[Event] = []
        while tokens:
            if trial.player is None or trial.player in self.bots:
                raise UsageError(f"`{' '.join(tokens)}` is too early: it will not be your turn yet")
            said, used = first_step(trial, tokens)
            events += trial.play(said)
            tokens = tokens[used:]
        self._append(events)
        self.seen = len(self.game.events)
        self.game = trial

    def _undo(self) -> None:
        """Take back the last step of a person and everything after it."""
        steps = 0
        for event in reversed(self.game.counting):
            steps += isinstance(event, Choice)
            if isinstance(event, Choice) and event.player not in self.bots:
                self._append(self.game.undo(steps))
                self.seen = len(self.game.events)
                self.remark = [f"Took back {plural(steps, 'step')}."]
                return
        raise IllegalStep("you have no step to take back")

    # -- Talking --

    def _ask(self) -> str | None:
        """Return a line that a person types; None at the end."""
        from sintra.text import fitted, safe

        prompt = f"{fitted(self._style.name(self._name(self.game.player or 1)), 24)}> "
        sys.stdout.flush()
        if self._typing:
            try:
                return input(prompt).strip()
            except EOFError:
                say("")
                return None
        try:
            line = sys.stdin.readline(MAX_TYPED + 1) if sys.stdin is not None else ""
        except OSError as error:
            raise Unreadable(f"can't read standard input: {reason(error)}") from None
        if len(line) > MAX_TYPED:
            raise UsageError(f"line too long: at most {MAX_TYPED} characters")
        say(safe(prompt + line.strip()))  # the output then reads as if it had been typed
        return line.strip() if line else None

    def _answer(self, text: str) -> bool:
        """Do what was typed; return whether to draw the table again."""
        from sintra.text import safe

        word = text.lower()
        try:
            if word in ("help", "?", "h"):
                self._help()
            elif word == "log":
                say("\n".join(self._lines(self._read()[1][-12:])))
            elif word in ("undo", "u"):
                self._undo()
                return True
            elif word in ("", "show"):
                return True
            else:
                self._play(text)
                return True
        except (UsageError, IllegalStep) as error:
            say(f"  {safe(str(error))}")
        return False

    def farewell(self) -> None:
        """Print how to resume the game."""
        say(f"The game is saved. Resume it with: {self._command('play')}")

    def _command(self, name: str) -> str:
        from sintra.text import safe

        bots = [f"--bot {seat}={bot}" for seat, bot in self.bots.items()] if name == "play" else []
        return safe(" ".join(["sintra", name, shlex.quote(self.path), *bots]))

    def _help(self) -> None:
        """Print what may be typed here."""
        short = shortest(self.game)
        rows = [(short[step], f"{step}") for step in examples(self.game.legal())]
        rows += [
            ("", "or the words, abbreviated if you like; also several steps"),
            ("undo", "take back your last step, and what bots did since"),
            ("log", "show the last turns"),
            ("Enter", "draw the table again"),
            ("quit", "leave (or q, or Ctrl-D); the game is saved"),
        ]
        say("\n".join(f"  {self._style.strong(f'{typed:<6}')}  {text}" for typed, text in rows))

    # -- Drawing --

    @property
    def _style(self) -> Style:
        return style(*self._how)

    def _name(self, seat: int) -> str:
        return self.game.players[seat - 1]

    def _read(self) -> tuple[Fold, list[Turn]]:
        """Return the game and its turns, read from the log."""
        from sintra.view.story import turns

        reader = Reader(split(self.data), self.path, watch=True)
        story = turns(reader)
        return reader.fold, story

    def draw(self) -> None:
        """Draw the table, what happened since the last typed step, and the possible steps."""
        how = self._style
        fold, story = self._read()
        table = bare_table(fold, how)
        offer = self._offer(how, self._room(table)) if self.game.player is not None else []
        news = self._lines([turn for turn in story if turn.numbers[-1] > self.seen])
        news = _last(news, self._room([*table, *offer, *self.remark]))
        if self._clears:
            sys.stdout.write("\x1b[H\x1b[2J")
        lines = [*table, *news] if offer else [*news, "", *table]  # in the end, the result comes last
        say("\n".join([*lines, *self.remark, *offer]))
        self.remark = []

    def _room(self, lines: Sequence[str]) -> int:
        """Return the number of lines left on the screen; without a screen, plenty."""
        return shutil.get_terminal_size().lines - len(lines) - 1 if self._clears else 1000

    def _lines(self, turns: Sequence[Turn]) -> list[str]:
        """Return turns as lines of text."""
        from sintra.text import wrapped

        how = self._style
        lines: list[str] = []
        for turn in turns:
            name = "" if turn.player is None else f"{how.name(self._name(turn.player))}: "
            text = turn.text if how.unicode else turn.text.encode("ascii", "backslashreplace").decode()
            first, *more = wrapped(f"{name}{text}".split(" "), how.width - 2)
            lines += [f"{how.either('•', '-')} {first}", *(f"  {line}" for line in more)]
        return lines

    def _offer(self, how: Style, room: int) -> list[str]:
        """Return who has to choose, and the steps with what to type for each."""
        from sintra.text import wrapped

        legal = self.game.legal()
        short = shortest(self.game)
        verbs = " or ".join(dict.fromkeys(map(verb_of, legal)))
        picks = any(step.words.startswith("pick ") for step in legal)
        if not picks and len(legal) + 1 <= room:
            title = how.strong(f"{how.name(self._name(self.game.player or 1))} has to {verbs}:")
            previews = self._previews(legal, how)
            return [title, *(f"  {how.strong(f'{short[step]:<4}')}{text}" for step, text in previews)]
        parts = [f"{how.strong(short[step])} ({step})" for step in (examples(legal) if picks else legal)]
        return wrapped([f"{verbs}:", *parts, f"{how.strong('?')} (help)"], how.width, gap="  ")

    def _previews(self, legal: Sequence[Step], how: Style) -> list[tuple[Step, str]]:
        """Return each step with a sentence about what it would do."""
        from sintra.text import fitted, safe
        from sintra.view import sentence_of

        name = safe(self._name(self.game.player or 1))
        texts: list[str] = []
        for step in legal:
            twin = self.game.copy()
            twin.watch(lambda fold, moment: texts.append(sentence_of(fold, moment)))
            twin.choose(self.game.rules.steps.index(step))
        fit = [fitted(how.name(text.removeprefix(name).lstrip(": ")), how.width - 7) for text in texts]
        return list(zip(legal, fit, strict=True))


def _last(lines: list[str], room: int) -> list[str]:
    """Return the last lines that there is room for, from the start of a turn."""
    lines = lines[-max(room, 2) :]
    return lines[next((at for at, line in enumerate(lines) if not line.startswith(" ")), 0) :]
