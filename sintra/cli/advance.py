"""Adding to a log: what `move`, `undo`, `note`, `deal` and `arrange` share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sintra.cli.output import answering, hint, say, say_json, write_log
from sintra.errors import Conflict, IllegalStep, UsageError
from sintra.game import Game
from sintra.log import files, writing
from sintra.log.codec import encode_lines
from sintra.log.events import Event
from sintra.reader import read_game
from sintra.rules.state import DEAL
from sintra.text import plural

Act = Callable[[Game], list[Event]]
"""Something done to a game; the events that it appended."""


# -- What they share --


def advance(log_: str, act: Act, expect: int | None, wait: bool, sync: bool, quiet: bool, json: bool) -> None:
    """Do something to the game of a log, append what came of it, and tell it."""
    if log_ == "-":
        kept: list[bytes] = []
        game = read_game(_remembered(files.read("-"), kept))
        _check_length(game, expect)
        events = act(game)
        write_log(b"".join(kept) + encode_lines(events))
        return
    with writing.Appender(log_, sync=sync, wait=wait) as file:
        game = read_game(file.read())
        _check_length(game, expect)
        before = game.copy()
        events = _drawn(game, file)
        more = act(game)
        file.append(encode_lines(more))
    events += more
    if quiet:
        return
    with answering("the log has the new events"):
        if json:
            from sintra.cli.answers import MoveAnswer

            legal = [str(step) for step in game.legal()]
            say_json(MoveAnswer(events, game.player, game.round, game.over, game.scores, game.winners, legal))
        else:
            _tell(before, events, game)


def _drawn(game: Game, file: writing.Appender) -> list[Event]:
    """What the system draws where a log was cut before it: written at once, so that nobody draws twice."""
    if game.created.chance != "system":
        return []
    events = game.settle()
    file.append(encode_lines(events))
    return events


def _remembered(blocks: Iterator[bytes], kept: list[bytes]) -> Iterator[bytes]:
    for block in blocks:
        kept.append(block)
        yield block


def typed(what: str) -> list[str]:
    """Lines from standard input, without comments and empty ones."""
    hint(what)
    said = [line.split("#", 1)[0].strip() for line in files.read_steps().splitlines()]
    return [line for line in said if line]


def check_input_free(log_: str, what: str) -> None:
    """Nothing else is read from standard input where the log comes from there."""
    if log_ == "-":
        raise UsageError(f"with the log from standard input, {what} given on the command line")


def awaited(game: Game, phase: int) -> list[Event]:
    """What follows by itself before a real table's next draw; refused where that is not what comes next."""
    if game.created.chance != "table":
        raise UsageError("only what was drawn at a real table is typed in; this game draws by itself")
    events = game.settle()
    if game.live.phase != phase:
        raise IllegalStep(f"nothing is {'dealt' if phase == DEAL else 'arranged'} now: {game.awaits}")
    return events


def recorded(game: Game, event: Event) -> list[Event]:
    """What was typed in, as an event; a refusal has no names that only the log knows."""
    try:
        return game.record(event)
    except IllegalStep as error:
        raise IllegalStep(str(error).removeprefix("field ").removeprefix("displays: ")) from None


def _check_length(game: Game, expect: int | None) -> None:
    if expect is not None and expect != len(game.events):
        raise Conflict(f"the log has {plural(len(game.events), 'event')}, not {expect}")


def _tell(before: Game, events: Sequence[Event], after: Game) -> None:
    """What happened, a line for each event, and what comes next."""
    from sintra.rules.effects import happenings
    from sintra.text import safe
    from sintra.view import view_of

    view = view_of(after.rules)
    for fold, event in before.follow(events):
        say(view.sentence(fold, event, happenings(after.rules, fold.state.effects or ())))
    if after.player is not None:
        verbs = list(dict.fromkeys(str(step).split()[0] for step in after.legal()))
        say(f"{safe(after.players[after.player - 1])} has to {' or '.join(verbs)}.")
    elif not after.over:
        missing = after.awaits
        say(f"{missing[0].upper()}{missing[1:]}.")
