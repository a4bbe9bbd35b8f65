"""Codes: every log becomes one and comes back, and whatever is not one is refused."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import sintra
import sintra.games.sintra.boards
from scripts.fixtures import FIXTURES
from scripts.torture import codes
from sintra import catalog
from sintra.errors import UnknownFormat, UnknownRules, UsageError
from sintra.game import Game
from sintra.log.events import Noted, Undone
from sintra.rules.digits import BadDigits, Digits
from sintra.share import code as module
from sintra.share.code import code, decode
from sintra.share.position import from_position, position
from tests.kit.program import run
from tests.kit.quarry import QuarryRules

LOGS = sorted([*(FIXTURES / "games").glob("*.log"), *(FIXTURES / "format-1").glob("*.log")])
GOLDEN = FIXTURES / "games" / "azul-colored-2.log"
CODE = "139HOptRnLNJvUl72gB88LwpypQ1EJZaYG9xeTuqX7dX"
"""The code of that log, which never changes."""


def signed(text: str) -> str:
    """A code with a check that fits its characters."""
    return text + module.check_of(text.encode())


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_log_comes_back_from_its_code(path: Path) -> None:
    """Seeded or not, undone, forked, cut, with components of its own: to the byte, with names and remarks."""
    game = sintra.load(path)
    assert decode(code(game, names=True)).dumps() == game.dumps()


def test_random_games_of_all_boards_come_back() -> None:
    for number in range(48):
        codes.again(codes.played(number))


def test_a_code_never_changes() -> None:
    assert code(GOLDEN) == CODE
    assert decode(CODE).dumps().split("\n")[1:] == sintra.load(GOLDEN).dumps().split("\n")[1:]


def test_a_code_leaves_out_names_and_remarks_and_nothing_else() -> None:
    game = sintra.new("azul", ["Ada", "Ben"], seed=3)
    game.note("here we go")
    game.play(game.legal()[0])
    game.undo()
    game = game.fork(seed=9)
    again = decode(code(game))
    assert again.players == ("Player 1", "Player 2")
    assert any(isinstance(event, Undone) for event in again.events)
    remarks = [(n, e.text) for n, e in enumerate(again.events, 1) if isinstance(e, Noted)]
    assert remarks == [(6, "seed counts from event 7")]
    assert again.counting == game.counting
    assert again.created.engine == game.created.engine


def test_every_beginning_of_a_log_has_a_code() -> None:
    lines = (FIXTURES / "format-1" / "undone-to-the-start.log").read_text().splitlines(keepends=True)
    for count in range(1, len(lines) + 1):
        game = sintra.loads("".join(lines[:count]))
        assert decode(code(game, names=True)).dumps() == game.dumps(), count


def test_a_game_from_a_position_has_a_code() -> None:
    game = from_position(position(GOLDEN, 40))
    for step in range(5):
        game.play(game.legal()[step % len(game.legal())])
    assert decode(code(game)).dumps() == game.dumps()


def test_forced_choices_take_no_room() -> None:
    game = sintra.load(GOLDEN)
    rest = game.fork(len(game.events) - 3)
    while len(rest.legal()) == 1:
        rest.play(rest.legal()[0])
    assert len(code(rest)) <= len(code(game))


def test_a_code_is_safe_in_a_shell_and_in_a_link() -> None:
    text = code(GOLDEN)
    assert text.isascii()
    assert text.isalnum()
    assert decode(f"https://example.org/replay.html#code={text}\n").dumps() == decode(text).dumps()
    assert decode(f"{text[:20]}\n  {text[20:]}").dumps() == decode(text).dumps()


def test_a_changed_character_is_noticed() -> None:
    tried, noticed = codes.flips(1000)
    assert (tried, noticed >= 999) == (1000, True)


def test_changed_codes_are_refused() -> None:
    pool = [code(game) for game in map(codes.played, range(12))]
    refused, _ = codes.shaken_codes(pool, 2000)
    assert refused > 1900


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("", UsageError, "mistyped or cut"),
        ("1", UsageError, "mistyped or cut"),
        (CODE[:-1], UsageError, "mistyped or cut"),
        (CODE[1:], UsageError, "mistyped or cut"),
        (CODE + "0", UsageError, "mistyped or cut"),
        (CODE.replace("OptR", "OtpR"), UsageError, "mistyped or cut"),
        (CODE[:9] + "é" + CODE[10:], UsageError, "'é' can't be in a code"),
        (CODE[:9] + "-" + CODE[10:], UsageError, "'-' can't be in a code"),
        ("\ud800", UsageError, "can't be in a code"),
        ("1" * 70000, UsageError, "at most 65536 characters"),
        (signed("2" + CODE[1:-3]), UnknownFormat, "version 2; this version reads 1"),
        (signed(CODE[:20] + "7" + CODE[21:-3]), UsageError, "another version of the rules"),
        (signed("10" + CODE[1:-3]), UsageError, "mistyped or cut"),
        (signed(CODE[:-6] + "000"), UsageError, "another version of the rules"),
    ],
)
def test_what_is_not_a_code(text: str, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        decode(text)


@pytest.mark.parametrize("value", [None, 5, b"code"])
def test_a_code_is_text(value: Any) -> None:
    with pytest.raises(
        TypeError, match=f"str object expected; got {type(value).__name__.replace('Type', '')}"
    ):
        sintra.decode(value)


def test_rules_that_are_not_installed() -> None:
    digits = Digits()
    digits.number(3, 4)
    digits.text("chess")
    digits.number(0, 3)
    with pytest.raises(UnknownRules, match="no rules named 'chess'"):
        decode(signed("1" + module._written(digits.packed()) + "000"))


def test_other_tables_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A code of a seeded game has no printed values: if those of the program change, it is refused."""
    text = code(FIXTURES / "games" / "sintra-a-2.log")
    monkeypatch.setitem(sintra.games.sintra.boards.WINDOWS, "A", (9, 1, 3, 2, 4, 1, 3, 2))
    with pytest.raises(UsageError, match="another version of the rules"):
        decode(text)


