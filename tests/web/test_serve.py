"""`sintra serve`: games by requests, written as commands write them, and watched event by event."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="a game in the browser needs the extra web")

import sintra
from sintra.bots.seats import remember
from sintra.errors import UsageError
from tests.kit.program import run
from tests.kit.serving import Served, serving
from tests.web.test_replay import completed


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with quick bots."""
    with serving(tmp_path_factory.mktemp("games"), "--pace", "0") as server:
        yield server


def new(served: Served, name: str, **more: Any) -> str:
    """Make a log; return its name."""
    sintra.new(**{"seed": 42, "players": ["Ada", "Ben"], **more}).save(served.folder / name)
    return name


def turn(served: Served, log: str) -> Any:
    return served.ask("/api/choices", {"log": log}).json


# -- Playing --


def test_steps_are_written_as_move_writes_them(served: Served) -> None:
    log = new(served, "same.log")
    copy = shutil.copy(served.folder / log, served.folder / "copy.txt")
    for _ in range(6):
        now = turn(served, log)
        step = now["steps"][0]["words"]
        body = {"log": log, "expect": now["events"], "seat": now["player"], "steps": [step]}
        assert served.send("/api/play", body).status == 200
        run("move", copy, step, "-q")
    assert (served.folder / log).read_bytes() == Path(copy).read_bytes()


def test_every_legal_step_comes_with_places_points_and_words(served: Served) -> None:
    log = new(served, "legal.log", rules="azul", side="gray")
    now = turn(served, log)
    game = sintra.load(served.folder / log)
    assert [step["words"] for step in now["steps"]] == [str(step) for step in game.legal()]
    assert all(step["places"] and step["does"] for step in now["steps"])
    table = served.ask("/api/table", {"log": log}).json
    panels = completed(table["skeleton"]["panels"])
    names = {name for panel in panels for name in (*panel["slots"], *panel["zones"])}
    assert {place for step in now["steps"] for place in step["places"]} <= names


def test_an_older_page_can_not_overwrite_what_happened_since(served: Served) -> None:
    log = new(served, "stale.log")
    now = turn(served, log)
    body = {"log": log, "expect": now["events"], "seat": 1, "steps": [now["steps"][0]["words"]]}
    assert served.send("/api/play", body).status == 200
    before = (served.folder / log).read_bytes()
    again = served.send("/api/play", body)
    assert again.status == 409
    assert "stale.log has 4 events, not 3" in again.said
    assert (served.folder / log).read_bytes() == before


@pytest.mark.parametrize(
    ("seat", "step", "status", "said"),
    [
        (1, "pick 9 blue", 422, "9"),
        (1, "place 3", 422, "pick"),
        (2, "pick 1 blue", 422, "not your turn"),
        (1, "dance", 400, "dance"),
    ],
)
def test_what_is_not_legal_is_refused_with_the_reason(
    served: Served, seat: int, step: str, status: int, said: str
) -> None:
    log = "illegal.log"
    if not (served.folder / log).exists():
        new(served, log)
    before = (served.folder / log).read_bytes()
    answer = served.send("/api/play", {"log": log, "expect": 3, "seat": seat, "steps": [step]})
    assert (answer.status, said in answer.said) == (status, True), answer.said
    assert (served.folder / log).read_bytes() == before


def test_undo_takes_back_a_persons_step_with_what_bots_did_since(served: Served) -> None:
    log = new(served, "undo.log")
    remember(str(served.folder / log), {2: "greedy"})
    with sintra.open(served.folder / log) as game:
        for _ in range(4):
            game.play(game.legal()[0])
        assert game.player == 1
    answer = served.send("/api/undo", {"log": log, "expect": 7, "seats": [1]})
    assert answer.json == {"events": 8}
    assert next(str(step).split()[0] for step in sintra.load(served.folder / log).legal()) == "place"


def test_nobody_takes_back_the_step_of_another_person(served: Served) -> None:
    log = new(served, "mine.log")
    with sintra.open(served.folder / log) as game:
        for _ in range(3):
            game.play(game.legal()[0])
    answer = served.send("/api/undo", {"log": log, "expect": 6, "seats": [1]})
    assert answer.status == 422
    assert "only Ben can take that step back" in answer.said


