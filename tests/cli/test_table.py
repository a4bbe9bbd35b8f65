"""`play --table`: a real table, typed in line by line."""

from __future__ import annotations

from pathlib import Path

import pytest

import sintra
from scripts.fixtures import FIXTURES
from sintra import api
from sintra.errors import IllegalStep, UsageError
from sintra.log.events import Choice
from sintra.text import columns
from tests.kit.program import run

pytestmark = pytest.mark.process

SETUP = [
    "copbyc",
    "oypoy cpoco ocooy bpbyp pocyp ycyyc ypcyp cbccb",
    "pocyp yybyo pbypy ycyyc oypoy opoop cpoco pcppy",
]
"""An arrangement for two, as the questions ask for it."""
DEAL = ["ybbp", "pobc", "oopc", "yyoy", "ybbb"]


def typed(log: Path, *lines: str, options: tuple[str, ...] = (), code: int = 0) -> str:
    """What `play --table` says to these lines."""
    stdin = "\n".join(lines) + "\n"
    return run("play", log, "--table", *options, stdin=stdin, code=code).out


def test_every_question_is_checked_at_once(tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    said = typed(
        log,
        *("copby", SETUP[0], "oypoy cpoco", SETUP[1], SETUP[2]),
        *("ybbp pobx", "ybbp pobcc", "ybbp pobc", *DEAL[2:]),
        *("9b", "3o 2", "quit"),
        options=("--player", "Ada", "--player", "Ben"),
    )
    for wrong in (
        "`indicator` needs 6 colors, not 5",
        "`strips 1` needs 8 strips, not 2",
        "no color has the letter 'x'",
        "display 2 holds at most 4 pieces, not 5",
        "no display 9",
    ):
        assert wrong in said
    assert "Ben's strips" in said
    assert "round 1, display 3 of 5> oopc" in said
    assert "Ada places 2 pieces on strip 2." in said
    assert said.rstrip().endswith("--table")
    assert [str(event) for event in api.entries(sintra.load(log))][1:] == [
        "deal ybbp pobc oopc yyoy ybbb",
        "pick 3 orange",
        "place 2",
    ]
    assert "Ben, pick>" in typed(log, "quit")


def test_the_way_back_to_a_table_names_its_printed_values(tmp_path: Path) -> None:
    log, own = tmp_path / "table.log", tmp_path / "my box.toml"
    own.write_text(run("rules", "sintra", "--template").out)
    assert f"Resume it with: sintra play {log} --table\n" in typed(log, "quit")
    said = typed(log, "quit", options=("--components", str(own)))
    assert f"Resume it with: sintra play {log} --table --components '{own}'" in said


def test_a_display_with_pieces_that_the_bag_lacks_is_refused_at_once(tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    lines = ["bbbb bbbb bbbb bbbb bbbb", "quit"]
    assert "round 1, display 1 of 5> bbbb" in typed(log, *lines, options=("--rules", "azul"))
    log.unlink()
    game = sintra.new("azul", chance="table")
    game.record(game.rules.lay(game.created.options, 2, {}, []))
    game.save(log)
    said = typed(log, "bbbbb", "bbbb bbbb bbbb bbbb", "rrrr", "1b 4", "2b 5", "3b 3", "quit")
    assert "display 1 holds at most 4 pieces, not 5" in said
    assert "Player 1 places 3 pieces on line 3" in said or "places" in said


def test_slips_found_late_are_corrected(tmp_path: Path) -> None:
    """A whole game typed in with two slips, each fixed many entries later, ends like the one without."""
    game = sintra.load(FIXTURES / "games" / "azul-gray-2.log")
    table = as_table(game)
    lines: list[str] = []
    script = [event for event in game.counting if isinstance(event, Choice)]
    wrong = 0
    for at, event in enumerate(script):
        words = str(game.rules.steps[game.fold.words.codes[event.player - 1][event]])
        lines += deal_if_due(table, game)
        slip = other_way(table, script[at : at + 8], words) if wrong < 2 and at % 20 == 5 else None
        table.play(slip or words)
        lines.append(slip or words)
        if slip:
            wrong += 1
            number = len(api.entries(table))
            for later in script[at + 1 : at + 8]:
                lines.append(str(game.rules.steps[game.fold.words.codes[later.player - 1][later]]))
                table.play(lines[-1])
            lines.append(f"fix {number} {words}")
            done = api.correct(table, number, words)
            assert (done.replayed, done.left) == (7, [])
            del script[at + 1 : at + 8]
    assert wrong == 2
    assert table.scores == game.scores
    log = tmp_path / "typed.log"
    said = typed(log, *lines, options=("--rules", "azul", "--side", "gray"))
    assert said.count("and replayed 7 entries.") == 2
    assert sintra.load(log).scores == game.scores
    assert sintra.load(log).over


def test_undo_takes_back_the_answer_that_was_just_typed(tmp_path: Path) -> None:
    """Not the last turn: what a deal or an arrangement has so far is entered, too, though not yet saved."""
    log = tmp_path / "table.log"
    said = typed(log, SETUP[0][::-1], "undo", SETUP[0], SETUP[1], "note in May", "?", "quit")
    assert "Took back cybpoc." in said
    assert "the letters are b blue, c clear" in said
    assert "but not this unfinished arrangement" in said
    said = typed(
        log, *SETUP, "yyyy yybb", "pobc", "undo", "undo", *DEAL[:2], "note", "note in June", *DEAL[2:], "quit"
    )
    assert "  Took back pobc.\n" in said
    assert "  Took back yyyy yybb.\n" in said
    assert [str(event) for event in api.entries(sintra.load(log))][1:] == [f"deal {' '.join(DEAL)}"]
    typed(log, "3o", "2", "undo 2", "quit")
    assert [str(event) for event in api.entries(sintra.load(log))][1:] == [f"deal {' '.join(DEAL)}"]
    assert "but not this unfinished deal" in typed(log, "undo", "yyyy", "quit")
    typed(log, "yyyy", "undo 2", *SETUP, "quit")
    assert len(api.entries(sintra.load(log))) == 1


def as_table(game: sintra.Game) -> sintra.Game:
    """The same game at a real table, before the first deal."""
    table = sintra.new(game.rules.name, len(game.players), chance="table", **game.created.options)  # type: ignore[arg-type]
    table.record(next(event for event in game.events if isinstance(event, game.rules.arranged)))
    return table


def deal_if_due(table: sintra.Game, game: sintra.Game) -> list[str]:
    """Deal the next round as in the other game, if it is time to; return the line that is typed."""
    from sintra.log.events import Dealt

    if table.player is None:
        deals = [event for event in game.counting if isinstance(event, Dealt)]
        table.record(deals[table.round])
        return [api.entries(table)[-1].removeprefix("deal ")]
    return []


def other_way(table: sintra.Game, following: list[Choice], words: str) -> str | None:
    """Another legal step after which the next ones are legal, too."""
    steps = table.rules.steps
    for step in map(str, table.legal()):
        trial = table.copy()
        if step == words:
            continue
        try:
            trial.play(step)
            for later in following[1:]:
                trial.play(str(steps[table.fold.words.codes[later.player - 1][later]]))
        except (IllegalStep, UsageError):
            continue
        return step
    return None


def test_what_is_not_possible_any_more_is_left_out_and_said(tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    said = typed(log, *SETUP, *DEAL, "3o 2", "1p", "log", "fix 3 1p", "fix", "fix 77 1p", "undo x", "quit")
    assert "   3  pick 3 orange" in said
    assert "Replaced number 3 and replayed 1 entry." in said
    assert "Number 5 is no longer possible: pick 1 pink: display 1 is empty" in said
    assert "Left out: pick 1 pink" in said
    assert "undo takes a number, not 'x'" in said
    game = sintra.load(log)
    assert api.entries(game)[2:] == ["pick 1 pink", "place 2"]
    with pytest.raises(UsageError, match="no entry 9: the game has 4 entries"):
        api.correct(game, 9, "pick 1 pink")
    before = game.events
    with pytest.raises(IllegalStep):
        api.correct(game, 3, "pick 3 blue")
    assert game.events == before


def test_a_deal_and_an_arrangement_are_entered_anew(tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    said = typed(log, *SETUP, *DEAL, "3o 2", "fix 2 ybbp pobc ooob yyoy ybbb", "note in May", "quit")
    assert "Round 1 is dealt: ybbp pobc ooob yyoy ybbb." in said
    assert "Replaced number 2 and replayed 2 entries." in said
    assert "in May" in log.read_text()
    game = sintra.load(log)
    done = api.correct(game, 1, f"indicator bopbyc strips 1 {SETUP[1]} strips 2 {SETUP[2]}")
    assert (done.replayed, game.state.indicator[0]) == (3, "blue")  # type: ignore[attr-defined]


def test_a_seeded_game_can_be_corrected_too() -> None:
    game = sintra.new("azul", seed=1)
    for _ in range(20):
        game.play(game.legal()[0])
    first, second = api.entries(game)[:2]
    again = next(str(step) for step in sintra.new("azul", seed=1).legal() if str(step) != first)
    done = api.correct(game, 1, again)
    assert done.replayed + len(done.left) == 19
    assert api.entries(game)[0] == again
    assert second.startswith("place")


def test_a_real_table_has_no_bots_and_no_seed(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    assert "no bots and no seed" in run("play", log, "--table", "--bots", "greedy", code=2).err
    assert "no bots and no seed" in run("play", log, "--table", "--seed", "1", code=2).err
    assert not log.exists()
    sintra.new(seed=1).save(log)
    assert "is not a game at a real table" in run("play", log, "--table", code=2).err
    assert "--rules is for new games" in run("play", log, "--table", "--rules", "azul", code=2).err


def test_who_has_never_typed_a_deal_is_told_how(tmp_path: Path) -> None:
    said = typed(tmp_path / "table.log", "?", "quit", options=("--rules", "azul", "--players", "2"))
    assert "The displays: a letter for each piece, like byrk;" in said
    assert "  byrk      a display" in said
    assert max(map(columns, said.partition("The game is saved")[0].splitlines())) <= 80


def test_a_new_game_at_a_table_takes_components(tmp_path: Path) -> None:
    """They used to be refused, with the advice to give them with the arrangement, which is what this does."""
    (tmp_path / "box.json").write_text('{"bonus":{"row":3,"column":7,"color":10}}')
    typed = "play table.log --table --rules azul --components box.json"
    run(*typed.split(), cwd=tmp_path, stdin=b"quit\n")
    created, arranged = (tmp_path / "table.log").read_text().splitlines()
    assert '"chance":"table"' in created
    assert arranged.endswith('"bonus":{"row":3,"column":7,"color":10}}')
