"""Tournaments: what is played, what is kept, and what comes of folders that are damaged or differ."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections import Counter
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from html.parser import HTMLParser
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import sintra
from sintra.batch import journal, page, tournament
from sintra.batch.matches import ranking
from sintra.batch.results import Standings
from sintra.batch.schedule import TournamentPlan, planned_tournament
from sintra.batch.table import table_csv, table_lines
from sintra.batch.workers import Here, gathered
from sintra.errors import Conflict, DamagedLog, SintraError, Unreadable, UsageError, WorkersLost
from sintra.log import writing
from sintra.rules.state import State
from sintra.view.style import Style

BOTS = "greedy,random,hasty=greedy:depth=1"
CALL: dict[str, Any] = {"rules": "azul", "seed": 1, "max_rounds": 3}


def plan(bots: str = "a=random,b=random,c=random,d=random,e=random", **more: Any) -> TournamentPlan:
    return planned_tournament(bots.split(","), **{"seed": 1, **more})


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "journal.jsonl").read_text().splitlines()]


def timeless(folder: Path) -> list[dict[str, Any]]:
    return [{**line, "times": None} for line in lines(folder)]


def logs(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in (folder / "logs").rglob("*.*")}


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished tournament: two deals for three bots, two in each game. Copy it to change it."""
    folder = tmp_path_factory.mktemp("leagues") / "league"
    sintra.tournament(folder, BOTS, deals=2, **CALL)
    return folder


@pytest.fixture
def own(league: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(league, tmp_path / "own"))


# -- The schedule --


@pytest.mark.parametrize(("players", "seatings"), [(2, 2), (3, 6), (4, 4)])
def test_every_set_plays_every_deal_and_everybody_sits_everywhere(players: int, seatings: int) -> None:
    found = plan(players=players, deals=6)
    fixtures = list(found.fixtures())
    assert len(fixtures) == len(set(fixtures)) == found.games
    sets = Counter((one.deal, frozenset(one.seats)) for one in fixtures)
    assert set(sets.values()) == {seatings}
    for seat in range(players):
        assert len(set(Counter((one.deal, one.seats[seat]) for one in fixtures).values())) == 1
    assert {one.seats for one in fixtures if set(one.seats) == set(range(players))} == set(
        permutations(range(players))
    )  # after six deals also with four players


def test_more_deals_begin_with_those_of_fewer() -> None:
    few, many = list(plan(deals=2).fixtures()), list(plan(deals=5).fixtures())
    assert many[: len(few)] == few


def test_a_gauntlet_has_one_bot_in_every_game() -> None:
    found = plan(players=3, deals=2, gauntlet="c")
    fixtures = list(found.fixtures())
    assert len(fixtures) == found.games == 2 * 6 * 6
    assert all(2 in one.seats for one in fixtures)


@pytest.mark.parametrize(
    ("bots", "more", "message"),
    [
        ("greedy,greedy", {}, "two bots are called greedy"),
        ("a=greedy,a=random", {}, "two bots are called a"),
        ("greedy,random", {"players": 3}, "2 bots are too few for games of 3"),
        ("greedy", {}, "1 bot is too few for games of 2"),
        ("greedy,nobody", {}, "unknown bot 'nobody'"),
        ("greedy,random", {"players": 5}, "players must be"),
        ("greedy,random", {"players": 1}, "takes 2 to 4 players|2, 3 or 4|players"),
        ("greedy,random", {"deals": 0}, "deals must be"),
        ("greedy,random", {"gauntlet": "c"}, "no bot is called 'c'; there are greedy, random"),
        ("greedy,random", {"seed": -1}, "seed"),
        ("greedy,random", {"max_rounds": 0}, "max_rounds"),
        (",".join(f"b{n}=random" for n in range(100)), {"players": 4, "deals": 10**6}, "games; a tournament"),
    ],
)
def test_a_plan_that_means_nothing(bots: str, more: dict[str, Any], message: str) -> None:
    with pytest.raises(SintraError, match=message):
        plan(bots, **more)


def test_sprt_is_for_two(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="sprt needs exactly two bots, and games of two players"):
        sintra.tournament(tmp_path / "x", BOTS, sprt="0,20")


# -- Places --


