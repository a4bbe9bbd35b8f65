"""Playing at the keyboard: `play`."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

from sintra import api
from sintra.batch.results import MANY_ROUNDS
from sintra.bots.names import choose, find, look_here
from sintra.cli.animate import bare_table
from sintra.cli.new import made, own_values
from sintra.cli.options import Argument, AsciiOption, Color, ColorOption, Option
from sintra.cli.output import say, style
from sintra.errors import Conflict, IllegalStep, Unreadable, UsageError
from sintra.fold import vocabulary
from sintra.game import Game
from sintra.log import files, writing
from sintra.log.codec import encode_lines
from sintra.log.events import Choice, Event
from sintra.log.lines import split
from sintra.reader import Reader
from sintra.rules.chance import Chance
from sintra.rules.steps import Step, Vocabulary
from sintra.text import plural, reason

if TYPE_CHECKING:
    from sintra.fold import Fold
    from sintra.rules.ruleset import RuleSet
    from sintra.view.story import Turn
    from sintra.view.style import Style

MAX_TYPED = 10_000
"""A line that is typed has at most so many characters."""
LONGEST = 5
"""No step has more words."""


def play(
    log_: Annotated[str, Argument(metavar="LOG", help="The log to go on with, or a new one.")],
    new: Annotated[bool, Option("--new", help="Only start a new game, never go on with one.")] = False,
    bot: Annotated[
        list[str] | None,
        Option(
            help="A computer player (random, greedy, module:function) in a seat; repeatable.",
            metavar="SEAT=NAME",
        ),
    ] = None,
    bots: Annotated[
        str | None, Option(help="Computer players in all seats but the first.", metavar="NAME")
    ] = None,
    rules: Annotated[str | None, Option(help="New: the rule-set.", metavar="NAME")] = None,
    side: Annotated[str | None, Option(help="New: the side of the boards.", metavar="SIDE")] = None,
    players: Annotated[
        int | None, Option("--players", "-p", help="New: how many players.", metavar="N")
    ] = None,
    player: Annotated[
        list[str] | None, Option(help="New: a player's name; once for each.", metavar="NAME")
    ] = None,
    option: Annotated[
        list[str] | None, Option(help="New: an option of the rule-set.", metavar="KEY=VALUE")
    ] = None,
    components: Annotated[
        str | None, Option(help="New: printed values of your own box.", metavar="FILE")
    ] = None,
    seed: Annotated[int | None, Option(help="New: draw from this seed.", metavar="N")] = None,
    unseeded: Annotated[bool, Option("--unseeded", help="New: draw so that nobody can foresee it.")] = False,
    color: ColorOption = Color.auto,
    ascii: AsciiOption = False,
) -> int:
    """Play at this keyboard: persons, computer players, or both.

    A log that is there is resumed; one that is not is made, with options as `new` has them. Every
    step is in the log at once, so leave whenever you like. Type ? for help.

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
        raise UsageError("play needs a file to keep the game in")
    if new or not os.path.lexists(log_):
        if unseeded and seed is not None:
            raise UsageError("--seed and --unseeded exclude each other")
        own = own_values(components)
        chance = "system" if unseeded else "seeded"
        game = made(rules or "sintra", side, players, player or [], option or [], own, seed, chance)
        seated(game, bot or [], bots)  # a slip there leaves no file behind
        game.save(log_)
    elif given:
        raise UsageError(f"{log_} exists already; --{next(iter(given))} is for a new game")
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
    """Which bot sits where: by seat, or in all seats but the first."""
    seats = dict.fromkeys(range(2, len(game.players) + 1), others) if others is not None else {}
    for pair in pairs:
        seat, _, name = pair.partition("=")
        if seat not in map(str, range(1, len(game.players) + 1)):
            raise UsageError(
                f"--bot takes SEAT=NAME, with a seat from 1 to {len(game.players)}; not {pair!r}"
            )
        seats[int(seat)] = name
    named = {seat: str(name) for seat, name in sorted(seats.items())}
    look_here(named.values())
    for name in named.values():
        find(name)
    return named


# -- What is typed ---------------------------------------------------------------------------


def shorts(rules: RuleSet, legal: Sequence[Step]) -> dict[str, Step]:
    """What may be typed for a step besides its words: its numbers and letters, without the verb.

    `pick 3 orange` is `3o`, `place 2` is `2`. What all legal steps share can be left out, too: with
    line 4 to tile, `tile 4 2` is `2`. Steps that are not legal have their short forms as well, so that
    they can be explained.
    """
    found: dict[str, Step] = {}
    alike: dict[str, list[list[str]]] = {}
    for step in legal:
        alike.setdefault(_verb(step), []).append(step.words.split())
    letters = rules.palette.letter
    for step in [*legal, *rules.steps]:
        if _verb(step) in alike:
            words = step.words.split()
            head = _shared(alike[_verb(step)])
            if words[: len(head)] == head:
                found.setdefault(_short(words[len(head) :], letters), step)
            found.setdefault(_short(words[1:] or words, letters), step)
    return found


