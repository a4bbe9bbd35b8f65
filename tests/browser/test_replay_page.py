"""Replay pages in a real browser: both ways show the same, every link leads there, and nobody is asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import sintra
from scripts.fixtures import FIXTURES
from sintra.game import Game
from sintra.log import files
from sintra.reader import Reader
from sintra.study.analysis import analyze
from sintra.view import scene_of
from sintra.view.svg import thing_id
from sintra.web.site import write_site
from tests.kit.browser import GAMES, WHOLE, Tab, wait
from tests.kit.quarry import RULES
from tests.web.test_replay import evil_game

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SHOWN = """() => [
  [...document.querySelectorAll("use[data-slot]")].filter((one) => one.getAttribute("href"))
    .map((one) => [one.dataset.slot, one.getAttribute("href")]),
  [...document.querySelectorAll("text[data-text]")].filter((one) => one.textContent)
    .map((one) => [one.dataset.text, one.textContent]),
  [...document.querySelectorAll("figure svg")].map((one) => one.getAttribute("aria-label")),
  document.querySelector("#story [aria-current]").getAttribute("href"),
  document.getElementById("sentence").textContent,
  document.getElementById("slider").value,
  [...document.querySelectorAll("[data-score]")].map((one) => one.textContent),
  [...document.querySelectorAll(".pointer")].map((one) => one.getAttribute("d")),
  [...document.querySelectorAll(".mark")].map((one) => one.dataset.place),
]"""
"""Everything that a person sees of an event."""
SHOWN_THERE = f"() => [...({SHOWN})(), location.hash]"
"""The same, and the address."""
BROKEN = """(one) => {
  const found = [];
  const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    for (const word of texts.currentNode.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, word.index);
      range.setEnd(texts.currentNode, word.index + word[0].length);
      if (range.getClientRects().length > 1) found.push(word[0]);
    }
  }
  return found;
}"""
"""The words that go on in the next line."""
SCHEMES = ("light", "dark") if WHOLE else ("dark",)
WIDTHS = {"phone": 360, "laptop": 1024, "wall": 2560}


@pytest.fixture
def pages(tmp_path: Path) -> Pages:
    return Pages(tmp_path)


class Pages:
    """Pages in files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def of(self, game: Any, **options: Any) -> str:
        """The address of a game's page."""
        path = self.folder / "page.html"
        path.write_text(sintra.replay_page(game, **options))
        return path.as_uri()

    def golden(self, name: str) -> str:
        """The address of a golden game's page."""
        return self.of(FIXTURES / "games" / f"{name}.log")


def beginning(name: str, events: int, folder: Path) -> Path:
    """The first events of a golden game, as a log in a folder."""
    log = folder / f"{name}.log"
    lines = (FIXTURES / "games" / log.name).read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:events]))
    return log


def click(page: Page, selector: str) -> None:
    """Press the mouse in the middle of something, as a hand does."""
    page.mouse.click(*middle(page, selector))