@pytest.mark.parametrize(
    ("scores", "winners", "failed", "places"),
    [
        ([10, 20], [2], [], [2, 1]),
        ([10, 10], [1, 2], [], [1, 1]),
        ([10, 10], [2], [], [2, 1]),
        ([30, 10, 20, 20], [1], [], [1, 4, 2, 2]),
        ([30, 10, 20, 20], [1], [1], [4, 3, 1, 1]),
        ([30, 10, 20, 20], [1], [1, 3], [3, 2, 3, 1]),
        ([5, 7], [], [2], [1, 2]),
        ([5, 7], [], [], [2, 1]),
        ([5, 7], [], [1, 2], [1, 1]),
    ],
)
def test_places(scores: list[int], winners: list[int], failed: list[int], places: list[int]) -> None:
    assert ranking(scores, winners, set(failed)) == places


# -- Playing --


def test_a_tournament_is_kept(league: Path) -> None:
    found = lines(league)
    assert len(found) == 2 * 3 * 2
    assert [one["deal"] for one in found] == [1] * 6 + [2] * 6
    for one in found:
        game = sintra.load(league / one["log"])
        assert one["scores"] == game.scores
        assert [name.rpartition(" ")[0] for name in game.players] == one["seats"]
    seeds = {one["deal"]: sintra.load(league / one["log"]).created.seed for one in found}
    for one in found:
        assert sintra.load(league / one["log"]).created.seed == seeds[one["deal"]]
    assert len(logs(league)) == 12
    assert set(json.loads((league / "plan.json").read_text())["bots"]) == set(BOTS.split(","))


def test_standings_add_up(league: Path) -> None:
    found = sintra.ratings(league)
    assert (found.done, found.games, found.missing) == (12, 12, [])
    assert [one.rank for one in found.standings] == [1, 2, 3]
    assert found.standings[0].bot == "greedy"
    assert [one.games for one in found.standings] == [8] * 3
    assert sum(one.share for one in found.standings) == pytest.approx(1.5)
    for one in found.standings:
        met = found.crosstable[one.bot]
        assert sum(meeting.games for meeting in met.values()) == 8
        assert sum(meeting.share for meeting in met.values()) / 2 == pytest.approx(one.share, abs=1e-4)
        for other, meeting in met.items():
            assert found.crosstable[other][one.bot].share == pytest.approx(1 - meeting.share)
    mine = [one for one in lines(league) if "greedy" in one["seats"]]
    assert found.standings[0].score == pytest.approx(
        sum(one["scores"][one["seats"].index("greedy")] for one in mine) / 8
    )