def _verb(step: Step) -> str:
    return step.words.split()[0]


def _shared(rows: Sequence[Sequence[str]]) -> list[str]:
    """The first words that all steps have in common; one word is always left over."""
    shared = []
    for column in zip(*(row[:-1] for row in rows), strict=False):
        if len(set(column)) > 1:
            break
        shared.append(column[0])
    return shared


def _short(words: Sequence[str], letter: Callable[[str], str]) -> str:
    return "".join(word if word.isdecimal() else letter(word) for word in words)


def first_step(game: Game, tokens: Sequence[str]) -> tuple[str, int]:
    """The first step that was typed, and how many words of the line it took."""
    legal = game.legal()
    known = shorts(game.rules, legal)
    for used in range(min(LONGEST, len(tokens)), 0, -1):
        step = known.get("".join(tokens[:used]))
        if step is not None:
            return step.words, used
    words = vocabulary(game.rules, len(game.players))
    said = _read(words, tokens)
    if said is not None:
        return said, len(said.split())
    for verb in dict.fromkeys(map(_verb, legal)):
        said = _read(words, [verb, *tokens])
        if said is not None and said != verb:
            return said, len(said.split()) - 1
    meant = tokens if tokens[0].isalpha() else [_verb(legal[0]), *tokens]
    return words.read(" ".join(meant), game.live.offer)[0], len(tokens)  # says what is wrong


def _read(words: Vocabulary, tokens: Sequence[str]) -> str | None:
    """The step that a line begins with, in its full words; None if it begins with none."""
    for used in range(min(LONGEST, len(tokens)), 0, -1):
        try:
            return words.read(" ".join(tokens[:used]))[0]
        except UsageError:
            continue
    return None


# -- A sitting -------------------------------------------------------------------------------


