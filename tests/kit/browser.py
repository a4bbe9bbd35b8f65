"""A real browser for tests: Debian's Chromium, driven by Playwright, or a reason why there is none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scripts.fixtures import GOLDENS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parent.parent.parent
WHOLE = bool(os.environ.get("SINTRA_BROWSER"))
"""True for the long form: all golden games."""
GAMES = tuple(GOLDENS) if WHOLE else ("azul-colored-2",)
AXE = ROOT / "build" / "browser" / "node_modules" / "axe-core" / "axe.min.js"
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"),
)
PATIENCE = 20_000
"""Milliseconds after which a browser counts as hanging."""


def program() -> str | None:
    """The browser's executable, if there is one."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


@contextmanager
def launched() -> Iterator[Browser]:
    """A browser; skips the test, with the reason, where none can be had."""
    path = program()
    if path is None:
        pytest.skip("no Chromium: apt-get install chromium")
    driver = pytest.importorskip("playwright.sync_api", reason="no Playwright: make browser installs it")
    with driver.sync_playwright() as playing:
        browser = playing.chromium.launch(executable_path=path, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


def wait(page: Page, condition: str) -> None:
    """Wait until an expression is true; Playwright's own way is blocked by a strict page."""
    for _ in range(PATIENCE // 50):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never: {condition}")


class Tab:
    """A page of its own, offline, which keeps whatever went wrong."""

    def __init__(self, browser: Browser, *, offline: bool = True, **options: Any) -> None:
        self.context: Any = browser.new_context(**({"reduced_motion": "reduce"} | options))
        self.context.set_default_timeout(PATIENCE)
        self.context.set_offline(offline)
        self.page: Page = self.context.new_page()
        self.faults: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("dialog", self._dialog)
        self.page.on("request", lambda request: self.requests.append(request.url))

    def _dialog(self, dialog: Any) -> None:
        self.faults.append(dialog.message)
        dialog.dismiss()

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(message.text)

    def __enter__(self) -> Tab:
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()

    def axe(self) -> list[str]:
        """What axe-core finds at fault, if it is serious."""
        if not AXE.exists():
            pytest.skip("no axe-core: make browser installs it by npm")
        self.page.evaluate(AXE.read_text())
        found = self.page.evaluate("axe.run()")
        return [
            f"{one['id']}: {one['nodes'][0]['html'][:200]}"
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
        ]