class Batches(Executor):
    """An executor that hands back work in another order than it got it."""

    def __init__(self) -> None:
        self._left: list[tuple[Future[Any], Any, Any]] = []

    def submit(self, fn: Any, /, *args: Any, **_: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._left.insert(0, (future, fn, args))
        if len(self._left) == 3:
            self._work()
        return future

    def _work(self) -> None:
        while self._left:
            future, fn, args = self._left.pop(0)
            future.set_result(fn(*args))


def test_who_plays_changes_nothing(league: Path, tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as threads:
        sintra.tournament(tmp_path / "threads", BOTS, deals=2, executor=threads, **CALL)
    sintra.tournament(tmp_path / "mixed", BOTS, deals=2, executor=Batches(), **CALL)
    for name in ("threads", "mixed"):
        assert timeless(tmp_path / name) == timeless(league)
        assert logs(tmp_path / name) == logs(league)


def test_a_tournament_grows(league: Path, tmp_path: Path) -> None:
    folder = tmp_path / "league"
    sintra.tournament(folder, BOTS, deals=1, **CALL)
    seen: list[int] = []
    found = sintra.tournament(folder, deals=2, progress=seen.append)
    assert (seen[0], seen[-1]) == (6, 12)
    assert timeless(folder) == timeless(league)
    assert logs(folder) == logs(league)
    assert without_times(found) == without_times(sintra.ratings(league))
    more = sintra.tournament(folder, f"{BOTS},late=random")
    assert (more.done, more.games) == (24, 24)
    assert timeless(folder)[:12] == timeless(league)


def without_times(found: Standings) -> Any:
    import msgspec

    plain = msgspec.to_builtins(found)
    for one in plain["standings"]:
        del one["time"]
    return plain


def test_sprt_ends_a_match_in_the_same_place_whoever_plays(tmp_path: Path) -> None:
    call = {**CALL, "sprt": "0,200", "deals": 50}
    found = sintra.tournament(tmp_path / "one", "greedy,random", **call)
    assert found.sprt is not None
    assert found.sprt.accepted == "elo1"
    assert found.done == 2 * sum(found.sprt.pairs) < found.games
    sintra.tournament(tmp_path / "two", "greedy,random", executor=Batches(), **call)
    assert timeless(tmp_path / "two") == timeless(tmp_path / "one")
    assert logs(tmp_path / "two") == logs(tmp_path / "one")
    again = sintra.tournament(tmp_path / "one")
    assert again.done == found.done


# -- Bots that fail --


class Angry:
    """A bot that raises at its third choice."""

    def __init__(self) -> None:
        self.choices = 0

    def __call__(self, state: State, _: object) -> int:
        self.choices += 1
        if self.choices == 3:
            raise RuntimeError("enough")
        return state.legal()[0]


ANGRY: Any = Angry


def test_a_bot_that_fails_loses_and_the_tournament_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "league"
    found = sintra.tournament(folder, [ANGRY, "greedy", "random"], deals=1, **CALL)
    angry = next(one for one in found.standings if one.bot not in ("greedy", "random"))
    assert (angry.faults, angry.wins, angry.share) == ({"failed": 4}, 0, 0.0)
    for one in lines(folder):
        if angry.bot in one["seats"]:
            seat = one["seats"].index(angry.bot) + 1
            assert (one["reason"], one["places"][seat - 1]) == ("forfeit", 2)
            assert one["winners"] == [3 - seat]
            assert [(fault["seat"], fault["fault"]) for fault in one["faults"]] == [(seat, "failed")]
            assert "enough" in one["faults"][0]["message"]
    assert all(verdict.ok for verdict in sintra.verify(folder / "logs"))


def test_a_bot_that_fails_among_four_is_played_on_and_comes_last(tmp_path: Path) -> None:
    folder = tmp_path / "league"
    found = sintra.tournament(
        folder, [ANGRY, *["greedy", "random", "h=greedy:depth=1"]], players=4, deals=1, **CALL
    )
    assert found.done == 4
    for one in lines(folder):
        seat = next(at for at, name in enumerate(one["seats"]) if "Angry" in name)
        assert one["places"][seat] == 4
        assert one["reason"] in ("ended", "rounds")


# -- Folders --


def changed(folder: Path, change: Any) -> None:
    path = folder / "journal.jsonl"
    path.write_bytes(change(path.read_bytes()))


def test_a_torn_last_line_is_played_again(league: Path, own: Path) -> None:
    changed(own, lambda data: data[:-20])
    found = sintra.ratings(own)
    assert found.done == 11
    assert tournament.standings_of(str(own))[1] == [
        "the last line of its journal was torn; that game does not count"
    ]
    assert sintra.tournament(own).done == 12
    assert timeless(own) == timeless(league)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"hello", "line 13: not a game of this tournament"),
        (b"", "line 13: not a game"),
        (b"\xff\xfe", "line 13: not a game"),
        (b'{"deal":1}', "line 13: not a game"),
        (b'"deal":1,', "line 13"),
    ],
)
def test_a_foreign_line_is_refused_and_left_alone(own: Path, line: bytes, message: str) -> None:
    changed(own, lambda data: data + line + b"\n")
    before = (own / "journal.jsonl").read_bytes()
    for call in (sintra.ratings, sintra.tournament):
        with pytest.raises(DamagedLog, match=message) as caught:
            call(own)
        assert "journal.jsonl" in str(caught.value)
    assert (own / "journal.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"deal": 9}, "there is no deal 9"),
        ({"deal": 0}, "there is no deal 0"),
        ({"seats": ["greedy", "nobody"]}, "no bot is called 'nobody'"),
        ({"seats": ["greedy", "greedy"]}, "the seats are greedy, greedy"),
        ({"seats": ["greedy"]}, "the seats are greedy"),
        ({"scores": [1]}, "it has 1 number of scores"),
        ({"scores": [100, 1]}, "another line has a different result"),
        ({"more": 1}, "unknown field"),
    ],
)
def test_a_line_of_another_tournament_is_refused(own: Path, change: dict[str, Any], message: str) -> None:
    line = {**lines(own)[0], **change}
    changed(own, lambda data: data + json.dumps(line).encode() + b"\n")
    with pytest.raises(DamagedLog, match=re.escape(message)):
        sintra.ratings(own)


