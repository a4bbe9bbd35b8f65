"""Many games between bots: the same whoever plays them, and whenever."""

from __future__ import annotations

import errno
import json
import os
import signal
import statistics
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import msgspec
import pytest

import sintra
from sintra import catalog
from sintra.batch import kept, shards, simulation, tallies
from sintra.batch.games import Games, game_seed
from sintra.batch.plan import Plan, planned
from sintra.batch.results import Summary
from sintra.batch.simulation import Run, simulate
from sintra.batch.workers import Here
from sintra.errors import Conflict, Unreadable, UsageError
from sintra.log import limits, writing
from sintra.reader import Reader
from sintra.rules.chance import Chance, Stream
from sintra.rules.state import State
from tests.kit.bots import any_step, fitting_step
from tests.kit.program import PATIENCE, SINTRA, Ran, clean, environment, run

FIXTURES = Path(__file__).parents[2] / "fixtures"
BOARDS = [
    *[("sintra", side) for side in "AB"],
    *[("azul", side) for side in ("colored", "gray")],
    *[("crystal", side) for side in "12"],
]


def log_of(plan: Plan, game: int) -> sintra.Game:
    """The game that the log of a game of a run tells."""
    chosen: list[int] = []
    games = Games(plan)
    games.play(game, chosen)
    return sintra.loads(games.log(game, chosen))


def turns_of(game: sintra.Game) -> int:
    """The turns of a game, counted as its log is read."""
    turns = tallies.Turns()
    reader = Reader([game.dumps().encode()])
    for moment in reader:
        turns.follow(reader.fold, moment.event)
    return turns.count


def without_timing(ran: Ran) -> dict[str, Any]:
    answer = ran.json
    answer.pop("timing")
    return answer


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.*"))}


# -- One game --------------------------------------------------------------------------------


@pytest.mark.parametrize(("board", "players"), [*product(BOARDS, (2, 3, 4))])
def test_the_log_of_a_game_tells_how_it_was_played(board: tuple[str, str], players: int) -> None:
    plan = planned(board[0], 2, players=players, seed=7, options={"side": board[1]}, max_rounds=40)
    for game in range(2):
        played, told = Games(plan).play(game), log_of(plan, game)
        assert played.over == told.over
        assert played.scores == told.scores
        assert [player + 1 for player in played.winners] == told.winners
        assert played.turns == turns_of(told)
        assert played.rounds == told.round
        assert [sum(points.values()) for points in played.points] == told.scores


@pytest.mark.parametrize(("board", "players"), [*product(BOARDS, (2, 3, 4))])
def test_games_of_a_run_start_as_they_are_arranged(board: tuple[str, str], players: int) -> None:
    rules = catalog.find(board[0])
    options = planned(board[0], 1, players=players, options={"side": board[1]}).options
    start = rules.starter(options, players, {})
    for seed in range(50):
        state = rules.start(options, players)
        state.arrange(rules.arrange(options, players, {}, Chance(seed)))
        started = start(Chance(seed))
        assert (rules.snapshot(started), started.key()) == (rules.snapshot(state), state.key())


def test_greedy_games_have_logs_too() -> None:
    plan = planned("sintra", 1, bots=["greedy", "random"], seed=3)
    assert Games(plan).play(0).scores == log_of(plan, 0).scores
    assert log_of(plan, 0).players == ("greedy 1", "random 2")


def test_a_game_of_a_run_is_dealt_again_by_its_seed() -> None:
    plan = planned("azul", 5, seed=11, options={"side": "gray"})
    game = log_of(plan, 4)
    assert game.created.seed == game_seed(Chance(11), 4)
    again = sintra.new("azul", game.players, seed=game.created.seed, side="gray")
    assert again.events == game.events[: len(again.events)]


def test_seeds_of_games_are_frozen() -> None:
    first, second, last = (game_seed(Chance(42), game) for game in (0, 1, 999))
    assert (first, second, last) == (3784612800239096, 7874703702479680, 7798213676593965)
    assert len({game_seed(Chance(1), game) for game in range(1000)}) == 1000
    assert all(0 <= game_seed(Chance(2**53 - 1), game) < 2**53 for game in range(100))


