"""The menu of `play` line by line: a number for a game, or questions about a new one."""

from __future__ import annotations

from collections.abc import Sequence

from sintra.cli.asking import ask
from sintra.cli.games import NewGame, courses, games_here
from sintra.cli.output import say, screen_size
from sintra.errors import SintraError
from sintra.text import safe, wrapped

WIDTH = 80
"""Maximum width of what is asked, in columns."""


def asked() -> tuple[str, str] | None:
    """Return the chosen `log`, or the lessons to `learn`; None if nothing was chosen."""
    games = games_here()
    _list([f"{game.path}: {game.about}" for game in games])
    titles = courses()
    learns = [f"learn {name}" for name in titles]
    words = ["n for a new game", *learns, "q to quit"]
    choices = f"{'A number to continue, ' if games else ''}{', '.join(words)}"
    _say(choices)
    while (text := ask("> ")) is not None and text.lower() not in ("q", "quit"):
        if text.lower() in ("n", "new", "") and (path := _made()) is not None:
            return "log", path
        verb, _, name = text.lower().partition(" ")
        if verb == "learn" and name in ("", *titles):
            return "learn", name or next(iter(titles))
        if text.isdecimal() and 1 <= int(text) <= len(games):
            return "log", games[int(text) - 1].path
        _say(choices)
    return None


def _say(text: str, mark: str = "") -> None:
    """Print a text that may be longer than a line, below and beside its mark."""
    for at, line in enumerate(wrapped(safe(text).split(" "), min(WIDTH, screen_size().columns) - len(mark))):
        say(f"{' ' * len(mark) if at else mark}{line}")


def _list(texts: Sequence[str]) -> None:
    """Print texts with their numbers."""
    for number, text in enumerate(texts, 1):
        _say(text, f"  {number:>2}  ")


def _made() -> str | None:
    """Ask about a new game, create its log and return its name; None if there is no answer."""
    form = NewGame()
    row = 0
    while row < len(form.fields()):
        field = form.fields()[row]
        values = []
        while field.value is not None and field.value not in values:
            values.append(field.value)
            form.change(row, 1)
            field = form.fields()[row]
        default = field.value if field.value is not None else field.text
        label = field.label
        if _numbered(values):
            _list(values)
            default = str(values.index(str(default)) + 1)
        elif values:
            label += f" ({', '.join(values)})"
        text = ask(f"{label} [{default or field.hint.strip('()')}]: ")
        if text is None:
            return None
        if _took(form, row, text, values):
            row += 1
    try:
        return form.start()[0]
    except SintraError as error:
        say(f"  {safe(str(error))}")
        return None


def _numbered(values: Sequence[str]) -> bool:
    """Return whether values are so long that they are better chosen by number."""
    return any(" " in value for value in values)


def _took(form: NewGame, row: int, text: str, values: list[str]) -> bool:
    """Put an answer into a field; return True if it fits."""
    if not text:
        return True
    if not values:
        while form.fields()[row].text:
            form.type(row, None)
        for character in text:
            form.type(row, character)
        return True
    if _numbered(values) and text.isdecimal() and 1 <= int(text) <= len(values):
        text = values[int(text) - 1]
    matching = [value for value in values if value.lower().startswith(text.lower())]
    if len(matching) != 1 and text not in values:
        say(f"  type one of the {'numbers' if _numbered(values) else 'words'} above")
        return False
    while form.fields()[row].value != (text if text in values else matching[0]):
        form.change(row, 1)
    return True
