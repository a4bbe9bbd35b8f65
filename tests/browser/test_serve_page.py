"""`sintra serve` in a real browser: whole games by clicks and by keys, in one browser and in several."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("starlette", reason="a game in the browser needs the extra web")

import sintra
from scripts.fixtures import FIXTURES
from sintra.view.svg import DARK, LIGHT
from tests.kit.browser import WHOLE, Tab
from tests.kit.program import run
from tests.kit.serving import Served, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

BOARDS = [
    ("sintra", "A"),
    ("sintra", "B"),
    ("azul", "colored"),
    ("azul", "gray"),
    ("crystal", "1"),
    ("crystal", "2"),
]
TURNS = 10_000 if WHOLE else 6
"""Steps that are played: whole games in the long form."""
SOME = BOARDS if WHOLE else BOARDS[:1] + BOARDS[3:4]
NAMES = ("</script><script>alert(1)</script>", "\u202eevil\u202c \"'", "\u6f22" * 80)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("games"), "--pace", "0") as server:
        yield server


def tab(browser: Browser, served: Served, path: str = "/", **options: Any) -> Tab:
    """A browser of its own that was let in."""
    opened = Tab(browser, offline=False, **({"viewport": {"width": 1280, "height": 900}} | options))
    mark = "&" if "?" in path else "?"
    opened.page.goto(f"http://{served.host}{path}{mark}key={served.secret}")
    opened.page.wait_for_url(lambda url: "key=" not in url)
    return opened


def state(page: Page) -> Any:
    """What the page waits for, and what it offers."""
    return page.evaluate("""() => {
        const { awaits, events, ready } = document.body.dataset;
        const lit = [...document.querySelectorAll('.lit[role=button]')];
        const labels = lit.map((rect) => rect.getAttribute('aria-label'));
        const asks = document.getElementById('ask').open;
        return { awaits, events: Number(events || 0), ready: ready === events, labels, asks };
    }""")


Act = Callable[["Page", list[str], random.Random], None]


def click(page: Page, labels: list[str], rng: random.Random) -> None:
    """Play one of the lit places by a click."""
    good = [at for at, label in enumerate(labels) if not label.startswith("place floor")]
    page.locator(".lit[role=button]").nth(rng.choice(good or [0])).click()
    if page.locator("#ask").is_visible():
        page.locator("#ask button").first.click()


def press(page: Page, labels: list[str], rng: random.Random) -> None:
    """Play one of the lit places by keys: arrows, and Enter."""
    for _ in range(rng.randrange(1, 4)):
        page.keyboard.press(rng.choice(("ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown")))
    label = "() => document.activeElement.getAttribute('aria-label') || ''"
    for key in ("ArrowUp", "ArrowRight", "ArrowUp"):
        if len(labels) == 1 or not page.evaluate(label).startswith("place floor"):
            break
        page.keyboard.press(key)
    if not page.evaluate(label):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_timeout(5)
    if page.locator("#ask").is_visible():
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")


def play(pages: list[Page], act: Act, steps: int, seed: int = 1) -> int:
    """Play whatever is offered on one of the pages until the game is over; return the number of events."""
    rng = random.Random(seed)
    idle = 0
    while steps and idle < 2000:
        idle += 1
        for page in pages:
            now = state(page)
            if now["awaits"] == "over":
                return int(now["events"])
            if now["ready"] and now["labels"] and not now["asks"]:
                before = now["events"]
                act(page, now["labels"], rng)
                for _ in range(200):
                    if state(page)["events"] > before:
                        break
                    page.wait_for_timeout(5)
                steps -= 1
                idle = 0
        pages[0].wait_for_timeout(5)
    assert not steps, "the page waits for nobody"
    return int(state(pages[0])["events"])


def check(served: Served, log: str, over: bool = WHOLE) -> None:
    """The log is a legal game, and a whole one in the long form."""
    assert run("verify", served.folder / log).code == 0
    assert sintra.load(served.folder / log).over == over


def title(rules: str, side: str) -> str:
    name = {"sintra": "Stained Glass of Sintra", "azul": "Azul", "crystal": "Crystal Mosaic"}[rules]
    return f"{name}, side {side}"


@pytest.mark.parametrize(("rules", "side"), SOME)
def test_a_game_against_greedy_is_played_by_clicks_only(
    browser: Browser, served: Served, rules: str, side: str
) -> None:
    log = f"clicks-{rules}-{side}.log"
    with tab(browser, served) as opened:
        page = opened.page
        page.get_by_label(title(rules, side), exact=True).check()
        page.locator("#seats select").nth(1).select_option("greedy")
        page.get_by_text("More", exact=True).click()
        page.locator("#log").fill(log)
        page.locator("#seed").fill("7")
        page.get_by_role("button", name="Start").click()
        page.wait_for_url("**/game?*")
        play([page], click, TURNS)
        if WHOLE:
            page.locator("#end table").wait_for()
            points = [str(score).replace("-", "−") for score in sintra.load(served.folder / log).scores]
            assert page.locator("#end .total td").all_inner_texts() == points
        assert opened.faults == []
    check(served, log)


@pytest.mark.parametrize(("rules", "side"), SOME)
def test_a_game_against_greedy_is_played_by_keys_only(
    browser: Browser, served: Served, rules: str, side: str
) -> None:
    with tab(browser, served) as opened:
        page = opened.page
        page.locator("#boards label").first.wait_for()
        log = page.evaluate("() => document.getElementById('log').value")
        keys = ["Tab", *["ArrowRight"] * BOARDS.index((rules, side)), "Tab", "Tab", "Tab", "Tab", "Tab"]
        for key in [*keys, "g", "r", "Tab", "Tab", "Enter"]:
            page.keyboard.press(key)
        page.wait_for_url("**/game?*")
        play([page], press, TURNS)
        assert opened.faults == []
    game = sintra.load(served.folder / log)
    assert (game.rules.name, str(game.created.options["side"])) == (rules, side)
    assert (served.folder / f"{log}.bots").read_text() == "2=greedy\n"
    check(served, log)


def test_two_browsers_play_each_other_and_a_third_sees_every_event_once(
    browser: Browser, served: Served
) -> None:
    sintra.new("azul", ["Ada", "Ben"], seed=3).save(served.folder / "two.log")
    with tab(browser, served) as first:
        first.page.get_by_role("link", name="Continue").first.click()
        first.page.locator("#ask").get_by_role("button", name="Ada").click()
        first.page.get_by_role("button", name="Invite").click()
        first.page.get_by_role("button", name="A link for Ben").click()
        link = first.page.locator("#message a").inner_text()
        with Tab(browser, offline=False) as second, tab(browser, served, "/game?log=two.log&seat=0") as third:
            second.page.goto(link)
            second.page.wait_for_url(lambda url: "key=" not in url)
            third.page.locator("#status", has_text="Waiting for Ada").wait_for()
            second.page.locator("#status", has_text="Waiting for Ada").wait_for()
            events = play([first.page, second.page], click, TURNS if WHOLE else 8)
            for opened in (first, second, third):
                opened.page.locator(f'body[data-events="{events}"]').wait_for(state="attached")
                assert opened.page.evaluate("() => Sintra.seen") == list(range(4, events + 1))
                assert opened.faults == []
            assert first.page.locator("#message a").inner_text() == link, "a link stays until it is closed"
            first.page.get_by_role("button", name="Close").click()
            assert not first.page.locator("#message").is_visible()
            assert third.page.locator(".lit").count() == 0
            assert not third.page.locator("#undo, #hint, #invite").filter(visible=True).count()
            assert third.page.locator("#story li[data-event]").count() == events
    check(served, "two.log")


def test_points_are_shown_before_a_step_and_undo_takes_it_back(browser: Browser, served: Served) -> None:
    sintra.new("azul", ["Ada", "Ben"], seed=3).save(served.folder / "undo.log")
    with tab(browser, served, "/game?log=undo.log&seat=1,2") as opened:
        page = opened.page
        page.locator(".lit[role=button]").first.hover()
        assert page.locator("#undo").is_disabled()
        assert "picks" in page.locator("#preview").inner_text()
        page.locator(".lit[role=button]").first.click()
        page.locator('body[data-ready="4"]').wait_for(state="attached")
        page.locator('.lit[aria-label^="place floor"]').hover()
        assert "−" in page.locator("#preview b").inner_text()
        assert page.locator("#undo").is_enabled()
        page.keyboard.press("u")
        page.locator('body[data-ready="5"]').wait_for(state="attached")
        page.keyboard.press("h")
        page.locator("#hints li").first.wait_for()
        assert opened.faults == []
    assert (
        sintra.load(served.folder / "undo.log").counting
        == sintra.load(served.folder / "undo.log").counting[:2]
    )


def test_the_menu_writes_points_as_the_result_does(browser: Browser, served: Served) -> None:
    over = (FIXTURES / "games" / "sintra-a-3.log").read_bytes()
    (served.folder / "below-zero.log").write_bytes(over)
    with tab(browser, served) as opened:
        card = opened.page.locator("#games > li", has_text="below-zero.log")
        card.locator("li", has_text="Ada −21").wait_for()
        card.get_by_role("link", name="Result").click()
        opened.page.locator("#end .total", has_text="−21").wait_for()
        assert opened.faults == []


def test_what_a_phone_has_to_say_is_in_view(browser: Browser, served: Served) -> None:
    """The table is taller than a phone: hints, messages and the result must not lie below it."""

    def in_view(selector: str) -> bool:
        box = page.locator(selector).bounding_box()
        return box is not None and box["y"] >= 0 and box["y"] + min(box["height"], 300) <= 740

    game = sintra.new("azul", ["Ada", "Ben"], seed=3)
    game.save(served.folder / "phone.log")
    over = (FIXTURES / "games" / "azul-colored-2.log").read_bytes()
    (served.folder / "phone-over.log").write_bytes(over)
    phone = {"width": 360, "height": 740}
    with tab(browser, served, "/game?log=phone.log&seat=1,2", viewport=phone) as opened:
        page = opened.page
        page.locator(".lit[role=button]").first.wait_for()
        assert in_view("#status")
        page.evaluate("scrollTo(0, 9999)")
        page.get_by_role("button", name="Hint").click()
        page.locator("#hints li").first.wait_for()
        assert in_view("#hints")
        page.get_by_role("button", name="Invite").click()
        page.get_by_role("button", name="A link to watch").click()
        page.locator("#message a").wait_for()
        assert in_view("#message")
        assert in_view("#status")
        page.goto(f"http://{served.host}/game?log=phone-over.log&seat=1,2")
        page.locator("#end table").wait_for()
        assert in_view("#end")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert opened.faults == []


def test_a_move_of_another_program_is_seen_and_an_older_page_is_told(
    browser: Browser, served: Served
) -> None:
    sintra.new("azul", ["Ada", "Ben"], seed=3).save(served.folder / "other.log")
    with tab(browser, served, "/game?log=other.log&seat=1") as opened:
        page = opened.page
        page.locator(".lit").first.wait_for()
        run("move", served.folder / "other.log", "pick 1", "-q", code=None)
        with sintra.open(served.folder / "other.log") as game:
            game.play(game.legal()[0])
        page.locator('body[data-events="4"]').wait_for(state="attached")
        (served.folder / "other.log").unlink()
        page.locator("#message", has_text="other.log no longer exists").wait_for()
        page.get_by_role("button", name="Load again").wait_for()
        assert page.locator(".lit").count() == 0
        assert page.locator("#undo").is_disabled()
        page.get_by_role("button", name="Load again").click()
        page.locator("#message", has_text="no such log").wait_for()
        opened.faults[:] = [fault for fault in opened.faults if "404" not in fault]
        assert opened.faults == []


def test_a_connection_that_comes_back_is_said_to_be_back(browser: Browser, served: Served) -> None:
    sintra.new("azul", ["Ada", "Ben"], seed=3).save(served.folder / "back.log")
    with tab(browser, served) as opened:
        page = opened.page
        empty = {"content_type": "text/event-stream", "body": "retry: 300\n\n"}
        page.route("**/api/stream?*", lambda route: route.fulfill(**empty))
        page.goto(f"http://{served.host}/game?log=back.log&seat=1,2")
        page.locator(".lost #status", has_text="is not responding").wait_for()
        page.unroute("**/api/stream?*")
        page.locator("body:not(.lost) #status", has_text="Ada, it is your turn").wait_for()
        page.wait_for_timeout(600)
        assert "your turn" in page.locator("#status").inner_text()
        page.locator(".lit[role=button]").first.click()
        page.locator('body[data-ready="4"]').wait_for(state="attached")
        assert opened.faults == []


def test_a_real_table_is_entered_by_clicking_pieces(browser: Browser, served: Served) -> None:
    with tab(browser, served) as opened:
        page = opened.page
        page.get_by_text("More", exact=True).click()
        page.locator("#log").fill("real.log")
        page.get_by_text("Real table").click()
        page.get_by_role("button", name="Start").click()
        for color in "copbyc":
            page.locator(f'.palette [data-word="{color}"]').click()
        for _ in range(2):
            for _ in range(8):
                page.locator(".palette button:enabled").first.click()
        page.locator(".wrong", has_text="more").wait_for(state="detached")
        if WHOLE:
            assert opened.axe() == []
        page.get_by_role("button", name="Lay out").click()
        page.get_by_text("Round 1: what was drawn?").wait_for()
        page.get_by_role("button", name="Deal").click()
        page.locator("#message", has_text="display").wait_for()
        for color in ("blue", "pink", "clear", "orange", "yellow"):
            for _ in range(4):
                page.locator(f'.palette [data-word="{color}"]').click()
        page.locator(".cells button").first.focus()
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.dataset.key") == "cell 0 0", "keys stay in the form"
        page.locator('.palette [data-word="blue"]').focus()
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.textContent") == "Deal"
        page.get_by_role("button", name="Deal").click()
        page.locator(".lit").first.click()
        page.locator('body[data-ready="4"]').wait_for(state="attached")
        opened.faults[:] = [fault for fault in opened.faults if "422" not in fault]
        assert opened.faults == []
    assert run("verify", served.folder / "real.log").code == 0
    assert sintra.load(served.folder / "real.log").created.chance == "table"


def test_a_code_in_a_link_opens_the_replay_of_its_game(browser: Browser, served: Served) -> None:
    game = sintra.new("azul", seed=7)
    game.play(game.legal()[0])
    with tab(browser, served) as opened:
        page = opened.page
        game.save(served.folder / "shared.log")
        for path in ("/", "/?menu", "/replay", "/game?log=shared.log&seat=0"):
            page.goto(f"http://{served.host}{path}#code={sintra.code(game)}")
            page.locator("#story li", has_text="Player 1 picks").wait_for()
        assert opened.faults == []
    for path in ("/?", "/replay?", "/game?log=shared.log&seat=0&"):
        with Tab(browser, offline=False) as invited:
            page = invited.page
            page.goto(f"http://{served.host}{path}key={served.secret}#code={sintra.code(game)}")
            page.locator("#story li", has_text="Player 1 picks").wait_for()
            assert "key=" not in page.url
            assert invited.faults == []


def test_a_refusal_is_a_page_that_says_what_to_do(browser: Browser, served: Served) -> None:
    for scheme in ("light", "dark"):
        with Tab(browser, offline=False, color_scheme=scheme) as stranger:
            page = stranger.page
            page.goto(f"http://{served.host}/")
            assert "Open the link that" in page.locator("main").inner_text()
            ground = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--ground')")
            assert ground == (LIGHT if scheme == "light" else DARK).ground
    with tab(browser, served, "/?menu") as opened:
        opened.page.goto(f"http://{served.host}/nothing/here")
        assert "no such page" in opened.page.locator("main").inner_text()
        opened.page.get_by_role("link", name="Back to the games").click()
        opened.page.locator("#boards label").first.wait_for()


def test_a_server_that_is_gone_is_told_in_words(browser: Browser, tmp_path: Path) -> None:
    sintra.new("azul", ["Ada", "Ben"], seed=3).save(tmp_path / "gone.log")
    with serving(tmp_path) as ended, tab(browser, ended, "/game?log=gone.log&seat=1,2") as opened:
        page = opened.page
        page.locator('body[data-ready="3"]').wait_for(state="attached")
        ended.end()
        page.locator(".lit").first.click()
        page.locator("#message", has_text="The server is not responding").wait_for()
        page.get_by_role("button", name="Hint").click()
        page.locator("#message", has_text="The server is not responding").wait_for()


@pytest.mark.parametrize("name", NAMES)
def test_strange_names_are_only_text(browser: Browser, served: Served, name: str) -> None:
    log = f"strange-{NAMES.index(name)}.log"
    game = sintra.new("azul", [name, "Ben"], seed=3)
    game.note(f"{name} \u202e </script>")
    game.save(served.folder / log)
    with tab(browser, served, f"/game?log={log}&seat=1,2", viewport={"width": 360, "height": 740}) as opened:
        page = opened.page
        page.locator(".lit").first.wait_for()
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
        page.goto(f"http://{served.host}/?menu")
        page.locator("#games li").first.wait_for()
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
        assert opened.faults == []


@pytest.mark.skipif(not WHOLE, reason="only in the long form: make browser")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1024, 2560])
def test_pages_fit_and_have_no_serious_fault(
    browser: Browser, served: Served, width: int, scheme: str
) -> None:
    for number, (rules, side) in enumerate(BOARDS):
        log = f"look-{rules}-{side}.log"
        if not (served.folder / log).exists():
            sintra.new(rules, 2 + number % 3, seed=1, side=side).save(served.folder / log)
        size = {"width": width, "height": 1300 if width > 2000 else 768}
        with tab(browser, served, f"/game?log={log}&seat=1", viewport=size, color_scheme=scheme) as opened:
            page = opened.page
            page.locator(".lit").first.wait_for()
            assert page.evaluate("() => document.documentElement.scrollWidth") <= width
            with suppress(OSError):
                shots = Path("build/browser")
                shots.mkdir(parents=True, exist_ok=True)
                page.screenshot(path=shots / f"serve-{rules}-{side}-{width}-{scheme}.png")
            assert opened.axe() == []
            page.goto(f"http://{served.host}/?menu")
            page.locator("#games li").first.wait_for()
            assert opened.axe() == []
            assert opened.faults == []
    over = (FIXTURES / "games" / "sintra-a-3.log").read_bytes()
    (served.folder / "look-over.log").write_bytes(over)
    with tab(
        browser, served, "/game?log=look-sintra-A.log&seat=1,2", viewport=size, color_scheme=scheme
    ) as opened:
        page = opened.page
        page.get_by_role("button", name="Hint").click()
        page.locator("#hints li").first.wait_for()
        page.get_by_text("All moves").click()
        page.get_by_role("button", name="Invite").click()
        assert opened.axe() == []
        page.get_by_role("button", name="A link to watch").click()
        page.locator("#message a").wait_for()
        assert opened.axe() == []
        for path, shown in (
            ("look-over.log&seat=0", "#end table"),
            ("look-sintra-A.log&seat=0", "#story li"),
            ("nothing.log", "h1"),
        ):
            page.goto(f"http://{served.host}/game?log={path}")
            page.locator(shown).first.wait_for()
            assert page.evaluate("() => document.documentElement.scrollWidth") <= width
            assert opened.axe() == []
