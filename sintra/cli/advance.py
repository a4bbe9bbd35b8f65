"""Going on with a game: `move`, `legal`, `undo`, `note`, and `arrange` and `deal` at a real table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated

import typer

from sintra import loading, log
from sintra.cli.answers import LegalAnswer, MoveAnswer
from sintra.cli.options import (
    ComponentsOption,
    ExpectOption,
    JsonOption,
    LogArgument,
    QuietOption,
    SyncOption,
    WaitOption,
    answering,
    hint,
    say,
    say_json,
    write_log,
)
from sintra.errors import Conflict, IllegalStep, UsageError
from sintra.events import Event, encode_lines
from sintra.game import Game
from sintra.rules import ARRANGE, DEAL
from sintra.words import plural


def complete_steps(context: typer.Context, incomplete: str) -> list[str]:
    """The words of legal steps, for the shell."""
    from sintra.cli.complete import steps

    return steps(context, incomplete)


Act = Callable[[Game], list[Event]]
"""Something done to a game; the events that it appended."""


def move(
    log_: LogArgument,
    steps: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="STEPS",
            help="The steps; without any, they are read from standard input.",
            autocompletion=complete_steps,
        ),
    ] = None,
    auto: Annotated[bool, typer.Option("--auto", help="Also play every step that is forced.")] = False,
    expect: ExpectOption = None,
    wait: WaitOption = False,
    sync: SyncOption = True,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Play steps: all of them, or none if one is not legal.

    \b
    pick SOURCE COLOR   all pieces of a color, from display 1 to 9 or from center
    place N [jokers K]  on strip N (Azul: on line N, or place floor)
    keep COLOR          the piece of a completed strip that goes to the window
    return              the glazier walks back to the leftmost strip
    tile ROW COLUMN     where the piece of a full line goes, on free walls

    Colors may be cut short; black goes by k, too, as `show` draws it. The log - is read from
    standard input, and the whole new log is written to standard output.

    \b
    sintra move game.log pick 3 orange
    sintra move game.log place 2
    """
    if not steps and not auto:
        _check_input_free(log_, "steps are")
    said = steps or []
    if not said and log_ != "-" and (not auto or log.input_is_piped()):  # --auto needs no steps
        said = _typed("steps")
    if not said and not auto:
        raise UsageError("steps are not on the command line, and not on standard input")

    def play(game: Game) -> list[Event]:
        events = game.play(" ".join(said)) if said else game.settle()
        while auto and len(forced := game.legal()) == 1:
            events += game.play(forced[0])
        return events

    _advance(log_, play, expect, wait, sync, quiet, json)


