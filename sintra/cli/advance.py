"""Adding to a log: the common part of `move`, `undo`, `note`, `deal` and `arrange`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sintra import api
from sintra.cli.output import answering, hint, say, say_json, write_log
from sintra.errors import UsageError
from sintra.fold import Fold
from sintra.game import Game
from sintra.log import files
from sintra.log.codec import encode_lines
from sintra.log.events import Event
from sintra.reader import read_game
from sintra.rules.effects import Moment

Act = Callable[[Game], object]
"""An action on a game."""


def advance(log_: str, act: Act, expect: int | None, wait: bool, sync: bool, quiet: bool, json: bool) -> None:
    """Act on the game of a log; append the resulting events, and print them."""
    if log_ == "-":
        _pass_on(act, expect)
        return
    events: list[Event] = []
    sentences: list[str] = []

    def see(fold: Fold, moment: Moment) -> None:
        events.append(moment.event)
        if not quiet and not json:
            from sintra.view import sentence_of

            sentences.append(sentence_of(fold, moment))

    with api.open(log_, expect=expect, wait=wait, sync=sync, watch=see) as game:
        act(game)
    if quiet:
        return
    with answering("the log has the new events"):
        if json:
            _say_json(game, events)
        else:
            say("\n".join([*sentences, *_next(game)]))


def _pass_on(act: Act, expect: int | None) -> None:
    """Act on the game of a log on standard input; write the whole new log to standard output."""
    kept: list[bytes] = []
    game = read_game(_remembered(files.read("-"), kept), "-")
    api.check_length(game, expect, "-")
    before = len(game.events)
    act(game)
    write_log(b"".join(kept) + encode_lines(game.events[before:]))


def _remembered(blocks: Iterator[bytes], kept: list[bytes]) -> Iterator[bytes]:
    for block in blocks:
        kept.append(block)
        yield block


def _say_json(game: Game, events: list[Event]) -> None:
    from sintra.cli.answers import MoveAnswer

    legal = [str(step) for step in game.legal()]
    say_json(MoveAnswer(events, game.player, game.round, game.over, game.scores, game.winners, legal))


def _next(game: Game) -> list[str]:
    """Return a line that says what comes next; none after the end."""
    from sintra.text import safe

    if game.player is not None:
        verbs = list(dict.fromkeys(str(step).split()[0] for step in game.legal()))
        return [f"{safe(game.players[game.player - 1])} has to {' or '.join(verbs)}."]
    awaits = game.awaits
    return [] if game.over else [f"{awaits[0].upper()}{awaits[1:]}."]


def typed(what: str) -> list[str]:
    """Return lines from standard input, without comments and empty ones."""
    return [line for line in typed_lines(what) if line]


def typed_lines(what: str) -> list[str]:
    """Return all lines of standard input, without comments."""
    hint(what)
    return [line.split("#", 1)[0].strip() for line in files.read_steps().splitlines()]


def check_input_free(log_: str, what: str) -> None:
    """Raise UsageError if standard input is the log, but is also needed for something else."""
    if log_ == "-":
        raise UsageError(f"standard input is the log: give {what} on the command line")
