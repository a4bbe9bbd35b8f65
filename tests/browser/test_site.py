"""The documentation site in a browser, from files: search finds, links lead somewhere, nobody is asked."""

from __future__ import annotations

import fcntl
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urldefrag, urlparse

import pytest

from scripts.site import BUILD, ROOT
from tests.kit.browser import Tab

if TYPE_CHECKING:
    from playwright.sync_api import Browser

LINKS = """() => [
  [...document.querySelectorAll("a[href], link[href]")].map((one) => one.href),
  [...document.querySelectorAll("[id]")].map((one) => one.id),
  [...document.images].filter((one) => !one.complete || !one.naturalWidth).map((one) => one.src),
  document.documentElement.scrollWidth - innerWidth,
]"""
MIN_PAGES = 20


@pytest.fixture(scope="session")
def first() -> str:
    """The address of the first page of the site, which is built once for all workers of a run."""
    if importlib.util.find_spec("sphinx") is None or importlib.util.find_spec("furo") is None:
        pytest.skip("no Sphinx: make site installs it")
    this_run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    BUILD.parent.mkdir(exist_ok=True)
    with open(BUILD.with_name("site-built-by"), "a+") as built_by:
        fcntl.flock(built_by, fcntl.LOCK_EX)
        built_by.seek(0)
        if built_by.read() != this_run:
            subprocess.run([sys.executable, "-m", "scripts.site"], cwd=ROOT, check=True, capture_output=True)
            built_by.truncate(0)
            built_by.write(this_run)
    return (BUILD / "html" / "index.html").as_uri()


@pytest.mark.parametrize("width", [360, 1280])
def test_every_internal_link_leads_somewhere(browser: Browser, first: str, width: int) -> None:
    with Tab(browser, viewport={"width": width, "height": 900}) as tab:
        todo = [first]
        ids: dict[str, set[str]] = {}
        wanted: dict[tuple[str, str], str] = {}
        while todo:
            address = todo.pop()
            tab.page.goto(address)
            links, found, broken, over = tab.page.evaluate(LINKS)
            ids[address] = set(found)
            assert broken == [], address
            assert over <= 0, f"{address} is {over} pixels too wide"
            for link in links:
                target, anchor = urldefrag(link)
                if not target.startswith("file:"):
                    continue
                target = target.partition("?")[0]
                wanted.setdefault((target, anchor), address)
                if target.endswith(".html") and target not in ids and target not in todo:
                    todo.append(target)
        for (target, anchor), source in wanted.items():
            assert Path(unquote(urlparse(target).path)).is_file(), f"{source} links to {target}"
            assert not anchor or unquote(anchor) in ids[target], f"{source} links to {target}#{anchor}"
        assert len(ids) >= MIN_PAGES
        assert tab.faults == []
        assert {urlparse(request).scheme for request in tab.requests} <= {"file", "data"}


@pytest.mark.parametrize(
    ("words", "page"),
    [("glazier", "Glossary"), ("tournament league", "Run a league"), ("IllegalStep", "sintra.IllegalStep")],
)
def test_search_finds_from_files(browser: Browser, first: str, words: str, page: str) -> None:
    with Tab(browser) as tab:
        tab.page.goto(first)
        tab.page.fill("input[name=q]", words)
        tab.page.press("input[name=q]", "Enter")
        tab.page.wait_for_selector("#search-results li a")
        tab.page.locator("#search-results li a", has_text=page).first.click()
        tab.page.wait_for_selector("article h1")
        assert "search.html" not in tab.page.url
        assert tab.faults == []
        assert {urlparse(request).scheme for request in tab.requests} <= {"file", "data"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_first_page_has_a_picture_that_moves(browser: Browser, first: str, scheme: str) -> None:
    with Tab(browser, reduced_motion="no-preference", color_scheme=scheme) as tab:
        tab.page.goto(first)
        assert moves(tab, f".hero-{scheme}")


def test_the_picture_stands_still_for_people_who_want_that(browser: Browser) -> None:
    for motion in ("no-preference", "reduce"):
        with Tab(browser, reduced_motion=motion) as tab:
            tab.page.goto((ROOT / "docs" / "moving.svg").as_uri())
            assert moves(tab, "svg") == (motion != "reduce")


def moves(tab: Tab, selector: str) -> bool:
    """Whether something looks different after a while."""
    picture = tab.page.locator(selector).first
    assert picture.is_visible()
    before = picture.screenshot()
    tab.page.wait_for_timeout(1600)
    return bool(before != picture.screenshot())