def undo(
    log_: LogArgument,
    steps: Annotated[int, typer.Option("--steps", "-n", help="Take back N steps.", min=1, metavar="N")] = 1,
    expect: ExpectOption = None,
    wait: WaitOption = False,
    sync: SyncOption = True,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Take the last step back, with what followed from it.

    The log only grows: an event says that the last ones no longer count.

    \b
    sintra undo game.log
    sintra undo game.log -n 1 --json
    """
    _advance(log_, lambda game: game.undo(steps), expect, wait, sync, quiet, json)


def note(
    log_: LogArgument,
    text: Annotated[list[str], typer.Argument(metavar="TEXT", help="The remark.")],
    expect: ExpectOption = None,
    wait: WaitOption = False,
    sync: SyncOption = True,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Add a remark to a log; it changes nothing.

    \b
    sintra note game.log "Ada thought for a long time"
    """
    _advance(log_, lambda game: game.note(" ".join(text)), expect, wait, sync, quiet, json)


def deal(
    log_: LogArgument,
    displays: Annotated[
        list[str] | None,
        typer.Argument(metavar="DISPLAYS", help="What was drawn; without any, read from standard input."),
    ] = None,
    expect: ExpectOption = None,
    wait: WaitOption = False,
    sync: SyncOption = True,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """At a real table: type in what was drawn onto each display.

    Each display by the letters of its pieces in a word (black is k), or by four colors in
    words, which may be cut short; - is an empty display. What can't have been drawn is refused.

    \b
    sintra new --rules azul --table -o table.log
    sintra arrange table.log
    sintra deal table.log brky ytbk kkkk rrbb tttt
    sintra undo table.log
    sintra deal table.log blue red bla yel ytbk kkkk rrbb tttt
    """
    from sintra.typed import dealt

    said = displays or []
    if not said:
        _check_input_free(log_, "the deal is")
        _await(loading.read_game(log.read(log_)), DEAL)  # nobody types for nothing
        said = _typed("the deal")
    if not said:
        raise UsageError("the deal is not on the command line, and not on standard input")

    def record(game: Game) -> list[Event]:
        events = _await(game, DEAL)
        return events + _record(game, dealt(game.rules.colors, game.round + 1, " ".join(said)))

    _advance(log_, record, expect, wait, sync, quiet, json)


def arrange(
    log_: LogArgument,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="WORDS", help="How it lies; `-` reads it from standard input."),
    ] = None,
    components: ComponentsOption = None,
    expect: ExpectOption = None,
    wait: WaitOption = False,
    sync: SyncOption = True,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """At a real table: type in how the boards were laid out.

    Sintra: `indicator` with the six colors, round I first, and `strips P` with the eight strips of
    player P, leftmost first, for every player: each by the letters of the side that is up (* is a
    joker), or of both sides as UP/DOWN. Azul and Crystal Mosaic have nothing to lay out.

    \b
    indicator copbyc
    strips 1 oypoy cpoco ocooy bpbyp pocyp ycyyc ypcyp cbccb
    strips 2 pocyp yybyo pbypy ycyyc oypoy opoop cpoco pcppy

    \b
    sintra new --rules azul --table -o table.log
    sintra arrange table.log
    """
    said = words or []
    if said == ["-"]:
        _check_input_free(log_, "the arrangement is")
        _await(loading.read_game(log.read(log_)), ARRANGE)  # nobody types for nothing
        said = _typed("the arrangement")

    def record(game: Game) -> list[Event]:
        events = _await(game, ARRANGE)
        created = game.created
        arranged = game.rules.lay(created.options, len(created.players), own, " ".join(said).split())
        return events + _record(game, arranged)

    own = log.read_table(components) if components else {}
    _advance(log_, record, expect, wait, sync, quiet, json)


def legal(log_: LogArgument, quiet: QuietOption = False, json: JsonOption = False) -> None:
    """List the legal next steps, one a line.

    They are in the words that `move` takes, and in a stable order.

    \b
    sintra legal game.log
    sintra move game.log $(sintra legal game.log | shuf -n 1)
    """
    game = loading.read_game(log.read(log_))
    if game.created.chance == "seeded":  # what a log that was cut goes on with can be foreseen
        game.settle()
    elif game.created.chance == "system" and game.player is None and not game.over:
        raise IllegalStep(f"{game.awaits}; `sintra move --auto` goes on with this log")
    steps = [str(step) for step in game.legal()]
    if quiet:
        return
    if json:
        say_json(LegalAnswer(game.player, steps))
    elif steps:
        say("\n".join(steps))


# -- What they share --


def _advance(
    log_: str, act: Act, expect: int | None, wait: bool, sync: bool, quiet: bool, json: bool
) -> None:
    """Do something to the game of a log, append what came of it, and tell it."""
    if log_ == "-":
        kept: list[bytes] = []
        game = loading.read_game(_remembered(log.read("-"), kept))
        _check_length(game, expect)
        events = act(game)
        write_log(b"".join(kept) + encode_lines(events))
        return
    with log.Appender(log_, sync=sync, wait=wait) as file:
        game = loading.read_game(file.read())
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
            legal = [str(step) for step in game.legal()]
            say_json(MoveAnswer(events, game.player, game.round, game.over, game.scores, game.winners, legal))
        else:
            _tell(before, events, game)


def _drawn(game: Game, file: log.Appender) -> list[Event]:
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


def _typed(what: str) -> list[str]:
    """Lines from standard input, without comments and empty ones."""
    hint(what)
    said = [line.split("#", 1)[0].strip() for line in log.read_steps().splitlines()]
    return [line for line in said if line]


def _check_input_free(log_: str, what: str) -> None:
    """Nothing else is read from standard input where the log comes from there."""
    if log_ == "-":
        raise UsageError(f"with the log from standard input, {what} given on the command line")


def _await(game: Game, phase: int) -> list[Event]:
    """What follows by itself before a real table's next draw; refused where that is not what comes next."""
    if game.created.chance != "table":
        raise UsageError("only what was drawn at a real table is typed in; this game draws by itself")
    events = game.settle()
    if game.live.phase != phase:
        raise IllegalStep(f"nothing is {'dealt' if phase == DEAL else 'arranged'} now: {game.awaits}")
    return events


def _record(game: Game, event: Event) -> list[Event]:
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
    from sintra.view import happenings, safe, view_of

    view = view_of(after.rules)
    for fold, event in before.follow(events):
        say(view.sentence(fold, event, happenings(after.rules, fold.state.effects or ())))
    if after.player is not None:
        verbs = list(dict.fromkeys(str(step).split()[0] for step in after.legal()))
        say(f"{safe(after.players[after.player - 1])} has to {' or '.join(verbs)}.")
    elif not after.over:
        missing = after.awaits
        say(f"{missing[0].upper()}{missing[1:]}.")