def test_a_line_that_comes_twice_counts_once(league: Path, own: Path) -> None:
    again = {**lines(own)[3], "times": [1.0, 1.0]}
    changed(own, lambda data: data + json.dumps(again).encode() + b"\n")
    found, remarks = tournament.standings_of(str(own))
    assert without_times(found) == without_times(sintra.ratings(league))
    assert remarks == ["1 line of its journal came twice; each game counts once"]
    assert sintra.tournament(own).done == 12


def test_a_missing_log_is_named_and_the_result_counts(own: Path) -> None:
    first = lines(own)[0]["log"]
    (own / first).unlink()
    found = sintra.ratings(own)
    assert (found.missing, found.done) == ([first], 12)
    text = "\n".join(table_lines(found, "Azul", Style(False, False, 80)))
    assert f"1 log missing, though the results count: {first}" in text


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"players": 3}, "it was begun with players=2, not 3"),
        ({"seed": 2}, "it was begun with seed=1, not 2"),
        ({"rules": "sintra"}, "holds another tournament"),
        ({"deals": 1}, "it was begun with deals=2, not 1"),
        ({"max_rounds": 4}, "it was begun with max_rounds=3, not 4"),
        ({"gauntlet": "greedy"}, 'it was begun with gauntlet=null, not "greedy"'),
        ({"side": "gray"}, "it was begun with options="),
        ({"bots": "greedy,random"}, "also has the bot hasty=greedy:depth=1"),
        ({"bots": "greedy,random,hasty=greedy:depth=2"}, "its bot hasty is hasty=greedy:depth=1"),
    ],
)
def test_a_plan_that_differs_is_refused(own: Path, call: dict[str, Any], message: str) -> None:
    before = (own / "plan.json").read_bytes()
    with pytest.raises(Conflict, match=re.escape(message)):
        sintra.tournament(own, **call)
    assert (own / "plan.json").read_bytes() == before


def test_the_same_call_in_other_words_goes_on(own: Path) -> None:
    call = {**CALL, "players": 2, "deals": 2}
    assert sintra.tournament(own, "hasty=greedy:depth=1,greedy,random", **call).done == 12


def test_folders_that_hold_something_else(own: Path, tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "thesis.txt").write_text("mine")
    with pytest.raises(Conflict, match="has other files and no tournament"):
        sintra.tournament(tmp_path / "files", BOTS)
    with pytest.raises(UsageError, match="no tournament to resume: name the bots"):
        sintra.tournament(tmp_path / "new")
    with pytest.raises(UsageError, match="has no name"):
        sintra.tournament("", BOTS)
    with pytest.raises(UsageError, match=r"there is no plan\.json"):
        sintra.ratings(tmp_path)
    for text in ("{}", "nonsense", '{"rules":1}'):
        (own / "plan.json").write_text(text)
        with pytest.raises(Conflict, match=r"its plan\.json is not that of a tournament"):
            sintra.ratings(own)


def test_two_programs_do_not_play_the_same_tournament(own: Path) -> None:
    claim = writing.Claim(own / "lock", b"")
    try:
        with pytest.raises(Conflict, match="another program is using the folder"):
            sintra.tournament(own)
    finally:
        claim.release()
    assert sintra.tournament(own).done == 12


def test_drafts_of_a_killed_program_are_removed(own: Path) -> None:
    for draft in (own / ".sintra-1-0.new", own / "logs" / "0001" / ".sintra-1-0.new"):
        draft.write_bytes(b"half")
    sintra.tournament(own)
    assert not list(own.rglob(".sintra-*"))