def test_a_game_that_a_code_would_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_CODE_CHARACTERS", 40)
    with pytest.raises(UsageError, match="too long"):
        code(GOLDEN)


def test_a_log_without_an_end_is_given_up_when_its_code_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """The longest logs hold 180,000 deals, and packing takes ever longer."""
    other = sintra.new("azul", 4, seed=42)
    game = sintra.new("azul", 4, chance="table")
    for event in other.events[1:3]:
        game.record(event)
    game.undo()
    lines = game.dumps().splitlines(keepends=True)
    long = sintra.loads("".join(lines[:2] + lines[2:] * 200))
    assert len(code(long)) > 3000
    packed: list[int] = []
    number = Digits.number

    def counted(self: Digits, value: int, radix: int) -> int:
        packed.append(value)
        return number(self, value, radix)

    monkeypatch.setattr(Digits, "number", counted)
    monkeypatch.setattr(module, "MAX_CODE_CHARACTERS", 400)
    with pytest.raises(UsageError, match="too long"):
        code(long)
    assert 100 < len(packed) < 2000


def test_numbers_are_packed_and_unpacked() -> None:
    dice = random.Random(1)
    values = [(dice.randrange(radix), radix) for radix in (dice.randrange(1, 90) for _ in range(200))]
    digits = Digits()
    for value, radix in values:
        digits.number(value, radix)
    digits.large(10**6, 10**6)
    digits.text("straße\n")
    again = Digits(digits.packed())
    assert [again.number(0, radix) for _, radix in values] == [value for value, _ in values]
    assert again.large(0, 10**6) == 10**6
    assert again.text("") == "straße\n"
    assert not again.left
    with pytest.raises(BadDigits):
        again.number(0, 2)
    with pytest.raises(BadDigits):
        Digits().number(5, 5)


def test_the_commands(tmp_path: Path) -> None:
    assert run("code", GOLDEN).out.strip() == CODE
    assert "without the names: --names carries them along" in run("code", GOLDEN).err
    named = run("code", GOLDEN, "--names").out.strip()
    assert run("decode", named).out == GOLDEN.read_text()
    assert run("decode", "-", stdin=named).out == GOLDEN.read_text()
    assert run("show", GOLDEN, "--code").lines[-1] == CODE
    assert CODE in run("show", GOLDEN, "--code", "--json").out
    assert (
        decode(run("show", GOLDEN, "--code", "--at", "30").lines[-1]).events[1:]
        == sintra.load(GOLDEN).events[1:30]
    )
    assert run("show", "-", "--code", stdin=GOLDEN.read_text()).lines[-1] == CODE
    run("decode", CODE, "-o", tmp_path / "new.log")
    assert "mistyped" in run("decode", CODE[:-1], code=2).err
    assert run("decode", CODE, "-o", tmp_path / "new.log", code=5).err


@pytest.mark.parametrize("chance", ["seeded", "system"])
def test_games_of_plug_ins_have_codes(chance: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the defaults: choices are numbered in any game, and pieces are drawn from any bag."""
    rules = QuarryRules()  # six colors, five pieces on a display
    monkeypatch.setattr(catalog, "find", lambda name: {"quarry": rules}[name])
    game = Game.new(rules, 3, chance=chance, seed=4 if chance == "seeded" else None)
    dice = random.Random(2)
    while not game.over:
        game.play(dice.choice(game.legal()))
    assert decode(code(game)).dumps() == game.dumps()
