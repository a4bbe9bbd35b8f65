"""Codes and positions: whole games as codes and back, slips in both, and whatever nobody should type.

- Random games of every board, some with steps taken back, remarks, forks or deals of the system, become codes
  and the same logs again.
- One character of a code is changed: the check has to notice it.
- Codes and positions are changed in many ways. Each is refused with an error for people, or it is the same
  game as before. A position without its check may become another one, if that can be played.

    python -m scripts.torture --only codes
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from scripts.torture.fuzz import BOARDS, told
from sintra.api import loads
from sintra.errors import SintraError, Unknown, UsageError
from sintra.game import Game
from sintra.share import code as codes
from sintra.share.code import code, decode
from sintra.share.position import from_position, position

GAMES = 10_000
FLIPS = 1_000
MUTANTS = 500_000
"""Of codes, and as many of positions."""


def run(scale: float, scratch: Path) -> dict[str, int | str]:  # noqa: ARG001 - nothing is written
    """Count what held."""
    games = max(12, int(GAMES * scale))
    lengths: list[int] = []
    pool: list[str] = []
    for number in range(games):
        game = played(number)
        again(game)
        if game.created.chance == "seeded" and number % 10 < 8:
            lengths.append(len(code(game)))
        if len(pool) < 120:
            pool.append(code(game))
    found = flips(max(100, int(FLIPS * scale)))
    mutants = max(300, int(MUTANTS * scale))
    refused, kept = shaken_codes(pool, mutants)
    lines = list(positions(24))
    wrong, others = shaken_positions(lines, mutants)
    return {
        "games as codes, and back to the same log": games,
        "median length of the code of a seeded game": f"{median(lengths):g}",
        "shortest and longest": f"{min(lengths)} and {max(lengths)}",
        "codes with one character changed": found[0],
        "of them noticed": found[1],
        "changed codes refused": refused,
        "changed codes that mean the same": kept,
        "changed positions refused": wrong,
        "changed positions that are positions": others,
    }


def played(number: int) -> Game:
    """A random game of any board: most are seeded and whole, some cut, undone, forked or unseeded."""
    dice = random.Random(f"game {number}")
    rules, options = BOARDS[number % len(BOARDS)]
    kind = number % 10
    seed = number if number % 3 else dice.randrange(2**53)
    players = dice.choice(rules.players)
    game = (
        Game.new(rules, players, chance="system", options=options)
        if kind == 9
        else Game.new(rules, players, seed=seed, options=options)
    )
    last = dice.randrange(200) if kind == 7 else 10**6
    while not game.over and len(game.events) < last and game.round < 30:
        game.play(dice.choice(game.legal()))
        if kind == 8 and dice.random() < 0.05:
            game = changed(game, dice)
    return game


def changed(game: Game, dice: random.Random) -> Game:
    """A game with a step taken back, a remark, or another seed from here on."""
    what = dice.randrange(3)
    if what == 0 and not game.begins_turn:
        game.undo()
    elif what == 1:
        game.note("a remark")
    elif what == 2 and dice.random() < 0.2:
        return game.fork(seed=dice.randrange(100))
    return game


def again(game: Game) -> None:
    """A game comes back from its code, with names and without."""
    text = code(game, names=True)
    assert decode(text).dumps() == game.dumps(), text
    plain = code(game)
    assert plain.isalnum(), plain
    assert code(decode(plain)) == plain, plain


def flips(count: int) -> tuple[int, int]:
    """How many codes had one character changed, and how many of these were noticed."""
    dice = random.Random("flips")
    games = [code(played(number)) for number in range(12)]
    noticed = 0
    for _ in range(count):
        text = dice.choice(games)
        at = dice.randrange(len(text))
        other = dice.choice(codes.ALPHABET.replace(text[at], ""))
        try:
            decode(text[:at] + other + text[at + 1 :])
        except SintraError as error:
            told(error)
            noticed += 1
    return count, noticed


# -- Codes with slips ------------------------------------------------------------------------


def shaken_codes(pool: list[str], count: int, salt: int = 0) -> tuple[int, int]:
    """How many changed codes were refused, and how many mean the same game as before."""
    dice = random.Random(f"codes {salt}")
    refused = kept = 0
    logs = {text: decode(text).dumps() for text in pool}
    for _ in range(count):
        text = dice.choice(pool)
        slip = shaken(text, dice, codes.ALPHABET)
        if dice.random() < 0.1:  # with a check that fits, so that the game itself has to notice
            slip = slip[: -codes.CHECK] + codes.check_of(slip[: -codes.CHECK].encode())
        try:
            game = decode(slip)
        except (UsageError, Unknown) as error:
            if refused % 100 == 0:
                told(error)
            refused += 1
            continue
        assert slip == text or slip in (code(game), code(game, names=True)), slip
        assert slip != text or game.dumps() == logs[text], slip
        kept += 1
    return refused, kept


def shaken(text: str, dice: random.Random, alphabet: str) -> str:
    """A text with something done to it once or twice."""
    for _ in range(dice.choice((1, 1, 2))):
        at, to = sorted((dice.randrange(len(text) + 1), dice.randrange(len(text) + 1)))
        match dice.randrange(6):
            case 0:
                text = text[:at] + dice.choice(alphabet) + text[at + 1 :]
            case 1:
                text = text[:at] + dice.choice(alphabet) + text[at:]
            case 2:
                text = text[:at] + text[at + 1 :]
            case 3:
                text = text[:at]
            case 4:
                text = text[:at] + text[to:]
            case _:
                text = text[:at] + text[at : at + 2][::-1] + text[at + 2 :]
        if not text:
            return "1"
    return text


# -- Positions with slips --------------------------------------------------------------------


def positions(games: int) -> Iterator[str]:
    """Lines of games of every board, at points of every kind."""
    for number in range(games):
        game = played(number * 10 + number % 6)
        events = len(game.events)
        for at in {1, 2, 3, events // 4, events // 2, events * 3 // 4, events - 1}:
            yield position(game, at)


def shaken_positions(lines: list[str], count: int, salt: int = 0) -> tuple[int, int]:
    """How many changed positions were refused, and how many are positions of the game."""
    dice = random.Random(f"positions {salt}")
    begun = {line: from_position(line).created for line in lines}
    refused = kept = 0
    alphabet = "".join(sorted(set("".join(lines)))) + "*9+"
    for number in range(count):
        line = dice.choice(lines)
        slip = _word_shaken(line, dice) if number % 2 else shaken(line, dice, alphabet)
        if number % 4 > 1:  # without a check, so that the rules have to notice
            slip = " ".join(word for word in slip.split(" ") if not word.startswith("check="))
        try:
            game = from_position(slip)
        except (UsageError, Unknown) as error:
            if refused % 100 == 0:
                told(error)
            refused += 1
            continue
        kept += 1
        if f" {check_word(line)} " in slip:
            assert game.created == begun[line], slip
        elif kept % 20 == 0:
            can_be_played(game, dice)
    return refused, kept


def check_word(line: str) -> str:
    """The word of a line that has its check."""
    return next(word for word in line.split() if word.startswith("check="))


def _word_shaken(line: str, dice: random.Random) -> str:
    """A line with a word dropped, doubled, exchanged or given another value."""
    words = line.split(" ")
    at, to = dice.randrange(1, len(words)), dice.randrange(1, len(words))
    match dice.randrange(4):
        case 0:
            del words[at]
        case 1:
            words.insert(to, words[at])
        case 2:
            words[at], words[to] = words[to], words[at]
        case _:
            key, equals, value = words[at].partition("=")
            parts = value.split(",")
            parts[dice.randrange(len(parts))] = dice.choice(
                ("0", "1", "-", "+", "b", "-18", "7", "rest", "kk")
            )
            words[at] = key + equals + ",".join(parts)
    return " ".join(words)


def can_be_played(game: Game, dice: random.Random) -> None:
    """A game that begins with a position goes on to its end, or for some rounds, and its log is one."""
    census = game.live.census()
    rounds = game.round + 3
    while not game.over and game.round < rounds:
        if game.created.chance == "table" and game.player is None:
            break
        game.play(dice.choice(game.legal()))
        assert game.live.census() == census
    assert loads(game.dumps()).dumps() == game.dumps()
    again(game)