def test_a_full_disk_stops_it_and_it_resumes(
    league: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once while a log is written, and once while a line is."""
    folder = tmp_path / "league"
    count = 0
    write = os.write

    def full(fd: int, data: Any) -> int:
        nonlocal count
        count += 1
        if count in (9, 20):
            write(fd, bytes(data)[:5])
            raise OSError(28, "No space left on device")
        return write(fd, data)

    monkeypatch.setattr(os, "write", full)
    stopped = 0
    while True:
        try:
            sintra.tournament(folder, BOTS, deals=2, **CALL)
            break
        except Unreadable as error:
            assert "no space left on device" in str(error)
            stopped += 1
    assert stopped == 2
    assert timeless(folder) == timeless(league)
    assert logs(folder) == logs(league)
    assert not list(folder.rglob(".sintra-*"))


# -- Stopping --


def test_stopping_finishes_what_is_under_way() -> None:
    with ThreadPoolExecutor(1) as pool:
        taken: list[int] = []

        def items() -> Any:
            for number in range(100):
                taken.append(number)
                yield number

        found: list[int] = []
        groups = gathered(pool, abs, items(), lambda: bool(found))
        for group in groups:
            found += group
    assert found == list(range(len(found)))
    assert len(taken) < 100


def test_results_before_an_error_are_not_lost() -> None:
    class Ready(Here):
        """All work is done before anybody asks."""

    def invert(number: int) -> float:
        return 1 / number

    class Wide(Executor):
        sintra_width = 5

        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            return Ready().submit(fn, *args, **kwargs)

    groups = gathered(Wide(), invert, [1, 2, 0, 4])
    assert next(groups) == [1, 0.5]
    with pytest.raises(ZeroDivisionError):
        next(groups)


def test_a_lost_worker_loses_no_finished_game(own: Path) -> None:
    class Dying(Executor):
        def __init__(self) -> None:
            self.count = 0

        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            from concurrent.futures import BrokenExecutor

            self.count += 1
            if self.count <= 2:
                return Here().submit(fn, *args, **kwargs)
            future: Future[Any] = Future()
            future.set_exception(BrokenExecutor("gone"))
            return future

    with pytest.raises(WorkersLost, match="a worker process died"):
        sintra.tournament(own, deals=3, executor=Dying())
    assert sintra.ratings(own).done == 14


# -- Reports --


class Page(HTMLParser):
    """Checks that tags are closed in order, and notes links and text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "br"):
            self.open.append(tag)
        self.links += [str(value) for key, value in attrs if key == "href"]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_data(self, data: str) -> None:
        self.words += data


def test_the_page_links_every_game(own: Path, tmp_path: Path) -> None:
    (own / lines(own)[0]["log"]).unlink()
    path = tmp_path / "pages" / "index.html"
    tournament.write_page(str(own), str(path), sintra.ratings(own))
    found = Page()
    found.feed(path.read_text())
    assert found.open == []
    assert len(found.links) == 11
    assert all((path.parent / link).is_file() for link in found.links)
    assert "missing" in found.words
    for word in ("greedy", "random", "hasty", "Ratings", "12 of 12 games"):
        assert word in found.words
    assert "<script" not in path.read_text()
    assert "http" not in path.read_text()
    tournament.write_page(str(own), str(path), sintra.ratings(own))
    with pytest.raises(Conflict, match="it was left alone"):
        tournament.write_page(str(own), str(own / "journal.jsonl"), sintra.ratings(own))
    assert len(lines(own)) == 12


def test_a_name_is_never_a_tag(tmp_path: Path) -> None:
    folder = tmp_path / "league"
    sintra.tournament(folder, ["cmd:<b>&", "greedy"], deals=1, seed=1)
    text = page.page(
        sintra.ratings(folder), "Azul", list(journal.read(str(folder), kept(folder)).results.values()), "."
    )
    assert "<b>" not in text
    assert "&lt;b&gt;&amp;" in text
    assert "not-started" in text


def kept(folder: Path) -> TournamentPlan:
    found = tournament.kept_plan(str(folder))
    assert found is not None
    return found


def test_text_and_csv_say_the_same(league: Path) -> None:
    import csv

    found = sintra.ratings(league)
    head, *rows = csv.reader(table_csv(found))
    assert [row[head.index("bot")] for row in rows] == [one.bot for one in found.standings]
    assert [float(row[head.index("rating")]) for row in rows] == [one.rating for one in found.standings]
    assert rows[0][head.index("against_greedy")] == ""
    text = table_lines(found, "Azul", Style(False, False, 80))
    assert text[0].startswith("Azul (side colored): 3 bots, 2 in each game, 2 deals; seed 1")
    assert text[1] == "12 of 12 games played"
    assert text[4].split()[:3] == ["1", "greedy", f"{found.standings[0].rating:.0f}"]
