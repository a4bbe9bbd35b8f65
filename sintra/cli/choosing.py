"""The menu of `play` line by line: a number for a game, or questions about a new one."""

from __future__ import annotations

from sintra.cli.asking import ask
from sintra.cli.games import NewGame, courses, games_here
from sintra.cli.output import say
from sintra.errors import SintraError
from sintra.text import safe


def asked() -> tuple[str, str] | None:
    """Return the `log` or the lessons to `learn` that a person chooses; None if they want nothing."""
    games = games_here()
    for number, game in enumerate(games, 1):
        say(f"  {number:>2}  {safe(game.path)}: {game.about}")
    titles = courses()
    learns = [f"learn {name}" for name in titles]
    words = ["n for a new game", *learns, "q to quit"]
    say(f"{'A number to continue, ' if games else ''}{', '.join(words)}")
    while (text := ask("> ")) is not None and text.lower() not in ("q", "quit"):
        if text.lower() in ("n", "new", "") and (path := _made()) is not None:
            return "log", path
        verb, _, name = text.lower().partition(" ")
        if verb == "learn" and name in ("", *titles):
            return "learn", name or next(iter(titles))
        if text.isdecimal() and 1 <= int(text) <= len(games):
            return "log", games[int(text) - 1].path
    return None


def _made() -> str | None:
    """Ask about a new game, make its log and return its name; None if nobody answers."""
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
        label = f"{field.label} ({', '.join(values)})" if values else field.label
        text = ask(f"{label} [{default or 'by chance'}]: ")
        if text is None:
            return None
        if _took(form, row, text, values):
            row += 1
    try:
        return form.start()[0]
    except SintraError as error:
        say(f"  {safe(str(error))}")
        return None


def _took(form: NewGame, row: int, text: str, values: list[str]) -> bool:
    """Give an answer to a field; return whether it fits."""
    if not text:
        return True
    if not values:
        while form.fields()[row].text:
            form.type(row, None)
        for character in text:
            form.type(row, character)
        return True
    matching = [value for value in values if value.lower().startswith(text.lower())]
    if len(matching) != 1 and text not in values:
        say(f"  one of: {', '.join(values)}")
        return False
    while form.fields()[row].value != (text if text in values else matching[0]):
        form.change(row, 1)
    return True