def test_a_game_without_an_end_stops() -> None:
    plan = planned("azul", 3, seed=1, max_rounds=2)
    played = Games(plan).play(0)
    assert (played.over, played.winners, played.rounds) == (False, [], 2)
    summary = simulate("azul", 3, seed=1, max_rounds=2)
    assert (summary.done, summary.finished) == (3, 0)
    assert summary.score.mean is None
    assert not log_of(plan, 0).over


@pytest.mark.parametrize(("rules", "rounds"), [("azul", 1), ("azul", 2), ("crystal", 3), ("sintra", 1)])
def test_the_log_of_a_game_without_an_end_stops_there_too(rules: str, rounds: int, tmp_path: Path) -> None:
    simulate(rules, 2, seed=1, max_rounds=rounds, out=tmp_path / "run")
    found = sintra.stats(tmp_path / "run")
    assert [one.round for one in found.open] == [rounds, rounds]
    game = sintra.load(tmp_path / "run" / "logs" / "000" / "000001.log")
    assert game.round == rounds
    game.settle()  # whoever goes on deals what a longer run would have dealt
    assert game.round == rounds + 1
    longer = planned(rules, 2, seed=1, max_rounds=rounds + 1)
    assert log_of(longer, 0).events[: len(game.events)] == game.events


def test_printed_values_of_ones_own(tmp_path: Path) -> None:
    own = {"windows": {"A": [9] * 8, "B": [9] * 8}}
    plan = planned("sintra", 1, seed=1, components=own)
    assert Games(plan).play(0).scores == log_of(plan, 0).scores
    assert simulate("sintra", 4, seed=1, components=own) != simulate("sintra", 4, seed=1)
    (tmp_path / "own.json").write_text(json.dumps(own))
    ran = run("simulate", "4", "--seed", "1", "--components", "own.json", "--json", cwd=tmp_path)
    assert without_timing(ran)["score"]["mean"] == simulate("sintra", 4, seed=1, components=own).score.mean


def test_a_rule_set_that_is_plugged_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FIXTURES / "harbor"))
    import harbor  # type: ignore[import-not-found]

    monkeypatch.setitem(catalog.BUILT_IN, "harbor", "harbor:RULES")
    catalog.find.cache_clear()
    assert harbor.RULES.name == "harbor"
    plan = planned("harbor", 1, seed=1, players=3)
    assert Games(plan).play(0).scores == log_of(plan, 0).scores
    catalog.find.cache_clear()


# -- Many ------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_results_whoever_plays() -> None:
    alone = simulate("sintra", 130, seed=5)
    assert simulate("sintra", 130, seed=5, jobs=2) == alone
    with ThreadPoolExecutor(3) as threads:
        assert simulate("sintra", 130, seed=5, executor=threads) == alone
    assert simulate("sintra", 130, seed=6) != alone
    assert (alone.done, alone.finished, alone.score.count) == (130, 130, 260)
    assert sum(group.wins - group.shared for group in alone.seats) + alone.seats[0].shared == 130
    assert sum(group.share for group in alone.seats) == pytest.approx(1)


def test_tallies_add_up_in_any_order() -> None:
    plan = planned("azul", 130, seed=5, max_rounds=9)
    parts = [shards.play_shard(shards.Task(plan, n, "none", None)).count for n in range(plan.shards)]
    forth, back = (kept.Count(tallies.Tally(), []) for _ in range(2))
    for part in parts:
        forth.add(part)
    for part in reversed(parts):
        back.add(msgspec.json.decode(msgspec.json.encode(part), type=kept.Count))
    assert simulation.summarized(plan, forth, 130) == simulation.summarized(plan, back, 130)


@pytest.mark.parametrize(
    ("counts", "sd"),
    [
        ({1: 1, 2: 1, 3: 1}, 0.8165),
        ({0: 1, 1: 1}, 0.5),
        ({0: 2, 1: 1}, 0.4714),
        ({0: 4, 1: 1, 10**9: 1}, 372677996.1754),
    ],
)
def test_how_far_numbers_stray_is_rounded(counts: dict[int, int], sd: float) -> None:
    numbers = [number for number, count in counts.items() for _ in range(count)]
    assert tallies.distribution(counts).sd == sd == round(statistics.pstdev(numbers), 4)