def test_bots_answer_while_somebody_plays_and_rest_while_others_watch(served: Served) -> None:
    log = new(served, "bots.log")
    remember(str(served.folder / log), {1: "random", 2: "greedy"})
    before = (served.folder / log).read_bytes()
    with served.stream(log, after=3):
        assert served.ask("/api/table", {"log": log}).json["events"] == 3
    assert (served.folder / log).read_bytes() == before
    with served.stream(log, after=3, play=1) as stream:
        numbers = [stream.next()[1] for _ in range(8)]
    assert numbers == list(range(4, 12))
    assert sintra.load(served.folder / log).events[:3] == sintra.loads(before).events


def test_a_new_game_is_a_log_with_its_bots_beside_it(served: Served) -> None:
    seats = [{"name": "Ada"}, {"name": "Greedy", "bot": "greedy"}, {"name": "Hard", "bot": "hard"}]
    wish = {"log": "new.log", "rules": "crystal", "side": "2", "seats": seats, "seed": "7"}
    assert served.send("/api/new", wish).json == {"log": "new.log"}
    game = sintra.load(served.folder / "new.log")
    assert (game.players, game.created.seed, game.rules.name) == (("Ada", "Greedy", "Hard"), 7, "crystal")
    assert (served.folder / "new.log.bots").read_text() == "2=greedy\n3=hard\n"
    again = served.send("/api/new", wish)
    assert (again.status, again.said) == (409, "new.log already exists; it was left alone")
    menu = served.ask("/api/menu").json
    (listed,) = [one for one in menu["games"] if one["log"] == "new.log"]
    assert (listed["bots"], listed["over"]) == ({"2": "greedy", "3": "hard"}, False)
    assert len(menu["boards"]) >= 6


def test_a_hint_the_scores_and_the_replay_are_there(served: Served) -> None:
    log = new(served, "study.log", rules="azul")
    hint = served.ask("/api/hint", {"log": log}).json
    assert hint["lines"][0]["steps"][0].startswith("pick")
    assert served.ask("/api/score", {"log": log}).json["total"] == [0, 0]
    page = served.ask("/replay", {"log": log})
    assert (page.status, b"<svg" in page.body or b"Sintra" in page.body) == (200, True)
    assert served.ask("/log", {"log": log}).body == (served.folder / log).read_bytes()
    link = served.send("/api/invite", {"path": f"/game?log={log}&seat=2"}).json["link"]
    assert link == f"http://{served.host}/game?log={log}&seat=2&key={served.secret}"
    assert served.send("/api/invite", {"path": "//evil.example"}).status == 400
    style = served.ask("/style.css", {"log": log})
    assert (style.status, style.headers["content-type"]) == (200, "text/css; charset=utf-8")


def test_a_code_that_somebody_shared_opens_in_the_replay_page(served: Served) -> None:
    game = sintra.new("azul", seed=7)
    game.play(game.legal()[0])
    page = served.ask("/replay", {"code": sintra.code(game)})
    assert (page.status, b"Player 1 picks" in page.body) == (200, True)
    slip = served.ask("/replay", {"code": sintra.code(game)[:-1]})
    assert (slip.status, b"mistyped or cut" in slip.body) == (400, True)
    assert served.ask("/replay").headers["location"] == "/", "where a page reads `#code=...`"


# -- Watching --


def test_every_event_comes_once_and_a_stream_goes_on_where_it_was(served: Served) -> None:
    log = new(served, "watch.log")
    with served.stream(log, after=3) as stream:
        for _ in range(3):
            with sintra.open(served.folder / log) as game:
                game.play(game.legal()[0])
        assert [stream.next()[1] for _ in range(3)] == [4, 5, 6]
    with sintra.open(served.folder / log) as game:
        game.note("meanwhile")
        game.play(game.legal()[0])
    with served.stream(log, last=5, after=3) as stream:
        assert [stream.next()[1] for _ in range(3)] == [6, 7, 8]
    with served.stream(log, last=0) as stream:
        frames = [stream.next() for _ in range(8)]
    assert [number for _, number, _ in frames] == list(range(1, 9))