class Sitting:
    """People, and bots, at a log: it is read once, and every step is appended to it."""

    def __init__(
        self, path: str, pairs: Sequence[str], others: str | None, color: Color, ascii: bool
    ) -> None:
        self.path = path
        self.data = b"".join(files.read(path))
        """The log as it is in the file."""
        self.game = api.loads(self.data)
        self.bots = seated(self.game, pairs, others)
        self.chance = Chance(self.game.created.seed)
        self.seen = len(self.game.events)
        """How many events the person at the keyboard knows of."""
        self.remark: list[str] = []
        """What else is to be said when the table is drawn."""
        self._how = (color, ascii)
        self._clears = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
        self._typing = sys.stdin is not None and sys.stdin.isatty()
        if sys.stdin is not None:
            sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
        if self._typing:
            pass

    def play(self) -> None:
        """Play until the game is over, or until somebody leaves."""
        self._append(self.game.settle())
        while self._bots_play():
            self.draw()
            if not self._turn():
                self.farewell()
                return
        self.draw()
        say(f"\n`{self._command('replay')}` shows it again.")

    def _turn(self) -> bool:
        """Talk with a person until something is done; whether they stay."""
        while (text := self._ask()) is not None and text.lower() not in ("quit", "q"):
            if self._answer(text):
                return True
        return False

    # -- Steps --

    def _append(self, events: Sequence[Event]) -> None:
        """Write events to the log, if it still is what it was."""
        if not events:
            return
        lines = encode_lines(events)
        with writing.Appender(self.path) as file:
            if b"".join(file.read()) != self.data:
                raise Conflict(f"{self.path} was changed by another program; the last step is not written")
            file.append(lines)
        self.data += lines

    def _bots_play(self) -> bool:
        """Let bots play until a person has to choose; whether one has to."""
        game = self.game
        while (seat := game.player) in self.bots:
            if len(self.bots) == len(game.players) and game.round > MANY_ROUNDS:
                raise UsageError(f"no end is in sight after {MANY_ROUNDS} rounds of bots only (R6)")
            code = choose(find(self.bots[seat]), game.live, self.chance, len(game.events))
            self._append(game.play(game.rules.steps[code]))
        if seat is None and not game.over:
            raise UsageError(f"{game.awaits}: at a real table that is typed in, with `arrange` or `deal`")
        return seat is not None

    def _play(self, text: str) -> None:
        """All the steps of a line, or none."""
        trial = self.game.copy()
        tokens = text.lower().split()
        events: list[Event] = []
        while tokens:
            if trial.player is None or trial.player in self.bots:
                raise UsageError(f"`{' '.join(tokens)}` can't be said yet: it is not your turn then")
            said, used = first_step(trial, tokens)
            events += trial.play(said)
            tokens = tokens[used:]
        self._append(events)
        self.seen = len(self.game.events)
        self.game = trial

    def _undo(self) -> None:
        """Take back what was done from the last step of a person on."""
        steps = 0
        for event in reversed(self.game.counting):
            steps += isinstance(event, Choice)
            if isinstance(event, Choice) and event.player not in self.bots:
                self._append(self.game.undo(steps))
                self.seen = len(self.game.events)
                self.remark = [f"{plural(steps, 'step')} taken back."]
                return
        raise IllegalStep("there is no step of yours to take back")

    # -- Talking --

    def _ask(self) -> str | None:
        """A line that a person types; None when there are no more."""
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
            raise Unreadable(f"can't read what is typed: {reason(error)}") from None
        if len(line) > MAX_TYPED:
            raise UsageError(f"a line that is typed has at most {MAX_TYPED} characters, with its end")
        say(safe(prompt + line.strip()))  # so that the output reads as if it had been typed
        return line.strip() if line else None

    def _answer(self, text: str) -> bool:
        """Do what was typed; whether the table is to be drawn again."""
        from sintra.text import safe

        word = text.lower()
        try:
            if word in ("help", "?", "h"):
                self._help()
            elif word == "log":
                say("\n".join(self._told(self._read()[1][-12:])))
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
        """Where the game is, and how to go on."""
        say(f"The game is kept. Go on with: {self._command('play')}")

    def _command(self, name: str) -> str:
        from sintra.text import safe

        bots = [f"--bot {seat}={bot}" for seat, bot in self.bots.items()] if name == "play" else []
        return safe(" ".join(["sintra", name, shlex.quote(self.path), *bots]))

    def _help(self) -> None:
        """What may be typed here."""
        short = _shortest(self.game)
        rows = [(short[step], f"{step}") for step in _examples(self.game.legal())]
        rows += [
            ("", "or the words themselves, cut short as you like; also several steps"),
            ("undo", "take your last step back, and what bots did since"),
            ("log", "the last turns"),
            ("Enter", "draw the table again"),
            ("quit", "leave (or q, or Ctrl-D); the game is kept"),
        ]
        say("\n".join(f"  {self._style.strong(f'{typed:<6}')}  {told}" for typed, told in rows))

    # -- Drawing --

    @property
    def _style(self) -> Style:
        return style(*self._how)

    def _name(self, seat: int) -> str:
        return self.game.players[seat - 1]

    def _read(self) -> tuple[Fold, list[Turn]]:
        """The game as the log tells it."""
        from sintra.view.story import turns

        reader = Reader(split(self.data), watch=True)
        told = turns(reader)
        return reader.fold, told

    def draw(self) -> None:
        """The table, what happened since the last step that was typed, and what may be done now."""
        how = self._style
        fold, told = self._read()
        table = bare_table(fold, how)
        offer = self._offer(how, self._room(table)) if self.game.player is not None else []
        news = self._told([turn for turn in told if turn.numbers[-1] > self.seen])
        news = _last(news, self._room([*table, *offer, *self.remark]))
        if self._clears:
            sys.stdout.write("\x1b[H\x1b[2J")
        lines = [*table, *news] if offer else [*news, "", *table]  # in the end, the result comes last
        say("\n".join([*lines, *self.remark, *offer]))
        self.remark = []

    def _room(self, lines: Sequence[str]) -> int:
        """How many lines there are besides these and the prompt: on paper, as many as one likes."""
        return shutil.get_terminal_size().lines - len(lines) - 1 if self._clears else 1000

    def _told(self, turns: Sequence[Turn]) -> list[str]:
        """Turns as lines of text."""
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
        """Who has to choose, and between what, with what to type for it."""
        from sintra.text import wrapped

        legal = self.game.legal()
        short = _shortest(self.game)
        verbs = " or ".join(dict.fromkeys(map(_verb, legal)))
        picks = any(step.words.startswith("pick ") for step in legal)
        if not picks and len(legal) + 1 <= room:
            title = how.strong(f"{how.name(self._name(self.game.player or 1))} has to {verbs}:")
            previews = self._previews(legal, how)
            return [title, *(f"  {how.strong(f'{short[step]:<4}')}{told}" for step, told in previews)]
        parts = [f"{how.strong(short[step])} ({step})" for step in (_examples(legal) if picks else legal)]
        return wrapped([f"{verbs}:", *parts, f"{how.strong('?')} (help)"], how.width, gap="  ")

    def _previews(self, legal: Sequence[Step], how: Style) -> list[tuple[Step, str]]:
        """Each step with what it would do, told."""
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
    """The last lines that there is room for, from the beginning of a turn on."""
    lines = lines[-max(room, 2) :]
    return lines[next((at for at, line in enumerate(lines) if not line.startswith(" ")), 0) :]


def _shortest(game: Game) -> dict[Step, str]:
    """The shortest that may be typed for each step."""
    found: dict[Step, str] = {}
    for short, step in shorts(game.rules, game.legal()).items():
        found.setdefault(step, short)
    return found


def _examples(legal: Sequence[Step]) -> list[Step]:
    """One step of each kind: a pick from a display, one from the center, and so on."""
    kinds: dict[tuple[str, bool], Step] = {}
    for step in sorted(legal, key=lambda step: (_verb(step) != "pick", "center" in step.words)):
        kinds.setdefault((_verb(step), any(word.isdecimal() for word in step.words.split())), step)
    return list(kinds.values())