def test_numbers_are_told_exactly() -> None:
    told = tallies.distribution({3: 1, 1: 2, 10: 1})
    assert (told.count, told.mean, told.min, told.median, told.max) == (4, 3.75, 1, 1, 10)
    assert (told.lower, told.upper, told.sd) == (1, 3, 3.6997)
    assert list(told.counts) == [1, 3, 10]
    assert tallies.distribution({}).mean is None
    assert tallies.distribution({5: 7}).sd == 0


@pytest.mark.parametrize(
    ("games", "size", "shards"), [(1, 1, 1), (64, 1, 64), (65, 2, 33), (10**6, 100, 10**4)]
)
def test_shards_depend_on_the_games_alone(games: int, size: int, shards: int) -> None:
    plan = planned("sintra", games, seed=1)
    assert (plan.shard, plan.shards) == (size, shards)
    assert plan.games_of(shards - 1)[-1] == games - 1


def test_bots_rotate() -> None:
    plan = planned("sintra", 6, players=3, bots=["greedy", "random", "random"], rotate=True, seed=1)
    assert [plan.seats(game).index("greedy") for game in range(4)] == [0, 2, 1, 0]
    summary = simulate("sintra", 6, bots=["greedy", "random"], rotate=True, seed=1)
    assert {bot: group.results for bot, group in summary.by_bot.items()} == {"greedy": 6, "random": 6}
    assert summary.by_bot["greedy"].wins > summary.by_bot["random"].wins


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ({"bots": "clever"}, "unknown bot 'clever'"),
        (
            {"bots": lambda state, stream: 0, "jobs": 2},
            "object:bot can't be sent to other processes .*; use one job",
        ),
        ({"bots": 3}, "a bot must be a name, or a function .*, not 3"),
        ({"bots": ["random", None]}, "a bot must be a name, or a function .*, not None"),
        ({"bots": "no.such:bot"}, "can't import the bot no.such:bot"),
        ({"bots": ["greedy", "random"], "players": 3}, "2 bots for 3 seats"),
        ({"players": 7}, "not 7"),
        ({"games": 0}, "games must be .* from 1 to 1000000000, not 0"),
        ({"games": 10**9 + 1}, "games must be .* to 1000000000, not 1000000001"),
        ({"games": "3"}, "games must be a whole number"),
        ({"games": 2.5}, "games must be a whole number"),
        ({"games": True}, "games must be a whole number"),
        ({"max_rounds": 0}, "max_rounds must be .* from 1 to 10000, not 0"),
        ({"max_rounds": 2**63}, "max_rounds must be .* to 10000, not 9223372036854775808"),
        ({"max_rounds": 1.5}, "max_rounds must be a whole number"),
        ({"players": 2.5}, "players"),
        ({"jobs": -1}, "jobs must be .* from 1 to 1,024, not -1"),
        ({"executor": 5}, "executor must be"),
        ({"bots": "greedy,,random"}, "unknown bot ''"),
        ({"out": ""}, "out is empty: name a folder"),
        ({"seed": -1}, "seed"),
        ({"logs": "shards"}, "folder"),
        ({"out": "x", "logs": "most"}, "'most'"),
        ({"side": "C"}, "side can't be C"),
        ({"colour": "red"}, "no option 'colour'"),
    ],
)
def test_a_call_that_means_nothing(call: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        simulate(**call)


def test_bots_may_be_named_in_one_text() -> None:
    assert simulate(games=2, seed=1, bots="greedy, random") == simulate(
        games=2, seed=1, bots=["greedy", "random"]
    )


# -- Bots of one's own -----------------------------------------------------------------------

OWN = "tests.kit.bots:fitting_step"


def late_failure(state: State, stream: Stream) -> int:
    """A bot that plays well for four rounds."""
    return 9999 if state.round > 4 else fitting_step(state, stream)


def test_bots_of_ones_own_play_wherever_they_are_found(tmp_path: Path) -> None:
    alone = simulate("azul", 6, bots=[fitting_step, "random"], rotate=True, seed=1, out=tmp_path / "run")
    assert alone.bots == (OWN, "random")
    assert alone.by_bot[OWN].wins > alone.by_bot["random"].wins
    assert simulate("azul", 6, bots=f"{OWN}, random", rotate=True, seed=1, jobs=2) == alone
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert simulate("azul", 6, bots=[OWN, "random"], rotate=True, seed=1, executor=pool) == alone
    assert json.loads((tmp_path / "run" / "run.json").read_bytes())["bots"] == [OWN, "random"]
    first, second = (sintra.load(path) for path in sorted((tmp_path / "run" / "logs").rglob("*.log"))[:2])
    assert first.players == (f"{OWN} 1", "random 2")
    assert second.players == ("random 1", f"{OWN} 2")
    told = {group.group["bot"]: group for group in sintra.stats(tmp_path / "run", by="bot").groups}
    assert told[OWN].score == alone.by_bot[OWN].score


def test_one_bot_of_ones_own_is_for_all_seats() -> None:
    summary = simulate("sintra", 2, bots=any_step, players=3, seed=1)
    assert summary.bots == ("tests.kit.bots:any_step",) * 3
    assert summary.finished == 2


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bot_that_fails_ends_the_run_and_leaves_no_wrong_game(jobs: int, tmp_path: Path) -> None:
    name = f"{__name__}:late_failure"
    with pytest.raises(UsageError, match=f"the bot {name} returned 9999, not a legal step"):
        simulate("sintra", 70, bots=[late_failure, "random"], seed=1, jobs=jobs, out=tmp_path / "run")
    assert sorted(path.name for path in (tmp_path / "run").rglob("*.*")) == ["run.json"]


def test_the_name_of_a_bot_fits_a_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    for length in (78, 79):
        module = "b" * (length - 4)
        (tmp_path / f"{module}.py").write_text("from sintra.bots import random as bot\n")
    assert simulate("sintra", 1, bots=f"{'b' * 74}:bot", seed=1, out=tmp_path / "run").finished == 1
    (path,) = (tmp_path / "run").rglob("*.log")
    assert max(map(len, sintra.load(path).players)) == 80
    with pytest.raises(UsageError, match="with its seat, the name is longer than 80 characters"):
        simulate("sintra", 1, bots=f"{'b' * 75}:bot", seed=1)


@pytest.mark.process
def test_the_command_finds_bots_in_its_folder(tmp_path: Path) -> None:
    first, lost = "def first(state, stream): return state.legal()[0]", "def lost(state, stream): return [][1]"
    (tmp_path / "own.py").write_text(f"{first}\n{lost}\n")
    words = ["simulate", "4", "--seed", "1", "--bots"]
    for jobs in "12":
        answer = run(*words, "own:first,random", "-j", jobs, "--json", cwd=tmp_path).json
        assert answer["by_bot"].keys() == {"own:first", "random"}
        failed = run(*words, "own:lost", "-j", jobs, cwd=tmp_path, code=2).err
        assert "own:lost failed: IndexError: list index out of range" in failed
        assert "own.py, line 2" in failed
    assert "it has: first, lost" in run(*words, "own:last", cwd=tmp_path, code=2).err
    assert "No module named 'other'" in run(*words, "other:first", cwd=tmp_path, code=2).err
    (tmp_path / "greedy.py").write_text("1 / 0")
    (tmp_path / "json.py").write_text("1 / 0")
    assert run(*words, "greedy,own:first", cwd=tmp_path).lines


def test_a_huge_run_begins_at_once(tmp_path: Path) -> None:
    for place in ((None, None), (tmp_path / "run", "none")):
        steps = Run(planned("sintra", 10**9, seed=1), *place).play(Here())
        assert next(steps) == 100
        steps.close()  # type: ignore[attr-defined]


def test_progress_is_told_and_the_library_is_lazy() -> None:
    seen: list[int] = []
    assert sintra.simulate("azul", 70, seed=1, progress=seen.append).done == 70
    assert seen == [*range(2, 71, 2)]
    code = "import sys, sintra; assert not {'concurrent.futures', 'sintra.simulation'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
    with pytest.raises(AttributeError, match="simulated"):
        sintra.simulated  # noqa: B018


# -- A folder --------------------------------------------------------------------------------


@pytest.mark.parametrize("logs", ["games", "shards", "none"])
def test_a_run_goes_on_where_it_was_stopped(logs: str, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    whole = simulate("sintra", 130, seed=9, out=one, logs=logs)
    assert whole == simulate("sintra", 130, seed=9)
    kept = files(one)
    run_ = Run(planned("sintra", 130, seed=9), two, logs)
    steps = run_.play(Here())
    for _ in range(20):
        next(steps)
    steps.close()  # type: ignore[attr-defined]
    assert run_.summary().done == 60
    torn = two / "tallies" / "000" / "000004.json"
    torn.write_bytes(torn.read_bytes()[:-9])
    again: list[int] = []
    assert simulate("sintra", 130, seed=9, jobs=2, out=two, logs=logs, progress=again.append) == whole
    assert again[0] == 57
    assert files(two) == kept
    assert (
        len([name for name in kept if name.startswith("logs")])
        == {"games": 130, "shards": 44, "none": 0}[logs]
    )


def test_the_seed_of_a_run_is_kept(tmp_path: Path) -> None:
    assert simulate("sintra", 3, out=tmp_path / "run") == simulate("sintra", 3, out=tmp_path / "run")


def test_another_run_is_refused(tmp_path: Path) -> None:
    simulate("sintra", 3, seed=1, out=tmp_path / "run")
    for other, said in (
        ({"seed": 2}, "it was begun with seed=1, not 2"),
        ({"games": 4}, "it was begun with games=3, not 4"),
        ({"logs": "shards"}, 'it was begun with logs="games", not "shards"'),
        ({"side": "B"}, "options"),
    ):
        with pytest.raises(Conflict, match=said):
            simulate(**{"games": 3, "seed": 1, "out": tmp_path / "run", **other})  # type: ignore[arg-type]
    (tmp_path / "own.txt").write_text("mine")
    with pytest.raises(Conflict, match="has other files and no run to resume"):
        simulate("sintra", 3, out=tmp_path)
    (tmp_path / "run" / "run.json").write_text("[]")
    with pytest.raises(Conflict, match="not written by sintra"):
        simulate("sintra", 3, out=tmp_path / "run")


def test_a_run_is_written_down_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole and on the disk, or not at all; what is left of a draft is in nobody's way."""
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / ".sintra-1-0.new").write_bytes(b"{")

    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(Unreadable, match="no space left"):
            simulate("sintra", 3, seed=1, out=folder)
    assert [path.name for path in folder.iterdir()] == [".sintra-1-0.new"]
    assert simulate("sintra", 3, seed=1, out=folder).done == 3
    for lost in (b"", b" " * (limits.MAX_LOG_BYTES + 1)):
        (folder / "run.json").write_bytes(lost)
        with pytest.raises((Conflict, Unreadable), match=r"not written by sintra|longer than 33554432 bytes"):
            simulate("sintra", 3, out=folder)


def test_a_folder_is_for_one_run_at_a_time(tmp_path: Path) -> None:
    first = Run(planned("sintra", 3, seed=1), tmp_path / "run").play(Here())
    next(first)
    with pytest.raises(Conflict, match="another program is using the folder"):
        simulate("sintra", 3, seed=1, out=tmp_path / "run")
    first.close()  # type: ignore[attr-defined]
    assert simulate("sintra", 3, seed=1, out=tmp_path / "run").done == 3


def test_a_folder_is_free_after_a_run_with_processes_that_live_on(tmp_path: Path) -> None:
    with ProcessPoolExecutor(1) as pool:
        whole = simulate("sintra", 3, seed=1, out=tmp_path / "run", executor=pool)
        assert simulate("sintra", 3, seed=1, out=tmp_path / "run") == whole


def test_a_folder_that_can_not_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(folder: str) -> list[str]:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(os, "listdir", refuse)
    with pytest.raises(Unreadable, match=r"can't open .*: permission denied"):
        simulate("sintra", 3, out=tmp_path)


def test_two_writers_of_a_file_do_not_get_in_each_others_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "deep" / "file"
    written = writing._write_all

    def interrupted(fd: int, data: bytes) -> None:
        monkeypatch.setattr(writing, "_write_all", written)
        writing.replace(path, b"other")
        written(fd, data)

    monkeypatch.setattr(writing, "_write_all", interrupted)
    writing.replace(path, b"mine")
    assert path.read_bytes() == b"mine"
    assert os.listdir(path.parent) == ["file"]


@pytest.mark.parametrize("logs", ["games", "shards"])
def test_the_disk_has_the_logs_before_the_tally(
    logs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    sync, replace = os.fsync, os.replace

    def synced(fd: int) -> None:
        seen.append(os.path.relpath(os.readlink(f"/proc/self/fd/{fd}"), tmp_path))
        sync(fd)

    def replaced(old: str, new: str) -> None:
        if "tallies" in new:
            kept = {os.path.relpath(path, tmp_path) for path in (tmp_path / "run" / "logs").rglob("*.log*")}
            assert kept
            assert {*kept, "run", "run/logs", "run/logs/000"} <= {*seen}
        replace(old, new)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", replaced)
    simulate("sintra", 3, seed=1, out=tmp_path / "run", logs=logs)


def test_what_a_folder_holds_of_a_run_is_counted(tmp_path: Path) -> None:
    simulate("sintra", 130, seed=1, out=tmp_path / "run", logs="none")
    again = Run(planned("sintra", 130, seed=1), tmp_path / "run", "none")
    assert (again.done, again.in_folder()) == (0, 130)
    (tmp_path / "run" / "tallies" / "000" / "000044.json").unlink()
    assert again.in_folder() == 129
    assert Run(planned("sintra", 130, seed=2), tmp_path / "run", "none").in_folder() == 0
    assert Run(planned("sintra", 130, seed=1), tmp_path / "none", "none").in_folder() == 0


class Far(Here):
    """Workers that may be anywhere: they are given no names of files."""


@pytest.mark.parametrize("logs", ["games", "shards"])
def test_workers_elsewhere_need_no_files_of_ours(logs: str, tmp_path: Path) -> None:
    near = simulate("sintra", 5, seed=1, out=tmp_path / "near", logs=logs)
    assert simulate("sintra", 5, seed=1, out=tmp_path / "far", logs=logs, executor=Far()) == near
    assert files(tmp_path / "far") == files(tmp_path / "near")
    assert sintra.stats(tmp_path / "near", executor=Far()) == sintra.stats(tmp_path / "near")


def test_the_summary_is_what_the_logs_tell(tmp_path: Path) -> None:
    call: dict[str, Any] = {"rules": "azul", "games": 12, "players": 3, "seed": 2, "side": "gray"}
    summary = simulate(**call, out=tmp_path / "games")
    told = sintra.stats(tmp_path / "games", by=["seat"])
    assert (
        simulate("azul", 12, players=3, seed=2, out=tmp_path / "shards", logs="shards", side="gray")
        == summary
    )
    assert sintra.stats(tmp_path / "shards", by=["seat"]) == told
    for seat, group in zip(summary.seats, told.groups, strict=True):
        assert (seat.score, seat.margin, seat.points) == (group.score, group.margin, group.points)
        assert (seat.wins, seat.share) == (group.wins, group.share)
        assert (summary.rounds, summary.turns) == (group.rounds, group.turns)


# -- The command -----------------------------------------------------------------------------


@pytest.mark.process
def test_the_command_answers_the_same_for_any_jobs(tmp_path: Path) -> None:
    words = ["simulate", "40", "--rules", "azul", "--side", "gray", "--players", "3", "--seed", "4", "--json"]
    one, two = run(*words, "-j", "1"), run(*words, "-j", "2")
    assert one.raw.split(b',"timing":')[0] == two.raw.split(b',"timing":')[0]
    assert one.json["timing"].keys() == {"seconds", "games", "kept", "games_per_second"}
    library = msgspec.to_builtins(simulate("azul", 40, players=3, seed=4, side="gray"), str_keys=True)
    assert json.loads(json.dumps(library)) == without_timing(one)
    assert msgspec.convert(without_timing(one), Summary, strict=False).done == 40


@pytest.mark.process
def test_the_text_fits_and_tells_what_matters(tmp_path: Path) -> None:
    words = [
        "simulate",
        "20",
        "--bots",
        "greedy,random",
        "--rotate",
        "--players",
        "2",
        "--seed",
        "4",
        "--out",
        "run",
    ]
    ran = run(*words, cwd=tmp_path)
    assert max(map(len, ran.lines)) <= 100
    assert ran.lines[0].startswith("Stained Glass of Sintra (side A, floor_at_zero false): greedy, random")
    assert ran.lines[1] == "20 games played to the end"
    assert "games per second" in ran.lines[-1]
    assert ran.err == ""
    again = run(*words, "--ascii", cwd=tmp_path)
    assert again.lines[-1].endswith("20 games were already there")
    assert again.out.isascii()
    assert run(*words, "-q", cwd=tmp_path).raw == b""
    endless = run("simulate", "5", "--rules", "azul", "--max-rounds", "1", "--seed", "1")
    assert "5 did not end within 1 round (R6)" in endless.lines[1]


@pytest.mark.process
def test_slips_are_told(tmp_path: Path) -> None:
    assert "clever" in run("simulate", "5", "--bots", "clever", code=2).err
    assert "folder" in run("simulate", "5", "--logs", "games", code=2).err
    assert "GAMES" in run("simulate", "0", code=2).err
    assert "GAMES" in run("simulate", "1000000000000", code=2).err
    assert "--max-rounds" in run("simulate", "5", "--max-rounds", str(2**63), code=2).err
    assert "out is empty: name a folder" in run("simulate", "5", "--out", "", code=2, cwd=tmp_path).err
    assert not list(tmp_path.iterdir())
    assert run("simulate", "2", "--bots", "greedy, random", "--seed", "1").lines
    run("simulate", "3", "--seed", "1", "--out", "run", "-q", cwd=tmp_path)
    assert run("simulate", "4", "--out", "run", "--json", cwd=tmp_path, code=5).error["error"] == "conflict"
    (tmp_path / "file").write_text("")
    assert "file is not a folder" in run("simulate", "4", "--out", "file", cwd=tmp_path, code=4).err


def stopped(folder: Path, *words: str) -> Ran:
    """A run that is stopped by Ctrl-C, after some of its games."""
    process = subprocess.Popen(
        [SINTRA, "simulate", "100000", "--seed", "1", "-j", "2", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
    )
    begun = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    for _ in range(PATIENCE * 10):
        time.sleep(0.1)
        if "--out" in words and any(folder.rglob("tallies/*/*.json")):
            break
        if "--out" not in words and (not begun.exists() or begun.read_text()):
            time.sleep(2)  # it plays by now
            break
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=20)
    clean(err.decode())
    return Ran(process.returncode, out, err.decode())


@pytest.mark.process
def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    ran = stopped(tmp_path, "--out", "run", "--logs", "shards")
    assert (ran.code, ran.raw) == (130, b"")
    assert "of 100000 games are done and saved in run; the same command resumes the run" in ran.err
    assert not list(tmp_path.rglob("*.log"))
    done = len(list((tmp_path / "run" / "tallies").rglob("*.json")))
    assert done >= int(ran.err.split()[2]) / 100
    told = run("stats", "run", "--json", "--by", "seat", cwd=tmp_path).json if done < 60 else {"faulty": 0}
    assert told["faulty"] == 0


@pytest.mark.process
def test_ctrl_c_sums_up_what_is_done(tmp_path: Path) -> None:
    ran = stopped(tmp_path)
    assert ran.code == 130
    assert "games are done; with --out DIR, a run can be resumed" in ran.err
    assert not ran.raw or "of 100000 played to the end" in ran.out


def test_a_component_file_may_be_a_pipe() -> None:
    """It is read once."""
    script = """sintra simulate 2 --seed 1 -j 1 --json --components <(echo '{"broken":[0,-1,-18]}')"""
    done = subprocess.run(["bash", "-c", script], capture_output=True, env=environment(), check=False)
    assert (done.returncode, done.stderr) == (0, b"")