def test_changes_add_up_to_the_table(served: Served) -> None:
    log = new(served, "sum.log", rules="azul")
    table = served.ask("/api/table", {"log": log}).json
    with sintra.open(served.folder / log) as game:
        for _ in range(12):
            game.play(game.legal()[-1])
        game.undo(2)
    now = served.ask("/api/table", {"log": log}).json
    things, texts = dict(table["things"]), dict(table["texts"])
    with served.stream(log, after=3) as stream:
        for _ in range(now["events"] - 3):
            _, _, frame = stream.next()
            things |= frame["changes"]["things"]
            texts |= frame["changes"]["texts"]
    assert {name: thing for name, thing in things.items() if thing} == now["things"]
    assert {name: words for name, words in texts.items() if words} == now["texts"]


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        ("vanish", "no longer exists"),
        ("shrink", "no longer begins as it did"),
        ("replace", "no longer begins as it did"),
        ("tear", "torn"),
        ("garble", "line 4"),
    ],
)
def test_a_log_that_is_harmed_while_it_is_watched_is_reported(served: Served, harm: str, said: str) -> None:
    log = new(served, f"{harm}.log")
    path = served.folder / log
    with served.stream(log, after=3) as stream:
        if harm == "vanish":
            path.unlink()
        elif harm == "shrink":
            path.write_bytes(b"\n".join(path.read_bytes().split(b"\n")[:2]) + b"\n")
        elif harm == "replace":
            path.unlink()
            new(served, log, seed=43)
        else:
            with path.open("ab") as file:
                file.write(b'{"type":"pick' if harm == "tear" else b'{"type":"dance"}\n')
        kind, _, data = stream.next()
    assert (kind, said in data["message"]) == ("fault", True), data
    assert str(served.folder) not in data["message"]


# -- A real table --

STRIPS = "oypoy cpoco ocooy bpbyp pocyp ycyyc ypcyp cbccb"


def test_a_real_table_is_entered_by_clicking_answers(served: Served) -> None:
    seats = [{"name": "Ada"}, {"name": "Ben"}]
    wish = {"log": "table.log", "rules": "sintra", "side": "A", "seats": seats, "table": True}
    assert served.send("/api/new", wish).status == 200
    form = served.ask("/api/form", {"log": "table.log"}).json
    assert [(one["heading"], one["count"]) for one in form["questions"]] == [
        ("indicator", 6),
        ("strips 1", 8),
        ("strips 2", 8),
    ]
    words = [one["word"] for one in form["questions"][1]["answers"]]
    row = [next(word for word in words if word.startswith(strip)) for strip in STRIPS.split()]
    rows = [["c", "o", "p", "b", "y", "c"], row, row]

    def check(*rows: list[str]) -> Any:
        return served.send("/api/check", {"log": "table.log", "expect": 1, "rows": rows}).json

    assert check([], [], [])["missing"] == "The round indicator: 6 more to choose"
    assert "each color once" in check(["c"] * 6, row, row)["wrong"]
    assert check(*rows) == {"wrong": "", "missing": ""}
    body = {"log": "table.log", "expect": 1, "rows": rows}
    assert served.send("/api/arrange", body).json == {"events": 2}
    form = served.ask("/api/form", {"log": "table.log"}).json
    assert (form["awaits"], form["displays"], form["size"]) == ("deal", 5, 4)
    blue = ["blue"] * 4

    def deal(*rows: list[str]) -> Any:
        return served.send("/api/check", {"log": "table.log", "expect": 2, "rows": rows}).json

    assert deal(blue, ["pink"])["missing"] == "Display 2: 3 more to choose"
    assert deal(*[blue] * 5)["wrong"] != ""
    assert served.send("/api/deal", {"log": "table.log", "expect": 2, "rows": [blue] * 5}).status == 422
    dealt = [blue, ["pink"] * 4, ["clear"] * 4, ["orange"] * 4, ["yellow"] * 4]
    assert served.send("/api/deal", {"log": "table.log", "expect": 2, "rows": dealt}).json == {"events": 3}
    assert run("verify", served.folder / "table.log").code == 0
    assert served.send("/api/undo", {"log": "table.log", "expect": 3, "seats": [1, 2]}).status == 200


def test_a_real_table_whose_boards_are_always_the_same_goes_on_to_the_deal(served: Served) -> None:
    wish = {"log": "azul.log", "rules": "azul", "seats": [{"name": "Ada"}, {"name": "Ben"}], "table": True}
    assert served.send("/api/new", wish).status == 200
    assert served.ask("/api/form", {"log": "azul.log"}).json["awaits"] == "deal"
    assert run("verify", served.folder / "azul.log").code == 0


