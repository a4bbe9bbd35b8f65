"""A log as a story: turn by turn, without undone events."""

from __future__ import annotations

from msgspec import Struct

from sintra.log.events import Choice, Created, Event, Noted, Undone
from sintra.reader import Reader
from sintra.text import safe
from sintra.view import sentence_of
from sintra.view.trail import begins


class Turn(Struct):
    """A player's turn, or what happened between turns (no player): its events by number, and its text."""

    round: int
    player: int | None
    numbers: list[int]
    text: str


class _Told(Struct):
    number: int
    event: Event
    round: int
    text: str


def turns(reader: Reader) -> list[Turn]:
    """Yield the turns of a game; the reader has to watch effects."""
    told = _counting(reader)
    names = [safe(name) for name in reader.fold.created.players]
    found: list[Turn] = []
    for one in told:
        player = one.event.player if isinstance(one.event, Choice) else None
        text = one.text
        if player is not None:
            name = names[player - 1]
            text = text.replace(f"{name}'s ", "the ", 1) if text.startswith(f"{name}'s ") else text
            text = text.removeprefix(f"{name} ").removeprefix(f"{name}: ")
        if player is not None and found and found[-1].player == player and not begins(one.event):
            found[-1].numbers.append(one.number)
            found[-1].text += f" {text[0].upper()}{text[1:]}"
        else:
            found.append(Turn(one.round, player, [one.number], text))
    return found


def _counting(reader: Reader) -> list[_Told]:
    """Yield every event that still counts at the end, and every remark, with its sentence."""
    told: list[_Told | None] = []
    counting: list[int] = []
    for moment in reader:
        event = moment.event
        if isinstance(event, Undone):
            for at in counting[-event.events :]:
                told[at] = None
            del counting[-event.events :]
            continue
        if not isinstance(event, Noted | Created):
            counting.append(len(told))
        text = sentence_of(reader.fold, moment)
        told.append(_Told(moment.number, event, reader.fold.state.round, text))
    return [one for one in told if one is not None]