def middle(page: Page, selector: str) -> tuple[float, float]:
    """Where the middle of something is on the screen."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("name", GAMES)
def test_forward_is_backward_and_every_link_leads_there(browser: Browser, pages: Pages, name: str) -> None:
    path = beginning(name, 10**6 if WHOLE else 40, pages.folder)
    with Tab(browser) as tab:
        page = tab.page
        address = pages.of(path)
        page.goto(address)
        click(page, "[data-go=first]")
        button = middle(page, "[data-go=forward]")
        forward = []
        reader = Reader(files.read(path), path)
        for moment in reader:
            *shown, address_of_event = page.evaluate(SHOWN_THERE)
            scene = scene_of(reader.fold)
            assert dict(shown[0]) == {slot: f"#{thing_id(thing)}" for slot, thing in scene.things.items()}
            assert dict(shown[1]) == {text: words for text, words in scene.texts.items() if words}
            assert shown[2] == [scene.described(panel) for panel in scene.panels]
            assert shown[3] == f"#event-{moment.number}"
            if moment.number > 1:
                assert address_of_event == f"#event-{moment.number}"
            forward.append(shown)
            page.mouse.click(*button)
        assert page.evaluate(SHOWN) == forward[-1], "there is nothing after the last event"
        for shown in reversed(forward):
            assert page.evaluate(SHOWN) == shown
            page.keyboard.press("ArrowLeft")
        for number, shown in list(enumerate(forward, 1))[:: 1 if WHOLE else 10]:
            page.evaluate(f"location.hash = '#event-{number}'")
            wait(page, f"Sintra.replay.at() === {number}")
            assert page.evaluate(SHOWN) == shown
        for number in (1, len(forward) // 2, len(forward)):
            page.goto(f"about:blank#{number}")
            page.goto(f"{address}#event-{number}")
            assert page.evaluate(SHOWN) == forward[number - 1]
        assert tab.faults == []
        assert all(url.startswith("file:") for url in tab.requests)


@pytest.mark.parametrize("name", GAMES)
def test_nothing_overflows(browser: Browser, pages: Pages, name: str) -> None:
    address = pages.golden(name)
    for width in WIDTHS.values():
        with Tab(browser, viewport={"width": width, "height": 800}) as tab:
            for event in (1, 40, 9999):
                tab.page.goto(f"{address}#event-{event}")
                assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
            box = tab.page.locator(".controls").bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= 801, "the controls are always in view"
            assert tab.faults == []


@pytest.mark.skipif(not WHOLE, reason="measures time; only in the long form: make browser")
@pytest.mark.parametrize("name", [name for name in GAMES if name.endswith("-2")])
def test_a_page_is_small_and_opens_in_under_a_second(browser: Browser, pages: Pages, name: str) -> None:
    address = pages.golden(name)
    assert (pages.folder / "page.html").stat().st_size < 120_000
    taken = []
    for _ in range(3):
        with Tab(browser) as tab:
            tab.page.goto(address)
            taken.append(tab.page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd"))
    assert 0 < min(taken) < 1000, taken


def test_names_that_are_markup_are_only_text(browser: Browser, pages: Pages) -> None:
    game = evil_game()
    for width in WIDTHS.values():
        with Tab(browser, viewport={"width": width, "height": 800}) as tab:
            tab.page.goto(pages.of(game))
            tab.page.keyboard.press("End")
            assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
            assert "</script><script>alert(1)" in tab.page.locator(".seats").inner_text()
            assert "</script><script>alert(1)" in tab.page.locator("#sentence").inner_text()
            assert tab.faults == []


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_index_of_many_games_fits(browser: Browser, tmp_path: Path, scheme: Any) -> None:
    (tmp_path / "games").mkdir()
    evil_game().save(tmp_path / "games" / f"{'long' * 20}.log")
    (tmp_path / "games" / "game.log").symlink_to(FIXTURES / "games" / "azul-gray-4.log")
    (tmp_path / "games" / "torn.log").write_bytes(b'{"type":')
    assert len(list(write_site(str(tmp_path / "games"), str(tmp_path / "site")))) == 3
    for width in WIDTHS.values():
        with Tab(browser, color_scheme=scheme, viewport={"width": width, "height": 800}) as tab:
            tab.page.goto((tmp_path / "site" / "index.html").as_uri())
            assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
            assert tab.page.get_by_role("cell", name="Azul, side gray").bounding_box()["width"] >= 60
            assert tab.faults == []
            if WHOLE:
                assert tab.axe() == []


def test_a_plug_in_is_shown(browser: Browser, pages: Pages) -> None:
    game = Game.new(RULES, 3, seed=1)
    for _ in range(30):
        game.play(game.legal()[-1])
    with Tab(browser) as tab:
        tab.page.goto(pages.of(game))
        tab.page.keyboard.press("End")
        scene = scene_of(game.fold)
        shown = dict(tab.page.evaluate(SHOWN)[0])
        assert shown == {slot: f"#{thing_id(thing)}" for slot, thing in scene.things.items()}
        assert tab.faults == []


def test_a_script_that_was_put_in_is_blocked(browser: Browser, pages: Pages) -> None:
    with Tab(browser, offline=False) as tab:
        page = tab.page
        page.goto(pages.golden(GAMES[0]))
        blocked = page.evaluate(
            """async () => {
              const found = [];
              const note = (event) => found.push(event.effectiveDirective);
              document.addEventListener("securitypolicyviolation", note);
              const script = document.createElement("script");
              script.textContent = "window.hit = 1";
              document.body.append(script);
              const holder = document.createElement("div");
              const image = '<img src="http://127.0.0.1:9/x" onerror="window.hit = 1">';
              holder.innerHTML = image + '<p style="color:red">';
              document.body.append(holder);
              await fetch("http://127.0.0.1:9/").catch(() => 0);
              await new Promise((done) => setTimeout(done, 200));
              return [window.hit || 0, [...new Set(found)].sort()];
            }"""
        )
        assert blocked[0] == 0
        assert {"script-src-elem", "style-src-attr", "img-src", "connect-src"} <= set(blocked[1])
        assert not [
            url for url in tab.requests if url.startswith("http") and not url.startswith("http://127")
        ]


def test_keys(browser: Browser, pages: Pages) -> None:
    with Tab(browser) as tab:
        page = tab.page
        page.goto(pages.golden(GAMES[0]))

        def at() -> int:
            return int(page.evaluate("Sintra.replay.at()"))

        data = json.loads(page.locator("#data").inner_text())
        turns, rounds, last = data["turns"], data["rounds"], len(data["steps"])
        assert at() == rounds[0], "it opens where the first round is dealt"
        assert page.evaluate("location.hash") == ""
        for key, place in (
            *(("Home", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("ArrowLeft", 1), ("ArrowDown", turns[0])),
            *(
                ("ArrowDown", turns[1]),
                ("ArrowUp", turns[0]),
                ("PageDown", rounds[1]),
                ("PageDown", rounds[2]),
            ),
            *(("PageUp", rounds[1]), ("End", last), ("ArrowRight", last), ("ArrowUp", turns[-1])),
        ):
            page.keyboard.press(key)
            assert at() == place, key
        page.locator("#slider").focus()
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        assert at() == 2
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("Control+ArrowRight")
        assert at() == 2
        page.keyboard.press("-")
        assert page.locator("#pace").input_value() == "2"
        for _ in range(3):
            page.keyboard.press("+")
        assert page.locator("#pace").input_value() == "0.25"
        page.keyboard.press("Space")
        wait(page, "Sintra.replay.at() >= 4")
        assert page.locator("#run").get_attribute("aria-label") == "Pause"
        page.keyboard.press("Space")
        now = at()
        page.wait_for_timeout(400)
        assert at() == now
        click(page, "#story li:nth-child(3) >> nth=0")
        assert page.evaluate("location.hash") == f"#event-{at()}"
        assert tab.faults == []


def test_a_code_in_a_link_leads_to_its_game(browser: Browser, tmp_path: Path) -> None:
    """A page can't decode: it knows the codes of its own games, and says what opens the others."""
    games = [FIXTURES / "games" / f"{name}.log" for name in ("azul-colored-2", "azul-gray-2")]
    (tmp_path / "games").mkdir()
    for log in games:
        (tmp_path / "games" / log.name).symlink_to(log)
    assert len(list(write_site(str(tmp_path / "games"), str(tmp_path / "site")))) == 2
    index, colored = ((tmp_path / "site" / name).as_uri() for name in ("index.html", "azul-colored-2.html"))
    foreign = sintra.code(sintra.new("azul", seed=7))
    with Tab(browser) as tab:
        page = tab.page
        for named in (False, True):
            for log in games:
                page.goto("about:blank")
                page.goto(f"{index}#code={sintra.code(log, names=named)}")
                page.wait_for_url(lambda url, name=log.stem: url.endswith(f"/{name}.html"))
        page.goto(f"{colored}#code={sintra.code(games[0])}")
        assert (
            page.evaluate("Sintra.replay.at()") == json.loads(page.locator("#data").inner_text())["rounds"][0]
        )
        assert page.locator("#foreign").count() == 0
        for address in (index, colored):
            page.goto("about:blank")
            page.goto(f"{address}#code={foreign}")
            assert f"sintra decode {foreign} " in page.locator("#foreign").inner_text()
            page.evaluate("location.hash = '#event-3'")
            page.locator("#foreign").wait_for(state="detached")
        assert page.evaluate("Sintra.replay.at()") == 3
        assert tab.faults == []
        assert all(url.startswith(("file:", "about:")) for url in tab.requests)


