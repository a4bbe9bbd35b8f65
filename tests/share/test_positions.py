"""Positions: every table as a line and back, games that begin with one, and lines that can't be."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import sintra
from scripts.fixtures import FIXTURES
from scripts.torture import codes
from sintra.errors import DamagedLog, UnknownFormat, UnknownRules, UsageError
from sintra.fold import Fold
from sintra.game import Game
from sintra.log.events import Choice, Dealt, Undone
from sintra.share.position import from_position, position
from tests.kit.program import run

GOLDENS = sorted((FIXTURES / "games").glob("*.log"))
AZUL = sintra.load(FIXTURES / "games" / "azul-colored-2.log")
SINTRA = sintra.load(FIXTURES / "games" / "sintra-a-2.log")


def unchecked(line: str) -> str:
    """A line without its check, as a person would write it."""
    return " ".join(word for word in line.split() if not word.startswith("check="))


def edited(game: Game, at: int, old: str, new: str) -> str:
    """A line with a part of it changed."""
    line = unchecked(position(game, at))
    assert line.count(old) >= 1, line
    return line.replace(old, new, 1)


# -- There and back --------------------------------------------------------------------------


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: path.stem)
def test_a_position_is_itself_at_every_event(path: Path) -> None:
    game = sintra.load(path)
    rules, options, players = game.rules, game.created.options, len(game.players)
    fold = Fold(rules, game.created)
    for number, event in enumerate(game.events, 1):
        if number > 1:
            fold.take(event)
        text = rules.position(fold.state)
        state = rules.restore(options, players, text)
        assert rules.position(state) == text, number
        assert rules.snapshot(state) == rules.snapshot(fold.state), number
        assert state.legal() == fold.state.legal(), number


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: path.stem)
def test_a_game_goes_on_from_a_position_as_it_went(path: Path) -> None:
    """With the same seed also the deals are the same."""
    game = sintra.load(path)
    for at in range(4, len(game.events), 23):
        again = from_position(position(game, at), game.players)
        begun = position(again, 1)
        for event in game.events[at:]:
            if isinstance(event, Choice):
                again.take(event)
                again.settle()
        assert again.events[-1] == game.events[-1]
        assert again.state == game.state
        assert sintra.loads(again.dumps()).dumps() == again.dumps()
        assert unchecked(position(again, 1)) == unchecked(begun)


def test_a_line_is_typed_with_any_blanks_and_in_any_order() -> None:
    line = position(AZUL, 40)
    assert from_position(f"  {line.replace(' ', '   ')}\n").created == from_position(line).created
    head, table, *rest = unchecked(line).split(" / ")
    moved = " / ".join([head, " ".join(reversed(table.split())), *rest])
    assert from_position(moved).created == from_position(line).created


def test_printed_values_and_the_bag_may_be_left_to_the_box() -> None:
    line = unchecked(position(AZUL, 40))
    sections = line.split(" / ")
    bag = next(word for word in sections[1].split() if word.startswith("bag="))
    sections[1] = sections[1].replace(bag, "bag=rest")
    short = " / ".join([*sections[:2], "multiplier=1", *sections[3:]])
    assert from_position(short).created == from_position(line).created


# -- Games that begin with a position --------------------------------------------------------


def test_a_log_that_begins_with_a_position_has_format_2() -> None:
    game = from_position(position(AZUL, 40))
    first = json.loads(game.dumps().splitlines()[0])
    assert first["format"] == 2
    assert first["position"].startswith("awaits=place round=2 ")
    assert "seed" not in first["position"]
    assert game.created.seed == AZUL.created.seed


def test_every_command_works_on_such_a_log(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    game = from_position(position(SINTRA, 40))
    dice = random.Random(1)
    for _ in range(12):
        game.play(dice.choice(game.legal()))
    game.save(log)
    assert "from a position" in run("log", log).out
    assert run("verify", "--deals", log).code == 0
    for words in (
        "show LOG",
        "legal LOG",
        "score LOG",
        "replay LOG",
        "draw LOG",
        "stats LOG",
        "hint LOG --nodes 50",
    ):
        run(*words.replace("LOG", str(log)).split())
    run("analyze", log, "--nodes", "20", "--deals", "2")
    assert run("diff", log, log).code == 0
    assert run("convert", log).out == log.read_text()
    assert run("fork", log, "--at", "3").out.splitlines()[1:3] == log.read_text().splitlines()[1:3]
    data = log.read_bytes()
    run("undo", log)
    assert log.read_bytes().startswith(data)
    assert run("code", log).out
    assert sintra.decode(run("code", log).out).dumps() == log.read_text()


def test_nothing_before_the_position_can_be_taken_back() -> None:
    game = from_position(position(SINTRA, 40))
    game.play(game.legal()[0])
    game.undo()
    assert position(game) == position(SINTRA, 40)
    with pytest.raises(UsageError, match="can't take back 1 step; the game has 0"):
        game.undo()
    dealt = from_position(
        position(SINTRA, next(n for n, e in enumerate(SINTRA.events, 1) if isinstance(e, Dealt)) - 1)
    )
    assert isinstance(dealt.events[1], Dealt)
    with pytest.raises(DamagedLog, match="between a choice and its results"):
        dealt.take(Undone(1))


def test_the_points_of_such_a_game_add_up() -> None:
    game = from_position(position(SINTRA, 120))
    found = sintra.score(game)
    assert found.rounds[0].round == 0
    for seat, total in enumerate(found.total):
        assert sum(sum(part.points[seat].values()) for part in found.rounds) == total


def test_chance_is_that_of_the_line_unless_another_is_wanted() -> None:
    line = position(AZUL, 40)
    assert from_position(line).created.seed == AZUL.created.seed
    assert from_position(line, seed=5).created.seed == 5
    assert from_position(line, chance="table").created.chance == "table"
    drawn = position(AZUL, 40, seed=False)
    assert "seed=" not in drawn
    assert from_position(drawn).created.seed != from_position(drawn).created.seed
    assert "chance=system" in position(from_position(line, chance="system"))


def test_the_start_of_a_game_is_an_ordinary_log() -> None:
    game = from_position(position(AZUL, 1))
    assert game.created.format == 1
    assert game.events[1:3] == AZUL.events[1:3]


def test_a_game_that_is_over_is_not_begun_again() -> None:
    with pytest.raises(UsageError, match="the game is over"):
        from_position(position(AZUL))


# -- What can't be ---------------------------------------------------------------------------

WRONG = [
    (SINTRA, "bag=b10c12o10", "bag=b10c12o11", "21 orange pieces; the game has 20"),
    (SINTRA, "bag=b10", "bag=b9", "19 blue pieces; the game has 20"),
    (SINTRA, "bag=b10", "bag=b21", "31 blue pieces"),
    (SINTRA, "displays=-,-,-,-,-", "displays=-,-,-,-", "displays: expected 5"),
    (SINTRA, "displays=-,-,-,-,-", "displays=-,-,-,-,bbbbb", "displays: 5 pieces; at most 4"),
    (SINTRA, "displays=-,-,-,-,-", "displays=-,-,-,-,bb", "short while there were more"),
    (SINTRA, "displays=-,-,-,-,-", "displays=-,-,-,-,xxxx", "no color has the letter 'x'"),
    (SINTRA, "awaits=pick", "awaits=sleep", "'sleep' is not one of arrange, deal"),
    (
        SINTRA,
        "awaits=pick",
        "awaits=keep",
        "strip 1 is complete while its piece has to be kept, and only then",
    ),
    (SINTRA, "round=2", "round=7", "the game has 6"),
    (SINTRA, "player=2", "player=3", "player: expected a whole number from 1 to 2"),
    (SINTRA, "player=2", "", "player is missing"),
    (SINTRA, "glazier=2", "glazier=9", "glazier: expected a whole number from 1 to 8"),
    (SINTRA, "marker=4", "marker=8", "marker: expected a whole number from 0 to 7"),
    (SINTRA, "lost=0", "lost=17", "lost: the track takes all"),
    (SINTRA, "points=0,2,0,0,0", "points=0,99,0,0,0", "can't have scored this"),
    (SINTRA, "points=0,2,0,0,0", "points=0,2,0,0,5", "score at the end"),
    (SINTRA, "jokers=-", "jokers=o", "is not flipped, or gone"),
    (SINTRA, "windows=-,", "windows=c,", "has clear, which its strip"),
    (SINTRA, "strips=OYpOY:bbobp", "strips=OYpOY:bbobb", "same strips"),
    (SINTRA, "strips=OYpOY:bbobp", "strips=oypoy:Bbobp", "that side is not up"),
    (SINTRA, "indicator=obopcy", "indicator=obopcc", "each color once"),
    (SINTRA, "side=A", "side=C", "side: can't be C"),
    (SINTRA, "side=A", "color=red", "unknown word color"),
    (SINTRA, "players=2", "players=5", "players: expected a whole number from 2 to 4"),
    (SINTRA, "seed=20", "seed=-1", "seed: expected a whole number"),
    (SINTRA, "round=2", "round=2 round=2", "round is given twice"),
    (SINTRA, "round=2", "round", "expected KEY=VALUE, not 'round'"),
    (AZUL, "lines=k,", "lines=kk,", "can't lie on line 1"),
    (AZUL, "lines=k,", "lines=r,", "its row of the wall has it"),
    (AZUL, "wall=..r..", "wall=.r...", "row 1, column 2 can't hold red"),
    (AZUL, "score=0 lost=2", "score=90 lost=2", "2 tiles can't have scored 92"),
    (AZUL, "floor=k+kt", "floor=kkt", "there is one|starting tile"),
    (AZUL, "center=-", "center=+", "there is more than one starting tile"),
    (AZUL, "starter=1", "starter=2", "player 1 has the starting tile"),
    (AZUL, "hand=y", "hand=yr", "a hand has one color"),
    (AZUL, "hand=y", "", "hand: there is one while"),
    (AZUL, "awaits=place", "awaits=deal", "hand|player"),
    (AZUL, "awaits=place round=2", "awaits=tile round=2", "hand|nothing to tile"),
    (AZUL, "round=2", "round=1", "more tiles than 0 rounds"),
]


@pytest.mark.parametrize(("game", "old", "new", "said"), WRONG, ids=[f"{w[1]}-{w[2]}" for w in WRONG])
def test_an_impossible_position_is_refused(game: Game, old: str, new: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        from_position(edited(game, 40, old, new))


def test_boards_with_more_pieces_than_a_pile_can_count_are_refused() -> None:
    line = unchecked(position(sintra.new("azul", 4, seed=1), 3))
    for section in line.split(" / ")[3:]:
        line = line.replace(
            section,
            "score=0 lost=0 lines=b,bb,bbb,bbbb,bbbbb wall=.....,.....,.....,.....,..... floor=bbbbbbb",
        )
    with pytest.raises(UsageError, match="88 blue pieces; the game has 20"):
        from_position(line)


def test_a_slip_is_noticed_by_the_check() -> None:
    line = position(AZUL, 40)
    for slip in (line.replace("score=0", "score=1"), line[:-3], line.replace(" floor=-", "", 1)):
        with pytest.raises(UsageError, match="does not match its check"):
            from_position(slip)


def test_every_cut_is_noticed_also_without_a_check() -> None:
    for game in (AZUL, SINTRA):
        line = unchecked(position(game, 40))
        for end in range(len(line)):
            with pytest.raises((UsageError, UnknownRules)):
                from_position(line[:end])


@pytest.mark.parametrize("character", ["\udca8", "\x1b", "\x00"])
def test_a_line_that_can_not_be_printed_is_refused(character: str) -> None:
    line = sintra.position(sintra.new("sintra", seed=1)).replace("indicator=", f"indicator={character}", 1)
    with pytest.raises(UsageError, match="character that can't be printed"):
        sintra.from_position(line)


def test_rules_that_are_not_installed() -> None:
    with pytest.raises(UnknownRules, match="no rules named 'chess'"):
        from_position(position(AZUL, 40).replace("azul", "chess", 1))


def test_a_log_with_a_position_in_the_wrong_place_or_form(tmp_path: Path) -> None:
    text = from_position(position(AZUL, 40)).dumps()
    with pytest.raises(
        DamagedLog, match="line 1, field position: a log that begins with a position has format 2"
    ):
        sintra.loads(text.replace('"format":2', '"format":1'))
    with pytest.raises(DamagedLog, match="line 1, field position: 21 blue pieces"):
        sintra.loads(text.replace("bag=b13", "bag=b14"))
    with pytest.raises(
        UnknownFormat, match=r"format 3; .*format 1, and format 2 if a log begins.*; update sintra"
    ):
        sintra.loads(text.replace('"format":2', '"format":3'))
    with pytest.raises(
        UnknownFormat, match=r"format 2; .*format 1, and format 2 if a log begins.*; update sintra"
    ):
        sintra.loads(AZUL.dumps().replace('"format":1', '"format":2'))


def test_the_commands(tmp_path: Path) -> None:
    log = FIXTURES / "games" / "azul-colored-2.log"
    line = run("position", log, "--at", "40").out.strip()
    assert line == position(AZUL, 40)
    made = run("new", "--position", "-", "--player", "Ada", "--player", "Ben", stdin=line).out
    assert sintra.loads(made).players == ("Ada", "Ben")
    assert "leave them out" in run("new", "--position", line, "--rules", "azul", code=2).err
    assert "--players is 3" in run("new", "--position", line, "--players", "3", code=2).err
    assert "no event 999" in run("position", log, "--at", "999", code=2).err
    assert "does not match" in run("new", "--position", line[:-1], code=2).err


def test_changed_positions_are_refused_or_can_be_played() -> None:
    refused, kept = codes.shaken_positions(list(codes.positions(12)), 1500)
    assert refused > 1000
    assert kept > 10


def test_a_rule_set_without_positions_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from sintra.rules import RuleSet

    game = AZUL.copy()
    monkeypatch.setattr(type(game.rules), "position", RuleSet.position)
    with pytest.raises(UsageError, match="Azul has no positions: its rule-set can't write them"):
        position(game)
    monkeypatch.setattr(type(game.rules), "restore", RuleSet.restore)
    with pytest.raises(UsageError, match="Azul has no positions"):
        game.rules.restore(game.created.options, 2, "awaits=arrange")
