"""`sintra log`."""

from __future__ import annotations

from sintra.cli.answers import TurnLine
from sintra.cli.options import AsciiOption, Color, ColorOption, JsonOption, LogArgument, QuietOption
from sintra.cli.output import say, say_json, style
from sintra.log import files
from sintra.reader import Reader


def log(
    path: LogArgument,
    color: ColorOption = Color.auto,
    ascii: AsciiOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Print the game turn by turn, in plain English.

    Undone steps are left out; `replay` prints every event.

    \b
    sintra log game.log
    """
    from sintra.text import columns, fitted, padded, safe, wrapped
    from sintra.view.story import turns

    reader = Reader(files.read(path), path, watch=True)
    story = turns(reader)
    if quiet:
        return
    if json:
        for turn in story:
            say_json(TurnLine(turn.round, turn.player, turn.numbers, turn.text))
        return
    how = style(color, ascii)
    names = [how.name(safe(name)) for name in reader.fold.created.players]
    room = min(16, max(map(columns, names))) + 2
    for number, turn in enumerate(story):
        if turn.player is None:
            lines = [how.strong(line) for line in wrapped(turn.text.split(" "), how.width)]
            say("\n".join(["", *lines] if number else lines))
            continue
        lines = wrapped(turn.text.split(" "), how.width - room - 2)
        name = padded(fitted(names[turn.player - 1], room - 2), room)
        for at, line in enumerate(lines):
            say(f"  {' ' * room if at else name}{line}")
