"""Replay pages: every event's scene, the log to the byte, and nothing that a name or a note could break."""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from gzip import decompress
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest

import sintra
from scripts.fixtures import FIXTURES, GOLDENS
from sintra.errors import Conflict, DamagedLog
from sintra.game import Game
from sintra.log import files
from sintra.reader import Reader
from sintra.study.analysis import analyze
from sintra.view import scene_of, sentence_of
from tests.kit.program import run
from tests.kit.quarry import RULES
from tests.rules.test_plugins import plug_harbor

EVIL = "</script><script>alert(1)</script><!--\u2028\"'&\u202e{{story}}"


class Page(HTMLParser):
    """The parts of a page, as a browser takes them apart."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.scripts: list[str] = []
        self.styles: list[str] = []
        self.links: list[str] = []
        self.said: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.policy = ""
        self._inside = ""
        self.feed(text)
        self.data: dict[str, Any] = json.loads(self.scripts[0]) if len(self.scripts) > 1 else {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag
        self.attributes += attrs
        found = dict(attrs)
        if tag == "meta" and found.get("http-equiv"):
            self.policy = str(found["content"])
        if tag == "a":
            self.links.append(str(found["href"]))
        if tag in ("script", "style"):
            getattr(self, f"{tag}s").append("")

    def handle_data(self, data: str) -> None:
        if self._inside in ("script", "style"):
            getattr(self, f"{self._inside}s")[-1] += data
        else:
            self.said.append(data)

    def handle_endtag(self, _: str) -> None:
        self._inside = ""

    @property
    def log(self) -> bytes:
        """The log that the page carries."""
        return decompress(b64decode(self.data["log"]))

    def scene(self, number: int) -> tuple[dict[str, str], dict[str, str]]:
        """What the script shows after an event: things and texts by name."""
        panels = completed(self.data["skeleton"]["panels"])
        slots, texts = ([name for panel in panels for name in panel[kind]] for kind in ("slots", "texts"))
        things: dict[str, str] = {}
        words: dict[str, str] = {}
        for step in self.data["steps"][:number]:
            pairs = zip(step[::2], step[1::2], strict=True)
            things |= {slots[slot]: self.data["things"][thing] for slot, thing in pairs}
        for said in self.data["words"][:number]:
            pairs = zip(said[::2], said[1::2], strict=True)
            words |= {texts[text]: self.data["sayings"][line] for text, line in pairs}
        return (
            {name: thing for name, thing in things.items() if thing},
            {name: line for name, line in words.items() if line},
        )


def evil_game() -> Game:
    """A game with names that no new game takes, but a log may have."""
    game = sintra.new("azul", ["Ada", "Ben"], seed=1)
    game.note(EVIL * 3)
    return sintra.loads(game.dumps().replace('"Ada"', json.dumps(EVIL)).replace('"Ben"', f'"{"宽" * 80}"'))


def completed(panels: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Panels with what those that are like another one leave out."""
    for panel in panels:
        for kind in ("slots", "zones", "texts"):
            panel.setdefault(kind, {})
        if "like" in panel:
            first = next(other for other in panels if other["name"] == panel["like"])
            old, new = (f"{one['name'].split('/')[1]}/" for one in (first, panel))
            for kind in ("slots", "zones", "texts"):
                panel[kind] = {new + name.removeprefix(old): place for name, place in first[kind].items()}
    return panels