def test_touch_goes_by_swipes(browser: Browser, pages: Pages) -> None:
    with Tab(browser, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True) as tab:
        tab.page.goto(f"{pages.golden(GAMES[0])}#event-20")
        hand = tab.context.new_cdp_session(tab.page)

        def swipe(start: tuple[int, int], end: tuple[int, int]) -> int:
            for kind, points in (("touchStart", [start]), ("touchMove", [end]), ("touchEnd", [])):
                touches = [{"x": x, "y": y} for x, y in points]
                hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
            return int(tab.page.evaluate("Sintra.replay.at()"))

        assert swipe((300, 300), (100, 310)) == 21
        assert swipe((100, 300), (300, 310)) == 20
        assert swipe((200, 400), (210, 200)) == 20, "scrolling is no swipe"
        assert tab.faults == []


def test_pieces_that_fly_land_where_they_belong(browser: Browser, pages: Pages) -> None:
    with Tab(browser, reduced_motion="no-preference") as tab:
        page = tab.page
        page.goto(f"{pages.golden(GAMES[0])}#event-3")
        flying = "Sintra.replay.show(4, { moving: true }), document.querySelectorAll('.flight').length"
        assert page.evaluate(flying) > 0
        wait(page, "!document.querySelector('.flight, .awaited')")
        for _ in range(12):
            page.keyboard.press("ArrowRight")
        wait(page, "!document.querySelector('.flight, .awaited')")
        assert tab.faults == []