# -- The command --


def test_without_the_extra_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib import util

    from sintra.cli.serve import serve

    monkeypatch.setattr(util, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'sintra\[web\]'"):
        serve()


@pytest.mark.process
def test_a_port_that_is_taken_is_a_clear_error(served: Served, tmp_path: Path) -> None:
    ran = run("serve", tmp_path, "--port", str(served.port), code=5)
    assert (
        ran.err
        == f"sintra: port {served.port} is taken; choose another with --port, or --port 0 for any free one\n"
    )


@pytest.mark.process
def test_what_is_not_there_can_not_be_served(tmp_path: Path) -> None:
    assert "no such folder or log" in run("serve", tmp_path / "nothing", code=2).err
    assert "unknown bot" in run("serve", tmp_path, "--bot", "nobody", code=2).err


@pytest.mark.process
def test_the_end_is_quick_and_quiet_with_open_streams(tmp_path: Path) -> None:
    sintra.new(seed=1).save(tmp_path / "game.log")
    with serving(tmp_path) as server, server.stream("game.log") as one, server.stream("game.log") as two:
        assert (one.status, two.status) == (200, 200)
        ended = threading.Event()
        timer = threading.Timer(20, ended.set)
        timer.start()
        code, said = server.end()
        timer.cancel()
    assert code in (0, 130)
    assert not ended.is_set()
    assert said == "sintra: open this link in a browser; Ctrl-C ends the server\n"


@pytest.mark.process
def test_a_served_log_is_the_only_one_and_others_are_warned_of_networks(tmp_path: Path) -> None:
    for name in ("one.log", "two.log"):
        sintra.new(seed=1).save(tmp_path / name)
    with serving(
        tmp_path, "--host", "0.0.0.0", "--name", "games.example", path=tmp_path / "one.log"
    ) as server:
        server.host = f"127.0.0.1:{server.port}"
        assert server.ask("/").headers["location"] == "/game?log=one.log"
        assert [game["log"] for game in server.ask("/api/menu").json["games"]] == ["one.log"]
        assert server.ask("/api/table", {"log": "two.log"}).status == 404
        wish = {"log": "three.log", "rules": "azul", "seats": [{"name": "A"}, {"name": "B"}]}
        assert "name a folder" in server.send("/api/new", wish).said
        named = {"Host": f"games.example:{server.port}"}
        assert server.ask("/api/menu", headers=named).status == 200
        _, said = server.end()
    assert "others in your network can reach this server" in said


@pytest.mark.process
def test_programs_play_only_if_the_command_line_offers_them(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    run("bot", "new", "python", bot)
    name = f"cmd:{bot}"
    with serving(tmp_path, "--bot", name, "--bot", "cmd:false", "--pace", "0") as server:
        assert name in server.ask("/api/menu").json["bots"]
        seats = [{"name": "Ada"}, {"name": "Mine", "bot": name}]
        wish = {"log": "mine.log", "rules": "azul", "seats": seats, "seed": "1"}
        assert server.send("/api/new", wish).status == 200
        for strange in ("cmd:true", "os:system", "cmd:rm -rf /"):
            other = {**wish, "log": "other.log", "seats": [seats[0], {"name": "X", "bot": strange}]}
            assert server.send("/api/new", other).status == 400
        with server.stream("mine.log", after=3, play=1) as stream:
            for step in ("pick 1", "place"):
                now = turn(server, "mine.log")
                (first, *_) = [one["words"] for one in now["steps"] if one["words"].startswith(step)]
                body = {"log": "mine.log", "expect": now["events"], "seat": 1, "steps": [first]}
                assert server.send("/api/play", body).status == 200
            assert [stream.next()[2]["line"]["player"] for _ in range(4)] == [1, 1, 2, 2]
        failing = {**wish, "log": "failing.log", "seats": [{"name": "F", "bot": "cmd:false"}, seats[0]]}
        assert server.send("/api/new", failing).status == 200
        with server.stream("failing.log", after=3, play=1) as stream:
            kind, _, data = stream.next()
        assert (kind, "false" in data["message"]) == ("trouble", True), data
    assert not (tmp_path / "other.log").exists()
    assert json.loads((tmp_path / "mine.log").read_bytes().splitlines()[5])["player"] == 2
