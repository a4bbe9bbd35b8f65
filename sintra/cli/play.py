"""`sintra play`: people and bots at one keyboard."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated

from sintra.bots.faults import Fault
from sintra.bots.process import Limits
from sintra.bots.seats import remember, remembered
from sintra.cli.new import made, own_values
from sintra.cli.options import (
    Argument,
    AsciiOption,
    Color,
    ColorOption,
    InitTimeOption,
    MemoryOption,
    MoveTimeOption,
    Option,
    PlainOption,
    Theme,
    ThemeOption,
    completed_by,
    limits_of,
)
from sintra.cli.output import remark, say, screen_size, style
from sintra.cli.seats import seated
from sintra.errors import Conflict, UsageError
from sintra.game import Game
from sintra.log import writing

PACE = 0.8
"""Time before a bot's step on the full screen, in seconds."""


def play(
    log_: Annotated[
        str | None, Argument(metavar="LOG", help="Log to resume or to create; without it, a menu.")
    ] = None,
    new: Annotated[bool, Option("--new", help="Only create a log, never resume one.")] = False,
    bot: Annotated[
        list[str] | None,
        Option(
            help="Bot in a seat: easy, medium, hard, strong, greedy, random, module:function or cmd:PROGRAM; "
            "repeatable.",
            metavar="SEAT=NAME",
        ),
    ] = None,
    bots: Annotated[
        str | None,
        Option(
            help="Bot in all seats but the first, or a list with commas; none for people only.",
            metavar="NAMES",
            completion=completed_by("bots"),
        ),
    ] = None,
    rules: Annotated[
        str | None, Option(help="New game: rule-set.", metavar="NAME", completion=completed_by("rules"))
    ] = None,
    side: Annotated[
        str | None,
        Option(help="New game: side of the boards.", metavar="SIDE", completion=completed_by("side")),
    ] = None,
    players: Annotated[
        int | None, Option("--players", "-p", help="New game: number of players.", metavar="N")
    ] = None,
    player: Annotated[
        list[str] | None, Option(help="New game: name of a player; repeat for each.", metavar="NAME")
    ] = None,
    option: Annotated[
        list[str] | None,
        Option(
            help="New game: option of the rule-set; repeatable.",
            metavar="KEY=VALUE",
            completion=completed_by("option"),
        ),
    ] = None,
    components: Annotated[
        str | None, Option(help="New game: printed values of your own box.", metavar="FILE")
    ] = None,
    seed: Annotated[int | None, Option(help="New game: seed for all draws.", metavar="N")] = None,
    unseeded: Annotated[
        bool, Option("--unseeded", help="New game: system randomness (not reproducible).")
    ] = False,
    table: Annotated[
        bool, Option("--table", help="Guide a real table: ask for the arrangement, deals and steps.")
    ] = False,
    move_time: MoveTimeOption = None,
    init_time: InitTimeOption = None,
    memory: MemoryOption = None,
    pace: Annotated[
        float, Option(help="Full screen: seconds before a bot's step.", min=0, max=60, metavar="S")
    ] = PACE,
    plain: PlainOption = False,
    theme: ThemeOption = Theme.auto,
    color: ColorOption = Color.auto,
    ascii: AsciiOption = False,
) -> int:
    """Play in the terminal, against bots or other people.

    Without LOG, opens a menu to continue a game in this folder or start a new one. With LOG, resumes that
    game, or creates it with the options of `new`. Every step is saved as it is made, so you can quit at any
    time; bots are remembered in a file next to the log. On a terminal, the table fills the screen, with
    keys and mouse (needs the extra `tui`); --plain reads one line at a time instead. Type ? for help.

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
    limits = limits_of(move_time, init_time, memory)
    full = fills_screen(plain)
    how = (color, ascii, theme)
    if log_ is None:
        if given or new or bot or bots:
            raise UsageError("name a log for the new game, such as game.log")
        return _menu(full, pace, how)
    if log_ == "-":
        raise UsageError("play needs a log file, not standard input")
    if table:
        from sintra.cli.table import guide

        return guide(log_, new, bool(bot or bots), wishes, style(color, ascii))
    if new or not os.path.lexists(log_):
        if unseeded and seed is not None:
            raise UsageError("use only one of --seed and --unseeded")
        chance = "system" if unseeded else "seeded"
        with own_values(components) as own:
            game = made(rules or "sintra", side, players, player or [], option or [], own, seed, chance)
        seated(game, bot or [], bots)  # before the file is made
        game.save(log_)
    elif given:
        raise UsageError(f"{log_} already exists; --{next(iter(given))} is for new games")
    else:
        writing.check_regular(log_)
    return _sit_down(log_, bot or [], bots, limits, full, pace, how)


How = tuple[Color, bool, Theme]
"""The options for drawing: colors, ASCII and the theme."""


def fills_screen(plain: bool) -> bool:
    """Return True to use the full screen: on a terminal that is large enough, if Textual is installed."""
    from sintra.cli import animate

    if plain or not animate.possible():
        return False
    from importlib.util import find_spec

    if find_spec("textual") is None:
        remark("sintra: for the full screen, install the extra: pip install 'sintra[tui]'")
        return False
    size = screen_size()
    if size.columns < 80 or size.lines < 24:
        remark("sintra: the full screen needs a terminal of 80x24")
        return False
    return True


def _sit_down(
    path: str, pairs: Sequence[str], others: str | None, limits: Limits, full: bool, pace: float, how: How
) -> int:
    """Play the game of a log, on the full screen or line by line; return the exit code."""

    def seats(game: Game) -> Mapping[int, str]:
        bots = seated(game, pairs, others) if pairs or others is not None else remembered(path, game)
        remember(path, bots)
        return bots

    if full:
        from sintra.cli.screen.app import run
        from sintra.cli.screen.play import PlayScreen

        say(run(PlayScreen(path, seats, pace, limits), style(*how)).said)
        return 0
    from sintra.cli.sitting import Sitting
    from sintra.cli.talk import Talk

    sitting = Sitting(path, seats, limits)
    if sitting.bots and not (pairs or others is not None):
        names = ", ".join(f"seat {seat} {name}" for seat, name in sitting.bots.items())
        remark(f"sintra: bots as before: {names}; --bots none for people only")
    signal.signal(signal.SIGTERM, _terminated)
    try:
        Talk(sitting, *how).play()
    except KeyboardInterrupt:
        say("")
        say(sitting.farewell)
        return 130
    except (Conflict, Fault):
        say(sitting.farewell)
        raise
    finally:
        sitting.close()
    return 0


def _terminated(*_: object) -> None:
    """End on SIGTERM, after restoring the terminal's echo."""
    raise SystemExit(128 + signal.SIGTERM)


def _menu(full: bool, pace: float, how: How) -> int:
    """Offer games until one was played or the menu is left; return the exit code."""
    from sintra.cli.games import courses, games_here
    from sintra.cli.learn import teach

    if full:
        from sintra.cli.screen.app import run
        from sintra.cli.screen.menu import MenuScreen

        while (app := run(MenuScreen(games_here, pace, courses()), style(*how))).chosen is not None:
            if teach(app.chosen, 1, app.look):
                return 130
        if app.said:
            say(app.said)
        return 0
    if sys.stdin is None or not sys.stdin.isatty():
        raise UsageError("name a log to play, such as game.log; the menu needs a terminal")
    from sintra.cli.choosing import asked

    match asked():
        case "learn", name:
            return teach(name, 1, style(*how))
        case "log", path:
            return _sit_down(path, [], None, Limits(), False, pace, how)
    return 0
