"""Going on with a game: `move` and `legal`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import typer

from sintra import loading, log
from sintra.cli.options import JsonOption, LogArgument, QuietOption, hint, say, say_json, write_bytes
from sintra.errors import Conflict, UsageError
from sintra.events import Event, encode_lines
from sintra.game import Game


def move(
    log_: LogArgument,
    steps: Annotated[
        list[str] | None,
        typer.Argument(metavar="STEPS", help="The steps; without any, they are read from standard input."),
    ] = None,
    auto: Annotated[bool, typer.Option("--auto", help="Also play every step that is forced.")] = False,
    expect: Annotated[
        int | None, typer.Option(help="Only if the log has so many events (else exit code 5).", metavar="N")
    ] = None,
    sync: Annotated[bool, typer.Option("--sync/--no-sync", help="Wait until the disk has it.")] = True,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Play steps: all of them, or none if one is not legal.

    \b
    pick SOURCE COLOR      all pieces of a color, from display 1 to 9 or from center
    place N [jokers K]     on strip N
    keep COLOR             the piece of a completed strip that goes to the window
    return                 the glazier walks back to the leftmost strip

    Colors may be cut short. The log - is read from standard input, and the whole new log is
    written to standard output.

    \b
    sintra move game.log pick 3 orange
    sintra move game.log place 2
    """
    if log_ == "-":
        if not steps and not auto:
            raise UsageError("with the log from standard input, steps are given on the command line")
        kept: list[bytes] = []
        game = loading.read_game(_remembered(log.read("-"), kept))
        _play(game, steps or [], auto, expect)
        write_bytes(b"".join(kept) + encode_lines(game.events[sum(b.count(b"\n") for b in kept) :]))
        return
    said = steps if steps or auto else _typed()
    with log.Appender(log_, sync=sync) as file:
        game = loading.read_game(file.read())
        before = game.copy()
        events = _play(game, said or [], auto, expect)
        file.append(encode_lines(events))
    if json:
        say_json(
            {
                "events": events,
                "player": game.player,
                "round": game.round,
                "over": game.over,
                "scores": game.scores,
                "winners": game.winners,
                "legal": [str(step) for step in game.legal()],
            }
        )
    elif not quiet:
        _tell(before, events, game)


def _remembered(blocks: Iterator[bytes], kept: list[bytes]) -> Iterator[bytes]:
    for block in blocks:
        kept.append(block)
        yield block


def _typed() -> list[str]:
    """Steps from standard input, one or more a line, without comments."""
    hint("steps")
    lines = log.read_steps().splitlines()
    said = [line.split("#", 1)[0].strip() for line in lines]
    if not any(said):
        raise UsageError("no steps on the command line, and none on standard input")
    return [line for line in said if line]


def _play(game: Game, steps: Sequence[str], auto: bool, expect: int | None) -> list[Event]:
    """Play on a game all that was asked for; returns the events to append."""
    if expect is not None and expect != len(game.events):
        raise Conflict(f"the log has {len(game.events)} events, not {expect}")
    events = game.play(" ".join(steps)) if steps else game.settle()
    while auto and len(forced := game.legal()) == 1:
        events += game.play(forced[0])
    return events


def _tell(before: Game, events: Sequence[Event], after: Game) -> None:
    """What happened, a line for each event, and what comes next."""
    from sintra.view import happenings, safe, view_of

    view = view_of(after.rules)
    for fold, event in before.follow(events):
        say(view.sentence(fold, event, happenings(after.rules, fold.state.effects or ())))
    if not after.over and after.player is not None:
        verbs = list(dict.fromkeys(str(step).split()[0] for step in after.legal()))
        say(f"{safe(after.players[after.player - 1])} has to {' or '.join(verbs)}.")


def legal(log_: LogArgument, json: JsonOption = False) -> None:
    """List the legal next steps, one a line.

    They are in the words that `move` takes, and in a stable order.

    \b
    sintra legal game.log
    sintra move game.log $(sintra legal game.log | shuf -n 1)
    """
    game = loading.read_game(log.read(log_))
    game.settle()
    steps = [str(step) for step in game.legal()]
    if json:
        say_json({"player": game.player, "legal": steps})
    elif steps:
        say("\n".join(steps))
