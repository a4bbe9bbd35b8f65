"""Golden games that a player can read, perft counts, and the same bytes from the same seed everywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

import sintra
from scripts.fixtures import FIXTURES, GOLDENS, perft, played_to, screens, told
from sintra.log.codec import encode_lines
from sintra.log.events import Choice
from tests.games.test_against_plain import PLAIN, as_json, follow
from tests.kit.plain_azul import PlainAzul
from tests.kit.plain_sintra import PlainSintra

LOGS = sorted((FIXTURES / "games").glob("*.log"))
PERFT = json.loads((FIXTURES / "perft.json").read_text())


def test_there_is_a_golden_game_for_every_board_and_number_of_players() -> None:
    assert [path.stem for path in LOGS] == sorted(GOLDENS)


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_golden_game_replays_to_the_byte(path: Path) -> None:
    """From the seed and the choices alone the whole log comes again: arrangement, deals and results."""
    text = path.read_text()
    game = sintra.loads(text)
    assert game.over
    created = game.created
    again = sintra.Game.new(
        game.rules, game.players, seed=created.seed, options=created.options, engine=created.engine
    )
    words = game._fold.words
    for event in game.events:
        if isinstance(event, Choice):
            again.play(words.steps[words.codes[event.player - 1][event]])
    assert again.dumps() == text
    assert encode_lines(game.events) == text.encode()


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_golden_game_reads_as_it_did(path: Path) -> None:
    assert told(path.read_bytes()) == path.with_suffix(".txt").read_text()


@pytest.mark.parametrize("name", GOLDENS)
def test_the_screen_of_a_game_under_way_is_as_it_was(name: str) -> None:
    for end, screen in screens(name).items():
        assert (FIXTURES / "screens" / f"{name}.{end}").read_text() == screen


def on_plain(game: sintra.Game) -> PlainSintra | PlainAzul:
    """The same game on the plain implementation, its results compared with those of the log."""
    created, arranged = map(as_json, game.events[:2])
    plain = PLAIN[game.rules.name](created, arranged)
    words = game._fold.words
    for event in game.events[2:]:
        if isinstance(event, Choice):
            plain.play(str(words.steps[words.codes[event.player - 1][event]]))
        else:
            follow(plain, event)
    return plain


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_the_plain_implementation_gives_a_golden_game_the_same_scores(path: Path) -> None:
    game = sintra.loads(path.read_text())
    assert [sum(points.values()) for points in on_plain(game).breakdown()] == game.scores


def plain_perft(plain: PlainSintra | PlainAzul, depth: int) -> int:
    """The same count on the plain implementation, by copying the whole cardboard."""
    legal = plain.legal()
    if depth == 1 or not legal:
        return len(legal)
    total = 0
    for words in legal:
        after = deepcopy(plain)
        after.play(words)
        total += plain_perft(after, depth - 1)
    return total


@pytest.mark.parametrize("row", PERFT, ids=lambda row: "-".join(str(v) for v in list(row.values())[:5]))
def test_perft_counts(row: dict[str, Any]) -> None:
    game = played_to(row)
    state = game.live
    assert [perft(state, depth) for depth in range(1, row["depth"] + 1)] == row["counts"]
    plain = on_plain(game)
    assert [plain_perft(plain, depth) for depth in (1, 2)] == row["counts"][:2]


@pytest.mark.parametrize("hash_seed", ["0", "1", "random"])
def test_the_same_seed_gives_the_same_bytes_under_any_hash_seed(hash_seed: str) -> None:
    """`make pythons` tries the golden games under every Python that it finds."""
    program = "import sintra; print(sintra.new('sintra', 4, seed=2**53-1, side='B').dumps(), end='')"
    found = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        check=True,
    )
    assert found.stdout.decode() == sintra.new("sintra", 4, seed=2**53 - 1, side="B").dumps()