def hashed(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def check_safe(page: Page, text: str) -> None:
    """Nothing comes from elsewhere, and only the page's own script and style count."""
    assert page.policy.startswith("default-src 'none'; ")
    assert [hashed(script) in page.policy for script in page.scripts] == [False, True][-len(page.scripts) :]
    assert [hashed(style) in page.policy for style in page.styles] == [True]
    names = {name for name, _ in page.attributes}
    assert not names & {"src", "style", "srcset", "action"}
    assert not [name for name in names if name.startswith("on")]
    addresses = set(re.findall(r"https?://[^\s\"'<)]+", text))
    assert addresses <= {"http://www.w3.org/2000/svg"}


@pytest.mark.parametrize("name", GOLDENS)
def test_a_page_has_the_scene_and_the_sentence_of_every_event(name: str) -> None:
    path = FIXTURES / "games" / f"{name}.log"
    text = sintra.replay_page(path)
    page = Page(text)
    check_safe(page, text)
    assert page.log == path.read_bytes()
    assert page.data["name"] == f"{name}.log"
    said = [line for line in page.said if line.strip()]
    reader = Reader(files.read(path), path, watch=True)
    for moment in reader:
        if moment.number % 7 == 1 or reader.fold.over:
            scene = scene_of(reader.fold)
            assert page.scene(moment.number) == (scene.things, {k: v for k, v in scene.texts.items() if v})
        assert sentence_of(reader.fold, moment) in said
    assert page.links == [f"#event-{number}" for number in range(1, reader.line + 1)]
    if name.endswith("-2"):
        assert len(text.encode()) < 120_000


def test_nothing_in_names_and_notes_breaks_out() -> None:
    game = evil_game()
    text = sintra.replay_page(game)
    page = Page(text)
    check_safe(page, text)
    assert len(page.scripts) == 2
    assert page.log == game.dumps().encode()
    assert "\u202e" not in text.split("<script")[0]
    assert text.count("<script") == 2
    assert text.count("<!--") == 1, "the mark of the page"


def test_a_page_knows_the_codes_of_its_game() -> None:
    path = FIXTURES / "games" / "azul-gray-2.log"
    game = sintra.load(path)
    codes = Page(sintra.replay_page(path)).data["codes"]
    assert codes == [sintra.code(game), sintra.code(game, names=True)]
    assert Page(sintra.replay_page(sintra.new("azul", seed=1))).data["codes"] == [
        sintra.code(sintra.new("azul", seed=1))
    ]


def test_what_was_taken_back_is_struck_out() -> None:
    game = sintra.new("azul", seed=1)
    game.play(game.legal()[0])
    game.undo()
    game.play(game.legal()[1])
    text = sintra.replay_page(game)
    taken = re.findall(r'<li class="[^"]*taken-back"><a href="#event-(\d+)"', text)
    assert taken == ["4"]


def test_an_analysis_is_laid_over_the_game(tmp_path: Path) -> None:
    log = FIXTURES / "games" / "azul-colored-2.log"
    game = sintra.load(log)
    found = analyze(game, nodes=20, deals=2)
    text = sintra.replay_page(game, analysis=found)
    page = Page(text)
    check_safe(page, text)
    marked = [turn for turn in found.turns() if turn.mark]
    assert marked
    panels = completed(page.data["skeleton"]["panels"])
    slots = {name for panel in panels for name in (*panel["slots"], *panel["zones"])}
    for turn in marked:
        places = page.data["best"][str(turn.events[0])]
        assert len(places) >= 2
        assert slots.issuperset(places)
        assert f"better: {', '.join(turn.best)}" in page.said
    assert page.data["chances"][-1][1:] == msgspec.to_builtins(found)["judged"][-1]["value"]["chance"]
    assert len(page.data["chances"]) == len(found.judged)
    assert len(text.encode()) < 120_000
    beside = tmp_path / "game.analysis.json"
    beside.write_bytes(msgspec.json.encode(found))
    assert sintra.replay_page(game, analysis=beside) == text
    spoilt = msgspec.to_builtins(found)
    turn = next(one for one in spoilt["judged"] if one["kind"] == "turn")
    for key, value in (
        ("events", []),
        ("events", [9999]),
        ("player", 3),
        ("after", {"lead": [], "chance": []}),
    ):
        good, turn[key] = turn[key], value
        beside.write_bytes(msgspec.json.encode(spoilt))
        with pytest.raises(DamagedLog, match="other players or events"):
            sintra.replay_page(game, analysis=beside)
        turn[key] = good
    beside.write_bytes(msgspec.json.encode(found))
    with pytest.raises(Conflict, match="another log"):
        sintra.replay_page(sintra.new("azul", seed=9), analysis=beside)


@pytest.mark.process
def test_the_analysis_beside_a_log_is_used_if_it_fits(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    game = sintra.new("azul", seed=1)
    game.play(game.legal()[0], "place 1")
    game.save(log)
    found = analyze(game, nodes=5, deals=2)
    (tmp_path / "game.analysis.json").write_bytes(msgspec.json.encode(found))
    ran = run("replay", log, "--html", "-")
    assert "Chances of winning" in ran.out
    assert ran.err == ""
    run("move", log, str(game.legal()[0]))
    ran = run("replay", log, "--html", "-")
    assert "Chances of winning" not in ran.out
    assert "analyze it again" in ran.err
    assert (
        "analyze it again"
        in run("replay", log, "--html", "-", "--analysis", tmp_path / "game.analysis.json", code=5).err
    )


@pytest.mark.process
def test_a_plug_in_has_a_page(tmp_path: Path) -> None:
    game = Game.new(RULES, 3, seed=1)
    for _ in range(20):
        game.play(game.legal()[0])
    page = Page(sintra.replay_page(game))
    assert page.scene(len(game.events))[0] == scene_of(game.fold).things
    plug_harbor(tmp_path)
    env = {"PYTHONPATH": str(tmp_path)}
    log = run("new", "--rules", "harbor", "--seed", "1", env=env).raw
    page = Page(run("replay", "-", "--html", "-", stdin=log, env=env).out)
    assert page.log == log


# -- Files --


@pytest.mark.process
def test_a_page_replaces_only_a_page(tmp_path: Path) -> None:
    log = FIXTURES / "games" / "azul-gray-2.log"
    html = tmp_path / "new" / "game.html"
    run("replay", log, "--html", html)
    first = html.read_text()
    assert first == sintra.replay_page(log)
    run("replay", FIXTURES / "games" / "azul-gray-3.log", "--html", html)
    assert html.read_text() != first
    html.write_text("my own page")
    assert "left alone" in run("replay", log, "--html", html, code=5).err
    assert html.read_text() == "my own page"
    assert "directory" in run("replay", log, "--html", tmp_path, code=4).err


@pytest.mark.process
def test_a_log_from_a_pipe_comes_back_to_the_byte() -> None:
    log = (FIXTURES / "games" / "crystal-2-2.log").read_bytes()
    page = Page(run("replay", "-", "--html", "-", stdin=log).out)
    assert page.log == log
    assert page.data["name"] == "game.log"


@pytest.mark.process
def test_what_html_refuses(tmp_path: Path) -> None:
    log = FIXTURES / "games" / "azul-gray-2.log"
    assert "can't be combined with --json" in run("replay", log, "--html", "x", "--json", code=2).err
    assert "--tables and --follow" in run("replay", log, "--html", "x", "--follow", "--tables", code=2).err
    assert "goes with --html" in run("replay", log, "--analysis", "x", code=2).err
    assert "is for one" in run("replay", log.parent, "--html", "-", code=2).err
    torn = tmp_path / "torn.log"
    torn.write_bytes(log.read_bytes()[:-5])
    assert "torn" in run("replay", torn, "--html", tmp_path / "p.html", code=4).err
    assert not (tmp_path / "p.html").exists()


@pytest.mark.process
def test_a_folder_of_logs_is_a_folder_of_pages(tmp_path: Path) -> None:
    games = tmp_path / "games"
    (games / "sub").mkdir(parents=True)
    log = FIXTURES / "games" / "azul-gray-2.log"
    (games / "index.log").write_bytes(log.read_bytes())
    (games / "a b?.log").write_bytes(log.read_bytes())
    (games / "sub" / "c.log").write_bytes((FIXTURES / "games" / "sintra-a-3.log").read_bytes())
    (games / "many.logs").write_bytes(log.read_bytes() * 2)
    (games / "sub" / "torn.log").write_bytes(log.read_bytes()[:-5])
    evil_game().save(games / "evil.log")
    site = tmp_path / "site"
    ran = run("replay", games, "--html", site, code=1)
    assert ran.out == f"{site}/index.html: 6 games, 1 log with faults\n"
    assert "torn.log" in ran.err
    found = {str(path.relative_to(site)) for path in site.rglob("*.html")}
    pages = {"index_.html", "a b?.html", "sub/c.html", "many-1.html", "many-2.html", "evil.html"}
    assert found == pages | {"index.html"}
    text = (site / "index.html").read_text()
    index = Page(text)
    check_safe(index, text)
    assert sorted(index.links) == sorted(name.replace(" ", "%20").replace("?", "%3F") for name in pages)
    assert len(index.scripts) == 1
    assert "sub/c" in index.said
    codes = {value for name, value in index.attributes if name == "data-codes"}
    assert f"{sintra.code(log)} {sintra.code(log, names=True)}" in codes
    assert any(said.startswith("sub/torn.log, line ") for said in index.said)
    assert str(tmp_path) not in text, "a page may go to others"
    assert any(said.startswith("the last line is torn") for said in index.said), "the line is named once"
    assert (site / "many-2.html").read_text() == (site / "many-1.html").read_text().replace(
        "many-1", "many-2"
    )
    run("replay", games, "--html", site, "-q", code=1)  # its own pages are replaced
    (site / "sub" / "c.html").write_text("mine")
    assert "left alone" in run("replay", games, "--html", site, "-q", code=5).err
    assert (site / "sub" / "c.html").read_text() == "mine"
    assert "without logs" in run("replay", tmp_path / "site", "--html", tmp_path / "no", code=4).err


def test_a_site_over_a_file_is_refused_once(tmp_path: Path) -> None:
    games, page = tmp_path / "games", tmp_path / "game.html"
    games.mkdir()
    for name in "ab":
        sintra.new(seed=1).save(games / f"{name}.log")
    page.write_text("a page")
    said = run("replay", games, "--html", page, code=4).err
    assert said == f"sintra: can't write pages to {page}: it is not a folder\n"
