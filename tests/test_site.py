"""The documentation site, as far as it can be checked without building it."""

from __future__ import annotations

import re
import unicodedata

import pytest

from scripts import site
from scripts.site import ROOT

SOURCE = site.assembled()
PAGES = {name: text for name, text in SOURCE.items() if name.endswith(".md")}
FENCED = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as GitHub and the site make them."""
    found: set[str] = set()
    for title in re.findall(r"^#+ (.*)$", FENCED.sub("", text), re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).replace("`", "").lower()
        kept = "".join(ch for ch in plain if ch in "- _" or unicodedata.category(ch)[0] in "LN")
        found.add(kept.replace(" ", "-"))
    return found


def test_every_page_is_in_the_table_of_contents() -> None:
    listed = re.findall(r"[\w-]+(?=>?$)", "\n".join(site.contents({*SOURCE})), re.M)
    assert {name.removesuffix(".md") for name in PAGES} - {"index"} <= {*listed}
    assert {path.name for path in (ROOT / "docs").glob("*.md")} <= {*PAGES}


def test_every_page_has_its_place() -> None:
    placed = {name for part in site.CONTENTS.values() for name in part}
    assert {name.removesuffix(".md") for name in PAGES} - {"index"} <= placed, "name it in scripts/site.py"


def test_a_page_that_nobody_named_comes_last() -> None:
    assert "\n".join(site.contents({"shell.md", "novel.md"})).endswith(":caption: More\n\nnovel\n```\n")


@pytest.mark.parametrize("page", PAGES)
def test_links_between_pages_lead_to_headings(page: str) -> None:
    for target in re.findall(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)", FENCED.sub("", PAGES[page])):
        if target.startswith("https://"):
            continue
        name, _, anchor = target.partition("#")
        assert not name or name in PAGES, target
        assert not anchor or anchor in anchors(PAGES[name or page]), target


@pytest.mark.parametrize(
    ("text", "on_the_site"),
    [
        ("[a](log.md#chance)", "[a](log.md#chance)"),
        ("[a](../CONTRIBUTING.md)", "[a](contributing.md)"),
        ("[a](CHANGELOG.md)", "[a](changelog.md)"),
        ("[a](../fixtures/README.md)", "a"),
        ("[a](https://example.org)", "[a](https://example.org)"),
        ("![a](table.svg)", "![a](table.svg)"),
        ("[a](#chance)", "[a](#chance)"),
    ],
)
def test_links_stay_on_the_site(text: str, on_the_site: str) -> None:
    assert site.site_links(text) == on_the_site


def test_every_public_name_of_python_is_documented() -> None:
    import sintra
    import sintra.rl

    for name in [*sintra.__all__, *(f"rl.{name}" for name in sintra.rl.__all__)]:
        assert name.startswith("_") or re.search(
            rf"^\.\. auto\w+:: sintra\.{name}$", PAGES["python.md"], re.M
        ), name
