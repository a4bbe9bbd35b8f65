"""Computer players: legal, deterministic, for any rule-set, and greedy better than random."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path

import pytest

from sintra import catalog
from sintra.bots import names
from sintra.bots.names import BOTS, choose, find, is_custom, name_of
from sintra.errors import UsageError
from sintra.game import Game
from sintra.rules.chance import Chance, Stream
from sintra.rules.ruleset import RuleSet
from sintra.rules.state import OVER, State
from tests.kit.bots import any_step
from tests.kit.program import run

BOARDS = [
    ("sintra", "A"),
    ("sintra", "B"),
    ("azul", "colored"),
    ("azul", "gray"),
    ("crystal", "1"),
    ("crystal", "2"),
]
PLAYERS = ["random", "greedy", "easy", "strong:nodes=15"]
"""Bots that play fast enough for tests."""
ROUNDS = 20
"""Where rules may never end a game (R6), it ends here."""


def game_of(rules: RuleSet, side: str | None, bots: Sequence[str], seed: int) -> Game:
    """A game that bots have played; every choice is checked to be a legal one."""
    game = Game.new(rules, len(bots), seed=seed, options={"side": side} if side else {})
    while game.player is not None and game.round <= ROUNDS:
        code = choose(find(bots[game.player - 1]), game.live, seed, len(game.events))
        step = rules.steps[code]
        assert step in game.legal()
        game.play(step)
    return game


def wins(rules: RuleSet, side: str | None, games: int) -> int:
    """How many games of two greedy wins alone against random, from both seats."""
    won = 0
    for seed in range(games):
        seats = ("greedy", "random") if seed % 2 == 0 else ("random", "greedy")
        game = game_of(rules, side, seats, seed)
        own, other = game.scores[seats.index("greedy")], game.scores[seats.index("random")]
        won += own > other
    return won


@pytest.mark.parametrize(("name", "side"), BOARDS)
def test_greedy_beats_random(name: str, side: str) -> None:
    assert wins(catalog.find(name), side, 20) >= 19


def test_greedy_beats_random_in_a_plug_in(harbor: RuleSet) -> None:
    assert wins(harbor, None, 20) >= 19


@pytest.mark.parametrize("bot", PLAYERS)
@pytest.mark.parametrize(("name", "side"), BOARDS)
def test_the_same_seed_gives_the_same_game(bot: str, name: str, side: str) -> None:
    rules = catalog.find(name)
    bots = [bot, "greedy", bot]
    assert game_of(rules, side, bots, 7).dumps() == game_of(rules, side, bots, 7).dumps()


def test_a_choice_depends_on_seat_and_number_of_events() -> None:
    game = Game.new(catalog.find("sintra"), 2, seed=1)
    state = game.live
    drawn = {choose(BOTS["random"], state, 1, events) for events in range(40)}
    assert len(drawn) > 5
    assert drawn <= set(state.legal())
    assert choose(BOTS["random"], state, 1, 9) == choose(BOTS["random"], state, 1, 9)


@pytest.mark.parametrize("bot", PLAYERS)
def test_a_bot_leaves_the_state_alone(bot: str) -> None:
    game = Game.new(catalog.find("azul"), 4, seed=3, options={"side": "gray"})
    for _ in range(60):
        state = game.live
        before = game.rules.snapshot(state)
        code = choose(find(bot), state, 3, 0)
        assert game.rules.snapshot(state) == before
        game.play(game.rules.steps[code])


@pytest.mark.parametrize(("name", "side"), BOARDS)
def test_in_the_end_worth_is_the_score(name: str, side: str) -> None:
    game = game_of(catalog.find(name), side, ["greedy"] * 4, 5)
    state = game.live
    if state.phase == OVER:
        ranks = sorted(range(4), key=state.worth)
        assert [game.scores[player] for player in ranks] == sorted(game.scores)


def test_greedy_takes_the_better_end_of_its_turn() -> None:
    game = Game.new(catalog.find("azul"), 2, seed=2)
    state = game.live
    code = choose(BOTS["greedy"], state, 2, 0)
    state.play(code)
    state.play(choose(BOTS["greedy"], state, 2, 1))
    best = state.worth(0)
    for pick in game.live.legal():
        tried = game.live
        tried.play(pick)
        for place in tried.legal():
            end = tried.copy()
            end.play(place)
            assert end.worth(0) <= best


# -- Custom bots -----------------------------------------------------------------------------


def spoiled(state: State, stream: Stream) -> int:
    """A bot that plays on with the table it is shown, and breaks it."""
    code = state.legal()[0]
    state.play(code)
    state.offer.bag += 1
    return code


def failing(state: State, stream: Stream) -> int:
    raise LookupError("nothing to be seen")


def leaving(state: State, stream: Stream) -> int:
    raise SystemExit(0)


def answering(answer: object) -> object:
    return lambda state, stream: answer


class Shy(Exception):
    """It can be neither printed nor told."""

    def __repr__(self) -> str:
        raise ValueError

    __str__ = __repr__


def shy(state: State, stream: Stream) -> int:
    raise Shy


NONE, WORDS, BELOW, HUGE, LIST = map(answering, [None, "pick 1 blue", -1, 10**30, [0]])
SHY, COMPLEX = answering(Shy()), answering(0j)


def own(name: str) -> str:
    """The name of a bot in this file."""
    return f"{__name__}:{name}"


def test_a_bot_is_found_by_its_name() -> None:
    assert [find(name) for name in BOTS] == list(BOTS.values())
    state = Game.new(catalog.find("azul"), 2, seed=1).live
    for seed in range(9):
        code = find("tests.kit.bots:any_step")(state, Chance(seed).stream("bot 1"))
        assert code == any_step(state, Chance(seed).stream("bot 1"))


def test_a_bot_has_a_name() -> None:
    assert [name_of(bot) for bot in ("greedy", BOTS["greedy"], any_step)] == [
        "greedy",
        "greedy",
        "tests.kit.bots:any_step",
    ]
    for stranger in (lambda state, stream: 0, answering(1), 3, None, find("tests.kit.bots:any_step")):
        with pytest.raises(UsageError, match="other processes can import, not "):
            name_of(stranger)


@pytest.mark.parametrize(
    ("name", "owned"),
    [
        ("bots:best", True),
        ("my.bots:best", True),
        ("greedy", False),
        ("bots:", False),
        (":best", False),
        ("my..bots:best", False),
        (".bots:best", False),
        ("my/bots:best", False),
        ("a:b:c", False),
        ("", False),
        ("my.bots:best:depth=3", True),
        ("deep=my.bots:best", True),
        ("my.bots:best:depth", False),
        ("my.bots:best:depth=3:depth=4", False),
    ],
)
def test_a_custom_bot_is_named_by_module_and_function(name: str, owned: bool) -> None:
    assert is_custom(name) == owned


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "gredy",
            "unknown bot 'gredy'; available: random, greedy, easy, medium, hard, strong, or",
        ),
        (
            "no.such:bot",
            "can't import the bot no.such:bot: ModuleNotFoundError: No module named 'no'",
        ),
        (
            "tests.kit.bots:best",
            "tests.kit.bots has no function 'best'; it has: any_step, fitting_step, clumsy_step",
        ),
        ("tests.kit.bots:BOTS", "tests.kit.bots has no function 'BOTS'"),
    ],
)
def test_an_unknown_bot_is_reported_with_the_known_ones(name: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        find(name)


@pytest.mark.parametrize("code", ["1 / 0", "raise SystemExit(3)", "def bot(:"])
def test_a_module_that_can_not_be_imported_is_reported(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_bots.py").write_text(code)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(UsageError, match="can't import the bot broken_bots:bot: "):
        find("broken_bots:bot")


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        ("NONE", "returned None, not a legal step"),
        ("WORDS", "returned 'pick 1 blue', not a legal step"),
        ("BELOW", "returned -1, not a legal step"),
        ("HUGE", "returned 1000000000000000000000000000000, not a legal step"),
        ("LIST", r"returned \[0\], not a legal step"),
        ("SHY", "returned Shy, not a legal step"),
        ("COMPLEX", "returned 0j, not a legal step"),
        ("shy", r"failed: Shy: Shy \(.*test_bots.py, line \d+\)"),
        ("failing", r"failed: LookupError: nothing to be seen \(.*test_bots.py, line \d+\)"),
        ("leaving", r"failed: SystemExit: 0 \(.*test_bots.py, line \d+\)"),
    ],
)
def test_a_bot_that_does_not_play_is_reported(bot: str, said: str) -> None:
    game = Game.new(catalog.find("sintra"), 2, seed=1)
    state = game.live
    before = game.rules.snapshot(state)
    with pytest.raises(UsageError, match=f"the bot {own(bot)} {said}"):
        choose(find(own(bot)), state, 1, 0)
    assert game.rules.snapshot(state) == before


def test_a_bot_can_not_break_the_table_it_is_shown() -> None:
    game = Game.new(catalog.find("sintra"), 2, seed=1)
    state = game.live
    before = game.rules.snapshot(state)
    assert choose(find(own("spoiled")), state, 1, 0) == state.legal()[0]
    assert game.rules.snapshot(state) == before


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current folder, empty; nothing that is imported from it stays."""
    monkeypatch.chdir(tmp_path)
    before = set(sys.modules)
    yield tmp_path
    names.look_in([])
    for module in set(sys.modules) - before:
        del sys.modules[module]


