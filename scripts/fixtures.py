"""Generate the computed fixtures: `make goldens`. Read the diff before committing it.

chance.json     words of the generator, and the first deal of some seeds
perft.json      how many ways there are to play the first steps
games/          golden games: the log, and the game as a person reads it
screens/        `show` of a game under way for every board: in color, and in ASCII
pictures/       `draw` of the same games
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import sintra
from sintra.fold import Fold
from sintra.log.lines import split
from sintra.reader import Reader
from sintra.rules.chance import Chance
from sintra.rules.state import State
from sintra.version import VERSION
from sintra.view import sentence_of, view_of
from sintra.view.style import Style
from sintra.view.svg import drawn
from tests.kit.bots import fitting_step

FIXTURES = Path(__file__).parent.parent / "fixtures"

ENGINE = "0.1.0"
"""The version named in the golden logs: their bytes never change."""

SIDES = {"sintra": ("A", "B"), "azul": ("colored", "gray"), "crystal": ("1", "2")}
GOLDENS: dict[str, dict[str, Any]] = {
    f"{rules}-{side.lower()}-{players}": {
        "rules": rules,
        "players": players,
        "side": side,
        "seed": 10 * players + at,
    }
    for rules, sides in SIDES.items()
    for at, side in enumerate(sides)
    for players in (2, 3, 4)
}
NAMES = ("Ada", "Ben", "Cleo", "Dora")

PERFT: list[dict[str, Any]] = [
    {"rules": rules, "side": side, "players": players, "seed": seed, "steps": steps, "depth": depth}
    for rules, sides in SIDES.items()
    for side in sides
    for players, seed, steps, depth in ((2, 42, 0, 4), (2, 42, 60, 5), (3, 7, 47, 5), (4, 7, 75, 5))
]


def perft(state: State, depth: int) -> int:
    """Return the number of ways to play `depth` steps within the round."""
    legal = state.legal()
    if depth == 1 or not legal:
        return len(legal)
    total = 0
    for code in legal:
        after = state.copy()
        after.play(code)
        total += perft(after, depth - 1)
    return total


def played(players: int, side: str, seed: int, steps: int, rules: str = "sintra") -> sintra.Game:
    """Return a game after `steps` steps of a test player."""
    game = sintra.new(rules, NAMES[:players], seed=seed, side=side)
    choose = Chance(seed).stream("bot 1")
    while not game.over and steps > 0:
        game.play(game.rules.steps[fitting_step(game.live, choose)])
        steps -= 1
    return game


def played_to(row: dict[str, Any]) -> sintra.Game:
    """Return the position of a row of the perft table."""
    return played(**{key: row[key] for key in ("rules", "side", "players", "seed", "steps")})


def told(text: bytes) -> str:
    """Return a game as text: the story, and the table at the end of every round."""
    reader = Reader(split(text), watch=True)
    lines = []
    style = Style(unicode=False)
    for moment in reader:
        fold = reader.fold
        lines.append(f"{moment.number:>4}  {sentence_of(fold, moment)}")
        if type(moment.event).__name__ in ("Dealt", "Ended"):
            table = view_of(fold.rules).table(fold, style)
            lines += ["", *(f"      {line}".rstrip() for line in table), ""]
    return "\n".join(lines) + "\n"


def under_way(name: str) -> Fold:
    """A golden game after two thirds of its events."""
    lines = (FIXTURES / "games" / f"{name}.log").read_bytes().splitlines(keepends=True)
    reader = Reader(split(b"".join(lines[: len(lines) * 2 // 3])))
    for _ in reader:
        pass
    return reader.fold


def screens(name: str) -> dict[str, str]:
    """The table in the middle of a golden game, by the ending of the file: in color, and in ASCII."""
    fold = under_way(name)
    styles = {"ansi": Style(color=True), "txt": Style(unicode=False)}
    return {end: "\n".join(view_of(fold.rules).table(fold, style)) + "\n" for end, style in styles.items()}


def chance_vectors() -> dict[str, object]:
    """Return what the generator must give forever."""
    words = []
    for seed in (0, 1, 42, 2**32, 2**53 - 1):
        for label in ("indicator", "strips 1", "displays 1", "displays 6", "bot 2"):
            stream = Chance(seed).stream(label)
            words.append({"seed": seed, "label": label, "words": [stream.word() for _ in range(8)]})
    games = []
    for players, seed in ((2, 0), (2, 42), (3, 1), (4, 2**53 - 1)):
        game = sintra.new("sintra", players, seed=seed)
        games.append(
            {
                "players": players,
                "seed": seed,
                "indicator": "".join(color[0] for color in game.events[1].indicator),  # type: ignore[attr-defined]
                "displays": ["".join(c[0] for c in d) for d in game.events[2].displays],  # type: ignore[attr-defined]
            }
        )
    return {"words": words, "games": games}


def perft_table() -> list[dict[str, object]]:
    """The counts, for each position."""
    rows: list[dict[str, object]] = []
    for row in PERFT:
        state = played_to(row).live
        rows.append({**row, "counts": [perft(state, depth) for depth in range(1, row["depth"] + 1)]})
    return rows


def lines_of(value: object) -> str:
    """Return JSON with one row per line, for readable diffs."""
    if isinstance(value, list):
        return "[\n" + ",\n".join(f"  {json.dumps(row)}" for row in value) + "\n]"
    assert isinstance(value, dict)
    return "{\n" + ",\n".join(f'"{key}": {lines_of(rows)}' for key, rows in value.items()) + "\n}"


def main() -> None:
    """Write them all."""
    (FIXTURES / "chance.json").write_text(lines_of(chance_vectors()) + "\n")
    (FIXTURES / "perft.json").write_text(lines_of(perft_table()) + "\n")
    (FIXTURES / "games").mkdir(exist_ok=True)
    (FIXTURES / "screens").mkdir(exist_ok=True)
    (FIXTURES / "pictures").mkdir(exist_ok=True)
    for name, how in GOLDENS.items():
        log = played(**how, steps=10**6).dumps().replace(f'"engine":"{VERSION}"', f'"engine":"{ENGINE}"', 1)
        (FIXTURES / "games" / f"{name}.log").write_text(log)
        (FIXTURES / "games" / f"{name}.txt").write_text(told(log.encode()))
        for end, screen in screens(name).items():
            (FIXTURES / "screens" / f"{name}.{end}").write_text(screen)
        (FIXTURES / "pictures" / f"{name}.svg").write_text(drawn(under_way(name)))


if __name__ == "__main__":
    main()