def test_the_log_comes_back_to_the_byte(browser: Browser, pages: Pages) -> None:
    name = GAMES[0]
    with Tab(browser) as tab:
        tab.page.goto(pages.golden(name))
        with tab.page.expect_download() as coming:
            click(tab.page, "#log")
        assert coming.value.suggested_filename == f"{name}.log"
        assert Path(coming.value.path()).read_bytes() == (FIXTURES / "games" / f"{name}.log").read_bytes()
        assert tab.faults == []


def test_a_better_turn_lights_up(browser: Browser, pages: Pages) -> None:
    game = sintra.load(beginning("azul-colored-2", 60, pages.folder))
    found = analyze(game, nodes=20, deals=2)
    turn = next(turn for turn in found.turns() if turn.mark)
    with Tab(browser) as tab:
        page = tab.page
        page.goto(pages.of(game, analysis=found))
        page.locator(f"[data-best='{turn.events[0]}']").click()
        assert page.evaluate("Sintra.replay.at()") == turn.events[0] - 1
        lit = page.evaluate("[...document.querySelectorAll('.lit')].map((one) => one.dataset.place)")
        assert lit == json.loads(page.locator("#data").inner_text())["best"][str(turn.events[0])]
        page.keyboard.press("ArrowRight")
        assert page.locator(".lit").count() == 0
        assert page.locator("#chances .curve").count() == 2
        assert page.locator("#chances .flaw").count() == sum(bool(turn.mark) for turn in found.turns())
        for width, height in ((360, 800), (1024, 768), (1440, 700)):
            page.set_viewport_size({"width": width, "height": height})
            page.locator(".totals").evaluate("(one) => (one.closest('details').open = true)")
            assert page.locator(".totals").evaluate(BROKEN) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.locator("#story").evaluate("(one) => one.scrollIntoView({ block: 'end' })")
        story, controls = page.locator("#story").bounding_box(), page.locator(".controls").bounding_box()
        assert story is not None
        assert controls is not None
        assert story["y"] + story["height"] <= controls["y"], "the story is not behind the controls"
        page.locator(".totals").evaluate("(one) => (one.closest('details').open = false)")
        page.emulate_media(media="print")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert page.locator(".totals").is_visible(), "what is folded is printed"
        assert page.locator(f"[data-best='{turn.events[0]}']").is_visible()
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert not page.locator(".totals").is_visible()
        if WHOLE:
            assert tab.axe() == []
        assert tab.faults == []


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", GAMES)
def test_axe_finds_no_serious_fault(browser: Browser, pages: Pages, name: str, scheme: Any) -> None:
    for width in (360, 1024) if WHOLE else (360,):
        with Tab(browser, color_scheme=scheme, viewport={"width": width, "height": 800}) as tab:
            tab.page.goto(f"{pages.golden(name)}#event-30")
            assert tab.axe() == []


def test_themes_and_print(browser: Browser, pages: Pages) -> None:
    ground = "getComputedStyle(document.documentElement).getPropertyValue('--ground')"
    with Tab(browser, color_scheme="dark") as tab:
        page = tab.page
        page.goto(pages.golden(GAMES[0]))
        dark = page.evaluate(ground)
        seen = []
        for _ in range(3):
            click(page, "#theme")
            seen.append((page.locator("#theme").inner_text(), page.evaluate(ground)))
        assert [words for words, _ in seen] == ["Theme: dark", "Theme: light", "Theme: auto"]
        assert [color == dark for _, color in seen] == [True, False, True]
        page.emulate_media(media="print")
        assert page.evaluate(ground) == seen[1][1], "paper is light"
        assert not page.locator(".controls").is_visible()
        assert page.locator("#table").is_visible()
        assert page.locator("#shown").inner_text().startswith("Event 3 of "), "paper says what it shows"
        assert page.pdf().startswith(b"%PDF")
        assert tab.faults == []