FIRST = "def bot(state, stream): return state.legal()[0]\n"


def test_this_folder_is_looked_in_only_for_what_is_named(folder: Path) -> None:
    (folder / "stays_home.py").write_text(f"import helper_of_it\n{FIRST}")
    (folder / "helper_of_it.py").write_text("")
    (folder / "planted.py").write_text("1 / 0")
    path = list(sys.path)
    said = names.look_here(["greedy", "stays_home:bot", "tests.kit.bots:any_step", "cmd:./bot"])
    assert said == [f"stays_home:bot is in {folder / 'stays_home.py'}"]
    find("stays_home:bot")
    assert sys.path == path
    with pytest.raises(ModuleNotFoundError):
        import_module("planted")


def test_what_is_installed_is_not_looked_for_in_this_folder(folder: Path) -> None:
    (folder / "tests").mkdir()
    (folder / "tests" / "__init__.py").write_text("1 / 0")
    (folder / "colorsys.py").write_text("1 / 0")
    assert names.look_here(["tests.kit.bots:any_step", "colorsys:rgb_to_hls"]) == []
    find("tests.kit.bots:any_step")
    find("colorsys:rgb_to_hls")


@pytest.mark.process
def test_a_safe_path_leaves_this_folder_alone(tmp_path: Path) -> None:
    (tmp_path / "stays_home.py").write_text(FIRST)
    words = ["simulate", "1", "--bots", "stays_home:bot"]
    ran = run(*words, cwd=tmp_path)
    assert f"stays_home:bot is in {tmp_path / 'stays_home.py'}" in ran.err
    assert run(*words, "-q", cwd=tmp_path).err == ""
    words = ["tournament", "league", "--bots", "stays_home:bot,random", "--deals", "1", "--max-rounds", "1"]
    assert run(*words, "-q", cwd=tmp_path).err == ""
    assert f"stays_home:bot is in {tmp_path / 'stays_home.py'}" in run(*words, cwd=tmp_path).err
    words = ["simulate", "1", "--bots", "stays_home:bot"]
    failed = run(*words, cwd=tmp_path, env={"PYTHONSAFEPATH": "1"}, code=2)
    assert "No module named 'stays_home'; PYTHONSAFEPATH is set" in failed.err


@pytest.mark.process
def test_the_bot_of_the_documentation_plays(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "bots.md").read_text()
    code = re.findall(r"```python\n(.*?)```", page, flags=re.S)[0]
    (file,) = re.findall(r"in a file `(\w+\.py)`", page)
    (play,) = re.findall(r"`sintra (play .*?)`", page)
    simulate = re.findall(r"^    sintra (simulate .*)$", page, flags=re.M)[0]
    (tmp_path / file).write_text(code)
    answer = run(*simulate.split(), "--json", cwd=tmp_path).json
    assert answer["by_bot"]["hasty:bot"]["wins"] > 15 > 5 > answer["by_bot"]["random"]["wins"]
    assert "Player 2: picks" in run(*play.split(), "--seed", "42", cwd=tmp_path, stdin="3o 2\n").out
